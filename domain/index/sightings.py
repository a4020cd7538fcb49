"""Sightings of the items of some files, from a graph and their facts: the input of `identity.fates`."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from m1nd.domain.index.addresses import around
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.identity import Sighting, body_print
from m1nd.domain.index.packed import SPAN, PackedFacts
from m1nd.domain.symbols import Address

NAMED = frozenset("fsentckyr")
"""Kinds whose identity is followed; `mod` is followed by its items."""
MEMBERS = frozenset("fcyv")
"""Kinds of what stands inside an enum, an impl or a trait, and is followed too."""


def sightings(graph: IndexGraph, facts: Mapping[str, PackedFacts], paths: Iterable[str]) -> list[Sighting]:
    """Items of modules, and their variants and members, of the files `paths` that both the graph and `facts` know."""
    number_of = {path: number for number, path in enumerate(graph.paths)}
    wanted = {number_of[path] for path in paths if path in number_of and path in facts}
    modules = {graph.module[i] for f in wanted for i in range(graph.first[f], graph.first[f + 1])}
    files = wanted | {
        number
        for number in range(len(graph.paths))
        if any(graph.module[i] in modules for i in _first_item(graph, number))
    }
    ordinals: Counter[tuple[str, str, str]] = Counter()
    found: list[Sighting] = []
    for number in sorted(files):
        packed = facts.get(graph.paths[number])
        base = graph.first[number]
        for item in range(base, graph.first[number + 1]):
            code = graph.kinds[item]
            member = not _in_module(graph, item)
            if code not in (MEMBERS if member else NAMED):
                continue
            address = Address(
                kind=graph.kind_of(item),
                module=around(graph, item) if member else graph.module_names[graph.module[item]],
                name=graph.names[item],
            )
            key = (address.kind, address.module, address.name)
            ordinal = ordinals[key]
            ordinals[key] += 1
            if number not in wanted or packed is None:
                continue
            index = item - base
            spans = packed.spans
            length = spans[SPAN * index + 2] - spans[SPAN * index + 4]
            body, telling = body_print(packed.tokens[index], length)
            found.append(Sighting(replace(address, ordinal=ordinal), body, telling, member))
    return found


def _first_item(graph: IndexGraph, number: int) -> range:
    start = graph.first[number]
    return range(start, min(start + 1, graph.first[number + 1]))


def _in_module(graph: IndexGraph, item: int) -> bool:
    above = graph.parent[item]
    while above >= 0 and graph.kinds[above] == "l":
        above = graph.parent[above]
    return above < 0 or graph.kinds[above] == "m"
