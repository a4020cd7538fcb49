"""What a remembered thing points at, and whether that is still as it was: fresh, moved, changed or gone.

An anchor is an item by its `symbol_id`, or a file by its path, with digests of what stood there. Freshness is worked out
from the graph at the moment of the question and never stored.
"""

import re
from enum import StrEnum
from typing import Literal

from attrs import frozen
from pydantic import Field

from m1nd.domain.digests import sha256
from m1nd.domain.symbols import Address
from m1nd.domain.values import Value

_RESTRICTED = re.compile(rb"\bpub\s*(?:\(\s*(?:crate|self|super|in\s[^)]*)\s*\))?\s*")
_QUALIFIER = re.compile(rb"(?:\b(?:r#)?[A-Za-z_]\w*\s*::\s*|(?<![\w>])::\s*)+(?=(?:r#)?[A-Za-z_{<*])")
_SPACE = re.compile(rb"\s+")
_TRAILING_COMMA = re.compile(rb",(?=[)\]}>])")


class Freshness(StrEnum):
    FRESH = "fresh"
    MOVED = "moved"
    """It stands somewhere else and says the same."""
    CHANGED = "changed"
    GONE = "gone"


class Anchor(Value):
    """One anchor. `path`, `place` and `label` tell where it was when it was made; digests are empty for what never was.

    `loose` is the digest without what a move rewrites (see `prints`); empty for a file.
    """

    kind: Literal["symbol", "file"]
    symbol_id: str = Field(default="", pattern=r"^(sym_[0-9a-f]{12})?$")
    path: str
    place: Address | None = None
    label: str = ""
    sha256: str = ""
    loose: str = ""

    @property
    def name(self) -> str:
        return self.label or self.path


@frozen
class Sight:
    """What stands there now: where the item or file is, and its digests."""

    path: str
    place: Address | None
    label: str
    sha256: str
    loose: str = ""


def prints(text: bytes) -> tuple[str, str]:
    """`(sha256, loose)` of an item's text.

    The loose one is over the text without white space, visibility and path qualifiers: all that a move may write anew in
    the item that it carries. It only ever decides between moved and changed, for an item that stands elsewhere.
    """
    loose = _QUALIFIER.sub(b"", _RESTRICTED.sub(b"", text))
    return sha256(text), sha256(_TRAILING_COMMA.sub(b"", _SPACE.sub(b"", loose)))


def judge(anchor: Anchor, sight: Sight | None) -> Freshness:
    """How an anchor stands to what is there now."""
    if sight is None:
        return Freshness.GONE
    elsewhere = sight.path != anchor.path or sight.place != anchor.place
    if sight.sha256 == anchor.sha256:
        return Freshness.MOVED if elsewhere else Freshness.FRESH
    if elsewhere and anchor.loose and sight.loose == anchor.loose:
        return Freshness.MOVED
    return Freshness.CHANGED


def worst(standings: tuple[Freshness, ...]) -> Freshness | None:
    """The one that matters most to a reader; None where there is no anchor."""
    order = (Freshness.GONE, Freshness.CHANGED, Freshness.MOVED, Freshness.FRESH)
    return next((state for state in order if state in standings), None)
