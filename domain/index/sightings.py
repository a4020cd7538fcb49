"""Sightings of the items of some files, from a graph and their facts: the input of `identity.fates`."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping

from m1nd.domain.index.addresses import around
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.identity import Fates, Sighting, body_print, fates
from m1nd.domain.index.packed import SPAN, PackedFacts
from m1nd.domain.symbols import Address

NAMED = frozenset("fsentckyr")
"""Kinds whose identity is followed; `mod` is followed by its items."""
MEMBERS = frozenset("fcyv")
"""Kinds of what stands inside an enum, an impl or a trait, and is followed too."""
EITHER = NAMED | MEMBERS


Place = tuple[str, str, str]
"""Kind (one letter), path of what an item stands in, name: what the items are counted by that are told apart by number."""


def fates_between(
    old: IndexGraph,
    was: Mapping[str, PackedFacts],
    new: IndexGraph,
    now: Mapping[str, PackedFacts],
    paths: Collection[str],
) -> Fates:
    """What became of the items of the files `paths`, of which the graphs know the facts `was` and `now`.

    Only places that hold another number of items now are looked at: the others hold what they held (`fates`).
    """
    before, after = (_counted(graph, facts, paths) for graph, facts in ((old, was), (new, now)))
    others = {place for place in {*before, *after} if before[place] != after[place]}
    if others.isdisjoint(before):
        # What is only new was nothing before.
        return Fates()
    return fates(sightings(old, was, paths, others), sightings(new, now, paths, others))


def _counted(graph: IndexGraph, facts: Mapping[str, PackedFacts], paths: Iterable[str]) -> Counter[Place]:
    """How many items of the files `paths` stand at each place."""
    found: Counter[Place] = Counter()
    for number in _numbers(graph, facts, paths):
        found.update(place for _, place, _ in _followed(graph, number))
    return found


def _numbers(graph: IndexGraph, facts: Mapping[str, PackedFacts], paths: Iterable[str]) -> set[int]:
    """The files of `paths` that both the graph and `facts` know."""
    known = ((path, bisect_left(graph.paths, path)) for path in paths if path in facts)
    return {number for path, number in known if number < len(graph.paths) and graph.paths[number] == path}


def _followed(graph: IndexGraph, number: int) -> Iterator[tuple[int, Place, bool]]:
    """The items of a file whose identity is followed: their place, and whether they stand inside another item."""
    around_items: dict[int, str] = {}
    for item in range(graph.first[number], graph.first[number + 1]):
        code = graph.kinds[item]
        if code not in EITHER:
            continue
        member = not _in_module(graph, item)
        if code not in (MEMBERS if member else NAMED):
            continue
        module = graph.module_names[graph.module[item]]
        if member:
            above = graph.parent[item]
            if above not in around_items:
                around_items[above] = around(graph, item)
            module = around_items[above]
        yield item, (code, module, graph.names[item]), member


def sightings(
    graph: IndexGraph,
    facts: Mapping[str, PackedFacts],
    paths: Iterable[str],
    places: Container[Place] | None = None,
) -> list[Sighting]:
    """Items of modules, and their variants and members, of the files `paths` that both the graph and `facts` know; of `places`
    alone where they are given."""
    wanted = _numbers(graph, facts, paths)
    modules = {graph.module[i] for f in wanted for i in range(graph.first[f], graph.first[f + 1])}
    files = wanted | {
        number
        for number in range(len(graph.paths))
        if any(graph.module[i] in modules for i in _first_item(graph, number))
    }
    ordinals: Counter[Place] = Counter()
    found: list[Sighting] = []
    for number in sorted(files):
        base = graph.first[number]
        for item, place, member in _followed(graph, number):
            if places is not None and place not in places:
                continue
            ordinal = ordinals[place]
            ordinals[place] += 1
            if number in wanted:
                packed = facts[graph.paths[number]]
                length = packed.spans[SPAN * (item - base) + 2] - packed.spans[SPAN * (item - base) + 4]
                body, telling = body_print(packed.tokens[item - base], length)
                address = Address(kind=graph.kind_of(item), module=place[1], name=place[2], ordinal=ordinal)
                found.append(Sighting(address, body, telling, member))
    return found


def _first_item(graph: IndexGraph, number: int) -> range:
    start = graph.first[number]
    return range(start, min(start + 1, graph.first[number + 1]))


def _in_module(graph: IndexGraph, item: int) -> bool:
    above = graph.parent[item]
    while above >= 0 and graph.kinds[above] == "l":
        above = graph.parent[above]
    return above < 0 or graph.kinds[above] == "m"
