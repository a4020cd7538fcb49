"""The missions, their letters and the pins on the map, folded from mission events.

A row of `missions` is what lists and the tray need; the whole mission is read from its stream.
"""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from m1nd.domain.base import Event
from m1nd.domain.missions.letters import letter_id, line_of, next_letter
from m1nd.domain.missions.mission import Mission
from m1nd.domain.missions.states import State, identity
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

MISSIONS = Projection(
    "missions",
    VERSIONS["missions"],
    {
        "missions": (
            "mission_id TEXT NOT NULL PRIMARY KEY, block_id TEXT NOT NULL, state TEXT NOT NULL, "
            "iteration INTEGER NOT NULL, author TEXT NOT NULL, runner_id TEXT NOT NULL, message TEXT NOT NULL, "
            "effects TEXT NOT NULL, opened_at TEXT NOT NULL, updated_at TEXT NOT NULL, seen_at TEXT, deadline TEXT, "
            "retries_of TEXT NOT NULL, retried_by TEXT NOT NULL, candidate_id TEXT NOT NULL, receipt_id TEXT NOT NULL, "
            "reason TEXT NOT NULL, question TEXT NOT NULL, progress TEXT NOT NULL, exit_status INTEGER, "
            "position INTEGER NOT NULL"
        ),
        "letters": (
            "mission_id TEXT NOT NULL, mission_seq INTEGER NOT NULL, letter_id TEXT NOT NULL, phase TEXT NOT NULL, "
            "letter TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (mission_id, mission_seq)"
        ),
        "pins": (
            "mission_id TEXT NOT NULL PRIMARY KEY, block_id TEXT NOT NULL, agent TEXT NOT NULL, status TEXT NOT NULL, "
            "progress TEXT NOT NULL, outcome_ref TEXT NOT NULL, contract_version INTEGER NOT NULL"
        ),
    },
    (
        "CREATE INDEX missions_by_state ON missions (state, position)",
        "CREATE INDEX missions_by_block ON missions (block_id, position)",
        "CREATE INDEX letters_by_id ON letters (letter_id)",
    ),
)

Row = dict[str, Any]
FRESH: Row = {
    "seen_at": None,
    "deadline": None,
    "candidate_id": "",
    "question": "",
    "progress": "",
    "exit_status": None,
}
"""What a new run of the work has not yet."""


def _seen(event: Any) -> Row:
    return {"seen_at": text_of(event.timestamp), "deadline": text_of(event.deadline)}


def _ended(state: State, event: Any) -> Row:
    return {"state": state, "reason": event.reason, "question": "", "deadline": None}


def _judged(event: Any) -> Row:
    targets = {"CHANGE": State.REVISING, "REJECT": State.FAILED}
    found = targets.get(event.decision)
    return {"reason": event.gist, **({"state": found} if found else {})}


COLUMNS: Mapping[type[Event], Callable[[Any], Row]] = {
    Mission.MissionJudged: _judged,
    Mission.MissionRevised: lambda e: {
        **FRESH,
        "state": State.JUDGING,
        "iteration": e.iteration,
        "message": _first_line(e.packet.message),
        "runner_id": "",
        "reason": "",
    },
    Mission.MissionDispatched: lambda e: {
        **FRESH,
        "state": State.DISPATCHED,
        "iteration": e.iteration,
        "message": _first_line(e.packet.message),
        "effects": orjson.dumps(e.packet.declared_effects).decode(),
        "runner_id": e.runner_id,
        "deadline": text_of(e.deadline),
        "reason": "",
    },
    Mission.MissionStarted: lambda e: {"state": State.EXECUTING, **_seen(e)},
    Mission.Heartbeat: lambda e: {"state": State.EXECUTING, "progress": e.progress, **_seen(e)},
    Mission.MissionNeedsReply: lambda e: {"question": e.question, **_seen(e)},
    Mission.MissionReplied: lambda e: {"question": ""},
    Mission.OutputLanded: lambda e: _seen(e),
    Mission.DebriefRequested: lambda e: {},
    Mission.MissionDebriefed: lambda e: {},
    Mission.MissionEvidenceAttached: lambda e: {},
    Mission.MissionGateOpened: lambda e: {"state": State.GATE, "deadline": None},
    Mission.MissionGatePassed: lambda e: {"exit_status": e.gate.exit_status},
    Mission.MissionGateFailed: lambda e: {
        "state": State.FAILED,
        "exit_status": e.gate.exit_status,
        "reason": f"the gate ended with exit status {e.gate.exit_status}",
    },
    Mission.MissionReviewAsked: lambda e: {"state": State.REVIEW},
    Mission.MissionReviewed: _judged,
    Mission.MissionMergeWaiting: lambda e: {"state": State.MERGE_WAIT, "candidate_id": e.candidate_id},
    Mission.MissionLanded: lambda e: {"state": State.LANDED, "receipt_id": e.receipt_id},
    Mission.MissionFailed: lambda e: _ended(State.FAILED, e),
    Mission.MissionArchived: lambda e: _ended(State.ARCHIVED, e),
    Mission.MissionCancelled: lambda e: _ended(State.CANCELLED, e),
    Mission.MissionStalled: lambda e: {"state": State.STALLED},
}
"""What each event changes in its mission's row."""

