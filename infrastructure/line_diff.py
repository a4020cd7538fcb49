"""Which lines changed between two texts. Anchored at the lines that occur once in both, so that a long file with a
thousand equal `}` lines costs no more than its length."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from attrs import frozen


@frozen(order=True)
class Hunk:
    """Lines `start..end` of the one text are lines `other_start..other_end` of the other."""

    start: int
    end: int
    other_start: int
    other_end: int


def hunks(one: Sequence[bytes], other: Sequence[bytes]) -> list[Hunk]:
    """The changes that turn `one` into `other`, in order, never touching each other."""
    found: list[Hunk] = []
    for start, end, other_start, other_end in _gaps(one, other):
        matcher = SequenceMatcher(None, one[start:end], other[other_start:other_end], autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag != "equal":
                found.append(Hunk(start + i1, start + i2, other_start + j1, other_start + j2))
    return found


def _gaps(one: Sequence[bytes], other: Sequence[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """What lies between the anchors."""
    start = other_start = 0
    for i, j in [*_anchors(one, other), (len(one), len(other))]:
        if start < i or other_start < j:
            yield start, i, other_start, j
        start, other_start = i + 1, j + 1


def _anchors(one: Sequence[bytes], other: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pairs of equal lines that occur once in each text, as many as rise in both (patience)."""
    counts, other_counts = Counter(one), Counter(other)
    place = {line: j for j, line in enumerate(other) if other_counts[line] == 1}
    pairs = [(i, place[line]) for i, line in enumerate(one) if counts[line] == 1 and line in place]
    ends: list[int] = []
    tails: list[int] = []
    back: list[int] = []
    for index, (_, j) in enumerate(pairs):
        rank = bisect_left(ends, j)
        back.append(tails[rank - 1] if rank else -1)
        if rank == len(ends):
            ends.append(j)
            tails.append(index)
        else:
            ends[rank], tails[rank] = j, index
    chain: list[tuple[int, int]] = []
    at = tails[-1] if tails else -1
    while at >= 0:
        chain.append(pairs[at])
        at = back[at]
    return chain[::-1]
