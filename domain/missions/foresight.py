"""Which files a piece of work will touch, foreseen on the index tier: its own, those it uses, those that use it. Pure."""

from collections.abc import Callable, Iterable

from m1nd.domain.index import reach
from m1nd.domain.index.codes import Surety
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.missions.delegation import Foreseen

MOST = 1000


def foresee(graph: IndexGraph, nodes: Iterable[int], members: Iterable[str]) -> Foreseen:
    """`nodes` are what the task means, `members` the files of its block. A bare name foresees nothing."""
    chosen = list(nodes)
    own = {*members, *(graph.path_of(node) for node in chosen)}
    every = [*chosen, *(node for node in range(graph.item_count) if graph.path_of(node) in own)]
    uses = _paths(graph, every, reach.uses) - own
    users = _paths(graph, every, reach.used_by) - own
    return Foreseen(
        in_scope=tuple(sorted(own))[:MOST],
        expected_change=tuple(sorted(uses))[:MOST],
        dependent_contact=tuple(sorted(users - uses))[:MOST],
    )


def _paths(
    graph: IndexGraph, nodes: Iterable[int], side: Callable[[IndexGraph, int], list[reach.Link]]
) -> set[str]:
    return {
        graph.path_of(link.node)
        for node in nodes
        for link in side(graph, node)
        if link.surety is not Surety.NAME_ONLY
    }
