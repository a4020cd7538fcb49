"""The cards that were shown: what the cadence asks (D13)."""

import sqlite3
from datetime import UTC, datetime

from m1nd.domain.card.cadence import Shown
from m1nd.domain.card.showing import Cards, day_of
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of, time_of

CARDS = Projection(
    "cards",
    1,
    {
        "cards_shown": (
            "position INTEGER NOT NULL PRIMARY KEY, session TEXT NOT NULL, state_sig TEXT NOT NULL, day TEXT NOT NULL, "
            "shown_at TEXT NOT NULL"
        )
    },
    (
        "CREATE INDEX cards_by_session ON cards_shown (session, position)",
        "CREATE INDEX cards_by_day ON cards_shown (day, position)",
    ),
)


@CARDS.on(Cards.CardShown)
def shown(cursor: sqlite3.Cursor, event: Cards.CardShown, position: int) -> None:
    at = event.timestamp.astimezone(UTC)
    cursor.execute(
        "INSERT INTO cards_shown VALUES (?, ?, ?, ?, ?)",
        (position, event.session, event.state_sig, day_of(at), text_of(at)),
    )


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
