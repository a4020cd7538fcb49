"""`tray`: what waits for the human, with the exact candidate of each and what moved since its dispatch. A pure read.

Ages are counted to `as_of`; nothing here reads a clock but the use case's edge (MISSIONS.md, Mission and Tray).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.mission_views import CandidateRow, MissionRow
from m1nd.domain.missions.block_changes import words_of
from m1nd.domain.missions.gate import MissionScope
from m1nd.domain.missions.state import MissionState
from m1nd.domain.missions.states import State

STAGNANT = timedelta(hours=24)
"""Older than this without a sign of life."""

AT_WORK = (State.JUDGING, State.REVISING, State.DISPATCHED, State.EXECUTING, State.STALLED)

LISTED = (*AT_WORK, State.GATE, State.REVIEW, State.MERGE_WAIT, State.FAILED)

MOST = 200


@frozen
class Entry:
    """One line of the tray. `scope_moved` names the parts of the block's scope that differ from the dispatch's.

    `changes` are the block's own events since then, in words; both only for a mission that waits.
    """

    row: MissionRow
    age_seconds: int
    stagnant: bool
    line: str
    candidate: Mapping[str, Any] | None = None
    scope_moved: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    state: MissionState | None = None


@frozen
class Loose:
    """A candidate outside of missions."""

    row: CandidateRow
    candidate: Mapping[str, Any]
    age_seconds: int
    scope_moved: tuple[str, ...]


@frozen
class Tray:
    """`candidates` wait outside of missions: those of debriefs and soul checks; the bell does not count them."""

    landing_bell: int
    as_of: datetime
    entries: tuple[Entry, ...]
    candidates: tuple[Loose, ...]


def tray(brain: Brain, as_of: datetime | None = None) -> Tray:
    """Failed missions first, then the newest; a retried failure is no longer the tray's business."""
    now = as_of or brain.clock.now()
    rows = [row for row in brain.views.missions(LISTED, limit=MOST) if not row.retried_by]
    rows.sort(key=lambda row: row.state is not State.FAILED)  # stable: newest first within each
    loose = tuple(_loose(brain, row, now) for row in brain.views.waiting_candidates())
    return Tray(brain.views.landing_bell(), now, tuple(_entry(brain, row, now) for row in rows), loose)


def _loose(brain: Brain, row: CandidateRow, now: datetime) -> Loose:
    state = brain.app.candidate(row.candidate_id)
    assert state is not None
    age = max(0, round((now - row.composed_at).total_seconds()))
    return Loose(row, state.candidate, age, candidate_moved(brain, state.candidate))


def _entry(brain: Brain, row: MissionRow, now: datetime) -> Entry:
    since = row.seen_at or row.updated_at
    stagnant = row.state in AT_WORK and now - since >= STAGNANT
    age = max(0, round((now - row.updated_at).total_seconds()))
    if row.state is not State.MERGE_WAIT:
        return Entry(row, age, stagnant, _line(row, ()))
    state = brain.app.require_mission(row.mission_id)
    moved, changes = scope_changes(brain, state)
    return Entry(row, age, stagnant, _line(row, moved), state.candidate, moved, changes, state)


def candidate_moved(brain: Brain, candidate: Mapping[str, Any]) -> tuple[str, ...]:
    """Which parts of a candidate's scope are not those of its block now."""
    scope = MissionScope(**candidate["scope"])
    block = brain.app.block(scope.block_id)
    if block is None or not block.is_live:
        return ("block",)
    return scope.block_scope.differences(block.scope)


def scope_changes(brain: Brain, state: MissionState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which parts of the block's scope are not those of the dispatch, and what happened to the block since."""
    scope = state.running.scope
    block = brain.app.block(state.block_id)
    if block is None or not block.is_live:
        return ("block",), ("the block is archived or gone",)
    moved = scope.block_scope.differences(block.scope)
    events = brain.app.block_events(state.block_id, state.running.block_version)
    return moved, tuple(filter(None, map(words_of, events)))


def _line(row: MissionRow, moved: tuple[str, ...]) -> str:
    """One fixed phrase a state."""
    match row.state:
        case State.MERGE_WAIT:
            return (
                f"scope moved ({', '.join(moved)}): cannot land"
                if moved
                else "gate green - receipt not landed"
            )
        case State.FAILED:
            return row.reason or "failed"
        case State.EXECUTING:
            return f"needs a reply: {row.question}" if row.question else row.progress or "at work"
        case State.STALLED:
            return "its runner fell silent"
        case State.JUDGING:
            return "waits for a reviewer"
        case State.REVISING:
            return f"to be revised: {row.reason}" if row.reason else "to be revised"
        case State.DISPATCHED:
            return f"given to {row.runner_id}"
        case State.GATE:
            return "at its gate" if row.exit_status is None else "gate green - not offered yet"
        case _:
            return "in review"
