"""Everything that a graph holds, as plain values: two graphs are the same if these are."""

from m1nd.domain.index.graph import IndexGraph


def columns_of(graph: IndexGraph) -> dict[str, object]:
    out, into = graph.out.whole(), graph.into.whole()
    return {
        "paths": list(graph.paths),
        "first": list(graph.first),
        "kinds": graph.kinds,
        "names": list(graph.names),
        "parent": list(graph.parent),
        "spans": list(graph.spans),
        "module": list(graph.module),
        "flags": bytes(graph.flags),
        "module_names": list(graph.module_names),
        "module_items": list(graph.module_items),
        "module_files": list(graph.module_files),
        "out": (list(out.offsets), list(out.ends), bytes(out.kinds)),
        "into": (list(into.offsets), list(into.ends), bytes(into.kinds)),
        "open": (list(graph.open_items), bytes(graph.open_reasons), list(graph.open_texts)),
        "orphans": list(graph.orphans),
        "counts": dict(graph.counts),
    }


def edges_of(graph: IndexGraph) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]], int, int]]:
    """The edges of every node, asked for one by one."""
    return [
        (
            list(graph.out.of(node)),
            list(graph.into.of(node)),
            graph.out.count(node),
            graph.into.count(node),
        )
        for node in range(graph.node_count)
    ]
