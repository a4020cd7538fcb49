"""The Lease aggregate: who is curating the candidates just now. Advisory: it blocks no writer (reference: `candidate_lease`).

One live holder. A lapsed lease is free for anybody and cannot be refreshed; the clock comes in with the command.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Literal, Self

from attrs import frozen
from pydantic import AwareDatetime

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.refusal import refuse

STREAM = "lease"
LONGEST = timedelta(hours=24)

LeaseOutcome = Literal["acquired", "refreshed", "released", "already_free"]


@frozen
class LeaseState:
    holder: str
    until: datetime | None


class Lease(Aggregate):
    TOPIC = "lease"

    class LeaseOpened(CreatedEvent):
        """The stream begins; the lease is free."""

        TOPIC: ClassVar[str] = "lease_opened"

    class LeaseAcquired(Event):
        TOPIC: ClassVar[str] = "lease_acquired"
        holder: str
        until: AwareDatetime

    class LeaseRefreshed(Event):
        TOPIC: ClassVar[str] = "lease_refreshed"
        holder: str
        until: AwareDatetime

    class LeaseReleased(Event):
        TOPIC: ClassVar[str] = "lease_released"
        holder: str

    class LeaseLapsed(Event):
        """Its time was over when somebody else asked for it."""

        TOPIC: ClassVar[str] = "lease_lapsed"
        holder: str
        as_of: AwareDatetime

    @event(LeaseOpened)
    def __init__(self) -> None:
        self.holder = ""
        self.until: datetime | None = None

    @classmethod
    def open(cls, command: Command) -> Self:
        return cls._begin(cls.LeaseOpened, command, STREAM)

    @property
    def state(self) -> LeaseState:
        return LeaseState(self.holder, self.until)

    def is_held(self, at: datetime) -> bool:
        return self.until is not None and at < self.until

    def acquire(self, holder: str, time_to_live: timedelta, command: Command) -> LeaseOutcome:
        """Take a lease that is free, lapsed or one's own. Raises Refused(lease_held)."""
        self._require_mine_or_free(holder, command.at)
        if self.holder and not self.is_held(command.at):
            self._record(Lease.LeaseLapsed, command, holder=self.holder, as_of=command.at)
        self._record(Lease.LeaseAcquired, command, holder=holder, until=command.at + time_to_live)
        return "acquired"

    def refresh(self, holder: str, time_to_live: timedelta, command: Command) -> LeaseOutcome:
        """Prolong one's own live lease. Raises Refused(lease_held | lease_lapsed)."""
        self._require_mine_or_free(holder, command.at)
        if not self.is_held(command.at):
            refuse("lease_lapsed", f"{holder} holds no live lease to refresh")
        self._record(Lease.LeaseRefreshed, command, holder=holder, until=command.at + time_to_live)
        return "refreshed"

    def release(self, holder: str, command: Command) -> LeaseOutcome:
        """Give one's own lease back. Raises Refused(lease_held)."""
        self._require_mine_or_free(holder, command.at)
        if not self.is_held(command.at):
            return "already_free"
        self._record(Lease.LeaseReleased, command, holder=holder)
        return "released"

    def _require_mine_or_free(self, holder: str, at: datetime) -> None:
        if self.is_held(at) and self.holder != holder:
            assert self.until is not None
            refuse(
                "lease_held",
                f"{self.holder} curates the candidates until {self.until:%H:%M:%S} UTC",
                holder=self.holder,
                until=self.until.isoformat(),
            )

    @event(LeaseAcquired)
    def _acquired(self, holder: str, until: datetime) -> None:
        self.holder, self.until = holder, until

    @event(LeaseRefreshed)
    def _refreshed(self, until: datetime) -> None:
        self.until = until

    @event(LeaseReleased)
    def _released(self) -> None:
        self.holder, self.until = "", None

    @event(LeaseLapsed)
    def _lapsed(self) -> None:
        self.holder, self.until = "", None
