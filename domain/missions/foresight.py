"""Which files a piece of work will touch, foreseen on the index tier: its own, those it uses, those that use it. Pure."""

from collections.abc import Iterable

from m1nd.domain.index import reach
from m1nd.domain.index.codes import Surety
from m1nd.domain.index.edges import Side
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.missions.delegation import Foreseen

MOST = 1000


def foresee(graph: IndexGraph, nodes: Iterable[int], members: Iterable[str]) -> Foreseen:
    """`nodes` are what the task means, `members` the files of its block. A bare name foresees nothing."""
    own = {*members, *(graph.path_of(node) for node in nodes)}
    inside = [node for node in range(graph.item_count) if graph.path_of(node) in own]
    uses = _ends(graph, inside, graph.out) - own
    users = _ends(graph, inside, graph.into) - own - uses
    return Foreseen(
        in_scope=tuple(sorted(own))[:MOST],
        expected_change=tuple(sorted(uses))[:MOST],
        dependent_contact=tuple(sorted(users))[:MOST],
    )


def _ends(graph: IndexGraph, nodes: Iterable[int], side: Side) -> set[str]:
    """The files at the other ends of what these items use, or of what uses them."""
    return {
        graph.path_of(link.node)
        for node in nodes
        for link in reach.links(side, node)
        if link.surety is not Surety.NAME_ONLY
    }
