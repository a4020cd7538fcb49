"""A stretch of code that no Ctrl-C and no polite end may cut in two. It is for milliseconds, never for a wait."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

POLITE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold back SIGINT, SIGTERM and SIGHUP; they are delivered when the block ends.

    A signal that came just before is raised on entry, before the block begins. In a thread other than the main one
    nothing needs holding: Python runs handlers in the main thread only. The handlers are exchanged, not the signals
    blocked: a blocked signal goes to another thread of the process, and its handler runs here all the same.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    holder = _Holder()
    try:
        holder.begin()
        yield
    finally:
        holder.end()


class _Holder:
    """Notes signals while it holds; a handler of it that is left behind by an untimely exception passes them on."""

    def __init__(self) -> None:
        self._holding = True
        self._came: list[int] = []
        self._before: dict[int, signal._HANDLER] = {}

    def begin(self) -> None:
        for number in POLITE:
            handler = signal.getsignal(number)
            if handler not in (signal.SIG_IGN, None):
                self._before[number] = handler
                signal.signal(number, self._note)

    def end(self) -> None:
        self._holding = False
        for number, handler in self._before.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(self._came):
            signal.raise_signal(number)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._holding:
            self._came.append(number)
            return
        signal.signal(number, self._before[number])
        signal.raise_signal(number)
