"""One line of progress on a terminal's stderr; nothing in a pipe, under `--json` of a pipe, or `--quiet`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from m1nd.adapters.cli.context import Call

REDRAW_SECONDS = 0.08
FIRST_SECONDS = 0.15
"""A command that is done sooner draws nothing at all."""


@define
class ProgressLine:
    """A `ports.Progress`: call it with `(stage, done, total)`; cheap between redraws."""

    call: Call
    title: str = ""
    _started: float = field(factory=time.monotonic)
    _drawn: float = 0.0
    _visible: bool = False
    _silent: bool | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._started < FIRST_SECONDS or now - self._drawn < REDRAW_SECONDS or self._is_silent():
            return
        self._drawn = now
        self._visible = True
        sys.stderr.write("\r\x1b[2K" + self._line(stage, done, total))
        sys.stderr.flush()

    def close(self) -> None:
        """Wipe the line, if one was drawn."""
        if self._visible:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._visible = False

    def _is_silent(self) -> bool:
        if self._silent is None:
            dumb = self.call.environment.get("TERM", "") in ("", "dumb")
            self._silent = self.call.flags.quiet or dumb or not sys.stderr.isatty()
        return self._silent

    def _line(self, stage: str, done: int, total: int) -> str:
        from m1nd.adapters.cli.render import clean

        name = clean(f"{self.title} {stage}".strip())
        if total <= 0:
            return f"{name}  {done:,}"[: self.call.err.width - 1]
        share = min(1.0, done / total)
        full, empty = ("#", ".") if self.call.flags.ascii else ("━", "─")
        cells = max(8, min(32, self.call.err.width - len(name) - 24))
        filled = round(cells * share)
        return f"{name}  {full * filled}{empty * (cells - filled)}  {done:,}/{total:,}"
