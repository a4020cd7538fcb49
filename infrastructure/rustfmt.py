"""rustfmt for text that we wrote, and for nothing else (TRANSPLANT.md, plan 6).

The whole file goes through rustfmt over stdin; from its answer only those changes are taken that lie inside the lines of
our ranges. Bytes outside of them, line endings, a byte order mark and a missing final newline stay as they are.
"""

import os
import shutil
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from attrs import frozen

from m1nd.domain.digests import sha256
from m1nd.infrastructure.child_process import cut_environment, run_filter
from m1nd.infrastructure.line_diff import Hunk, hunks

APPLIED = "applied"
UNAVAILABLE = "rustfmt unavailable"
TOOLCHAINS = ("rust-toolchain", "rust-toolchain.toml")
CONFIGURATIONS = ("rustfmt.toml", ".rustfmt.toml")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LOOSE = b",;(){}"
"""What rustfmt itself adds and removes: trailing commas and semicolons, superfluous braces and parentheses."""


class Rustfmt:
    """`m1nd.application.ports.Formatter` for the repository at `root`, with the `rustfmt` of the caller's PATH.

    The configuration is the nearest one between the file and the root; never that of the current folder or of the user.
    """

    def __init__(
        self, root: str | os.PathLike[str], environment: Mapping[str, str], *, limit: float = 20.0
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._path = environment.get("PATH", os.defpath)
        self._environment = cut_environment(environment)
        self._limit = limit
        self._answers = Answers()

    def format(
        self, path: str, text: bytes, edition: int, ranges: Sequence[tuple[int, int]]
    ) -> tuple[bytes, str]:
        """See `Formatter.format`. Never raises: where rustfmt cannot help, the text comes back as it is, with a note."""
        program = shutil.which("rustfmt", path=self._path)
        if program is None:
            return text, UNAVAILABLE
        lines = Lines.of(text)
        ours = [span for span in (lines.span(start, end) for start, end in ranges) if span[0] < span[1]]
        if not ours:
            return text, APPLIED
        try:
            formatted = self._run(program, path, lines.plain(), edition)
            borders = sorted({border for span in ours for border in span})
            changes = split(lines.bodies, formatted, hunks(lines.bodies, formatted), borders)
            taken = acceptable(lines.bodies, formatted, changes, ours)
            merged = lines.with_hunks(formatted, taken)
            if not all(only_spacing(lines.bodies, formatted, change) for change in changes):
                # Text was reordered or rewritten somewhere. The mixture is right if rustfmt makes the same of it.
                again = self._run(program, path, Lines.of(merged).plain(), edition)
                merged = merged if again == formatted else text
        except RustfmtFailed as failure:
            return text, f"rustfmt failed: {failure}"
        return merged, APPLIED

    def _run(self, program: str, path: str, text: bytes, edition: int) -> list[bytes]:
        """The formatted lines, without their endings. Raises RustfmtFailed."""
        configuration = self._configuration(path)
        key = self._question(program, configuration, text, edition)
        known = self._answers.get(key)
        if known is not None:
            return known
        command = [
            program,
            "--edition",
            str(edition),
            "--config-path",
            configuration,
            "--emit",
            "stdout",
            "--quiet",
        ]
        try:
            output, ended = run_filter(command, self._root, self._environment, text, self._limit)
        except OSError as error:
            raise RustfmtFailed((error.strerror or "cannot be run").lower()) from error
        if ended.timed_out:
            raise RustfmtFailed(f"took longer than {self._limit:g} s")
        if ended.status != 0:
            raise RustfmtFailed(_first_error(ended.stderr) or f"status {ended.status}")
        lines = Lines.of(output).bodies
        self._answers.keep(key, lines, len(output))
        return lines

    def _question(self, program: str, configuration: str, text: bytes, edition: int) -> str:
        """All that rustfmt's answer follows from: the program, its settings, the toolchain that the root asks for, the text."""
        settings = [configuration, *(str(self._root / name) for name in TOOLCHAINS)]
        parts = [program.encode(), str(edition).encode(), *map(_content, settings), text]
        return sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts))

    def _configuration(self, path: str) -> str:
        folder = (self._root / path).parent
        for above in (folder, *folder.parents):
            for name in CONFIGURATIONS:
                if (above / name).is_file():
                    return str(above / name)
            if above == self._root:
                break
        return os.devnull  # an empty configuration: without one rustfmt would look around by itself


