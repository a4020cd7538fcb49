"""Finds items by name, by parts of a name, or by path. Scores are plain and stable; ties go by path and place."""

import re
from collections.abc import Iterator
from itertools import islice

from attrs import frozen

from m1nd.domain.index.addresses import full_path
from m1nd.domain.index.graph import IndexGraph

EXACT, SAME_LETTERS, PREFIX, WORD, PART, SPREAD, FILE = 100, 90, 70, 60, 50, 30, 20


@frozen
class Found:
    """One answer; `item` is a node, or None when a file is the answer. `how` says what matched."""

    score: int
    how: str
    path: str
    item: int | None


def search(graph: IndexGraph, files: list[str], query: str, limit: int = 20) -> list[Found]:
    """Best answers first: exact names, then names that begin with, hold, or spell the query, then files by path.

    A query with `/` or ending in `.rs` looks at files first; one with `::` at full paths.
    """
    query = query.strip()
    if not query:
        return []
    found: dict[tuple[str, int | None], Found] = {}
    for answer in _all(graph, files, query):
        key = (answer.path, answer.item)
        if key not in found or found[key].score < answer.score:
            found[key] = answer
    order = sorted(
        found.values(),
        key=lambda f: (
            -f.score,
            _weight(graph, f.item),
            len(f.path),
            f.path,
            f.item if f.item is not None else -1,
        ),
    )
    return list(islice(order, limit))


def _all(graph: IndexGraph, files: list[str], query: str) -> Iterator[Found]:
    if "/" in query or query.endswith(".rs"):
        yield from _by_path(files, query, EXACT)
    if "::" in query:
        yield from _by_full_path(graph, query)
        return
    yield from _by_name(graph, query)
    if len(query) > 2:
        yield from _by_path(files, query, FILE)


def _by_name(graph: IndexGraph, query: str) -> Iterator[Found]:
    folded = query.lower()
    spread = re.compile(".*?".join(map(re.escape, folded))) if len(query) > 2 else None
    for name in _distinct(graph):
        low = name.lower()
        if name == query:
            score, how = EXACT, "name"
        elif low == folded:
            score, how = SAME_LETTERS, "name, other case"
        elif low.startswith(folded):
            score, how = PREFIX, "beginning"
        elif folded in low:
            at = low.find(folded)
            inner = name[at - 1] == "_" or (name[at].isupper() and not name[at - 1].isupper())
            score, how = (WORD, "word") if inner else (PART, "part")
        elif spread is not None and len(folded) * 3 >= len(low) and spread.search(low):
            score, how = SPREAD, "letters"
        else:
            continue
        for item in graph.items_named(name):
            if graph.kinds[item] not in "umli":
                yield Found(score, how, graph.path_of(item), item)
    base = graph.item_count
    for number, module in enumerate(graph.module_names):
        last = module.rpartition("::")[2]
        if last == query:
            yield Found(EXACT, "module", graph.path_of(base + number), base + number)


def _distinct(graph: IndexGraph) -> list[str]:
    return list(dict.fromkeys(name for name in graph.names if name))


def _by_full_path(graph: IndexGraph, query: str) -> Iterator[Found]:
    name = query.rpartition("::")[2]
    wanted = query.removeprefix("crate::")
    for item in graph.items_named(name):
        if graph.kinds[item] in "umli":
            continue
        path = full_path(graph, item)
        if path.endswith("::" + wanted) or path == wanted:
            yield Found(EXACT, "path", graph.path_of(item), item)
    base = graph.item_count
    for number, module in enumerate(graph.module_names):
        if module == query or module.endswith("::" + wanted):
            yield Found(EXACT, "module", graph.path_of(base + number), base + number)


def _by_path(files: list[str], query: str, score: int) -> Iterator[Found]:
    folded = query.lower()
    for path in files:
        low = path.lower()
        if low == folded or low.endswith("/" + folded):
            yield Found(score, "file", path, None)
        elif folded in low:
            yield Found(score // 2, "part of a path", path, None)


def _weight(graph: IndexGraph, item: int | None) -> int:
    """Definitions that many use come first among equals; tests and files last."""
    if item is None:
        return 1
    return -graph.into.count(item)
