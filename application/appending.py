"""How the event-sourced application appends: one command, one save, again from a fresh load after a lost race.

Fits the library to the composition root (`construct_…`), and holds what every group of commands needs. It knows no verb.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar, cast
from uuid import UUID

from attrs import frozen
from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.persistence import InfrastructureFactory, IntegrityError, Mapper, Subscription, Transcoder
from eventsourcing.utils import Environment, EnvType

from m1nd.application.event_log import EventLog, LogHead, LogRow
from m1nd.application.log_reading import LogReading
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.graph import GRAPH_ID, Graph
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id

A = TypeVar("A", bound=Aggregate)

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


class Appending(Application[UUID]):
    """The log of one repository, and how anything is added to it."""

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

    def generation(self) -> int:
        """The generation of the graph; 0 before the first ingest (`graph_rev` on the wire)."""
        return LogReading(self.log).generation()

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

    def _load(self, kind: type[A], stream: str) -> A | None:
        """The aggregate in the stream of that name; None if there is none, or one of another kind."""
        try:
            found = cast("object", self.repository.get(stream_id(stream)))
        except AggregateNotFoundError:
            return None
        return found if isinstance(found, kind) else None
