"""The numbered changes of the graph, and the refused requests."""

import sqlite3

import orjson

from m1nd.domain.graph import Graph
from m1nd.domain.refusals import RefusalEvent, Refusals
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

CHANGES = Projection(
    "graph_changes",
    VERSIONS["graph_changes"],
    {
        "graph_changes": (
            "generation INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL, cause TEXT NOT NULL, "
            "added INTEGER NOT NULL, removed INTEGER NOT NULL, changed INTEGER NOT NULL, counts TEXT NOT NULL, "
            "recorded_at TEXT NOT NULL, position INTEGER NOT NULL"
        )
    },
)

FILES = Projection(
    "file_history",
    VERSIONS["file_history"],
    {"file_history": "path TEXT NOT NULL PRIMARY KEY, generation INTEGER NOT NULL, sha256 TEXT NOT NULL"},
)

REFUSALS = Projection(
    "refusals",
    VERSIONS["refusals"],
    {
        "refusals": (
            "position INTEGER NOT NULL PRIMARY KEY, recorded_at TEXT NOT NULL, verb TEXT NOT NULL, "
            "keyword TEXT NOT NULL, field TEXT NOT NULL, request_digest TEXT NOT NULL, actor_kind TEXT NOT NULL, "
            "actor_id TEXT NOT NULL"
        )
    },
    ("CREATE INDEX refusals_by_keyword ON refusals (keyword)",),
)


@CHANGES.on(Graph.GraphChanged)
def changed(cursor: sqlite3.Cursor, event: Graph.GraphChanged, position: int) -> None:
    files = event.files
    cursor.execute(
        "INSERT INTO graph_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.generation,
            event.kind,
            event.cause,
            files.count("added"),
            files.count("removed"),
            files.count("changed"),
            orjson.dumps(event.counts, option=orjson.OPT_SORT_KEYS).decode(),
            text_of(event.timestamp),
            position,
        ),
    )


@FILES.on(Graph.GraphChanged)
def files_changed(cursor: sqlite3.Cursor, event: Graph.GraphChanged, position: int) -> None:
    """The last change of each file that an event names; one that it left out keeps what was known before."""
    cursor.executemany(
        "INSERT OR REPLACE INTO file_history VALUES (?, ?, ?)",
        [(file.path, event.generation, file.sha256) for file in (*event.files.added, *event.files.changed)],
    )
    cursor.executemany(
        "DELETE FROM file_history WHERE path = ?", [(file.path,) for file in event.files.removed]
    )


@REFUSALS.on(Refusals.TransplantRefused, Refusals.CommandRefused)
def refused(cursor: sqlite3.Cursor, event: RefusalEvent, position: int) -> None:
    cursor.execute(
        "INSERT INTO refusals VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            text_of(event.timestamp),
            event.verb,
            event.keyword,
            event.field,
            event.request_digest,
            event.actor.kind,
            event.actor.id,
        ),
    )
