"""The refusals: an audit stream beside the facts, bounded, without payloads (D34).

One stream a UTC day with at most `DAILY_LIMIT` events, the last of which says that the day is full. So neither a
looping agent nor a hostile one can grow the log without end, and silence is never taken for absence.
"""

from datetime import UTC, datetime
from typing import ClassVar, Self
from uuid import UUID

from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, Value, event
from m1nd.domain.streams import stream_id

DAILY_LIMIT = 500


def stream_name(at: datetime) -> str:
    return f"refusals:{at.astimezone(UTC):%Y-%m-%d}"


def refusals_id(at: datetime) -> UUID:
    return stream_id(stream_name(at))


class RefusedRequest(Value):
    """What is kept of a refused request: which verb, which code, which field; the request itself as a digest only."""

    verb: str = Field(max_length=64)
    keyword: str = Field(max_length=64)
    request_digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    field: str = Field(default="", max_length=64)


class RefusalEvent(Event):
    verb: str
    keyword: str
    field: str
    request_digest: str


class Refusals(Aggregate):
    TOPIC = "refusals"

    class RefusalsOpened(CreatedEvent):
        """The day's stream begins."""

        TOPIC: ClassVar[str] = "refusals_opened"
        day: str

    class TransplantRefused(RefusalEvent):
        TOPIC: ClassVar[str] = "transplant_refused"

    class CommandRefused(RefusalEvent):
        TOPIC: ClassVar[str] = "command_refused"

    class RefusalsCapped(Event):
        """The day is full; further refusals of this day are not recorded."""

        TOPIC: ClassVar[str] = "refusals_capped"
        limit: int

    @event(RefusalsOpened)
    def __init__(self) -> None:
        """The guards need the version only."""

    @classmethod
    def open(cls, command: Command) -> Self:
        name = stream_name(command.at)
        return cls._begin(cls.RefusalsOpened, command, name, day=name.partition(":")[2])

    @classmethod
    def resume(cls, last: Event) -> Self:
        """The aggregate after `last`, the newest event of its stream: its version is all that it knows."""
        return cls._resumed(last)

    def record(self, request: RefusedRequest, command: Command) -> bool:
        """Keep one refusal; False when the day is full."""
        room = DAILY_LIMIT - (self.version + 1)
        if room <= 0:
            return False
        if room == 1:
            self._record(Refusals.RefusalsCapped, command, limit=DAILY_LIMIT)
            return False
        kind = (
            Refusals.TransplantRefused if request.verb.startswith("transplant") else Refusals.CommandRefused
        )
        self._record(kind, command, **dict(request))
        return True

    @event(TransplantRefused)
    def _transplant_refused(self) -> None:
        """Nothing to apply: see `__init__`."""

    @event(CommandRefused)
    def _command_refused(self) -> None:
        """Nothing to apply: see `__init__`."""

    @event(RefusalsCapped)
    def _capped(self) -> None:
        """Nothing to apply: see `__init__`."""
