"""The Mission aggregate: one piece of delegated work from its packet to its landing (MISSIONS.md, Mission).

Public methods are the acts; each asks the closed table (`states.py`) first. It never imports a receipt: a landing is
recorded here and by the receipt and the stamp in one append (`m1nd.application.mission_records`).
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Never, Self

from attrs import evolve
from pydantic import JsonValue

from m1nd.domain.base import Actor, Aggregate, Command, Event, event
from m1nd.domain.missions import mission_events as events
from m1nd.domain.missions.gate import Evidence, GateReport, MissionScope, candidate_id, digest_of
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.missions.state import Execution, MissionState
from m1nd.domain.missions.states import Seat, State, identity
from m1nd.domain.refusal import refuse

PATIENCE = 1800
"""Seconds without a sign of life until a mission counts as stalled, where its dispatch says nothing else."""

LONGEST_PATIENCE = 7 * 24 * 3600

_ID = re.compile(r"msn_[0-9a-f]{12}")


def stream_name(mission_id: str) -> str:
    """The stream of a mission. Raises Refused(unknown_mission) for anything that is no mission's id."""
    if _ID.fullmatch(mission_id) is None:
        unknown(mission_id)
    return f"mission:{mission_id.removeprefix('msn_')}"


def unknown(mission_id: str) -> Never:
    refuse(
        "unknown_mission", f"there is no mission {mission_id!r}", "m1nd missions list", mission_id=mission_id
    )


