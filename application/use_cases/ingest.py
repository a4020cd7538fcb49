"""`ingest`: bring the graph up to date with the working tree, and record that it changed (D41).

The tree is the truth about files, the log about what was recorded: what the log has already been told (by a move, or by an
ingest whose cache was lost since) is not told again, so that the generation rises on an effective change only.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from m1nd.application.brain import Brain
from m1nd.application.graph_records import MapIsThere
from m1nd.application.ports import IngestReport, Progress
from m1nd.application.use_cases.refreshing import nothing_new
from m1nd.application.use_cases.requests import new_command
from m1nd.domain.graph import GRAPH_ID, Graph, GraphChange
from m1nd.domain.index.identity import Fates
from m1nd.domain.previews import EDIT_PREFIXES
from m1nd.domain.symbol_move import SymbolMove

PAGE = 1000
MOST_FATES = 256
"""At most so many symbols are recorded as re-matched or lost by one ingest; a switch of branches is not an edit."""
COUNTS = ("files", "modules", "items", "edges", "unresolved")


@frozen
class Ingested:
    """What an ingest found and recorded. `first`: the log knew of no ingest before."""

    report: IngestReport
    generation: int
    first: bool
    rematched: int = 0
    lost: int = 0


def ingest(brain: Brain, progress: Progress | None = None) -> Ingested:
    """Refresh and record. Raises Refused(read_only) on a read-only attach, and of the groups log and store."""
    brain.deny_if_read_only("ingest")
    report = brain.graph.refresh(progress)
    unchanged = nothing_new(brain, report)
    return (
        Ingested(unchanged, unchanged.generation, False) if unchanged is not None else record(brain, report)
    )


def record(brain: Brain, report: IngestReport) -> Ingested:
    """Tell the log what a refresh found."""
    changes = brain.graph.file_changes()
    generation = brain.log.generation()
    first = generation == 0
    told = _known_to_log(brain, brain.graph.acknowledged())
    news = _news(brain, changes, told)
    counts = {name: getattr(report, name) for name in COUNTS}
    change = GraphChange.of("ingest", news, counts)
    position = told.position
    rematched = lost = 0
    if not change.is_empty or first:
        generation = _record_change(brain, change)
    if not change.is_empty or first or told.edited:
        rematched, lost = _record_fates(brain, brain.graph.fates())
        position = _known_to_log(brain, position).position
    brain.graph.acknowledge(position, generation)
    return Ingested(evolve(report, generation=generation), generation, first, rematched, lost)


def _record_change(brain: Brain, change: GraphChange) -> int:
    """The generation after this change. All aggregates are loaded only where there are blocks that it may touch."""
    command = new_command(brain, "ingest", {})
    try:
        return brain.graph_log.record_graph_change(change, command, brain.graph.hashes())
    except MapIsThere:
        return brain.app.record_graph_change(change, command, brain.graph.hashes())


@frozen
class _Told:
    """What the log has been told of files after a position."""

    hashes: dict[str, str]
    """By path; empty where a file was removed."""
    position: int
    """The newest of the graph's stream."""
    complete: bool
    """No event named only a part of its files."""
    edited: bool
    """An edit, or its undo, was among it: unlike a move it does not say what became of items."""


def _known_to_log(brain: Brain, after: int) -> _Told:
    known: dict[str, str] = {}
    position = after
    complete, edited = True, False
    while rows := brain.graph_log.log.stream_rows(GRAPH_ID, position, PAGE):
        for row in rows:
            position = row.position
            event = brain.graph_log.event_of(row)
            if not isinstance(event, Graph.GraphChanged):
                continue
            complete = complete and not event.files.omitted
            edited = edited or event.cause.startswith(EDIT_PREFIXES)
            for file in (*event.files.added, *event.files.changed):
                known[file.path] = file.sha256
            for file in event.files.removed:
                known[file.path] = ""
        if len(rows) < PAGE:
            break
    return _Told(known, position, complete, edited)


def _news(
    brain: Brain, changes: Mapping[str, Sequence[Mapping[str, Any]]], log: _Told
) -> dict[str, list[Mapping[str, Any]]]:
    """Those changes that the log has not been told."""
    news: dict[str, list[Mapping[str, Any]]] = {"added": [], "removed": [], "changed": []}
    new_cache = brain.graph.acknowledged() == 0
    for kind, files in changes.items():
        for file in files:
            path, now = str(file["path"]), str(file.get("sha256", ""))
            told = log.hashes.get(path)
            if told == now:
                continue
            if told is None:
                # A new cache calls every file added; one that a shortened event may have named counts as told.
                if not (new_cache and not log.complete):
                    news[kind].append(file)
            elif told and now:
                news["changed"].append({"path": path, "sha256": now, "before": told})
            elif now:
                news["added"].append({"path": path, "sha256": now})
            else:
                news["removed"].append({"path": path, "before": told})
    if new_cache:
        here = brain.graph.hashes()
        news["removed"] += [
            {"path": path, "before": told} for path, told in log.hashes.items() if told and path not in here
        ]
    return news


def _record_fates(brain: Brain, fates: Fates) -> tuple[int, int]:
    """Record what became of items; a place that a recorded move already explains is left out."""
    if fates.is_empty:
        return 0, 0
    table = brain.identities.table()
    moves = [
        (SymbolMove(symbol_id=table.id_at(source), source=source, target=target), evidence)
        for source, target, evidence in fates.rematched
        if target not in table.arrived
    ][:MOST_FATES]
    losses = [(table.id_at(source), source, reason) for source, reason in fates.lost][:MOST_FATES]
    for move, evidence in moves:
        brain.graph_log.record_rematched(
            move, evidence, new_command(brain, "symbol_rematched", {"symbol_id": move.symbol_id})
        )
    for symbol_id, source, reason in losses:
        brain.graph_log.record_lost(
            symbol_id, source, reason, new_command(brain, "symbol_lost", {"symbol_id": symbol_id})
        )
    return len(moves), len(losses)
