"""Follows the log on a server: every append announces itself (`NOTIFY`), and a thread listens."""

from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

from eventsourcing.persistence import ApplicationRecorder, ListenNotifySubscription
from psycopg import sql

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log.postgres.faults import translated
from m1nd.infrastructure.log.postgres.store import PostgresStore

LOOK_UP = 0.2
"""Seconds after which the listener looks whether it shall end."""


class NotifiedSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """Yields notifications after `gt` as they come, until stopped; two threads while it lives."""

    def __init__(self, recorder: Any, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        store: PostgresStore = recorder.datastore
        self._over = Event()
        with translated():
            self._connection = store.connect()
            self._connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(store.channel)))
        super().__init__(recorder, gt=gt, topics=topics)
        self._listen_thread = Thread(target=self._listen, daemon=True)
        self._listen_thread.start()

    def stop(self) -> None:
        self._over.set()
        super().stop()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._listen_thread.join()
            self._connection.close()

    def _listen(self) -> None:
        try:
            with translated():
                while not self._over.is_set():
                    for _ in self._connection.notifies(timeout=LOOK_UP, stop_after=1):
                        self._has_been_notified.set()
        except Refused as error:
            # Raised again in the reader, by `__next__`.
            self._thread_error = self._thread_error or error
            self.stop()
