"""`m1nd transplant …` and `m1nd undo`: arguments in, the receipt as a table a person wants to read out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.text import counted

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.move_planning import PreviewRequest
    from m1nd.application.use_cases.transplant import Committed
    from m1nd.application.views import MoveRow

VERIFY = click.option(
    "--verify", type=click.Choice(["check", "none"]), help="Default: check where cargo is present."
)
ACCEPT = click.option(
    "--accept-unresolved", is_flag=True, help="Go on although some references cannot be proven."
)
YES = click.option("--yes", "confirm", is_flag=True, help="Confirm the write.")
MISSION = click.option(
    "--mission",
    "mission_id",
    metavar="ID",
    help="The mission that this is made inside of; it gets the receipt as evidence.",
)
PROTECTED = click.option(
    "--allow-protected", default="", metavar="REASON", help="Why a protected zone may be crossed."
)
CREATE = click.option(
    "--create/--no-create",
    "create_dest",
    default=True,
    help="Whether DEST and its mod line are made where they do not exist.",
)
PUBLISH = click.option(
    "--publish",
    is_flag=True,
    help="Between crates: make public what the other crate would have to see.",
)
ALSO = click.option(
    "--also", multiple=True, metavar="SYMBOL", help="Another item of SOURCE for the same plan; repeatable."
)


def register(group: click.Group) -> None:
    group.add_command(transplant)
    group.add_command(undo)


def next_steps(console: Console, commit: str, stamp: Mapping[str, Any] | None) -> None:
    """How a preview is carried out, and the human's part in it where it crosses a protected zone."""
    if stamp is None:
        console.print(f"\nkept for five minutes; carry it out with: {commit}", soft_wrap=True)
        return
    console.print(
        f"\nit crosses a protected zone; a human stamps it with: {stamp['command']}", soft_wrap=True
    )
    console.print(f"kept for ten minutes; then carry it out with: {commit}", soft_wrap=True)


@click.group("transplant")
def transplant() -> None:
    """Move an item to another module: preview, commit, or both at once."""


@transplant.command("preview")
@click.argument("symbol")
@click.argument("source_file", metavar="SOURCE")
@click.argument("dest_file", metavar="DEST")
@ALSO
@CREATE
@PUBLISH
@PROTECTED
@click.option("--diff", "with_diff", is_flag=True, help="Show the plan as a unified diff.")
@verb("transplant_preview")
def preview(
    call: Call,
    symbol: str,
    source_file: str,
    dest_file: str,
    also: tuple[str, ...],
    create_dest: bool,
    publish: bool,
    allow_protected: str,
    with_diff: bool,
) -> Answer:
    """Plan the move of SYMBOL from SOURCE to DEST; nothing is written.

    Both are files, or modules that stand inline in one: src/a.rs::inner. A whole module moves by its `mod` line, from its parent
    to the new one, and its files with it.
    """
    from m1nd.application.use_cases import transplant as use_case

    request = _request(call, symbol, source_file, dest_file, allow_protected, also, create_dest, publish)
    made = use_case.preview(call.brain(), request, call.progress("planning"))
    data = {
        "preview_id": made.preview_id,
        "ttl_ms": made.ttl_ms,
        "expires_at": made.expires_at.isoformat(),
        "candidate": dict(made.candidate),
        "files": [f.model_dump() for f in made.files],
        "diff": made.diff,
        "verification": dict(made.verification),
        "stamp": None if made.stamp is None else dict(made.stamp),
    }

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import print_diff

        if with_diff:
            print_diff(console, made.diff)
            console.print()
        _show_receipt(console, made.candidate, planned=True)
        next_steps(console, f"m1nd transplant commit {made.preview_id} --yes", made.stamp)

    return Answer(data, show)


@transplant.command("commit")
@click.argument("preview_id")
@YES
@VERIFY
@ACCEPT
@MISSION
@verb("transplant_commit")
def commit(
    call: Call,
    preview_id: str,
    confirm: bool,
    verify: str | None,
    accept_unresolved: bool,
    mission_id: str | None,
) -> Answer:
    """Carry out a preview: every file or none."""
    from m1nd.application.use_cases.transplant import CommitRequest
    from m1nd.application.use_cases.transplant import commit as carry_out

    call.confirm(confirm, "a commit", f"m1nd transplant commit {preview_id} --yes")
    request = CommitRequest(preview_id, confirm, verify or "", accept_unresolved, mission_id or "")
    done = carry_out(call.brain(), request, call.progress("checking"))
    return _committed(done, with_preview=False)


