"""The tags of the graph's items, by where the items stand now."""

from collections import defaultdict

from m1nd.application.use_cases.describing import Teller
from m1nd.domain.index import lookup
from m1nd.domain.symbols import Address


class Tags:
    """Tags by node; looked up once. `orphans` are symbol ids whose item is gone."""

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._by_node: dict[int, frozenset[str]] | None = None
        self.orphans: dict[str, frozenset[str]] = {}

    def of(self, node: int) -> frozenset[str]:
        return self.all().get(node, frozenset())

    def all(self) -> dict[int, frozenset[str]]:
        if self._by_node is None:
            teller = self._teller
            by_symbol: dict[str, set[str]] = defaultdict(set)
            places: dict[str, Address] = {}
            for row in teller.brain.views.tags():
                by_symbol[row.symbol_id].add(row.tag)
                places.setdefault(row.symbol_id, row.place)
            self._by_node = {}
            for symbol_id, tags in by_symbol.items():
                node = lookup.standing(teller.graph, teller.table, symbol_id, places[symbol_id])
                if node is None:
                    self.orphans[symbol_id] = frozenset(tags)
                else:
                    self._by_node[node] = frozenset(tags)
        return self._by_node
