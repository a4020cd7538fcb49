"""How long a preview is kept, of a move or an edit (D28)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from m1nd.application.brain import Brain
from m1nd.domain.stamps.stamp import StampState

TIME_TO_LIVE = timedelta(minutes=5)


def kept_until(brain: Brain, stamp: StampState | None) -> datetime:
    """Five minutes from now; with a stamp asked for, as long as that one waits."""
    if stamp is not None and stamp.expires_at is not None:
        return stamp.expires_at
    return brain.clock.now() + TIME_TO_LIVE


def milliseconds_left(brain: Brain, until: datetime) -> int:
    return round((until - brain.clock.now()).total_seconds() * 1000)


def shown_again(again: str, allow_protected: str) -> str:
    """The step that shows an agent the planned files once more, when its marks are over (D43).

    Another preview would need another stamp; to look at the files keeps this one.
    """
    return "m1nd context on the module of each named file, then commit again" if allow_protected else again


def stamp_field(stamp: StampState | None) -> Mapping[str, Any] | None:
    """`{challenge, command, expires_at}` of the stamp that the commit will need, on the wire."""
    if stamp is None or stamp.expires_at is None:
        return None
    id = stamp.gesture.challenge_id
    return {"challenge": id, "command": f"m1nd stamp {id}", "expires_at": stamp.expires_at.isoformat()}
