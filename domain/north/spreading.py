"""Personalised PageRank by local push: the walk restarts at the seeds and visits only their neighbourhood.

Why not a graph library: docs/decisions.md, 79. The approximation is that of Andersen, Chung and Lang (2006): less than
`PRECISION` is not pushed on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import define

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety

if TYPE_CHECKING:
    from m1nd.domain.index.edges import Side
    from m1nd.domain.index.graph import IndexGraph

RESTART = 0.2
PRECISION = 5e-4
MOST_PUSHES = 256
HUB = 64
"""What more than so many use, or what uses so many, tells nothing of a task: the walk does not go on through it."""
SURE = {Surety.RESOLVED: 1.0, Surety.METHOD: 0.5, Surety.NAME_ONLY: 0.2}
BACKWARD = 0.6
"""What is used weighs less for what uses it than the other way round."""
CONTAINED = 0.5
FORWARD_WORDS = {Edge.CALLS: "called by", Edge.IMPORTS: "imported by", Edge.REEXPORTS: "re-exported by"}
BACKWARD_WORDS = {Edge.CALLS: "calls", Edge.IMPORTS: "imports", Edge.REEXPORTS: "re-exports"}


@define
class Reached:
    """A node that the walk came to: how much of it stays here, and over which edge it came first."""

    mass: float
    via: int
    edge: str


Step = tuple[int, float, str]
Steps = Callable[[int], list[Step]]


def spread(graph: IndexGraph, seeds: Mapping[int, float]) -> dict[int, Reached]:
    """Where a walk from `seeds` (node → weight) settles. The masses sum to at most 1."""
    total = sum(seeds.values()) or 1.0
    left = {node: weight / total for node, weight in seeds.items()}
    found: dict[int, Reached] = {}
    waiting = deque(seeds)
    queued = set(seeds)
    for _ in range(MOST_PUSHES):
        if not waiting:
            break
        node = waiting.popleft()
        queued.discard(node)
        mass = left.pop(node, 0.0)
        found.setdefault(node, Reached(0.0, node, "")).mass += RESTART * mass
        steps = _steps(graph, node)
        weight = sum([share for _, share, _ in steps])
        for target, share, edge in steps:
            amount = left.get(target, 0.0) + (1 - RESTART) * mass * share / weight
            left[target] = amount
            if target not in found:
                found[target] = Reached(0.0, node, edge)
            if amount > PRECISION and target not in queued:
                waiting.append(target)
                queued.add(target)
    return found


def _steps(graph: IndexGraph, node: int) -> list[Step]:
    """The ways out of a node: along its uses, against them, and to what holds it or stands in it."""
    steps = _along(graph.out, node, FORWARD) + _along(graph.into, node, AGAINST)
    if node >= len(graph.kinds):
        return steps
    above = graph.parent[node]
    steps.append((above if above >= 0 else len(graph.kinds) + graph.module[node], CONTAINED, "holds"))
    if graph.kinds[node] in "it":
        steps += [(child, CONTAINED, "stands in") for child in graph.children(node)]
    return steps


Weighed = list[tuple[float, str]]


def _along(side: Side, node: int, weighed: Weighed) -> list[Step]:
    if side.count(node) > HUB:
        return []
    return [(end, *weighed[byte]) for end, byte in side.of(node)]


def _weighed(factor: float, words: Mapping[Edge, str], other: str) -> Weighed:
    """Share and words of every byte that an edge can have (`codes.edge_byte`)."""
    kinds, sureties = {edge.value: edge for edge in Edge}, {surety.value: surety for surety in Surety}
    table: Weighed = []
    for byte in range(256):
        kind, surety = kinds.get(byte & 15), sureties.get(byte >> SURETY_SHIFT)
        known = kind is not None and surety is not None
        table.append((factor * SURE[surety], words.get(kind, other)) if known else (0.0, other))  # type: ignore[index, arg-type]
    return table


FORWARD = _weighed(1.0, FORWARD_WORDS, "used by")
AGAINST = _weighed(BACKWARD, BACKWARD_WORDS, "uses")
