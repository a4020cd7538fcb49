"""The Graph aggregate: the numbered changes of the code graph, and what became of its symbols.

The graph itself is not in the log; that it changed is. One stream a repository. It must never hold node sets: what its
guards need (the generation) stands in every one of its events, so that it is resumed from the last one alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from attrs import frozen
from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, Value, event
from m1nd.domain.digests import sha256
from m1nd.domain.streams import GRAPH as STREAM
from m1nd.domain.streams import stream_id
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import Address

GRAPH_ID = stream_id(STREAM)

LISTED_FILES = 1000
"""An event lists at most this many files a list; `omitted` and `digest` speak for the rest (a first ingest is huge)."""

ChangeKind = Literal["ingest", "transplant", "rollback", "edit"]


class FileChange(Value):
    """One file of a change: its sha256 now (empty when removed) and before (empty when unknown or new)."""

    path: str
    sha256: str = ""
    before: str = ""


class ChangedFiles(Value):
    added: tuple[FileChange, ...] = ()
    removed: tuple[FileChange, ...] = ()
    changed: tuple[FileChange, ...] = ()
    omitted: dict[str, int] = Field(default_factory=dict)
    """How many more files a list has than are named here; lists that are whole are left out."""
    digest: str = ""
    """sha256 over every file of the change, the omitted ones too."""

    def count(self, list_name: str) -> int:
        """The length of the list `added`, `removed` or `changed`, the omitted files included."""
        return len(getattr(self, list_name)) + self.omitted.get(list_name, 0)


@frozen
class GraphChange:
    """What one refresh or one write changed; input of `Graph.change`."""

    kind: ChangeKind
    added: tuple[FileChange, ...] = ()
    removed: tuple[FileChange, ...] = ()
    changed: tuple[FileChange, ...] = ()
    counts: Mapping[str, int] = {}
    cause: str = ""
    """The id of the move or edit behind it; empty for an ingest."""

    @classmethod
    def of(
        cls,
        kind: ChangeKind,
        files: Mapping[str, Sequence[Mapping[str, Any]]],
        counts: Mapping[str, int],
        cause: str = "",
    ) -> Self:
        """From the shape of the port's `file_changes()`: `{added, removed, changed}`, each `[{path, sha256}]`."""
        listed = {
            name: tuple(FileChange(**item) for item in files.get(name, ()))
            for name in ("added", "removed", "changed")
        }
        return cls(kind, listed["added"], listed["removed"], listed["changed"], dict(counts), cause)

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)

    def files(self) -> ChangedFiles:
        """The bounded form that an event carries, sorted by path."""
        lists = {
            name: tuple(sorted(getattr(self, name), key=lambda file: file.path))
            for name in ("added", "removed", "changed")
        }
        digest = sha256(
            "\n".join(
                f"{name} {file.path}\0{file.before}\0{file.sha256}"
                for name, files in lists.items()
                for file in files
            ).encode()
        )
        omitted = {
            name: len(files) - LISTED_FILES for name, files in lists.items() if len(files) > LISTED_FILES
        }
        short = {name: files[:LISTED_FILES] for name, files in lists.items()}
        return ChangedFiles(**short, omitted=omitted, digest=digest)


class GraphEvent(Event):
    """What every event of the stream but the first carries: the generation after it."""

    generation: int = Field(ge=0)


class Graph(Aggregate):
    TOPIC = "graph"

    class GraphOpened(CreatedEvent):
        """The stream begins; nothing is ingested yet."""

        TOPIC: ClassVar[str] = "graph_opened"
        generation: int = 0

    class GraphChanged(GraphEvent):
        TOPIC: ClassVar[str] = "graph_changed"
        kind: ChangeKind
        cause: str = ""
        files: ChangedFiles
        counts: dict[str, int]

    class SymbolMoved(GraphEvent):
        """A verb of ours carried an item from one address to another; `cause` is the move's (or undone move's) id."""

        TOPIC: ClassVar[str] = "symbol_moved"
        symbol_id: str
        source: Address
        target: Address
        cause: str = ""

    class SymbolRematched(GraphEvent):
        """An item that an outside edit moved or renamed was recognised, by what `evidence` names."""

        TOPIC: ClassVar[str] = "symbol_rematched"
        symbol_id: str
        source: Address
        target: Address
        evidence: str

    class SymbolLost(GraphEvent):
        """An item vanished and nothing was recognised as it."""

        TOPIC: ClassVar[str] = "symbol_lost"
        symbol_id: str
        source: Address
        reason: str

    @event(GraphOpened)
    def __init__(self, generation: int) -> None:
        self.generation = generation

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.GraphOpened, command, STREAM, generation=0)

    @classmethod
    def resume(cls, last: Event) -> Self:
        """The aggregate as it stands after `last`, the newest event of its stream; equal to the fold of all of them."""
        graph = cls._resumed(last)
        assert isinstance(last, GraphEvent | cls.GraphOpened)
        graph.generation = last.generation
        return graph

    def change(self, change: GraphChange, command: Command) -> int:
        """Record a change and answer the generation after it; an ingest that found nothing new records nothing.

        The first ingest is recorded even when it found no file: it is what tells an empty repository from one that
        was never read (D41).
        """
        if change.is_empty and change.kind == "ingest" and self.generation > 0:
            return self.generation
        self._record(
            Graph.GraphChanged,
            command,
            generation=self.generation + 1,
            kind=change.kind,
            cause=change.cause,
            files=change.files(),
            counts=dict(change.counts),
        )
        return self.generation

    def move_symbols(self, moves: Iterable[SymbolMove], cause: str, command: Command) -> None:
        for move in moves:
            self._record(Graph.SymbolMoved, command, generation=self.generation, cause=cause, **dict(move))

    def rematch_symbol(self, move: SymbolMove, evidence: str, command: Command) -> None:
        self._record(
            Graph.SymbolRematched, command, generation=self.generation, evidence=evidence, **dict(move)
        )

    def lose_symbol(self, symbol_id: str, source: Address, reason: str, command: Command) -> None:
        self._record(
            Graph.SymbolLost,
            command,
            generation=self.generation,
            symbol_id=symbol_id,
            source=source,
            reason=reason,
        )

    @event(GraphChanged)
    def _changed(self, generation: int) -> None:
        self.generation = generation

    @event(SymbolMoved)
    def _symbol_moved(self) -> None:
        """Identity is folded by the view; the guards here need the generation only."""

    @event(SymbolRematched)
    def _symbol_rematched(self) -> None:
        """As above."""

    @event(SymbolLost)
    def _symbol_lost(self) -> None:
        """As above."""
