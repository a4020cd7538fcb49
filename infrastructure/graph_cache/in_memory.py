"""The graph that a process holds, and what it was made from: linked here, where it follows changes, or mapped from a snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from m1nd.domain.index.graph import IndexGraph, build_graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from m1nd.domain.index.link import Linker
    from m1nd.domain.index.live import Live
    from m1nd.domain.index.packed import PackedFacts
    from m1nd.domain.rust.cargo import CargoWorkspace

FOLLOW_AT_MOST = 50
"""More changed files than this are linked together with all others."""


class InMemory:
    """`key` says what the graph was made from (`SourceKey`); empty while there is none."""

    def __init__(self) -> None:
        self.key = ""
        self.is_stored = True
        """Whether there is a snapshot of the graph."""
        self._graph: IndexGraph | None = None
        self._linker: Linker | None = None
        self._live: Live | None = None
        self._numbers: dict[str, int] = {}

    @property
    def graph(self) -> IndexGraph | None:
        return self._live.graph if self._live is not None else self._graph

    @property
    def follows(self) -> bool:
        """Whether the graph was brought up to date without linking everything."""
        return self._live is not None

    def take(self, graph: IndexGraph, key: str) -> None:
        """Hold the graph of a snapshot."""
        self._graph, self._linker, self._live = graph, None, None
        self.key, self.is_stored = key, True

    def link(self, cargo: CargoWorkspace, facts: Mapping[str, PackedFacts], key: str) -> IndexGraph:
        """Link everything."""
        from m1nd.domain.index.link import link  # late: most processes find the graph as it was

        self._live = None
        self._linker = link(cargo, facts)
        self._graph = build_graph(self._linker.linked)
        self._numbers = {path: number for number, path in enumerate(self._graph.paths)}
        self.key, self.is_stored = key, False
        return self._graph

    def follow(self, facts: Mapping[str, PackedFacts], key: str) -> bool:
        """Bring the graph up to date with the new facts of some of its files. Where that cannot be done, it is dropped."""
        if self._linker is None or self._graph is None or len(facts) > FOLLOW_AT_MOST:
            return False
        if not facts.keys() <= self._numbers.keys():
            return False
        from m1nd.domain.index.live import Live

        if self._live is None:
            self._live = Live(self._linker, self._graph)
        for path in sorted(facts):
            if not self._live.follow(self._numbers[path], facts[path]):
                self._graph = self._linker = self._live = None
                self.key = ""
                return False
        self.key, self.is_stored = key, False
        return True


def linked_graph(cargo: CargoWorkspace, facts: Mapping[str, PackedFacts]) -> IndexGraph:
    """The graph of these facts, to be looked at and dropped."""
    from m1nd.domain.index.link import link

    return build_graph(link(cargo, facts).linked)
