"""The memory part of the port `Views`: each question to one moment of the file."""

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from m1nd.application.memory_views import AntibodyRow, ClaimRow, PaintRow, TagRow
from m1nd.domain.symbols import Address
from m1nd.infrastructure.views import antibodies, changes, claims, paint, queries

T = TypeVar("T")


class MemoryQuestions:
    @abstractmethod
    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T: ...

    def live_claims(self) -> Sequence[ClaimRow]:
        return self._ask(claims.live_claims)

    def claims(self, limit: int = 50) -> Sequence[ClaimRow]:
        return self._ask(lambda c: claims.claims(c, limit))

    def claim(self, claim_id: str) -> ClaimRow | None:
        return self._ask(lambda c: claims.claim(c, claim_id))

    def claims_on(self, symbol_ids: Sequence[str], path: str = "") -> Sequence[ClaimRow]:
        return self._ask(lambda c: claims.claims_on(c, symbol_ids, path))

    def claim_count(self) -> int:
        return self._ask(claims.claim_count)

    def paint_version(self) -> int:
        return self._ask(paint.version)

    def tags(self) -> Sequence[TagRow]:
        return self._ask(paint.tags)

    def tag_names(self) -> Sequence[str]:
        return self._ask(paint.tag_names)

    def tagged(self, tag: str, limit: int) -> Sequence[TagRow]:
        return self._ask(lambda c: paint.tagged(c, tag, limit))

    def tags_on(self, symbol_id: str) -> Sequence[TagRow]:
        return self._ask(lambda c: paint.tags_on(c, symbol_id))

    def paint_ledger(self, limit: int = 50) -> Sequence[PaintRow]:
        return self._ask(lambda c: paint.ledger(c, limit))

    def antibodies(self) -> Sequence[AntibodyRow]:
        return self._ask(antibodies.antibodies)

    def file_generations(self) -> Mapping[str, int]:
        return self._ask(changes.file_generations)

    def departures(self) -> Sequence[tuple[Address, Address | None]]:
        return self._ask(queries.departures)
