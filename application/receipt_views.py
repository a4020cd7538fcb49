"""The receipts as the views tell of them: frozen rows, and the questions that give them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.receipts.evidence import Outcome


@frozen
class ReceiptRow:
    """One receipt. `stage` is live, staled, expired, superseded or withdrawn; `reason` and `cause` say why it ended."""

    receipt_id: str
    block_id: str
    type: str
    outcome: Outcome
    solicited: bool
    emitter: str
    landed_by: str
    stage: str
    reason: str
    cause: str
    expires_at: datetime | None
    imported_at: datetime
    ended_at: datetime | None
    position: int


class ReceiptViews(Protocol):
    """The receipt part of `Views`."""

    def receipts(self, block_id: str = "", limit: int = -1) -> Sequence[ReceiptRow]:
        """Of one block or of all, newest first; without a limit all of them."""
        ...

    def live_outcomes(self, as_of: datetime) -> dict[str, dict[str, Outcome]]:
        """By block, the outcome of the one fresh receipt of each type that has one; the input of `roll_up`."""
        ...

    def due_receipts(self, as_of: datetime) -> Sequence[str]:
        """Ids of live receipts whose time is over and whose end is not recorded yet."""
        ...
