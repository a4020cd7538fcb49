"""A mission as its stream tells it, and the guards that rest on it. Frozen; the aggregate replaces it event by event."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Never

from attrs import frozen
from pydantic import JsonValue

from m1nd.domain.missions.gate import Evidence, GateReport, MissionScope, digest_of
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.missions.states import Stand, State
from m1nd.domain.refusal import refuse


@frozen
class Verdict:
    """A reviewer's word: APPROVE, CHANGE or REJECT. `approves_digest` names the packet that a CHANGE approves ahead."""

    decision: str
    gist: str
    by: str
    approves_digest: str = ""


@frozen
class Execution:
    """The one live run of a mission; `last_seen` is its last sign of life, `deadline` when the next one is due.

    `block_version` counts the block's events at the dispatch: what came after them is what the human is shown.
    """

    execution_id: str
    runner_id: str
    scope: MissionScope
    block_version: int
    patience_seconds: int
    deadline: datetime
    last_seen: datetime
    started: bool = False
    progress: str = ""
    question: str = ""
    output_hash: str = ""
    output_status: int | None = None
    debrief_due: bool = False
    conformance: str = ""


@frozen
class MissionState:
    """`version` counts the events of its stream; who gives it as `expected_version` loses no race unseen."""

    mission_id: str
    block_id: str
    brain_ref: str
    state: State
    version: int
    packet: MissionPacket
    packet_digest: str
    policy: MissionPolicy
    iteration: int
    author: str
    retries_of: str
    opened_at: datetime
    updated_at: datetime
    verdict: Verdict | None = None
    execution: Execution | None = None
    gate: GateReport | None = None
    attached: tuple[Evidence, ...] = ()
    candidate_id: str = ""
    candidate: Mapping[str, Any] | None = None
    receipt_id: str = ""
    landed_by: str = ""
    reason: str = ""

    @property
    def stand(self) -> Stand:
        runs = self.execution.runner_id if self.execution is not None else ""
        return Stand(self.mission_id, self.state, self.author, runs)

    @property
    def approved(self) -> bool:
        return self.verdict is not None and self.verdict.decision == "APPROVE"

    def live(self, execution_id: str) -> Execution:
        """The execution of that id. Raises Refused(execution_mismatch): one execution is live, and it is named."""
        found = self.execution
        if found is None or found.execution_id != execution_id:
            refuse(
                "execution_mismatch",
                f"{execution_id or 'no execution'} is not the live execution of {self.mission_id}",
                f"m1nd missions show {self.mission_id}",
                mission_id=self.mission_id,
                execution_id=execution_id,
                live=found.execution_id if found is not None else "",
            )
        return found

    def require_version(self, expected: int | None) -> None:
        """Raises Refused(stale_head) when somebody changed the mission since it was looked at."""
        if expected is not None and expected != self.version:
            refuse(
                "stale_head",
                f"{self.mission_id} is at version {self.version}, not {expected}: somebody was there first",
                f"m1nd missions show {self.mission_id}",
                mission_id=self.mission_id,
                expected=expected,
                found=self.version,
            )

    def require_packet(self, digest: str) -> None:
        """Raises Refused(packet_mismatch) for a word about another packet than the present one; a prefix of 8 digits will do."""
        if digest and (len(digest) < 8 or not self.packet_digest.startswith(digest)):
            refuse(
                "packet_mismatch",
                f"the packet of {self.mission_id} is {self.packet_digest[:12]} in iteration {self.iteration}, not "
                f"{digest[:12]}",
                f"m1nd missions show {self.mission_id}",
                mission_id=self.mission_id,
                packet_digest=self.packet_digest,
                iteration=self.iteration,
            )

    def require_candidate(self, wanted: str) -> Mapping[str, Any]:
        """The candidate that waits for the human.

        Raises Refused(mission_not_merge_wait), Refused(candidate_mismatch) where `wanted` names another one.
        """
        if self.state is not State.MERGE_WAIT or self.candidate is None:
            refuse(
                "mission_not_merge_wait",
                f"{self.mission_id} is {self.state.value}: nothing waits to land",
                f"m1nd missions show {self.mission_id}",
                mission_id=self.mission_id,
                state=self.state.value,
            )
        if wanted and wanted != self.candidate_id:
            refuse(
                "candidate_mismatch",
                f"another candidate waits at {self.mission_id} than the one that was shown",
                f"m1nd missions show {self.mission_id}",
                mission_id=self.mission_id,
                shown=wanted,
                waiting=self.candidate_id,
            )
        return self.candidate

    @property
    def running(self) -> Execution:
        """Raises Refused(illegal_transition) before the dispatch."""
        if self.execution is None:
            self.not_yet("it was not dispatched")
        return self.execution

    def require_approval(self, digest: str) -> None:
        verdict = self.verdict
        if self.approved or (verdict is not None and verdict.approves_digest == digest):
            return
        refuse(
            "not_approved",
            f"no reviewer approved packet {digest[:12]} of {self.mission_id}",
            f"m1nd missions post judge {self.mission_id} --decision APPROVE, by somebody who did not write it",
            mission_id=self.mission_id,
            packet_digest=digest,
        )

    def gate_digest(self) -> str:
        gate = self.gate
        if gate is None or not gate.is_green:
            refuse(
                "missing_receipt_candidate",
                f"{self.mission_id} has no green gate: there is nothing to land",
                mission_id=self.mission_id,
            )
        return digest_of(gate.model_dump())

    def require_state(self, wanted: State, why: str) -> None:
        """Raises Refused(illegal_transition) in any other state."""
        if self.state is not wanted:
            self.not_yet(why)

    def require_own(self, candidate: Mapping[str, JsonValue]) -> None:
        """Raises Refused(missing_receipt_candidate) for a candidate that is not of this run's scope and gate."""
        execution, gate = self.running, self.gate
        assert gate is not None
        evidence = candidate.get("evidence")
        own = candidate.get("scope") == execution.scope.model_dump() and isinstance(evidence, dict)
        if not own or evidence.get("artifact_hash") != gate.artifact_hash:  # type: ignore[union-attr]
            refuse(
                "missing_receipt_candidate",
                f"the candidate is not of the scope and the gate of {self.mission_id}",
                mission_id=self.mission_id,
            )

    def not_yet(self, why: str) -> Never:
        refuse(
            "illegal_transition",
            f"{self.mission_id} is {self.state.value}, and {why}",
            f"m1nd missions show {self.mission_id}",
            mission_id=self.mission_id,
            state=self.state.value,
        )
