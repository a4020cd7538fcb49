"""The event-sourced application: every change of the product's memory, in the user's words.

Each method is one append: it loads what it needs, asks the aggregates, and saves all that they decided at once. After a
lost race it begins anew from a fresh load. It reads no clock and draws no id: they come in with the `Command`.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from attrs import frozen
from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.persistence import InfrastructureFactory, IntegrityError, Mapper, Subscription, Transcoder
from eventsourcing.utils import Environment, EnvType

from m1nd.application.event_log import EventLog, LogHead, LogRow
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.graph import GRAPH_ID, Graph, GraphChange
from m1nd.domain.previews import WrittenFile
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.refusals import Refusals, RefusedRequest, refusals_id
from m1nd.domain.streams import stream_id
from m1nd.domain.symbols import Address, SymbolMove
from m1nd.domain.transplant import Preview, Transplant, TransplantState, stream_name

ATTEMPTS = 4
"""The first without keeping others out, for it mostly wins; the next alone."""


@frozen
class Appended:
    """What a command appended, now or when it was first given."""

    events: tuple[Event, ...]
    repeated: bool = False
    """The command had been carried out before; these are the events of then."""

    def last(self, kind: type[Any]) -> Any:
        """The newest of these events that is of that kind. Raises LookupError."""
        for event in reversed(self.events):
            if isinstance(event, kind):
                return event
        raise LookupError(f"the command appended no {kind.__name__}")


@frozen
class Committed:
    transplant_id: str
    generation: int
    repeated: bool = False


class M1nd(Application[UUID]):
    """One repository's log. Every method may raise Refused of the groups log and store."""

    name = "m1nd"

    def __init__(self, factory: InfrastructureFactory[Any]) -> None:
        self._given_factory = factory
        super().__init__()

    # What the library would read from the process's environment comes from the composition root instead.

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, {})

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        return self._given_factory

    def construct_mapper(self) -> Mapper[UUID]:
        return self.factory.mapper()

    def construct_transcoder(self) -> Transcoder:
        raise NotImplementedError("the mapper of m1nd has a transcoder of its own")

    # The graph

    def generation(self) -> int:
        """The generation of the graph; 0 before the first ingest (`graph_rev` on the wire)."""
        last = self._last_event(GRAPH_ID)
        return 0 if last is None else Graph.resume(last).generation

    def record_graph_change(self, change: GraphChange, command: Command) -> int:
        """Record what a refresh found; answers the generation. Appends nothing when nothing changed, but the first time."""

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            graph.change(change, command)
            return [graph]

        if change.is_empty and change.kind == "ingest" and (generation := self.generation()):
            return generation
        appended = self._append(command, work)
        return int(appended.last(Graph.GraphChanged).generation)

    def record_rematched(self, move: SymbolMove, evidence: str, command: Command) -> None:
        """Record that an outside edit moved an item and `evidence` says which one it was."""

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            graph.rematch_symbol(move, evidence, command)
            return [graph]

        self._append(command, work)

    def record_lost(self, symbol_id: str, source: Address, reason: str, command: Command) -> None:
        """Record that an item vanished and nothing was recognised as it."""

        def work() -> list[Aggregate]:
            graph = self._graph(command)
            graph.lose_symbol(symbol_id, source, reason, command)
            return [graph]

        self._append(command, work)

    # Transplants

    def record_preview(self, preview: Preview, command: Command) -> str:
        """Keep a planned move; answers its id (the earlier one when the command was given before)."""
        appended = self._append(command, lambda: [Transplant.preview_move(preview, command)])
        return str(appended.last(Transplant.TransplantPreviewed).preview_id)

    def transplant(self, id: str) -> TransplantState | None:
        """The transplant of that preview id or transplant id, as its stream tells it; None if there is none."""
        found = self._load(Transplant, stream_id(stream_name(id)))
        return None if found is None else found.state

    def preview(self, preview_id: str) -> TransplantState | None:
        """The transplant of that preview id; None also for an id of another form."""
        return self.transplant(preview_id) if preview_id.startswith("pre_") else None

    def open_preview(self, preview_id: str, agent_id: str, at: datetime) -> TransplantState:
        """The preview that this agent may commit now.

        Raises Refused(preview_unknown | preview_expired | preview_wrong_agent).
        """
        state = self.preview(preview_id)
        if state is None:
            refuse("preview_unknown", f"there is no preview {preview_id}", preview_id=preview_id)
        state.require_open(agent_id, at)
        return state

    def record_commit(
        self,
        preview_id: str,
        *,
        agent_id: str,
        receipt: dict[str, Any],
        files: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        moves: Iterable[SymbolMove],
        command: Command,
    ) -> Committed:
        """Record a move whose files are in the tree: receipt, graph change and symbols in one append.

        Raises Refused as `open_preview` does; the caller then restores the files.
        """
        moved = tuple(moves)

        def work() -> list[Aggregate]:
            transplant = self._require(Transplant, preview_id)
            committed = transplant.commit(agent_id, receipt, tuple(files), journal_id, command)
            follow = command.caused_by(committed)
            graph = self._graph(follow)
            graph.change(change, follow)
            graph.move_symbols(moved, transplant.state.transplant_id, follow)
            return [transplant, graph]

        return self._committed(self._append(command, work), Transplant.TransplantCommitted)

    def record_rollback(
        self,
        id: str,
        *,
        restored: Sequence[WrittenFile],
        journal_id: str,
        change: GraphChange,
        moves: Iterable[SymbolMove],
        command: Command,
    ) -> Committed:
        """Record that a move was undone: its files are as before, and each item is back (`moves` lead home).

        `id` is the transplant's or the preview's. Raises Refused(undo_unknown).
        """
        moved = tuple(moves)

        def work() -> list[Aggregate]:
            transplant = self._require(Transplant, id, "undo_unknown")
            rolled_back = transplant.roll_back(tuple(restored), journal_id, command)
            follow = command.caused_by(rolled_back)
            graph = self._graph(follow)
            graph.change(change, follow)
            graph.move_symbols(moved, transplant.state.transplant_id, follow)
            return [transplant, graph]

        return self._committed(self._append(command, work), Transplant.TransplantRolledBack)

    def symbol_moves(self, transplant_id: str) -> tuple[SymbolMove, ...]:
        """The items that a committed move carried, in the order of its append; empty where it is not in the log.

        Reads the graph's stream from its end: an undo is mostly of a late move.
        """
        found: list[SymbolMove] = []
        before: int | None = None
        while True:
            page = list(self.events.get(GRAPH_ID, lte=before, desc=True, limit=200))
            for event in page:
                if isinstance(event, Graph.SymbolMoved) and event.cause == transplant_id:
                    found.append(
                        SymbolMove(symbol_id=event.symbol_id, source=event.source, target=event.target)
                    )
                elif isinstance(event, Graph.GraphChanged) and (event.kind, event.cause) == (
                    "transplant",
                    transplant_id,
                ):
                    return tuple(reversed(found))
                elif isinstance(event, Graph.GraphChanged) and event.cause == transplant_id:
                    found.clear()  # the symbols of its undo, which come after the move's own
            if len(page) < 200:
                return ()
            before = page[-1].originator_version - 1

    def discard(self, preview_id: str, command: Command) -> None:
        """End a preview unused. Raises Refused(preview_unknown)."""

        def work() -> list[Aggregate]:
            transplant = self._require(Transplant, preview_id)
            transplant.discard(command)
            return [transplant]

        self._append(command, work)

    def expire(self, preview_ids: Iterable[str], as_of: datetime, command: Command) -> tuple[str, ...]:
        """End those of the given previews whose time is over (the view `due_previews` names them); answers which."""
        ids = tuple(preview_ids)

        def work() -> list[Aggregate]:
            due = [self._require(Transplant, id) for id in ids]
            return [transplant for transplant in due if transplant.expire(as_of, command)]

        if not ids:
            return ()
        expired = self._append(command, work).events
        return tuple(event.preview_id for event in expired if isinstance(event, Transplant.TransplantExpired))

    def is_recorded(self, journal_id: str) -> bool:
        """Whether the append that belongs to this journal is in the log. Reads the log from its end; for recovery only."""
        kinds = (Transplant.TransplantCommitted, Transplant.TransplantRolledBack)
        names = {kind.TOPIC for kind in kinds}
        needle = journal_id.encode()
        top = self.log.head().count
        while top > 0:
            rows = self.log.rows(after=max(0, top - 1000), until=top)
            for row in reversed(rows):
                if row.topic in names and needle in row.state:
                    event = self.event_of(row)
                    if isinstance(event, kinds) and event.journal_id == journal_id:
                        return True
            top -= 1000
        return False

    # Refusals

    def record_refusal(
        self, refusal: Refusal, *, verb: str, request_digest: str, command: Command, field: str = ""
    ) -> bool:
        """Keep that a request was refused: code, field and digest, never its content (D34).

        Answers False when the day's stream is full or the log cannot take it: a refusal is answered in any case, and
        losing this note must not hide why.
        """
        request = RefusedRequest(
            verb=verb[:64], keyword=refusal.code, request_digest=request_digest, field=field[:64]
        )
        kept = False

        def work() -> list[Aggregate]:
            nonlocal kept
            last = self._last_event(refusals_id(command.at))
            refusals = Refusals.open(command) if last is None else Refusals.resume(last)
            kept = refusals.record(request, command)
            return [refusals]

        try:
            self._append(command, work, claim=False)
        except Refused as refused:
            if refused.refusal.code in (
                "busy",
                "write_conflict",
                "write_failed",
                "read_only",
                "store_damaged",
            ):
                return False
            raise
        return kept

    # The log

    @property
    def log(self) -> EventLog:  # type: ignore[override]
        """The log behind this application, for audit, views and export."""
        return cast("EventLog", self.recorder)

    def event_of(self, row: LogRow) -> Event:
        """The event of a row. Raises Refused(unknown_topic | store_damaged)."""
        return cast("Any", self.mapper).event_of(row)  # type: ignore[no-any-return]

    def log_head(self) -> LogHead:
        """`{count, head}`: what receipts and the packet publish."""
        return self.log.head()

    def follow(self, after: int) -> Subscription[Any]:
        """Notifications of events after a position, as any process appends them; a context manager, ended by `stop()`."""
        return self.recorder.subscribe(gt=after)

    # Inside

    def _append(
        self, command: Command, work: Callable[[], list[Aggregate]], *, claim: bool = True
    ) -> Appended:
        """Carry out `work` and save what it decided; again from a fresh load after a lost race.

        A command id that the log knows is not carried out: with the same digest its earlier events are answered, with
        another one it is refused (idempotency_conflict). Raises Refused(write_conflict) when every race is lost.
        """
        for attempt in range(ATTEMPTS):
            # Who lost a race keeps the others out while it tries again: on a stream that all write to, a late-comer
            # would lose for ever.
            with nullcontext() if attempt == 0 else self.log.exclusive():
                appended = self._attempt(command, work, claim)
            if appended is not None:
                return appended
        refuse("write_conflict", f"the append was lost {ATTEMPTS} times in a row", command_id=command.id)

    def _attempt(self, command: Command, work: Callable[[], list[Aggregate]], claim: bool) -> Appended | None:
        """One try; None after a lost race."""
        if claim and (earlier := self._earlier(command)) is not None:
            return earlier
        aggregates = work()
        events = tuple(cast("Event", event) for aggregate in aggregates for event in aggregate.pending_events)
        if not events:
            return Appended(())
        try:
            claimed = {"command": (command.id, command.digest)} if claim else {}
            self.save(*aggregates, **claimed)
        except IntegrityError:
            # The aggregates have lost their pending events: saving them again would silently save nothing.
            return None
        return Appended(events)

    def _earlier(self, command: Command) -> Appended | None:
        claimed = self.log.claimed(command.id)
        if claimed is None:
            return None
        if claimed.digest != command.digest:
            refuse(
                "idempotency_conflict",
                f"command id {command.id!r} was used for another request",
                command_id=command.id,
                position=claimed.first,
            )
        rows = self.log.rows(claimed.first - 1, claimed.last - claimed.first + 1, claimed.last)
        return Appended(tuple(map(self.event_of, rows)), repeated=True)

    def _graph(self, command: Command) -> Graph:
        last = self._last_event(GRAPH_ID)
        return Graph.open(command) if last is None else Graph.resume(last)

    def _last_event(self, stream: UUID) -> Event | None:
        return cast("Event | None", next(iter(self.events.get(stream, desc=True, limit=1)), None))

    def _load(self, kind: type[Transplant], stream: UUID) -> Transplant | None:
        try:
            found: Transplant = self.repository.get(stream)
        except AggregateNotFoundError:
            return None
        if not isinstance(found, kind):
            return None
        return found

    def _require(self, kind: type[Transplant], id: str, code: str = "preview_unknown") -> Transplant:
        found = self._load(kind, stream_id(stream_name(id)))
        if found is None:
            refuse(code, f"there is no {id}", "m1nd transplant list", id=id)
        return found

    @staticmethod
    def _committed(appended: Appended, kind: type[Any]) -> Committed:
        return Committed(
            str(appended.last(kind).transplant_id),
            int(appended.last(Graph.GraphChanged).generation),
            appended.repeated,
        )
