"""From the library's stored events to the rows of the log, chain included: the same on every engine."""

from collections.abc import Sequence
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from m1nd.application.event_log import LogRow
from m1nd.domain.chain import link


def chained(events: Sequence[StoredEvent], position: int, head: bytes) -> list[LogRow]:
    """The rows that follow the one at `position`, whose link is `head` (0 and GENESIS for an empty log)."""
    rows: list[LogRow] = []
    for event in events:
        position += 1
        stream = hex_of(event.originator_id)
        head = link(head, position, stream, event.originator_version, event.topic, event.state)
        rows.append(LogRow(position, stream, event.originator_version, event.topic, event.state, head))
    return rows


def hex_of(id: UUID | str) -> str:
    return id.hex if isinstance(id, UUID) else id
