"""Questions about edges: who uses an item, what it uses, how far a change reaches, how two items hang together.

All of it is the index tier: an edge carries how sure it is, and an answer carries it on.
"""

from collections.abc import Callable, Sequence

from attrs import frozen

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety
from m1nd.domain.index.edges import Side
from m1nd.domain.index.graph import TEST, IndexGraph

USES = frozenset(
    (Edge.CALLS, Edge.REFERENCES, Edge.IMPORTS, Edge.REEXPORTS, Edge.IMPLEMENTS, Edge.IMPLEMENTS_TRAIT)
)


@frozen
class Link:
    """One edge as an answer: the node at its other end, its kind, its surety."""

    node: int
    kind: Edge
    surety: Surety


@frozen
class Reached:
    """One node that a change reaches: after how many steps, over which link, from which node."""

    node: int
    depth: int
    via: int
    kind: Edge
    surety: Surety


@frozen
class Step:
    """One step of a way: from, to, and the edge between; `reverse` when the edge is read against its direction."""

    source: int
    target: int
    kind: Edge
    surety: Surety
    reverse: bool = False


def links(side: Side, node: int, kinds: frozenset[Edge] = USES) -> list[Link]:
    """Edges of one node on one side, best ones first."""
    found: list[Link] = []
    for end, byte in side.of(node):
        kind = Edge(byte & 15)
        if kind in kinds:
            found.append(Link(end, kind, Surety(byte >> SURETY_SHIFT)))
    return sorted(found, key=lambda link: (link.surety, link.kind, link.node))


def used_by(graph: IndexGraph, node: int) -> list[Link]:
    """Who uses a node."""
    return links(graph.into, node)


def uses(graph: IndexGraph, node: int) -> list[Link]:
    """What a node uses; an item with items inside uses what they use."""
    found: dict[tuple[int, Edge], Link] = {}
    for inner in _with_inside(graph, node):
        for link in links(graph.out, inner):
            if link.node != node:
                found.setdefault((link.node, link.kind), link)
    return sorted(found.values(), key=lambda link: (link.surety, link.kind, link.node))


def _with_inside(graph: IndexGraph, node: int) -> list[int]:
    if node >= graph.item_count:
        return [node]
    _, start, end = graph.span_of(node)
    last = graph.first[graph.file_of(node) + 1]
    return [node, *(i for i in range(node + 1, last) if start <= graph.span_of(i)[1] < end)]


def impact(
    graph: IndexGraph, node: int, depth: int, surest: Surety = Surety.METHOD, most: int = 500
) -> list[Reached]:
    """What a change of a node may reach, nearest first: users, their users, up to `depth` steps.

    Edges less sure than `surest` are not followed. A user inside an impl or a `use` counts as itself.
    """
    seen = {node}
    frontier = [node]
    found: list[Reached] = []
    for step in range(1, depth + 1):
        following: list[int] = []
        for current in frontier:
            for link in [*links(graph.into, current), *_members(graph, current)]:
                if link.surety > surest or link.node in seen:
                    continue
                seen.add(link.node)
                following.append(link.node)
                found.append(Reached(link.node, step, current, link.kind, link.surety))
                if len(found) >= most:
                    return found
        frontier = following
        if not frontier:
            break
    return found


def _members(graph: IndexGraph, node: int) -> list[Link]:
    """What stands in an impl or trait changes with it."""
    if node >= graph.item_count or graph.kinds[node] not in "it":
        return []
    return [Link(child, Edge.CONTAINS, Surety.RESOLVED) for child in graph.children(node)]


def tests_of(graph: IndexGraph, node: int, depth: int = 3) -> list[Reached]:
    """Tests that reach a node within some steps."""
    return [
        reached
        for reached in impact(graph, node, depth, most=5000)
        if reached.node < graph.item_count and graph.flags[reached.node] & TEST
    ]


def why(graph: IndexGraph, source: int, target: int, surest: Surety = Surety.NAME_ONLY) -> tuple[Step, ...]:
    """The shortest way from one node to another: forward along uses, else backward, else through both; empty if none.

    A sure way of any length beats a guess of the same length; a way along one direction beats a mixed one.
    """
    for allowed in sorted({Surety.RESOLVED, Surety.METHOD, surest}):
        if allowed > surest:
            continue
        for neighbours in (_forward, _backward, _both):
            way = _shortest(graph, source, target, neighbours, allowed)
            if way:
                return way
    return ()


Neighbours = Callable[[IndexGraph, int, Surety], Sequence[Step]]


def _forward(graph: IndexGraph, node: int, surest: Surety) -> list[Step]:
    steps = [
        Step(node, link.node, link.kind, link.surety)
        for link in links(graph.out, node, USES | {Edge.DECLARES_MODULE, Edge.DEPENDS_ON})
        if link.surety <= surest
    ]
    if node < graph.item_count:
        # What is written inside an item belongs to it.
        steps += [Step(node, child, Edge.CONTAINS, Surety.RESOLVED) for child in graph.children(node)]
    return steps


def _backward(graph: IndexGraph, node: int, surest: Surety) -> list[Step]:
    steps = [
        Step(node, link.node, link.kind, link.surety, reverse=True)
        for link in links(graph.into, node, USES | {Edge.DECLARES_MODULE, Edge.DEPENDS_ON})
        if link.surety <= surest
    ]
    if node < graph.item_count and graph.parent[node] >= 0:
        steps.append(Step(node, graph.parent[node], Edge.CONTAINS, Surety.RESOLVED, reverse=True))
    return steps


def _both(graph: IndexGraph, node: int, surest: Surety) -> list[Step]:
    return _forward(graph, node, surest) + _backward(graph, node, surest)


def _shortest(
    graph: IndexGraph, source: int, target: int, neighbours: Neighbours, surest: Surety
) -> tuple[Step, ...]:
    came: dict[int, Step] = {}
    seen = {source}
    frontier = [source]
    while frontier and target not in seen:
        following: list[int] = []
        for node in frontier:
            for step in neighbours(graph, node, surest):
                if step.target not in seen:
                    seen.add(step.target)
                    came[step.target] = step
                    following.append(step.target)
        frontier = following
    way: list[Step] = []
    here = target
    while here != source:
        if here not in came:
            return ()
        way.append(came[here])
        here = came[here].source
    return tuple(reversed(way))
