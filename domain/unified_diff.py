"""Unified diffs, read and applied strictly: every line of a hunk must stand where the hunk says, or nothing is applied.

No fuzz, no offset, no guess: a diff that does not fit is refused with the hunk that does not, and with the place where its
lines stand now, if there is just one. Renames, modes and binary patches are no part of a plan. Bytes in, bytes out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Never

from attrs import define, field, frozen

from m1nd.domain.refusal import refuse

HEADER = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
NOWHERE = "/dev/null"
UNFIT = (
    (b"rename ", "renames a file: plan the new file and the removal of the old one"),
    (b"copy ", "copies a file: plan the new file with its whole text"),
    (b"old mode ", "changes a file's mode, which a plan cannot"),
    (b"new mode ", "changes a file's mode, which a plan cannot"),
    (b"GIT binary patch", "is binary"),
    (b"Binary files ", "is binary"),
)
"""Lines between `diff --git` and the first hunk that say more than a plan can hold."""


@frozen
class Hunk:
    """`old` lines (context and removed) become `new` lines (context and added); each with its line ending.

    `start` is the index of the first old line, counted from 0; `number` counts the hunks of the file from 1.
    """

    number: int
    header: str
    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]


@frozen
class FileDiff:
    path: str
    hunks: tuple[Hunk, ...]
    creates: bool
    removes: bool


def parse_diff(data: bytes) -> tuple[FileDiff, ...]:
    """The files of a diff, in its order. Raises Refused(bad_plan) naming the line."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return tuple(_files(_Lines(lines)))


def apply_hunks(path: str, before: bytes, hunks: Sequence[Hunk]) -> bytes:
    """`before` with every hunk applied. Raises Refused(hunk_failed | overlapping_edits | bad_plan)."""
    lines = split_lines(before)
    parts: list[bytes] = []
    position = 0
    for hunk in hunks:
        if not hunk.old and lines:
            refuse(
                "bad_plan",
                f"{path}, hunk {hunk.number} ({hunk.header}): nothing says what it stands between",
                "make the diff with lines of context",
                path=path,
                hunk=hunk.number,
            )
        if hunk.start < position:
            refuse(
                "overlapping_edits",
                f"{path}, hunk {hunk.number} ({hunk.header}) begins inside the hunk before it",
                path=path,
                hunk=hunk.number,
            )
        end = hunk.start + len(hunk.old)
        if tuple(lines[hunk.start : end]) != hunk.old:
            _refuse_hunk(path, lines, hunk)
        parts += (*lines[position : hunk.start], *hunk.new)
        position = end
    parts += lines[position:]
    return b"".join(parts)


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their endings; only a line feed ends one."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _refuse_hunk(path: str, lines: Sequence[bytes], hunk: Hunk) -> Never:
    old = hunk.old
    places = [at + 1 for at in range(len(lines) - len(old) + 1) if tuple(lines[at : at + len(old)]) == old]
    found = lines[hunk.start : hunk.start + len(old)]
    pairs = enumerate(zip(found, old, strict=False))
    wrong = next((at for at, (here, wanted) in pairs if here != wanted), len(found))
    line = hunk.start + wrong + 1
    here = _shown(lines[line - 1]) if line <= len(lines) else "the end of the file"
    moved = f"; its lines stand at line {places[0]} now" if len(places) == 1 else ""
    refuse(
        "hunk_failed",
        f"{path}, hunk {hunk.number} ({hunk.header}) does not apply: line {line} is {here}, the hunk wants "
        f"{_shown(old[wrong])}{moved}; nothing was planned",
        path=path,
        hunk=hunk.number,
        line=line,
        stands_at=places[:10],
    )


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "replace")
    ending = "" if text.endswith("\n") else " without a line ending"
    text = text.removesuffix("\n")
    return f"`{text[:60]}{'…' if len(text) > 60 else ''}`{ending}"


def quoted(path: str) -> str:
    """A path as a diff's header holds it: in git's quotes where it has signs that would end it."""
    if not re.search(r"[\x00-\x1f\x7f\"\\]", path):
        return path
    names = {code: name for name, code in ESCAPES.items()}
    signs = (
        f"\\{names[ord(c)]}" if ord(c) in names else f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) == 127 else c
        for c in path
    )
    return f'"{"".join(signs)}"'


@define
class _Lines:
    """The lines of a diff and how far they are read."""

    lines: list[bytes]
    at: int = 0

    def more(self) -> bool:
        return self.at < len(self.lines)

    def peek(self, ahead: int = 0) -> bytes:
        return self.lines[self.at + ahead] if self.at + ahead < len(self.lines) else b""

    def take(self) -> bytes:
        self.at += 1
        return self.lines[self.at - 1]

    def refuse(self, why: str, hint: str = "") -> Never:
        refuse("bad_plan", f"line {self.at} of the diff {why}", hint, line=self.at)


@define
class _Head:
    """What `diff --git` and the lines after it said of a file."""

    names: bytes = b""
    creates: bool = False
    removes: bool = False
    seen: list[bytes] = field(factory=list)


def _files(lines: _Lines) -> Iterator[FileDiff]:
    head: _Head | None = None
    after_hunks = False
    while lines.more():
        line = lines.peek()
        if line.startswith(b"diff --git "):
            if head is not None:
                yield _empty_file(lines, head)
            head, after_hunks = _read_head(lines), False
        elif line.startswith(b"--- ") and lines.peek(1).startswith(b"+++ "):
            yield _read_file(lines, head)
            head, after_hunks = None, True
        elif line.startswith(b"@@ "):
            lines.take()
            lines.refuse("is a hunk of no file: the `---` and `+++` lines are missing")
        elif after_hunks and line == b"-- ":
            after_hunks = False  # the signature of a mail: what follows is no part of the diff
        else:
            lines.take()
            if after_hunks and line[:1] in (b"+", b"-", b" ", b"\\"):
                lines.refuse("belongs to no hunk: the counts in the hunk's header are too small")
    if head is not None:
        yield _empty_file(lines, head)


