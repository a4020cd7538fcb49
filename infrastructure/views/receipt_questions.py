"""The receipt part of the port `Views`: each question to one moment of the file."""

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from m1nd.application.receipt_views import ReceiptRow
from m1nd.domain.receipts.evidence import Outcome
from m1nd.infrastructure.views import receipts

T = TypeVar("T")


class ReceiptQuestions:
    @abstractmethod
    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T: ...

    def receipts(self, block_id: str = "", limit: int = -1) -> Sequence[ReceiptRow]:
        return self._ask(lambda c: receipts.receipts(c, block_id, limit))

    def live_outcomes(self, as_of: datetime) -> dict[str, dict[str, Outcome]]:
        return self._ask(lambda c: receipts.live_outcomes(c, as_of))

    def due_receipts(self, as_of: datetime) -> Sequence[str]:
        return self._ask(lambda c: receipts.due(c, as_of))
