"""The questions about receipts, as SQL."""

import sqlite3
from datetime import datetime

from m1nd.application.receipt_views import ReceiptRow
from m1nd.domain.receipts.evidence import Outcome, ReceiptStage
from m1nd.infrastructure.views.times import text_of, time_of

_COLUMNS = (
    "SELECT receipt_id, block_id, type, outcome, solicited, emitter, landed_by, stage, reason, cause, expires_at, "
    "imported_at, ended_at, position FROM receipts "
)
_FRESH = "stage = ? AND (expires_at IS NULL OR expires_at > ?)"


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
