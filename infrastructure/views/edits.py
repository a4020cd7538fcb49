"""The edits of this repository: every preview and what became of it."""

import sqlite3

import orjson

from m1nd.domain.edit import Edit, edit_id
from m1nd.domain.previews import Stage
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

EDITS = Projection(
    "edits",
    VERSIONS["edits"],
    {
        "edits": (
            "preview_id TEXT NOT NULL PRIMARY KEY, edit_id TEXT NOT NULL UNIQUE, stage TEXT NOT NULL, "
            "agent_id TEXT NOT NULL, files TEXT NOT NULL, previewed_at TEXT NOT NULL, expires_at TEXT NOT NULL, "
            "ended_at TEXT, position INTEGER NOT NULL, committed_position INTEGER, receipt TEXT, "
            "journal_id TEXT NOT NULL"
        )
    },
    (
        "CREATE INDEX edits_by_stage ON edits (stage, committed_position)",
        "CREATE INDEX edits_by_position ON edits (position)",
    ),
)


@EDITS.on(Edit.EditPreviewed)
def previewed(cursor: sqlite3.Cursor, event: Edit.EditPreviewed, position: int) -> None:
    cursor.execute(
        "INSERT INTO edits VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?, NULL, NULL, '')",
        (
            event.preview_id,
            edit_id(event.preview_id),
            Stage.PREVIEWED,
            event.agent_id,
            orjson.dumps([file.file_path for file in event.files]).decode(),
            text_of(event.timestamp),
            text_of(event.expires_at),
            position,
        ),
    )


@EDITS.on(Edit.EditCommitted)
def committed(cursor: sqlite3.Cursor, event: Edit.EditCommitted, position: int) -> None:
    cursor.execute(
        "UPDATE edits SET stage = ?, ended_at = ?, position = ?, committed_position = ?, receipt = ?, journal_id = ? "
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


@EDITS.on(Edit.EditExpired)
def expired(cursor: sqlite3.Cursor, event: Edit.EditExpired, position: int) -> None:
    _end(cursor, Stage.EXPIRED, event, position)


@EDITS.on(Edit.EditDiscarded)
def discarded(cursor: sqlite3.Cursor, event: Edit.EditDiscarded, position: int) -> None:
    _end(cursor, Stage.DISCARDED, event, position)


@EDITS.on(Edit.EditRolledBack)
def rolled_back(cursor: sqlite3.Cursor, event: Edit.EditRolledBack, position: int) -> None:
    _end(cursor, Stage.ROLLED_BACK, event, position)


def _end(
    cursor: sqlite3.Cursor,
    stage: Stage,
    event: Edit.EditExpired | Edit.EditDiscarded | Edit.EditRolledBack,
    position: int,
) -> None:
    cursor.execute(
        "UPDATE edits SET stage = ?, ended_at = ?, position = ? WHERE preview_id = ?",
        (stage, text_of(event.timestamp), position, event.preview_id),
    )
