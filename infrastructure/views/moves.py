"""The moves of this repository: every preview and what became of it."""

import sqlite3

import orjson

from m1nd.domain.previews import Stage
from m1nd.domain.transplant import Transplant, transplant_id
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

MOVES = Projection(
    "moves",
    VERSIONS["moves"],
    {
        "moves": (
            "preview_id TEXT NOT NULL PRIMARY KEY, transplant_id TEXT NOT NULL UNIQUE, stage TEXT NOT NULL, "
            "agent_id TEXT NOT NULL, symbol TEXT NOT NULL, symbol_id TEXT NOT NULL, source_file TEXT NOT NULL, "
            "dest_file TEXT NOT NULL, previewed_at TEXT NOT NULL, expires_at TEXT NOT NULL, ended_at TEXT, "
            "position INTEGER NOT NULL, committed_position INTEGER, receipt TEXT, journal_id TEXT NOT NULL"
        )
    },
    (
        "CREATE INDEX moves_by_stage ON moves (stage, committed_position)",
        "CREATE INDEX moves_by_position ON moves (position)",
        "CREATE INDEX moves_by_source ON moves (source_file)",
    ),
)


@MOVES.on(Transplant.TransplantPreviewed)
def previewed(cursor: sqlite3.Cursor, event: Transplant.TransplantPreviewed, position: int) -> None:
    request = event.request
    cursor.execute(
        "INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, NULL, '')",
        (
            event.preview_id,
            transplant_id(event.preview_id),
            Stage.PREVIEWED,
            event.agent_id,
            request.symbol,
            request.symbol_id,
            request.source_file,
            request.dest_file,
            text_of(event.timestamp),
            text_of(event.expires_at),
            position,
        ),
    )


@MOVES.on(Transplant.TransplantCommitted)
def committed(cursor: sqlite3.Cursor, event: Transplant.TransplantCommitted, position: int) -> None:
    cursor.execute(
        "UPDATE moves SET stage = ?, ended_at = ?, position = ?, committed_position = ?, receipt = ?, journal_id = ? "
        "WHERE preview_id = ?",
        (
            Stage.COMMITTED,
            text_of(event.timestamp),
            position,
            position,
            orjson.dumps(event.receipt).decode(),
            event.journal_id,
            event.preview_id,
        ),
    )


@MOVES.on(Transplant.TransplantExpired)
def expired(cursor: sqlite3.Cursor, event: Transplant.TransplantExpired, position: int) -> None:
    _end(cursor, Stage.EXPIRED, event, position)


@MOVES.on(Transplant.TransplantDiscarded)
def discarded(cursor: sqlite3.Cursor, event: Transplant.TransplantDiscarded, position: int) -> None:
    _end(cursor, Stage.DISCARDED, event, position)


@MOVES.on(Transplant.TransplantRolledBack)
def rolled_back(cursor: sqlite3.Cursor, event: Transplant.TransplantRolledBack, position: int) -> None:
    _end(cursor, Stage.ROLLED_BACK, event, position)


def _end(
    cursor: sqlite3.Cursor,
    stage: Stage,
    event: Transplant.TransplantExpired | Transplant.TransplantDiscarded | Transplant.TransplantRolledBack,
    position: int,
) -> None:
    cursor.execute(
        "UPDATE moves SET stage = ?, ended_at = ?, position = ? WHERE preview_id = ?",
        (stage, text_of(event.timestamp), position, event.preview_id),
    )
