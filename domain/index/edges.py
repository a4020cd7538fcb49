"""Edges as parallel arrays, file by file, and compressed by node for the questions. No object per edge."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from m1nd.domain.index.codes import Open
    from m1nd.domain.index.columns import Columns
    from m1nd.domain.index.imports import Names
    from m1nd.domain.index.modules import ModuleTree


class Linked:
    """The result of `link`: columns, modules, and edges as parallel arrays, those of one file in one run.

    `edge_start[f]..edge_start[f + 1]` are the edges whose source lies in file f; edges of modules come last. Nodes: items
    first, then modules (`len(columns) + m`).
    """

    def __init__(self, columns: Columns, modules: ModuleTree, names: Names) -> None:
        self.columns = columns
        self.modules = modules
        self.names = names
        self.tests: set[int] = set()
        self.impl_labels: dict[int, str] = {}
        """Name of the type that each impl is for, where its header names one."""
        self.sources = array("I")
        self.targets = array("I")
        self.kinds = bytearray()
        self.edge_start = array("I")
        self.open_items = array("I")
        self.open_reasons = bytearray()
        self.open_texts: list[str] = []
        self.open_start = array("I")

    @property
    def node_count(self) -> int:
        return len(self.columns) + len(self.modules.paths)

    def node(self, code: int) -> int:
        """The node of a scope's code."""
        return code if code >= 0 else len(self.columns) + ~code


class FileEdges:
    """Edges and open references of one file."""

    __slots__ = ("kinds", "open_items", "open_reasons", "open_texts", "sources", "targets")

    def __init__(self) -> None:
        self.sources = array("I")
        self.targets = array("I")
        self.kinds = bytearray()
        self.open_items = array("I")
        self.open_reasons = bytearray()
        self.open_texts: list[str] = []

    def add(self, source: int, target: int, kind: int) -> None:
        self.sources.append(source)
        self.targets.append(target)
        self.kinds.append(kind)

    def keep_open(self, source: int, text: str, reason: Open) -> None:
        self.open_items.append(source)
        self.open_texts.append(text)
        self.open_reasons.append(reason)


def compressed(count: int, keys: array[int], values: array[int], kinds: bytearray) -> Compressed:
    """Edges sorted by `keys`: offsets, the other ends, their kinds."""
    counts = [0] * (count + 1)
    for key in keys:
        counts[key + 1] += 1
    offsets = array("I", accumulate(counts))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ends = array("I", map(values.__getitem__, order))
    return Compressed(offsets, ends, bytes(map(kinds.__getitem__, order)))


class Compressed:
    """Edges of one direction: those of node n are `ends[offsets[n]:offsets[n + 1]]`, with their kinds beside them."""

    __slots__ = ("ends", "kinds", "offsets")

    def __init__(
        self, offsets: array[int] | memoryview, ends: array[int] | memoryview, kinds: bytes | memoryview
    ) -> None:
        self.offsets = offsets
        self.ends = ends
        self.kinds = kinds
