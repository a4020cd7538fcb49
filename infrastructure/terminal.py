"""The human's terminal, opened as `/dev/tty`: what is piped in, redirected or typed ahead is never taken for an answer (D44)."""

import os
import sys
import termios
from collections.abc import Callable, Sequence
from typing import Never

from m1nd.domain.refusal import refuse

TTY = "/dev/tty"
LONGEST = 256
"""An answer is one short line."""


class ControllingTerminal:
    """`m1nd.application.ports.Terminal` over the controlling terminal; `clean` makes a line safe to show."""

    def __init__(self, again: str, clean: Callable[[str], str]) -> None:
        self._again = again
        self._clean = clean

    def name(self) -> str:
        try:
            return os.ttyname(sys.stdin.fileno()).removeprefix("/dev/")
        except OSError:
            self._refuse("standard input is no terminal")

    def ask(self, lines: Sequence[str], prompt: str) -> str:
        if not _is_terminal():
            self._refuse("standard input is no terminal; a piped stamp is none")
        try:
            descriptor = os.open(TTY, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError as error:
            self._refuse(f"there is no terminal here ({(error.strerror or 'unknown').lower()})")
        try:
            for line in lines:
                _write(descriptor, f"{self._line(line)}\n")
            # What was typed before the page was there answers nothing.
            termios.tcflush(descriptor, termios.TCIFLUSH)
            _write(descriptor, prompt)
            return os.read(descriptor, LONGEST).decode("utf-8", "replace")
        finally:
            os.close(descriptor)

    def _line(self, line: str) -> str:
        """One line stays one line: a path with a line feed must not write lines of its own."""
        return self._clean(line).replace("\n", "<U+000A>")

    def _refuse(self, why: str) -> Never:
        refuse("human_gesture_required", f"only a human at a terminal can give a stamp: {why}", self._again)


def _is_terminal() -> bool:
    try:
        return os.isatty(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):
        return False


def _write(descriptor: int, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(descriptor, data) :]
