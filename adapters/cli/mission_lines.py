"""Events of delegated work in a few words each, for `m1nd log`."""

from m1nd.domain.base import Event
from m1nd.domain.missions.candidate import Candidate
from m1nd.domain.missions.delegation import Delegation
from m1nd.domain.missions.mission import Mission
from m1nd.domain.missions.mission_events import MissionEvent


def mission_summary(event: Event) -> str:
    """What happened; empty for an event of another kind."""
    match event:
        case Mission.MissionOpened():
            return f"{event.mission_id} on {event.block_id}: {_short(event.packet.message)}"
        case Delegation.DelegationIssued():
            return f"{event.delegation_id}: {_short(event.task)}"
        case Delegation.DelegationDebriefed():
            return f"{event.delegation_id}: {event.outcome}, {event.outcome_state}"
        case Candidate.CandidateComposed() | Candidate.CandidateLanded() | Candidate.CandidateDropped():
            return event.candidate_id[:17]
        case MissionEvent():
            words = _step(event)
            return f"{event.mission_id}: {words}" if words else event.mission_id
    return ""


def _step(event: MissionEvent) -> str:
    match event:
        case Mission.MissionJudged() | Mission.MissionReviewed():
            return f"{event.decision} {_short(event.gist)}".rstrip()
        case Mission.MissionRevised():
            return f"iteration {event.iteration}"
        case Mission.MissionDispatched():
            return f"to {event.runner_id}, boundary {event.scope.boundary_version}"
        case Mission.Heartbeat():
            return _short(event.progress)
        case Mission.MissionNeedsReply():
            return _short(event.question)
        case Mission.MissionReplied():
            return _short(event.answer)
        case Mission.OutputLanded():
            return f"exit status {event.exit_status}"
        case Mission.MissionGatePassed() | Mission.MissionGateFailed():
            return f"{_short(event.gate.command)}: exit status {event.gate.exit_status}"
        case Mission.MissionEvidenceAttached():
            return event.evidence.as_ref
        case Mission.MissionMergeWaiting():
            return event.candidate_id[:17]
        case Mission.MissionLanded():
            return f"{event.receipt_id} by {event.landed_by}"
        case Mission.MissionFailed() | Mission.MissionCancelled() | Mission.MissionArchived():
            return _short(event.reason)
        case Mission.MissionStalled():
            return f"not heard of since {event.last_seen:%m-%d %H:%M:%S}"
    return ""


def _short(text: str) -> str:
    first = " ".join(text.split())
    return first if len(first) <= 60 else f"{first[:59]}…"
