"""The memory part of the port `Views`: each question to one moment of the file."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from m1nd.infrastructure.views import claim_queries, paint_queries, queries

if TYPE_CHECKING:
    from m1nd.application.memory_views import AntibodyRow, ClaimRow, PaintRow, TagRow
    from m1nd.domain.symbols import Address

T = TypeVar("T")


class MemoryQuestions:
    @abstractmethod
    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T: ...

    def live_claims(self) -> Sequence[ClaimRow]:
        return self._ask(claim_queries.live_claims)

    def claims(self, limit: int = 50) -> Sequence[ClaimRow]:
        return self._ask(lambda c: claim_queries.claims(c, limit))

    def claim(self, claim_id: str) -> ClaimRow | None:
        return self._ask(lambda c: claim_queries.claim(c, claim_id))

    def claims_on(self, symbol_ids: Sequence[str], path: str = "") -> Sequence[ClaimRow]:
        return self._ask(lambda c: claim_queries.claims_on(c, symbol_ids, path))

    def claim_count(self) -> int:
        return self._ask(claim_queries.claim_count)

    def paint_version(self) -> int:
        return self._ask(paint_queries.version)

    def tags(self) -> Sequence[TagRow]:
        return self._ask(paint_queries.tags)

    def tag_names(self) -> Sequence[str]:
        return self._ask(paint_queries.tag_names)

    def tagged(self, tag: str, limit: int) -> Sequence[TagRow]:
        return self._ask(lambda c: paint_queries.tagged(c, tag, limit))

    def tags_on(self, symbol_id: str) -> Sequence[TagRow]:
        return self._ask(lambda c: paint_queries.tags_on(c, symbol_id))

    def paint_ledger(self, limit: int = 50) -> Sequence[PaintRow]:
        return self._ask(lambda c: paint_queries.ledger(c, limit))

    def antibodies(self) -> Sequence[AntibodyRow]:
        from m1nd.infrastructure.views import antibody_queries

        return self._ask(antibody_queries.antibodies)

    def file_generations(self) -> Mapping[str, int]:
        return self._ask(queries.file_generations)

    def departures(self) -> Sequence[tuple[Address, Address | None]]:
        return self._ask(queries.departures)
