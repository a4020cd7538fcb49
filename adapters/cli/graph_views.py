"""How answers about the graph look, and their wire form. No rule lives here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from m1nd.adapters.cli.memory_views import claim_wire, show_claims
from m1nd.adapters.cli.render import facts, one_line, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from m1nd.application.use_cases.context import Context
    from m1nd.application.use_cases.describing import Described
    from m1nd.application.use_cases.ingest import Ingested
    from m1nd.application.use_cases.queries import Impact, Related, SearchResult, Statistics, Way

MOST_ROWS = 40
SURETIES = {"resolved": "", "method": "by method name", "name_only": "by bare name"}


# ---- wire


def described(item: Described) -> dict[str, Any]:
    return {
        "name": item.name,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "end_line": item.end_line,
        "module": item.module,
        "full_path": item.full_path,
        "symbol_id": item.symbol_id,
        "external_id": item.external_id,
        "signature": item.signature,
        "is_test": item.is_test,
    }


def related(row: Related) -> dict[str, Any]:
    wire = {**described(row.item), "edge": row.edge, "surety": row.surety, "depth": row.depth}
    return {**wire, "via": row.via} if row.via else wire


def context_wire(found: Context) -> dict[str, Any]:
    return {
        "symbol": described(found.symbol),
        "source": {
            "path": found.symbol.path,
            "start_line": found.source.start_line,
            "end_line": found.source.end_line,
            "text": "\n".join(found.source.lines),
            "truncated": found.source.truncated,
        },
        "uses": [related(row) for row in found.uses],
        "used_by": [related(row) for row in found.used_by],
        "tests": [related(row) for row in found.tests],
        "claims": [claim_wire(told) for told in found.claims],
        "tags": list(found.tags),
        "blocks": [
            {
                "block_id": block.block_id,
                "name": block.name,
                "role": block.role,
                "boundary_version": block.boundary_version,
                "receipts": [
                    dict(zip(("receipt_id", "type", "stage", "reason"), receipt, strict=True))
                    for receipt in block.receipts
                ],
            }
            for block in found.blocks
        ],
        "open_references": [{"text": text, "reason": reason} for text, reason in found.open_references],
        "dropped": [{"part": row.part, "count": row.count} for row in found.dropped],
        "budget": found.budget,
        "tokens": found.tokens,
        "verdict": found.verdict,
        "tier": found.tier,
    }


def impact_wire(found: Impact) -> dict[str, Any]:
    return {
        "symbol": described(found.symbol),
        "depth": found.depth,
        "reached": [related(row) for row in found.reached],
        "files": list(found.files),
        "tests": found.tests,
        "verdict": found.verdict,
        "tier": found.tier,
    }


def way_wire(found: Way) -> dict[str, Any]:
    return {
        "source": described(found.source),
        "target": described(found.target),
        "path": [
            {
                "source": described(step.source),
                "target": described(step.target),
                "edge": step.edge,
                "surety": step.surety,
                "reverse": step.reverse,
            }
            for step in found.steps
        ],
        "verdict": found.verdict,
        "tier": found.tier,
    }


def stats_wire(found: Statistics) -> dict[str, Any]:
    return {
        "files": found.files,
        "modules": found.modules,
        "items": found.items,
        "edges": found.edges,
        "unresolved": found.unresolved,
        "tests": found.tests,
        "items_by_kind": found.items_by_kind,
        "edges_by_kind": found.edges_by_kind,
        "open_by_reason": found.open_by_reason,
        "orphans": list(found.orphans),
        "notes": [{"path": path, "reason": reason} for path, reason in found.notes],
        "tier": found.tier,
    }


# ---- terminal


def show_ingested(console: Console, done: Ingested) -> None:
    report = done.report
    news = [
        f"{count:,} {word}"
        for count, word in ((report.added, "added"), (report.changed, "changed"), (report.removed, "removed"))
        if count
    ]
    console.print(
        facts(
            [
                ("files", f"{report.files:,} ({', '.join(news) if news else 'nothing new'})"),
                ("modules", f"{report.modules:,}"),
                ("items", f"{report.items:,}"),
                ("edges", f"{report.edges:,}"),
                ("unresolved", f"{report.unresolved:,}"),
                ("generation", f"{done.generation}"),
                ("time", f"{report.ms:,} ms"),
            ]
        )
    )
    if report.orphans:
        shown = ", ".join(report.orphans[:3])
        more = f" and {len(report.orphans) - 3:,} more" if len(report.orphans) > 3 else ""
        console.print(Text(f"no crate reaches {shown}{more}", style="quiet"))
    if done.rematched or done.lost:
        console.print(
            Text(f"symbols: {done.rematched} recognised elsewhere, {done.lost} lost", style="quiet")
        )


def show_found(console: Console, found: SearchResult) -> None:
    if not found.results:
        console.print(f"nothing is called `{one_line(found.query)}`")
        return
    rows = table("item", "kind", "place", "found by")
    for row in found.results:
        if row.item is None:
            rows.add_row("", Text("file", style="quiet"), Text(row.path, style="path"), row.how)
        else:
            rows.add_row(
                Text(row.item.full_path, style="name"),
                row.item.kind,
                Text(f"{row.path}:{row.item.line}", style="path"),
                row.how,
            )
    console.print(rows)


def show_context(console: Console, found: Context) -> None:
    item = found.symbol
    console.print(
        Text.assemble((item.full_path, "name"), f"  {item.kind}  ", (f"{item.path}:{item.line}", "path"))
    )
    if item.symbol_id:
        console.print(Text(item.symbol_id, style="quiet"))
    console.print()
    width = len(str(found.source.end_line))
    for number, line in enumerate(found.source.lines, found.source.start_line):
        console.print(Text.assemble((f"{number:>{width}}  ", "quiet"), line.expandtabs(4)), soft_wrap=True)
    if found.source.truncated:
        console.print(Text(f"{'':>{width}}  …", style="quiet"))
    for title, rows in (
        ("used by", found.used_by),
        ("uses", found.uses),
        ("tests that reach it", found.tests),
    ):
        if rows:
            _show_related(console, title, rows)
    if found.tags:
        console.print()
        console.print(Text(f"tags: {' '.join(found.tags)}"))
    for block in found.blocks:
        told = ", ".join(f"{type} {stage}" for _, type, stage, _ in block.receipts) or "no receipt"
        console.print()
        console.print(Text(f"block: {one_line(block.name)} ({block.role}); {told}"))
    if found.claims:
        console.print()
        show_claims(console, found.claims)
    if found.open_references:
        names = ", ".join(text for text, _ in found.open_references[:8])
        console.print()
        console.print(Text(f"not placed: {names}", style="quiet"))
    if found.dropped:
        left = ", ".join(f"{row.count} of {row.part.replace('_', ' ')}" for row in found.dropped)
        console.print()
        console.print(Text(f"left out for the budget of {found.budget:,} tokens: {left}", style="warn"))


def _show_related(console: Console, title: str, rows: Sequence[Related]) -> None:
    console.print()
    shown = table(title, "edge", "place", "how sure")
    for row in rows[:MOST_ROWS]:
        shown.add_row(
            Text(_label(row.item), style="name"),
            row.edge.replace("_", " "),
            Text(f"{row.item.path}:{row.item.line}", style="path"),
            Text(SURETIES[row.surety], style="quiet"),
        )
    console.print(shown)
    if len(rows) > MOST_ROWS:
        console.print(Text(f"and {len(rows) - MOST_ROWS:,} more (--json has all)", style="quiet"))


def _label(item: Described) -> str:
    return item.signature if item.kind in ("use", "impl") else item.full_path


def show_impact(console: Console, found: Impact) -> None:
    item = found.symbol
    if not found.reached:
        console.print(f"nothing in the graph uses {item.full_path}")
        return
    console.print(
        Text.assemble(
            "a change of ",
            (item.full_path, "name"),
            f" may reach {len(found.reached):,} items in {len(found.files):,} files, {found.tests:,} of them tests",
        )
    )
    console.print()
    rows = table("step", "item", "edge", "place", "how sure", right=(0,))
    for row in found.reached[: MOST_ROWS * 2]:
        rows.add_row(
            str(row.depth),
            Text(_label(row.item), style="name"),
            row.edge.replace("_", " "),
            Text(f"{row.item.path}:{row.item.line}", style="path"),
            Text(SURETIES[row.surety], style="quiet"),
        )
    console.print(rows)
    if len(found.reached) > MOST_ROWS * 2:
        console.print(
            Text(f"and {len(found.reached) - MOST_ROWS * 2:,} more (--json has all)", style="quiet")
        )


def show_way(console: Console, found: Way) -> None:
    if found.source == found.target:
        console.print(f"{found.source.full_path} is both ends")
        return
    if not found.steps:
        console.print(f"nothing connects {found.source.full_path} and {found.target.full_path}")
        return
    console.print(_stop(found.source))
    for step in found.steps:
        arrow = "is used by" if step.reverse else ""
        edge = step.edge.replace("_", " ")
        said = {"contains": "is inside" if step.reverse else "contains"}.get(
            step.edge, f"{arrow} ({edge})" if step.reverse else edge
        )
        sure = f"  {SURETIES[step.surety]}" if SURETIES[step.surety] else ""
        console.print(Text(f"  {said}{sure}", style="quiet"))
        console.print(_stop(step.target))


def _stop(item: Described) -> Text:
    return Text.assemble((_label(item), "name"), f"  {item.kind}  ", (f"{item.path}:{item.line}", "path"))


def show_stats(console: Console, found: Statistics) -> None:
    console.print(
        facts(
            [
                ("files", f"{found.files:,}"),
                ("modules", f"{found.modules:,}"),
                ("items", f"{found.items:,}"),
                ("tests", f"{found.tests:,}"),
                ("edges", f"{found.edges:,}"),
                ("unresolved", f"{found.unresolved:,}"),
                ("generation", f"{found.graph_rev}"),
            ]
        )
    )
    console.print()
    kinds = table("items", "count", right=(1,))
    for kind, count in found.items_by_kind.items():
        kinds.add_row(kind, f"{count:,}")
    console.print(kinds)
    console.print()
    edges = table("edges", "resolved", "by method name", "by bare name", right=(1, 2, 3))
    for kind, counts in found.edges_by_kind.items():
        edges.add_row(
            kind.replace("_", " "),
            *(f"{counts[s]:,}" if s in counts else "" for s in ("resolved", "method", "name_only")),
        )
    console.print(edges)
    if found.open_by_reason:
        console.print()
        reasons = table("not placed because", "count", right=(1,))
        for reason, count in found.open_by_reason.items():
            reasons.add_row(reason.replace("_", " "), f"{count:,}")
        console.print(reasons)
    for title, lines in (
        ("no crate reaches", list(found.orphans)),
        ("notes", [f"{path}: {reason}" if path else reason for path, reason in found.notes]),
    ):
        if lines:
            console.print()
            console.print(Text(title, style="key"))
            for line in lines[:MOST_ROWS]:
                console.print(f"  {line}")
