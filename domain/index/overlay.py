"""A graph that follows changes of single files: the edges of the last full link, and over them those that are others now.

Inside, an item keeps its number while it lives; outside, nodes are numbered in the order of files and texts, as a full
link would number them.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from attrs import frozen

from m1nd.domain.index.edges import Compressed, OpenColumns

Run = tuple["array[int]", bytes]
"""Edges of one node in one direction: the other ends' numbers and the bytes beside them."""
Opens = tuple["array[int]", bytes, Sequence[str]]
"""Open references of one file: numbers, reasons, texts."""


@frozen(eq=False)
class Numbering:
    """Which node a number is now. `base` items and `modules` modules were there at the last full link; `first` is of now, with
    the count of all items at its end; `file` and `place` say for every number where it stands (a module: behind the last
    file, by its own number)."""

    base: int
    modules: int
    base_first: Sequence[int]
    first: Sequence[int]
    file: "array[int]"
    place: "array[int]"
    orders: Mapping[int, Sequence[int]]

    def node(self, number: int) -> int:
        return self.first[self.file[number]] + self.place[number]

    def number(self, node: int) -> int:
        first = self.first
        file = bisect_right(first, node) - 1
        place = node - first[file]
        if file == len(first) - 1:
            return self.base + place
        order = self.orders.get(file)
        return self.base_first[file] + place if order is None else order[place]

    def numbers(self) -> Iterator[int]:
        """All nodes' numbers, in the order of the nodes."""
        for file in range(len(self.first) - 1):
            order = self.orders.get(file)
            yield from (range(self.base_first[file], self.base_first[file + 1]) if order is None else order)
        yield from range(self.base, self.base + self.modules)


class Followed:
    """Edges of one direction (`edges.Side`): those of `base`, but for the numbers in `over`."""

    __slots__ = ("_whole", "base", "numbering", "over")

    def __init__(self, base: Compressed, over: Mapping[int, Run], numbering: Numbering) -> None:
        self.base = base
        self.over = over
        self.numbering = numbering
        self._whole: Compressed | None = None

    def run(self, number: int) -> tuple[Sequence[int], bytes | memoryview]:
        """The edges of a number, in numbers."""
        over = self.over.get(number)
        if over is not None:
            return over
        offsets = self.base.offsets
        if number >= len(offsets) - 1:
            return (), b""
        start, end = offsets[number], offsets[number + 1]
        return self.base.ends[start:end], self.base.kinds[start:end]

    def of(self, node: int) -> Iterator[tuple[int, int]]:
        ends, kinds = self.run(self.numbering.number(node))
        return zip(map(self.numbering.node, ends), kinds, strict=True)

    def count(self, node: int) -> int:
        return len(self.run(self.numbering.number(node))[1])

    def whole(self) -> Compressed:
        """All edges as a full link would give them."""
        if self._whole is None:
            counts = [0]
            ends = array("I")
            kinds = bytearray()
            node = self.numbering.node
            for number in self.numbering.numbers():
                others, bytes_ = self.run(number)
                counts.append(len(bytes_))
                ends.extend(map(node, others))
                kinds += bytes_
            self._whole = Compressed(array("I", accumulate(counts)), ends, bytes(kinds))
        return self._whole


class FollowedOpens:
    """Open references (`edges.OpenReferences`): those of `base`, but for the files in `over`."""

    __slots__ = ("_whole", "base", "numbering", "over", "starts")

    def __init__(
        self, base: OpenColumns, starts: Sequence[int], over: Mapping[int, Opens], numbering: Numbering
    ) -> None:
        self.base = base
        self.starts = starts
        self.over = over
        self.numbering = numbering
        self._whole: OpenColumns | None = None

    def run(self, file: int) -> tuple[Sequence[int], bytes | memoryview, Sequence[str]]:
        """The open references of one file, in numbers."""
        over = self.over.get(file)
        if over is not None:
            return over
        start, end = self.starts[file], self.starts[file + 1]
        return self.base.nodes[start:end], self.base.reasons[start:end], self.base.texts[start:end]

    def whole(self) -> OpenColumns:
        if self._whole is None:
            nodes = array("I")
            reasons = bytearray()
            texts: list[str] = []
            for file in range(len(self.starts) - 1):
                numbers, why, said = self.run(file)
                nodes.extend(map(self.numbering.node, numbers))
                reasons += why
                texts += said
            self._whole = OpenColumns(nodes, bytes(reasons), texts)
        return self._whole