@transplant.command("move")
@click.argument("symbol")
@click.argument("source_file", metavar="SOURCE")
@click.argument("dest_file", metavar="DEST")
@YES
@VERIFY
@ACCEPT
@ALSO
@CREATE
@PUBLISH
@PROTECTED
@MISSION
@verb("transplant")
def move(
    call: Call,
    symbol: str,
    source_file: str,
    dest_file: str,
    confirm: bool,
    verify: str | None,
    accept_unresolved: bool,
    also: tuple[str, ...],
    create_dest: bool,
    publish: bool,
    allow_protected: str,
    mission_id: str | None,
) -> Answer:
    """Preview and commit in one call."""
    from m1nd.application.use_cases.transplant import move as move_item

    call.confirm(confirm, "a move", f"m1nd transplant move {symbol} {source_file} {dest_file} --yes")
    request = _request(call, symbol, source_file, dest_file, allow_protected, also, create_dest, publish)
    done = move_item(
        call.brain(),
        request,
        confirm,
        verify or "",
        accept_unresolved,
        mission_id or "",
        call.progress("moving"),
    )
    return _committed(done, with_preview=True)


@transplant.command("list")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000))
@verb("transplant_list")
def list_moves(call: Call, limit: int) -> Answer:
    """List the moves of this repository, newest first."""
    rows = call.brain().views.moves(limit)

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import table

        if not rows:
            console.print("no move yet")
            return
        shown = table("move", "symbol", "from", "to", "stage", "at")
        for row in rows:
            at = row.ended_at or row.previewed_at
            name = row.transplant_id if row.receipt else row.preview_id
            shown.add_row(
                name, row.symbol, row.source_file, row.dest_file, row.stage.value, f"{at:%Y-%m-%d %H:%M}"
            )
        console.print(shown)

    return Answer({"moves": [_row(r) for r in rows]}, show)


@transplant.command("show")
@click.argument("id")
@verb("transplant_show")
def show_move(call: Call, id: str) -> Answer:
    """Show one move or preview with its receipt."""
    from m1nd.domain.refusal import refuse

    row = call.brain().views.move(id)
    if row is None:
        refuse("not_found", f"no move or preview {id}", "m1nd transplant list", id=id)
    state = call.brain().app.transplant(id)
    receipt = (
        row.receipt if row.receipt is not None else (state.preview.candidate if state is not None else {})
    )

    def show(console: Console) -> None:
        console.print(
            f"{row.symbol}: {row.source_file} to {row.dest_file}, {row.stage.value.replace('_', ' ')}"
        )
        _show_receipt(console, receipt, planned=row.receipt is None)

    return Answer({**_row(row), "receipt": dict(receipt)}, show)


@transplant.command("discard")
@click.argument("preview_id", metavar="ID")
@verb("transplant_discard")
def discard(call: Call, preview_id: str) -> Answer:
    """Throw a preview away."""
    from m1nd.application.use_cases.transplant import discard as throw_away

    gone = throw_away(call.brain(), preview_id)
    return Answer({"preview_id": gone}, lambda console: console.print(f"{gone} is discarded"))


@click.command("undo")
@click.argument("transplant_id", metavar="ID", required=False)
@VERIFY
@PROTECTED
@verb("transplant_undo")
def undo(call: Call, transplant_id: str | None, verify: str | None, allow_protected: str) -> Answer:
    """Take a move or an edit back: the last one, or ID."""
    from m1nd.application.use_cases.undo import undo as take_back
    from m1nd.application.use_cases.verification_gate import verification_field

    done = take_back(
        call.brain(),
        transplant_id,
        verify=verify or "",
        allow_protected=allow_protected,
        progress=call.progress("checking"),
    )
    data = {
        "transplant_id": done.id if done.kind == "move" else None,
        "edit_id": done.id if done.kind == "edit" else None,
        "files": list(done.files),
        "verification": verification_field(done.verification),
        "blocks_touched": list(done.ageing["blocks_touched"]),
        "receipts_staled": list(done.ageing["receipts_staled"]),
    }

    def show(console: Console) -> None:
        console.print(f"{done.id} is taken back; restored: {', '.join(done.files)}")
        if touched := [str(row["block_id"]) for row in done.ageing["blocks_touched"]]:
            console.print(f"boundary raised: {', '.join(touched)}")

    return Answer(data, show, warnings=tuple(done.warnings))


