"""Between events and stored bytes: plain JSON, checked when it is read, older versions lifted to the present one.

A name is looked up in the closed table of the domain, never imported: a log is data.
"""

from functools import lru_cache
from typing import Any
from uuid import UUID

import orjson
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent
from pydantic import ValidationError

from m1nd.application.event_log import LogRow
from m1nd.domain.base import LOADED, LOADED_AGGREGATES, CreatedEvent, Event
from m1nd.domain.refusal import Refused, refuse

COLUMNS = {"originator_id", "originator_version"}
"""Fields that are columns of the log and therefore not in the JSON."""


class EventMapper(Mapper[UUID]):
    """Raises Refused(unknown_topic | store_damaged) for what it cannot read."""

    def __init__(self) -> None:
        super().__init__(JSONTranscoder())

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        assert isinstance(domain_event, Event)
        state = domain_event.__pydantic_serializer__.to_json(domain_event, exclude=COLUMNS, by_alias=True)
        if domain_event.class_version > 1:
            state = b'{"class_version":%d,%b' % (domain_event.class_version, state[1:])
        _require_readable(domain_event, state)
        return StoredEvent(
            originator_id=domain_event.originator_id,
            originator_version=domain_event.originator_version,
            topic=domain_event.TOPIC,
            state=state,
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Event:
        id = stored_event.originator_id
        stream = id if isinstance(id, UUID) else UUID(id)
        return decode(stored_event.topic, stream, stored_event.originator_version, stored_event.state)

    def event_of(self, row: LogRow) -> Event:
        """The event of a row of the log."""
        return decode(row.topic, _stream(row.stream), row.version, row.state, row.position)


def _require_readable(event: Event, state: bytes) -> None:
    """What cannot be read back is never appended: one such event would close the whole log. Raises Refused(usage)."""
    try:
        decode(event.TOPIC, event.originator_id, event.originator_version, state)
    except Refused as refused:
        reason = refused.refusal.message.partition("does not read: ")[2]
        refuse("usage", f"`{event.TOPIC}` would hold what no log can hold: {reason}; nothing was appended")


def kind_of(topic: str) -> type[Event] | None:
    """The event of a wire name, by the closed table of the domain; all of it is loaded at the first name that is not loaded yet."""
    if topic in LOADED:
        return LOADED[topic]
    from m1nd.domain.events import EVENT_KINDS

    return EVENT_KINDS.get(topic)


def _is_aggregate(name: str) -> bool:
    if name in LOADED_AGGREGATES:
        return True
    from m1nd.domain.events import AGGREGATE_NAMES

    return name in AGGREGATE_NAMES


@lru_cache(maxsize=4096)
def _stream(digits: str) -> UUID:
    return UUID(digits)


def decode(topic: str, stream: UUID, version: int, state: bytes, position: int | None = None) -> Event:
    """The event that these stored columns say. Source of the version rule: additive, an upcaster for each step."""
    kind = kind_of(topic)
    if kind is None:
        refuse(
            "unknown_topic",
            f"the log holds `{topic}` ({_place(stream, version, position)}), which this m1nd does not know",
            topic=topic,
            position=position,
        )
    try:
        data: dict[str, Any] = orjson.loads(state)
        stored_version = data.pop("class_version", 1)
        if stored_version > kind.class_version:
            refuse(
                "unknown_topic",
                f"`{topic}` at {_place(stream, version, position)} has version {stored_version}; this m1nd reads up "
                f"to {kind.class_version}",
                topic=topic,
                position=position,
            )
        for step in range(stored_version, kind.class_version):
            getattr(kind, f"upcast_v{step}_v{step + 1}")(data)
        data["originator_id"] = stream
        data["originator_version"] = version
        event: Event = kind.__pydantic_validator__.validate_python(data)
        if isinstance(event, CreatedEvent) and not _is_aggregate(event.originator_topic):
            raise ValueError(f"no aggregate is called {event.originator_topic!r}")
        return event
    except (ValidationError, ValueError, TypeError, AttributeError) as error:
        refuse(
            "store_damaged",
            f"`{topic}` at {_place(stream, version, position)} does not read: {_first_line(error)}",
            "m1nd audit verify; if the chain holds, the event was written by a later m1nd: update m1nd",
            topic=topic,
            position=position,
        )


def _place(stream: UUID, version: int, position: int | None) -> str:
    return f"position {position}" if position else f"version {version} of stream {stream}"


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
