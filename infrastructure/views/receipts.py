"""The receipts of this repository: what each is of, and what ended it."""

import sqlite3
from datetime import datetime

from m1nd.application.receipt_views import ReceiptRow
from m1nd.domain.receipts.evidence import Outcome
from m1nd.domain.receipts.receipt import Receipt, ReceiptStage
from m1nd.domain.receipts.times import parse_end
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of, time_of

RECEIPTS = Projection(
    "receipts",
    1,
    {
        "receipts": (
            "receipt_id TEXT NOT NULL PRIMARY KEY, block_id TEXT NOT NULL, type TEXT NOT NULL, outcome TEXT NOT NULL, "
            "solicited INTEGER NOT NULL, emitter TEXT NOT NULL, landed_by TEXT NOT NULL, stage TEXT NOT NULL, "
            "reason TEXT NOT NULL, cause TEXT NOT NULL, expires_at TEXT, imported_at TEXT NOT NULL, ended_at TEXT, "
            "position INTEGER NOT NULL"
        )
    },
    (
        "CREATE INDEX receipts_by_block ON receipts (block_id, type)",
        "CREATE INDEX receipts_by_stage ON receipts (stage, expires_at)",
    ),
)

_COLUMNS = (
    "SELECT receipt_id, block_id, type, outcome, solicited, emitter, landed_by, stage, reason, cause, expires_at, "
    "imported_at, ended_at, position FROM receipts "
)
_FRESH = "stage = ? AND (expires_at IS NULL OR expires_at > ?)"


@RECEIPTS.on(Receipt.ReceiptImported)
def imported(cursor: sqlite3.Cursor, event: Receipt.ReceiptImported, position: int) -> None:
    body = event.body
    end = parse_end(body.validity.expires_on) if body.validity.expires_on else None
    cursor.execute(
        "INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '', ?, ?, NULL, ?)",
        (
            event.receipt_id,
            event.block_id,
            body.type,
            event.outcome,
            int(event.solicited),
            f"{body.emitter.kind} {body.emitter.id}",
            event.landed_by,
            ReceiptStage.LIVE,
            None if end is None else text_of(end),
            text_of(event.timestamp),
            position,
        ),
    )


@RECEIPTS.on(Receipt.ReceiptStaled)
def staled(cursor: sqlite3.Cursor, event: Receipt.ReceiptStaled, position: int) -> None:
    _end(cursor, event, ReceiptStage.STALED, event.reason, event.cause, position)


@RECEIPTS.on(Receipt.ReceiptExpired)
def expired(cursor: sqlite3.Cursor, event: Receipt.ReceiptExpired, position: int) -> None:
    _end(cursor, event, ReceiptStage.EXPIRED, "expired", event.event_id, position)


@RECEIPTS.on(Receipt.ReceiptSuperseded)
def superseded(cursor: sqlite3.Cursor, event: Receipt.ReceiptSuperseded, position: int) -> None:
    _end(cursor, event, ReceiptStage.SUPERSEDED, "superseded", event.by, position)


@RECEIPTS.on(Receipt.ReceiptWithdrawn)
def withdrawn(cursor: sqlite3.Cursor, event: Receipt.ReceiptWithdrawn, position: int) -> None:
    _end(cursor, event, ReceiptStage.WITHDRAWN, "withdrawn", event.reason, position)


_Ending = (
    Receipt.ReceiptStaled | Receipt.ReceiptExpired | Receipt.ReceiptSuperseded | Receipt.ReceiptWithdrawn
)


def _end(
    cursor: sqlite3.Cursor, event: _Ending, stage: ReceiptStage, reason: str, cause: str, position: int
) -> None:
    cursor.execute(
        "UPDATE receipts SET stage = ?, reason = ?, cause = ?, ended_at = ?, position = ? WHERE receipt_id = ?",
        (stage, reason, cause, text_of(event.timestamp), position, event.receipt_id),
    )


def receipts(c: sqlite3.Connection, block_id: str, limit: int) -> list[ReceiptRow]:
    where, parameters = ("WHERE block_id = ? ", (block_id,)) if block_id else ("", ())
    query = f"{_COLUMNS} {where} ORDER BY imported_at DESC, position DESC LIMIT ?"
    return [_row(row) for row in c.execute(query, (*parameters, limit))]


def live_outcomes(c: sqlite3.Connection, as_of: datetime) -> dict[str, dict[str, Outcome]]:
    query = f"SELECT block_id, type, outcome FROM receipts WHERE {_FRESH} ORDER BY position"
    found: dict[str, dict[str, Outcome]] = {}
    for block_id, type, outcome in c.execute(query, (ReceiptStage.LIVE, text_of(as_of))):
        found.setdefault(block_id, {})[type] = outcome
    return found


def due(c: sqlite3.Connection, as_of: datetime) -> list[str]:
    query = "SELECT receipt_id FROM receipts WHERE stage = ? AND expires_at <= ? ORDER BY position"
    return [str(id) for (id,) in c.execute(query, (ReceiptStage.LIVE, text_of(as_of)))]


def _row(row: tuple[object, ...]) -> ReceiptRow:
    id, block, type, outcome, solicited, emitter, landed, stage, reason, cause, expires, made, ended, at = row
    return ReceiptRow(
        str(id),
        str(block),
        str(type),
        "fail" if outcome == "fail" else "pass",
        bool(solicited),
        str(emitter),
        str(landed),
        str(stage),
        str(reason),
        str(cause),
        None if expires is None else time_of(str(expires)),
        time_of(str(made)),
        None if ended is None else time_of(str(ended)),
        int(str(at)),
    )
