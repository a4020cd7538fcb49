"""The module tree of each crate: which file or inline block is which module.

Built from facts alone; never reads a file. Source: GRAPH.md (Crates, targets, modules), the Rust Reference (Modules,
the path attribute).
"""

import re
from collections.abc import Iterator, Mapping

from attrs import evolve, field, frozen

from m1nd.domain.rust.cargo import Target
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.file_items import FileItems
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.visibility import PUBLIC, Visibility, parse_visibility

FILE_END = 1 << 62
"""The end of a file module's body: unbounded, usable as the end of a slice as it is."""
MAX_DEPTH = 128
PATH_ATTRIBUTE = re.compile(r"\bpath\s*=\s*\"([^\"]*)\"")


@frozen
class Module:
    """One module of one crate.

    `item`: index in `file`'s facts of the inline `mod` item, or in the parent's file (`declared_in`) of the
    `mod x;` that mounts it; -1 for a crate root. `body`: byte range of the module's content in `file`
    (`(0, FILE_END)` for a file).
    `cfg`: texts of the cfg attributes on the whole way from the root (`cfg(unix)`), file-level `#![cfg(…)]` included.
    `path_attribute`: a `#[path]` (or one inside `cfg_attr`) decided the file.
    """

    definition: Definition
    file: str
    item: int
    parent: Definition | None
    inline: bool
    body: tuple[int, int]
    visibility: Visibility
    cfg: tuple[str, ...] = ()
    path_attribute: bool = False
    macro_use: bool = False
    declared_in: tuple[str, int] | None = None

    @property
    def scope_item(self) -> int:
        """Index, in `file`, of the item whose content is this module: -1 for a whole file."""
        return self.item if self.inline else -1


@frozen
class CrateTree:
    """All modules of one crate; `children[(module, item)]` are the modules that a `mod` item declares there.

    One item declares several modules when `cfg_attr` offers several paths, none when the file is missing.
    """

    target: Target
    modules: Mapping[Definition, Module]
    children: Mapping[tuple[Definition, int], tuple[Definition, ...]]
    missing: tuple[tuple[str, int], ...] = field(default=())
    """`(file, item)` of `mod x;` declarations without a file."""


def build_tree(target: Target, facts: Mapping[str, FileFacts], items: Mapping[str, FileItems]) -> CrateTree:
    """Walk from the crate root over every `mod` declaration whose file is among `facts`."""
    return _TreeBuilder(target, facts, items).build()


@frozen
class _Place:
    """Where the `mod` declarations of one module look for their files."""

    child_directory: str
    path_directory: str
    files: tuple[str, ...]


class _TreeBuilder:
    def __init__(
        self, target: Target, facts: Mapping[str, FileFacts], items: Mapping[str, FileItems]
    ) -> None:
        self.target = target
        self.facts = facts
        self.items = items
        self.modules: dict[Definition, Module] = {}
        self.children: dict[tuple[Definition, int], tuple[Definition, ...]] = {}
        self.missing: list[tuple[str, int]] = []
        self.ordinals: dict[tuple[str, ...], int] = {}

    def build(self) -> CrateTree:
        root_file = self.target.root_file
        if root_file in self.facts:
            root = Module(
                definition=self.name(()),
                file=root_file,
                item=-1,
                parent=None,
                inline=False,
                body=(0, FILE_END),
                visibility=PUBLIC,
                cfg=cfg_of(self.facts[root_file].inner_attributes),
            )
            directory = folder(root_file)
            todo = [(root, _Place(directory, directory, (root_file,)))]
            while todo:
                module, place = todo.pop()
                self.modules[module.definition] = module
                todo.extend(reversed(list(self.declared(module, place))))
        return CrateTree(self.target, self.modules, self.children, tuple(self.missing))

    def name(self, path: tuple[str, ...]) -> Definition:
        ordinal = self.ordinals.get(path, 0)
        self.ordinals[path] = ordinal + 1
        return Definition(DefinitionKind.MODULE, self.target.key, path, "", ordinal)

    def declared(self, module: Module, place: _Place) -> Iterator[tuple[Module, _Place]]:
        items = self.items[module.file]
        for index in items.modules.get(module.scope_item, ()):
            item = self.facts[module.file].items[index]
            path = module.definition.path + items.names[index]
            found = list(self.inline(module, place, index, item, path)) if item.has_body else []
            found = found or list(self.in_files(module, place, index, item, path))
            if not found:
                self.missing.append((module.file, index))
            key = (module.definition, index)
            self.children[key] = tuple(m.definition for m, _ in found) or (self.name(path),)
            yield from found

    def inline(
        self, module: Module, place: _Place, index: int, item: ItemFact, path: tuple[str, ...]
    ) -> Iterator[tuple[Module, _Place]]:
        written = path_attributes(item)
        directory = (
            join(place.path_directory, written[0]) if written else join(place.child_directory, item.name)
        )
        child = self.module(module, index, item, path)
        yield child, _Place(directory, directory, place.files)

    def in_files(
        self, module: Module, place: _Place, index: int, item: ItemFact, path: tuple[str, ...]
    ) -> Iterator[tuple[Module, _Place]]:
        written = path_attributes(item)
        by_path = [join(place.path_directory, p) for p in written]
        by_name = [
            join(place.child_directory, f"{item.name}.rs"),
            join(place.child_directory, f"{item.name}/mod.rs"),
        ]
        named = next((f for f in by_name if f in self.facts), None)
        always = any(a.startswith("path") for a in item.attributes)
        files = [f for f in by_path if f in self.facts]
        if named is not None and not always and named not in files:
            files.append(named)
        for file in files:
            if file in place.files or len(path) > MAX_DEPTH:
                continue
            child = self.module(module, index, item, path, file, file in by_path)
            is_mod_rs = file in by_path or file.rpartition("/")[2] == "mod.rs"
            directory = folder(file)
            below = directory if is_mod_rs else join(directory, stem(file))
            yield child, _Place(below, directory, (*place.files, file))

    def module(
        self,
        parent: Module,
        index: int,
        item: ItemFact,
        path: tuple[str, ...],
        file: str | None = None,
        by_path: bool = False,
    ) -> Module:
        inner = self.facts[file].inner_attributes if file is not None else ()
        return Module(
            definition=self.name(path),
            file=file or parent.file,
            item=index,
            parent=parent.definition,
            inline=file is None,
            body=(item.body_start + 1, item.body_end - 1) if file is None else (0, FILE_END),
            visibility=parse_visibility(item.visibility, parent.definition),
            cfg=parent.cfg + cfg_of(item.attributes) + cfg_of(inner),
            path_attribute=by_path,
            macro_use=has_macro_use((*item.attributes, *inner)),
            declared_in=(parent.file, index),
        )


