"""Events, their envelope, and the base of every aggregate.

The only domain module that imports the event-sourcing library. It never reads a clock and never draws an id: times,
ids and actors come in with the `Command`. Event names on the wire are explicit topics (D39): the snake_case of the class.
"""

from typing import Any, ClassVar, Self
from uuid import UUID, uuid5

from eventsourcing.domain import (
    BaseAggregate,
    CanInitAggregate,
    CanMutateAggregate,
    decorated_funcs,
    event,
    filter_kwargs_for_method_params,
)
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from m1nd.domain.commands import Actor, Command
from m1nd.domain.streams import stream_id
from m1nd.domain.values import JsonObject, Value

__all__ = [
    "Actor",
    "Aggregate",
    "Command",
    "CreatedEvent",
    "Event",
    "JsonObject",
    "Value",
    "event",
]


LOADED: dict[str, type["Event"]] = {}
"""The events of this domain that are loaded, by wire name: a part of the closed table (`events.py`), for a process that needs no more."""

LOADED_AGGREGATES: set[str] = set()
"""Likewise the names of aggregates."""

HOME = f"{__name__.rpartition('.')[0]}."


class Event(BaseModel, CanMutateAggregate[UUID]):
    """A recorded fact with its envelope.

    Stream and version are columns of the log; everything else is the stored JSON, where `timestamp` is called
    `recorded_at`. `class_version` above 1 is stored too and needs a static `upcast_v<n>_v<n+1>(state)`.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_name=True, validate_by_alias=True, defer_build=True
    )

    TOPIC: ClassVar[str] = ""
    class_version: ClassVar[int] = 1

    originator_id: UUID
    originator_version: int
    event_id: str = Field(min_length=36, max_length=36)
    timestamp: AwareDatetime = Field(alias="recorded_at")
    command_id: str = Field(min_length=1, max_length=200)
    command_digest: str = ""
    causation_id: str = ""
    actor: Actor

    @classmethod
    def __pydantic_init_subclass__(cls, **more: Any) -> None:
        if vars(cls).get("TOPIC") and cls.__module__.startswith(HOME):
            LOADED[cls.TOPIC] = cls

    def apply(self, aggregate: Any) -> None:
        """Call the method that is decorated with this event, with the fields that it names; it may have none."""
        method = decorated_funcs.get(type(self))
        if method is not None:
            method.__get__(aggregate)(**filter_kwargs_for_method_params(self._as_dict(), method))


class CreatedEvent(Event, CanInitAggregate[UUID]):
    """The first event of a stream; `stream` is the name that its id was made from."""

    originator_topic: str
    stream: str


_Event = Event
"""The base of all events, for the signatures inside `Aggregate`, whose own `Event` hides the name."""


class Aggregate(BaseAggregate[UUID]):
    """Base of the aggregates: public methods are commands and hold the guards, `@event` methods only apply.

    Versions count from 0, because some engines do (a log may move to one).
    """

    INITIAL_VERSION = 0

    # The created event's base stays outside this class on purpose: inherited, it would need a topic in every subclass.
    class Event(_Event):
        pass

    def __init_subclass__(cls, **more: Any) -> None:
        # The library would make every nested event anew below an `Event` of each aggregate: a third of all the models that a
        # process builds before it can say its first word, and nobody asks for that base.
        cls.Event = _Event  # type: ignore[misc, assignment]
        super().__init_subclass__(**more)
        if cls.__module__.startswith(HOME):
            LOADED_AGGREGATES.add(str(vars(cls)["TOPIC"]))

    @classmethod
    def _define_event_class(
        cls, name: str, bases: tuple[type[Any], ...], apply_method: Any, event_topic: str | None = None
    ) -> type[Any]:
        """The event itself, where the library would make each one anew below a class that knows how to call its method: every
        event of ours knows that (`Event.apply`).

        Raises TypeError where a method is to make an event of its own: an event is a class with a wire name (D39).
        """
        if apply_method is not None or not issubclass(bases[-1], _Event) or not bases[-1].TOPIC:
            raise TypeError(f"{cls.__name__}.{name} is no event class with a wire name")
        return bases[-1]

    @classmethod
    def _begin(cls, created: type[CreatedEvent], command: Command, stream: str, /, **fields: Any) -> Self:
        """A new aggregate in the stream of that name."""
        id = stream_id(stream)
        return cls._create(
            created, id=id, stream=stream, **_envelope(command, id, cls.INITIAL_VERSION), **fields
        )

    @classmethod
    def _resumed(cls, last: _Event) -> Self:
        """The aggregate right after `last`, the newest event of its stream: of its state only the version.

        For aggregates whose every event carries all that the guards need; the rest is the caller's to set.
        """
        found = cls.__new__(cls)
        found.__base_init__(last.originator_id, last.originator_version, last.timestamp)
        return found

    def upcoming_id(self, command: Command) -> str:
        """The id that the next event of this aggregate will have if `command` records it."""
        return _event_id(command, self.id, self.version + 1)

    def _record(self, what: type[_Event], command: Command, /, **fields: Any) -> _Event:
        """Add one event to those that the next save appends, and apply it."""
        self.trigger_event(what, **_envelope(command, self.id, self.version + 1), **fields)
        recorded = self.pending_events[-1]
        assert isinstance(recorded, _Event)
        return recorded


def _event_id(command: Command, stream: UUID, version: int) -> str:
    """Made from its place and its command, not drawn: a retry and a replay of the command give the same id."""
    return str(uuid5(stream, f"{version}:{command.id}"))


def _envelope(command: Command, stream: UUID, version: int) -> dict[str, Any]:
    return {
        "timestamp": command.at,
        "event_id": _event_id(command, stream, version),
        "command_id": command.id,
        "command_digest": command.digest,
        "causation_id": command.causation_id,
        "actor": command.actor,
    }
