"""`m1nd edit …`: a plan over any files, previewed and carried out through the one door to the tree."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.text import counted
from m1nd.adapters.cli.transplant import MISSION, PROTECTED, VERIFY, YES, aged, listed, next_steps, verified
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.views import EditRow
    from m1nd.domain.planned_files import PlannedFile


def register(group: click.Group) -> None:
    group.add_command(edit)


def _plan(context: click.Context, parameter: click.Parameter, file: str) -> bytes:
    """The bytes of the plan, one more than may be at most. Raises Refused(usage | io_failed)."""
    from m1nd.domain.edit_plan import MOST_BYTES

    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        with open(file, "rb") as plan:
            return plan.read(MOST_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        refuse("usage", f"there is no plan file `{file}`", "m1nd edit preview FILE, or - for stdin")


@click.group("edit")
def edit() -> None:
    """Write a plan over any files: preview it, then commit it. The plan's form: m1nd help edits."""


@edit.command("preview")
@click.argument("plan", metavar="FILE", callback=_plan)
@PROTECTED
@click.option("--diff", "with_diff", is_flag=True, help="Show the plan as a unified diff.")
@verb("edit_preview")
def preview(call: Call, plan: str | bytes, allow_protected: str, with_diff: bool) -> Answer:
    """Read the plan in FILE (- for stdin), JSON or a unified diff; nothing is written."""
    from m1nd.application.use_cases import edit as use_case

    request = use_case.EditRequest(plan.encode() if isinstance(plan, str) else plan, allow_protected)
    made = use_case.preview(call.brain(), request, call.progress("planning"))
    data = {
        "preview_id": made.preview_id,
        "ttl_ms": made.ttl_ms,
        "expires_at": made.expires_at.isoformat(),
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
        _show_planned(console, made.files)
        next_steps(console, f"m1nd edit commit {made.preview_id} --yes", made.stamp)

    return Answer(data, show)


@edit.command("commit")
@click.argument("preview_id")
@YES
@VERIFY
@MISSION
@verb("edit_commit")
def commit(call: Call, preview_id: str, confirm: bool, verify: str | None, mission_id: str | None) -> Answer:
    """Carry out a preview: every file or none."""
    from m1nd.application.use_cases.edit import EditCommitRequest
    from m1nd.application.use_cases.edit import commit as carry_out

    call.confirm(confirm, "a commit", f"m1nd edit commit {preview_id} --yes")
    request = EditCommitRequest(preview_id, confirm, verify or "", mission_id or "")
    done = carry_out(call.brain(), request, call.progress("checking"))

    def show(console: Console) -> None:
        _show_receipt(console, done.receipt)
        console.print(f"\n{done.edit_id}; take it back with: m1nd undo {done.edit_id}", soft_wrap=True)

    return Answer({"edit_id": done.edit_id, "receipt": dict(done.receipt)}, show, warnings=done.warnings)


@edit.command("list")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000))
@verb("edit_list")
def list_edits(call: Call, limit: int) -> Answer:
    """List the edits of this repository, newest first."""
    rows = call.brain().views.edits(limit)

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import table

        if not rows:
            console.print("no edit yet")
            return
        shown = table("edit", "files", "stage", "at")
        for row in rows:
            at = row.ended_at or row.previewed_at
            name = row.edit_id if row.receipt else row.preview_id
            shown.add_row(name, _few(row.files), row.stage.words, f"{at:%Y-%m-%d %H:%M}")
        console.print(shown)

    return Answer({"edits": [_row(row) for row in rows]}, show)


@edit.command("show")
@click.argument("id")
@verb("edit_show")
def show_edit(call: Call, id: str) -> Answer:
    """Show one edit or preview, with its receipt."""
    row = call.brain().views.edit(id)
    state = None if row is None else call.brain().app.edit(id)
    if row is None or state is None:
        refuse("not_found", f"no edit or preview {id}", "m1nd edit list", id=id)
    planned = state.preview.files
    receipt = None if row.receipt is None else dict(row.receipt)

    def show(console: Console) -> None:
        console.print(f"{row.edit_id}: {row.stage.words}")
        _show_planned(console, planned)
        if receipt is not None:
            console.print()
            _show_receipt(console, receipt)

    data = {**_row(row), "planned": [f.model_dump() for f in planned], "receipt": receipt}
    return Answer(data, show)


@edit.command("discard")
@click.argument("preview_id", metavar="ID")
@verb("edit_discard")
def discard(call: Call, preview_id: str) -> Answer:
    """Throw a preview away."""
    from m1nd.application.use_cases.edit import discard as throw_away

    gone = throw_away(call.brain(), preview_id)
    return Answer({"preview_id": gone}, lambda console: console.print(f"{gone} is discarded"))


def _row(row: EditRow) -> dict[str, Any]:
    return {
        "edit_id": row.edit_id,
        "preview_id": row.preview_id,
        "files": list(row.files),
        "stage": row.stage.value,
        "previewed_at": row.previewed_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
    }


def _few(files: Sequence[str]) -> str:
    return (
        files[0]
        if len(files) == 1
        else f"{files[0]} and {counted(len(files) - 1, 'more file', 'more files')}"
    )


def _show_planned(console: Console, files: Sequence[PlannedFile]) -> None:
    from m1nd.adapters.cli.render import table

    shown = table("file", "what", "+", "-", right=(2, 3))
    for file in files:
        what = "create" if not file.base_hash else "change" if file.after_hash else "remove"
        shown.add_row(file.file_path, what, f"{file.lines_added:,}", f"{file.lines_removed:,}")
    console.print(shown)


def _show_receipt(console: Console, receipt: Mapping[str, Any]) -> None:
    """The receipt: zeros and empties are said, never left out."""
    from m1nd.adapters.cli.render import facts

    rows = [
        ("changed", listed(receipt["files_changed"])),
        ("created", listed(receipt["files_created"])),
        ("removed", listed(receipt["files_removed"])),
        ("lines", f"+{receipt['lines_added']:,} -{receipt['lines_removed']:,}"),
        *aged(receipt),
        ("verified", verified(receipt["verification"])),
    ]
    console.print(facts(rows))
