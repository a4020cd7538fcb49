"""Who owns what inside one file: members of each module, the names on the way to each item. A pure view of facts."""

import re

from m1nd.domain.rust.facts import FileFacts, ItemKind

TRANSPARENT = {ItemKind.MACRO_CALL, ItemKind.FOREIGN_MOD}
NAMED = {
    ItemKind.FN,
    ItemKind.STRUCT,
    ItemKind.ENUM,
    ItemKind.UNION,
    ItemKind.TRAIT,
    ItemKind.CONST,
    ItemKind.STATIC,
    ItemKind.TYPE,
    ItemKind.MOD,
    ItemKind.EXTERN_CRATE,
}
"""Kinds that bind their name in the module around them (`macro_rules` binds by text order, W26)."""
"""Containers whose items are members of the module around them."""
TYPE_PATH = re.compile(r"^(?:[&*(]|'\w+\s|mut\s|const\s|dyn\s|\s)*(?:::\s*)?((?:\w+\s*::\s*)*\w+)")


class FileItems:
    """Indexed by item: `module[i]` the inline `mod` item around it (-1: the file), `member[i]` whether it is a direct
    member of that module, `names[i]` the names of the enclosing items below the module and its own (`labelled`).

    `members[m]`, `uses[m]`: items and use leaves that module `m` holds directly; `modules[m]`: the `mod` items
    anywhere in module `m`, function bodies included.
    """

    __slots__ = (
        "_below",
        "_content",
        "_impls",
        "_names",
        "_others",
        "facts",
        "member",
        "members",
        "module",
        "modules",
        "names",
        "uses",
    )

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.module: list[int] = []
        self.member: list[bool] = []
        self.names: list[tuple[str, ...]] = []
        self.members: dict[int, list[int]] = {}
        self.uses: dict[int, list[int]] = {}
        self.modules: dict[int, list[int]] = {}
        for index, item in enumerate(facts.items):
            parent = item.parent
            own: tuple[str, ...] = (own_name(item.kind, item.name, item.detail),)
            if parent < 0:
                module, member, names = -1, True, own
            else:
                outer = facts.items[parent]
                if outer.kind is ItemKind.MOD:
                    module, member, names = parent, True, own
                elif outer.kind in TRANSPARENT:
                    module, member = self.module[parent], self.member[parent]
                    names = self.names[parent][:-1] + own
                else:
                    module, member = self.module[parent], False
                    names = (*self.names[parent][:-1], labelled(outer.kind, self.names[parent][-1])) + own
            self.module.append(module)
            self.member.append(member)
            self.names.append(names)
            if member:
                self.members.setdefault(module, []).append(index)
            if item.kind is ItemKind.MOD:
                self.modules.setdefault(module, []).append(index)
        for position, use in enumerate(facts.uses):
            if self.member[use.item]:
                self.uses.setdefault(self.module[use.item], []).append(position)
        self._names: dict[int, NamesOfModule] = {}
        self._content: dict[int, list[int]] | None = None
        self._below: dict[int, list[int]] | None = None
        self._impls: list[tuple[int, int, str]] | None = None
        self._others: tuple[list[tuple[str, str]], list[int]] | None = None

    def content(self, module: int) -> list[int]:
        """Every item whose innermost inline module is `module`, function bodies and impls included."""
        if self._content is None:
            self._content = {}
            for index, owner in enumerate(self.module):
                self._content.setdefault(owner, []).append(index)
        return self._content.get(module, [])

    def below(self, parent: int) -> list[int]:
        """Items directly inside an item (macro calls and extern blocks in between left out)."""
        if self._below is None:
            self._below = {}
            for index, item in enumerate(self.facts.items):
                owner = item.parent
                while owner >= 0 and self.facts.items[owner].kind in TRANSPARENT:
                    owner = self.facts.items[owner].parent
                self._below.setdefault(owner, []).append(index)
        return self._below.get(parent, [])

    def impls(self) -> list[tuple[int, int, str]]:
        """`(module, item, last name of the self type)` of each impl block."""
        if self._impls is None:
            self._impls = [
                (self.module[i], i, self.names[i][-1])
                for i, item in enumerate(self.facts.items)
                if item.kind is ItemKind.IMPL
            ]
        return self._impls

    def other_names(self) -> tuple[list[tuple[str, str]], list[int]]:
        """`(name, alias)` of each renaming import, and the item indices of type aliases (no associated types)."""
        if self._others is None:
            items = self.facts.items
            self._others = (
                [(u.path[-1], u.alias) for u in self.facts.uses if u.alias and u.alias != "_"],
                [
                    number
                    for number, item in enumerate(items)
                    if item.kind is ItemKind.TYPE
                    and (item.parent < 0 or items[item.parent].kind not in (ItemKind.IMPL, ItemKind.TRAIT))
                ],
            )
        return self._others

    def bound(self, module: int) -> "NamesOfModule":
        """The names that a module's own items and imports bind, unresolved."""
        found = self._names.get(module)
        if found is None:
            found = self._names[module] = NamesOfModule(self, module)
        return found


