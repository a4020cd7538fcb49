"""What the walk over all references notes down, before it is turned into edits. A builder; it decides nothing."""

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen, mutable

from m1nd.domain.move.compose import Change
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.world import Move
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Occurrence
from m1nd.domain.rust.workspace import Workspace


@frozen
class Requalified:
    """What the referencers need; leaves are `(file, index of UseFact)`, statements stand behind a `use` item or at a head."""

    changes: tuple[Change, ...] = ()
    removed: frozenset[tuple[str, int]] = frozenset()
    behind: tuple[tuple[str, int, UseStatement], ...] = ()
    """`(file, item index of a use declaration, statement)`."""
    heads: tuple[tuple[Module, UseStatement], ...] = ()
    viewers: Mapping[Definition, frozenset[Definition]] = field(factory=dict)
    """Modules that spell a moved item directly, by item: they must be able to see it."""
    files: tuple[str, ...] = ()
    rewritten: int = 0
    passed: frozenset[tuple[str, int]] = frozenset()
    """Import leaves that rewritten references went through: they may be unused now."""
    serving: frozenset[tuple[str, int]] = frozenset()
    """Import leaves that rewritten references need as much as before."""
    unresolved: tuple[dict[str, object], ...] = ()
    back_imported: bool = False
    opened: Mapping[Definition, frozenset[Definition]] = field(factory=dict)
    """Modules on the way to the new home, and who must be able to see each."""
    links: tuple[tuple[str, Occurrence], ...] = ()
    """Doc links to moved items, to be mended once it is known what the source imports."""


@mutable
class Notes:
    move: Move
    arrival: Workspace
    moved_top: frozenset[Definition]
    roots: tuple[Definition, ...]
    kept: frozenset[Definition]
    """The source re-exports these: whoever is outside the crate goes on to find them there."""
    changes: list[Change] = field(factory=list)
    removed: set[tuple[str, int]] = field(factory=set)
    behind: dict[tuple[str, int, UseStatement], None] = field(factory=dict)
    heads: dict[tuple[Definition, UseStatement], None] = field(factory=dict)
    viewers: dict[Definition, set[Definition]] = field(factory=dict)
    files: dict[str, None] = field(factory=dict)
    sites: set[tuple[str, int]] = field(factory=set)
    passed: set[tuple[str, int]] = field(factory=set)
    serving: set[tuple[str, int]] = field(factory=set)
    unresolved: list[dict[str, object]] = field(factory=list)
    bare: dict[Definition, list[tuple[str, Occurrence, Definition]]] = field(factory=dict)
    """By module: bare uses of a moved item that stood in the same module (or came through a glob)."""
    through: set[tuple[Definition, Definition]] = field(factory=set)
    """`(module, moved item)`: somebody reaches the item through the module's scope."""
    imported: list[tuple[Occurrence, Definition]] = field(factory=list)
    """Bare uses of a moved item that came through an import, to be followed once all bare uses are known."""
    by_glob: set[tuple[str, int, Definition]] = field(factory=set)
    """`(file, use index, moved item)`: a bare use that the glob import serves."""
    macro_paths: list[tuple[str, Occurrence, Definition]] = field(factory=list)
    """`(file, leaf, moved macro)`: `pub(crate) use name;` that gave a macro its path."""
    led_on: set[tuple[Definition, Definition]] = field(factory=set)
    """`(module, moved macro)`: the module's own import of the macro leads to the new home."""
    certain: set[tuple[Definition, Definition]] = field(factory=set)
    """`(module, moved item)`: a use there is certain. A trait that may only be called there is imported with leave to be unused."""
    opened: dict[Definition, set[Definition]] = field(factory=dict)
    links: list[tuple[str, Occurrence]] = field(factory=list)
    back_imported: bool = False

    @cached_property
    def module_aliases(self) -> frozenset[str]:
        """What imports around the crate may call the source module."""
        workspace, source = self.move.workspace, self.move.source.definition
        names = (source.name, "self", "super", "crate")
        return frozenset(
            use.alias
            for path in workspace.files_around(source.crate)
            for use in workspace.facts[path].uses
            if use.alias and use.path and use.path[-1] in names
        )

    def seen_from(self, definition: Definition, module: Definition) -> None:
        """`module` spells the moved item directly."""
        self.viewers.setdefault(definition, set()).add(module)
