"""The words of item texts: how often each item's own text, with its comments, holds a word. One pass a word at first; whoever asks
for many gets an index (`word_index.py`), which answers the same.

Made from the bytes of the files as the graph read them; a file that is another one now must be left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, field

from m1nd.domain.index.packed import SPAN
from m1nd.domain.north.vocabulary import NO_CANDIDATES
from m1nd.domain.north.word_index import WordIndex, index_words

if TYPE_CHECKING:
    from m1nd.domain.index.graph import IndexGraph

SHORT = 4
"""A shorter word counts only where it stands alone: `id` is in half of all words."""
MOST_FOUND = 20_000
"""A word that items hold more often says nothing of any of them."""
MOST_PASSES = 12
"""Words, some three questions. A single question must not wait for an index, nor one after every edit; it costs as much as twenty
passes."""


@define(eq=False)
class Texts:
    """All text, lower-case, in one piece. `starts`, `ends`, `items`, `holders` are its items by place, `holders[i]` the place of
    the item around item i (-1 for none)."""

    text: bytes
    starts: list[int]
    ends: list[int]
    items: list[int]
    holders: list[int]
    mean: float
    """Mean length of an item's text."""
    _passes: int = field(default=0, init=False)
    _index: WordIndex | None = field(default=None, init=False)

    def counts(self, word: str) -> Counter[int]:
        """Place of an item to how often its text holds the word; what stands in an item inside counts for that one alone."""
        wanted = word.lower().encode()
        if not wanted:
            return Counter()
        if self._index is None and self._passes >= MOST_PASSES:
            self._index = index_words(self.text, self.starts, self.ends, self.holders)
        self._passes += 1
        found = self._passed(wanted) if self._index is None else _looked_up(self._index, wanted)
        return found if found.total() <= MOST_FOUND else Counter()

    def _passed(self, wanted: bytes) -> Counter[int]:
        found: Counter[int] = Counter()
        left = MOST_FOUND
        at = self.text.find(wanted)
        while at >= 0 and left >= 0:
            end = at + len(wanted)
            if len(wanted) >= SHORT or stands_alone(self.text, at, end):
                item = self._item_at(at)
                if item >= 0:
                    found[item] += 1
                    left -= 1
            at = self.text.find(wanted, end)
        return found

    def length(self, place: int) -> int:
        return self.ends[place] - self.starts[place]

    def _item_at(self, offset: int) -> int:
        """The place of the innermost item around an offset."""
        place = bisect_right(self.starts, offset) - 1
        while place >= 0 and self.ends[place] <= offset:
            place = self.holders[place]
        return place


def stands_alone(text: bytes, start: int, end: int) -> bool:
    """Whether no letter stands before or behind."""
    return not text[start - 1 : start].isalpha() and not text[end : end + 1].isalpha()


def _looked_up(index: WordIndex, wanted: bytes) -> Counter[int]:
    found: Counter[int] = Counter()
    left = MOST_FOUND
    for start, end, places in index.occurrences(wanted):
        if len(wanted) >= SHORT or stands_alone(index.words, start, end):
            found.update(places)
            left -= len(places)
            if left < 0:
                break
    return found


def read_texts(graph: IndexGraph, read: Callable[[str], bytes | None]) -> Texts:
    """The texts of a graph's files; `read` answers None for one to leave out."""
    # One growing piece: thousands of small ones would leave holes in the heap that an owner keeps for good.
    whole = bytearray()
    starts: list[int] = []
    ends: list[int] = []
    items: list[int] = []
    holders: list[int] = []
    first, kinds, spans = graph.first, graph.kinds, graph.spans
    for number, path in enumerate(graph.paths):
        text = read(path)
        if text is None:
            continue
        base = len(whole)
        whole += text.lower()
        whole += b"\0"
        open_places: list[int] = []
        for item in range(first[number], first[number + 1]):
            if kinds[item] in NO_CANDIDATES:
                continue
            start, end = base + spans[item * SPAN], base + spans[item * SPAN + 2]
            while open_places and ends[open_places[-1]] <= start:
                open_places.pop()
            holders.append(open_places[-1] if open_places else -1)
            open_places.append(len(items))
            starts.append(start)
            ends.append(end)
            items.append(item)
    total = sum(end - start for start, end in zip(starts, ends, strict=True))
    return Texts(bytes(whole), starts, ends, items, holders, total / len(items) if items else 1.0)
