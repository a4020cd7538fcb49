"""A file's text without its cuts: positions back and forth, and the trivia that was cut out of it.

The rules of extents are those of `m1nd.domain.rust.walk.extent_start`; a test compares the two.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from tree_sitter import Node

from m1nd.domain.rust.walk import BANNER, LICENCE

DOC_BLOCK = re.compile(rb"///(?!/)[^\n]*+(?:\n[ \t]*+///(?!/)[^\n]*+)*+\Z")
OUTER_DOC = re.compile(rb"///(?!/)|/\*\*(?![*/])")
INNER_DOC = re.compile(rb"//!|/\*!")
LINE_COMMENT = re.compile(rb"//[^\n]*")


class ShortText:
    """`at` and `shift` map positions of `short` to those of `source`; `comments` are the spans of those that were cut."""

    def __init__(
        self, source: bytes, short: bytes, at: list[int], shift: list[int], comments: list[tuple[int, int]]
    ) -> None:
        self.source = source
        self.short = short
        self.at = at
        self.shift = shift
        self.comments = comments
        self.comment_starts = [start for start, _ in comments]

    def start_of(self, position: int) -> int:
        """A start in the file: past a cut that lies right before it."""
        return position + self.shift[bisect_right(self.at, position) - 1]

    def end_of(self, position: int) -> int:
        """An end in the file: before a cut that lies right after it."""
        return position + self.shift[bisect_right(self.at, position - 1) - 1]

    def comment_since(self, before: int, start: int) -> bool:
        """Whether a comment lies between two positions of the file."""
        here = bisect_left(self.comment_starts, start)
        return here > 0 and self.comment_starts[here - 1] >= before

    def extent(self, start: int, file_start: int, pending: Sequence[Node], before: int) -> tuple[int, int]:
        """Where an item's trivia begins: in the file, and (its attributes only) in the short text."""
        here = bisect_left(self.comment_starts, file_start)
        since = here
        while since and self.comment_starts[since - 1] >= before:
            since -= 1
        first = pending[0].start_byte if pending else start
        extent = self.start_of(first)
        if since == here:
            return extent, first
        if here - since == 1:
            begin, end = self.comments[since]
            if DOC_BLOCK.match(self.source, begin, end):
                # Doc comments and attributes belong to the item wherever they stand.
                return min(begin, extent), first
        spans: list[tuple[int, int, Node | None]] = [
            (self.start_of(a.start_byte), self.end_of(a.end_byte), a) for a in pending
        ]
        trivia: list[tuple[int, int, Node | None]] = [
            (s, e, None)
            for block in self.comments[since:here]
            for s, e in self.split(block)
            if not any(low <= s < high for low, high, _ in spans)
        ]
        return self.glue(start, file_start, sorted([*trivia, *spans], key=lambda t: t[0]))

    def split(self, block: tuple[int, int]) -> list[tuple[int, int]]:
        """The single comments of a run of line comments."""
        start, end = block
        if self.source[start + 1] == 0x2A:
            return [block]
        return [m.span() for m in LINE_COMMENT.finditer(self.source, start, end)]

    def glue(
        self, start: int, file_start: int, trivia: Sequence[tuple[int, int, Node | None]]
    ) -> tuple[int, int]:
        """The walk's `extent_start`, over comments and attributes in the file's own positions."""
        source = self.source
        extent = candidate = file_start
        first = start
        glued = True
        for begin, end, attribute in reversed(trivia):
            if attribute is not None:
                extent = candidate = begin
                first = attribute.start_byte
                glued = True
                continue
            if OUTER_DOC.match(source, begin):
                extent = candidate = begin
                glued = True
                continue
            if INNER_DOC.match(source, begin):
                break
            line = source.rfind(b"\n", 0, begin) + 1
            starts_line = not source[line:begin].strip(b" \t\xef\xbb\xbf")
            glued = glued and source.count(b"\n", end, candidate) <= 1 and starts_line
            candidate = begin
            if glued and not BANNER.search(source[begin:end]):
                extent = candidate
            else:
                glued = False
        return self.without_licence(extent, file_start), first

    def without_licence(self, start: int, item_start: int) -> int:
        if self.source[:start].strip(b"\xef\xbb\xbf \t\r\n"):
            return start
        position = start
        for line in self.source[start:item_start].splitlines(keepends=True):
            if not line.lstrip().startswith(b"//") or line.lstrip().startswith((b"///", b"//!")):
                break
            position += len(line)
        return position if LICENCE.search(self.source[start:position]) else start
