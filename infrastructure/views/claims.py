"""The claims of this repository, and what each is anchored on."""

import sqlite3

import orjson

from m1nd.domain.memory.claims import Claim
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

CLAIMS = Projection(
    "claims",
    VERSIONS["claims"],
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
