"""Paths of the moved text through a module that the new crate cannot name: written anew to the item behind it (frontier 2c).

Within a crate such a module is made visible; to another one it stays closed, and what it holds may be shown elsewhere.
"""

from collections.abc import Iterable

from m1nd.domain.move.anchored import rewrite
from m1nd.domain.move.at_home import anchor_depth
from m1nd.domain.move.needs import Collector
from m1nd.domain.move.spelling import refuse_unspeakable, spell
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence


def is_closed(collector: Collector, definition: Definition) -> bool:
    """A module of another crate that no path leads to from the new home."""
    move = collector.move
    if not move.crosses or definition.kind is not DefinitionKind.MODULE:
        return False
    outside = definition.crate != move.home.definition.crate
    return outside and spell(collector.arrival, move, definition) is None


def write_past_modules(collector: Collector, occurrences: Iterable[Occurrence]) -> None:
    """Write the path to the first item on each path. Raises Refused(not_movable) where none leads there."""
    move = collector.move
    for occurrence in occurrences:
        depth = anchor_depth(occurrence)
        definition = move.after(occurrence.denotes[depth][0])
        path = spell(collector.arrival, move, definition)
        if path is None:
            refuse_unspeakable(move, occurrence, definition)
        rewrite(collector, occurrence, depth, path)
        collector.viewed.update(move.after(d) for ds in occurrence.denotes[depth:] for d in ds)