class Answers:
    """What rustfmt said to the questions of late: a commit asks again what its preview asked. Safe between threads."""

    def __init__(self, most: int = 4 << 20) -> None:
        """`most`: bytes of formatted text that are kept; the oldest answer goes first."""
        self._most = most
        self._kept: OrderedDict[str, tuple[list[bytes], int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, question: str) -> list[bytes] | None:
        with self._lock:
            found = self._kept.get(question)
            if found is None:
                return None
            self._kept.move_to_end(question)
            return found[0]

    def keep(self, question: str, lines: list[bytes], size: int) -> None:
        with self._lock:
            if question in self._kept:
                return
            self._kept[question] = (lines, size)
            self._size += size
            while self._size > self._most and self._kept:
                self._size -= self._kept.popitem(last=False)[1][1]


def _content(path: str) -> bytes:
    """The bytes of a settings file; empty where there is none."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


class RustfmtFailed(Exception):
    """rustfmt gave no usable answer; the message says why, in one line without paths."""


@frozen
class Lines:
    """A text as lines and the ending of each, so that lines can be replaced and endings kept."""

    mark: bytes
    bodies: list[bytes]
    endings: list[bytes]

    @classmethod
    def of(cls, text: bytes) -> "Lines":
        mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else b""
        bodies, endings = [], []
        for line in text[len(mark) :].split(b"\n"):
            ending = b"\r\n" if line.endswith(b"\r") else b"\n"
            bodies.append(line[:-1] if ending == b"\r\n" else line)
            endings.append(ending)
        if bodies[-1] == b"" and endings[-1] == b"\n":
            bodies.pop()
            endings.pop()
        else:  # the last line has no ending
            endings[-1] = b"\r" if endings[-1] == b"\r\n" else b""
        return cls(mark, bodies, endings)

    def plain(self) -> bytes:
        """The text as rustfmt gets it: no mark, `\\n` everywhere."""
        return b"".join(body + b"\n" for body in self.bodies)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The lines that hold the bytes `start..end`, as a half-open range; empty for an empty range."""
        if start >= end:
            return 0, 0
        first = last = None
        position = 0
        for index, (body, ending) in enumerate(zip(self.bodies, self.endings, strict=True)):
            begin = position
            position += len(body) + len(ending) + (len(self.mark) if index == 0 else 0)
            if position > start and begin < end:
                first = index if first is None else first
                last = index
        return (0, 0) if first is None or last is None else (first, last + 1)

    def with_hunks(self, other: Sequence[bytes], taken: Sequence[Hunk]) -> bytes:
        """The text with the lines of each hunk replaced by those of `other`; all else byte for byte."""
        parts = [self.mark]
        position = 0
        for hunk in taken:
            parts += self._slice(position, hunk.start)
            ending = self._usual_ending(hunk.start)
            new = [body + ending for body in other[hunk.other_start : hunk.other_end]]
            if new and hunk.end == len(self.bodies) and self.bodies:
                if hunk.start == hunk.end and not self.endings[-1].endswith(b"\n"):
                    parts.append(ending)
                new[-1] = new[-1].removesuffix(ending) + self.endings[-1]
            parts += new
            position = hunk.end
        parts += self._slice(position, len(self.bodies))
        return b"".join(parts)

    def _slice(self, start: int, end: int) -> list[bytes]:
        return [self.bodies[i] + self.endings[i] for i in range(start, end)]

    def _usual_ending(self, at: int) -> bytes:
        """The ending of the nearest line that has one."""
        around = [*self.endings[at:], *reversed(self.endings[:at])]
        return next((ending for ending in around if ending in (b"\n", b"\r\n")), b"\n")


def split(
    ours: Sequence[bytes], formatted: Sequence[bytes], changes: Sequence[Hunk], borders: Sequence[int]
) -> list[Hunk]:
    """The changes, cut at the borders of our text where both sides of the cut say the same: neighbours that are badly
    formatted too would otherwise hide ours in one large change."""
    found: list[Hunk] = []
    for change in changes:
        rest = change
        for border in borders:
            if rest.start < border < rest.end:
                cut = _same_text_until(ours[rest.start : border], formatted, rest)
                if cut is not None:
                    found.append(Hunk(rest.start, border, rest.other_start, cut))
                    rest = Hunk(border, rest.end, cut, rest.other_end)
        found.append(rest)
    return found


def _same_text_until(head: Sequence[bytes], formatted: Sequence[bytes], change: Hunk) -> int | None:
    """The line of `formatted` before which it says what `head` says, but for spacing."""
    wanted = _bare(b"".join(head), b",")
    said = b""
    for line in range(change.other_start, change.other_end + 1):
        if said == wanted:
            return line
        if len(said) > len(wanted) or line == change.other_end:
            return None
        said += _bare(formatted[line], b",")
    return None


def acceptable(
    ours: Sequence[bytes],
    formatted: Sequence[bytes],
    changes: Sequence[Hunk],
    spans: Sequence[tuple[int, int]],
) -> list[Hunk]:
    """The changes that lie wholly inside one of our spans and keep the span's text together.

    rustfmt also moves lines (imports get sorted). A span whose text as a whole is the same before and after, but for
    spacing, is taken as a whole; otherwise only the changes that are complete in themselves are.
    """
    taken: list[Hunk] = []
    for start, end in sorted(spans):
        inside = [h for h in changes if start <= h.start and h.end <= end and h not in taken]
        before = b"".join(line for h in inside for line in ours[h.start : h.end])
        after = b"".join(line for h in inside for line in formatted[h.other_start : h.other_end])
        if substance(before, LOOSE) == substance(after, LOOSE):
            taken += inside
        else:
            taken += [h for h in inside if only_spacing(ours, formatted, h)]
    return sorted(taken)


def only_spacing(ours: Sequence[bytes], formatted: Sequence[bytes], hunk: Hunk) -> bool:
    """Whether the hunk changes nothing but white space and trailing commas, in place."""
    before = b"".join(ours[hunk.start : hunk.end])
    after = b"".join(formatted[hunk.other_start : hunk.other_end])
    return _bare(before, b",") == _bare(after, b",")


def substance(text: bytes, ignored: bytes) -> Counter[int]:
    """The characters of the text, in any order, without white space and the ignored ones."""
    return Counter(_bare(text, ignored))


def _bare(text: bytes, ignored: bytes) -> bytes:
    return text.translate(None, b" \t\r\n\x0b\x0c" + ignored)


def _first_error(stderr: str) -> str:
    line = next((line for line in stderr.splitlines() if line.startswith("error")), "")
    return line.removeprefix("error: ")[:200]
