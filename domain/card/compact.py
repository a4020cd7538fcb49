"""The compact card: one line of identity, at most one signal, at most four lines (seed 000 §3, D5 to D11)."""

from attrs import frozen

from m1nd.domain.card.facts import CardFacts, State
from m1nd.domain.card.skins import CONTENT, HEAD, SEPARATOR, WRAPPED_CONTENT, body
from m1nd.domain.card.width import columns, head
from m1nd.domain.card.wrapping import CUT, wrap, wrap_within

SCHEMA = "m1nd-human-view-v0"
MOST_LINES = 4


@frozen
class Card:
    state: State
    signature: str
    lines: tuple[str, ...]


def compact(facts: CardFacts) -> Card:
    """The card of these facts, in the Unicode skin."""
    return Card(facts.state, facts.signature, tuple(_lines(facts)))


def _lines(facts: CardFacts) -> list[str]:
    top = facts.top
    if top is None:
        return [identity(facts)]
    if facts.state is State.MISMATCH:
        return _with_next(
            [HEAD + top.text], f"bound: {facts.bound}{SEPARATOR}yours: {facts.yours}", facts.next_move
        )
    if facts.state is State.NEEDS_INGEST:
        return _with_next([identity(facts)], top.text, facts.next_move)
    return [identity(facts), *_signal(top.text, MOST_LINES - 1)]


def _with_next(above: list[str], signal: str, next_move: str) -> list[str]:
    """The signal, and the next move below it where all of it fits (D7)."""
    lines = above + _signal(signal, MOST_LINES - len(above))
    move = next_lines(next_move)
    return lines + move if len(lines) + len(move) <= MOST_LINES else lines


def _signal(text: str, room: int) -> list[str]:
    return body(wrap_within(text, CONTENT, WRAPPED_CONTENT, room))


def next_lines(next_move: str) -> list[str]:
    return body(wrap(f"next: {next_move}", CONTENT, WRAPPED_CONTENT))


def identity(facts: CardFacts) -> str:
    """Line 1: trust, nodes, memories, maps; what is zero is not said, but for the nodes of an empty graph (D10, D11)."""
    if facts.state is State.NEEDS_INGEST:
        return HEAD + SEPARATOR.join((facts.trust, f"{facts.nodes:,} nodes"))
    counted = ((facts.nodes, "nodes"), (facts.memories, "memories"), (facts.maps, "maps ratified"))
    segments = [facts.trust.replace("_", " "), *(f"{count:,} {noun}" for count, noun in counted if count)]
    while len(segments) > 1 and columns(SEPARATOR.join(segments)) > CONTENT:
        segments.pop()
    line = SEPARATOR.join(segments)
    return HEAD + (line if columns(line) <= CONTENT else head(line, CONTENT - 1) + CUT)
