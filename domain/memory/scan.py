"""Finds a pattern in the graph. A read: it counts nothing and remembers nothing.

Bounded by steps, not by time, so that the same question has the same answer; a search that ran out of them says so.
"""

from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety
from m1nd.domain.index.edges import Side
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.memory.antibodies import Pattern, PatternEdge, PatternNode

MOST_STEPS = 400_000
"""Looks at one item or one edge, for one pattern."""
UNNAMED = frozenset("uxop")
"""`use` and `extern` lines, foreign blocks, what did not parse: no items of a pattern."""


@frozen
class Eyes:
    """What a pattern asks of an item beyond the graph: its tags, its text, and where a symbol id is now."""

    tags: Callable[[int], frozenset[str]]
    text: Callable[[int], bytes]
    place: Callable[[str], int | None]


@frozen
class Found:
    """Matches as tuples of nodes, in the order of `Pattern.present`; `exhausted` where there may be more."""

    matches: tuple[tuple[int, ...], ...]
    exhausted: bool


class _OutOfSteps(Exception):
    pass


@define
class _Search:
    graph: IndexGraph
    pattern: Pattern
    eyes: Eyes
    steps: int
    _fits: dict[tuple[int, int], bool] = field(factory=dict)

    def count(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise _OutOfSteps

    def fits(self, number: int, node: int) -> bool:
        """Whether a graph's node can be that node of the pattern."""
        key = (number, node)
        if key not in self._fits:
            self.count()
            self._fits[key] = _fits(self.graph, self.pattern.nodes[number], node, self.eyes)
        return self._fits[key]

    def candidates(self, number: int) -> Iterator[int]:
        wanted = self.pattern.nodes[number]
        if wanted.symbol_id:
            place = self.eyes.place(wanted.symbol_id)
            pool: Sequence[int] = [] if place is None else [place]
        elif wanted.label:
            pool = self.graph.items_named(wanted.label)
        else:
            pool = range(self.graph.node_count)
        return (node for node in pool if self.fits(number, node))


def find(graph: IndexGraph, pattern: Pattern, eyes: Eyes, limit: int, steps: int = MOST_STEPS) -> Found:
    """At most `limit` matches, in the order of the graph's nodes."""
    search = _Search(graph, pattern, eyes, steps)
    order = _order(pattern)
    found: dict[tuple[int, ...], None] = {}
    try:
        for match in _extend(search, order, {}):
            found.setdefault(tuple(match[number] for number in pattern.present))
            if len(found) > limit:
                break
    except _OutOfSteps:
        return Found(tuple(sorted(found))[:limit], True)
    return Found(tuple(sorted(found)[:limit]), len(found) > limit)


def _order(pattern: Pattern) -> list[int]:
    """Nodes so that each but the first has an edge to an earlier one; begins with the one that says most."""
    weight = {
        n: sum(2 if name in ("symbol_id", "label") else 1 for name, _ in pattern.nodes[n].says())
        for n in pattern.present
    }
    order = [max(pattern.present, key=lambda n: (weight[n], -n))]
    while len(order) < len(pattern.present):
        near = {
            end
            for edge in pattern.edges
            for end, other in ((edge.source_idx, edge.target_idx), (edge.target_idx, edge.source_idx))
            if other in order and end not in order
        }
        order.append(max(near, key=lambda n: (weight[n], -n)))
    return order


def _extend(search: _Search, order: list[int], match: dict[int, int]) -> Iterator[dict[int, int]]:
    if len(match) == len(order):
        if not any(_is_there(search, edge, match) for edge in search.pattern.negative_edges):
            yield dict(match)
        return
    number = order[len(match)]
    edges = [
        edge
        for edge in search.pattern.edges
        if number in (edge.source_idx, edge.target_idx)
        and (edge.source_idx in match or edge.target_idx in match)
    ]
    for node in _neighbours(search, number, edges, match) if match else search.candidates(number):
        if node in match.values():
            continue
        match[number] = node
        if all(_holds(search, edge, match) for edge in edges):
            yield from _extend(search, order, match)
        del match[number]


def _neighbours(search: _Search, number: int, edges: list[PatternEdge], match: dict[int, int]) -> list[int]:
    edge = edges[0]
    if edge.source_idx == number:
        pool = _ends(search, match[edge.target_idx], edge.relation, search.graph.into, Surety.METHOD)
    else:
        pool = _ends(search, match[edge.source_idx], edge.relation, search.graph.out, Surety.METHOD)
    return sorted({node for node in pool if search.fits(number, node)})


def _holds(search: _Search, edge: PatternEdge, match: dict[int, int]) -> bool:
    if edge.source_idx not in match or edge.target_idx not in match:
        return True
    source, target = match[edge.source_idx], match[edge.target_idx]
    return target in _ends(search, source, edge.relation, search.graph.out, Surety.METHOD)


def _is_there(search: _Search, edge: PatternEdge, match: dict[int, int]) -> bool:
    """Whether a negative edge exists; one that rests on a bare name counts, for the pattern says that there is none."""
    graph, source, target = search.graph, edge.source_idx, edge.target_idx
    if source in match and target in match:
        return match[target] in _ends(search, match[source], edge.relation, graph.out, Surety.NAME_ONLY)
    here, absent, side = (source, target, graph.out) if source in match else (target, source, graph.into)
    pool = _ends(search, match[here], edge.relation, side, Surety.NAME_ONLY)
    return any(search.fits(absent, node) for node in pool)


def _ends(search: _Search, node: int, relation: str, side: Side, surest: Surety) -> list[int]:
    """The other ends of a node's edges of that relation (any, where it is empty) on one side."""
    graph = search.graph
    wanted = Edge[relation.upper()] if relation else None
    found: list[int] = []
    for end, byte in side.of(node):
        search.count()
        if byte >> SURETY_SHIFT <= surest and wanted in (None, Edge(byte & 15)):
            found.append(end)
    if wanted in (None, Edge.CONTAINS):
        found += _inside(graph, node) if side is graph.out else _around(graph, node)
    return found


def _inside(graph: IndexGraph, node: int) -> list[int]:
    if node < graph.item_count:
        return graph.children(node)
    module = node - graph.item_count
    file = graph.module_files[module]
    items = range(graph.first[file], graph.first[file + 1])
    return [i for i in items if graph.module[i] == module and not graph.holders(i)]


def _around(graph: IndexGraph, node: int) -> list[int]:
    if node >= graph.item_count:
        return []
    holders = graph.holders(node)
    return [holders[0] if holders else graph.item_count + graph.module[node]]


def _fits(graph: IndexGraph, wanted: PatternNode, node: int, eyes: Eyes) -> bool:
    if node < graph.item_count and graph.kinds[node] in UNNAMED:
        return False
    if wanted.node_type and graph.kind_of(node) != wanted.node_type:
        return False
    name = graph.name_of(node)
    if wanted.label and name != wanted.label:
        return False
    if wanted.label_contains and wanted.label_contains.lower() not in name.lower():
        return False
    if wanted.symbol_id and eyes.place(wanted.symbol_id) != node:
        return False
    if wanted.required_tags and not eyes.tags(node) >= set(wanted.required_tags):
        return False
    return not wanted.text_contains or wanted.text_contains.encode() in eyes.text(node)
