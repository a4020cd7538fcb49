"""The receipts of this repository: what each is of, and what ended it."""

import sqlite3

from m1nd.domain.receipts.evidence import ReceiptStage
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.receipts.times import parse_end
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

RECEIPTS = Projection(
    "receipts",
    VERSIONS["receipts"],
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
