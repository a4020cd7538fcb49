"""The events of a mission, and how each one moves its state. Wire names: the seed's where it has one, else the mission's own.

An event folds into the frozen `MissionState`; the guards that come before it are in `mission.py`.
"""

from typing import Any, ClassVar, Literal

from attrs import evolve
from pydantic import AwareDatetime, Field

from m1nd.domain.base import CreatedEvent, Event, JsonObject
from m1nd.domain.missions.gate import Evidence, GateReport, MissionScope
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.missions.state import Execution, MissionState, Verdict
from m1nd.domain.missions.states import State, identity

Decision = Literal["APPROVE", "CHANGE", "REJECT"]


class MissionEvent(Event):
    mission_id: str

    def apply(self, aggregate: Any) -> None:
        """Called by the library when the event is recorded and when it is replayed."""
        aggregate.current = self.fold(aggregate.current)

    def fold(self, state: MissionState) -> MissionState:
        """The state after this event."""
        raise NotImplementedError(type(self).__name__)


class MissionOpened(CreatedEvent):
    TOPIC: ClassVar[str] = "mission_opened"
    mission_id: str = Field(pattern=r"^msn_[0-9a-f]{12}$")
    block_id: str
    brain_ref: str
    packet: MissionPacket
    packet_digest: str
    policy: MissionPolicy
    iteration: int
    retries_of: str


class MissionJudged(MissionEvent):
    """A reviewer's word about the packet, before any work."""

    TOPIC: ClassVar[str] = "mission_judged"
    decision: Decision
    gist: str
    packet_digest: str
    approves_digest: str

    def fold(self, state: MissionState) -> MissionState:
        targets = {"APPROVE": State.JUDGING, "CHANGE": State.REVISING, "REJECT": State.FAILED}
        verdict = Verdict(self.decision, self.gist, identity(self.actor), self.approves_digest)
        return evolve(state, state=targets[self.decision], verdict=verdict)


class MissionRevised(MissionEvent):
    TOPIC: ClassVar[str] = "mission_revised"
    iteration: int
    packet: MissionPacket
    packet_digest: str

    def fold(self, state: MissionState) -> MissionState:
        return evolve(
            _fresh(state),
            state=State.JUDGING,
            iteration=self.iteration,
            packet=self.packet,
            packet_digest=self.packet_digest,
            verdict=None,
        )


class MissionDispatched(MissionEvent):
    """Given to a runner; the block's scope of this moment is what a receipt will be bound to."""

    TOPIC: ClassVar[str] = "mission_dispatched"
    iteration: int
    packet: MissionPacket
    packet_digest: str
    execution_id: str
    runner_id: str
    scope: MissionScope
    block_version: int
    patience_seconds: int
    deadline: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        execution = Execution(
            self.execution_id,
            self.runner_id,
            self.scope,
            self.block_version,
            self.patience_seconds,
            self.deadline,
            last_seen=self.timestamp,
        )
        return evolve(
            _fresh(state),
            state=State.DISPATCHED,
            iteration=self.iteration,
            packet=self.packet,
            packet_digest=self.packet_digest,
            execution=execution,
        )


class MissionStarted(MissionEvent):
    TOPIC: ClassVar[str] = "mission_started"
    execution_id: str
    deadline: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        return evolve(_seen(state, self), state=State.EXECUTING)


class Heartbeat(MissionEvent):
    TOPIC: ClassVar[str] = "heartbeat"
    execution_id: str
    progress: str
    deadline: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        return evolve(_seen(state, self, progress=self.progress), state=State.EXECUTING)


class MissionNeedsReply(MissionEvent):
    TOPIC: ClassVar[str] = "mission_needs_reply"
    execution_id: str
    question: str
    deadline: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        return _seen(state, self, question=self.question)


class MissionReplied(MissionEvent):
    TOPIC: ClassVar[str] = "mission_replied"
    execution_id: str
    answer: str

    def fold(self, state: MissionState) -> MissionState:
        return _working(state, question="")


class OutputLanded(MissionEvent):
    """The work's own result, before the gate."""

    TOPIC: ClassVar[str] = "output_landed"
    execution_id: str
    exit_status: int
    artifact_hash: str
    summary: str
    deadline: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        return _seen(state, self, output_hash=self.artifact_hash, output_status=self.exit_status)


class DebriefRequested(MissionEvent):
    TOPIC: ClassVar[str] = "debrief_requested"
    execution_id: str

    def fold(self, state: MissionState) -> MissionState:
        return _working(state, debrief_due=True)


