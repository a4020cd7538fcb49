"""One lock file, held by one process at a time. The system drops it when the holder dies, however it dies."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from m1nd.domain.refusal import refuse


@contextlib.contextmanager
def locked(path: Path, timeout: float, subject: str) -> Iterator[None]:
    """Hold the lock file `path` (made 0600 when missing); wait at most `timeout` seconds.

    Raises Refused(busy) naming `subject`, OSError where the lock file cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(descriptor, timeout, subject)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def waited_for(path: Path, timeout: float, subject: str) -> Iterator[None]:
    """Keep whoever wants to hold the lock file `path` away, together with others who do the same. Waits at most `timeout` seconds
    for a holder; where the file is missing nobody ever held it, and where it is another user's nobody is waited for.

    Raises Refused(busy) naming `subject`.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        _acquire(descriptor, timeout, subject, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, timeout: float, subject: str, how: int = fcntl.LOCK_EX) -> None:
    deadline = time.monotonic() + timeout
    pause = 0.001
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
            return
        except (BlockingIOError, InterruptedError):
            if time.monotonic() >= deadline:
                refuse("busy", f"another process holds {subject}", waited_s=round(timeout, 1))
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
