"""What the moved text needs at its new home, as the rules collect it. A builder; it decides nothing.

Filled by `dependencies.py` and the rules that it asks (`anchored.py`, `carried.py`).
"""

from attrs import field, frozen, mutable

from m1nd.domain.move.compose import Change
from m1nd.domain.move.imports.held import Held
from m1nd.domain.move.imports.inner import Leaf
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.reach import Raised
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition, Occurrence
from m1nd.domain.rust.workspace import Workspace

ANCHORS = ("crate", "self", "super", "$crate")


@frozen
class Needs:
    """`inner` changes lie inside the moved extents; `statements` are imports for the new home."""

    inner: tuple[Change, ...] = ()
    statements: tuple[UseStatement, ...] = ()
    viewed: frozenset[Definition] = frozenset()
    """Definitions that the new home must be able to see."""
    leaves: frozenset[tuple[str, int]] = frozenset()
    """Import leaves of the source file that the moved text went through."""
    held: frozenset[Held] = frozenset()
    """Imports at home, or on the way there, that the moved text goes on to use."""
    exported: tuple[Raised, ...] = ()
    """Macros in textual scope that get a path."""


@mutable
class Collector:
    move: Move
    arrival: Workspace
    offset: int
    """Where the moved item stands in the destination of the arrival world (for textual macros)."""
    span: tuple[int, int]
    """The bytes that the moved text takes there."""
    inner: list[Change] = field(factory=list)
    statements: dict[UseStatement, None] = field(factory=dict)
    viewed: set[Definition] = field(factory=set)
    leaves: set[tuple[str, int]] = field(factory=set)
    wanted: dict[str, list[Occurrence]] = field(factory=dict)
    split: list[Leaf] = field(factory=list)
    """Leaves of groups inside the moved text that get a declaration of their own."""
    held: set[Held] = field(factory=set)
    exported: list[Raised] = field(factory=list)

    def holds(self, position: int) -> bool:
        """The byte at `position` of the destination in the arrival world is moved text."""
        return self.span[0] <= position < self.span[1]


def moved_occurrences(move: Move) -> list[Occurrence]:
    """The occurrences of the moved text, file by file in textual order."""
    return [occurrence for _, occurrence in moved_places(move)]


def moved_places(move: Move) -> list[tuple[str, Occurrence]]:
    """`(file, occurrence)` inside the moved extents, then in the files that move whole."""
    workspace, crate = move.workspace, move.source.definition.crate
    places = [
        (move.source_file, occurrence)
        for extent in sorted(move.extents, key=lambda e: e.start)
        for occurrence in workspace.occurrences_between(move.source_file, extent.start, extent.end, crate)
    ]
    places += [(path, o) for path in move.files for o in workspace.occurrences(path, crate)]
    return places
