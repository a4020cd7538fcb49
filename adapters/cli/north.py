"""`north`, `card`, `card-shown`: thin over `use_cases/north.py` and `use_cases/card_shown.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.graph import joined
from m1nd.domain.refusal import Refused, refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.north import NorthRequest
    from m1nd.domain.north.packet import Packet

SESSION = click.option("--session", default="", help="The conversation that the card is for.")
OCCASION = click.option(
    "--occasion", type=click.Choice(["asked", "write"]), default=None, help="Why the card is wanted now."
)
AS_OF = click.option("--as-of", default="", help="A moment, ISO 8601 with a zone; ages count to it.")
ARGUMENT = re.compile(r"(?P<name>caller_root|scope)=(?P<value>\S+)\s*")
DEEP = click.option("--deep", is_flag=True, help="The long form: every signal, at most 14 lines.")


def register(group: click.Group) -> None:
    for command in (north, card, card_shown):
        group.add_command(command)


@click.command("north")
@click.argument("task", nargs=-1, required=True, callback=joined)
@DEEP
@click.option("--scope", default="", help="Only files at or below this path.")
@click.option(
    "--top-k", type=click.IntRange(1, 50), default=8, show_default=True, help="At most so many focus nodes."
)
@SESSION
@OCCASION
@AS_OF
@verb("north")
def north(
    call: Call,
    *,
    task: str,
    agent_id: str = "",
    session: str,
    occasion: str | None,
    client_tools: Sequence[str] | None = None,
    top_k: int,
    scope: str,
    caller_root: str = "",
    as_of: str,
    deep: bool,
) -> Answer:
    """Show where you stand for TASK: the card, what to look at first, and what is not known. Changes nothing."""
    from m1nd.application.use_cases.north import NorthRequest
    from m1nd.application.use_cases.north import north as orient

    task, named = _literal(task)
    scope, caller_root = named.get("scope", scope), named.get("caller_root", caller_root)
    request = NorthRequest(
        task,
        agent_id,
        session,
        occasion or "",
        client_tools,
        top_k,
        scope,
        _caller(call, caller_root),
        _moment(as_of),
    )
    packet = orient(call.brain(), request)

    def show(console: Console) -> None:
        _show_card(call, console, packet, request, deep)
        if not deep:
            from m1nd.adapters.cli.north_views import show_packet

            show_packet(console, packet)

    return Answer(dict(packet.data), show)


@click.command("card")
@DEEP
@SESSION
@OCCASION
@AS_OF
@verb("card")
def card(
    call: Call, *, session: str, occasion: str | None, caller_root: str = "", as_of: str, deep: bool
) -> Answer:
    """Show the card: at most four lines, the most urgent signal only. Changes nothing."""
    from m1nd.application.use_cases.north import NorthRequest
    from m1nd.application.use_cases.north import card as look

    request = NorthRequest(
        "",
        session=session,
        occasion=occasion or "",
        caller_root=_caller(call, caller_root),
        as_of=_moment(as_of),
    )
    packet = look(call.brain(), request)
    data: dict[str, Any] = packet.data["human_view"]
    return Answer(data, lambda console: _show_card(call, console, packet, request, deep))


@click.command("card-shown")
@click.argument("session")
@click.argument("state_sig")
@verb("card_shown")
def card_shown(call: Call, *, session: str, state_sig: str) -> Answer:
    """Note that a card with STATE_SIG was shown in SESSION."""
    from m1nd.application.use_cases.card_shown import card_shown as note

    noted = note(call.brain(), session, state_sig)
    data = {
        "session": noted.session,
        "state_sig": noted.state_sig,
        "first_in_session": noted.first_in_session,
        "first_of_day": noted.first_of_day,
    }
    return Answer(data, lambda console: console.print(f"noted: {noted.state_sig}", soft_wrap=True))


def _literal(task: str) -> tuple[str, dict[str, str]]:
    """A task without the arguments that a packet's literal call puts before it (`north caller_root=DIR TASK`), and these."""
    named: dict[str, str] = {}
    while (found := ARGUMENT.match(task)) is not None:
        named[found["name"]] = found["value"]
        task = task[found.end() :]
    return task, named


def _caller(call: Call, caller_root: str) -> str:
    """Where the caller works: what they say, else what the door knows. Raises Refused(no_project)."""
    from m1nd.adapters.cli.roots import choose_caller

    if caller_root or call.opened is not None:
        return (
            caller_root or call.flags.caller_root
        )  # a door that serves one root: that it does says nothing of the caller
    return choose_caller(call.flags.caller_root, call.flags.root, call.environment)


def _moment(text: str) -> datetime | None:
    """Raises Refused(usage) for what is no time with a zone."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        refuse(
            "usage",
            f"`{text}` is no ISO 8601 time with a zone",
            "m1nd north TASK --as-of 2026-01-31T12:00:00Z",
        )
    return moment


def _show_card(call: Call, console: Console, packet: Packet, request: NorthRequest, deep: bool) -> None:
    from m1nd.adapters.cli.north_views import print_card
    from m1nd.domain.card.deep import deep as lengthen

    print_card(
        console, lengthen(packet.facts, packet.details) if deep else packet.card.lines, packet.card.state
    )
    _note(call, console, packet, request.session)


def _note(call: Call, console: Console, packet: Packet, session: str) -> None:
    """Record the card that a human has just seen (D14): on a terminal, or in a session; never in a foreign brain."""
    from m1nd.domain.card.facts import State

    brain = call.brain()
    seen = bool(session) or console.is_terminal
    if not seen or brain.read_only or packet.card.state is State.MISMATCH:
        return
    from m1nd.application.use_cases.card_shown import card_shown as note

    try:
        note(brain, session, packet.card.signature)
    except Refused as refused:
        from m1nd.adapters.cli.output import print_warnings

        print_warnings(call, (f"that this card was shown could not be noted: {refused.refusal.message}",))
