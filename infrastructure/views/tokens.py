"""The tokens of this repository, without their hashes."""

import sqlite3

from m1nd.domain.tokens import Token
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

TOKENS = Projection(
    "tokens",
    VERSIONS["tokens"],
    {
        "tokens": (
            "token_id TEXT NOT NULL PRIMARY KEY, purpose TEXT NOT NULL, label TEXT NOT NULL, created_at TEXT NOT NULL, "
            "revoked_at TEXT, position INTEGER NOT NULL"
        )
    },
)


@TOKENS.on(Token.TokenCreated)
def created(cursor: sqlite3.Cursor, event: Token.TokenCreated, position: int) -> None:
    cursor.execute(
        "INSERT INTO tokens VALUES (?, ?, ?, ?, NULL, ?)",
        (event.token_id, event.purpose, event.label, text_of(event.timestamp), position),
    )


@TOKENS.on(Token.TokenRevoked)
def revoked(cursor: sqlite3.Cursor, event: Token.TokenRevoked, position: int) -> None:
    cursor.execute(
        "UPDATE tokens SET revoked_at = ?, position = ? WHERE token_id = ?",
        (text_of(event.timestamp), position, event.token_id),
    )
