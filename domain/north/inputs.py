"""What the packet takes from the rooms of the brain, as frozen values: memory, map, bell, other agents at work.

A room that the log knows nothing of is empty here: counts are 0 because they are, never because they were left out.
"""

from attrs import field, frozen

from m1nd.domain.card.deep import DeepDetails
from m1nd.domain.card.facts import Coherence


@frozen
class MemoryRow:
    """One durable claim that came up for the task. `age_ms` counts to `as_of`; `confidence` is None where none was given;
    `evidence_fresh` is None for a claim without evidence."""

    claim_id: str
    claim: str
    state: str
    source_agent: str
    age_ms: int
    stale: bool
    anchored_to: tuple[str, ...] = ()
    evidence_fresh: bool | None = None
    confidence: float | None = None


@frozen
class StaleBlock:
    """The first ratified block whose receipts are stale: `have` of `need` required receipts are still live."""

    slug: str
    reason: str
    have: int
    need: int


@frozen
class MapInputs:
    """The store of blocks. `ratified` leaves out archived blocks; slugs differ when coherence is sick."""

    ratified: int
    stale: int
    evidence_backed: int
    first_stale: StaleBlock | None = None
    expected_slug: str = ""
    found_slug: str = ""

    @property
    def slugs_agree(self) -> bool:
        return self.expected_slug == self.found_slug

    @property
    def coherence(self) -> Coherence:
        """A stale ratified block makes it sick too (D9)."""
        return Coherence.OK if self.slugs_agree and not self.stale else Coherence.SICK


@frozen
class Collision:
    """Another agent that changes things here: who, and what of it is the caller's work too (paths)."""

    agent: str
    overlap: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.agent} ({', '.join(self.overlap)})"


@frozen
class CardInputs:
    """All that the card and the packet need from the views. `blocks` is None where there is no store."""

    memories: int = 0
    blocks: MapInputs | None = None
    bell: int = 0
    collisions: tuple[Collision, ...] = ()
    details: DeepDetails = field(factory=DeepDetails)

    @property
    def coherence(self) -> Coherence:
        return Coherence.NONE if self.blocks is None else self.blocks.coherence

    @property
    def ratified(self) -> int:
        return 0 if self.blocks is None else self.blocks.ratified
