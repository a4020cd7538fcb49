"""What a move takes out of the source file: the item with its trivia, and the white space that went with it.

Seed 002 §2.4, W28, W29, W31. The moved text and the cut range differ: blank lines around an item are cut, not moved.
"""

import re
from collections.abc import Iterable

from attrs import frozen

from m1nd.domain.move.text import head_end, line_end, line_start, only_blank
from m1nd.domain.rust.facts import ItemFact

BLANK = b" \t\r\n"
TRAILING_COMMENT = re.compile(rb"[ \t]*(//(?![/!])[^\r\n]*|/\*(?![*!])[^\n]*?\*/)(?=[ \t]*(?:\r?\n|$))")


@frozen
class Extent:
    """Bytes `start..end` of the source file that move: trivia, item, a comment behind it on its last line."""

    item: int
    start: int
    end: int

    def holds(self, position: int) -> bool:
        return self.start <= position < self.end


def extent_of(source: bytes, index: int, item: ItemFact) -> Extent:
    """The item's extent, with a plain comment that trails its last line."""
    trailing = TRAILING_COMMENT.match(source, item.end)
    return Extent(index, item.extent_start, trailing.end(1) if trailing else item.end)


def cuts(source: bytes, extents: Iterable[Extent]) -> tuple[tuple[int, int], ...]:
    """Ranges to delete so that the rest reads as if the items had never stood there.

    Neighbours on the same line stay; of the blank lines around a cut one separation stays; nothing else changes.
    """
    groups: list[tuple[int, int]] = []
    for extent in sorted(extents, key=lambda e: e.start):
        if groups and only_blank(source[groups[-1][1] : extent.start]):
            groups[-1] = (groups[-1][0], max(groups[-1][1], extent.end))
        else:
            groups.append((extent.start, extent.end))
    return tuple(_cut(source, start, end) for start, end in groups)


def _cut(source: bytes, start: int, end: int) -> tuple[int, int]:
    first = line_start(source, start)
    last = line_end(source, end)
    alone_before = only_blank(source[first:start])
    alone_after = only_blank(source[end:last])
    if not (alone_before and alone_after):
        return _cut_in_line(source, start, end, alone_before, alone_after)
    head = head_end(source)
    before, after = _blank_start(source, first, head), _blank_end(source, last)
    opens = before == head or source[:before].rstrip(BLANK).endswith(b"{")
    closes = after == len(source) or source[after:].lstrip(BLANK).startswith(b"}")
    if opens and closes:
        return before, after
    if opens:
        return first, after
    if closes:
        return before, last if source[:last].endswith(b"\n") else len(source)
    return (first, after) if before < first else (first, last)


def _cut_in_line(
    source: bytes, start: int, end: int, alone_before: bool, alone_after: bool
) -> tuple[int, int]:
    """Something else stands on the first or the last line: keep that line."""
    if alone_after:
        while start > 0 and source[start - 1 : start] in (b" ", b"\t"):
            start -= 1
        return start, end
    while source[end : end + 1] in (b" ", b"\t"):
        end += 1
    return start, end


def _blank_start(source: bytes, position: int, head: int) -> int:
    """Start of the run of blank lines that ends at `position` (a line start)."""
    while position > head:
        previous = max(source.rfind(b"\n", 0, position - 1) + 1, head)
        if not only_blank(source[previous:position]):
            return position
        position = previous
    return position


def _blank_end(source: bytes, position: int) -> int:
    """End of the run of blank lines that starts at `position` (a line start)."""
    while position < len(source):
        following = line_end(source, position)
        if not only_blank(source[position:following]):
            return position
        position = following
    return position
