"""Edges as parallel arrays, file by file, and compressed by node for the questions. No object per edge."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.index.codes import Open
    from m1nd.domain.index.columns import Columns
    from m1nd.domain.index.imports import Names
    from m1nd.domain.index.modules import ModuleTree


class Linked:
    """The result of `link`: columns, modules, and edges as parallel arrays, those of one item in one run, in item order.

    Edges of a file's own module follow those of its items; edges between crates come last. Nodes: items first, then
    modules (`columns.base + m`). `open_start[f]..open_start[f + 1]` are the open references of file f.
    """

    def __init__(self, columns: Columns, modules: ModuleTree, names: Names) -> None:
        self.columns = columns
        self.modules = modules
        self.names = names
        self.tests: set[int] = set()
        self.impl_labels: dict[int, str] = {}
        """Name of the type that each impl is for, where its header names one."""
        self.edges = FileEdges()
        self.open_start = array("I")

    @property
    def node_count(self) -> int:
        return self.columns.base + len(self.modules.paths)

    def node(self, code: int) -> int:
        """The node of a scope's code."""
        return code if code >= 0 else self.columns.base + ~code


class FileEdges:
    """Edges and open references, in the order in which they were found."""

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

    def take_open(self, other: FileEdges) -> None:
        """Add the open references of `other`."""
        self.open_items += other.open_items
        self.open_reasons += other.open_reasons
        self.open_texts += other.open_texts


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

    def of(self, node: int) -> Iterator[tuple[int, int]]:
        """The other end and the byte (`codes.edge_byte`) of every edge of a node."""
        start, end = self.offsets[node], self.offsets[node + 1]
        return zip(self.ends[start:end], self.kinds[start:end], strict=True)

    def count(self, node: int) -> int:
        """How many edges a node has."""
        return self.offsets[node + 1] - self.offsets[node]

    def whole(self) -> Compressed:
        """All edges as columns."""
        return self


class Side(Protocol):
    """Edges of one direction, however they are kept."""

    def of(self, node: int) -> Iterator[tuple[int, int]]: ...

    def count(self, node: int) -> int: ...

    def whole(self) -> Compressed: ...


@frozen(eq=False)
class OpenColumns:
    """References that found nothing, file by file in item order: their node, why (`codes.Open`), and what is written."""

    nodes: Sequence[int]
    reasons: bytes | memoryview
    texts: Sequence[str]

    def whole(self) -> OpenColumns:
        return self


class OpenReferences(Protocol):
    """References that found nothing, however they are kept."""

    def whole(self) -> OpenColumns: ...
