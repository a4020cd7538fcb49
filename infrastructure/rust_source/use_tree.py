"""Expands the text of a use tree into leaves, with every byte range, by one regular expression and one stack."""

import re
from typing import Any

from m1nd.domain.index.packed import ABSOLUTE, GLOB, IS_SELF
from m1nd.domain.rust.walk import identifier

PIECE = re.compile(rb"(r\#[\w\x80-\xff]+|\$?[\w\x80-\xff]+)|::|[{},*]|//[^\n]*|/\*.*?\*/", re.DOTALL)
SIMPLE = re.compile(rb"[a-zA-Z_][a-zA-Z0-9_]*(?:::[a-zA-Z_][a-zA-Z0-9_]*)*+\Z")


def expand(text: bytes, start: int, end: int, item: int, leaves: list[list[Any]]) -> None:
    """Append a row of `PackedFacts.uses` per leaf of the tree in `text[start:end]`."""
    if SIMPLE.match(text, start, end):
        names = text[start:end].decode().split("::")
        if names[-1] != "self":
            segments: list[int] = []
            position = start
            for name in names:
                segments += (position, position + len(name))
                position += len(name) + 2
            leaves.append([item, 0, start, end, None, 0, 0, names, segments])
            return
    stack: list[tuple[list[str], list[int], bool]] = []
    prefix: list[str] = []
    prefix_spans: list[int] = []
    leading = False
    leaf = _Leaf(leading)
    for piece in PIECE.finditer(text, start, end):
        word = piece.group()
        if piece.lastindex:
            leaf.word(identifier(word), piece.start(), piece.end())
        elif word == b"::":
            leaf.separator(piece.start(), not prefix)
        elif word == b"{":
            stack.append((prefix, prefix_spans, leading))
            prefix = prefix + leaf.names
            prefix_spans = prefix_spans + leaf.spans
            leading = leaf.absolute
            leaf = _Leaf(leading)
        elif word == b"*":
            leaf.star(piece.start(), piece.end())
        elif word in (b",", b"}"):
            leaf.flush(item, prefix, prefix_spans, leaves)
            if word == b"}" and stack:
                prefix, prefix_spans, leading = stack.pop()
            leaf = _Leaf(leading)
    leaf.flush(item, prefix, prefix_spans, leaves)


class _Leaf:
    """One leaf under construction."""

    def __init__(self, absolute: bool) -> None:
        self.absolute = absolute
        self.names: list[str] = []
        self.spans: list[int] = []
        self.start = -1
        self.end = -1
        self.alias: str | None = None
        self.alias_span = (0, 0)
        self.after_as = False
        self.glob = False

    def word(self, name: str, start: int, end: int) -> None:
        if self.after_as:
            self.alias = name
            self.alias_span = (start, end)
        elif name == "as":
            self.after_as = True
            return
        else:
            self.names.append(name)
            self.spans += (start, end)
        self.touch(start, end)

    def separator(self, start: int, at_root: bool) -> None:
        if not self.names:
            self.absolute = self.absolute or at_root
            self.touch(start, start + 2)

    def star(self, start: int, end: int) -> None:
        self.glob = True
        self.touch(start, end)

    def touch(self, start: int, end: int) -> None:
        if self.start < 0:
            self.start = start
        self.end = end

    def flush(self, item: int, prefix: list[str], spans: list[int], leaves: list[list[Any]]) -> None:
        if not self.names and not self.glob:
            return
        flags = ABSOLUTE * self.absolute + GLOB * self.glob
        path = prefix + self.names
        segments = spans + self.spans
        if self.names == ["self"] and prefix and not self.glob:
            flags |= IS_SELF
            path = prefix
            segments = spans[:-2] + self.spans
        leaves.append([item, flags, self.start, self.end, self.alias, *self.alias_span, path, segments])
