"""A file cut into pieces that stand for themselves: one for each item at file level, from its trivia to the next item's.

A piece parses alone as it parses in its file, where the file parses at all; so what is asked of one item, and what an
edit of one item changes, costs that item and not the file. The first piece holds the head of the file too.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from attrs import frozen

from m1nd.domain.rust.facts import FileFacts


@frozen
class Section:
    """Bytes `start..end` of a file and the items that stand there: `items[first:last]`, `uses[first_use:last_use]`."""

    start: int
    end: int
    first: int
    last: int
    first_use: int
    last_use: int


class Sections(Sequence[Section]):
    """The sections of a file of `length` bytes, in order; they cover all of it. One, where it holds an error."""

    def __init__(self, facts: FileFacts, length: int) -> None:
        top = [] if facts.has_error else facts.children(-1)
        borders = [0, *(facts.items[i].extent_start for i in top[1:]), length]
        numbers = [0, *top[1:], len(facts.items)]
        uses = _first_uses(facts, numbers)
        self._rows = [
            Section(borders[n], borders[n + 1], numbers[n], numbers[n + 1], uses[n], uses[n + 1])
            for n in range(len(borders) - 1)
        ]
        self._starts = borders[:-1]
        self._firsts = numbers[:-1]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._rows[index]

    def __iter__(self) -> Iterator[Section]:
        return iter(self._rows)

    def at(self, position: int) -> int:
        """The number of the section that holds the byte at `position`."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def of_item(self, item: int) -> int:
        """The number of the section that holds an item."""
        return max(bisect_right(self._firsts, item) - 1, 0)


def _first_uses(facts: FileFacts, numbers: Sequence[int]) -> list[int]:
    """For each of the ascending item `numbers` how many use leaves stand before that item."""
    found: list[int] = []
    position = 0
    for number in numbers:
        while position < len(facts.uses) and facts.uses[position].item < number:
            position += 1
        found.append(position)
    return found
