"""How far each view has come, as `views.db` keeps it: its version, its position, and the chain's link there."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from m1nd.application.event_log import LogHead

POSITIONS = (
    "CREATE TABLE IF NOT EXISTS projections (name TEXT NOT NULL PRIMARY KEY, key TEXT NOT NULL, tables TEXT NOT NULL, "
    "position INTEGER NOT NULL, chain BLOB NOT NULL) STRICT, WITHOUT ROWID"
)


def has_positions(connection: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_schema WHERE name = 'projections'"
    return connection.execute(query).fetchone() is not None


def kept_keys(connection: sqlite3.Connection) -> dict[str, str]:
    """The key of each view that the file holds, by name; needs the table of positions."""
    return dict(connection.execute("SELECT name, key FROM projections"))


def have_seen_all(connection: sqlite3.Connection, keys: Mapping[str, str], head: LogHead) -> bool:
    """Whether just these views are there and each has seen this very log to its end: then there is nothing to fold.

    The link is compared as the fold does it, so a log that was cut or exchanged is not taken for the one that was seen.
    """
    if not has_positions(connection):
        return False
    link = bytes.fromhex(head.head) if head.count else b""
    rows = connection.execute("SELECT name, key, position, chain FROM projections").fetchall()
    return {name: key for name, key, _, _ in rows} == keys and all(
        position == head.count and chain == link for _, _, position, chain in rows
    )


def reached(connection: sqlite3.Connection) -> int:
    """The position that every view has reached."""
    found: int | None = connection.execute("SELECT min(position) FROM projections").fetchone()[0]
    return found or 0
