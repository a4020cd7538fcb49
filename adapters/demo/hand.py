"""The demo's human hand: a terminal of its own, at which it reads what a human would read and types what a human would type.

There is no back door behind it: the stamp is asked for on the page, the digits are read off that page, and m1nd takes them
from the terminal like any others. It plays the owner of the demo's own temporary repository, and of no other.
"""

import os
import pty
import re
import select
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

PROMPT = "anything else to leave: "
DIGEST = re.compile(r"^  digest +([0-9a-f]{8})", re.MULTILINE)
LIMIT_SECONDS = 120.0
PROGRAM = "from m1nd.adapters.cli import main; main()"


@frozen
class Sat:
    """What was on the terminal, and how the command ended."""

    screen: str
    exit: int
    stamps: int
    """How often the hand typed digits."""


def sit(root: Path, arguments: tuple[str, ...], environment: Mapping[str, str]) -> Sat:
    """Run `m1nd …` at a pseudo-terminal of its own and give every stamp that it asks for.

    Raises TimeoutError where the command neither ends nor asks within its time.
    """
    own = {**environment, "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "100"}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(root)
        os.execve(sys.executable, [sys.executable, "-c", PROGRAM, f"--root={root}", *arguments], own)
    try:
        screen, stamps = _answer(terminal)
    finally:
        os.close(terminal)
    return Sat(screen, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), stamps)


def _answer(terminal: int) -> tuple[str, int]:
    """Read until the command lets go of the terminal; type the digits of each page whose prompt is there."""
    screen, answered, stamps = "", 0, 0
    deadline = time.monotonic() + LIMIT_SECONDS
    while (more := _read(terminal, deadline)) is not None:
        screen += more
        page = screen[answered:]
        if page.endswith(PROMPT) and (digits := DIGEST.findall(page)):
            answered = len(screen)
            stamps += 1
            os.write(terminal, f"{digits[-1]}\n".encode())
    return screen, stamps


def _read(terminal: int, deadline: float) -> str | None:
    """What came; None when the other end is closed."""
    ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
    if not ready:
        raise TimeoutError("the demo's terminal fell silent")
    try:
        data = os.read(terminal, 65536)
    except OSError:  # Linux says so with an error when the other end is closed
        return None
    return data.decode("utf-8", "replace").replace("\r\n", "\n") if data else None