def _read_head(lines: _Lines) -> _Head:
    head = _Head(lines.take()[len(b"diff --git ") :].rstrip(b"\r"))
    while lines.more():
        line = lines.peek()
        if line == b"-- " or line.startswith((b"diff --git ", b"--- ", b"@@ ")):
            return head
        lines.take()
        for start, why in UNFIT:
            if line.startswith(start):
                lines.refuse(why)
        if line.startswith(b"new file mode "):
            head.creates = True
            if line.split()[-1] != b"100644":
                lines.refuse("makes a link or an executable file, which a plan cannot")
        elif line.startswith(b"deleted file mode "):
            head.removes = True
        elif line[:1] in (b"+", b"-", b"\\"):
            lines.refuse("belongs to no hunk")
    return head


def _empty_file(lines: _Lines, head: _Head) -> FileDiff:
    """A file without a hunk: git writes an empty one so."""
    if not head.creates and not head.removes:
        lines.refuse("ends a file of which nothing is changed")
    if head.names.startswith(b'"'):
        first, _, second = head.names[1:].partition(b'" "')
        old, new = _unquote(lines, b'"' + first + b'"'), _unquote(lines, b'"' + second)
    else:
        half = (len(head.names) - 1) // 2
        old, new = (_decode(lines, name) for name in (head.names[:half], head.names[half + 1 :]))
    return FileDiff(_one_path(lines, old, new), (), head.creates, head.removes)


def _read_file(lines: _Lines, head: _Head | None) -> FileDiff:
    old, new = (_path(lines, lines.take()[4:]) for _ in range(2))
    path = _one_path(lines, old, new)
    hunks: list[Hunk] = []
    while lines.peek().startswith(b"@@ "):
        hunks.append(_read_hunk(lines, len(hunks) + 1))
    if not hunks:
        lines.refuse("names a file without a hunk")
    creates = old == NOWHERE or (head is not None and head.creates)
    removes = new == NOWHERE or (head is not None and head.removes)
    return FileDiff(path, tuple(hunks), creates, removes)


def _read_hunk(lines: _Lines, number: int) -> Hunk:
    line = lines.take()
    match = HEADER.match(line)
    if match is None:
        lines.refuse("is no hunk header of the form `@@ -1,2 +1,3 @@`")
    start = int(match[1])
    old_left, new_left = (1 if count is None else int(count) for count in (match[2], match[4]))
    index = start if old_left == 0 else start - 1
    if index < 0:
        lines.refuse("begins a hunk before line 1")
    old: list[bytes] = []
    new: list[bytes] = []
    while old_left or new_left:
        if not lines.more():
            lines.refuse(f"ends in the middle of hunk {number}: the counts in its header are too large")
        body = lines.take()
        sign, text = (body[:1] or b" "), body[1:] + b"\n"
        if sign not in (b" ", b"-", b"+"):
            lines.refuse(f"is not a line of hunk {number}: its header promises more lines")
        if sign != b"+":
            old_left -= 1
            old.append(text)
        if sign != b"-":
            new_left -= 1
            new.append(text)
        if old_left < 0 or new_left < 0:
            lines.refuse(f"does not fit the counts in the header of hunk {number}")
        if lines.peek().startswith(b"\\"):
            lines.take()
            if sign != b"+":
                old[-1] = old[-1][:-1]
            if sign != b"-":
                new[-1] = new[-1][:-1]
    header = match[0].decode()
    return Hunk(number, header, index, tuple(old), tuple(new))


def _path(lines: _Lines, text: bytes) -> str:
    if text.startswith(b'"'):
        return _unquote(lines, text[: text.rindex(b'"') + 1])
    return _decode(lines, text.split(b"\t", 1)[0].rstrip(b"\r"))


def _decode(lines: _Lines, text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        lines.refuse("names a path that is not UTF-8")


def _unquote(lines: _Lines, text: bytes) -> str:
    """A path in git's quotes: backslashes before signs and before three octal digits."""
    inner = _decode(lines, text[1:-1])
    out = bytearray()
    at = 0
    while at < len(inner):
        char = inner[at]
        if char != "\\":
            out += char.encode()
            at += 1
            continue
        octal = inner[at + 1 : at + 4]
        if re.fullmatch("[0-3][0-7]{2}", octal):
            out.append(int(octal, 8))
            at += 4
        elif inner[at + 1 : at + 2] in ESCAPES:
            out.append(ESCAPES[inner[at + 1]])
            at += 2
        else:
            lines.refuse("names a path with a broken escape")
    return _decode(lines, bytes(out))


def _one_path(lines: _Lines, old: str, new: str) -> str:
    """The path of a file, without the prefixes `a/` and `b/` (or git's other pairs of one letter)."""
    if old == NOWHERE or new == NOWHERE:
        path = new if old == NOWHERE else old
        if path == NOWHERE:
            lines.refuse("names no file")
        return path[2:] if path.startswith(("a/", "b/")) else path
    if old == new and not old.startswith(("a/", "b/")):
        return old
    if old[1:2] == new[1:2] == "/" and old[2:] == new[2:] and old[0] != new[0]:
        return old[2:]
    if old == new:
        return old
    lines.refuse(f"renames `{old}` to `{new}`: plan the new file and the removal of the old one")
