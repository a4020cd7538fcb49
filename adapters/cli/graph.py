"""The reads over the graph, and `ingest`. Thin: arguments in, `use_cases/ingest.py` and `use_cases/queries.py` out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.codes import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from m1nd.application.ports import IngestReport
    from m1nd.application.use_cases.ingest import Ingested

MOST_WARNINGS = 10
PATIENCE = "`m1nd stats` lists all of them"


def register(group: click.Group) -> None:
    for command in (ingest, search, context, impact, why, stats):
        group.add_command(command)


NAMED = "project_root="
"""How the card's literal call names the folder (CARD.md, S3)."""


def _folder(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> str | None:
    """The folder that was typed; `project_root=DIR` is one too, so that the call on a card runs as it stands."""
    return " ".join(words).removeprefix(NAMED) if words else None


@click.command("ingest")
@click.argument("path", nargs=-1, metavar="[PATH]", callback=_folder)
@verb("ingest")
def ingest(call: Call, *, path: str | None, project_root: str = "") -> Answer:
    """Build the graph, or bring it up to date; only what changed is read again.

    PATH is a folder inside the repository to ingest (default: the current one).
    """
    if project_root and call.opened is not None:
        return _ingest_own(call, project_root)
    if path or project_root:
        _choose(call, project_root or str(path))
    return _ingest_here(call)


def _ingest_own(call: Call, project_root: str) -> Answer:
    """Ingest the caller's own repository through a door that serves another one; it gets a brain of its own for this.

    Raises Refused(root_mismatch) where the caller is known to work elsewhere.
    """
    from m1nd.adapters.caller_root import check_caller_root

    own = Call(flags=call.flags, environment=call.environment, verb=call.verb, silent=True)
    _choose(own, project_root)
    if own.root() == call.root():
        return _ingest_here(call)
    check_caller_root(call.verb, own.root(), call.flags.caller_root)
    try:
        return _ingest_here(own)
    finally:
        own.close()


def _ingest_here(call: Call) -> Answer:
    """The answer of `ingest` in the repository of a call."""
    from m1nd.adapters.cli.graph_views import show_ingested
    from m1nd.application.use_cases.ingest import ingest as refresh

    done = refresh(call.brain(), call.progress("ingest"))
    return Answer(_ingested(done), lambda console: show_ingested(console, done), warnings=notes(done.report))


def _choose(call: Call, path: str) -> None:
    """Take the repository around PATH. Raises Refused(no_project | usage)."""
    import os

    from m1nd.domain.refusal import refuse
    from m1nd.infrastructure.roots import find_root

    if not os.path.isdir(path):
        refuse("no_project", f"`{path}` is no folder", "m1nd ingest DIR")
    call.flags = evolve(call.flags, root=find_root(path) or path)


def _ingested(done: Ingested) -> dict[str, Any]:
    report = done.report
    return {
        "files": report.files,
        "modules": report.modules,
        "items": report.items,
        "edges": report.edges,
        "unresolved": report.unresolved,
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "ms": report.ms,
        "orphans": list(report.orphans),
        "notes": [{"path": path, "reason": reason} for path, reason in report.notes],
        "symbols_rematched": done.rematched,
        "symbols_lost": done.lost,
    }


def notes(report: IngestReport) -> tuple[str, ...]:
    """What the reader should know: files without facts, broken manifests, a cache that cannot be kept."""
    lines = [f"{path}: {reason}" if path else reason for path, reason in report.notes]
    if len(lines) > MOST_WARNINGS:
        lines = [*lines[:MOST_WARNINGS], f"and {len(lines) - MOST_WARNINGS} more; {PATIENCE}"]
    return tuple(lines)


def joined(context: click.Context, parameter: click.Parameter, words: Sequence[str]) -> str:
    """What was typed without quotes, as the one string that the verb takes."""
    return " ".join(words)


@click.command("search")
@click.argument("query", nargs=-1, required=True, callback=joined)
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="At most so many.")
@verb("search")
def search(call: Call, *, query: str, limit: int) -> Answer:
    """Find items by name, part of a name, or path."""
    from m1nd.adapters.cli.graph_views import described, show_found
    from m1nd.application.use_cases.queries import search as find

    found = find(call.brain(), query, limit, call.progress("refresh"))
    data = {
        "query": found.query,
        "results": [
            {
                "path": row.path,
                "how": row.how,
                "score": row.score,
                "item": described(row.item) if row.item is not None else None,
            }
            for row in found.results
        ],
    }
    status = Exit.DONE if found.results else Exit.NO
    return Answer(data, lambda console: show_found(console, found), status)


@click.command("context")
@click.argument("symbol")
@click.option("--budget", type=int, default=4000, show_default=True, help="About so many tokens at most.")
@verb("surgical_context")
def context(call: Call, *, symbol: str, budget: int) -> Answer:
    """Show an item's source, what it uses, who uses it and which tests reach it, within a token budget.

    SYMBOL is a name, crate::a::name, sym_… or path:line.
    """
    from m1nd.adapters.cli.graph_views import context_wire, show_context
    from m1nd.application.use_cases.context import surgical_context

    found = surgical_context(call.brain(), symbol, budget, call.progress("refresh"))
    return Answer(context_wire(found), lambda console: show_context(console, found))


@click.command("impact")
@click.argument("symbol")
@click.option("--depth", type=int, default=3, show_default=True, help="Follow users of users so far.")
@click.option("--by-name", is_flag=True, help="Also follow edges that were found by bare name.")
@verb("impact")
def impact(call: Call, *, symbol: str, depth: int, by_name: bool) -> Answer:
    """Show what a change of an item may reach, hop by hop."""
    from m1nd.adapters.cli.graph_views import impact_wire, show_impact
    from m1nd.application.use_cases.queries import impact as reach

    found = reach(call.brain(), symbol, depth, by_name, call.progress("refresh"))
    return Answer(impact_wire(found), lambda console: show_impact(console, found))


@click.command("why")
@click.argument("source", metavar="A")
@click.argument("target", metavar="B")
@verb("why")
def why(call: Call, *, source: str, target: str) -> Answer:
    """Show the shortest way from one item to another."""
    from m1nd.adapters.cli.graph_views import show_way, way_wire
    from m1nd.application.use_cases.queries import why as connect

    found = connect(call.brain(), source, target, call.progress("refresh"))
    connected = bool(found.steps) or found.source == found.target
    return Answer(
        way_wire(found), lambda console: show_way(console, found), Exit.DONE if connected else Exit.NO
    )


@click.command("stats")
@verb("stats")
def stats(call: Call) -> Answer:
    """Count the graph: files, modules, items by kind, edges by kind and by how sure they are."""
    from m1nd.adapters.cli.graph_views import show_stats, stats_wire
    from m1nd.application.use_cases.queries import stats as count

    found = count(call.brain(), call.progress("refresh"))
    return Answer(stats_wire(found), lambda console: show_stats(console, found))
