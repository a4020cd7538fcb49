"""Runs projections over the log into one SQLite file: catch up, rebuild, compare. Everything here may be deleted.

A page of events and the position after it are written in one transaction, so a view is never ahead of or behind its
position, whatever dies. Each position is kept with the chain's link at it: a log that was cut, emptied or exchanged
since is noticed, not folded on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import orjson
from attrs import frozen

from m1nd.application.event_log import RESTORE, EventLog, LogRow
from m1nd.application.views import TableDigest
from m1nd.domain.refusal import refuse
from m1nd.infrastructure.views.positions import POSITIONS, has_positions, kept_keys, reached
from m1nd.infrastructure.views.transactions import transaction

if TYPE_CHECKING:
    from m1nd.domain.base import Event
    from m1nd.infrastructure.views.projection import Handler, Projection

PAGE = 1000


@frozen
class Engine:
    """Projections, the log they fold, and how a row becomes an event."""

    projections: tuple[Projection, ...]
    log: EventLog
    event_of: Callable[[LogRow], Event]

    def ensure(self, connection: sqlite3.Connection) -> None:
        """Make the tables that are missing; a projection of another version begins anew."""
        wanted = {p.name: p.key for p in self.projections}
        if has_positions(connection):
            found = kept_keys(connection)
            if found == wanted:
                return
        with transaction(connection) as cursor:
            cursor.execute(POSITIONS)
            found = dict(cursor.execute("SELECT name, key FROM projections"))
            for name in [name for name, key in found.items() if wanted.get(name) != key]:
                _drop(cursor, name)
            for projection in self.projections:
                if found.get(projection.name) != projection.key:
                    _begin(cursor, projection)

    def reset(self, connection: sqlite3.Connection) -> None:
        """Drop every view, position and all."""
        with transaction(connection) as cursor:
            cursor.execute(POSITIONS)
            for (name,) in cursor.execute("SELECT name FROM projections").fetchall():
                _drop(cursor, name)
            for projection in self.projections:
                _begin(cursor, projection)

    def catch_up(
        self, connection: sqlite3.Connection, until: int | None = None, page: Callable[[], int] = lambda: PAGE
    ) -> int:
        """Fold what the log has after each view's position, at most to `until`; answers the position reached.

        Raises Refused(unknown_topic) at the first event without a name here: it is never skipped. Refused(store_damaged)
        when the log is not the one that the views were folded from.
        """
        end = self.log.head().count
        if until is not None:
            end = min(end, until)
        position = self._trusted_position(connection)
        while position < end:
            rows = self.log.rows(after=position, limit=page(), until=end)
            if not rows:
                break
            with transaction(connection) as cursor:
                self._fold(cursor, rows)
            position = rows[-1].position
        return position

    def position(self, connection: sqlite3.Connection) -> int:
        """The position that every view has reached."""
        return reached(connection)

    def _trusted_position(self, connection: sqlite3.Connection) -> int:
        positions = connection.execute("SELECT DISTINCT position, chain FROM projections").fetchall()
        for position, chain in positions:
            if position == 0:
                continue
            row = self.log.rows(after=position - 1, limit=1, until=position)
            if not row or row[0].chain != chain:
                _refuse_other_log(position, self.log.head().count)
        return min((position for position, _ in positions), default=0)

    def _fold(self, cursor: sqlite3.Cursor, rows: Sequence[LogRow]) -> None:
        """One page, for the projections that have not seen it (another process may have been here first)."""
        seen: dict[str, int] = dict(cursor.execute("SELECT name, position FROM projections"))
        handlers = _by_topic((p, seen[p.name]) for p in self.projections)
        for row in rows:
            event: Event | None = None
            for after, handler in handlers.get(row.topic, ()):
                if row.position > after:
                    event = event or self.event_of(row)
                    handler(cursor, event, row.position)
            if event is None and row.topic not in handlers:
                self.event_of(row)  # refuses an unknown name
        last = rows[-1]
        cursor.execute(
            "UPDATE projections SET position = ?, chain = ? WHERE position < ?",
            (last.position, last.chain, last.position),
        )

    def digests(self, connection: sqlite3.Connection) -> tuple[TableDigest, ...]:
        """Every table of every view, read in one transaction."""
        return tuple(
            _digest(connection, projection.name, table)
            for projection in self.projections
            for table in sorted(projection.tables)
        )


def _begin(cursor: sqlite3.Cursor, projection: Projection) -> None:
    projection.create(cursor)
    tables = orjson.dumps(sorted(projection.tables)).decode()
    cursor.execute(
        "INSERT INTO projections VALUES (?, ?, ?, 0, ?)", (projection.name, projection.key, tables, b"")
    )


def _drop(cursor: sqlite3.Cursor, name: str) -> None:
    (tables,) = cursor.execute("SELECT tables FROM projections WHERE name = ?", (name,)).fetchone()
    for table in orjson.loads(tables):
        cursor.execute(f'DROP TABLE IF EXISTS "{table}"')
    cursor.execute("DELETE FROM projections WHERE name = ?", (name,))


def _by_topic(
    projections: Iterable[tuple[Projection, int]],
) -> Mapping[str, list[tuple[int, Handler]]]:
    table: dict[str, list[tuple[int, Handler]]] = {}
    for projection, after in projections:
        for topic, handler in projection.handlers.items():
            table.setdefault(topic, []).append((after, handler))
    return table


def _digest(connection: sqlite3.Connection, view: str, table: str) -> TableDigest:
    digest, count = sha256(), 0
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    key = ", ".join(name for _, name in sorted((c[5], c[1]) for c in columns if c[5]))
    for row in connection.execute(f"SELECT * FROM {table} ORDER BY {key}"):
        digest.update(orjson.dumps(row))
        digest.update(b"\n")
        count += 1
    return TableDigest(view, table, count, digest.hexdigest())


def _refuse_other_log(seen: int, count: int) -> None:
    what = (
        f"the log ends at event {count}, but the views have seen event {seen}"
        if count < seen
        else f"event {seen} of the log is not the one that the views have seen"
    )
    refuse(
        "store_damaged",
        f"{what}: log.db lost events or was exchanged",
        f"{RESTORE}; or accept the log as it is: m1nd projections rebuild",
        file="log.db",
        seen=seen,
        count=count,
    )
