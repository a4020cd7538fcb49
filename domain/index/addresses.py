"""How items are named to people and to the log: full path, address, external id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from m1nd.domain.symbols import Address

if TYPE_CHECKING:
    from m1nd.domain.index.graph import IndexGraph


def full_path(graph: IndexGraph, node: int) -> str:
    """`crate::module::Type::name`; `crate::module::impl Type` for an impl; a module's own path for a module node."""
    if node >= graph.item_count:
        return graph.module_names[node - graph.item_count]
    name = graph.name_of(node)
    if graph.kinds[node] == "i" and name != "impl":
        name = f"impl {name}"
    return "::".join((around(graph, node), name))


def around(graph: IndexGraph, item: int) -> str:
    """The path of what an item stands in: its module, and the items around it by name (an impl by its type)."""
    labels = [graph.name_of(above) for above in reversed(graph.holders(item)) if graph.kinds[above] != "l"]
    return "::".join((graph.module_names[graph.module[item]], *labels))


def address_of(graph: IndexGraph, item: int) -> Address:
    """The address by which an item's `symbol_id` is made (D30)."""
    return Address(
        kind=graph.kind_of(item),
        module=around(graph, item),
        name=graph.names[item],
        ordinal=ordinal_of(graph, item),
    )


def ordinal_of(graph: IndexGraph, item: int) -> int:
    """How many items of the same kind, name and place come before an item (cfg twins)."""
    kind, place = graph.kinds[item], around(graph, item)
    return sum(
        1
        for other in graph.items_named(graph.names[item])
        if other < item and graph.kinds[other] == kind and around(graph, other) == place
    )


def external_id(graph: IndexGraph, item: int) -> str:
    """Path-shaped address for reading: `file::src/a.rs::impl::Shape::fn::area` (GRAPH.md, Identity)."""
    parts = ["file", graph.path_of(item)]
    chain: list[int] = [item]
    above = graph.parent[item]
    while above >= 0:
        chain.append(above)
        above = graph.parent[above]
    for node in reversed(chain):
        parts += [graph.kind_of(node), graph.names[node]] if graph.names[node] else [graph.kind_of(node)]
    return "::".join(parts)
