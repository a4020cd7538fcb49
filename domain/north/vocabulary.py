"""The words of one graph: which node bears which word in its name or its path. Made once per graph, kept with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from attrs import frozen

from m1nd.domain.words import pieces, stem

if TYPE_CHECKING:
    from m1nd.domain.index.graph import IndexGraph

NO_CANDIDATES = frozenset("uxolpim")
"""Kinds that are no answer: imports, macro calls, impls, `mod` lines (the module itself is one)."""

TESTING = frozenset(("test", "tests", "bench", "benches", "benchmark", "example", "examples"))

Nodes = Mapping[str, Sequence[int]]


@frozen(eq=False)
class Vocabulary:
    """`labels`, `name_parts`, `name_stems` lead to nodes, `path_parts`, `path_stems` to module numbers."""

    kinds: str
    modules: Sequence[int]
    labels: Nodes
    name_parts: Nodes
    name_stems: Nodes
    path_parts: Nodes
    path_stems: Nodes
    holder_stems: Nodes
    """Words of a type's or trait's name to what stands in its impls or in it."""
    members: Mapping[int, Sequence[int]]
    """The candidates of each module, by its number."""
    size: int
    quiet: frozenset[int]
    """Modules of tests, benches, examples and build scripts."""

    def is_candidate(self, node: int) -> bool:
        return node >= len(self.kinds) or self.kinds[node] not in NO_CANDIDATES

    def module_of(self, node: int) -> int:
        return node - len(self.kinds) if node >= len(self.kinds) else self.modules[node]

    def frequency(self, word: str) -> int:
        """How many nodes have the word, or one of its stem, in their name."""
        return len(self.name_stems.get(stem(word), ()))


def vocabulary(graph: IndexGraph) -> Vocabulary:
    """The vocabulary of a graph; the same object while the graph lives."""
    if graph not in _MADE:
        _MADE[graph] = _read(graph)
    return _MADE[graph]


_MADE: WeakKeyDictionary[IndexGraph, Vocabulary] = WeakKeyDictionary()


def _read(graph: IndexGraph) -> Vocabulary:
    labels: dict[str, list[int]] = {}
    name_parts: dict[str, list[int]] = {}
    name_stems: dict[str, list[int]] = {}
    bearers: dict[str, list[int]] = {}
    stem_of = lru_cache(maxsize=None)(stem)
    for node, (name, letter) in enumerate(zip(graph.names, graph.kinds, strict=False)):
        if name and letter not in NO_CANDIDATES:
            bearers.setdefault(name, []).append(node)
    for name, nodes in bearers.items():
        labels.setdefault(name.lower(), []).extend(nodes)
        words = dict.fromkeys(pieces(name))
        for word in words:
            name_parts.setdefault(word, []).extend(nodes)
        for word in dict.fromkeys(map(stem_of, words)):
            name_stems.setdefault(word, []).extend(nodes)
    path_parts: dict[str, list[int]] = {}
    path_stems: dict[str, list[int]] = {}
    for number, module in enumerate(graph.module_names):
        words = dict.fromkeys(word for segment in module.split("::")[1:] for word in pieces(segment))
        for word in words:
            path_parts.setdefault(word, []).append(number)
        for word in dict.fromkeys(map(stem_of, words)):
            path_stems.setdefault(word, []).append(number)
    holder_stems: dict[str, list[int]] = {}
    members: dict[int, list[int]] = {}
    around: dict[int, list[str]] = {}
    home, parent = graph.module, graph.parent
    for nodes in bearers.values():
        for node in nodes:
            members.setdefault(home[node], []).append(node)
            above = parent[node]
            if above >= 0:
                if above not in around:
                    around[above] = _words_around(graph, node)
                for word in around[above]:
                    holder_stems.setdefault(word, []).append(node)
    return Vocabulary(
        graph.kinds,
        graph.module,
        labels,
        name_parts,
        name_stems,
        path_parts,
        path_stems,
        holder_stems,
        members,
        sum(map(len, bearers.values())),
        _quiet(graph),
    )


def _words_around(graph: IndexGraph, node: int) -> list[str]:
    """The stems of the names of all that a node stands in, each once."""
    named = [graph.names[above] for above in graph.holders(node)]
    return list(dict.fromkeys(stem(word) for name in named for word in pieces(name)))


def _quiet(graph: IndexGraph) -> frozenset[int]:
    found = []
    for number, module in enumerate(graph.module_names):
        folders = graph.paths[graph.module_files[number]].removesuffix(".rs").split("/")
        if folders[-1] == "build" or not TESTING.isdisjoint((*folders, *module.split("::"))):
            found.append(number)
    return frozenset(found)
