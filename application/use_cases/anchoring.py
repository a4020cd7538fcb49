"""Anchors what is remembered on items and files of the graph, and looks at what an anchor points at now (D30)."""

from m1nd.application.use_cases.describing import WITHOUT_IDENTITY, Teller, resolve
from m1nd.domain.index import lookup
from m1nd.domain.index.addresses import address_of, full_path
from m1nd.domain.memory.anchors import Anchor, Freshness, Sight, judge, prints
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import Refused


def anchor(teller: Teller, text: str) -> Anchor:
    """The anchor of what `text` names: a file of the graph by its path, else an item (D46).

    What has no identity of its own (a module, an impl, a `use`) is anchored by its file. Raises
    Refused(symbol_not_found | ambiguous_symbol).
    """
    path = _file(teller, text)
    if path:
        return file_anchor(teller, path)
    node = resolve(teller, text)
    graph = teller.graph
    if node >= graph.item_count or graph.kinds[node] in WITHOUT_IDENTITY:
        return file_anchor(teller, graph.path_of(node))
    return symbol_anchor(teller, node)


def symbol_anchor(teller: Teller, item: int) -> Anchor:
    sight = sight_of_item(teller, item)
    assert sight.place is not None
    return Anchor(
        kind="symbol",
        symbol_id=teller.table.id_at(sight.place),
        path=sight.path,
        place=sight.place,
        label=sight.label,
        sha256=sight.sha256,
        loose=sight.loose,
    )


def file_anchor(teller: Teller, path: str) -> Anchor:
    """Of a file that may not exist: then its digest is empty."""
    return Anchor(kind="file", path=path, sha256=teller.brain.graph.hashes().get(path, ""))


def _file(teller: Teller, text: str) -> str:
    """The path of the graph's file that `text` names; empty where it names none."""
    try:
        path = normalise(text)
    except Refused:
        return ""
    return path if path in teller.brain.graph.hashes() else ""


def item_of(teller: Teller, anchored: Anchor) -> int | None:
    """The item that an anchor points at now; None for a file and for what is gone."""
    if anchored.place is None:
        return None
    return lookup.standing(teller.graph, teller.table, anchored.symbol_id, anchored.place)


def sight_of(teller: Teller, anchored: Anchor) -> Sight | None:
    """What stands there now; None where nothing does."""
    if anchored.kind == "file":
        return _sight_of_file(teller, anchored)
    item = item_of(teller, anchored)
    return None if item is None else sight_of_item(teller, item)


def sight_of_item(teller: Teller, item: int) -> Sight:
    graph = teller.graph
    path = graph.path_of(item)
    _, start, end = graph.span_of(item)
    exact, loose = prints(teller.text(path)[start:end])
    return Sight(path, address_of(graph, item), full_path(graph, item), exact, loose)


def _sight_of_file(teller: Teller, anchored: Anchor) -> Sight | None:
    """A file that is gone is looked for by its bytes; two of the same bytes are no answer."""
    hashes = teller.brain.graph.hashes()
    if anchored.path in hashes:
        return Sight(anchored.path, None, "", hashes[anchored.path])
    same = [path for path, digest in hashes.items() if anchored.sha256 and digest == anchored.sha256]
    return Sight(same[0], None, "", anchored.sha256) if len(same) == 1 else None


def freshness(teller: Teller, anchored: Anchor) -> tuple[Freshness, Sight | None]:
    sight = sight_of(teller, anchored)
    return judge(anchored, sight), sight
