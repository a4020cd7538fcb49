"""Moved text at another depth: each line gains or loses what lies between the two places, and keeps its form otherwise.

Lines that begin inside a literal or a block comment stay byte for byte: blanks there are content.
"""

from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from m1nd.domain.move.compose import Piece, Verbatim, Written
from m1nd.domain.rust.syntax import Parser

FIXED = ("string_literal", "raw_string_literal", "block_comment")
BLANKS = b" \t"


@frozen
class Depth:
    """`old` and `new`: the blanks before an item at the source and at home. `fixed`: spans of the source file that keep theirs."""

    old: bytes
    new: bytes
    fixed: tuple[tuple[int, int], ...]

    def keeps(self, position: int) -> bool:
        return any(start < position < end for start, end in self.fixed)

    def line(self, blanks: bytes) -> tuple[bytes, int]:
        """`(blanks to write, how many of today's to drop)` at the start of a line that begins with `blanks`."""
        if self.old == self.new:
            return b"", 0
        if blanks.startswith(self.old):
            return self.new, len(self.old)
        if self.new.startswith(self.old):
            return self.new[len(self.old) :], 0
        shared = next((i for i, (a, b) in enumerate(zip(blanks, self.old, strict=False)) if a != b), None)
        common = min(len(blanks), len(self.old)) if shared is None else shared
        if self.old.startswith(self.new):
            return b"", min(common, len(self.old) - len(self.new))
        return self.new, common


def fixed_spans(parser: Parser, source: bytes, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The literals and block comments in bytes `start..end`; all of it where it does not parse by itself."""
    root = parser.parse(source[start:end])
    if root.has_error:
        return ((start, end),)
    found, todo = [], [root]
    while todo:
        node = todo.pop()
        if node.type in FIXED:
            found.append((start + node.start_byte, start + node.end_byte))
        else:
            todo += node.children
    return tuple(sorted(found))


def shifted(pieces: Iterable[Piece], source: bytes, depth: Depth) -> tuple[Piece, ...]:
    """The pieces of one moved item at their new depth; the first line's own blanks are none of them."""
    writer = _Shifter(depth)
    for piece in pieces:
        if isinstance(piece, Verbatim):
            for start, stop, blanks in writer.lines(source, piece.start, piece.end, depth.keeps):
                writer.add(blanks, Verbatim(piece.path, start, stop))
        else:
            for start, stop, blanks in writer.lines(piece.text, 0, len(piece.text), _never):
                writer.add(blanks, Written(piece.text[start:stop]))
    return tuple(writer.pieces)


def _never(position: int) -> bool:
    del position
    return False


class _Shifter:
    """Runs over text, line by line; `fresh`: nothing of the current line is written yet."""

    def __init__(self, depth: Depth) -> None:
        self.depth = depth
        self.fresh = False
        self.pieces: list[Piece] = []

    def lines(
        self, text: bytes, start: int, end: int, keeps: Callable[[int], bool]
    ) -> Iterator[tuple[int, int, bytes]]:
        """`(start, end, blanks to write before)` of each stretch of a text that is taken over."""
        while start < end:
            blanks = b""
            if self.fresh and not keeps(start):
                stop = start
                while stop < end and text[stop] in BLANKS:
                    stop += 1
                if stop == end or text[stop] not in b"\r\n":
                    blanks, dropped = self.depth.line(text[start:stop])
                    start += dropped
            found = text.find(b"\n", start, end)
            stop = end if found < 0 else found + 1
            self.fresh = found >= 0
            yield start, stop, blanks
            start = stop

    def add(self, blanks: bytes, piece: Piece) -> None:
        if blanks:
            self.pieces.append(Written(blanks))
        last = self.pieces[-1] if self.pieces else None
        if isinstance(piece, Verbatim) and isinstance(last, Verbatim) and last.end == piece.start:
            self.pieces[-1] = Verbatim(last.path, last.start, piece.end)
        elif not isinstance(piece, Written) or piece.text:
            self.pieces.append(piece)