def moved_tree(
    tree: CrateTree, renumbered: Mapping[str, Mapping[int, ItemFact]], new: Mapping[str, Mapping[int, int]]
) -> CrateTree:
    """The same tree after edits that kept every `mod` declaration: only indices and ranges change.

    `new[file]` maps old item indices of `mod` items to new ones; `renumbered[file]` gives the new facts by new index.
    """
    modules: dict[Definition, Module] = {}
    for key, module in tree.modules.items():
        declared = module.declared_in
        if declared is not None and declared[0] in new:
            index = new[declared[0]][declared[1]]
            item = renumbered[declared[0]][index]
            body = (item.body_start + 1, item.body_end - 1) if module.inline else module.body
            module = evolve(module, item=index, declared_in=(declared[0], index), body=body)
        modules[key] = module
    children = {}
    for (owner, index), found in tree.children.items():
        file = tree.modules[owner].file
        children[owner, new[file][index] if file in new else index] = found
    missing = tuple((f, new[f][i] if f in new else i) for f, i in tree.missing)
    return evolve(tree, modules=modules, children=children, missing=missing)


def cfg_of(attributes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(a for a in attributes if a.startswith("cfg") and a[3:].lstrip().startswith("("))


def has_macro_use(attributes: tuple[str, ...]) -> bool:
    return any(
        a.startswith("macro_use") or (a.startswith("cfg_attr") and "macro_use" in a) for a in attributes
    )


def path_attributes(item: ItemFact) -> list[str]:
    """Paths of `#[path = "…"]` and of those inside `cfg_attr`, in order."""
    return [
        match.group(1)
        for a in item.attributes
        if a.startswith(("path", "cfg_attr"))
        for match in PATH_ATTRIBUTE.finditer(a)
    ]


def folder(path: str) -> str:
    return path.rpartition("/")[0]


def stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".rs")


def join(directory: str, path: str) -> str:
    """`directory/path` with `.` and `..` taken out, as far as they stay inside the repository."""
    parts: list[str] = [p for p in directory.split("/") if p]
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def mod_signature(facts: FileFacts) -> tuple[tuple[object, ...], ...]:
    """What a file contributes to the shape of module trees; equal signatures give equal trees up to positions."""
    mods = [
        (item.name, item.visibility, item.attributes, item.has_body, _owners(facts, item))
        for item in facts.items
        if item.kind is ItemKind.MOD
    ]
    inner = facts.inner_attributes
    return ((cfg_of(inner), has_macro_use(inner)), *mods)


def _owners(facts: FileFacts, item: ItemFact) -> tuple[tuple[str, str], ...]:
    chain = []
    while item.parent >= 0:
        item = facts.items[item.parent]
        chain.append((str(item.kind), item.name))
    return tuple(chain)
