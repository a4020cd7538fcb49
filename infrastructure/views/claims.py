"""The claims of this repository, and what each is anchored on."""

import sqlite3
from collections.abc import Sequence

import orjson

from m1nd.application.memory_views import ClaimRow
from m1nd.domain.memory.anchors import Anchor
from m1nd.domain.memory.claims import Claim, Marker, State
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of, time_of

CLAIMS = Projection(
    "claims",
    1,
    {
        "claims": (
            "claim_id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL, claim TEXT NOT NULL, state TEXT NOT NULL, "
            "confidence REAL, evidence TEXT NOT NULL, markers TEXT NOT NULL, source_agent TEXT NOT NULL, "
            "origin TEXT NOT NULL, created_at TEXT NOT NULL, memorized_at TEXT NOT NULL, position INTEGER NOT NULL, "
            "supersedes TEXT NOT NULL, superseded_by TEXT NOT NULL"
        ),
        "claim_anchors": (
            "claim_id TEXT NOT NULL, number INTEGER NOT NULL, symbol_id TEXT NOT NULL, path TEXT NOT NULL, "
            "PRIMARY KEY (claim_id, number)"
        ),
    },
    (
        "CREATE INDEX claims_by_position ON claims (position)",
        "CREATE INDEX claim_anchors_by_symbol ON claim_anchors (symbol_id)",
    ),
)


@CLAIMS.on(Claim.ClaimMemorized)
def memorized(cursor: sqlite3.Cursor, event: Claim.ClaimMemorized, position: int) -> None:
    cursor.execute(
        "INSERT INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
        (
            event.claim_id,
            event.label,
            event.claim,
            event.state,
            event.confidence,
            orjson.dumps([anchor.model_dump() for anchor in event.evidence]).decode(),
            orjson.dumps([marker.model_dump() for marker in event.markers]).decode(),
            event.source_agent,
            event.origin,
            text_of(event.created_at or event.timestamp),
            text_of(event.timestamp),
            position,
            event.supersedes,
        ),
    )
    cursor.executemany(
        "INSERT INTO claim_anchors VALUES (?, ?, ?, ?)",
        [
            (event.claim_id, number, anchor.symbol_id, "" if anchor.symbol_id else anchor.path)
            for number, anchor in enumerate(event.evidence)
        ],
    )


@CLAIMS.on(Claim.ClaimSuperseded)
def superseded(cursor: sqlite3.Cursor, event: Claim.ClaimSuperseded, position: int) -> None:
    cursor.execute("UPDATE claims SET superseded_by = ? WHERE claim_id = ?", (event.by, event.claim_id))


_CLAIM = (
    "SELECT claim_id, label, claim, state, confidence, evidence, markers, source_agent, origin, created_at, "
    "memorized_at, position, supersedes, superseded_by FROM claims "
)


def live_claims(c: sqlite3.Connection) -> list[ClaimRow]:
    return [_row(row) for row in c.execute(f"{_CLAIM} WHERE superseded_by = '' ORDER BY position DESC")]


def claims(c: sqlite3.Connection, limit: int) -> list[ClaimRow]:
    return [_row(row) for row in c.execute(f"{_CLAIM} ORDER BY position DESC LIMIT ?", (limit,))]


def claim(c: sqlite3.Connection, claim_id: str) -> ClaimRow | None:
    row = c.execute(f"{_CLAIM} WHERE claim_id = ?", (claim_id,)).fetchone()
    return None if row is None else _row(row)


def claims_on(c: sqlite3.Connection, symbol_ids: Sequence[str], path: str) -> list[ClaimRow]:
    wanted = orjson.dumps([id for id in symbol_ids if id]).decode()
    query = (
        f"{_CLAIM} WHERE superseded_by = '' AND claim_id IN (SELECT claim_id FROM claim_anchors "
        "WHERE symbol_id IN (SELECT value FROM json_each(?1)) OR (path = ?2 AND path <> '')) ORDER BY position DESC"
    )
    return [_row(row) for row in c.execute(query, (wanted, path))]


def claim_count(c: sqlite3.Connection) -> int:
    return int(c.execute("SELECT count(*) FROM claims WHERE superseded_by = ''").fetchone()[0])


def _row(row: Sequence[object]) -> ClaimRow:
    (
        id,
        label,
        text,
        state,
        confidence,
        evidence,
        markers,
        agent,
        origin,
        created,
        written,
        position,
        *rest,
    ) = row
    return ClaimRow(
        str(id),
        str(label),
        str(text),
        State(str(state)),
        None if confidence is None else float(str(confidence)),
        tuple(Anchor.model_validate(anchor) for anchor in orjson.loads(str(evidence))),
        tuple(Marker.model_validate(marker) for marker in orjson.loads(str(markers))),
        str(agent),
        str(origin),
        time_of(str(created)),
        time_of(str(written)),
        int(str(position)),
        *map(str, rest),
    )
