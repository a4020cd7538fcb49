"""The deep form R2: the same spine, longer; every signal in priority order, at most 14 lines (seed 000 §2, §5).

It is rendered from fields of the packet and its views; a line that no field stands behind does not exist.
"""

from attrs import frozen

from m1nd.domain.card.compact import compact, identity, next_lines
from m1nd.domain.card.facts import CardFacts, Signal, State
from m1nd.domain.card.skins import BREATH, CONTENT, WRAPPED, WRAPPED_CONTENT, body
from m1nd.domain.card.width import columns
from m1nd.domain.card.wrapping import wrap, wrap_within

MOST_LINES = 14
OPEN_TRAY = "open the tray"


@frozen
class WaitingMission:
    """A mission of the bell: its id, what its gate said (`441 tests green`), its receipt's short hash (empty: none)."""

    id: str
    gate: str
    receipt: str = ""


@frozen
class MapLine:
    """A ratified block as one line: its slug and `ok`, or the one word for what is wrong."""

    slug: str
    state: str


@frozen
class DeepDetails:
    """`missions`, newest first, are those of the bell; `maps` the ratified blocks, by slug."""

    missions: tuple[WaitingMission, ...] = ()
    maps: tuple[MapLine, ...] = ()


def deep(facts: CardFacts, details: DeepDetails) -> tuple[str, ...]:
    """The deep card. Under mismatch it is the compact one: there is nothing of this brain to show."""
    if facts.state is State.MISMATCH:
        return compact(facts).lines
    lines = [identity(facts)]
    move = _next(facts)
    room = MOST_LINES - len(lines) - len(move)
    lines += _signals(facts, details, room)
    left = MOST_LINES - len(lines) - len(move)
    if not facts.signals or len(details.maps) + 2 <= left:
        lines += _maps(details.maps, left)
    return tuple(lines + move)


def _next(facts: CardFacts) -> list[str]:
    return [BREATH, *next_lines(OPEN_TRAY if facts.state is State.BELL else facts.next_move)]


def _signals(facts: CardFacts, details: DeepDetails, room: int) -> list[str]:
    """Whole signals as far as they fit; how many more there are stands on the last line."""
    lines: list[str] = []
    waiting = list(facts.ranked)
    while waiting:
        block = _block(waiting[0], details)
        reserve = 1 if len(waiting) > 1 else 0
        if len(lines) + len(block) + reserve > room:
            break
        lines += block
        waiting.pop(0)
    return [*lines, _others(len(waiting))] if waiting else lines


def _block(signal: Signal, details: DeepDetails) -> list[str]:
    lines = [BREATH, *body(wrap(signal.text, CONTENT, WRAPPED_CONTENT))]
    if signal.code == "bell" and details.missions:
        lines += [BREATH, *_mission(details.missions[0])]
        if len(details.missions) > 1:
            lines.append(_others(len(details.missions) - 1))
    return lines


def _mission(mission: WaitingMission) -> list[str]:
    parts = [mission.id, "merge_wait", mission.gate]
    lines = [_item(" · ".join(part for part in parts if part))]
    if mission.receipt:
        lines.append(_item(f"receipt {mission.receipt} — awaiting your stamp"))
    return lines


def _maps(maps: tuple[MapLine, ...], room: int) -> list[str]:
    if not maps:
        return []
    fits = room - 2
    shown = maps if len(maps) <= fits else maps[: fits - 1]
    width = max(columns(row.slug) for row in shown)
    rows = [_item(f"{row.slug}{' ' * (width - columns(row.slug))}  {row.state}") for row in shown]
    more = [_others(len(maps) - len(shown))] if len(shown) < len(maps) else []
    return [BREATH, *body([f"ratified maps · {len(maps)}"]), *rows, *more]


def _others(count: int) -> str:
    return _item(f"(the tray lists the other {count})")


def _item(text: str) -> str:
    """A line two columns further in; cut where it is too wide, for a wrapped item could not be told from the next one."""
    inner = (
        text
        if columns(text) <= WRAPPED_CONTENT
        else wrap_within(text, WRAPPED_CONTENT, WRAPPED_CONTENT, 1)[0]
    )
    return WRAPPED + inner
