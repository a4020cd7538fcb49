"""The closed table of everything the log may hold: every event's wire name and class (D39).

A name once recorded stays readable: a retired one becomes an alias here, never disappears. `tests/golden/topics.txt`
holds the list that every later version must still know.
"""

from types import MappingProxyType

from m1nd.domain.base import Aggregate, Event
from m1nd.domain.blocks.lease import Lease
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.skeleton import Skeleton
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.card.showing import Cards
from m1nd.domain.edit import Edit
from m1nd.domain.graph import Graph
from m1nd.domain.memory.antibodies import Antibody
from m1nd.domain.memory.claims import Claim
from m1nd.domain.memory.paint import Paint
from m1nd.domain.missions.candidate import Candidate
from m1nd.domain.missions.delegation import Delegation
from m1nd.domain.missions.mission import Mission
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.refusals import Refusals
from m1nd.domain.settings import Settings
from m1nd.domain.stamps.stamp import Stamp
from m1nd.domain.tokens import Token
from m1nd.domain.transplant import Transplant

AGGREGATES: tuple[type[Aggregate], ...] = (
    Antibody,
    Cards,
    Candidate,
    Claim,
    Delegation,
    Edit,
    Graph,
    Lease,
    MapHead,
    Paint,
    Mission,
    Receipt,
    Refusals,
    Settings,
    Skeleton,
    Stamp,
    SystemBlock,
    Token,
    Transplant,
)

RETIRED: dict[str, type[Event]] = {}
"""Wire names that are written no more, with the class that reads them."""


def _table() -> dict[str, type[Event]]:
    table = dict(RETIRED)
    for aggregate in AGGREGATES:
        for kind in vars(aggregate).values():
            if isinstance(kind, type) and issubclass(kind, Event) and kind.__name__ != "Event":
                if kind.TOPIC in table:
                    raise ValueError(f"two events bear the name {kind.TOPIC}")
                table[kind.TOPIC] = kind
    return dict(sorted(table.items()))


EVENT_KINDS = MappingProxyType(_table())
"""Event class by wire name, sorted by name."""

AGGREGATE_NAMES = frozenset(str(aggregate.TOPIC) for aggregate in AGGREGATES)  # type: ignore[attr-defined]

UNCLAIMED_KINDS = frozenset(
    kind for kind in EVENT_KINDS.values() if vars(Refusals).get(kind.__name__) is kind
)
"""Events that do not use up their command id: the command was refused and may come again."""