class MissionDebriefed(MissionEvent):
    TOPIC: ClassVar[str] = "mission_debriefed"
    execution_id: str
    conformance: str
    summary: str

    def fold(self, state: MissionState) -> MissionState:
        return _working(state, debrief_due=False, conformance=self.conformance)


class MissionEvidenceAttached(MissionEvent):
    """Something done inside the mission has a receipt of its own (a move, an edit).

    `scope` where it changed the mission's own block, and nobody else had: the work goes on from there.
    """

    TOPIC: ClassVar[str] = "mission_evidence_attached"
    execution_id: str
    evidence: Evidence
    scope: MissionScope | None = None
    block_version: int = 0

    def fold(self, state: MissionState) -> MissionState:
        attached = evolve(state, attached=(*state.attached, self.evidence))
        if self.scope is None:
            return attached
        return _working(attached, scope=self.scope, block_version=self.block_version)


class MissionGateOpened(MissionEvent):
    TOPIC: ClassVar[str] = "mission_gate_opened"
    execution_id: str

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.GATE)


class MissionGatePassed(MissionEvent):
    TOPIC: ClassVar[str] = "mission_gate_passed"
    execution_id: str
    gate: GateReport

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, gate=self.gate)


class MissionGateFailed(MissionEvent):
    TOPIC: ClassVar[str] = "mission_gate_failed"
    execution_id: str
    gate: GateReport

    def fold(self, state: MissionState) -> MissionState:
        reason = f"the gate ended with exit status {self.gate.exit_status}"
        return evolve(state, state=State.FAILED, gate=self.gate, reason=reason)


class MissionReviewAsked(MissionEvent):
    TOPIC: ClassVar[str] = "mission_review_asked"
    gate_digest: str

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.REVIEW, verdict=None)


class MissionReviewed(MissionEvent):
    """A reviewer's word about the work, after the gate."""

    TOPIC: ClassVar[str] = "mission_reviewed"
    decision: Decision
    gist: str
    gate_digest: str

    def fold(self, state: MissionState) -> MissionState:
        targets = {"APPROVE": State.REVIEW, "CHANGE": State.REVISING, "REJECT": State.FAILED}
        verdict = Verdict(self.decision, self.gist, identity(self.actor))
        return evolve(state, state=targets[self.decision], verdict=verdict)


class MissionMergeWaiting(MissionEvent):
    TOPIC: ClassVar[str] = "mission_merge_waiting"
    candidate_id: str
    candidate: JsonObject

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.MERGE_WAIT, candidate_id=self.candidate_id, candidate=self.candidate)


class MissionLanded(MissionEvent):
    """In one append with `receipt_imported` and `stamp_consumed`; the producer stays in the receipt's emitter."""

    TOPIC: ClassVar[str] = "mission_landed"
    candidate_id: str
    receipt_id: str
    stamp_id: str
    landed_by: str
    store_version: int

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.LANDED, receipt_id=self.receipt_id, landed_by=self.landed_by)


class MissionFailed(MissionEvent):
    TOPIC: ClassVar[str] = "mission_failed"
    reason: str
    artifact_hash: str

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.FAILED, reason=self.reason)


class MissionArchived(MissionEvent):
    TOPIC: ClassVar[str] = "mission_archived"
    stamp_id: str
    reason: str
    boundary_at_start: int
    boundary_now: int

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.ARCHIVED, reason=self.reason)


class MissionCancelled(MissionEvent):
    TOPIC: ClassVar[str] = "mission_cancelled"
    reason: str

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.CANCELLED, reason=self.reason)


class MissionStalled(MissionEvent):
    TOPIC: ClassVar[str] = "mission_stalled"
    execution_id: str
    last_seen: AwareDatetime
    as_of: AwareDatetime

    def fold(self, state: MissionState) -> MissionState:
        return evolve(state, state=State.STALLED)


def _fresh(state: MissionState) -> MissionState:
    """Without what an earlier iteration had: its run, its gate and its candidate."""
    return evolve(state, execution=None, gate=None, attached=(), candidate_id="", candidate=None)


def _working(state: MissionState, **changes: Any) -> MissionState:
    assert state.execution is not None
    return evolve(state, execution=evolve(state.execution, **changes))


def _seen(state: MissionState, event: Any, **changes: Any) -> MissionState:
    """A sign of life of the runner: its next one is due by the event's deadline."""
    return _working(state, started=True, last_seen=event.timestamp, deadline=event.deadline, **changes)
