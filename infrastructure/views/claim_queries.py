"""The questions about claims, as SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

import orjson

from m1nd.infrastructure.views.times import time_of

if TYPE_CHECKING:
    from m1nd.application.memory_views import ClaimRow

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
    from m1nd.application.memory_views import ClaimRow

    # Late: a repository without claims pays for none of their values.
    from m1nd.domain.memory.anchors import Anchor
    from m1nd.domain.memory.claim_state import Marker, State

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