class NamesOfModule:
    """`items[name]`, `uses[name]`: members and use leaves that bind a name; `globs`; `anonymous`: `use x as _`."""

    __slots__ = ("anonymous", "globs", "items", "uses")

    def __init__(self, table: FileItems, module: int) -> None:
        facts = table.facts
        self.items: dict[str, list[int]] = {}
        self.uses: dict[str, list[int]] = {}
        self.globs: list[int] = []
        self.anonymous: list[int] = []
        for index in table.members.get(module, ()):
            item = facts.items[index]
            if item.name and item.name != "_" and item.kind in NAMED:
                self.items.setdefault(item.name, []).append(index)
        for position in table.uses.get(module, ()):
            use = facts.uses[position]
            name = use.bound_name
            if use.glob:
                self.globs.append(position)
            elif name is None:
                self.anonymous.append(position)
            else:
                self.uses.setdefault(name, []).append(position)


IN_BODY = "()"
"""Behind the name of what has a body, on the way to an item in it."""


def labelled(kind: ItemKind, name: str) -> str:
    """What an item is called on the way to another one in it: a module may have the name of a function, and items like those in its body."""
    return f"{name}{IN_BODY}" if kind in (ItemKind.FN, ItemKind.CONST, ItemKind.STATIC) else name


def own_name(kind: ItemKind, name: str, detail: str) -> str:
    """The name of an item in definitions; an impl bears the name of its self type."""
    return self_type_path(detail)[-1] if kind is ItemKind.IMPL else name


def impl_parts(detail: str) -> tuple[str, str]:
    """`(trait text, self type text)` of an impl header; the trait's is empty for an inherent impl."""
    text = without_generics(detail)
    depth = 0
    split = -1
    end = len(text)
    for match in re.finditer(r"->|[<>()\[\]{}]|\bfor\b(?!\s*<)|\bwhere\b", text):
        token = match.group()
        if token == "->":
            continue
        if token in "<([{":
            depth += 1
        elif token in ">)]}":
            depth -= 1
        elif depth == 0 and token == "for" and split < 0:
            split = match.start()
        elif depth == 0 and token == "where":
            end = match.start()
            break
    if split < 0:
        return "", text[:end].strip()
    return text[:split].strip().removeprefix("!").strip(), text[split + 3 : end].strip()


def self_type_path(detail: str) -> tuple[str, ...]:
    """Path of an impl's self type as written, generics left out; `("",)` for a type that is no path."""
    return type_path(impl_parts(detail)[1])


def type_path(text: str) -> tuple[str, ...]:
    match = TYPE_PATH.match(text)
    if match is None:
        return ("",)
    return tuple(s.strip().removeprefix("r#") for s in match.group(1).replace("r#", "").split("::"))


def without_generics(detail: str) -> str:
    """A header without the generic parameters it begins with."""
    text = detail.strip()
    if not text.startswith("<"):
        return text
    depth = 0
    for match in re.finditer(r"->|=>|[<>]", text):
        token = match.group()
        if token == "<":
            depth += 1
        elif token == ">":
            depth -= 1
            if depth == 0:
                return text[match.end() :].strip()
    return text
