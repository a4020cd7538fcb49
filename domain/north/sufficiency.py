"""Whether the focus is enough to begin with: a stop signal that gives no answer away (CARD.md §1, `sufficiency`)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from m1nd.domain.north.focus import Ranking

TOO_MANY_EQUAL = 3
"""So many times more equals than rows: the words cannot tell them apart."""


class Sufficiency(StrEnum):
    SUFFICIENT = "sufficient"
    GATHERING = "gathering"
    SATURATED = "saturated"


def sufficiency(ranking: Ranking) -> Mapping[str, str]:
    """`{state, why}` of the ranking that `context` shows."""
    state, why = _judge(ranking)
    return {"state": state.value, "why": why}


def _judge(ranking: Ranking) -> tuple[Sufficiency, str]:
    if not ranking.nodes:
        return Sufficiency.GATHERING, "no word of the task names anything in the graph"
    if ranking.tied > TOO_MANY_EQUAL * len(ranking.nodes):
        return (
            Sufficiency.SATURATED,
            f"{ranking.tied} nodes answer the words equally well; narrow task or scope",
        )
    if ranking.unmatched:
        said = ", ".join(ranking.unmatched[:5])
        matched = len(ranking.words) - len(ranking.unmatched)
        return Sufficiency.GATHERING, f"{matched} of {len(ranking.words)} words name something; not: {said}"
    return Sufficiency.SUFFICIENT, f"every telling word ({len(ranking.words)}) names something in the graph"
