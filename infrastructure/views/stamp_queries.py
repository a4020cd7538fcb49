"""The questions about stamps and tokens, as SQL."""

import sqlite3
from datetime import datetime

from m1nd.application.views import TokenRow
from m1nd.domain.stamps.gesture import StampStage
from m1nd.infrastructure.views.times import text_of, time_of

_IDS = "SELECT challenge_id FROM stamps WHERE stage {} AND expires_at {} ? ORDER BY position"


def waiting(c: sqlite3.Connection, as_of: datetime) -> list[str]:
    query = _IDS.format("= ?", ">")
    return [str(id) for (id,) in c.execute(query, (StampStage.WAITING, text_of(as_of)))]


def due(c: sqlite3.Connection, as_of: datetime) -> list[str]:
    query = _IDS.format("IN (?, ?)", "<=")
    stages = (StampStage.WAITING, StampStage.GIVEN)
    return [str(id) for (id,) in c.execute(query, (*stages, text_of(as_of)))]


def tokens(c: sqlite3.Connection) -> list[TokenRow]:
    query = "SELECT token_id, purpose, label, created_at, revoked_at FROM tokens ORDER BY created_at DESC, token_id"
    return [
        TokenRow(id, purpose, label, time_of(created), None if revoked is None else time_of(revoked))
        for id, purpose, label, created, revoked in c.execute(query)
    ]
