"""The recorder on a server: appends stored events with their chain, and reads them back. Knows nothing of their meaning."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, Notification, StoredEvent, Subscription

from m1nd.application.event_log import ClaimedCommand, LogHead, LogRow
from m1nd.domain.chain import GENESIS
from m1nd.infrastructure.log.chaining import chained, hex_of
from m1nd.infrastructure.log.postgres.store import Cursor, PostgresStore
from m1nd.infrastructure.log.postgres.subscription import NotifiedSubscription

COLUMNS = "position, originator_id, originator_version, topic, state, chain"
COPY = f"COPY stored_events ({COLUMNS}) FROM STDIN"
COMMAND = "INSERT INTO commands VALUES (%s, %s, %s, %s)"
NO_END = (1 << 63) - 1


class PostgresRecorder(ApplicationRecorder):
    """Implements the library's recorder and the port `EventLog` over one `PostgresStore`.

    Positions are 1, 2, 3, … without gaps: the log's lock is held from the reading of the head to the commit.
    """

    def __init__(self, store: PostgresStore) -> None:
        self.datastore = store

    # The library's recorder

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, command: tuple[str, str] | None = None, **_: Any
    ) -> Sequence[int]:
        with self.datastore.appending() as cursor:
            self.datastore.prepare(cursor)
            rows = chained(stored_events, *_last(cursor))
            _copy(cursor, rows)
            if command is not None:
                cursor.execute(COMMAND, (*command, rows[0].position, rows[-1].position))
        return [row.position for row in rows]

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        rows = self._select(
            "WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s "
            f"ORDER BY originator_version {'DESC' if desc else 'ASC'} LIMIT %s",
            hex_of(originator_id),
            -1 if gt is None else gt,
            NO_END if lte is None else lte,
            NO_END if limit is None else limit,
        )
        return [StoredEvent(UUID(row.stream), row.version, row.topic, row.state) for row in rows]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        after = 0 if start is None else start - 1 if inclusive_of_start else start
        wanted = "AND topic = ANY(%s) " if topics else ""
        rows = self._select(
            f"WHERE position > %s AND position <= %s {wanted}ORDER BY position LIMIT %s",
            after,
            NO_END if stop is None else stop,
            *([list(topics)] if topics else []),
            limit,
        )
        return [
            Notification(UUID(row.stream), row.version, row.topic, row.state, row.position) for row in rows
        ]

    def max_notification_id(self) -> int | None:
        return self.head().count or None

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return NotifiedSubscription(self, gt=gt, topics=topics)

    def close(self) -> None:
        self.datastore.close()

    # The port EventLog

    def exists(self) -> bool:
        return self.datastore.exists()

    def exclusive(self) -> AbstractContextManager[None]:
        return self.datastore.exclusive()

    def rows(self, after: int = 0, limit: int = 1000, until: int | None = None) -> list[LogRow]:
        """Rows with `after < position <= until`, in order, at most `limit`."""
        clause = "WHERE position > %s AND position <= %s ORDER BY position LIMIT %s"
        return self._select(clause, after, NO_END if until is None else until, limit)

    def last_row(self, stream: UUID) -> LogRow | None:
        clause = "WHERE originator_id = %s ORDER BY originator_version DESC LIMIT 1"
        return next(iter(self._select(clause, stream.hex)), None)

    def stream_rows(self, stream: UUID, after: int = 0, limit: int = 1000) -> list[LogRow]:
        """Rows of one stream with `after < position`, in order."""
        clause = "WHERE originator_id = %s AND position > %s ORDER BY originator_version LIMIT %s"
        return self._select(clause, stream.hex, after, limit)

    def _select(self, clause: str, *parameters: Any) -> list[LogRow]:
        with self.datastore.reading() as cursor:
            if cursor is None:
                return []
            cursor.execute(f"SELECT {COLUMNS} FROM stored_events {clause}".encode(), parameters)
            return list(map(LogRow._make, cursor))

    def head(self) -> LogHead:
        with self.datastore.reading() as cursor:
            count, head = (0, GENESIS) if cursor is None else _last(cursor)
            return LogHead(count, head.hex())

    def claimed(self, command_id: str) -> ClaimedCommand | None:
        """What the log knows of a command id; None for a new one."""
        with self.datastore.reading() as cursor:
            if cursor is None:
                return None
            cursor.execute("SELECT digest, first, last FROM commands WHERE id = %s", (command_id,))
            row = cursor.fetchone()
            return None if row is None else ClaimedCommand(*row)

    def topic_counts(self) -> dict[str, int]:
        with self.datastore.reading() as cursor:
            if cursor is None:
                return {}
            # By bytes, as SQLite sorts: a server's collation must not reorder the answer.
            cursor.execute(
                'SELECT topic, count(*) FROM stored_events GROUP BY topic ORDER BY topic COLLATE "C"'
            )
            return dict(cursor.fetchall())

    def store_rows(self, rows: Iterable[LogRow], commands: Iterable[tuple[str, str, int, int]]) -> None:
        """Put rows as they are (an import, whose chain the caller has checked) into an empty log; all or none.

        `rows` is consumed before `commands`. Raises IntegrityError if the log is not empty.
        """
        with self.datastore.appending() as cursor:
            self.datastore.prepare(cursor)
            _copy(cursor, rows)
            cursor.executemany(COMMAND, commands)

    def faults(self) -> list[str]:
        """Nothing of the store's own: a server checks its pages itself, and the chain is checked by the caller."""
        return []


def _copy(cursor: Cursor, rows: Iterable[LogRow]) -> None:
    with cursor.copy(COPY) as copy:
        for row in rows:
            copy.write_row(row)


def _last(cursor: Cursor) -> tuple[int, bytes]:
    cursor.execute("SELECT position, chain FROM stored_events ORDER BY position DESC LIMIT 1")
    row = cursor.fetchone()
    return (row[0], row[1]) if row else (0, GENESIS)
