"""The move as a resolved question: which items, from which module, to which module, and how definitions map.

Everything here is a value; nothing decides. Built once by `plan.py`, read by every rule.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from attrs import evolve, field, frozen

from m1nd.domain.move.extent import Extent
from m1nd.domain.move.inline_modules import place_of
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.rust.crate_names import DOCTEST
from m1nd.domain.rust.facts import FileFacts, ItemFact, UseFact
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence
from m1nd.domain.rust.spelled import names_spelled
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

GLOB = re.compile(rb"\buse\b[^;]*\*")
"""A glob import, as text."""


@frozen
class Move:
    """`items` are the indices of the moved top-level items, in source order; `roots` are those that were asked for."""

    workspace: Workspace
    request: MoveRequest
    source: Module
    home: Module
    roots: tuple[int, ...]
    items: tuple[int, ...]
    extents: tuple[Extent, ...]
    renamed: Mapping[Definition, Definition]
    """Today's definition of every moved item (nested ones too) to its definition at the new home."""
    files: Mapping[str, str] = field(factory=dict)
    """Files that move whole, with a module: today's path to the planned one (the same where a `#[path]` keeps it)."""
    promised: frozenset[tuple[Definition, str]] = frozenset()
    """`(new home, name)` of moved items that a `pub use` of the tree waits for (`crates/publishing.py`)."""

    @property
    def source_file(self) -> str:
        return self.source.file

    @property
    def dest_file(self) -> str:
        return self.home.file

    @property
    def source_place(self) -> str:
        """As a caller spells it (`src/a.rs::inner`)."""
        return place_of(self.workspace, self.source)

    @property
    def dest_place(self) -> str:
        return place_of(self.workspace, self.home)

    @property
    def facts(self) -> FileFacts:
        return self.workspace.facts[self.source_file]

    @property
    def root(self) -> int:
        """The item that was asked for first."""
        return self.roots[0]

    @property
    def root_item(self) -> ItemFact:
        return self.facts.items[self.root]

    @property
    def crosses(self) -> bool:
        """The new home is in another crate."""
        return self.source.definition.crate != self.home.definition.crate

    def moves(self, path: str, position: int) -> bool:
        """The byte at `position` of `path` is part of a moved extent, or of a file that moves whole."""
        return path in self.files or self.holds(path, position)

    def holds(self, path: str, position: int) -> bool:
        """The byte at `position` of `path` is part of a moved extent of the source file."""
        return path == self.source_file and any(e.holds(position) for e in self.extents)

    def today(self, path: str) -> str:
        """Today's path of a planned file."""
        return self._came_from.get(path, path)

    def before(self, module: Definition) -> Definition:
        """What a module of the planned tree is called today."""
        return self._moved_back.get(module, module)

    def after(self, definition: Definition) -> Definition:
        """What `definition` is called after the move."""
        found = self.renamed.get(definition)
        if found is not None:
            return found
        if definition.item_kind == "field":
            new = self._bearers.get((definition.crate, definition.path[:-1]))
            if new is not None:
                return evolve(definition, crate=new.crate, path=(*new.path, definition.path[-1]))
        return definition

    @cached_property
    def _bearers(self) -> Mapping[tuple[str, tuple[str, ...]], Definition]:
        """By crate and path of today, what moves and has fields."""
        return {
            (old.crate, old.path): new
            for old, new in reversed(list(self.renamed.items()))
            if old.item_kind in ("struct", "union", "variant")
        }

    @cached_property
    def _moved_back(self) -> Mapping[Definition, Definition]:
        return {new: old for old, new in self.renamed.items() if old.kind is DefinitionKind.MODULE}

    @cached_property
    def _came_from(self) -> Mapping[str, str]:
        return {new: old for old, new in self.files.items()}

    def concerns(self, occurrence: Occurrence) -> bool:
        """Its last segment denotes a moved item."""
        return any(d in self.renamed for d in occurrence.target)


def occurrences_in(workspace: Workspace, path: str) -> Iterator[Occurrence]:
    """Every occurrence of a file, over all its mounts."""
    for crate in dict.fromkeys(m.definition.crate for m in workspace.mounts(path)):
        yield from workspace.occurrences(path, crate)


def occurrences_called(workspace: Workspace, path: str, names: frozenset[str]) -> Iterator[Occurrence]:
    """The occurrences of a file that have a segment called by one of `names`, over all its mounts."""
    if workspace.spells(path, names):
        for crate in dict.fromkeys(m.definition.crate for m in workspace.mounts(path)):
            yield from workspace.occurrences_of(path, names, crate)


def occurrences_naming(
    workspace: Workspace, names: frozenset[str], crate: str
) -> Iterator[tuple[str, Occurrence]]:
    """Every occurrence around a crate that spells one of `names`, or another name that an import gives to it."""
    called = with_aliases(workspace, names, crate)
    for path in workspace.files_around(crate):
        for occurrence in occurrences_called(workspace, path, called):
            yield path, occurrence


def with_aliases(workspace: Workspace, names: frozenset[str], crate: str) -> frozenset[str]:
    """`names`, and what imports around a crate rename them to."""
    found = set(names)
    for path in workspace.files_around(crate):
        if workspace.spells(path, names):
            uses = workspace.facts[path].uses
            found.update(u.alias for u in uses if u.alias and not names.isdisjoint(u.path))
    return frozenset(found - {"_"})


def item_of(facts: FileFacts, index: int, scope_item: int) -> int:
    """The item directly in a module (`Module.scope_item`) around item `index` of its file; -1 where there is none."""
    while index >= 0 and facts.items[index].parent != scope_item:
        index = facts.items[index].parent
    return index


def own_uses(workspace: Workspace, module: Module) -> Iterator[tuple[int, UseFact]]:
    """The import leaves directly in a module, with their indices."""
    facts = workspace.facts[module.file]
    for index, use in enumerate(facts.uses):
        if facts.items[use.item].parent == module.scope_item:
            yield index, use


def names_within(
    workspace: Workspace, module: Module, without: Iterable[tuple[int, int]] = ()
) -> frozenset[str]:
    """Every identifier that may be looked up in a module: those of its text, but for modules inline in it that hold no glob.

    `without`: spans of its file that do not count.
    """
    source = workspace.sources[module.file]
    inner = (m for m in workspace.modules.values() if m.inline and m.parent == module.definition)
    closed = [m.body for m in inner if m.file == module.file and not GLOB.search(source, *m.body)]
    if not (module.inline or closed or without):
        return workspace.names_in(module.file)
    parts, (position, end) = [], module.body
    for start, stop in sorted((*closed, *without)):
        if position <= start < end:
            parts.append(source[position:start])
            position = stop
    return names_spelled(b" ".join([*parts, source[position:end]]))


def may_have_imports_of(workspace: Workspace, here: Definition, module: Definition) -> bool:
    """`here` is the module, or one below it that holds a glob: only a glob brings the module's private imports further down."""
    known = workspace.modules.get(here)
    if here == module or known is None:
        return is_inside(here, module)
    return is_inside(here, module) and GLOB.search(workspace.sources[known.file], *known.body) is not None


def is_doctest(occurrence: Occurrence) -> bool:
    """It stands in a code block of a doc comment, which is a crate of its own that uses the library by name."""
    return occurrence.module.crate.endswith(DOCTEST)
