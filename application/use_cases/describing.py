"""Names an item from what a person says, and describes items for answers. Reads files through the graph port only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.domain.index import lookup
from m1nd.domain.index.addresses import address_of, external_id, full_path
from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.index.packed import SPAN
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.application.ports import Progress
    from m1nd.domain.symbols import SymbolTable

SIGNATURE = 200
"""Longer signatures are cut."""
WITHOUT_IDENTITY = frozenset("uxlopi")
"""Kinds that bear no `symbol_id`: they have no name of their own."""


@frozen
class Described:
    """One item as answers show it. Lines count from 1; `line` is where the item's own text begins."""

    name: str
    kind: str
    path: str
    line: int
    end_line: int
    module: str
    full_path: str
    symbol_id: str
    external_id: str
    signature: str
    is_test: bool


@frozen
class Teller:
    """Describes nodes of one graph; reads each file once."""

    brain: Brain
    graph: IndexGraph
    table: SymbolTable
    _texts: dict[str, bytes] = field(factory=dict, init=False)

    def text(self, path: str) -> bytes:
        if path not in self._texts:
            self._texts[path] = self.brain.graph.text(path) or b""
        return self._texts[path]

    def line(self, path: str, offset: int) -> int:
        """Line of a byte, from 1. Counted anew each time: a table of lines pays only for hundreds of questions a file."""
        return self.text(path).count(b"\n", 0, offset) + 1

    def describe(self, node: int) -> Described:
        graph = self.graph
        path = graph.path_of(node)
        if node >= graph.item_count:
            name = graph.module_names[node - graph.item_count]
            return Described(
                name.rpartition("::")[2], "module", path, 1, 1, name, name, "", f"file::{path}", "", False
            )
        _, start, end = graph.span_of(node)
        identity = "" if graph.kinds[node] in WITHOUT_IDENTITY else self.table.id_at(address_of(graph, node))
        return Described(
            name=graph.names[node] or graph.kind_of(node),
            kind=graph.kind_of(node),
            path=path,
            line=self.line(path, start),
            end_line=self.line(path, max(start, end - 1)),
            module=graph.module_names[graph.module[node]],
            full_path=full_path(graph, node),
            symbol_id=identity,
            external_id=external_id(graph, node),
            signature=self.signature(node, path),
            is_test=bool(graph.flags[node] & TEST),
        )

    def signature(self, item: int, path: str) -> str:
        """An item's text up to its body, on one line."""
        at = item * SPAN
        start, end, body = self.graph.spans[at + 1], self.graph.spans[at + 2], self.graph.spans[at + 5]
        text = self.text(path)[start : body or end].decode("utf-8", "replace")
        flat = " ".join(text.split()).rstrip("{ ;")
        return flat if len(flat) <= SIGNATURE else flat[: SIGNATURE - 1] + "…"


def open_graph(brain: Brain, progress: Progress | None) -> tuple[Teller, int]:
    report = bring_up_to_date(brain, progress)
    return Teller(brain, brain.graph.index(), brain.identities.table()), report.generation


def resolve(teller: Teller, symbol: str) -> int:
    """The one item that `symbol` names: a name, `crate::a::name`, `sym_…`, `path:line` (D46).

    Raises Refused(symbol_not_found | ambiguous_symbol).
    """
    graph = teller.graph
    place = lookup.PLACE.match(symbol)
    if place is not None and "::" not in symbol:
        path = normalise(place["path"])
        item = lookup.at_line(graph, path, int(place["line"]), teller.text(path))
        if item is None:
            refuse("symbol_not_found", f"no item stands at {symbol}", f"m1nd search {path}", symbol=symbol)
        return item
    if lookup.SYMBOL_ID.match(symbol):
        found = lookup.by_symbol_id(graph, teller.table, symbol)
    else:
        found = lookup.by_name(graph, symbol)
    if not found:
        near = lookup.nearest(graph, symbol)
        hint = f"m1nd context {near[0]}" if near else f"m1nd search {symbol}"
        refuse("symbol_not_found", f"the graph has no item {symbol}", hint, symbol=symbol, nearest=near)
    if len(found) == 1:
        return found[0]
    defined = [item for item in found if item < graph.item_count]
    if len({full_path(graph, item) for item in found}) == 1 and len(defined) == 1:
        return defined[0]  # a module and the `mod` item that declares it
    places = [f"{d.path}:{d.line}" for d in map(teller.describe, found[:10])]
    refuse(
        "ambiguous_symbol",
        f"{len(found)} items are called {symbol}: {', '.join(places[:5])}",
        f"m1nd context {places[0]}",
        symbol=symbol,
        candidates=[
            {"place": p, "full_path": full_path(graph, i)} for p, i in zip(places, found, strict=False)
        ],
    )
