"""What the compiler said, as values, and what it says now that it did not say before. Pure: bytes in, values out."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from attrs import frozen

SUMMARY = re.compile(r"aborting due to |\d+ warnings? emitted")
POSITION = re.compile(r"(\.rs):\d+:\d+(?:: \d+:\d+)?")
"""Line and column inside a message (closures are named by them); they move when text moves."""


@frozen(order=True)
class Diagnostic:
    """One message of the compiler at one place; `file` as the caller's mapping spells it."""

    file: str
    line: int
    column: int
    code: str
    message: str

    @property
    def words(self) -> tuple[str, str]:
        return self.code, POSITION.sub(r"\1", self.message)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, *self.words


def read_diagnostic(
    message: Mapping[str, Any], file_of: Callable[[str], str], fallback: str
) -> Diagnostic | None:
    """The diagnostic in a rustc message; None for a summary line. `fallback` is the file of one without a place."""
    text = str(message["message"])
    if SUMMARY.match(text):
        return None
    code = (message.get("code") or {}).get("code", "")
    span = _place(message.get("spans") or ())
    if span is None:
        return Diagnostic(file_of(fallback), 0, 0, code, text)
    return Diagnostic(file_of(span["file_name"]), span["line_start"], span["column_start"], code, text)


def _place(spans: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The main place; for one inside a macro of another crate, the call of that macro."""
    listed = list(spans)
    span = next((s for s in listed if s.get("is_primary")), listed[0] if listed else None)
    while span is not None and span.get("expansion") and span["file_name"].startswith(("/", "<")):
        span = span["expansion"]["span"]
    return span


def added(
    before: Collection[Diagnostic], after: Collection[Diagnostic], planned: Collection[str]
) -> tuple[Diagnostic, ...]:
    """What `after` says and `before` does not, compared as multisets of (file, code, message without positions).

    A message that vanished from one planned file and turns up in another has moved along with its text (D29: a tree
    that did not compile before is judged on the difference).
    """
    unmatched = Counter(diagnostic.key for diagnostic in before)
    fresh = [diagnostic for diagnostic in sorted(after) if not _take(unmatched, diagnostic.key)]
    vanished: Counter[tuple[str, str]] = Counter()
    for (file, code, message), count in unmatched.items():
        if file in planned:
            vanished[(code, message)] += count
    return tuple(d for d in fresh if not (d.file in planned and _take(vanished, d.words)))


def _take(counter: Counter[Any], key: object) -> bool:
    if counter[key] <= 0:
        return False
    counter[key] -= 1
    return True
