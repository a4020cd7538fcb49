"""The cards that were shown: what the cadence asks (D13)."""

import sqlite3
from datetime import UTC

from m1nd.domain.card.cadence import day_of
from m1nd.domain.card.showing import Cards
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

CARDS = Projection(
    "cards",
    VERSIONS["cards"],
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
