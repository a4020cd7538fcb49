"""The recorder: appends stored events with their chain, and reads them back. Knows nothing of what they mean."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, StoredEvent, Subscription
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from m1nd.application.event_log import ClaimedCommand, LogHead, LogRow
from m1nd.domain.chain import GENESIS
from m1nd.infrastructure.log.chaining import chained
from m1nd.infrastructure.log.store import LogStore
from m1nd.infrastructure.log.subscription import PolledSubscription

INSERT = "INSERT INTO stored_events VALUES (?, ?, ?, ?, ?, ?)"
LAST = "SELECT rowid, chain FROM stored_events ORDER BY rowid DESC LIMIT 1"
COLUMNS = "rowid, originator_id, originator_version, topic, state, chain"


class Datastore(LogStore, SQLiteDatastore):
    """The store in the shape that the library asks for. Its pool is not made: it opens eagerly and knows no gate."""

    def __init__(self, folder: str, *, read_only: bool = False) -> None:
        LogStore.__init__(self, folder, read_only=read_only)
        self.single_row_tracking = True
        self.originator_id_type = "uuid"


class ChainedRecorder(SQLiteApplicationRecorder):
    """Implements the library's recorder and the port `EventLog` over one `Datastore`.

    Positions are 1, 2, 3, … without gaps: the write lock is held from the reading of the head to the commit.
    """

    datastore: Datastore

    def __init__(self, store: Datastore) -> None:
        super().__init__(store)

    def create_table(self) -> None:
        """The store makes the tables with the file."""

    def _insert_events(
        self,
        c: Any,
        stored_events: Sequence[StoredEvent],
        *,
        command: tuple[str, str] | None = None,
        **_: Any,
    ) -> Sequence[int]:
        rows = chained(stored_events, *_last(c))
        c.executemany(INSERT, rows)
        if command is not None:
            span = (rows[0].position, rows[-1].position)
            c.execute("INSERT INTO commands VALUES (?, ?, ?, ?)", (*command, *span))
        return [row.position for row in rows]

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return PolledSubscription(self, gt=gt, topics=topics)

    def exists(self) -> bool:
        return self.datastore.exists()

    def exclusive(self) -> AbstractContextManager[None]:
        return self.datastore.exclusive()

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
        with self.datastore.transaction(commit=False) as c:
            c.row_factory = None
            c.execute(f"SELECT {COLUMNS} FROM stored_events {clause}", parameters)
            return list(map(LogRow._make, c))

    def head(self) -> LogHead:
        with self.datastore.transaction(commit=False) as c:
            count, head = _last(c)
            return LogHead(count, head.hex())

    def claimed(self, command_id: str) -> ClaimedCommand | None:
        """What the log knows of a command id; None for a new one."""
        with self.datastore.transaction(commit=False) as c:
            row = c.execute("SELECT digest, first, last FROM commands WHERE id = ?", (command_id,)).fetchone()
            return None if row is None else ClaimedCommand(*row)

    def topic_counts(self) -> dict[str, int]:
        with self.datastore.transaction(commit=False) as c:
            c.row_factory = None
            c.execute("SELECT topic, count(*) FROM stored_events GROUP BY topic ORDER BY topic")
            return dict(c)

    def store_rows(self, rows: Iterable[LogRow], commands: Iterable[tuple[str, str, int, int]]) -> None:
        """Put rows as they are (an import, whose chain the caller has checked) into an empty log; all or none.

        `rows` is consumed before `commands`. Raises IntegrityError if the log is not empty.
        """
        with self.datastore.transaction(commit=True) as c:
            c.executemany(INSERT, rows)
            c.executemany("INSERT INTO commands VALUES (?, ?, ?, ?)", commands)

    def faults(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when it is sound. Reads all of it."""
        with self.datastore.transaction(commit=False) as c:
            c.execute("PRAGMA integrity_check(20)")
            return [row[0] for row in c if row[0] != "ok"]


def _last(c: Any) -> tuple[int, bytes]:
    c.execute(LAST)
    row = c.fetchone()
    return (row[0], row[1]) if row else (0, GENESIS)
