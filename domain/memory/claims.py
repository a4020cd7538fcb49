"""The Claim aggregate: one remembered sentence, who says it, how sure they are, and what it rests on.

memorized → superseded at most once, and only by a claim that is at least as strong. A claim is never edited: what is
known better is a new claim that names the old one.
"""

import re
from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Literal, Self

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, Value, event
from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.receipts.redaction import redact
from m1nd.domain.refusal import refuse

LONGEST_CLAIM = 4000
LONGEST_LABEL = 120
MOST_ANCHORS = 32
MOST_MARKERS = 64

_ID = re.compile(r"clm_[0-9a-f]{8,32}")
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


def stream_name(claim_id: str) -> str:
    """The stream of a claim. Raises Refused(claim_unknown) for an id of another form."""
    if _ID.fullmatch(claim_id) is None:
        refuse("claim_unknown", f"{claim_id!r} is the id of no claim", claim_id=claim_id)
    return f"claim:{claim_id.removeprefix('clm_')}"


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


class Claim(Aggregate):
    TOPIC = "claim"

    class ClaimMemorized(CreatedEvent):
        """Somebody says something about the code, and what it rests on."""

        TOPIC: ClassVar[str] = "claim_memorized"
        claim_id: str
        label: str
        claim: str
        state: State
        confidence: float | None
        evidence: tuple[Anchor, ...]
        markers: tuple[Marker, ...]
        supersedes: str
        source_agent: str
        origin: Literal["memorized", "light"]
        created_at: AwareDatetime | None

    class ClaimSuperseded(Event):
        """A claim that is at least as strong has taken this one's place."""

        TOPIC: ClassVar[str] = "claim_superseded"
        claim_id: str
        by: str

    @event(ClaimMemorized)
    def __init__(
        self,
        claim_id: str,
        label: str,
        claim: str,
        state: State,
        confidence: float | None,
        evidence: tuple[Anchor, ...],
        markers: tuple[Marker, ...],
        supersedes: str,
        source_agent: str,
        origin: Literal["memorized", "light"],
        created_at: datetime | None,
    ) -> None:
        self.claim_id = claim_id
        self.strength = Strength(State(state), confidence)
        self.superseded_by = ""

    @classmethod
    def memorize(cls, fields: ClaimFields, command: Command) -> Self:
        return cls._begin(cls.ClaimMemorized, command, stream_name(fields.claim_id), **dict(fields))

    def supersede(self, by: "Claim", command: Command) -> None:
        """Give this claim's place to `by`. Raises Refused(claim_superseded | claim_weaker)."""
        if self.superseded_by:
            refuse(
                "claim_superseded",
                f"claim {self.claim_id} has given its place to {self.superseded_by}",
                f"m1nd memory show {self.superseded_by}",
                claim_id=self.claim_id,
                superseded_by=self.superseded_by,
            )
        if not by.strength.carries(self.strength):
            refuse(
                "claim_weaker",
                f"claim {self.claim_id} ({self.strength}) gives its place to none that is weaker ({by.strength})",
                claim_id=self.claim_id,
                standing=str(self.strength),
                offered=str(by.strength),
            )
        self._record(Claim.ClaimSuperseded, command, claim_id=self.claim_id, by=by.claim_id)

    @event(ClaimSuperseded)
    def _superseded(self, by: str) -> None:
        self.superseded_by = by
