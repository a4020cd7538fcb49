"""The graph seen from its files: how often one uses another. What communities and sockets are made of."""

from collections import Counter

from m1nd.domain.index.codes import Edge
from m1nd.domain.index.graph import IndexGraph, edge_kind

STRUCTURE = {Edge.CONTAINS}
"""Kinds that say where an item stands, not what it uses."""


def file_edges(graph: IndexGraph) -> Counter[tuple[str, str]]:
    """Edges between two different files, by (user, used)."""
    found: Counter[tuple[str, str]] = Counter()
    out = graph.out.whole()
    path_of = [graph.path_of(node) for node in range(graph.node_count)]
    for node, source in enumerate(path_of):
        for at in range(out.offsets[node], out.offsets[node + 1]):
            target = path_of[out.ends[at]]
            if target != source and edge_kind(out.kinds[at]) not in STRUCTURE:
                found[source, target] += 1
    return found
