"""What the views know of memory: claims, paint, antibodies. The rows, and the questions as a port."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen

from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.memory.claims import Marker, State, Strength


@frozen
class ClaimRow:
    """One claim. `created_at` is when it was first said (an import brings an older time), `position` that of its event."""

    claim_id: str
    label: str
    claim: str
    state: State
    confidence: float | None
    evidence: tuple[Anchor, ...]
    markers: tuple[Marker, ...]
    source_agent: str
    origin: str
    created_at: datetime
    memorized_at: datetime
    position: int
    supersedes: str
    superseded_by: str

    @property
    def strength(self) -> Strength:
        return Strength(self.state, self.confidence)


class MemoryViews(Protocol):
    """The memory part of `Views`."""

    def live_claims(self) -> Sequence[ClaimRow]:
        """Claims that no other has superseded, newest first."""
        ...

    def claims(self, limit: int = 50) -> Sequence[ClaimRow]:
        """All claims, superseded ones too, newest first."""
        ...

    def claim(self, claim_id: str) -> ClaimRow | None: ...

    def claims_on(self, symbol_ids: Sequence[str], path: str = "") -> Sequence[ClaimRow]:
        """Live claims anchored on one of these symbols, or on the file `path`; newest first."""
        ...

    def claim_count(self) -> int:
        """How many live claims there are (`memories` of the card, D11)."""
        ...
