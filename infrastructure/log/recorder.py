"""The recorder: appends stored events with their chain, and reads them back. Knows nothing of what they mean."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from eventsourcing.persistence import ApplicationRecorder, StoredEvent, Subscription
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

from m1nd.infrastructure.log.chaining import chained
from m1nd.infrastructure.log.store import LogStore
from m1nd.infrastructure.log.stored_rows import INSERT, StoredRows, last_link
from m1nd.infrastructure.log.subscription import PolledSubscription


class Datastore(SQLiteDatastore):
    """A store in the shape that the library asks for. Its pool is not made: it opens eagerly and knows no gate."""

    def __init__(self, store: LogStore) -> None:
        self.store = store
        self.single_row_tracking = True
        self.originator_id_type = "uuid"

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[Any]:
        with self.store.transaction(commit=commit) as cursor:
            yield cursor

    def close(self) -> None:
        self.store.close()

    def __del__(self) -> None:
        """The store closes itself; other readers may still hold it."""


class ChainedRecorder(StoredRows, SQLiteApplicationRecorder):
    """Implements the library's recorder and the port `EventLog` over one store.

    Positions are 1, 2, 3, … without gaps: the write lock is held from the reading of the head to the commit.
    """

    def __init__(self, store: LogStore) -> None:
        StoredRows.__init__(self, store)
        SQLiteApplicationRecorder.__init__(self, Datastore(store))

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
        rows = chained(stored_events, *last_link(c))
        c.executemany(INSERT, rows)
        if command is not None:
            span = (rows[0].position, rows[-1].position)
            c.execute("INSERT INTO commands VALUES (?, ?, ?, ?)", (*command, *span))
        return [row.position for row in rows]

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        return PolledSubscription(self, gt=gt, topics=topics)
