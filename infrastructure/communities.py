"""Communities of a graph by Louvain's method (python-igraph, imported late), the same for the same graph in every run."""

import random
from collections.abc import Sequence

SEED = 20260708


def louvain(nodes: int, edges: Sequence[tuple[int, int, int]]) -> list[int]:
    """The community of each node; `edges` are `(node, node, weight)`, undirected."""
    if not edges:
        return list(range(nodes))
    import igraph

    igraph.set_random_number_generator(random.Random(SEED))
    try:
        graph = igraph.Graph(n=nodes, edges=[(a, b) for a, b, _ in edges])
        found = graph.community_multilevel(weights=[float(weight) for _, _, weight in edges])
    finally:
        igraph.set_random_number_generator(random)
    return _renumbered(found.membership)


def _renumbered(membership: Sequence[int]) -> list[int]:
    """Numbers in the order of first sight, so that they say nothing of the library's order."""
    names: dict[int, int] = {}
    return [names.setdefault(number, len(names)) for number in membership]
