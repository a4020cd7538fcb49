"""What a claim is as a value: what is said, by whom, how sure they are, and what it rests on."""

import re
from enum import StrEnum
from typing import Literal

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.receipts.redaction import redact
from m1nd.domain.values import Value

LONGEST_CLAIM = 4000
LONGEST_LABEL = 120
MOST_ANCHORS = 32
MOST_MARKERS = 64

_BLANKS = re.compile(r"\n{3,}")


class State(StrEnum):
    """How far a claim was checked, by its author's word (reference of the L1GHT form: the rank of supersession)."""

    VERIFIED = "verified"
    AUTHORED = "authored"
    OUTDATED = "outdated"

    @property
    def rank(self) -> int:
        return {State.VERIFIED: 2, State.AUTHORED: 1, State.OUTDATED: 0}[self]


class Marker(Value):
    """A remark of the L1GHT form beside a claim: `⟁ depends_on: …`, `RED blocker: …`; kept as it was written."""

    glyph: str = Field(max_length=8)
    kind: str = Field(max_length=40)
    value: str = Field(max_length=1000)


class ClaimFields(Value):
    """A claim as the log keeps it. `confidence` is 0 to 1, None where nobody said; `created_at` is None but for imports."""

    claim_id: str = Field(pattern=r"^clm_[0-9a-f]{8,32}$")
    label: str = Field(min_length=1, max_length=LONGEST_LABEL)
    claim: str = Field(min_length=1, max_length=LONGEST_CLAIM)
    state: State
    confidence: float | None = Field(default=None, ge=0, le=1)
    evidence: tuple[Anchor, ...] = Field(default=(), max_length=MOST_ANCHORS)
    markers: tuple[Marker, ...] = Field(default=(), max_length=MOST_MARKERS)
    supersedes: str = ""
    source_agent: str = Field(max_length=200)
    origin: Literal["memorized", "light"] = "memorized"
    created_at: AwareDatetime | None = None


@frozen
class Strength:
    """What decides whether one claim may take another's place."""

    state: State
    confidence: float | None

    def carries(self, other: "Strength") -> bool:
        """At least as strong on both counts; an unknown confidence on either side is not comparable, so it is no."""
        if self.confidence is None or other.confidence is None:
            return False
        return self.state.rank >= other.state.rank and self.confidence >= other.confidence

    def __str__(self) -> str:
        sure = "unknown" if self.confidence is None else f"{self.confidence:g}"
        return f"{self.state}, confidence {sure}"


def plain_text(text: str) -> str:
    """A claim's text in its one form: no white space at the ends of lines, no control characters, one blank line at most.

    Secrets are taken out here, before anything is kept (QUALITY.md, Safety).
    """
    kept = "".join(c for c in text.replace("\r\n", "\n").replace("\r", "\n") if c == "\n" or c.isprintable())
    return _tidied(redact(_tidied(kept)))


def _tidied(text: str) -> str:
    return _BLANKS.sub("\n\n", "\n".join(line.strip() for line in text.split("\n"))).strip()


def label_of(text: str) -> str:
    """A label from a claim's first words, for who gave none."""
    first = " ".join(text.split()[:8])
    return first if len(first) <= 60 else f"{first[:59].rstrip()}…"
