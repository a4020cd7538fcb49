"""The patterns that are looked for, or kept."""

import sqlite3

import orjson

from m1nd.domain.memory.antibodies import Antibody
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

ANTIBODIES = Projection(
    "antibodies",
    VERSIONS["antibodies"],
    {
        "antibodies": (
            "antibody_id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, "
            "severity TEXT NOT NULL, pattern TEXT NOT NULL, specificity REAL NOT NULL, created_by TEXT NOT NULL, "
            "created_at TEXT NOT NULL, enabled INTEGER NOT NULL, position INTEGER NOT NULL"
        )
    },
)


@ANTIBODIES.on(Antibody.AntibodyCreated)
def created(cursor: sqlite3.Cursor, event: Antibody.AntibodyCreated, position: int) -> None:
    cursor.execute(
        "INSERT INTO antibodies VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
        (
            event.antibody_id,
            event.name,
            event.description,
            event.severity,
            orjson.dumps(event.pattern.model_dump()).decode(),
            event.specificity,
            event.created_by,
            text_of(event.timestamp),
            position,
        ),
    )


@ANTIBODIES.on(Antibody.AntibodyEnabled)
def enabled(cursor: sqlite3.Cursor, event: Antibody.AntibodyEnabled, position: int) -> None:
    cursor.execute("UPDATE antibodies SET enabled = 1 WHERE antibody_id = ?", (event.antibody_id,))


@ANTIBODIES.on(Antibody.AntibodyDisabled)
def disabled(cursor: sqlite3.Cursor, event: Antibody.AntibodyDisabled, position: int) -> None:
    cursor.execute("UPDATE antibodies SET enabled = 0 WHERE antibody_id = ?", (event.antibody_id,))


@ANTIBODIES.on(Antibody.AntibodyDeleted)
def deleted(cursor: sqlite3.Cursor, event: Antibody.AntibodyDeleted, position: int) -> None:
    cursor.execute("DELETE FROM antibodies WHERE antibody_id = ?", (event.antibody_id,))