PINNED: Mapping[type[Event], Callable[[Any], Row]] = {
    Mission.MissionStarted: lambda e: {"status": "running"},
    Mission.Heartbeat: lambda e: {"progress": e.progress} if e.progress else {},
    Mission.MissionNeedsReply: lambda e: {"status": "needs_reply", "outcome_ref": ""},
    Mission.MissionReplied: lambda e: {"status": "running", "outcome_ref": ""},
    Mission.OutputLanded: lambda e: {"status": "output_landed", "outcome_ref": e.artifact_hash},
    Mission.MissionDebriefed: lambda e: {"status": "debriefed"},
    Mission.MissionGateFailed: lambda e: {"status": "failed", "outcome_ref": e.gate.artifact_hash},
    Mission.MissionFailed: lambda e: {"status": "failed", "outcome_ref": e.artifact_hash},
    Mission.MissionCancelled: lambda e: {"status": "failed"},
    Mission.MissionLanded: lambda e: {"outcome_ref": e.receipt_id},
}


@MISSIONS.on(Mission.MissionOpened)
def opened(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    at = text_of(event.timestamp)
    cursor.execute(
        "INSERT INTO missions VALUES (?, ?, ?, ?, ?, '', ?, ?, ?, ?, NULL, NULL, ?, '', '', '', '', '', '', NULL, ?)",
        (
            event.mission_id,
            event.block_id,
            State.JUDGING,
            event.iteration,
            identity(event.actor),
            _first_line(event.packet.message),
            orjson.dumps(event.packet.declared_effects).decode(),
            at,
            at,
            event.retries_of,
            position,
        ),
    )
    if event.retries_of:
        cursor.execute(
            "UPDATE missions SET retried_by = ? WHERE mission_id = ?", (event.mission_id, event.retries_of)
        )
    _write_letter(cursor, event, position)


@MISSIONS.on(*COLUMNS)
def changed(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    row = COLUMNS[type(event)](event) | {"updated_at": text_of(event.timestamp), "position": position}
    _update(cursor, "missions", event.mission_id, row)
    _pin(cursor, event)
    _write_letter(cursor, event, position)


def _pin(cursor: sqlite3.Cursor, event: Any) -> None:
    if isinstance(event, Mission.MissionDispatched):
        cursor.execute(
            "INSERT INTO pins SELECT ?, block_id, ?, 'running', '', '', ? FROM missions WHERE mission_id = ? "
            "ON CONFLICT (mission_id) DO UPDATE SET agent = excluded.agent, status = 'running', progress = '', "
            "outcome_ref = '', contract_version = excluded.contract_version",
            (event.mission_id, event.runner_id, event.scope.contract_version, event.mission_id),
        )
    elif (change := PINNED.get(type(event))) is not None and (row := change(event)):
        _update(cursor, "pins", event.mission_id, row)


def _update(cursor: sqlite3.Cursor, table: str, mission_id: str, row: Row) -> None:
    names = ", ".join(f"{name} = ?" for name in row)
    cursor.execute(f"UPDATE {table} SET {names} WHERE mission_id = ?", (*row.values(), mission_id))


def _write_letter(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    query = "SELECT letter FROM letters WHERE mission_id = ? ORDER BY mission_seq DESC LIMIT 1"
    found = cursor.execute(query, (event.mission_id,)).fetchone()
    letter = next_letter(None if found is None else orjson.loads(found[0]), event)
    if letter is None:
        return
    cursor.execute(
        "INSERT INTO letters VALUES (?, ?, ?, ?, ?, ?)",
        (
            event.mission_id,
            letter["mission_seq"],
            letter_id(letter),
            letter["phase"],
            line_of(letter),
            position,
        ),
    )


def _first_line(message: str) -> str:
    return message.strip().splitlines()[0][:200] if message.strip() else ""
