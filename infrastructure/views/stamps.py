"""The stamps of this repository: every gesture that was asked for, and how far it came."""

import sqlite3

from m1nd.domain.stamps.gesture import StampStage
from m1nd.domain.stamps.stamp import Stamp
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

STAMPS = Projection(
    "stamps",
    VERSIONS["stamps"],
    {
        "stamps": (
            "challenge_id TEXT NOT NULL PRIMARY KEY, action TEXT NOT NULL, target TEXT NOT NULL, digest TEXT NOT NULL, "
            "stage TEXT NOT NULL, asked_by TEXT NOT NULL, expires_at TEXT NOT NULL, position INTEGER NOT NULL"
        )
    },
    ("CREATE INDEX stamps_by_stage ON stamps (stage, expires_at)",),
)


@STAMPS.on(Stamp.StampOpened)
def opened(cursor: sqlite3.Cursor, event: Stamp.StampOpened, position: int) -> None:
    gesture = event.gesture
    cursor.execute(
        "INSERT INTO stamps VALUES (?, ?, ?, ?, ?, '', '', ?)",
        (event.challenge_id, gesture.action, gesture.target, gesture.digest, StampStage.NEW, position),
    )


@STAMPS.on(Stamp.StampChallenged)
def challenged(cursor: sqlite3.Cursor, event: Stamp.StampChallenged, position: int) -> None:
    cursor.execute(
        "UPDATE stamps SET stage = ?, asked_by = ?, expires_at = ?, position = ? WHERE challenge_id = ?",
        (StampStage.WAITING, event.asked_by, text_of(event.expires_at), position, event.challenge_id),
    )


@STAMPS.on(Stamp.StampGiven)
def given(cursor: sqlite3.Cursor, event: Stamp.StampGiven, position: int) -> None:
    _reach(cursor, StampStage.GIVEN, event.challenge_id, position)


@STAMPS.on(Stamp.StampConsumed)
def consumed(cursor: sqlite3.Cursor, event: Stamp.StampConsumed, position: int) -> None:
    _reach(cursor, StampStage.CONSUMED, event.challenge_id, position)


@STAMPS.on(Stamp.StampExpired)
def expired(cursor: sqlite3.Cursor, event: Stamp.StampExpired, position: int) -> None:
    _reach(cursor, StampStage.EXPIRED, event.challenge_id, position)


def _reach(cursor: sqlite3.Cursor, stage: StampStage, challenge_id: str, position: int) -> None:
    cursor.execute(
        "UPDATE stamps SET stage = ?, position = ? WHERE challenge_id = ?", (stage, position, challenge_id)
    )
