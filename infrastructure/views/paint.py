"""The tags on items, and the ledger of who put them there."""

import sqlite3
from collections.abc import Iterable, Sequence

import orjson

from m1nd.domain.memory.paint import STATE, Paint, retagged
from m1nd.domain.symbols import Address
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

PAINT = Projection(
    "paint",
    VERSIONS["paint"],
    {
        "paint_tags": (
            "symbol_id TEXT NOT NULL, tag TEXT NOT NULL, place TEXT NOT NULL, reason TEXT NOT NULL, "
            "version INTEGER NOT NULL, PRIMARY KEY (symbol_id, tag)"
        ),
        "paint_ledger": (
            "version INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL, tags TEXT NOT NULL, scope TEXT NOT NULL, "
            "changed INTEGER NOT NULL, scanned INTEGER NOT NULL, counts TEXT NOT NULL, proof_coverage REAL NOT NULL, "
            "actor_id TEXT NOT NULL, recorded_at TEXT NOT NULL"
        ),
    },
    ("CREATE INDEX paint_tags_by_tag ON paint_tags (tag, symbol_id)",),
)


@PAINT.on(Paint.NodePainted)
def painted(cursor: sqlite3.Cursor, event: Paint.NodePainted, position: int) -> None:
    for node in event.nodes:
        cursor.execute(
            "DELETE FROM paint_tags WHERE symbol_id = ? AND substr(tag, 1, ?) = ?",
            (node.symbol_id, len(STATE), STATE),
        )
        _put(cursor, node.symbol_id, [node.tag], node.place, node.reason, event.version)
    counts = orjson.dumps(event.counts, option=orjson.OPT_SORT_KEYS).decode()
    _enter(
        cursor,
        event,
        "painted",
        (),
        event.scope,
        len(event.nodes),
        (event.scanned, counts, event.proof_coverage),
    )


@PAINT.on(Paint.NodeRetagged)
def retagged_nodes(cursor: sqlite3.Cursor, event: Paint.NodeRetagged, position: int) -> None:
    for node in event.nodes:
        query = "SELECT tag FROM paint_tags WHERE symbol_id = ?"
        had = frozenset(tag for (tag,) in cursor.execute(query, (node.symbol_id,)).fetchall())
        has = retagged(event.operation, had, event.tags)
        for tag in sorted(had - has):
            cursor.execute("DELETE FROM paint_tags WHERE symbol_id = ? AND tag = ?", (node.symbol_id, tag))
        _put(cursor, node.symbol_id, sorted(has - had), node.place, "", event.version)
    _enter(cursor, event, event.operation, event.tags, event.selector, len(event.nodes), (0, "{}", 0.0))


def _put(
    cursor: sqlite3.Cursor, symbol_id: str, tags: Iterable[str], place: Address, reason: str, version: int
) -> None:
    where = orjson.dumps([place.kind, place.module, place.name, place.ordinal]).decode()
    cursor.executemany(
        "INSERT INTO paint_tags VALUES (?, ?, ?, ?, ?)",
        [(symbol_id, tag, where, reason, version) for tag in tags],
    )


def _enter(
    cursor: sqlite3.Cursor,
    event: Paint.NodePainted | Paint.NodeRetagged,
    kind: str,
    tags: Sequence[str],
    scope: str,
    changed: int,
    survey: tuple[int, str, float],
) -> None:
    """A line of the ledger; a commit of several events is one line."""
    cursor.execute(
        "INSERT INTO paint_ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (version) DO UPDATE SET changed = changed + excluded.changed",
        (
            event.version,
            kind,
            orjson.dumps(tags).decode(),
            scope,
            changed,
            *survey,
            event.actor.id,
            text_of(event.timestamp),
        ),
    )
