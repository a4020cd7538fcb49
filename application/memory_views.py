"""What the views know of memory: claims, paint, antibodies. The rows, and the questions as a port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.memory.anchors import Anchor
    from m1nd.domain.memory.antibodies import Pattern
    from m1nd.domain.memory.claim_state import Marker, State, Strength
    from m1nd.domain.symbols import Address


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
        from m1nd.domain.memory.claim_state import Strength

        return Strength(self.state, self.confidence)


@frozen
class TagRow:
    """One tag on one item; `place` is where the item stood when it got it."""

    symbol_id: str
    tag: str
    place: Address
    reason: str
    version: int


@frozen
class PaintRow:
    """One commit of paint. `kind` is `painted`, or `add`, `remove`, `set`; `changed` counts items; `scope` what was chosen."""

    version: int
    kind: str
    tags: tuple[str, ...]
    scope: str
    changed: int
    scanned: int
    counts: Mapping[str, int]
    proof_coverage: float
    actor_id: str
    recorded_at: datetime


@frozen
class AntibodyRow:
    antibody_id: str
    name: str
    description: str
    severity: str
    pattern: Pattern
    specificity: float
    created_by: str
    created_at: datetime
    enabled: bool


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

    def paint_version(self) -> int:
        """The number of the last commit of paint; 0 before the first."""
        ...

    def tags(self) -> Sequence[TagRow]:
        """Every tag of every item, by item and tag."""
        ...

    def tag_names(self) -> Sequence[str]:
        """Every tag that some item bears, sorted."""
        ...

    def tagged(self, tag: str, limit: int) -> Sequence[TagRow]:
        """Items that bear just this tag, at most so many."""
        ...

    def tags_on(self, symbol_id: str) -> Sequence[TagRow]: ...

    def paint_ledger(self, limit: int = 50) -> Sequence[PaintRow]:
        """Newest first."""
        ...

    def antibodies(self) -> Sequence[AntibodyRow]:
        """Those that were not deleted, oldest first."""
        ...

    def file_generations(self) -> Mapping[str, int]:
        """The generation of each file's last recorded change; files that an event left out are not in it."""
        ...

    def departures(self) -> Sequence[tuple[Address, Address | None]]:
        """Every address that an item left, with where that item is now; None where it was lost."""
        ...
