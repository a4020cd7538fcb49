"""Personalised PageRank by local push: the walk restarts at the seeds and visits only their neighbourhood.

Why not a graph library: docs/decisions.md, 79. The approximation is that of Andersen, Chung and Lang (2006): what is left
at a node below `PRECISION` of its degree is not pushed on.
"""

from collections import deque
from collections.abc import Iterator, Mapping

from attrs import define

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety
from m1nd.domain.index.edges import Compressed
from m1nd.domain.index.graph import IndexGraph

RESTART = 0.2
PRECISION = 1e-4
MOST_PUSHES = 20_000
SURE = {Surety.RESOLVED: 1.0, Surety.METHOD: 0.5, Surety.NAME_ONLY: 0.2}
BACKWARD = 0.6
"""What is used weighs less for what uses it than the other way round."""
CONTAINED = 0.5
FORWARD_WORDS = {Edge.CALLS: "called by", Edge.IMPORTS: "imported by", Edge.REEXPORTS: "re-exported by"}
BACKWARD_WORDS = {Edge.CALLS: "calls", Edge.IMPORTS: "imports", Edge.REEXPORTS: "re-exports"}


@define
class Reached:
    """A node that the walk came to: how much of it stays here, and over which edge most of it came first."""

    mass: float
    via: int
    edge: str


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
        if node in found:
            found[node].mass += RESTART * mass
        else:
            found[node] = Reached(RESTART * mass, node, "")
        steps = list(_steps(graph, node))
        weight = sum(step[1] for step in steps)
        if not weight:
            continue
        for target, share, edge in steps:
            amount = (1 - RESTART) * mass * share / weight
            left[target] = left.get(target, 0.0) + amount
            if target not in found:
                found[target] = Reached(0.0, node, edge)
            if left[target] > PRECISION and target not in queued:
                waiting.append(target)
                queued.add(target)
    return found


def _steps(graph: IndexGraph, node: int) -> Iterator[tuple[int, float, str]]:
    """The ways out of a node: along its uses, against them, and to what holds it or stands in it."""
    yield from _along(graph.out, node, 1.0, FORWARD_WORDS, "used by")
    yield from _along(graph.into, node, BACKWARD, BACKWARD_WORDS, "uses")
    if node >= graph.item_count:
        return
    if graph.parent[node] >= 0:
        yield graph.parent[node], CONTAINED, "holds"
    else:
        yield graph.item_count + graph.module[node], CONTAINED, "holds"
    if graph.kinds[node] in "it":
        for child in graph.children(node):
            yield child, CONTAINED, "stands in"


def _along(
    side: Compressed, node: int, factor: float, words: Mapping[Edge, str], other: str
) -> Iterator[tuple[int, float, str]]:
    for at in range(side.offsets[node], side.offsets[node + 1]):
        byte = side.kinds[at]
        kind = Edge(byte & 15)
        yield side.ends[at], factor * SURE[Surety(byte >> SURETY_SHIFT)], words.get(kind, other)
