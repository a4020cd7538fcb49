"""What the views know of missions: lists, letters, pins, the bell. The rows, and the questions as a port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.missions.gate import CandidateStage
    from m1nd.domain.missions.runners import Pin
    from m1nd.domain.missions.states import State


@frozen
class MissionRow:
    """One mission as lists show it. `author` is `kind:id`; `seen_at` is the runner's last sign of life."""

    mission_id: str
    block_id: str
    state: State
    iteration: int
    author: str
    runner_id: str
    message: str
    effects: tuple[str, ...]
    opened_at: datetime
    updated_at: datetime
    seen_at: datetime | None
    deadline: datetime | None
    retries_of: str
    retried_by: str
    candidate_id: str
    receipt_id: str
    reason: str
    question: str
    progress: str
    exit_status: int | None
    position: int


@frozen
class LetterRow:
    """One mission letter; `letter` is its JSON."""

    mission_id: str
    mission_seq: int
    letter_id: str
    phase: str
    letter: Mapping[str, Any]
    position: int


@frozen
class DelegationRow:
    """One delegation; `outcome` is empty and `answered_at` None before its debrief."""

    delegation_id: str
    task: str
    block_id: str
    issued_by: str
    issued_at: datetime
    expires_at: datetime
    outcome: str
    outcome_state: str
    touched: tuple[Mapping[str, Any], ...]
    findings: tuple[str, ...]
    candidate_id: str
    late: bool
    answered_at: datetime | None
    position: int


@frozen
class CandidateRow:
    """One candidate outside of missions: who composed it, of what."""

    candidate_id: str
    block_id: str
    type: str
    origin: str
    source: str
    composed_by: str
    composed_at: datetime
    stage: CandidateStage
    receipt_id: str
    position: int


class MissionViews(Protocol):
    """The mission part of `Views`."""

    def missions(
        self, states: Sequence[State] = (), block_id: str = "", limit: int = 200
    ) -> Sequence[MissionRow]:
        """Newest change first; only those in `states` and of that block, where they are given."""
        ...

    def mission(self, mission_id: str) -> MissionRow | None: ...

    def letters(self, mission_id: str) -> Sequence[LetterRow]:
        """The chain of one mission, oldest first."""
        ...

    def pins(self) -> Sequence[Pin]:
        """Agents at work on blocks, and what came of it; by mission."""
        ...

    def landing_bell(self) -> int:
        """How many missions wait for the human."""
        ...

    def due_missions(self, as_of: datetime) -> Sequence[str]:
        """Ids of executing missions whose runner should have been heard of by then."""
        ...

    def delegations(self, limit: int = 50) -> Sequence[DelegationRow]:
        """Newest change first."""
        ...

    def waiting_candidates(self) -> Sequence[CandidateRow]:
        """Those that neither landed nor were dropped, newest first."""
        ...
