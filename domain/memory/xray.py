"""Which state an item is in: a survey of the graph, before anything is painted. Reads the index tier only.

Order, first that applies: erosion, bedrock, overgrowth, unproven (reference, X-ray).
"""

from collections.abc import Collection, Iterable, Mapping

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety
from m1nd.domain.index.graph import PUBLIC, TEST, IndexGraph
from m1nd.domain.index.reach import USES
from m1nd.domain.memory.paint import PaintState

PAINTABLE = frozenset("fsentckyr")
"""Items that bear a name and are no part of another: fn, struct, enum, union, trait, const, static, type, macro."""

FAR = 3
"""A test proves what it reaches in so many steps."""


def paintable(graph: IndexGraph, item: int) -> bool:
    """Whether an item can be painted; tests prove and are not proven."""
    return graph.kinds[item] in PAINTABLE and not graph.flags[item] & TEST


def reached_by_tests(graph: IndexGraph) -> set[int]:
    """Every node that a test reaches in at most `FAR` steps, over edges that are no guesses by bare name."""
    frontier = [item for item in range(graph.item_count) if graph.flags[item] & TEST]
    seen = set(frontier)
    for _ in range(FAR):
        frontier = [node for node in _used(graph, frontier) if node not in seen and not seen.add(node)]  # type: ignore[func-returns-value]
    return seen


def _used(graph: IndexGraph, nodes: Iterable[int]) -> Iterable[int]:
    for node in nodes:
        for end, byte in graph.out.of(node):
            if Edge(byte & 15) in USES and byte >> SURETY_SHIFT < Surety.NAME_ONLY:
                yield end


def state_of(
    graph: IndexGraph,
    item: int,
    tested: Collection[int],
    vouched: Mapping[int, str],
    eroded: Mapping[int, str],
) -> tuple[PaintState, str]:
    """The state of one item and why. `vouched`: items to the claim that rests on them; `eroded`: to the pattern found there."""
    if item in eroded:
        return PaintState.EROSION, f"pattern: {eroded[item]}"
    if item in tested:
        return PaintState.BEDROCK, "a test reaches it"
    if item in vouched:
        return PaintState.BEDROCK, f"claim: {vouched[item]}"
    if not graph.into.count(item) and not _called_from_outside(graph, item):
        return PaintState.OVERGROWTH, "nothing refers to it"
    return PaintState.UNPROVEN, "no test reaches it"


def _called_from_outside(graph: IndexGraph, item: int) -> bool:
    """Public items, entry points and members of trait impls have callers that the graph does not see."""
    if graph.flags[item] & PUBLIC or graph.names[item] == "main":
        return True
    holders = graph.holders(item)
    return bool(holders) and graph.kinds[holders[0]] in "it"
