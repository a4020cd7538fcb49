"""The marks of the proof gate, kept by the process that serves the repository. No event, no file: they die with it (D43)."""

import threading
from collections.abc import Callable, Iterable, Sequence

from m1nd.domain.proof_gate import Mark

MOST = 10_000
"""Older marks make room for newer ones: whoever looks at so many files proves the last ones."""


class MarksInMemory:
    """`m1nd.application.ports.Proof` for one process with any number of threads."""

    def __init__(self, enabled: bool = True, most: int = MOST) -> None:
        self.enabled = enabled
        self._most = most
        self._marks: dict[Mark, None] = {}
        self._lock = threading.Lock()

    def arm(self, marks: Iterable[Mark]) -> None:
        with self._lock:
            for mark in marks:
                self._marks.pop(mark, None)
                self._marks[mark] = None
            while len(self._marks) > self._most:
                del self._marks[next(iter(self._marks))]

    def take(self, choose: Callable[[Sequence[Mark]], Sequence[Mark]]) -> tuple[Mark, ...]:
        with self._lock:
            chosen = tuple(choose(tuple(self._marks)))
            for mark in chosen:
                self._marks.pop(mark, None)
            return chosen
