"""Moves drawn for the corpus: which items, from where, to where; seeded, mostly legal by what is compiled together.

The draws between crates are in `crossings.py`, those to files that are not there yet in `created.py`, those of several items
in `several.py`.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from m1nd.domain.move.inline_modules import is_in_a_module, place_of
from m1nd.domain.places import place_at
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace

FAR = 0.05
"""How often a destination is any at all, to be refused as a rule."""


@frozen(order=True)
class Item:
    """An item that stands directly in a module: its crate, the place of the module, its kind and name."""

    crate: str
    place: str
    kind: str
    name: str


@frozen
class Draw:
    """A move to try; `also`: more items of the same place."""

    kind: str
    symbol: str
    source: str
    dest: str
    also: tuple[str, ...] = ()


Sampler = Callable[[Workspace, list[Item], int, random.Random], list[Draw]]


def distinct(once: Callable[[], Draw | None], moves: int, attempts: int) -> list[Draw]:
    """Up to `moves` different draws, from so many attempts at each."""
    found: dict[Draw, None] = {}
    for _ in range(moves * attempts):
        if len(found) == moves:
            break
        draw = once()
        if draw is not None and draw.dest != draw.source:
            found[draw] = None
    return list(found)


def items_of(workspace: Workspace, kinds: Sequence[str], inline: bool) -> list[Item]:
    """Every item of `kinds` that stands directly in a module, each once. `inline`: those of modules inline in files too."""
    return sorted(
        {
            Item(module.definition.crate, place, item.kind.value, item.name)
            for module, place in modules_of(workspace, inline)
            for item in workspace.facts[module.file].items
            if item.parent == module.scope_item and item.kind.value in kinds and not _is_inline(item)
        }
    )


def modules_of(workspace: Workspace, inline: bool) -> Iterator[tuple[Module, str]]:
    """The modules that a move can name, with their places."""
    for module in workspace.modules.values():
        items = workspace.facts[module.file].items
        if not module.inline or (inline and is_in_a_module(workspace.facts[module.file], items[module.item])):
            yield module, place_of(workspace, module)


def _is_inline(item: ItemFact) -> bool:
    """A module without a file of its own, which does not move as a whole."""
    return item.kind is ItemKind.MOD and item.has_body


def compiled_alike(
    workspace: Workspace, inline: bool
) -> tuple[dict[tuple[str, frozenset[str]], list[str]], dict[str, frozenset[str]]]:
    """The places of each crate by the conditions they are compiled under, and the conditions of each place."""
    places: dict[tuple[str, frozenset[str]], list[str]] = {}
    conditions: dict[str, frozenset[str]] = {}
    for module, place in modules_of(workspace, inline):
        conditions[place] = frozenset(module.cfg)
        places.setdefault((module.definition.crate, frozenset(module.cfg)), []).append(place)
    return places, conditions


def sample_within(workspace: Workspace, items: list[Item], moves: int, dice: random.Random) -> list[Draw]:
    """Any of `items` to another file of its crate that is compiled when its own is; now and then to any file at all."""
    files, conditions = compiled_alike(workspace, False)
    everywhere = sorted(conditions)

    def once() -> Draw | None:
        item = dice.choice(items)
        alike = sorted(files.get((item.crate, conditions[item.place]), ()))
        dest = dice.choice(everywhere if dice.random() < FAR else alike)
        return Draw(item.kind, item.name, item.place, dest)

    return distinct(once, moves, 20) if items else []


def sample_inline(workspace: Workspace, items: list[Item], moves: int, dice: random.Random) -> list[Draw]:
    """As `sample_within`, but source or destination (or both) is a module inline in a file; every third stays in its file."""
    places, conditions = compiled_alike(workspace, True)
    inside = [i for i in items if ".rs::" in i.place]

    def once() -> Draw | None:
        out_of = inside and dice.random() < 0.5
        item = dice.choice(inside if out_of else items)
        alike = sorted(places.get((item.crate, conditions[item.place]), ()))
        if dice.random() < 0.33:
            alike = [p for p in alike if place_at(p).file == place_at(item.place).file]
        if dice.random() < FAR:
            alike = sorted(conditions)
        choice = alike if out_of else [p for p in alike if ".rs::" in p]
        return Draw(item.kind, item.name, item.place, dice.choice(choice)) if choice else None

    return distinct(once, moves, 60) if items else []
