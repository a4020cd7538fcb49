"""Moves of several items of one file in one plan, drawn for the corpus."""

import random

from benchmarks.created import new_file
from benchmarks.draws import FAR, Draw, Item, compiled_alike, distinct
from m1nd.domain.places import place_at
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.workspace import Workspace

MOST_TOGETHER = 4
ELSEWHERE = 0.15
"""How often the destination is a module inline in a file, and how often a file that is made."""


def sample_several(workspace: Workspace, items: list[Item], moves: int, dice: random.Random) -> list[Draw]:
    """Two to four items of one module, half of the time neighbours in its text; destinations that are compiled alike.

    Whole modules move alone; one draw in twenty has one nevertheless.
    """
    places, conditions = compiled_alike(workspace, True)

    def once() -> Draw | None:
        first = dice.choice(items)
        others = _beside(workspace, items, first, with_modules=dice.random() < FAR)
        count = min(len(others), dice.randint(1, MOST_TOGETHER - 1))
        if not count:
            return None
        start = dice.randrange(len(others) - count + 1)
        near = dice.random() < 0.5
        chosen = others[start : start + count] if near else dice.sample(others, count)
        alike = sorted(places.get((first.crate, conditions[first.place]), ()))
        dest = _dest(workspace, first, alike, sorted(conditions), dice)
        return (
            Draw(first.kind, first.name, first.place, dest, tuple(i.name for i in chosen)) if dest else None
        )

    return distinct(once, moves, 40) if items else []


def _dest(
    workspace: Workspace, first: Item, alike: list[str], everywhere: list[str], dice: random.Random
) -> str | None:
    chance = dice.random()
    if chance < FAR:
        return dice.choice(everywhere)
    if chance < FAR + ELSEWHERE and ".rs::" not in first.place:
        return new_file(workspace, first, [], dice)
    inline = chance < FAR + 2 * ELSEWHERE
    choice = [p for p in alike if (".rs::" in p) == inline] or alike
    return dice.choice(choice)


def _beside(workspace: Workspace, items: list[Item], first: Item, with_modules: bool) -> list[Item]:
    """The other items of the place, in the order of its text."""
    if first.kind == ItemKind.MOD and not with_modules:
        return []
    position = {i.name: n for n, i in enumerate(workspace.facts[place_at(first.place).file].items)}
    found = [
        i
        for i in items
        if (i.crate, i.place) == (first.crate, first.place)
        and i.name != first.name
        and (with_modules or i.kind != ItemKind.MOD)
    ]
    return sorted({i.name: i for i in found}.values(), key=lambda i: position[i.name])
