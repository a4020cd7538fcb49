"""The Cards aggregate: which card was shown in which session, so that the cadence is enforced from the log (D13).

One stream a UTC date. What its guards need stands in nothing but the version, so it is resumed from its last event.
"""

import re
from datetime import datetime
from typing import ClassVar, Self
from uuid import UUID

from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.card.cadence import LONGEST_SESSION, day_of
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id

SIGNATURE = re.compile(
    r"[a-z_]{1,40}\|bell:(?:\d{1,9}|-)\|coh:(?:ok|sick|none|-)\|recv:(?:match|mismatch|unknown)"
)


def stream_name(at: datetime) -> str:
    return f"cards:{day_of(at)}"


def cards_id(at: datetime) -> UUID:
    return stream_id(stream_name(at))


class Cards(Aggregate):
    TOPIC = "cards"

    class CardsOpened(CreatedEvent):
        """The day's stream begins."""

        TOPIC: ClassVar[str] = "cards_opened"
        day: str

    class CardShown(Event):
        """A card with this signature was shown to the human; `session` is empty where the door knew of none."""

        TOPIC: ClassVar[str] = "card_shown"
        session: str = Field(max_length=LONGEST_SESSION)
        state_sig: str

    @event(CardsOpened)
    def __init__(self) -> None:
        """The guards need the version only."""

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.CardsOpened, command, stream_name(command.at), day=day_of(command.at))

    @classmethod
    def resume(cls, last: Event) -> Self:
        """The aggregate after `last`, the newest event of its stream."""
        return cls._resumed(last)

    def show(self, session: str, state_sig: str, command: Command) -> None:
        """Record that a card was shown. Raises Refused(usage) for what is no signature, or a session name too long."""
        if len(session) > LONGEST_SESSION:
            refuse(
                "usage",
                f"a session's name has at most {LONGEST_SESSION} characters",
                "m1nd north TASK --session S",
            )
        if not SIGNATURE.fullmatch(state_sig):
            refuse(
                "usage",
                "`state_sig` is taken from the packet as it is: <trust>|bell:<n>|coh:<…>|recv:<…>",
                "m1nd north TASK --json",
            )
        self._record(Cards.CardShown, command, session=session, state_sig=state_sig)

    @event(CardShown)
    def _shown(self) -> None:
        """Nothing to apply: see `__init__`."""
