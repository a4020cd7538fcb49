"""`mission_land` and `mission_archive`: the two gestures of the tray. Only a human with a stamp makes them (D24, D44).

The stamp is over the exact candidate and over what the human was shown with it; landing is one append: the receipt, the
mission (or the loose candidate), the stamp and the map's version, or nothing.
"""

from typing import Never

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.application.use_cases.tray import candidate_moved, scope_changes
from m1nd.domain.missions.candidate import CandidateState
from m1nd.domain.missions.candidate import unknown as unknown_candidate
from m1nd.domain.missions.hygiene import clean_text
from m1nd.domain.missions.page import candidate_page, loose_page
from m1nd.domain.missions.state import MissionState
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown

LONGEST_REASON = 400
LOOSE = "cand:"
"""How the id of a candidate outside of missions begins."""


@frozen
class Landed:
    """`id` is the mission's, or the candidate's where no mission holds it."""

    id: str
    receipt_id: str
    candidate_id: str
    landed_by: str
    store_version: int


@frozen
class Archived:
    """The block's boundary version when the work began, and now; 0 where it is not known."""

    id: str
    candidate_id: str
    boundary_at_start: int
    boundary_now: int


@frozen
class _Waiting:
    """What waits under an id: its candidate, the block that it is for, the page, and what of the scope moved."""

    candidate_id: str
    block_id: str
    boundary_at_start: int
    page: tuple[str, ...]
    moved: tuple[str, ...]

    def used(self, action: str, target: str) -> Used:
        digest = self.candidate_id.removeprefix(LOOSE)
        return Used(Gesture(action=action, target=target, digest=digest), shown(self.page))


def land(brain: Brain, id: str, candidate_id: str = "") -> Landed:
    """Land the candidate that waits at a mission, or a loose one; `candidate_id` refuses another than was shown.

    Raises Refused(mission_not_merge_wait | candidate_mismatch | candidate_unknown | scope_moved | human_gesture_required |
    read_only), and what the checks of a receipt's import raise; a refusal changes nothing.
    """
    brain.deny_if_read_only("mission_land")
    arguments = {"id": id, "candidate_id": candidate_id}

    def work() -> Landed:
        _require_human(brain, f"m1nd land {id}")
        waiting = _waiting(brain, id, candidate_id)
        if waiting.moved:
            _refuse_moved(id, waiting)
        needed = waiting.used("land", id)
        require_stamp(brain, needed, "its receipt counts for the block from then on")
        command = new_command(brain, "mission_land", arguments)
        if id.startswith(LOOSE):
            receipt_id, version = brain.app.land_candidate(id, needed, command)
        else:
            landed = brain.app.land_mission(id, waiting.candidate_id, needed, command)
            receipt_id, version = landed.receipt_id, landed.store_version
        return Landed(id, receipt_id, waiting.candidate_id, command.actor.id, version)

    return answered(brain, "mission_land", arguments, work)


def archive(brain: Brain, id: str, reason: str = "", candidate_id: str = "") -> Archived:
    """Let the candidate that waits go; it never lands.

    Raises Refused(mission_not_merge_wait | candidate_mismatch | candidate_unknown | human_gesture_required | read_only).
    """
    brain.deny_if_read_only("mission_archive")
    reason = clean_text(reason)[:LONGEST_REASON]
    arguments = {"id": id, "reason": reason, "candidate_id": candidate_id}

    def work() -> Archived:
        _require_human(brain, f"m1nd missions archive {id}")
        waiting = _waiting(brain, id, candidate_id)
        needed = waiting.used("archive", id)
        require_stamp(brain, needed, "its evidence will never count")
        block = brain.app.block(waiting.block_id)
        now = block.boundary_version if block is not None else 0
        command = new_command(brain, "mission_archive", arguments)
        if id.startswith(LOOSE):
            brain.app.drop_candidate(id, reason, needed, command)
        else:
            brain.app.archive_mission(id, waiting.candidate_id, reason, now, needed, command)
        return Archived(id, waiting.candidate_id, waiting.boundary_at_start, now)

    return answered(brain, "mission_archive", arguments, work)


def page(brain: Brain, id: str) -> tuple[str, ...]:
    """What the human reads before either gesture. Raises Refused as they do, before any stamp."""
    return _waiting(brain, id, "").page


def _require_human(brain: Brain, command: str) -> None:
    """Raises Refused(human_gesture_required) for an agent: the tray is the human's, with or without a stamp (D24)."""
    if brain.actor.kind != "owner":
        refuse(
            "human_gesture_required",
            f"{brain.actor.kind} {brain.actor.id} cannot land or archive: the human does, at the tray",
            command,
            command=command,
        )


def _waiting(brain: Brain, id: str, candidate_id: str) -> _Waiting:
    if id.startswith(LOOSE):
        return _loose(brain, id)
    state = brain.app.require_mission(id)
    state.require_candidate(candidate_id)
    return _of_mission(brain, state)


def _of_mission(brain: Brain, state: MissionState) -> _Waiting:
    moved, changes = scope_changes(brain, state)
    return _Waiting(
        state.candidate_id,
        state.block_id,
        state.running.scope.boundary_version,
        candidate_page(state, moved, changes),
        moved,
    )


def _loose(brain: Brain, id: str) -> _Waiting:
    state: CandidateState | None = brain.app.candidate(id)
    if state is None:
        unknown_candidate(id)
    state.require_waiting()
    moved = candidate_moved(brain, state.candidate)
    scope = state.candidate["scope"]
    return _Waiting(id, scope["block_id"], scope["boundary_version"], loose_page(state, moved), moved)


def _refuse_moved(id: str, waiting: _Waiting) -> Never:
    refuse(
        "scope_moved",
        f"{waiting.block_id} is not what the evidence of {id} was made for: {', '.join(waiting.moved)} differ; nothing landed",
        f"m1nd missions archive {id}, then open the work anew",
        id=id,
        block_id=waiting.block_id,
        parts=list(waiting.moved),
    )
