"""Delegations with their answers, and the candidates that wait for the human outside of missions."""

import sqlite3
from typing import Any

import orjson

from m1nd.domain.missions.candidate import Candidate
from m1nd.domain.missions.delegation import Delegation
from m1nd.domain.missions.gate import CandidateStage
from m1nd.domain.missions.states import identity
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

DELEGATIONS = Projection(
    "delegations",
    VERSIONS["delegations"],
    {
        "delegations": (
            "delegation_id TEXT NOT NULL PRIMARY KEY, task TEXT NOT NULL, block_id TEXT NOT NULL, "
            "issued_by TEXT NOT NULL, issued_at TEXT NOT NULL, expires_at TEXT NOT NULL, outcome TEXT NOT NULL, "
            "outcome_state TEXT NOT NULL, touched TEXT NOT NULL, findings TEXT NOT NULL, candidate_id TEXT NOT NULL, "
            "late INTEGER NOT NULL, answered_at TEXT, position INTEGER NOT NULL"
        ),
        "receipt_candidates": (
            "candidate_id TEXT NOT NULL PRIMARY KEY, block_id TEXT NOT NULL, type TEXT NOT NULL, origin TEXT NOT NULL, "
            "source TEXT NOT NULL, composed_by TEXT NOT NULL, composed_at TEXT NOT NULL, stage TEXT NOT NULL, "
            "receipt_id TEXT NOT NULL, position INTEGER NOT NULL"
        ),
    },
    (
        "CREATE INDEX delegations_by_position ON delegations (position)",
        "CREATE INDEX receipt_candidates_by_stage ON receipt_candidates (stage, position)",
    ),
)


@DELEGATIONS.on(Delegation.DelegationIssued)
def issued(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    cursor.execute(
        "INSERT INTO delegations VALUES (?, ?, ?, ?, ?, ?, '', '', '[]', '[]', '', 0, NULL, ?)",
        (
            event.delegation_id,
            event.task,
            event.block_id,
            identity(event.actor),
            text_of(event.timestamp),
            text_of(event.expires_at),
            position,
        ),
    )


@DELEGATIONS.on(Delegation.DelegationDebriefed)
def debriefed(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    cursor.execute(
        "UPDATE delegations SET outcome = ?, outcome_state = ?, touched = ?, findings = ?, candidate_id = ?, late = ?, "
        "answered_at = ?, position = ? WHERE delegation_id = ?",
        (
            event.outcome,
            event.outcome_state,
            orjson.dumps([each.model_dump() for each in event.touched]).decode(),
            orjson.dumps(event.findings).decode(),
            event.candidate_id,
            int(event.late),
            text_of(event.timestamp),
            position,
            event.delegation_id,
        ),
    )


@DELEGATIONS.on(Candidate.CandidateComposed)
def composed(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    cursor.execute(
        "INSERT INTO receipt_candidates VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?)",
        (
            event.candidate_id,
            event.candidate["scope"]["block_id"],
            event.candidate["type"],
            event.origin,
            event.source,
            identity(event.actor),
            text_of(event.timestamp),
            CandidateStage.WAITING,
            position,
        ),
    )


@DELEGATIONS.on(Candidate.CandidateLanded)
def landed(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    _end(cursor, CandidateStage.LANDED, event.receipt_id, event.candidate_id, position)


@DELEGATIONS.on(Candidate.CandidateDropped)
def dropped(cursor: sqlite3.Cursor, event: Any, position: int) -> None:
    _end(cursor, CandidateStage.DROPPED, "", event.candidate_id, position)


def _end(cursor: sqlite3.Cursor, stage: CandidateStage, receipt_id: str, id: str, position: int) -> None:
    cursor.execute(
        "UPDATE receipt_candidates SET stage = ?, receipt_id = ?, position = ? WHERE candidate_id = ?",
        (stage, receipt_id, position, id),
    )
