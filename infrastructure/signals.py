"""A stretch of code that no Ctrl-C and no polite end may cut in two. It is for milliseconds, never for a wait."""

import contextlib
import signal
from collections.abc import Iterator

POLITE = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold back SIGINT, SIGTERM and SIGHUP for this thread; they are delivered when the block ends.

    A signal that came just before is raised on entry, before the block begins. In a thread other than the main one
    nothing needs holding: Python runs handlers in the main thread only.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, POLITE)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
