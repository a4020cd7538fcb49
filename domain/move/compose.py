"""Planned text as pieces: what was written new and what was taken over byte for byte.

Every rule of the move answers with `Change` values; this module alone turns them into bytes. Because taken-over
text remembers where it came from, every old position can be found again in the planned tree (`certificate.py`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import evolve, frozen

from m1nd.domain.edits import OverlappingEdits


@frozen
class Verbatim:
    """Bytes `start..end` of today's file `path`, taken over as they are."""

    path: str
    start: int
    end: int


@frozen
class Written:
    """New text."""

    text: bytes


Piece = Verbatim | Written


@frozen
class Change:
    """Replace `start..end` of `path` by `pieces`; an insertion has `start == end`. Insertions at one place keep their order."""

    path: str
    start: int
    end: int
    pieces: tuple[Piece, ...] = ()


def written(path: str, start: int, end: int, text: bytes) -> Change:
    return Change(path, start, end, (Written(text),) if text else ())


@frozen
class Kept:
    """Bytes `start..end` of today's `path` stand at `new_start` of the planned `new_path`."""

    path: str
    start: int
    end: int
    new_path: str
    new_start: int


@frozen
class Composition:
    """The planned bytes of every changed file, and where today's bytes went."""

    texts: Mapping[str, bytes]
    kept: tuple[Kept, ...]
    new: Mapping[str, tuple[tuple[int, int], ...]]
    """Ranges of written text, by planned file."""
    gone: frozenset[str] = frozenset()
    """Today's paths of files that the plan has under another name."""

    def find(self, path: str, position: int) -> tuple[str, int] | None:
        """Where the byte at `position` of today's `path` stands in the planned tree; None when it is gone."""
        if path not in self.texts and path not in self.gone:
            return path, position
        rows = self._by_file.get(path, [])
        index = bisect_right(rows, position, key=lambda k: k.start) - 1
        if index < 0:
            return None
        kept = rows[index]
        if position >= kept.end:
            return None
        return kept.new_path, kept.new_start + position - kept.start

    @property
    def stays(self) -> Mapping[str, list[tuple[int, int, int]]]:
        """Of each changed file the bytes `start..end` that go on to stand in it, each with its new start."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for kept in self.kept:
            if kept.path == kept.new_path:
                found.setdefault(kept.path, []).append((kept.start, kept.end, kept.new_start))
        return found

    @cached_property
    def _by_file(self) -> dict[str, list[Kept]]:
        """The kept ranges of each of today's files, in order."""
        found: dict[str, list[Kept]] = {}
        for kept in sorted(self.kept, key=lambda k: k.start):
            found.setdefault(kept.path, []).append(kept)
        return found


def compose(changes: Iterable[Change], sources: Mapping[str, bytes]) -> Composition:
    """Apply all changes at once. Equal changes count once. Raises OverlappingEdits."""
    by_path: dict[str, list[Change]] = {}
    for change in dict.fromkeys(changes):
        by_path.setdefault(change.path, []).append(change)
    texts: dict[str, bytes] = {}
    kept: list[Kept] = []
    new: dict[str, tuple[tuple[int, int], ...]] = {}
    for path, mine in by_path.items():
        writer = _Writer(path, sources)
        position = 0
        for change in sorted(mine, key=lambda c: (c.start, c.end)):
            if change.start < position:
                raise OverlappingEdits(f"{path}: bytes {change.start}..{change.end} are edited twice")
            writer.add(Verbatim(path, position, change.start))
            for piece in change.pieces:
                writer.add(piece)
            position = change.end
        writer.add(Verbatim(path, position, len(sources[path])))
        texts[path] = b"".join(writer.parts)
        kept += writer.kept
        new[path] = tuple(writer.new)
    return Composition(texts, tuple(kept), new)


def renamed(composition: Composition, files: Mapping[str, str], sources: Mapping[str, bytes]) -> Composition:
    """The composition with whole files under other names; `files` maps today's path to the planned one.

    A file that nothing was changed in is taken over as it is.
    """
    leaving = {old: new for old, new in files.items() if old != new}
    texts = {leaving.get(path, path): text for path, text in composition.texts.items()}
    kept = [evolve(k, new_path=leaving.get(k.new_path, k.new_path)) for k in composition.kept]
    for old, new in leaving.items():
        if old not in composition.texts:
            texts[new] = sources[old]
            kept.append(Kept(old, 0, len(sources[old]), new, 0))
    written_there = {leaving.get(path, path): ranges for path, ranges in composition.new.items()}
    return Composition(texts, tuple(kept), written_there, frozenset(leaving))


class _Writer:
    """Collects the pieces of one planned file and remembers where each came from."""

    def __init__(self, path: str, sources: Mapping[str, bytes]) -> None:
        self.path = path
        self.sources = sources
        self.parts: list[bytes] = []
        self.kept: list[Kept] = []
        self.new: list[tuple[int, int]] = []
        self.length = 0

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Verbatim):
            text = self.sources[piece.path][piece.start : piece.end]
            if text:
                self.kept.append(Kept(piece.path, piece.start, piece.end, self.path, self.length))
        else:
            text = piece.text
        if text and isinstance(piece, Written):
            self.new.append((self.length, self.length + len(text)))
        if text:
            self.parts.append(text)
            self.length += len(text)


def taken_over(
    path: str, start: int, end: int, inner: Iterable[Change], source: bytes, newline: bytes
) -> tuple[Piece, ...]:
    """Pieces for bytes `start..end` of `path` with the `inner` changes made and line ends turned to `newline`."""
    pieces: list[Piece] = []
    position = start
    for change in sorted(dict.fromkeys(inner), key=lambda c: (c.start, c.end)):
        if change.start < position:
            raise OverlappingEdits(f"{path}: bytes {change.start}..{change.end} are edited twice")
        pieces += _lines(path, position, change.start, source, newline)
        pieces += (_ended(piece, newline) if isinstance(piece, Written) else piece for piece in change.pieces)
        position = change.end
    pieces += _lines(path, position, end, source, newline)
    return tuple(pieces)


def _ended(piece: Written, newline: bytes) -> Written:
    """New text with its line ends in the style of the file it stands in."""
    return Written(piece.text.replace(b"\r\n", b"\n").replace(b"\n", newline))


def _lines(path: str, start: int, end: int, source: bytes, newline: bytes) -> list[Piece]:
    """Verbatim pieces, cut where a line end must be written in the other style."""
    foreign = b"\n" if newline == b"\r\n" else b"\r\n"
    pieces: list[Piece] = []
    position = start
    while True:
        found = source.find(foreign, position, end)
        while found > 0 and foreign == b"\n" and source[found - 1 : found] == b"\r":
            found = source.find(foreign, found + 1, end)
        if found < 0:
            pieces.append(Verbatim(path, position, end))
            return pieces
        pieces += (Verbatim(path, position, found), Written(newline))
        position = found + len(foreign)
