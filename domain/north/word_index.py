"""An index of item texts by word, for a process that is asked again and again about texts that stay as they are.

Says the same as a pass over the text: what is looked for may be a part of a word, so the distinct words stand in one piece and are
searched as the text would be; it is a twentieth of its size.
"""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import frozen

WORD = re.compile(rb"[0-9a-z_\x80-\xff]+")


@frozen(eq=False)
class WordIndex:
    """`words` are all distinct words of the items, a zero byte before and behind each; word i begins at `starts[i]`, and
    `places[i]` are the places of the items that hold it, one for each time."""

    words: bytes
    starts: Sequence[int]
    places: Sequence["array[int]"]

    def occurrences(self, wanted: bytes) -> Iterator[tuple[int, int, "array[int]"]]:
        """Where a part of a word stands in `words`: its start, its end, and the places of that word."""
        at = self.words.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            yield at, end, self.places[bisect_right(self.starts, at) - 1]
            at = self.words.find(wanted, end)


def index_words(text: bytes, starts: Sequence[int], ends: Sequence[int], holders: Sequence[int]) -> WordIndex:
    """The index of the items at `starts[i]..ends[i]` of a lower-case text, `holders[i]` the place of the item around item i; what
    stands in an item inside belongs to that one alone."""
    found: dict[bytes, array[int]] = {}
    for place, start, end in own_pieces(starts, ends, holders):
        for word, times in Counter(WORD.findall(text, start, end)).items():
            places = found.get(word)
            if places is None:
                places = found[word] = array("I")
            places.extend((place,) * times)
    begins, at = array("I"), 1
    for word in found:
        begins.append(at)
        at += len(word) + 1
    return WordIndex(b"\0" + b"\0".join(found) + b"\0", begins, list(found.values()))


def own_pieces(
    starts: Sequence[int], ends: Sequence[int], holders: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """`(place, start, end)` of every stretch of text that belongs to one item and to none inside it."""
    cursor = list(starts)
    for place, holder in enumerate(holders):
        if holder >= 0:
            yield holder, cursor[holder], starts[place]
            cursor[holder] = ends[place]
    for place, end in enumerate(ends):
        yield place, cursor[place], end
