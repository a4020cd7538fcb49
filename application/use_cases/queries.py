"""The reads over the graph: `search`, `surgical_context`, `impact`, `why`, `stats`. Each brings the graph up to date first.

All of them answer from the index tier and say so (`tier`, `verdict`, D38); exact ranges and completeness are the precise
tier's, behind `Graph.rust()`.
"""

from collections.abc import Sequence

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.describing import Described, Teller, open_graph, resolve
from m1nd.application.use_cases.ingest import bring_up_to_date
from m1nd.application.use_cases.proof import arm
from m1nd.domain.digests import sha256
from m1nd.domain.index import reach, statistics
from m1nd.domain.index.addresses import full_path
from m1nd.domain.index.codes import Open, Surety
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.search import search as find
from m1nd.domain.refusal import refuse

TIER = "index"
BYTES_PER_TOKEN = 4
DEFAULT_BUDGET = 4000


@frozen
class FoundItem:
    """`item` is None when a file is the answer."""

    path: str
    how: str
    score: int
    item: Described | None


@frozen
class SearchResult:
    query: str
    results: tuple[FoundItem, ...]
    graph_rev: int


@frozen
class Related:
    """An item at the other end of an edge. `surety`: `resolved`, `method`, `name_only`."""

    item: Described
    edge: str
    surety: str
    depth: int = 1
    via: str = ""
    """Full path of the item over which it is reached, beyond the first step."""


@frozen
class SourceText:
    """Numbered source: `lines[i]` is line `start_line + i`. `truncated`: the budget cut it."""

    start_line: int
    end_line: int
    lines: tuple[str, ...]
    truncated: bool


@frozen
class Dropped:
    """What the budget left out of a part: `uses`, `used_by`, `tests`, `source` (lines)."""

    part: str
    count: int


@frozen
class Context:
    symbol: Described
    source: SourceText
    uses: tuple[Related, ...]
    used_by: tuple[Related, ...]
    tests: tuple[Related, ...]
    open_references: tuple[tuple[str, str], ...]
    """`(reference, reason)` of what the index tier could not place in this item."""
    dropped: tuple[Dropped, ...]
    budget: int
    tokens: int
    verdict: str
    graph_rev: int
    tier: str = TIER


@frozen
class Impact:
    symbol: Described
    depth: int
    reached: tuple[Related, ...]
    files: tuple[str, ...]
    tests: int
    verdict: str
    graph_rev: int
    tier: str = TIER


@frozen
class WayStep:
    source: Described
    target: Described
    edge: str
    surety: str
    reverse: bool


@frozen
class Way:
    source: Described
    target: Described
    steps: tuple[WayStep, ...]
    verdict: str
    graph_rev: int
    tier: str = TIER


@frozen
class Statistics:
    files: int
    modules: int
    items: int
    edges: int
    unresolved: int
    tests: int
    items_by_kind: dict[str, int]
    edges_by_kind: dict[str, dict[str, int]]
    open_by_reason: dict[str, int]
    orphans: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    graph_rev: int
    tier: str = TIER


def search(brain: Brain, query: str, limit: int = 20, progress: Progress | None = None) -> SearchResult:
    """Items and files that a text names. Raises Refused(usage) for an empty query."""
    if not query.strip():
        refuse("usage", "an empty query finds nothing", "m1nd search NAME")
    teller, generation = open_graph(brain, progress)
    answers = find(teller.graph, sorted(brain.graph.hashes()), query, limit)
    return SearchResult(
        query,
        tuple(
            FoundItem(f.path, f.how, f.score, teller.describe(f.item) if f.item is not None else None)
            for f in answers
        ),
        generation,
    )


