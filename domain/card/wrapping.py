"""Greedy wrapping at words, with the two typographic rules of D5 and the overflow of D6. Knows widths, no prefixes."""

from attrs import frozen

from m1nd.domain.card.width import columns, head

SHORTEST_LAST_LINE = 15
"""A last line with fewer columns takes the word before it (D5, rule b)."""
CUT = "…"


@frozen
class Piece:
    """A word, or a part of one that is wider than a line; `glued` parts follow the part before without a blank."""

    text: str
    glued: bool = False


Line = list[Piece]


def wrap(text: str, first: int, rest: int) -> list[str]:
    """`text` in lines of at most `first` columns (the first) and `rest` columns (all others).

    Lines joined by one blank give `text` back, but where a word wider than a line was broken.
    """
    return [_joined(line) for line in _wrapped(text, first, rest)]


def wrap_within(text: str, first: int, rest: int, most: int) -> list[str]:
    """The first `most` lines of `wrap`; where that is not all, whole words leave the last one until `…` fits (D6)."""
    lines = _wrapped(text, first, rest)
    if len(lines) <= most:
        return [_joined(line) for line in lines]
    kept = lines[:most]
    width = first if most == 1 else rest
    last = kept[-1]
    while len(last) > 1 and columns(_joined(last)) >= width:
        last.pop()
    return [*(_joined(line) for line in kept[:-1]), head(_joined(last), width - 1) + CUT]


def _wrapped(text: str, first: int, rest: int) -> list[Line]:
    lines: list[Line] = [[]]
    for word in text.split():
        _place(lines, word, first, rest)
    _fill_last_line(lines, rest)
    return [line for line in lines if line]


def _place(lines: list[Line], word: str, first: int, rest: int) -> None:
    """Put one word behind the others: on the last line, on a new one, or broken over several."""
    glued = False
    while word:
        line = lines[-1]
        room = (first if len(lines) == 1 else rest) - columns(_joined(line)) - (1 if line else 0)
        if columns(word) <= room:
            line.append(Piece(word, glued))
            return
        part = head(word, room) if columns(word) > rest else ""
        if part:
            line.append(Piece(part, glued))
            word, glued = word[len(part) :], True
            lines.append([])
        else:
            lines.append(_carried(line))


def _carried(line: Line) -> Line:
    """What goes down with the break: the one word behind a `;` (D5, rule a), mostly nothing."""
    if len(line) > 1 and line[-2].text.endswith(";") and not line[-1].glued:
        return [line.pop()]
    return []


def _fill_last_line(lines: list[Line], rest: int) -> None:
    """Pull words down while the last line is short (D5, rule b); a broken word is not put together by it."""
    while len(lines) > 1:
        above, last = lines[-2:]
        if not last or last[0].glued or len(above) < 2 or columns(_joined(last)) >= SHORTEST_LAST_LINE:
            return
        if columns(_joined([above[-1], *last])) > rest:
            return
        last.insert(0, above.pop())


def _joined(line: Line) -> str:
    return "".join(piece.text if piece.glued or not at else f" {piece.text}" for at, piece in enumerate(line))
