"""How a card and a packet look on a terminal. The card's lines are printed as they are: no rule of theirs lives here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from m1nd.adapters.cli.render import table
from m1nd.domain.card.facts import State
from m1nd.domain.card.skins import BODY

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.domain.north.packet import Packet

GUTTER = len(BODY) - 1


def print_card(console: Console, lines: Sequence[str], state: State) -> None:
    """One line a line, never folded: the spine stays where it is on any terminal."""
    for at, line in enumerate(lines):
        shown = Text.assemble((line[:GUTTER], "spine"), (line[GUTTER:], _style(at, line, lines, state)))
        console.print(shown, soft_wrap=True)


def _style(at: int, line: str, lines: Sequence[str], state: State) -> str:
    """The colour of one line's content; all of it is plain but the bell and the warning."""
    if state is State.MISMATCH:
        return "foreign" if at == 0 else ""
    if state is State.BELL and at and _block_of(at, lines) == 1:
        return "bell"
    return ""


def _block_of(at: int, lines: Sequence[str]) -> int:
    """Which block of the card a line is in: 0 for the first line, 1 for the top signal; breathing lines part the others."""
    blanks = sum(len(line) <= GUTTER for line in lines[1 : at + 1])
    return max(1, blanks)


def show_packet(console: Console, packet: Packet) -> None:
    """What the card leaves out: the focus, the other gaps, the next move."""
    context = packet.data.get("context")
    if context and context["focus_nodes"]:
        rows = table("focus", "kind", "place", "why", "score", right=(4,))
        for node in context["focus_nodes"]:
            rows.add_row(
                Text(node["label"], "name"),
                node["kind"],
                Text(f"{node['path']}:{node['line']}", "path"),
                node["why"],
                f"{node['score']:.2f}",
            )
        console.print()
        console.print(rows)
    top = packet.facts.top
    others = [signal.text for signal in packet.facts.ranked if top is None or signal.text != top.text]
    for gap in others:
        console.print(f"gap: {gap}", style="quiet")
    if packet.card.state not in (State.MISMATCH, State.NEEDS_INGEST):
        console.print(f"next: {packet.facts.next_move}")
