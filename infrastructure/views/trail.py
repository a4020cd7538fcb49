"""The audit trail: one row an event, with the names that the log itself keeps as digests."""

import sqlite3

from m1nd.domain.base import CreatedEvent, Event
from m1nd.domain.events import EVENT_KINDS
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

TRAIL = Projection(
    "trail",
    VERSIONS["trail"],
    {
        "streams": "id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL",
        "trail": (
            "position INTEGER NOT NULL PRIMARY KEY, stream_id TEXT NOT NULL, version INTEGER NOT NULL, "
            "topic TEXT NOT NULL, event_id TEXT NOT NULL, recorded_at TEXT NOT NULL, command_id TEXT NOT NULL, "
            "causation_id TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT NOT NULL, session TEXT NOT NULL"
        ),
    },
    (
        "CREATE INDEX trail_by_stream ON trail (stream_id)",
        "CREATE INDEX trail_by_topic ON trail (topic)",
        "CREATE INDEX trail_by_event ON trail (event_id)",
        "CREATE INDEX trail_by_time ON trail (recorded_at)",
        "CREATE INDEX streams_by_name ON streams (name)",
    ),
)


@TRAIL.on(*EVENT_KINDS.values())
def recorded(cursor: sqlite3.Cursor, event: Event, position: int) -> None:
    stream = event.originator_id.hex
    if isinstance(event, CreatedEvent):
        cursor.execute("INSERT INTO streams VALUES (?, ?)", (stream, event.stream))
    actor = event.actor
    cursor.execute(
        "INSERT INTO trail VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            stream,
            event.originator_version,
            event.TOPIC,
            event.event_id,
            text_of(event.timestamp),
            event.command_id,
            event.causation_id,
            actor.kind,
            actor.id,
            actor.session,
        ),
    )
