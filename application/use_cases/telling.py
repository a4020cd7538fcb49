"""Claims as they are told: chosen for a question, with what their anchors say now."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen

from m1nd.application.memory_views import ClaimRow
from m1nd.application.use_cases.anchoring import freshness
from m1nd.application.use_cases.describing import Teller
from m1nd.domain.memory.anchors import Anchor, Freshness, worst
from m1nd.domain.memory.recall import AGED, Remembered, names_of, recalled


@frozen
class Standing:
    """One anchor of a claim as it stands now; `path` and `label` are today's, the old ones where it is gone."""

    anchor: Anchor
    freshness: Freshness
    path: str
    label: str


@frozen
class Told:
    """A claim with what its anchors say now. `freshness` is that of the worst one, empty where it has none."""

    row: ClaimRow
    evidence: tuple[Standing, ...]
    freshness: str
    age: timedelta
    score: float = 0.0

    @property
    def stale(self) -> bool:
        """Older than thirty days."""
        return self.age > AGED


def chosen(query: str, rows: Sequence[ClaimRow]) -> list[tuple[ClaimRow, float]]:
    """The claims that answer a question with their scores, best first; all of them for an empty one."""
    if not query.strip():
        return [(row, 0.0) for row in rows]
    remembered = [
        Remembered(row.claim, row.label, names_of((a.label, a.path) for a in row.evidence)) for row in rows
    ]
    return [(rows[index], score) for index, score in recalled(query, remembered)]


def tell(teller: Teller, row: ClaimRow, now: datetime, score: float = 0.0) -> Told:
    """A claim with its anchors as they stand on this graph."""
    standings = []
    for anchored in row.evidence:
        state, sight = freshness(teller, anchored)
        if sight is None:
            standings.append(Standing(anchored, state, anchored.path, anchored.label))
        else:
            standings.append(Standing(anchored, state, sight.path, sight.label))
    lowest = worst(tuple(s.freshness for s in standings))
    return Told(row, tuple(standings), lowest.value if lowest else "", now - row.created_at, score)
