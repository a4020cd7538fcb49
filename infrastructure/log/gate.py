"""The gate: one writer at a time over all processes and threads, by a lock file beside the log.

SQLite's own waiting sleeps and polls with ever longer pauses, and fails outright while a file is being set up; the gate
keeps writers out of each other's way before SQLite sees them. The system opens it when a holder dies. Needs a local disk.
"""

import fcntl
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from m1nd.domain.refusal import refuse

PATIENCE = 30.0
SHORTEST, LONGEST = 0.0002, 0.004


class Gate:
    """The lock file `path`, whose folder must exist when a writer comes."""

    def __init__(self, path: str, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience
        self._threads = threading.Lock()
        self._descriptor = -1
        self._holder: int | None = None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Alone, or Refused(busy) after the patience is over. Raises OSError where the lock file cannot be made.

        The thread that is inside may come in again.
        """
        if self._holder == threading.get_ident():
            yield
            return
        deadline = time.monotonic() + self._patience
        if not self._threads.acquire(timeout=self._patience):
            self._give_up()
        try:
            self._lock(self._opened(), fcntl.LOCK_EX, deadline)
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        finally:
            self._threads.release()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """No writer meanwhile but this thread. Creates nothing: without a lock file, there is no writer to fear."""
        if self._holder == threading.get_ident():
            yield
            return
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            descriptor = -1
        try:
            if descriptor >= 0:
                self._lock(descriptor, fcntl.LOCK_SH, time.monotonic() + self._patience)
            yield
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _opened(self) -> int:
        """The descriptor of the lock file that stands there now, not of one that somebody removed."""
        if self._descriptor >= 0:
            try:
                there, mine = os.stat(self.path), os.fstat(self._descriptor)
                if (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino):
                    return self._descriptor
            except FileNotFoundError:
                pass  # removed: make it anew below
            self.close()
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._descriptor

    def _lock(self, descriptor: int, kind: int, deadline: float) -> None:
        pause = SHORTEST
        while True:
            try:
                fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    self._give_up()
            # Random pauses, so that waiting writers do not march in step and each gets its turn.
            time.sleep(pause * (0.5 + random.random()))
            pause = min(pause * 2, LONGEST)

    def _give_up(self) -> None:
        refuse(
            "busy",
            f"another process has held the log for more than {self._patience:.0f} s",
            waited_s=round(self._patience, 1),
        )
