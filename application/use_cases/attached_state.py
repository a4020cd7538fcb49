"""What is remembered of the items that a move carries, and would not follow: `state_left_behind` of the receipt (D30).

Claims, tags and patterns are keyed by `symbol_id`, so they follow whatever a move gives a step to. This looks for what
stands in the moved text and has none.
"""

from collections.abc import Collection, Iterator
from typing import Any

from m1nd.application.brain import Brain
from m1nd.application.use_cases.describing import WITHOUT_IDENTITY
from m1nd.domain.index.addresses import address_of, full_path
from m1nd.domain.move.plan import MovePlan
from m1nd.domain.symbol_move import SymbolMove


def left_behind(brain: Brain, plan: MovePlan, moves: Collection[SymbolMove]) -> list[dict[str, Any]]:
    """One object per item and kind of state: `{symbol, old_node_id, new_node_id, kind, detail[]}`; mostly none.

    Kinds: `light_evidence`, `xray_tags`, `antibody_pattern`.
    """
    graph, table = brain.graph.index(), brain.identities.table()
    carried = {move.symbol_id for move in moves}
    found: list[dict[str, Any]] = []
    for item in _moved_items(brain, plan):
        symbol_id = table.id_at(address_of(graph, item))
        if symbol_id not in carried:
            found += [
                {
                    "symbol": full_path(graph, item),
                    "old_node_id": symbol_id,
                    "new_node_id": "",
                    "kind": kind,
                    "detail": detail,
                }
                for kind, detail in _attached(brain, symbol_id)
            ]
    return [*found, *_left_at_files(brain, plan)]


def _left_at_files(brain: Brain, plan: MovePlan) -> Iterator[dict[str, Any]]:
    """Claims on whole files that a module takes along: they are keyed by the path."""
    for old, new in sorted(plan.move.files.items()):
        claims = [row.claim_id for row in brain.views.claims_on((), old)] if old != new else []
        if claims:
            yield {
                "symbol": old,
                "old_node_id": f"file::{old}",
                "new_node_id": f"file::{new}",
                "kind": "light_evidence",
                "detail": claims,
            }


def _moved_items(brain: Brain, plan: MovePlan) -> Iterator[int]:
    """Items of the index tier that stand in the moved text and bear an identity."""
    graph = brain.graph.index()
    touched = {plan.move.source_file, *plan.move.files}
    for file, path in enumerate(graph.paths):
        if path not in touched:
            continue
        for item in range(graph.first[file], graph.first[file + 1]):
            if graph.kinds[item] not in WITHOUT_IDENTITY and plan.move.moves(path, graph.span_of(item)[1]):
                yield item


def _attached(brain: Brain, symbol_id: str) -> Iterator[tuple[str, list[str]]]:
    """The kinds of state that an item bears, with what names each."""
    claims = [row.claim_id for row in brain.views.claims_on([symbol_id])]
    tags = [row.tag for row in brain.views.tags_on(symbol_id)]
    patterns = [
        row.antibody_id
        for row in brain.views.antibodies()
        if any(node.symbol_id == symbol_id for node in row.pattern.nodes)
    ]
    for kind, detail in (("light_evidence", claims), ("xray_tags", tags), ("antibody_pattern", patterns)):
        if detail:
            yield kind, detail
