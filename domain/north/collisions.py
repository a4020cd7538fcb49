"""Who else changes things here, and where it meets the caller's work. Pure; advisory only (CARD.md §3, `collision`).

Seen is what went through the brain: open plans, writes of the last half hour, missions at work. Git is not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import timedelta

from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.north.inputs import Collision

WINDOW = timedelta(minutes=30)
"""A write that is older says nothing about what its author does now."""

MOST_AGENTS, MOST_PATHS = 3, 3


def works(found: Iterable[tuple[str, Iterable[str]]]) -> dict[str, set[str]]:
    """What each agent changes or plans to change: paths by agent, of all that was seen of it."""
    made: dict[str, set[str]] = {}
    for agent, paths in found:
        made.setdefault(agent, set()).update(paths)
    return made


def collide(
    caller: str, about: AbstractSet[str], every: Mapping[str, AbstractSet[str]]
) -> tuple[Collision, ...]:
    """The other agents whose files are the caller's too, the most shared first.

    `about` are the files that the caller's task is about; its own plans and writes count as well.
    """
    own = about | every.get(caller, set())
    met = [(agent, sorted(own & paths)) for agent, paths in every.items() if agent != caller and own & paths]
    met.sort(key=lambda each: (-len(each[1]), each[0]))
    return tuple(Collision(sanitised(agent), _few(paths)) for agent, paths in met[:MOST_AGENTS])


def _few(paths: list[str]) -> tuple[str, ...]:
    shown = tuple(sanitised(path) for path in paths[:MOST_PATHS])
    rest = len(paths) - len(shown)
    return (*shown, f"{rest} more") if rest > 0 else shown
