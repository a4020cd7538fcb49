"""`surgical_context`: all that one needs to change an item, within a budget, and what the budget left out.

Answers from the index tier and says so. What it shows whole it arms for the proof gate (D43).
"""

from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.describing import Described, Teller, open_graph, resolve
from m1nd.application.use_cases.proof import arm
from m1nd.application.use_cases.queries import TIER, Related, related, verdict_of
from m1nd.application.use_cases.telling import Told, tell
from m1nd.domain.digests import sha256
from m1nd.domain.index import reach
from m1nd.domain.index.codes import Open
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.refusal import refuse

BYTES_PER_TOKEN = 4
DEFAULT_BUDGET = 4000
RECEIPTS = 8
"""So many receipts of a block are shown, the newest."""


@frozen
class SourceText:
    """Numbered source: `lines[i]` is line `start_line + i`. `truncated`: the budget cut it."""

    start_line: int
    end_line: int
    lines: tuple[str, ...]
    truncated: bool


@frozen
class Dropped:
    """What the budget left out of a part: `source` (lines), `claims`, `uses`, `used_by`, `tests`."""

    part: str
    count: int


@frozen
class BlockEvidence:
    """A live block that the item's file belongs to; `receipts` newest first: `(id, type, stage, reason)`."""

    block_id: str
    name: str
    role: str
    boundary_version: int
    receipts: tuple[tuple[str, str, str, str], ...]


@frozen
class Context:
    symbol: Described
    source: SourceText
    uses: tuple[Related, ...]
    used_by: tuple[Related, ...]
    tests: tuple[Related, ...]
    claims: tuple[Told, ...]
    """Live claims that rest on the item or on its file, newest first, with what their evidence says now."""
    tags: tuple[str, ...]
    blocks: tuple[BlockEvidence, ...]
    """The owning block first, then those that share the file."""
    open_references: tuple[tuple[str, str], ...]
    """`(reference, reason)` of what the index tier could not place in this item."""
    dropped: tuple[Dropped, ...]
    budget: int
    tokens: int
    verdict: str
    graph_rev: int
    tier: str = TIER


def surgical_context(
    brain: Brain, symbol: str, budget: int = DEFAULT_BUDGET, progress: Progress | None = None
) -> Context:
    """An item's source, what is remembered of it, what it uses, who uses it, which tests reach it, in about `budget` tokens.

    A module's source is its file. A file that is shown from its first line to its last is armed for the proof gate (D43).
    Raises Refused(symbol_not_found | ambiguous_symbol | usage).
    """
    if budget < 100:
        refuse("usage", "a budget below 100 tokens holds nothing", "m1nd context SYMBOL --budget 4000")
    teller, generation = open_graph(brain, progress)
    graph = teller.graph
    node = resolve(teller, symbol)
    described = teller.describe(node)
    left = budget * BYTES_PER_TOKEN
    source, dropped_lines = _source(teller, node, left * 2 // 3)
    path = graph.path_of(node)
    if not source.truncated and _is_whole(teller, node):
        arm(brain, [(path, sha256(teller.text(path)))])
    left -= sum(len(line) + 8 for line in source.lines)
    blocks = _blocks(brain, path)
    left -= sum(len(block.name) + 80 + 60 * len(block.receipts) for block in blocks)
    now = brain.clock.now()
    claims = [tell(teller, row, now) for row in brain.views.claims_on([described.symbol_id], path)]
    parts: dict[str, list[Any]] = {
        "claims": claims,
        "used_by": [related(teller, link) for link in reach.used_by(graph, node)],
        "uses": [related(teller, link) for link in reach.uses(graph, node)],
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
        claims=kept["claims"],
        tags=tuple(row.tag for row in brain.views.tags_on(described.symbol_id)),
        blocks=blocks,
        open_references=_open_references(graph, node),
        dropped=dropped,
        budget=budget,
        tokens=budget - left // BYTES_PER_TOKEN,
        verdict=verdict_of(kept["used_by"]),
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


def _blocks(brain: Brain, path: str) -> tuple[BlockEvidence, ...]:
    known = brain.views.blocks_map()
    found = [
        (member.role != "primary", row, member.role)
        for row in (known.blocks if known is not None else ())
        for member in row.members
        if row.is_live and member.path == path
    ]
    return tuple(
        BlockEvidence(
            row.block_id,
            row.draft.name,
            role,
            row.boundary_version,
            tuple(
                (r.receipt_id, r.type, r.stage, r.reason)
                for r in brain.views.receipts(row.block_id, RECEIPTS)
            ),
        )
        for _, row, role in sorted(found, key=lambda one: (one[0], one[1].block_id))
    )


def _is_whole(teller: Teller, node: int) -> bool:
    """Whether an item's extent is its file, but for white space at the end."""
    graph = teller.graph
    if node >= graph.item_count:
        return True
    begin, _, end = graph.span_of(node)
    return begin == 0 and not teller.text(graph.path_of(node))[end:].strip()


def _cost(row: Related | Told) -> int:
    """About how many bytes a row of the answer is."""
    if isinstance(row, Told):
        names = sum(len(standing.label or standing.path) + 24 for standing in row.evidence)
        return len(row.row.claim) + len(row.row.label) + names + 80
    related = row
    return len(related.item.full_path) + len(related.item.path) + len(related.item.signature) + 24


def _fit(
    parts: dict[str, list[Any]], room: int
) -> tuple[dict[str, tuple[Any, ...]], tuple[Dropped, ...], int]:
    """Take turns between the parts, the first row of each first, until the room is used up."""
    kept: dict[str, list[Any]] = {name: [] for name in parts}
    queues = {name: list(rows) for name, rows in parts.items()}
    full: set[str] = set()
    while len(full) < len(queues):
        for name, rows in queues.items():
            if name in full:
                continue
            if not rows or room < _cost(rows[0]):
                full.add(name)
                continue
            row = rows.pop(0)
            room -= _cost(row)
            kept[name].append(row)
    dropped = tuple(Dropped(name, len(rows)) for name, rows in queues.items() if rows)
    return {name: tuple(rows) for name, rows in kept.items()}, dropped, max(room, 0)


def _open_references(graph: IndexGraph, node: int) -> tuple[tuple[str, str], ...]:
    known = graph.open.whole()
    return tuple(
        sorted(
            (known.texts[at], Open(known.reasons[at]).name.lower())
            for at, item in enumerate(known.nodes)
            if item == node
        )
    )
