"""The Delegation aggregate: one packet handed to another agent, and its one debrief (MISSIONS.md, Delegation).

A debrief grades every touched path against what the packet foresaw. It never says that something may be merged: with
evidence it composes a `review` candidate, without it the outcome stays unverified.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Literal, Never, Self

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, JsonObject, Value, event
from m1nd.domain.missions.gate import MissionScope
from m1nd.domain.refusal import refuse

Outcome = Literal["success", "failure", "partial"]
Grade = Literal["in_scope", "expected_change", "dependent_contact", "unpredicted"]
GRADES: tuple[Grade, ...] = ("in_scope", "expected_change", "dependent_contact", "unpredicted")

_ID = re.compile(r"dlg_[0-9a-f]{12}")


def stream_name(delegation_id: str) -> str:
    """The stream of a delegation. Raises Refused(unknown_delegation) for anything that is no id of one."""
    if _ID.fullmatch(delegation_id) is None:
        unknown(delegation_id)
    return f"delegation:{delegation_id.removeprefix('dlg_')}"


def unknown(delegation_id: str) -> Never:
    refuse(
        "unknown_delegation",
        f"there is no delegation {delegation_id!r}",
        "m1nd delegate list",
        delegation_id=delegation_id,
    )


class Foreseen(Value):
    """Which files the packet named: those of the work, those it uses, those that use them. Sorted, disjoint."""

    in_scope: tuple[str, ...] = Field(default=(), max_length=1000)
    expected_change: tuple[str, ...] = Field(default=(), max_length=1000)
    dependent_contact: tuple[str, ...] = Field(default=(), max_length=1000)

    def grade(self, path: str) -> Grade:
        for grade in GRADES[:3]:
            if path in getattr(self, grade):
                return grade
        return "unpredicted"


class Touched(Value):
    path: str
    grade: Grade


def graded(foreseen: Foreseen, paths: Iterable[str]) -> tuple[Touched, ...]:
    """Every path once, in order, with its grade."""
    return tuple(Touched(path=path, grade=foreseen.grade(path)) for path in sorted(set(paths)))


@frozen
class DelegationState:
    """A delegation as its stream tells it; `outcome` is empty before the debrief."""

    delegation_id: str
    task: str
    block_id: str
    scope: MissionScope | None
    foreseen: Foreseen
    issued_by: str
    expires_at: datetime
    outcome: str = ""
    candidate_id: str = ""


class Delegation(Aggregate):
    TOPIC = "delegation"

    class DelegationIssued(CreatedEvent):
        """A packet went out; what is kept is what its debrief is judged by, and the digest of the packet itself."""

        TOPIC: ClassVar[str] = "delegation_issued"
        delegation_id: str = Field(pattern=r"^dlg_[0-9a-f]{12}$")
        task: str
        packet_digest: str
        block_id: str
        scope: MissionScope | None
        foreseen: Foreseen
        graph_generation: int
        expires_at: AwareDatetime

    class DelegationDebriefed(Event):
        """The one answer. `outcome_state` is `evidence_attached` or `outcome_unverified`."""

        TOPIC: ClassVar[str] = "delegation_debriefed"
        delegation_id: str
        outcome: Outcome
        outcome_state: Literal["evidence_attached", "outcome_unverified"]
        touched: tuple[Touched, ...]
        findings: tuple[str, ...]
        evidence: JsonObject | None
        candidate_id: str
        late: bool

    @event(DelegationIssued)
    def __init__(
        self,
        delegation_id: str,
        task: str,
        block_id: str,
        scope: MissionScope | None,
        foreseen: Foreseen,
        expires_at: datetime,
        actor: Any,
    ) -> None:
        self.delegation_id, self.task, self.block_id = delegation_id, task, block_id
        self.scope, self.foreseen, self.expires_at = scope, foreseen, expires_at
        self.issued_by = f"{actor.kind}:{actor.id}"
        self.outcome = ""
        self.candidate_id = ""

    @classmethod
    def issue(
        cls,
        delegation_id: str,
        task: str,
        packet_digest: str,
        block_id: str,
        scope: MissionScope | None,
        foreseen: Foreseen,
        graph_generation: int,
        expires_at: datetime,
        command: Command,
    ) -> Self:
        return cls._begin(
            cls.DelegationIssued,
            command,
            stream_name(delegation_id),
            delegation_id=delegation_id,
            task=task,
            packet_digest=packet_digest,
            block_id=block_id,
            scope=scope,
            foreseen=foreseen,
            graph_generation=graph_generation,
            expires_at=expires_at,
        )

    @property
    def state(self) -> DelegationState:
        return DelegationState(
            self.delegation_id,
            self.task,
            self.block_id,
            self.scope,
            self.foreseen,
            self.issued_by,
            self.expires_at,
            self.outcome,
            self.candidate_id,
        )

    def debrief(
        self,
        outcome: Outcome,
        touched_paths: Iterable[str],
        findings: tuple[str, ...],
        evidence: dict[str, Any] | None,
        candidate_id: str,
        command: Command,
    ) -> Event:
        """Answer it, once. Raises Refused(delegation_answered)."""
        if self.outcome:
            refuse(
                "delegation_answered",
                f"{self.delegation_id} was debriefed already ({self.outcome}): a delegation is answered once",
                "m1nd delegate list",
                delegation_id=self.delegation_id,
            )
        return self._record(
            Delegation.DelegationDebriefed,
            command,
            delegation_id=self.delegation_id,
            outcome=outcome,
            outcome_state="outcome_unverified" if evidence is None else "evidence_attached",
            touched=graded(self.foreseen, touched_paths),
            findings=findings,
            evidence=evidence,
            candidate_id=candidate_id,
            late=command.at >= self.expires_at,
        )

    @event(DelegationDebriefed)
    def _debriefed(self, outcome: str, candidate_id: str) -> None:
        self.outcome, self.candidate_id = outcome, candidate_id
