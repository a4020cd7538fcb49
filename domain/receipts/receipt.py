"""The Receipt aggregate: imported once, live until it is staled, expired, superseded or withdrawn (BLOCKS.md, D21).

It never changes what it says, and ends once, by an event with a cause. Whether it was still good when it was imported is
judged before (`checks.py`), in the same append.
"""

from datetime import datetime
from typing import ClassVar, Literal, Self

from attrs import frozen
from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.receipts.evidence import Outcome, ReceiptBody, ReceiptStage, Scope
from m1nd.domain.receipts.times import is_over, parse_time
from m1nd.domain.refusal import refuse

StaleReason = Literal[
    "block", "boundary", "contract", "resolution", "content", "repaint", "archived", "tombstoned"
]


def stream_name(receipt_id: str) -> str:
    return f"receipt:{receipt_id.removeprefix('rcp_')}"


@frozen
class ReceiptState:
    """A receipt as its stream tells it. `stales_on`: its own tags and those of the contract's slot at its import."""

    receipt_id: str
    body: ReceiptBody
    stales_on: tuple[str, ...]
    solicited: bool
    landed_by: str
    stage: ReceiptStage
    reason: str
    cause: str
    imported_at: datetime

    @property
    def is_live(self) -> bool:
        return self.stage is ReceiptStage.LIVE

    def is_fresh(self, as_of: datetime) -> bool:
        """Live, and its time not over yet, whether or not a sweep has said so."""
        return self.is_live and not is_over(self.body.validity.expires_on, as_of)

    @property
    def earned_at(self) -> datetime:
        """When its evidence was complete: the end of the run, or the import where there was no run."""
        ended = self.body.evidence.ended_at
        return (parse_time(ended) if ended else None) or self.imported_at


class Receipt(Aggregate):
    TOPIC = "receipt"

    class ReceiptImported(CreatedEvent):
        """The evidence holds for its scope. `landed_by` is the stamp or token that let it in; empty for a verb of ours."""

        TOPIC: ClassVar[str] = "receipt_imported"
        receipt_id: str
        block_id: str
        body: ReceiptBody
        outcome: Outcome
        solicited: bool
        stales_on: tuple[str, ...]
        landed_by: str

    class ReceiptStaled(Event):
        """What it is evidence of has changed; `cause` is the event that changed it, earlier in the log."""

        TOPIC: ClassVar[str] = "receipt_staled"
        receipt_id: str
        block_id: str
        reason: StaleReason
        cause: str = Field(min_length=1)
        current: Scope

    class ReceiptExpired(Event):
        TOPIC: ClassVar[str] = "receipt_expired"
        receipt_id: str
        block_id: str
        expires_on: str
        as_of: AwareDatetime

    class ReceiptSuperseded(Event):
        """A newer receipt of the same type and block speaks now."""

        TOPIC: ClassVar[str] = "receipt_superseded"
        receipt_id: str
        block_id: str
        by: str

    class ReceiptWithdrawn(Event):
        TOPIC: ClassVar[str] = "receipt_withdrawn"
        receipt_id: str
        block_id: str
        reason: str = Field(min_length=1, max_length=400)
        stamp_id: str

    @event(ReceiptImported)
    def __init__(
        self,
        receipt_id: str,
        body: ReceiptBody,
        stales_on: tuple[str, ...],
        solicited: bool,
        landed_by: str,
        timestamp: datetime,
    ) -> None:
        self.receipt_id = receipt_id
        self.body = body
        self.stales_on = stales_on
        self.solicited = solicited
        self.landed_by = landed_by
        self.imported_at = timestamp
        self.stage = ReceiptStage.LIVE
        self.reason = self.cause = ""

    @classmethod
    def import_body(
        cls, body: ReceiptBody, stales_on: tuple[str, ...], solicited: bool, landed_by: str, command: Command
    ) -> Self:
        """The receipt of checked evidence."""
        id = body.receipt_id
        return cls._begin(
            cls.ReceiptImported,
            command,
            stream_name(id),
            receipt_id=id,
            block_id=body.scope.block_id,
            body=body,
            outcome=body.outcome,
            solicited=solicited,
            stales_on=stales_on,
            landed_by=landed_by,
        )

    @property
    def state(self) -> ReceiptState:
        return ReceiptState(
            self.receipt_id,
            self.body,
            self.stales_on,
            self.solicited,
            self.landed_by,
            self.stage,
            self.reason,
            self.cause,
            self.imported_at,
        )

    def stale(self, reason: StaleReason, cause: Event, current: BlockScope, command: Command) -> bool:
        """It no longer counts, because of `cause`; answers False where it had ended already."""
        if self.stage is not ReceiptStage.LIVE:
            return False
        self._record(
            Receipt.ReceiptStaled,
            command.caused_by(cause),
            receipt_id=self.receipt_id,
            block_id=self.body.scope.block_id,
            reason=reason,
            cause=cause.event_id,
            current=Scope.of(current),
        )
        return True

    def expire(self, as_of: datetime, command: Command) -> bool:
        """End it if its time is over; answers whether it did."""
        expires_on = self.body.validity.expires_on
        if self.stage is not ReceiptStage.LIVE or not is_over(expires_on, as_of):
            return False
        self._record(
            Receipt.ReceiptExpired,
            command,
            receipt_id=self.receipt_id,
            block_id=self.body.scope.block_id,
            expires_on=expires_on,
            as_of=as_of,
        )
        return True

    def supersede(self, by: str, command: Command) -> bool:
        """A newer one speaks now; answers False where it had ended already."""
        if self.stage is not ReceiptStage.LIVE:
            return False
        self._record(
            Receipt.ReceiptSuperseded,
            command,
            receipt_id=self.receipt_id,
            block_id=self.body.scope.block_id,
            by=by,
        )
        return True

    def withdraw(self, reason: str, stamp_id: str, command: Command) -> None:
        """Raises Refused(receipt_ended) where it had ended already."""
        if self.stage is not ReceiptStage.LIVE:
            refuse(
                "receipt_ended",
                f"{self.receipt_id} is {self.stage.value} already",
                receipt_id=self.receipt_id,
                stage=self.stage.value,
            )
        self._record(
            Receipt.ReceiptWithdrawn,
            command,
            receipt_id=self.receipt_id,
            block_id=self.body.scope.block_id,
            reason=reason,
            stamp_id=stamp_id,
        )

    @event(ReceiptStaled)
    def _staled(self, reason: str, cause: str) -> None:
        self.stage, self.reason, self.cause = ReceiptStage.STALED, reason, cause

    @event(ReceiptExpired)
    def _expired(self, event_id: str) -> None:
        self.stage, self.reason, self.cause = ReceiptStage.EXPIRED, "expired", event_id

    @event(ReceiptSuperseded)
    def _superseded(self, by: str) -> None:
        self.stage, self.reason, self.cause = ReceiptStage.SUPERSEDED, "superseded", by

    @event(ReceiptWithdrawn)
    def _withdrawn(self, reason: str) -> None:
        self.stage, self.reason, self.cause = ReceiptStage.WITHDRAWN, "withdrawn", reason
