"""Expands the text of a use tree into leaves, with every byte range, by one regular expression and one stack."""

import re
from typing import Any

from m1nd.domain.index.packed import ABSOLUTE, GLOB, IS_SELF
from m1nd.domain.rust.walk import identifier

PIECE = re.compile(
    rb"(r\#[\w\x80-\xff]+|\$?(?!as\b)[\w\x80-\xff]+)|(as)\b|::|[{},*]|//[^\n]*|/\*.*?\*/|\Z", re.DOTALL
)
"""Groups: 1 a name, 2 `as`; the end of the text counts as one more comma."""
SIMPLE = re.compile(rb"[a-zA-Z_][a-zA-Z0-9_]*(?:::[a-zA-Z_][a-zA-Z0-9_]*)*+\Z")


def expand(text: bytes, start: int, end: int, item: int, leaves: list[list[Any]]) -> None:
    """Append a row of `PackedFacts.uses` per leaf of the tree in `text[start:end]`."""
    if SIMPLE.match(text, start, end):
        path = text[start:end].decode().split("::")
        segments: list[int] = []
        position = start
        for name in path:
            segments += (position, position + len(name))
            position += len(name) + 2
        leaves.append([item, 0, start, end, None, 0, 0, path, segments])
        return
    stack: list[tuple[list[str], list[int], bool]] = []
    prefix: list[str] = []
    prefix_spans: list[int] = []
    leading = absolute = glob = after_as = False
    names: list[str] = []
    spans: list[int] = []
    first = last = -1
    alias: str | None = None
    alias_start = alias_end = 0
    for piece in PIECE.finditer(text, start, end):
        group = piece.lastindex
        begin, stop = piece.span()
        if group == 1:
            if first < 0:
                first = begin
            last = stop
            if after_as:
                alias, alias_start, alias_end = identifier(text[begin:stop]), begin, stop
                continue
            names.append(identifier(text[begin:stop]))
            spans += (begin, stop)
            continue
        if group == 2:
            after_as = True
            continue
        mark = text[begin] if begin < end else 0x2C
        if mark == 0x3A:
            if not names:
                absolute = absolute or not prefix
                first, last = (begin if first < 0 else first), stop
        elif mark == 0x7B:
            stack.append((prefix, prefix_spans, leading))
            prefix, prefix_spans, leading = prefix + names, prefix_spans + spans, absolute
            names, spans, first = [], [], -1
        elif mark == 0x2A:
            glob = True
            first, last = (begin if first < 0 else first), stop
        elif mark != 0x2F:
            if names or glob:
                flags = ABSOLUTE * absolute + GLOB * glob
                path, segments = prefix + names, prefix_spans + spans
                if prefix and not glob and names == ["self"]:
                    flags |= IS_SELF
                    path, segments = prefix, prefix_spans
                leaves.append([item, flags, first, last, alias, alias_start, alias_end, path, segments])
            if mark == 0x7D and stack:
                prefix, prefix_spans, leading = stack.pop()
            names, spans, first, alias, alias_start, alias_end = [], [], -1, None, 0, 0
            glob = after_as = False
            absolute = leading
