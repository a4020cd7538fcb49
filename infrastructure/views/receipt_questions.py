"""The receipt part of the port `Views`: each question to one moment of the file.

Their SQL is imported when they are asked: a repository without blocks never asks them.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from m1nd.application.receipt_views import ReceiptRow
    from m1nd.domain.receipts.evidence import Outcome

T = TypeVar("T")


class ReceiptQuestions:
    @abstractmethod
    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T: ...

    def receipts(self, block_id: str = "", limit: int = -1) -> Sequence[ReceiptRow]:
        from m1nd.infrastructure.views import receipt_queries

        return self._ask(lambda c: receipt_queries.receipts(c, block_id, limit))

    def live_outcomes(self, as_of: datetime) -> dict[str, dict[str, Outcome]]:
        from m1nd.infrastructure.views import receipt_queries

        return self._ask(lambda c: receipt_queries.live_outcomes(c, as_of))

    def due_receipts(self, as_of: datetime) -> Sequence[str]:
        from m1nd.infrastructure.views import receipt_queries

        return self._ask(lambda c: receipt_queries.due(c, as_of))
