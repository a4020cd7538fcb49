"""`m1nd blocks …` for ratified blocks: reconcile, amend, archive, restore, delete, layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.block_options import ADD, EXPECTED, json_file
from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.stamps import with_stamp

if TYPE_CHECKING:
    from rich.console import Console

Versions = Mapping[str, int] | None


def register(group: click.Group) -> None:
    for command in (reconcile, amend, archive, restore, delete, layout):
        group.add_command(command)


@click.command("reconcile")
@EXPECTED
@verb("system_blocks_reconcile")
def reconcile(call: Call, expected_store_version: int | None, expected_versions: Versions = None) -> Answer:
    """Take the files as they are: new and vanished members raise their block's boundary."""
    from m1nd.adapters.cli.block_views import reconciled_answer
    from m1nd.application.use_cases.amending import reconcile as take

    done = take(call.brain(), expected_store_version, expected_versions, call.progress("refresh"))
    return reconciled_answer(done)


@click.command("amend")
@click.argument("block_id", metavar="BLOCK")
@ADD
@click.option("--remove", multiple=True, metavar="PATH", help="Drop a declared entry.")
@click.option("--template", default="", help="rust_core, ui, docs, installer or runtime_service.")
@click.option("--contract", callback=json_file, metavar="FILE", help="Terms as JSON; - for stdin.")
@click.option("--sockets", callback=json_file, metavar="FILE", help="Sockets as JSON; - for stdin.")
@click.option("--snooze", "snooze_until", default="", metavar="TIME", help="Hide the drift until then.")
@click.option("--dismiss", default="", metavar="REASON", help="Never show this drift again.")
@click.option("--reason", default="", help="Why the contract changes.")
@EXPECTED
@verb("system_blocks_amend")
def amend(
    call: Call,
    block_id: str,
    add: Sequence[Mapping[str, Any]],
    remove: Sequence[str],
    template: str,
    contract: Mapping[str, Any] | None,
    sockets: Mapping[str, Any] | None,
    snooze_until: str,
    dismiss: str,
    reason: str,
    expected_store_version: int | None,
    expected_versions: Versions = None,
) -> Answer:
    """Change one part of a ratified BLOCK: its boundary, contract, sockets, or put its drift off."""
    from m1nd.application.use_cases.amending import Amendment
    from m1nd.application.use_cases.amending import amend as carry_out

    asked = Amendment(add, remove, contract, template, sockets, snooze_until, dismiss, reason)
    done = with_stamp(
        call,
        lambda: carry_out(
            call.brain(),
            block_id,
            asked,
            expected_store_version,
            expected_versions,
            call.progress("refresh"),
        ),
    )
    data = {
        "block_id": block_id,
        "part": done.part,
        "boundary_version": done.block.boundary_version,
        "contract_version": done.block.contract_version,
        "needs_signature": done.block.needs_signature,
        "store_version": done.store_version,
    }

    def show(console: Console) -> None:
        console.print(
            f"{block_id}: boundary {done.block.boundary_version}, contract {done.block.contract_version}"
        )
        if done.block.needs_signature:
            console.print(f"sign its boundary with: m1nd blocks ratify {block_id} --sign boundaries")

    return Answer(data, show)


@click.command("archive")
@click.argument("block_ids", nargs=-1, required=True, metavar="BLOCK…")
@EXPECTED
@verb("system_blocks_archive")
def archive(
    call: Call,
    block_ids: Sequence[str],
    expected_store_version: int | None,
    expected_versions: Versions = None,
) -> Answer:
    """Take blocks out of the map; their files are unmapped, their history stays."""
    return _change_life(call, "archive", block_ids, expected_store_version, expected_versions)


@click.command("restore")
@click.argument("block_ids", nargs=-1, required=True, metavar="BLOCK…")
@EXPECTED
@verb("system_blocks_restore")
def restore(
    call: Call,
    block_ids: Sequence[str],
    expected_store_version: int | None,
    expected_versions: Versions = None,
) -> Answer:
    """Bring archived blocks back, with the files that are still free."""
    return _change_life(call, "restore", block_ids, expected_store_version, expected_versions)


def _change_life(
    call: Call,
    mode: str,
    block_ids: Sequence[str],
    expected_store_version: int | None,
    expected_versions: Versions,
) -> Answer:
    from m1nd.application.use_cases.amending import change_life

    changed, version = with_stamp(
        call,
        lambda: change_life(
            call.brain(),
            mode,  # type: ignore[arg-type]
            tuple(block_ids),
            expected_store_version,
            expected_versions,
            call.progress("refresh"),
        ),
    )
    data = {"store_version": version, "mode": mode, "changed_block_ids": list(changed)}
    words = f"{mode}d: {', '.join(changed)}" if changed else f"nothing to {mode}"
    return Answer(data, lambda console: console.print(words))


@click.command("delete")
@click.argument("block_id", metavar="BLOCK")
@EXPECTED
@verb("system_blocks_delete")
def delete(
    call: Call, block_id: str, expected_store_version: int | None, expected_versions: Versions = None
) -> Answer:
    """Take an archived BLOCK off the map for good; the log keeps everything."""
    from m1nd.application.use_cases.amending import delete as take_off

    version = with_stamp(
        call,
        lambda: take_off(
            call.brain(), block_id, expected_store_version, expected_versions, call.progress("refresh")
        ),
    )
    data = {"store_version": version, "deleted_block_id": block_id}
    return Answer(data, lambda console: console.print(f"{block_id} is deleted"))


@click.command("layout")
@click.argument("block_id", metavar="BLOCK")
@click.option("--x", type=click.IntRange(0, 999), help="Across.")
@click.option("--y", type=click.IntRange(0, 999), help="Down.")
@click.option("--locked/--unlock", default=True, help="Pin it, or let it go back to its first place.")
@EXPECTED
@verb("system_blocks_layout")
def layout(
    call: Call,
    block_id: str,
    x: int | None,
    y: int | None,
    locked: bool,
    expected_store_version: int | None,
    expected_versions: Versions = None,
) -> Answer:
    """Pin a BLOCK to its place on the drawn map."""
    from m1nd.application.use_cases.amending import pin

    placed, version = pin(call.brain(), block_id, x, y, locked, expected_store_version, expected_versions)
    data = {"block_id": block_id, "layout": placed.wire(), "store_version": version}
    words = f"{block_id} at {placed.x}, {placed.y}{', pinned' if placed.locked else ''}"
    return Answer(data, lambda console: console.print(words))
