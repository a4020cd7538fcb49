"""The part of the application that records delegations, and the candidates that wait outside of missions."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from m1nd.application.mission_records import MissionRecords
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.missions.candidate import Candidate, CandidateState
from m1nd.domain.missions.candidate import stream_name as candidate_stream
from m1nd.domain.missions.candidate import unknown as unknown_candidate
from m1nd.domain.missions.delegation import (
    Delegation,
    DelegationState,
    Foreseen,
    Outcome,
    stream_name,
    unknown,
)
from m1nd.domain.missions.gate import MissionScope, candidate_id
from m1nd.domain.receipts.evidence import read_receipt


class DelegationRecords(MissionRecords):
    """Every method may raise Refused of the groups log and store."""

    def delegation(self, id: str) -> DelegationState | None:
        """Raises Refused(unknown_delegation) for what is no id of one."""
        found = self._load(Delegation, stream_name(id))
        return None if found is None else found.state

    def issue_delegation(
        self,
        id: str,
        task: str,
        packet_digest: str,
        block_id: str,
        scope: MissionScope | None,
        foreseen: Foreseen,
        generation: int,
        expires_at: datetime,
        command: Command,
    ) -> None:
        """Keep that a packet went out; `generation` is that of the graph it was composed from."""

        def work() -> list[Aggregate]:
            return [
                Delegation.issue(
                    id, task, packet_digest, block_id, scope, foreseen, generation, expires_at, command
                )
            ]

        self._append(command, work)

    def debrief_delegation(
        self,
        id: str,
        outcome: Outcome,
        touched: Sequence[str],
        findings: tuple[str, ...],
        evidence: dict[str, Any] | None,
        candidate: Mapping[str, Any] | None,
        command: Command,
    ) -> "Delegation.DelegationDebriefed":
        """Record the one answer, and the candidate that comes of it, in one append; answers the event.

        Raises Refused(unknown_delegation | delegation_answered).
        """

        def work() -> list[Aggregate]:
            delegation = self._load(Delegation, stream_name(id))
            if delegation is None:
                unknown(id)
            composed = "" if candidate is None else candidate_id(candidate)
            answer = delegation.debrief(outcome, touched, findings, evidence, composed, command)
            if candidate is None or self._load(Candidate, candidate_stream(composed)) is not None:
                return [delegation]
            follow = command.caused_by(answer)
            return [delegation, Candidate.compose(candidate, "debrief", id, follow)]

        event = self._append(command, work).last(Delegation.DelegationDebriefed)
        assert isinstance(event, Delegation.DelegationDebriefed)
        return event

    def compose_candidate(
        self, candidate: Mapping[str, Any], origin: str, source: str, command: Command
    ) -> CandidateState:
        """Keep a candidate for the human; the same one a second time is the first."""
        id = candidate_id(candidate)

        def work() -> list[Aggregate]:
            if self._load(Candidate, candidate_stream(id)) is not None:
                return []
            return [Candidate.compose(candidate, origin, source, command)]

        self._append(command, work)
        return self._candidate(id).state

    def land_candidate(self, id: str, stamp: Used, command: Command) -> tuple[str, int]:
        """Land a candidate outside of missions, as `land_mission` does; answers the receipt's id and `store_version`."""

        def work() -> list[Aggregate]:
            candidate = self._candidate(id)
            candidate.state.require_waiting()
            body = read_receipt(candidate.state.candidate)
            landed = self._landed(body, stamp, command)
            candidate.land(body.receipt_id, stamp.gesture.challenge_id, command)
            return [*landed, candidate]

        receipt_id = str(self._append(command, work).last(Candidate.CandidateLanded).receipt_id)
        return receipt_id, self.store_version()

    def drop_candidate(self, id: str, reason: str, stamp: Used, command: Command) -> None:
        """Let a candidate outside of missions go. Raises Refused(candidate_unknown | wrong_author | human_gesture_required)."""

        def work() -> list[Aggregate]:
            candidate = self._candidate(id)
            candidate.drop(stamp.gesture.challenge_id, reason, command)
            return [candidate, *self._spend(stamp, command)]

        self._append(command, work)

    def candidate(self, id: str) -> CandidateState | None:
        """Raises Refused(candidate_unknown) for what is no id of one."""
        found = self._load(Candidate, candidate_stream(id))
        return None if found is None else found.state

    def _candidate(self, id: str) -> Candidate:
        found = self._load(Candidate, candidate_stream(id))
        if found is None:
            unknown_candidate(id)
        return found
