"""The tray without Textual: every waiting candidate on one page, and one question after it."""

from __future__ import annotations

from collections.abc import Callable

from m1nd.adapters.tray.desk import Desk
from m1nd.domain.refusal import Refused

QUESTION = "[s]tamp, [a]rchive, s[k]ip or [q]uit? "


def walk(desk: Desk, show: Callable[[str], None], ask: Callable[[str], str]) -> int:
    """Go through what waits, one after the other; answers how many were landed or archived.

    `ask` shows its question and answers one line; it raises EOFError where there is none.
    """
    done = 0
    waiting = [line for line in desk.lines() if line.waits]
    if not waiting:
        show("nothing waits for you")
    for number, line in enumerate(waiting, 1):
        show(f"{number} of {len(waiting)}")
        for text in desk.page(line.id):
            show(text)
        try:
            answer = ask(QUESTION).strip().lower()[:1]
        except EOFError:
            break
        if answer == "q":
            break
        if answer in ("s", "a"):
            done += _gesture(desk.land if answer == "s" else desk.archive, line.id, desk, show)
    return done


def _gesture(act: Callable[[str], str], mission_id: str, desk: Desk, show: Callable[[str], None]) -> bool:
    try:
        show(desk.safe(act(mission_id)))
    except Refused as refused:
        show(desk.safe(f"{refused.refusal.message} [{refused.refusal.code}]"))
        return False
    return True
