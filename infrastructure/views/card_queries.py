"""The question of the cadence (D13), as SQL."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from m1nd.domain.card.cadence import Shown, day_of
from m1nd.infrastructure.views.times import text_of, time_of


def cards_shown(c: sqlite3.Connection, session: str, as_of: datetime) -> Shown:
    """What the log knew at `as_of`; no card belongs to the session without a name."""
    until = text_of(as_of)
    today = c.execute(
        "SELECT 1 FROM cards_shown WHERE day = ? AND shown_at <= ? LIMIT 1", (day_of(as_of), until)
    ).fetchone()
    rows = (
        c.execute(
            "SELECT state_sig, shown_at FROM cards_shown WHERE session = ? AND shown_at <= ? ORDER BY position",
            (session, until),
        ).fetchall()
        if session
        else []
    )
    return Shown(
        tuple(str(signature) for signature, _ in rows),
        time_of(str(rows[-1][1])) if rows else None,
        today is not None,
    )
