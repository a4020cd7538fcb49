"""The questions about missions, as SQL. Rows in, frozen rows out; no decision is taken here.

The class of a row is imported where there is a row: `north` asks much of views that are mostly empty.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import orjson

from m1nd.domain.missions.states import State
from m1nd.infrastructure.views.times import text_of, time_of

if TYPE_CHECKING:
    from m1nd.application.mission_views import LetterRow, MissionRow
    from m1nd.domain.missions.runners import Pin

_MISSION = (
    "SELECT mission_id, block_id, state, iteration, author, runner_id, message, effects, opened_at, updated_at, seen_at, "
    "deadline, retries_of, retried_by, candidate_id, receipt_id, reason, question, progress, exit_status, position "
    "FROM missions "
)


def missions(c: sqlite3.Connection, states: Sequence[State], block_id: str, limit: int) -> list[MissionRow]:
    marks = ", ".join("?" for _ in states)
    where = [*([f"state IN ({marks})"] if states else []), *(["block_id = ?"] if block_id else [])]
    query = f"{_MISSION} {'WHERE ' + ' AND '.join(where) if where else ''} ORDER BY position DESC LIMIT ?"
    parameters = [*states, *([block_id] if block_id else []), limit]
    return [_mission(row) for row in c.execute(query, parameters)]


def mission(c: sqlite3.Connection, mission_id: str) -> MissionRow | None:
    row = c.execute(f"{_MISSION} WHERE mission_id = ?", (mission_id,)).fetchone()
    return None if row is None else _mission(row)


def letters(c: sqlite3.Connection, mission_id: str) -> list[LetterRow]:
    from m1nd.application.mission_views import LetterRow

    query = (
        "SELECT mission_id, mission_seq, letter_id, phase, letter, position FROM letters WHERE mission_id = ? "
        "ORDER BY mission_seq"
    )
    return [
        LetterRow(id, seq, letter, phase, orjson.loads(text), position)
        for id, seq, letter, phase, text, position in c.execute(query, (mission_id,))
    ]


def pins(c: sqlite3.Connection) -> list[Pin]:
    from m1nd.domain.missions.runners import Pin

    query = (
        "SELECT block_id, mission_id, agent, status, progress, outcome_ref, contract_version FROM pins "
        "ORDER BY mission_id"
    )
    return [
        Pin(
            block_id=block,
            mission_id=mission,
            agent=agent,
            status=status,
            progress=progress,
            outcome_ref=outcome,
            contract_version=version,
        )
        for block, mission, agent, status, progress, outcome, version in c.execute(query)
    ]


def landing_bell(c: sqlite3.Connection) -> int:
    row = c.execute("SELECT count(*) FROM missions WHERE state = ?", (State.MERGE_WAIT,)).fetchone()
    return int(row[0])


def due_missions(c: sqlite3.Connection, as_of: datetime) -> list[str]:
    query = "SELECT mission_id FROM missions WHERE state = ? AND deadline <= ? ORDER BY deadline, mission_id"
    return [str(id) for (id,) in c.execute(query, (State.EXECUTING, text_of(as_of)))]


def _mission(row: tuple[object, ...]) -> MissionRow:
    from m1nd.application.mission_views import MissionRow

    (id, block, state, iteration, author, runner, message, effects, opened, updated, seen, due, *rest) = row
    retries, retried, candidate, receipt, reason, question, progress, exit_status, position = rest
    return MissionRow(
        str(id),
        str(block),
        State(str(state)),
        int(str(iteration)),
        str(author),
        str(runner),
        str(message),
        tuple(orjson.loads(str(effects))),
        time_of(str(opened)),
        time_of(str(updated)),
        None if seen is None else time_of(str(seen)),
        None if due is None else time_of(str(due)),
        str(retries),
        str(retried),
        str(candidate),
        str(receipt),
        str(reason),
        str(question),
        str(progress),
        None if exit_status is None else int(str(exit_status)),
        int(str(position)),
    )
