"""`xray_paint`, `xray_retag` and their reads: which code is proven, overgrown or eroding, as tags that follow it.

A dry run unless the caller confirms; a commit names the version that it saw, and a newer one refuses it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.memory_views import PaintRow
from m1nd.application.ports import Progress
from m1nd.application.use_cases.anchoring import freshness, item_of
from m1nd.application.use_cases.antibodies import found_by
from m1nd.application.use_cases.composing import complete
from m1nd.application.use_cases.describing import Described, Teller, open_graph, resolve
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.tagging import Tags
from m1nd.domain.blocks.block_state import BlockState
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.index.addresses import address_of
from m1nd.domain.memory.anchors import Freshness
from m1nd.domain.memory.claim_state import State
from m1nd.domain.memory.paint import (
    STATE,
    Operation,
    PaintedNode,
    PaintState,
    Survey,
    TaggedNode,
    checked_tags,
    retagged,
)
from m1nd.domain.memory.xray import PAINTABLE, paintable, reached_by_tests, state_of
from m1nd.domain.missions.gate import MissionScope, digest_of
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import refuse

WARNED_OF = ("warning", "critical")


@frozen
class PaintRequest:
    """`path` a file or folder, `symbols` names of items, `block_id` a block's files; all empty: everything.

    `expect_version` -1: whatever is there.
    """

    path: str = ""
    symbols: tuple[str, ...] = ()
    confirm: bool = False
    expect_version: int = -1
    block_id: str = ""


@frozen
class PaintedItem:
    item: Described
    tag: str
    reason: str


@frozen
class Painting:
    """`version` is that of the paint now: after a commit the new one.

    `candidate` is the `structural` receipt that a human may land; only a commit over a whole block composes one.
    """

    survey: Survey
    changes: tuple[PaintedItem, ...]
    version: int
    committed: bool
    graph_rev: int
    candidate_id: str = ""
    candidate: dict[str, Any] | None = None


@frozen
class RetagRequest:
    """Which items: all given conditions hold at once. `filter_tags`: those that have all of these tags."""

    operation: Operation
    tags: tuple[str, ...]
    symbols: tuple[str, ...] = ()
    path: str = ""
    kind: str = ""
    filter_tags: tuple[str, ...] = ()
    confirm: bool = False
    expect_version: int = -1


@frozen
class Retagging:
    changed: tuple[Described, ...]
    lost: tuple[str, ...]
    """Ids of items that are gone and whose tags were changed too."""
    version: int
    committed: bool
    graph_rev: int


@frozen
class TaggedItem:
    """`item` is None where it is gone."""

    symbol_id: str
    item: Described | None
    tags: tuple[str, ...]


def paint(brain: Brain, request: PaintRequest, progress: Progress | None = None) -> Painting:
    """Survey the items of a scope and, confirmed, paint those whose state is another one now.

    Raises Refused(usage | symbol_not_found | ambiguous_symbol | unknown_block | block_archived | paint_conflict |
    read_only).
    """
    brain.deny_if_read_only("xray_paint")
    arguments = {
        "path": request.path,
        "symbols": list(request.symbols),
        "confirm": request.confirm,
        "expect_version": request.expect_version,
        "block_id": request.block_id,
    }
    return answered(brain, "xray_paint", arguments, lambda: _paint(brain, request, arguments, progress))


def _paint(
    brain: Brain, request: PaintRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Painting:
    teller, generation = open_graph(brain, progress)
    version = brain.views.paint_version()
    tags = Tags(teller)
    block = _block(brain, request)
    items = _scope(teller, request)
    if block is not None:
        files_of_block = frozenset(member.path for member in block.baseline.members)
        items = [item for item in items if teller.graph.path_of(item) in files_of_block]
    states = _states(teller, items)
    changes = [
        (item, state, reason)
        for item, (state, reason) in states.items()
        if {tag for tag in tags.of(item) if tag.startswith(STATE)} != {state}
    ]
    survey = Survey(
        scope=request.block_id or request.path or ", ".join(request.symbols) or "everything",
        scanned=len(items),
        counts=dict(sorted(Counter(state.value for state, _ in states.values()).items())),
        changes=tuple(_painted(teller, item, state, reason) for item, state, reason in changes),
    )
    expected = version if request.expect_version < 0 else request.expect_version
    if request.confirm:
        files = {teller.graph.path_of(item) for item, _, _ in changes}
        command = new_command(brain, "xray_paint", arguments)
        version = brain.app.record_paint(survey, expected, command, files)
    elif expected != version:
        refuse(
            "paint_conflict",
            f"the paint has version {version}, not {expected}",
            expected=expected,
            version=version,
        )
    shown = tuple(PaintedItem(teller.describe(item), state.value, reason) for item, state, reason in changes)
    if block is None or not request.confirm:
        return Painting(survey, shown, version, request.confirm, generation)
    candidate = structural_candidate(block.scope, survey, version)
    command = new_command(brain, "xray_paint", {**arguments, "version": version})
    kept = brain.app.compose_candidate(
        complete(candidate, brain.clock.now()), "xray_paint", f"paint/{version}", command
    )
    return Painting(survey, shown, version, True, generation, kept.candidate_id, dict(kept.candidate))


def _block(brain: Brain, request: PaintRequest) -> BlockState | None:
    if not request.block_id:
        return None
    if request.path or request.symbols:
        refuse("usage", "a block is painted whole", f"m1nd paint run --block {request.block_id}")
    block = brain.app.block(request.block_id)
    if block is None:
        unknown = f"unknown block_id {request.block_id}: no ratified block bears it"
        refuse("unknown_block", unknown, "m1nd blocks show", block_id=request.block_id)
    block.require_live()
    return block


def structural_candidate(scope: BlockScope, survey: Survey, version: int) -> dict[str, Any]:
    """What a painting of a whole block is evidence of: the states of its items at that version (seed 001, D36)."""
    report = {"paint": version, "scanned": survey.scanned, "counts": dict(survey.counts)}
    bedrock = survey.counts.get(PaintState.BEDROCK, 0)
    return {
        "type": "structural",
        "emitter": {"kind": "verb", "id": "xray_paint"},
        "scope": MissionScope.of(scope).model_dump(),
        "evidence": {
            "artifact_hash": digest_of(report),
            "evidence_refs": [f"paint/{version}"],
            "stdout_excerpt": f"{bedrock} of {survey.scanned} items are bedrock (coverage {survey.coverage:g})",
        },
        "validity": {"expires_on": None, "stales_on": ["member_change", "repaint"]},
    }


def _painted(teller: Teller, item: int, state: PaintState, reason: str) -> PaintedNode:
    place = address_of(teller.graph, item)
    return PaintedNode(symbol_id=teller.table.id_at(place), place=place, tag=state, reason=reason)


def _scope(teller: Teller, request: PaintRequest) -> list[int]:
    graph = teller.graph
    if request.symbols:
        named = [resolve(teller, symbol) for symbol in request.symbols]
        if odd := [node for node in named if node >= graph.item_count or graph.kinds[node] not in PAINTABLE]:
            refuse(
                "usage",
                f"a {graph.kind_of(odd[0])} is not painted; paint the items in it",
                "m1nd paint run PATH",
            )
        return sorted(set(named))
    return [
        item
        for item in range(graph.item_count)
        if paintable(graph, item) and _inside(teller, item, request.path)
    ]


def _inside(teller: Teller, item: int, path: str) -> bool:
    if not path:
        return True
    prefix, here = normalise(path), teller.graph.path_of(item)
    return prefix in (".", here) or here.startswith(f"{prefix}/")


def _states(teller: Teller, items: Sequence[int]) -> dict[int, tuple[PaintState, str]]:
    graph = teller.graph
    tested = reached_by_tests(graph)
    vouched = _vouched(teller)
    warnings = [row for row in teller.brain.views.antibodies() if row.enabled and row.severity in WARNED_OF]
    eroded = found_by(teller, warnings) if warnings else {}
    return {item: state_of(graph, item, tested, vouched, eroded) for item in items}


def _vouched(teller: Teller) -> dict[int, str]:
    """Items that a verified claim rests on, as long as they say what they said then."""
    found: dict[int, str] = {}
    for row in teller.brain.views.live_claims():
        if row.state is not State.VERIFIED:
            continue
        for anchor in row.evidence:
            item = item_of(teller, anchor)
            if item is not None and freshness(teller, anchor)[0] in (Freshness.FRESH, Freshness.MOVED):
                found.setdefault(item, row.claim_id)
    return found


def retag(brain: Brain, request: RetagRequest, progress: Progress | None = None) -> Retagging:
    """Add, remove or set tags on the chosen items. Raises Refused as `paint` does."""
    brain.deny_if_read_only("xray_retag")
    arguments = {
        "operation": request.operation,
        "tags": list(request.tags),
        "symbols": list(request.symbols),
        "path": request.path,
        "kind": request.kind,
        "filter_tags": list(request.filter_tags),
        "confirm": request.confirm,
        "expect_version": request.expect_version,
    }
    return answered(brain, "xray_retag", arguments, lambda: _retag(brain, request, arguments, progress))


def _retag(
    brain: Brain, request: RetagRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Retagging:
    tags = checked_tags(request.operation, request.tags)
    if not (request.symbols or request.path or request.kind or request.filter_tags):
        refuse(
            "usage",
            "say which items",
            "m1nd paint retag add TAG --symbol SYMBOL, --path PATH, --kind KIND or --tagged TAG",
        )
    teller, generation = open_graph(brain, progress)
    version = brain.views.paint_version()
    held = Tags(teller)
    chosen = [
        n
        for n in _chosen(teller, request, held)
        if retagged(request.operation, held.of(n), tags) != held.of(n)
    ]
    nodes = [_tagged(teller, node) for node in chosen]
    lost = _lost(brain, request, held, tags)
    expected = version if request.expect_version < 0 else request.expect_version
    if expected != version:
        refuse(
            "paint_conflict",
            f"the paint has version {version}, not {expected}",
            expected=expected,
            version=version,
        )
    done = request.confirm and bool(nodes or lost)
    if done:
        selector = _selector(request)
        command = new_command(brain, "xray_retag", arguments)
        version = brain.app.record_retag(
            request.operation, tags, selector, [*nodes, *lost], expected, command
        )
    described = tuple(map(teller.describe, chosen))
    return Retagging(described, tuple(node.symbol_id for node in lost), version, done, generation)


def _chosen(teller: Teller, request: RetagRequest, held: Tags) -> list[int]:
    graph = teller.graph
    pool = (
        {resolve(teller, symbol) for symbol in request.symbols}
        if request.symbols
        else range(graph.item_count)
    )
    return [
        node
        for node in sorted(pool)
        if node < graph.item_count
        and graph.kinds[node] in PAINTABLE
        and (not request.kind or graph.kind_of(node) == request.kind)
        and _inside(teller, node, request.path)
        and held.of(node) >= set(request.filter_tags)
    ]


def _lost(brain: Brain, request: RetagRequest, held: Tags, tags: tuple[str, ...]) -> list[TaggedNode]:
    """Items that are gone are chosen by their tags alone, so that their tags can be taken away."""
    if request.symbols or request.path or request.kind or request.operation == "add":
        return []
    places = {row.symbol_id: row.place for row in brain.views.tags()}
    return [
        TaggedNode(symbol_id=symbol_id, place=places[symbol_id])
        for symbol_id, had in sorted(held.orphans.items())
        if had >= set(request.filter_tags) and retagged(request.operation, had, tags) != had
    ]


def _tagged(teller: Teller, item: int) -> TaggedNode:
    place = address_of(teller.graph, item)
    return TaggedNode(symbol_id=teller.table.id_at(place), place=place)


def _selector(request: RetagRequest) -> str:
    parts = [*request.symbols, request.path, request.kind, *(f"tagged {tag}" for tag in request.filter_tags)]
    return ", ".join(part for part in parts if part)


def ledger(brain: Brain, limit: int = 50) -> Sequence[PaintRow]:
    """Commits of paint, newest first."""
    return brain.views.paint_ledger(limit)


def tags(
    brain: Brain, symbol: str = "", tag: str = "", limit: int = 200, progress: Progress | None = None
) -> tuple[TaggedItem, ...]:
    """Items with their tags: one item, those that bear a tag, or all; what is gone comes last."""
    teller, _ = open_graph(brain, progress)
    held = Tags(teller)
    if symbol:
        node = resolve(teller, symbol)
        described = teller.describe(node)
        return (TaggedItem(described.symbol_id, described, tuple(sorted(held.of(node)))),)
    here = [
        TaggedItem(
            teller.table.id_at(address_of(teller.graph, node)), teller.describe(node), tuple(sorted(had))
        )
        for node, had in sorted(held.all().items())
        if not tag or tag in had
    ]
    gone = [
        TaggedItem(symbol_id, None, tuple(sorted(had)))
        for symbol_id, had in sorted(held.orphans.items())
        if not tag or tag in had
    ]
    return tuple((here + gone)[:limit])
