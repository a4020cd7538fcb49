"""The Claim aggregate: one remembered sentence, who says it, how sure they are, and what it rests on.

memorized → superseded at most once, and only by a claim that is at least as strong. A claim is never edited: what is
known better is a new claim that names the old one.
"""

import re
from datetime import datetime
from typing import ClassVar, Literal, Self

from pydantic import AwareDatetime

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.memory.claim_state import ClaimFields, Marker, State, Strength
from m1nd.domain.refusal import refuse

_ID = re.compile(r"clm_[0-9a-f]{8,32}")


def stream_name(claim_id: str) -> str:
    """The stream of a claim. Raises Refused(claim_unknown) for an id of another form."""
    if _ID.fullmatch(claim_id) is None:
        refuse("claim_unknown", f"{claim_id!r} is the id of no claim", claim_id=claim_id)
    return f"claim:{claim_id.removeprefix('clm_')}"


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
