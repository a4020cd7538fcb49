"""A process with a terminal of its own, as a human's has: what it shows can be read, and keys can be pressed."""

import os
import pty
import select
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PATIENCE = 30.0
M1ND = (sys.executable, "-c", "from m1nd.adapters.cli import main; main()")


class AtTerminal:
    """`m1nd …` as the leader of a session whose controlling terminal the test holds the other end of."""

    def __init__(self, root: Path, line: Sequence[str]) -> None:
        child, self._keys = pty.fork()
        if child == 0:
            os.chdir(root)
            os.execv(M1ND[0], [*M1ND, *line])
        self._child = child
        self.seen = ""

    def read_until(self, text: str) -> str:
        """Everything shown so far, when `text` has been."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen:
            if not self._more(deadline):
                raise AssertionError(f"{text!r} was never shown: {self.seen!r}")
        return self.seen

    def wait_for_more(self) -> None:
        """Until something more is shown."""
        if not self._more(time.monotonic() + PATIENCE):
            raise AssertionError(f"it ended early: {self.seen!r}")

    def type(self, text: str) -> None:
        os.write(self._keys, text.encode())

    def end(self) -> int:
        """The exit status, when all is read."""
        deadline = time.monotonic() + PATIENCE
        while self._more(deadline):
            pass
        os.close(self._keys)
        return os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])

    def _more(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._keys], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing more within {PATIENCE:.0f} s: {self.seen!r}")
        try:
            data = os.read(self._keys, 65536)
        except OSError:  # the other end is closed: Linux says so with an error
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
