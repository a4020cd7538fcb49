"""Counts of the graph, for `stats`."""

from collections import Counter

from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Open, Surety
from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.index.packed import KIND_OF


def items_by_kind(graph: IndexGraph) -> dict[str, int]:
    return {KIND_OF[code].value: count for code, count in Counter(graph.kinds).most_common()}


def edges_by_kind(graph: IndexGraph) -> dict[str, dict[str, int]]:
    """Per kind of edge, how many are resolved, by method name, by bare name. Containment is always resolved."""
    table = {"contains": {"resolved": graph.item_count}}
    for byte, count in sorted(Counter(bytes(graph.out.whole().kinds)).items()):
        kind = Edge(byte & 15).name.lower()
        table.setdefault(kind, {})[Surety(byte >> SURETY_SHIFT).name.lower()] = count
    return table


def open_by_reason(graph: IndexGraph) -> dict[str, int]:
    return {Open(r).name.lower(): n for r, n in Counter(bytes(graph.open_reasons)).most_common()}


def tests(graph: IndexGraph) -> int:
    return sum(1 for flag in bytes(graph.flags) if flag & TEST)
