"""`m1nd stamp`: the human's side of every act that needs one (D24, D44)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.refusal import Refused

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.ports import Terminal
    from m1nd.domain.stamps.stamp import StampState

T = TypeVar("T")


def register(group: click.Group) -> None:
    group.add_command(stamp)


@click.command("stamp")
@click.argument("challenge", required=False, default="")
@verb("stamp")
def stamp(call: Call, challenge: str) -> Answer:
    """Show what waits for your stamp; with CHALLENGE, show that one and take it on this terminal."""
    from m1nd.application.use_cases import stamping

    brain = call.brain()
    if not challenge:
        return _listing(stamping.waiting(brain))
    given = stamping.give(brain, challenge, terminal(f"m1nd stamp {challenge}"))
    data = {"given": stamp_object(given), "waiting": [stamp_object(s) for s in stamping.waiting(brain)]}

    def show(console: Console) -> None:
        until = f"{given.expires_at:%H:%M:%S}" if given.expires_at else ""
        console.print(
            f"stamped: {given.gesture.words} for {given.gesture.target}; good for one use until {until} UTC",
            style="good",
            soft_wrap=True,
        )

    return Answer(data, show)


def with_stamp(call: Call, act: Callable[[], T]) -> T:
    """Do the human's own act; where it needs a stamp and the human sits right here, take it and do the act.

    For commands that only a human gives. Without a terminal, under --json and for anybody else the refusal goes out, with
    the command that gives the stamp.
    """
    try:
        return act()
    except Refused as refused:
        challenge = refused.refusal.details.get("challenge")
        here = not (call.json or call.silent) and call.brain().actor.kind == "owner" and is_human_here()
        if refused.refusal.code != "human_gesture_required" or not challenge or not here:
            raise
    from m1nd.application.use_cases import stamping

    stamping.give(call.brain(), challenge, terminal(f"m1nd stamp {challenge}"))
    return act()


def is_human_here() -> bool:
    """Whether this process's input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def terminal(again: str) -> Terminal:
    """The port `Terminal` over this process's controlling terminal."""
    from m1nd.adapters.bootstrap import controlling_terminal
    from m1nd.adapters.cli.text import clean

    return controlling_terminal(again, clean)


def stamp_object(state: StampState) -> dict[str, Any]:
    """A challenge on the wire."""
    return {
        "challenge": state.gesture.challenge_id,
        "action": state.gesture.action,
        "target": state.gesture.target,
        "digest": state.gesture.digest,
        "asked_by": state.asked_by,
        "expires_at": state.expires_at.isoformat() if state.expires_at else "",
    }


def _listing(waiting: tuple[StampState, ...]) -> Answer:
    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import one_line, table

        if not waiting:
            console.print("nothing waits for your stamp")
            return
        shown = table("challenge", "action", "target", "asked by", "until (UTC)")
        for state in waiting:
            until = f"{state.expires_at:%H:%M:%S}" if state.expires_at else ""
            shown.add_row(
                state.gesture.challenge_id,
                state.gesture.words,
                one_line(state.gesture.target),
                one_line(state.asked_by),
                until,
            )
        console.print(shown)
        console.print(f"\nsee one and give it with: m1nd stamp {waiting[0].gesture.challenge_id}")

    return Answer({"given": None, "waiting": [stamp_object(state) for state in waiting]}, show)