class Mission(Aggregate):
    TOPIC = "mission"

    MissionOpened = events.MissionOpened
    MissionJudged = events.MissionJudged
    MissionRevised = events.MissionRevised
    MissionDispatched = events.MissionDispatched
    MissionStarted = events.MissionStarted
    Heartbeat = events.Heartbeat
    MissionNeedsReply = events.MissionNeedsReply
    MissionReplied = events.MissionReplied
    OutputLanded = events.OutputLanded
    DebriefRequested = events.DebriefRequested
    MissionDebriefed = events.MissionDebriefed
    MissionEvidenceAttached = events.MissionEvidenceAttached
    MissionGateOpened = events.MissionGateOpened
    MissionGatePassed = events.MissionGatePassed
    MissionGateFailed = events.MissionGateFailed
    MissionReviewAsked = events.MissionReviewAsked
    MissionReviewed = events.MissionReviewed
    MissionMergeWaiting = events.MissionMergeWaiting
    MissionLanded = events.MissionLanded
    MissionFailed = events.MissionFailed
    MissionArchived = events.MissionArchived
    MissionCancelled = events.MissionCancelled
    MissionStalled = events.MissionStalled

    @event(MissionOpened)
    def __init__(
        self,
        mission_id: str,
        block_id: str,
        brain_ref: str,
        packet: MissionPacket,
        packet_digest: str,
        policy: MissionPolicy,
        iteration: int,
        retries_of: str,
        actor: Actor,
        timestamp: datetime,
    ) -> None:
        self.current = MissionState(
            mission_id=mission_id,
            block_id=block_id,
            brain_ref=brain_ref,
            state=State.JUDGING,
            version=0,
            packet=packet,
            packet_digest=packet_digest,
            policy=policy,
            iteration=iteration,
            author=identity(actor),
            retries_of=retries_of,
            opened_at=timestamp,
            updated_at=timestamp,
        )

    @property
    def state(self) -> MissionState:
        return evolve(self.current, version=self.version + 1, updated_at=self.modified_on)

    # Before the work

    @classmethod
    def open(
        cls,
        mission_id: str,
        packet: MissionPacket,
        policy: MissionPolicy,
        brain_ref: str,
        retries_of: str,
        command: Command,
    ) -> Self:
        """A new mission, waiting to be judged. Raises Refused(wrong_author) for a runner, CI or the clock."""
        if command.actor.kind not in ("agent", "owner"):
            refuse(
                "wrong_author",
                f"{command.actor.kind} {command.actor.id} may not propose a mission: that is for an agent or the owner",
                mission_id=mission_id,
            )
        return cls._begin(
            cls.MissionOpened,
            command,
            stream_name(mission_id),
            mission_id=mission_id,
            block_id=packet.source_block,
            brain_ref=brain_ref,
            packet=packet,
            packet_digest=digest_of(packet.model_dump()),
            policy=policy,
            iteration=1,
            retries_of=retries_of,
        )

    def judge(self, decision: events.Decision, gist: str, approves_digest: str, command: Command) -> None:
        """A reviewer's word about the packet: APPROVE lets it be dispatched, CHANGE sends it back, REJECT ends it.

        A CHANGE may name the digest of the one packet that it approves ahead.
        """
        targets = {"APPROVE": State.DISPATCHED, "CHANGE": State.REVISING, "REJECT": State.FAILED}
        self.current.require_state(State.JUDGING, "a packet is judged while it is judging")
        stand = self.current.stand
        stand.require_edge(targets[decision], command.actor)
        stand.require_seat(frozenset({Seat.REVIEWER}), command.actor, "judge the packet")
        self._note(
            Mission.MissionJudged,
            command,
            decision=decision,
            gist=gist,
            packet_digest=self.current.packet_digest,
            approves_digest=approves_digest if decision == "CHANGE" else "",
        )

    def revise(self, packet: MissionPacket, command: Command) -> None:
        """The author's new packet, to be judged again. Raises Refused(packet_mismatch) where nothing is new."""
        self.current.stand.require_edge(State.JUDGING, command.actor)
        self._note(
            Mission.MissionRevised,
            command,
            iteration=self.current.iteration + 1,
            packet=packet,
            packet_digest=self._new_digest(packet),
        )

    def dispatch(
        self,
        execution_id: str,
        runner_id: str,
        scope: MissionScope,
        block_version: int,
        patience_seconds: int,
        packet: MissionPacket | None,
        command: Command,
    ) -> None:
        """Give an approved packet to a runner. `packet` is the revised one that a CHANGE approved ahead.

        Raises Refused(not_approved) for a packet that no reviewer approved.
        """
        self.current.stand.require_edge(State.DISPATCHED, command.actor)
        revising = self.current.state is State.REVISING
        chosen = packet if revising and packet is not None else self.current.packet
        digest = self._new_digest(chosen) if revising else self.current.packet_digest
        self.current.require_approval(digest)
        self._note(
            Mission.MissionDispatched,
            command,
            iteration=self.current.iteration + revising,
            packet=chosen,
            packet_digest=digest,
            execution_id=execution_id,
            runner_id=runner_id,
            scope=scope,
            block_version=block_version,
            patience_seconds=patience_seconds,
            deadline=command.at + timedelta(seconds=patience_seconds),
        )

    # The work

    def start(self, execution_id: str, command: Command) -> None:
        """The runner took the work up. Each sign of life moves the deadline."""
        self.current.stand.require_edge(State.EXECUTING, command.actor)
        if self.current.state is State.STALLED:
            self.beat(execution_id, "", command)
            return
        self._sign(Mission.MissionStarted, execution_id, command)

    def beat(self, execution_id: str, progress: str, command: Command) -> None:
        """A sign of life; it also brings a stalled mission back."""
        if self.current.state is State.STALLED:
            self.current.stand.require_edge(State.EXECUTING, command.actor)
        else:
            self.current.stand.require_inside("beat", command.actor)
        self._sign(Mission.Heartbeat, execution_id, command, progress=progress)

    def ask(self, execution_id: str, question: str, command: Command) -> None:
        self.current.stand.require_inside("ask", command.actor)
        self._sign(Mission.MissionNeedsReply, execution_id, command, question=question)

    def reply(self, answer: str, command: Command) -> None:
        """Raises Refused(illegal_transition) where nothing was asked."""
        self.current.stand.require_inside("reply", command.actor)
        execution = self._execution
        if not execution.question:
            self.current.not_yet("nothing was asked")
        self._note(Mission.MissionReplied, command, execution_id=execution.execution_id, answer=answer)

    def land_output(
        self, execution_id: str, exit_status: int, artifact_hash: str, summary: str, command: Command
    ) -> None:
        """The work's result is there; what comes of it is the gate's to say."""
        self.current.stand.require_inside("output", command.actor)
        self._sign(
            Mission.OutputLanded,
            execution_id,
            command,
            exit_status=exit_status,
            artifact_hash=artifact_hash,
            summary=summary,
        )

    def request_debrief(self, command: Command) -> None:
        self.current.stand.require_inside("request_debrief", command.actor)
        self._note(Mission.DebriefRequested, command, execution_id=self._execution.execution_id)

    def debrief(self, conformance: str, summary: str, command: Command) -> None:
        self.current.stand.require_inside("debrief", command.actor)
        self._note(
            Mission.MissionDebriefed,
            command,
            execution_id=self._execution.execution_id,
            conformance=conformance,
            summary=summary,
        )

    def attach(
        self, evidence: Evidence, scope: MissionScope | None, block_version: int, command: Command
    ) -> Event:
        """A move or an edit was made inside the mission: its receipt becomes part of the evidence.

        `scope` and `block_version` are those of the block after it, where it changed the block that the mission is on; None
        where it did not, or where somebody else had changed the block before.
        """
        self.current.stand.require_inside("attach", command.actor)
        return self._note(
            Mission.MissionEvidenceAttached,
            command,
            execution_id=self._execution.execution_id,
            evidence=evidence,
            scope=scope,
            block_version=block_version,
        )

    def open_gate(self, execution_id: str, command: Command) -> None:
        """The work is over and may be tested.

        Raises Refused(illegal_transition) without a result of exit status 0, with an open question or a debrief due.
        """
        self.current.stand.require_edge(State.GATE, command.actor)
        execution = self.current.live(execution_id)
        if execution.output_status != 0:
            self.current.not_yet("no output with exit status 0 has landed")
        if execution.question:
            self.current.not_yet("its runner waits for a reply")
        if execution.debrief_due:
            self.current.not_yet("a debrief was requested and is not there")
        self._note(Mission.MissionGateOpened, command, execution_id=execution_id)

    # The gate and after

    def report_gate(self, execution_id: str, gate: GateReport, command: Command) -> None:
        """What the gate command said. A gate that is not green fails the mission: nothing red waits for a human."""
        target = State.MERGE_WAIT if gate.is_green else State.FAILED
        self.current.require_state(State.GATE, "its gate is not open")
        stand = self.current.stand
        stand.require_edge(target, command.actor)
        stand.require_seat(frozenset({Seat.RUNNER, Seat.SYSTEM}), command.actor, "report the gate")
        self.current.live(execution_id)
        kind = Mission.MissionGatePassed if gate.is_green else Mission.MissionGateFailed
        self._note(kind, command, execution_id=execution_id, gate=gate)

    def ask_review(self, command: Command) -> None:
        """Have the work looked at before the human is. Raises Refused(missing_receipt_candidate) before a green gate."""
        self.current.stand.require_edge(State.REVIEW, command.actor)
        self._note(Mission.MissionReviewAsked, command, gate_digest=self.current.gate_digest())

    def review(self, decision: events.Decision, gist: str, command: Command) -> None:
        """A reviewer's word about the work: APPROVE (to be followed by `wait`), CHANGE or REJECT."""
        targets = {"APPROVE": State.MERGE_WAIT, "CHANGE": State.REVISING, "REJECT": State.FAILED}
        self.current.require_state(State.REVIEW, "it is not in review")
        self.current.stand.require_edge(targets[decision], command.actor)
        self._note(
            Mission.MissionReviewed,
            command,
            decision=decision,
            gist=gist,
            gate_digest=self.current.gate_digest(),
        )

    def wait(self, candidate: Mapping[str, JsonValue], command: Command) -> str:
        """The mission waits for the human with this candidate; answers the candidate's id.

        Raises Refused(missing_receipt_candidate) before a green gate, or for a candidate of another scope or gate.
        """
        self.current.stand.require_edge(State.MERGE_WAIT, command.actor)
        if self.current.state is State.REVIEW and not self.current.approved:
            self.current.not_yet("no reviewer approved the work")
        self.current.gate_digest()
        self.current.require_own(candidate)
        id = candidate_id(candidate)
        self._note(Mission.MissionMergeWaiting, command, candidate_id=id, candidate=dict(candidate))
        return id

    def land(
        self, shown: str, receipt_id: str, stamp_id: str, landed_by: str, store_version: int, command: Command
    ) -> Event:
        """The human's landing of the candidate that they were shown. The caller saves receipt and stamp with it."""
        self.current.require_candidate(shown)
        self.current.stand.require_edge(State.LANDED, command.actor)
        return self._note(
            Mission.MissionLanded,
            command,
            candidate_id=self.current.candidate_id,
            receipt_id=receipt_id,
            stamp_id=stamp_id,
            landed_by=landed_by,
            store_version=store_version,
        )

    def archive(self, stamp_id: str, reason: str, boundary_now: int, command: Command) -> Event:
        """The human lets the candidate go; it never lands."""
        self.current.require_candidate("")
        self.current.stand.require_edge(State.ARCHIVED, command.actor)
        return self._note(
            Mission.MissionArchived,
            command,
            stamp_id=stamp_id,
            reason=reason,
            boundary_at_start=self._execution.scope.boundary_version,
            boundary_now=boundary_now,
        )

    # The other ends

    def fail(self, reason: str, artifact_hash: str, command: Command) -> None:
        """Raises Refused(evidence_incomplete) for a runner that names no artifact of its failure."""
        stand = self.current.stand
        stand.require_edge(State.FAILED, command.actor)
        if self.current.state in (State.JUDGING, State.REVIEW):
            self.current.not_yet("a reviewer rejects it instead")
        if not artifact_hash and not stand.seats(command.actor) & {Seat.HUMAN, Seat.SYSTEM}:
            refuse(
                "evidence_incomplete",
                f"a failure of {self.current.mission_id} needs the sha256 of what shows it",
                mission_id=self.current.mission_id,
                missing=["artifact_hash"],
            )
        self._note(Mission.MissionFailed, command, reason=reason, artifact_hash=artifact_hash)

    def cancel(self, reason: str, command: Command) -> None:
        self.current.stand.require_edge(State.CANCELLED, command.actor)
        self._note(Mission.MissionCancelled, command, reason=reason)

    def stall(self, as_of: datetime, command: Command) -> bool:
        """Say that the runner fell silent, if its deadline is over; tells whether it was."""
        execution = self.current.execution
        if self.current.state is not State.EXECUTING or execution is None or as_of < execution.deadline:
            return False
        self.current.stand.require_edge(State.STALLED, command.actor)
        self._note(
            Mission.MissionStalled,
            command,
            execution_id=execution.execution_id,
            last_seen=execution.last_seen,
            as_of=as_of,
        )
        return True

    # Inside

    @property
    def _execution(self) -> Execution:
        return self.current.running

    def _note(self, kind: type[Event], command: Command, **fields: Any) -> Event:
        return self._record(kind, command, mission_id=self.current.mission_id, **fields)

    def _sign(self, kind: type[Event], execution_id: str, command: Command, **fields: Any) -> Event:
        """Record a sign of life of the live execution, and when the next one is due."""
        execution = self.current.live(execution_id)
        deadline = command.at + timedelta(seconds=execution.patience_seconds)
        return self._note(kind, command, execution_id=execution_id, deadline=deadline, **fields)

    def _new_digest(self, packet: MissionPacket) -> str:
        """Raises Refused(packet_mismatch) for the packet that is there already, or one of another block."""
        digest = digest_of(packet.model_dump())
        if digest == self.current.packet_digest or packet.source_block != self.current.block_id:
            refuse(
                "packet_mismatch",
                f"a revised packet of {self.current.mission_id} differs from the last one and is for the same block",
                mission_id=self.current.mission_id,
                block_id=self.current.block_id,
            )
        return digest
