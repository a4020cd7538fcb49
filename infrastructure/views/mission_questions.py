"""The mission part of the port `Views`: each question to one moment of the file.

The questions about delegations are imported when they are asked: `north` and the card never ask them.
"""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from m1nd.infrastructure.views import mission_queries

if TYPE_CHECKING:
    from m1nd.application.mission_views import CandidateRow, DelegationRow, LetterRow, MissionRow
    from m1nd.domain.missions.runners import Pin
    from m1nd.domain.missions.states import State

T = TypeVar("T")


class MissionQuestions:
    @abstractmethod
    def _ask(self, query: Callable[[sqlite3.Connection], T]) -> T: ...

    def missions(
        self, states: Sequence[State] = (), block_id: str = "", limit: int = 200
    ) -> Sequence[MissionRow]:
        return self._ask(lambda c: mission_queries.missions(c, states, block_id, limit))

    def mission(self, mission_id: str) -> MissionRow | None:
        return self._ask(lambda c: mission_queries.mission(c, mission_id))

    def letters(self, mission_id: str) -> Sequence[LetterRow]:
        return self._ask(lambda c: mission_queries.letters(c, mission_id))

    def pins(self) -> Sequence[Pin]:
        return self._ask(mission_queries.pins)

    def landing_bell(self) -> int:
        return self._ask(mission_queries.landing_bell)

    def due_missions(self, as_of: datetime) -> Sequence[str]:
        return self._ask(lambda c: mission_queries.due_missions(c, as_of))

    def delegations(self, limit: int = 50) -> Sequence[DelegationRow]:
        from m1nd.infrastructure.views import delegation_queries

        return self._ask(lambda c: delegation_queries.delegations(c, limit))

    def waiting_candidates(self) -> Sequence[CandidateRow]:
        from m1nd.infrastructure.views import delegation_queries

        return self._ask(delegation_queries.waiting_candidates)
