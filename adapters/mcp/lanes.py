"""The threads in which a served repository's work is done: each has a brain of its own, and does one thing at a time.

Two lanes, so that a compiler run of a commit keeps nobody's read waiting. They are to each other what two processes are:
the log's gate and the writer's lock hold between them.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from attrs import define, field

from m1nd.adapters.bootstrap import can_write, mend, open_brain
from m1nd.adapters.mcp.calling import Stopped
from m1nd.application.brain import Brain
from m1nd.application.ports import Progress, Proof

T = TypeVar("T")
Tell = Callable[[str, int, int], None]


@define
class Lane:
    """One thread and the brain that it opens when first needed."""

    root: str
    environment: Mapping[str, str]
    proof: Proof
    read_only: bool = False
    remarks: tuple[str, ...] = ()
    """What the opening mended; warnings of the next answer."""
    _brain: Brain | None = None
    _thread: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(1, "m1nd-lane"))

    async def run(self, work: Callable[[Brain, Progress], T], tell: Tell) -> T:
        """Do the work in the lane's thread. Where the caller is cancelled, work that waits is dropped, and work that runs
        stops at its next step of progress."""
        stop = threading.Event()

        def report(stage: str, done: int, total: int) -> None:
            if stop.is_set():
                raise Stopped
            tell(stage, done, total)

        future = self._thread.submit(lambda: work(self._opened(), report))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            stop.set()
            future.cancel()
            raise

    def close(self, patience: float) -> bool:
        """Let go of the repository once the work that runs is done; False where that takes longer than `patience` s."""
        try:
            self._thread.submit(self._closed).result(patience)
        except TimeoutError:
            return False
        self._thread.shutdown()
        return True

    def _opened(self) -> Brain:
        if self._brain is None:
            read_only = self.read_only or not can_write(self.root, self.environment)
            self._brain = open_brain(
                self.root, environment=self.environment, read_only=read_only, proof=self.proof
            )
            self.remarks = mend(self._brain)
        return self._brain

    def _closed(self) -> None:
        brain, self._brain = self._brain, None
        if brain is not None:
            brain.close()
