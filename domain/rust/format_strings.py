"""Inline captures of format strings: `{name}`, `{name:?}`, `{:width$}`, `{:.prec$}`. Text only, no lookup.

Source: the grammar in std's `fmt` module.
"""

import re
from collections.abc import Iterator

PLACE = re.compile(rb"\{\{|\}\}|\\u\{[^}]*\}|\\.|\{([^{}]*)\}", re.DOTALL)
NAME = rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*"
ARGUMENT = re.compile(rb"\s*(" + NAME + rb")\s*(?=:|$)")
COUNT = re.compile(rb"(" + NAME + rb")\$")


def captures(literal: bytes) -> Iterator[tuple[bytes, int, int]]:
    """`(name, start, end)` of each capture; offsets into `literal`, which is the literal with its quotes."""
    raw = literal.startswith((b"r", b"br"))
    for place in PLACE.finditer(literal):
        if place.group(1) is None:
            if raw and place.group().startswith(b"\\"):
                yield from _in_raw(literal, place)
            continue
        yield from _in_place(place.group(1), place.start(1))


def _in_raw(literal: bytes, place: "re.Match[bytes]") -> Iterator[tuple[bytes, int, int]]:
    """A backslash means nothing in a raw literal: `\\{x}` holds a capture."""
    text = place.group()
    if text.startswith(b"\\u{"):
        yield from _in_place(text[3:-1], place.start() + 3)
    elif text == b"\\{":
        end = literal.find(b"}", place.end())
        if end > 0 and not literal.startswith(b"{", place.end()):
            yield from _in_place(literal[place.end() : end], place.end())


def _in_place(inner: bytes, start: int) -> Iterator[tuple[bytes, int, int]]:
    head, colon, spec = inner.partition(b":")
    argument = ARGUMENT.match(head)
    if argument is not None and argument.end() >= len(head.rstrip()):
        yield argument.group(1), start + argument.start(1), start + argument.end(1)
    for count in COUNT.finditer(spec):
        base = start + len(head) + len(colon)
        yield count.group(1), base + count.start(1), base + count.end(1)
