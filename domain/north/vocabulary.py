"""The words of one graph: which node bears which word in its name or its path. Made once per graph, kept with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

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
        _MADE[graph] = read_vocabulary(graph)
    return _MADE[graph]


def vocabulary_for(graph: IndexGraph, words: Collection[str]) -> Vocabulary:
    """What these words of a task need of it, for the first question of a process, which may be its last; later all of it."""
    if graph in _MADE or graph in _ASKED:
        return vocabulary(graph)
    _ASKED.add(graph)
    return read_vocabulary(graph, frozenset(map(stem, words)))


_MADE: WeakKeyDictionary[IndexGraph, Vocabulary] = WeakKeyDictionary()
_ASKED: WeakSet[IndexGraph] = WeakSet()


def read_vocabulary(graph: IndexGraph, sought: frozenset[str] | None = None) -> Vocabulary:
    """All of it, or (`sought`, stems of words) all that these words lead to."""
    labels: dict[str, list[int]] = {}
    name_parts: dict[str, list[int]] = {}
    name_stems: dict[str, list[int]] = {}
    bearers: dict[str, list[int]] = {}
    stem_of = lru_cache(maxsize=None)(stem)
    for node, (name, letter) in enumerate(zip(graph.names, graph.kinds, strict=False)):
        if name and letter not in NO_CANDIDATES:
            bearers.setdefault(name, []).append(node)
    for name, nodes in bearers.items():
        if sought is not None and not _may_hold(name, sought):
            continue
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
    homes = None if sought is None else {m for word in sought for m in path_stems.get(word, ())}
    for nodes in bearers.values():
        for node in nodes:
            if homes is None or home[node] in homes:
                members.setdefault(home[node], []).append(node)
            above = parent[node]
            if above >= 0:
                if above not in around:
                    around[above] = _words_around(graph, node, sought)
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


def _may_hold(name: str, sought: frozenset[str]) -> bool:
    """Whether a name may have a word of one of these stems: a stem is the beginning of its word. Names of other letters always may."""
    plain = name.lower()
    return not name.isascii() or any(word in plain for word in sought)


def _words_around(graph: IndexGraph, node: int, sought: frozenset[str] | None) -> list[str]:
    """The stems of the names of all that a node stands in, each once."""
    named = [graph.names[above] for above in graph.holders(node)]
    if sought is not None:
        named = [name for name in named if _may_hold(name, sought)]
    return list(dict.fromkeys(stem(word) for name in named for word in pieces(name)))


def _quiet(graph: IndexGraph) -> frozenset[int]:
    found = []
    for number, module in enumerate(graph.module_names):
        folders = graph.paths[graph.module_files[number]].removesuffix(".rs").split("/")
        if folders[-1] == "build" or not TESTING.isdisjoint((*folders, *module.split("::"))):
            found.append(number)
    return frozenset(found)
