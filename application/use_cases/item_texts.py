"""The texts of a graph's items, for rankings by words: read once, and again only when a file is another one.

A file that is not as the graph read it is left out: the graph's places would point at the wrong words.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from m1nd.domain.north.texts import Texts, read_texts

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.domain.index.graph import IndexGraph


def item_texts(brain: Brain, graph: IndexGraph, stale: Collection[str] = ()) -> Texts:
    """`stale` are the paths that are not as the graph read them."""
    left_out = frozenset(stale)
    stamp = hash((frozenset(brain.graph.hashes().items()), left_out))
    made = _MADE.get(graph)
    if made is None or made[0] != stamp:
        made = stamp, read_texts(graph, lambda path: None if path in left_out else brain.graph.text(path))
        _MADE[graph] = made
    return made[1]


_MADE: WeakKeyDictionary[IndexGraph, tuple[int, Texts]] = WeakKeyDictionary()
"""The owner process answers many questions about one graph."""