def surgical_context(
    brain: Brain, symbol: str, budget: int = DEFAULT_BUDGET, progress: Progress | None = None
) -> Context:
    """An item's source, what it uses, who uses it, which tests reach it, within about `budget` tokens.

    A module's source is its file; shown to the last line, it arms the proof gate for that file (D43). Raises Refused(symbol_not_found | ambiguous_symbol | usage).
    """
    if budget < 100:
        refuse("usage", "a budget below 100 tokens holds nothing", "m1nd context SYMBOL --budget 4000")
    teller, generation = open_graph(brain, progress)
    graph = teller.graph
    node = resolve(teller, symbol)
    described = teller.describe(node)
    left = budget * BYTES_PER_TOKEN
    source, dropped_lines = _source(teller, node, left * 2 // 3)
    if node >= graph.item_count and not source.truncated:
        path = graph.path_of(node)
        arm(brain, [(path, sha256(teller.text(path)))])
    left -= sum(len(line) + 8 for line in source.lines)
    parts = {
        "used_by": [_related(teller, link) for link in reach.used_by(graph, node)],
        "uses": [_related(teller, link) for link in reach.uses(graph, node)],
        "tests": [
            Related(teller.describe(r.node), r.kind.name.lower(), r.surety.name.lower(), r.depth)
            for r in reach.tests_of(graph, node)
        ],
    }
    kept, dropped, left = _fit(parts, left)
    if dropped_lines:
        dropped = (Dropped("source", dropped_lines), *dropped)
    return Context(
        symbol=described,
        source=source,
        uses=kept["uses"],
        used_by=kept["used_by"],
        tests=kept["tests"],
        open_references=_open_references(graph, node),
        dropped=dropped,
        budget=budget,
        tokens=budget - left // BYTES_PER_TOKEN,
        verdict=_verdict(kept["used_by"]),
        graph_rev=generation,
    )


def _source(teller: Teller, node: int, room: int) -> tuple[SourceText, int]:
    """The numbered lines of an item, trivia included, as far as they fit; and how many did not."""
    graph = teller.graph
    path = graph.path_of(node)
    text = teller.text(path)
    if node >= graph.item_count:
        begin, end = 0, len(text)
    else:
        begin, _, end = graph.span_of(node)
    first = teller.line(path, begin)
    start = text.rfind(b"\n", 0, begin) + 1
    lines = text[start:end].decode("utf-8", "replace").splitlines()
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 8
        if room < 0 and kept:
            break
        kept.append(line)
    return (
        SourceText(first, first + len(lines) - 1, tuple(kept), len(kept) < len(lines)),
        len(lines) - len(kept),
    )


def _related(teller: Teller, link: reach.Link) -> Related:
    return Related(teller.describe(link.node), link.kind.name.lower(), link.surety.name.lower())


def _cost(related: Related) -> int:
    return len(related.item.full_path) + len(related.item.path) + len(related.item.signature) + 24


def _fit(
    parts: dict[str, list[Related]], room: int
) -> tuple[dict[str, tuple[Related, ...]], tuple[Dropped, ...], int]:
    """Take turns between the parts, surest first, until the room is used up."""
    kept: dict[str, list[Related]] = {name: [] for name in parts}
    queues = {name: list(rows) for name, rows in parts.items()}
    full: set[str] = set()
    while len(full) < len(queues):
        for name, rows in queues.items():
            if name in full:
                continue
            if not rows or room < _cost(rows[0]):
                full.add(name)
                continue
            related = rows.pop(0)
            room -= _cost(related)
            kept[name].append(related)
    dropped = tuple(Dropped(name, len(rows)) for name, rows in queues.items() if rows)
    return {name: tuple(rows) for name, rows in kept.items()}, dropped, max(room, 0)


def _open_references(graph: IndexGraph, node: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted(
            (graph.open_texts[at], Open(graph.open_reasons[at]).name.lower())
            for at, item in enumerate(graph.open_items)
            if item == node
        )
    )


def _verdict(related: Sequence[Related]) -> str:
    """`abstain` where the answer rests on bare names alone, else `reverify`: the index tier never says `act` (D38)."""
    if related and all(r.surety == "name_only" for r in related):
        return "abstain"
    return "reverify"


def impact(
    brain: Brain, symbol: str, depth: int = 3, by_name: bool = False, progress: Progress | None = None
) -> Impact:
    """What a change of an item may reach, nearest first. `by_name` follows edges found by bare name too.

    Raises Refused(symbol_not_found | ambiguous_symbol | usage).
    """
    if depth < 1:
        refuse("usage", "the depth counts steps from 1", "m1nd impact SYMBOL --depth 3")
    teller, generation = open_graph(brain, progress)
    node = resolve(teller, symbol)
    surest = Surety.NAME_ONLY if by_name else Surety.METHOD
    found = reach.impact(teller.graph, node, depth, surest)
    rows = tuple(
        Related(
            teller.describe(r.node),
            r.kind.name.lower(),
            r.surety.name.lower(),
            r.depth,
            "" if r.via == node else full_path(teller.graph, r.via),
        )
        for r in found
    )
    return Impact(
        symbol=teller.describe(node),
        depth=depth,
        reached=rows,
        files=tuple(sorted({row.item.path for row in rows})),
        tests=sum(row.item.is_test for row in rows),
        verdict=_verdict(rows),
        graph_rev=generation,
    )


def why(brain: Brain, source: str, target: str, progress: Progress | None = None) -> Way:
    """The shortest way from one item to another; no steps when nothing connects them.

    Raises Refused(symbol_not_found | ambiguous_symbol).
    """
    teller, generation = open_graph(brain, progress)
    start, end = resolve(teller, source), resolve(teller, target)
    steps = reach.why(teller.graph, start, end) if start != end else ()
    rows = tuple(
        WayStep(
            teller.describe(step.source),
            teller.describe(step.target),
            step.kind.name.lower(),
            step.surety.name.lower(),
            step.reverse,
        )
        for step in steps
    )
    unsure = any(row.surety == "name_only" for row in rows)
    return Way(
        teller.describe(start), teller.describe(end), rows, "abstain" if unsure else "reverify", generation
    )


def stats(brain: Brain, progress: Progress | None = None) -> Statistics:
    """Counts of the graph, by kind and by how sure they are."""
    report = bring_up_to_date(brain, progress)
    graph = brain.graph.index()
    return Statistics(
        files=report.files,
        modules=report.modules,
        items=report.items,
        edges=report.edges,
        unresolved=report.unresolved,
        tests=statistics.tests(graph),
        items_by_kind=statistics.items_by_kind(graph),
        edges_by_kind=statistics.edges_by_kind(graph),
        open_by_reason=statistics.open_by_reason(graph),
        orphans=report.orphans,
        notes=report.notes,
        graph_rev=report.generation,
    )
