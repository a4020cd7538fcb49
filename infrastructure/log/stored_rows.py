"""The log in its file as rows: what reads, views, audit and export need. Knows neither events nor their library."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from m1nd.application.event_log import ClaimedCommand, LogHead, LogRow
from m1nd.domain.chain import GENESIS
from m1nd.infrastructure.log.store import LogStore

INSERT = "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?, ?)"
LAST = "SELECT rowid, chain FROM stored_events ORDER BY rowid DESC LIMIT 1"
COLUMNS = "rowid, originator_id, originator_version, topic, state, chain"


class StoredRows:
    """Implements the port `EventLog` over one store; a recorder over the same store shares its connections."""

    def __init__(self, store: LogStore) -> None:
        self.store = store

    def exists(self) -> bool:
        return self.store.exists()

    def exclusive(self) -> AbstractContextManager[None]:
        return self.store.exclusive()

    def rows(self, after: int = 0, limit: int = 1000, until: int | None = None) -> list[LogRow]:
        """Rows with `after < position <= until`, in order, at most `limit`."""
        return self._select(
            "WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?",
            after,
            (1 << 62) if until is None else until,
            limit,
        )

    def last_row(self, stream: UUID) -> LogRow | None:
        clause = "WHERE originator_id = ? ORDER BY originator_version DESC LIMIT 1"
        return next(iter(self._select(clause, stream.hex)), None)

    def stream_rows(self, stream: UUID, after: int = 0, limit: int = 1000) -> list[LogRow]:
        """Rows of one stream with `after < position`, in order."""
        return self._select(
            "WHERE originator_id = ? AND rowid > ? ORDER BY originator_version LIMIT ?",
            stream.hex,
            after,
            limit,
        )

    def _select(self, clause: str, *parameters: Any) -> list[LogRow]:
        with self.store.transaction(commit=False) as c:
            c.row_factory = None
            c.execute(f"SELECT {COLUMNS} FROM stored_events {clause}", parameters)
            return list(map(LogRow._make, c))

    def head(self) -> LogHead:
        with self.store.transaction(commit=False) as c:
            count, head = last_link(c)
            return LogHead(count, head.hex())

    def claimed(self, command_id: str) -> ClaimedCommand | None:
        """What the log knows of a command id; None for a new one."""
        with self.store.transaction(commit=False) as c:
            row = c.execute("SELECT digest, first, last FROM commands WHERE id = ?", (command_id,)).fetchone()
            return None if row is None else ClaimedCommand(*row)

    def topic_counts(self) -> dict[str, int]:
        with self.store.transaction(commit=False) as c:
            c.row_factory = None
            c.execute("SELECT topic, count(*) FROM stored_events GROUP BY topic ORDER BY topic")
            return dict(c)

    def store_rows(self, rows: Iterable[LogRow], commands: Iterable[tuple[str, str, int, int]]) -> None:
        """Put rows as they are (an import, whose chain the caller has checked) into an empty log; all or none.

        `rows` is consumed before `commands`. Raises IntegrityError if the log is not empty.
        """
        with self.store.transaction(commit=True) as c:
            c.executemany(INSERT, rows)
            c.executemany("INSERT INTO commands VALUES (?, ?, ?, ?)", commands)

    def faults(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when it is sound. Reads all of it."""
        with self.store.transaction(commit=False) as c:
            c.execute("PRAGMA integrity_check(20)")
            return [row[0] for row in c if row[0] != "ok"]

    def close(self) -> None:
        self.store.close()


def last_link(c: Any) -> tuple[int, bytes]:
    """Position and chain link of the newest event; 0 and GENESIS for an empty log."""
    c.execute(LAST)
    row = c.fetchone()
    return (row[0], row[1]) if row else (0, GENESIS)