def _request(
    call: Call,
    symbol: str,
    source: str,
    dest: str,
    allow_protected: str,
    also: Sequence[str],
    create_dest: bool,
    publish: bool,
) -> PreviewRequest:
    from m1nd.application.use_cases.move_planning import PreviewRequest

    root = call.root()
    return PreviewRequest(
        symbol,
        _relative(source, root),
        _relative(dest, root),
        allow_protected,
        tuple(also),
        create_dest,
        publish,
    )


def _relative(path: str, root: str) -> str:
    """An absolute path inside the root becomes relative to it; everything else is left to the path law."""
    return path[len(root) + 1 :] if path.startswith(root + "/") else path


def _committed(done: Committed, with_preview: bool) -> Answer:
    data: dict[str, Any] = {"transplant_id": done.transplant_id, "receipt": dict(done.receipt)}
    if with_preview:
        data["preview_id"] = done.preview_id

    def show(console: Console) -> None:
        _show_receipt(console, done.receipt, planned=False)
        console.print(
            f"\n{done.transplant_id}; take it back with: m1nd undo {done.transplant_id}", soft_wrap=True
        )

    return Answer(data, show, warnings=done.warnings)


def _row(row: MoveRow) -> dict[str, Any]:
    return {
        "transplant_id": row.transplant_id,
        "preview_id": row.preview_id,
        "symbol": row.symbol,
        "symbol_id": row.symbol_id,
        "source_file": row.source_file,
        "dest_file": row.dest_file,
        "stage": row.stage.value,
        "previewed_at": row.previewed_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
    }


def _show_receipt(console: Console, receipt: Mapping[str, Any], planned: bool) -> None:
    """The receipt: zeros and empties are said, never left out."""
    from m1nd.adapters.cli.render import facts

    verb_text = "would move" if planned else "moved"
    console.print(
        f"{verb_text} {receipt['moved_symbol']}: {receipt['source_module']} to {receipt['dest_module']}"
    )
    console.print(facts(_facts(receipt, planned)))


def _facts(receipt: Mapping[str, Any], planned: bool) -> Sequence[tuple[str, str]]:
    seen = receipt["moved_visibility"]
    shared = [
        f"{d['name']} ({d['visibility_before']} to {d['visibility_after']})" for d in receipt["deps_shared"]
    ]
    unresolved = [f"{u['file']}:{u['line']} {u['text']} ({u['reason']})" for u in receipt["refs_unresolved"]]
    check = receipt["verification"]
    rows = [
        ("files", listed(receipt["files_changed"])),
        ("travels along", listed(receipt["deps_travelled"])),
        ("made visible", listed(shared)),
        *_published(receipt),
        (
            "references",
            f"{receipt['refs_rewritten']:,} rewritten in {counted(len(receipt['referencing_files']), 'file')}",
        ),
        ("not proven", listed(unresolved)),
        ("imported back", "yes" if receipt["source_back_imported"] else "no"),
        ("imports carried", listed(receipt["imports_carried"])),
        ("imports pruned", listed(receipt["imports_pruned"])),
        *aged(receipt),
        (
            "visibility",
            seen["before"] if seen["before"] == seen["after"] else f"{seen['before']} to {seen['after']}",
        ),
        ("rustfmt", receipt["rustfmt"]),
    ]
    if not planned:
        rows.append(("verified", verified(check)))
    return rows


def _published(receipt: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What became public for the other crate; a receipt of an older m1nd has no such field."""
    rows = [
        f"{row['name']} in {row['file']} ({row['visibility_before']} to {row['visibility_after']})"
        for row in receipt.get("published", ())
    ]
    return [("made public", listed(rows))] if rows else []


def verified(check: Mapping[str, Any]) -> str:
    if check["verified"]:
        return (
            f"cargo check: errors {check['errors_before']} before, {check['errors_after']} after; "
            f"{counted(check['warnings_added'], 'new warning')}, {check['ms']:,} ms"
        )
    return f"no ({check['reason'] or check['mode']})"


def aged(receipt: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a write did to the map: blocks with another boundary, receipts that are stale by it."""
    blocks = [
        f"{row['block_id']} (boundary {row['from']} > {row['to']})" for row in receipt["blocks_touched"]
    ]
    stale = [f"{row['type']} of {row['block_id']}" for row in receipt["receipts_staled"]]
    return [("blocks touched", listed(blocks)), ("receipts staled", listed(stale))]


def listed(items: Sequence[str]) -> str:
    return "\n".join(items) if items else "none"
