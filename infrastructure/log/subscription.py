"""Follows the log: notices the appends of any process by SQLite's own change counter, without reading a page."""

from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

from eventsourcing.persistence import ApplicationRecorder, ListenNotifySubscription

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log.store import LogStore

POLL = 0.02


class PolledSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """Yields notifications after `gt` as they come, until stopped; two threads while it lives."""

    def __init__(self, recorder: Any, gt: int | None = None, topics: Sequence[str] = ()) -> None:
        self._store: LogStore = recorder.store
        self._over = Event()
        super().__init__(recorder, gt=gt, topics=topics)
        self._poll_thread = Thread(target=self._poll, daemon=True)
        self._poll_thread.start()

    def stop(self) -> None:
        self._over.set()
        super().stop()

    def __exit__(self, *args: object, **kwargs: Any) -> None:
        try:
            super().__exit__(*args, **kwargs)
        finally:
            self._poll_thread.join()

    def _poll(self) -> None:
        try:
            with self._store.watching() as changed:
                while not self._over.wait(POLL):
                    if changed():
                        self._has_been_notified.set()
        except (Refused, OSError) as error:
            # Raised again in the reader, by `__next__`.
            self._thread_error = self._thread_error or error
            self.stop()
