"""`m1nd paint …`: the survey of what is proven, and tags. Thin: arguments in, `use_cases/paint.py` out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from m1nd.application.use_cases.paint import Painting, Retagging, TaggedItem

YES = click.option("--yes", "confirm", is_flag=True, help="Do it; without it nothing changes.")
EXPECT = click.option(
    "--expect-version", type=click.IntRange(0), help="The version that you saw; a newer one refuses."
)
SYMBOLS = click.option(
    "--symbol", "symbols", multiple=True, metavar="SYMBOL", help="Only this item; may be repeated."
)
MOST_ROWS = 40


def register(group: click.Group) -> None:
    group.add_command(paint)


@click.group("paint")
def paint() -> None:
    """Tags on items that follow them: what is proven, unproven, overgrown or eroding."""


@paint.command("run")
@click.argument("path", required=False)
@SYMBOLS
@click.option("--block", "block_id", default="", metavar="ID", help="Only the files of this block.")
@YES
@EXPECT
@verb("xray_paint")
def run(
    call: Call,
    *,
    path: str | None,
    symbols: Sequence[str],
    block_id: str,
    confirm: bool,
    expect_version: int | None,
) -> Answer:
    """Survey the items in PATH (default: all), and with --yes paint those whose state is another one now."""
    from m1nd.adapters.cli.graph_views import described
    from m1nd.application.use_cases.paint import PaintRequest
    from m1nd.application.use_cases.paint import paint as survey

    version = -1 if expect_version is None else expect_version
    request = PaintRequest(path or "", tuple(symbols or ()), bool(confirm), version, block_id)
    done = survey(call.brain(), request, call.progress("refresh"))
    data = {
        "scope": done.survey.scope,
        "scanned": done.survey.scanned,
        "counts": dict(done.survey.counts),
        "proof_coverage": done.survey.coverage,
        "changes": [
            {"item": described(change.item), "tag": change.tag, "reason": change.reason}
            for change in done.changes
        ],
        "version": done.version,
        "committed": done.committed,
        "candidate_id": done.candidate_id,
        "candidate": done.candidate,
    }
    return Answer(data, lambda console: _show_painting(console, done))


def _show_painting(console: Console, done: Painting) -> None:
    from m1nd.adapters.cli.render import facts, table

    rows = [("scanned", f"{done.survey.scanned:,}")]
    rows += [(state.rpartition(":")[2], f"{count:,}") for state, count in done.survey.counts.items()]
    rows += [("coverage", f"{done.survey.coverage:.1%}"), ("version", f"{done.version}")]
    console.print(facts(rows))
    if done.changes:
        shown = table("item", "state", "why")
        for change in done.changes[:MOST_ROWS]:
            shown.add_row(change.item.full_path, change.tag.rpartition(":")[2], change.reason)
        console.print(shown)
    changed = counted(len(done.changes), "item")
    if len(done.changes) > MOST_ROWS:
        console.print(f"and {len(done.changes) - MOST_ROWS:,} more", style="quiet")
    console.print(f"{changed} painted" if done.committed else f"{changed} would change; --yes paints them")
    if done.candidate_id:
        console.print(f"a receipt waits for the human: m1nd land {done.candidate_id}", soft_wrap=True)


@paint.command("retag")
@click.argument("operation", type=click.Choice(["add", "remove", "set"]))
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@SYMBOLS
@click.option("--path", default="", help="Only in this file or folder.")
@click.option("--kind", default="", help="Only items of this kind.")
@click.option(
    "--tagged", "filter_tags", multiple=True, metavar="TAG", help="Only items that bear it; may be repeated."
)
@YES
@EXPECT
@verb("xray_retag")
def retag(
    call: Call,
    *,
    operation: Literal["add", "remove", "set"],
    tags: Sequence[str],
    symbols: Sequence[str],
    path: str,
    kind: str,
    filter_tags: Sequence[str],
    confirm: bool,
    expect_version: int | None,
) -> Answer:
    """Add, remove or set tags on the items for which all given conditions hold."""
    from m1nd.adapters.cli.graph_views import described
    from m1nd.application.use_cases.paint import RetagRequest
    from m1nd.application.use_cases.paint import retag as tag

    request = RetagRequest(
        operation,
        tuple(tags or ()),
        tuple(symbols or ()),
        path,
        kind,
        tuple(filter_tags or ()),
        bool(confirm),
        -1 if expect_version is None else expect_version,
    )
    done = tag(call.brain(), request, call.progress("refresh"))
    data = {
        "changed": [described(item) for item in done.changed],
        "lost": list(done.lost),
        "version": done.version,
        "committed": done.committed,
    }
    return Answer(data, lambda console: _show_retagging(console, done))


def _show_retagging(console: Console, done: Retagging) -> None:
    for item in done.changed[:MOST_ROWS]:
        console.print(f"  {item.kind} {item.full_path}", style="name", soft_wrap=True)
    changed = counted(len(done.changed) + len(done.lost), "item")
    console.print(f"{changed} tagged" if done.committed else f"{changed} would change; --yes does it")


@paint.command("show")
@click.argument("symbol", required=False)
@click.option("--tag", default="", help="Only items that bear it.")
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=200, show_default=True, help="At most so many."
)
@verb("xray_tags")
def show(call: Call, *, symbol: str | None, tag: str, limit: int) -> Answer:
    """Show the tags of SYMBOL, or every tagged item."""
    from m1nd.adapters.cli.graph_views import described
    from m1nd.application.use_cases.paint import tags

    rows = tags(call.brain(), symbol or "", tag, limit, call.progress("refresh"))
    data = [
        {
            "symbol_id": row.symbol_id,
            "item": described(row.item) if row.item is not None else None,
            "tags": list(row.tags),
        }
        for row in rows
    ]
    return Answer({"items": data}, lambda console: _show_tags(console, rows))


def _show_tags(console: Console, rows: Sequence[TaggedItem]) -> None:
    from m1nd.adapters.cli.render import table

    if not rows:
        console.print("nothing is painted yet; m1nd paint run")
        return
    shown = table("item", "tags")
    for row in rows:
        shown.add_row(
            row.item.full_path if row.item else f"{row.symbol_id} (gone)", " ".join(row.tags) or "-"
        )
    console.print(shown)


@paint.command("ledger")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="At most so many.")
@verb("xray_ledger")
def ledger(call: Call, *, limit: int) -> Answer:
    """List who painted and tagged what, newest first."""
    from m1nd.application.use_cases.paint import ledger as read

    rows = read(call.brain(), limit)
    data: list[dict[str, Any]] = [
        {
            "version": row.version,
            "kind": row.kind,
            "tags": list(row.tags),
            "scope": row.scope,
            "changed": row.changed,
            "scanned": row.scanned,
            "counts": dict(row.counts),
            "proof_coverage": row.proof_coverage,
            "actor": row.actor_id,
            "at": row.recorded_at.isoformat(),
        }
        for row in rows
    ]

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import table

        if not rows:
            console.print("nothing is painted yet; m1nd paint run")
            return
        shown = table("version", "what", "where", "items", "by", "at", right=(0, 3))
        for row in rows:
            what = f"{row.kind} {' '.join(row.tags)}".rstrip()
            at = f"{row.recorded_at:%Y-%m-%d %H:%M}"
            shown.add_row(str(row.version), what, row.scope, f"{row.changed:,}", row.actor_id, at)
        console.print(shown)

    return Answer({"commits": data}, show)
