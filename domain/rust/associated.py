"""What belongs to a type or trait: impl blocks, associated items, aliases.

Looks only at what the workspace writes down; items that derives, outside crates and macros add stay unresolved.
"""

import re
from functools import partial
from typing import TYPE_CHECKING

from m1nd.domain.rust import paths
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.file_items import impl_parts, self_type_path, type_path, without_generics
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding, dedupe
from m1nd.domain.rust.visibility import PUBLIC, Visibility, parse_visibility

if TYPE_CHECKING:
    from m1nd.domain.rust.imports import Linker

KINDS = {
    Namespace.VALUE: (ItemKind.FN, ItemKind.CONST),
    Namespace.TYPE: (ItemKind.TYPE,),
    Namespace.MACRO: (),
}
TYPES = ("struct", "enum", "union", "type")


class ItemContext:
    """A path in an item's header or body at the level of items: enclosing functions first, then the module.

    Blocks of one function are not told apart (only the precise walk over a body does that).
    """

    __slots__ = ("file", "index", "linker", "module")

    def __init__(self, linker: "Linker", module: Definition, file: str, index: int) -> None:
        self.linker = linker
        self.module = module
        self.file = file
        self.index = index

    def first(self, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        facts = self.linker.facts[self.file]
        items = self.linker.forest.items[self.file]
        owner = facts.items[self.index].parent
        while owner >= 0 and facts.items[owner].kind is not ItemKind.MOD:
            if facts.items[owner].kind in (ItemKind.FN, ItemKind.CONST, ItemKind.STATIC):
                found = [
                    Binding(d, Visibility(self.module), "item")
                    for i in items.below(owner)
                    if facts.items[i].name == name and self.linker.binds(self.file, facts.items[i], namespace)
                    for d in self.linker.forest.definitions(self.module, i)
                ]
                if found:
                    return dedupe(found)
                imported = self._imported(owner, name, namespace)
                if imported:
                    return imported
            owner = facts.items[owner].parent
        return self.linker.lexical(self.module, namespace, name, facts.items[self.index].start)

    def _imported(self, owner: int, name: str, namespace: Namespace) -> tuple[Binding, ...]:
        facts = self.linker.facts[self.file]
        for position, use in enumerate(facts.uses):
            if use.bound_name == name and facts.items[use.item].parent == owner:
                key = ("block use", self.module, self.file, position, namespace)
                nothing: tuple[Binding, ...] = ()
                found = self.linker.guarded(key, nothing, partial(self._follow, position, namespace))
                if found:
                    return found
        return ()

    def _follow(self, position: int, namespace: Namespace) -> tuple[Binding, ...]:
        use = self.linker.facts[self.file].uses[position]
        inner = ItemContext(self.linker, self.module, self.file, use.item)
        answer = self.linker.follow_use(inner, use.path, use.absolute, (namespace,))
        return tuple(Binding(d, PUBLIC, "import", (self.file, position)) for d in answer.target)


class Associated:
    def __init__(self, linker: "Linker") -> None:
        self.linker = linker
        self.forest = linker.forest
        self._by_name: dict[str, list[tuple[Definition, int]]] | None = None
        self._other_names: dict[str, set[str]] | None = None

    def items(self, container: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        """`container::name` for a type or a trait: inherent items, else those of trait impls, else trait items."""
        if container.kind is DefinitionKind.ITEM and container.item_kind == ItemKind.TRAIT:
            return self._in_trait(container, namespace, name)
        if container.kind is DefinitionKind.ITEM and container.item_kind not in TYPES:
            return ()
        if container.kind in (DefinitionKind.LOCAL, DefinitionKind.MODULE):
            return ()
        key = ("associated", container, namespace, name)
        return self.linker.guarded(key, (), lambda: self._items(container, namespace, name))

    def _items(self, container: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        if container.item_kind == ItemKind.TYPE:
            inner = self.aliased(container)
            return self.linker.member(inner, namespace, name, container) if inner is not None else ()
        inherent: list[Binding] = []
        of_traits: list[Binding] = []
        traits: list[Definition] = []
        for module, index in self.impls_of(container):
            trait = self.trait_of(module, index)
            found = self._in_impl(module, index, namespace, name, trait is not None)
            (of_traits if trait is not None else inherent).extend(found)
            if trait is not None and trait.kind is DefinitionKind.ITEM:
                traits.append(trait)
        if inherent or of_traits:
            return tuple(inherent or of_traits)
        defaults = [b for t in dict.fromkeys(traits) for b in self._in_trait(t, namespace, name)]
        return tuple(dict.fromkeys(defaults))

    def _in_impl(
        self, module: Definition, index: int, namespace: Namespace, name: str, of_trait: bool
    ) -> list[Binding]:
        place = self.forest.source_of(module)
        assert place is not None
        facts = self.linker.facts[place[0]].items
        table = self.forest.table(module)
        return [
            Binding(table[i], PUBLIC if of_trait else parse_visibility(facts[i].visibility, module), "item")
            for i in self.forest.items[place[0]].below(index)
            if facts[i].name == name and facts[i].kind in KINDS[namespace]
        ]

    def _in_trait(self, trait: Definition, namespace: Namespace, name: str) -> tuple[Binding, ...]:
        place = self.forest.locate(trait)
        module = self.forest.module_of(trait)
        if place is None or module is None:
            return ()
        file, index = place
        facts = self.linker.facts[file].items
        visibility = parse_visibility(facts[index].visibility, module)
        table = self.forest.table(module)
        return tuple(
            Binding(table[i], visibility, "item")
            for i in self.forest.items[file].below(index)
            if facts[i].name == name and facts[i].kind in KINDS[namespace]
        )

    def trait_methods(self, trait: Definition) -> frozenset[str]:
        place = self.forest.locate(trait)
        if place is None or trait.item_kind != ItemKind.TRAIT:
            return frozenset()
        facts = self.linker.facts[place[0]].items
        return frozenset(
            facts[i].name
            for i in self.forest.items[place[0]].below(place[1])
            if facts[i].kind in (ItemKind.FN, ItemKind.CONST)
        )

    def impls_of(self, definition: Definition) -> tuple[tuple[Definition, int], ...]:
        """`(module, item index)` of the impl blocks whose self type is `definition`."""
        key = ("impls", definition)
        return self.linker.guarded(key, (), lambda: self._impls_of(definition))

    def _impls_of(self, definition: Definition) -> tuple[tuple[Definition, int], ...]:
        names = sorted(self.names_of(definition.name))
        assert self._by_name is not None
        return tuple(
            (module, index)
            for name in names
            for module, index in self._by_name.get(name, ())
            if self.self_type(module, index) == definition
        )

    def names_of(self, name: str) -> set[str]:
        """A name and all that imports and aliases may call what bears it, over any number of steps."""
        self._index()
        assert self._other_names is not None
        found = {name}
        fresh = [name]
        while fresh:
            more = self._other_names.get(fresh.pop(), set()) - found
            found |= more
            fresh += more
        return found

    def _index(self) -> None:
        """Impl blocks by the last name of their self type; other names that imports give to a type."""
        if self._by_name is not None:
            return
        self._by_name = {}
        self._other_names = {}
        for module in self.forest.modules.values():
            for scope, index, name in self.forest.items[module.file].impls():
                if scope == module.scope_item:
                    self._by_name.setdefault(name, []).append((module.definition, index))
        for path in {m.file for m in self.forest.modules.values()}:
            renamed, aliases = self.forest.items[path].other_names()
            for name, alias in renamed:
                self._other_names.setdefault(name, set()).add(alias)
            for index in aliases:
                meant = self._written_path(path, index)[-1]
                self._other_names.setdefault(meant, set()).add(self.linker.facts[path].items[index].name)

    def self_type(self, module: Definition, index: int) -> Definition | None:
        """The type an impl is for, aliases followed; None where it is no plain path or not resolved."""
        key = ("self type", module, index)
        return self.linker.guarded(key, None, lambda: self._self_type(module, index))

    def _self_type(self, module: Definition, index: int) -> Definition | None:
        place = self.forest.source_of(module)
        if place is None:
            return None
        detail = self.linker.facts[place[0]].items[index].detail
        path = self_type_path(detail)
        if path == ("",) or (len(path) == 1 and path[0] in generic_names(detail)):
            return None
        return self._plain(module, place[0], index, path)

    def trait_of(self, module: Definition, index: int) -> Definition | None:
        """The trait an impl implements; a definition without path where it could not be resolved; None if inherent."""
        key = ("trait of", module, index)
        return self.linker.guarded(key, None, lambda: self._trait_of(module, index))

    def _trait_of(self, module: Definition, index: int) -> Definition | None:
        place = self.forest.source_of(module)
        if place is None:
            return None
        text = impl_parts(self.linker.facts[place[0]].items[index].detail)[0]
        if not text:
            return None
        return self._plain(module, place[0], index, type_path(text.lstrip("?"))) or UNKNOWN_TRAIT

    def aliased(self, alias: Definition) -> Definition | None:
        """What `type A = path;` stands for, never an alias; None for types that are no plain path, and for a circle."""
        key = ("aliased", alias)
        return self.linker.guarded(key, None, lambda: self._aliased(alias))

    def _aliased(self, alias: Definition) -> Definition | None:
        found = self._written_alias(alias)
        return found if found is None or found.item_kind != ItemKind.TYPE else None

    def _written_alias(self, alias: Definition) -> Definition | None:
        place = self.forest.locate(alias)
        module = self.forest.module_of(alias)
        if place is None or module is None:
            return None
        file, index = place
        path = self._written_path(file, index)
        return self._plain(module, file, index, path) if path != ("",) else None

    def _written_path(self, file: str, index: int) -> tuple[str, ...]:
        """The right side of a type alias as a path; `("",)` where it is none."""
        item = self.linker.facts[file].items[index]
        text = self.linker.sources[file][item.name_end : item.end].decode("utf-8", "replace")
        right = without_generics(text).partition("=")[2].strip()
        return type_path(right) if right[:1] not in ("(", "[", "&", "*", "") else ("",)

    def _plain(self, module: Definition, file: str, index: int, path: tuple[str, ...]) -> Definition | None:
        context = ItemContext(self.linker, module, file, index)
        answer = paths.follow(self.linker, context, path, (Namespace.TYPE,))
        found = answer.target[0] if answer.target else None
        if found is not None and found.item_kind == ItemKind.TYPE:
            return self.aliased(found) or found
        return found


UNKNOWN_TRAIT = Definition(DefinitionKind.EXTERNAL, "", ())


def generic_names(detail: str) -> set[str]:
    """The type and const parameters in the generic parameters of an impl header."""
    text = detail.strip()
    inner = text[: len(text) - len(without_generics(text))].strip()[1:-1] if text.startswith("<") else ""
    names: set[str] = set()
    depth = 0
    fresh = True
    for match in re.finditer(r"->|=>|[<>()\[\],]|[\w']+", inner):
        token = match.group()
        if token in ("<", "(", "["):
            depth += 1
        elif token in (">", ")", "]"):
            depth -= 1
        elif token == "," and depth == 0:
            fresh = True
        elif fresh and token not in ("const", ",", "->", "=>"):
            names.add(token)
            fresh = False
    return names
