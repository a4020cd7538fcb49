"""The questions about delegations and waiting candidates, as SQL."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import orjson

from m1nd.application.mission_views import CandidateRow, DelegationRow
from m1nd.domain.missions.gate import CandidateStage
from m1nd.infrastructure.views.times import time_of


def delegations(c: sqlite3.Connection, limit: int) -> Sequence[DelegationRow]:
    query = (
        "SELECT delegation_id, task, block_id, issued_by, issued_at, expires_at, outcome, outcome_state, touched, findings, "
        "candidate_id, late, answered_at, position FROM delegations ORDER BY position DESC LIMIT ?"
    )
    return [_delegation(row) for row in c.execute(query, (limit,))]


def _delegation(row: tuple[Any, ...]) -> DelegationRow:
    id, task, block, by, at, until, outcome, state, touched, findings, candidate, late, answered, position = (
        row
    )
    return DelegationRow(
        id,
        task,
        block,
        by,
        time_of(at),
        time_of(until),
        outcome,
        state,
        tuple(orjson.loads(touched)),
        tuple(orjson.loads(findings)),
        candidate,
        bool(late),
        None if answered is None else time_of(answered),
        position,
    )


def waiting_candidates(c: sqlite3.Connection) -> Sequence[CandidateRow]:
    query = (
        "SELECT candidate_id, block_id, type, origin, source, composed_by, composed_at, stage, receipt_id, position "
        "FROM receipt_candidates WHERE stage = ? ORDER BY position DESC"
    )
    return [
        CandidateRow(
            id, block, kind, origin, source, by, time_of(at), CandidateStage(stage), receipt, position
        )
        for id, block, kind, origin, source, by, at, stage, receipt, position in c.execute(
            query, (CandidateStage.WAITING,)
        )
    ]
