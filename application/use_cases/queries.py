"""The reads over the graph: `search`, `impact`, `why`, `stats`. Each brings the graph up to date first.

All of them answer from the index tier and say so (`tier`, `verdict`, D38); exact ranges and completeness are the precise
tier's, behind `Graph.rust()`.
"""

from collections.abc import Sequence

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.describing import Described, Teller, open_graph, resolve
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.domain.index import reach, statistics
from m1nd.domain.index.addresses import full_path
from m1nd.domain.index.codes import Surety
from m1nd.domain.index.search import search as find
from m1nd.domain.refusal import refuse

TIER = "index"


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


def related(teller: Teller, link: reach.Link) -> Related:
    return Related(teller.describe(link.node), link.kind.name.lower(), link.surety.name.lower())


def verdict_of(rows: Sequence[Related]) -> str:
    """`abstain` where the answer rests on bare names alone, else `reverify`: the index tier never says `act` (D38)."""
    if rows and all(r.surety == "name_only" for r in rows):
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
        verdict=verdict_of(rows),
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
