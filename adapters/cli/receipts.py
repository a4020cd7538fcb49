"""`m1nd receipts …`: evidence in, held against the present, and out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.stamps import with_stamp
from m1nd.adapters.cli.text import counted
from m1nd.adapters.cli.times import time_in_utc
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.receipt_views import ReceiptRow
    from m1nd.application.use_cases.receipts import Judged, Recomputed
    from m1nd.domain.receipts.receipt import ReceiptState

MOST_BYTES = 4 << 20


def register(group: click.Group) -> None:
    group.add_command(receipts)


def _receipt(context: click.Context, parameter: click.Parameter, file: str) -> bytes:
    """The bytes of a named file, or of stdin. Raises Refused(usage | receipt_malformed)."""
    try:
        if file == "-":
            text = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(file, "rb") as source:
                text = source.read(MOST_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        refuse("usage", f"there is no receipt file `{file}`", "m1nd receipts import FILE, or - for stdin")
    if len(text) > MOST_BYTES:
        refuse("receipt_malformed", f"a receipt has at most {MOST_BYTES:,} bytes", field="")
    return text


@click.group("receipts")
def receipts() -> None:
    """Evidence of what a block is: import, hold against the present, withdraw. The form: m1nd help receipts."""


@receipts.command("import")
@click.argument("receipt", metavar="FILE", callback=_receipt)
@click.option("--expected-store-version", type=click.IntRange(min=0), help="Refuse if the map has another.")
@verb("receipt_import")
def import_receipt(
    call: Call,
    receipt: bytes | Mapping[str, Any],
    expected_store_version: int | None,
    expected_versions: Mapping[str, int] | None = None,
) -> Answer:
    """Import the receipt in FILE (- for stdin), with your stamp, or with CI's token."""
    from m1nd.application.use_cases import receipts as use_case
    from m1nd.domain.blocks.map_head import Expected

    expected = Expected(expected_store_version, expected_versions)
    done = with_stamp(call, lambda: use_case.import_receipt(call.brain(), receipt, expected))
    state = done.receipt
    data = {
        "receipt_id": state.receipt_id,
        "block_id": state.body.scope.block_id,
        "type": state.body.type,
        "outcome": state.body.outcome,
        "solicited": state.solicited,
        "stage": state.stage.value,
        "store_version": done.store_version,
        "receipt_count": done.receipt_count,
        "log_head": dict(done.log),
    }

    def show(console: Console) -> None:
        note = "" if state.solicited else "; unsolicited: the contract does not ask for this type"
        console.print(
            f"{state.receipt_id}: {state.body.type} receipt of {state.body.scope.block_id}, "
            f"{state.body.outcome}, {state.stage.value}{note}",
            soft_wrap=True,
        )

    return Answer(data, show)


@receipts.command("recompute")
@click.argument("block_id", metavar="BLOCK", required=False, default="")
@click.option("--as-of", default="", metavar="TIME", help="As if it were that time (UTC).")
@click.option("--apply", is_flag=True, help="Record the ends that are due.")
@verb("receipt_recompute")
def recompute(call: Call, block_id: str, as_of: str, apply: bool) -> Answer:
    """Hold every receipt against the present: which still count, and the first reason why not."""
    from m1nd.application.use_cases import receipts as use_case

    judge = use_case.sweep if apply else use_case.recompute
    found = judge(call.brain(), block_id, time_in_utc(as_of))
    return Answer(_recomputed(found), lambda console: _show_judged(console, found))


def _recomputed(found: Recomputed) -> dict[str, Any]:
    fresh = sum(not judged.reason for judged in found.receipts)
    return {
        "block_count": found.block_count,
        "receipt_count": len(found.receipts),
        "fresh_count": fresh,
        "stale_count": len(found.receipts) - fresh,
        "receipts": [_judged(judged) for judged in found.receipts],
        "expired": list(found.expired),
        "evaluated_at": found.evaluated_at.isoformat(),
    }


def _judged(judged: Judged) -> dict[str, Any]:
    state = judged.receipt
    return {
        "block_id": state.body.scope.block_id,
        "receipt_id": state.receipt_id,
        "receipt_type": state.body.type,
        "outcome": state.body.outcome,
        "fresh": not judged.reason,
        "reason": judged.reason or None,
    }


def _show_judged(console: Console, found: Recomputed) -> None:
    from m1nd.adapters.cli.render import table

    if not found.receipts:
        console.print("no receipt yet")
        return
    shown = table("receipt", "block", "type", "outcome", "counts", "why not")
    for judged in found.receipts:
        state = judged.receipt
        shown.add_row(
            state.receipt_id,
            state.body.scope.block_id,
            state.body.type,
            state.body.outcome,
            "no" if judged.reason else "yes",
            judged.reason,
        )
    console.print(shown)
    if found.expired:
        console.print(f"\n{counted(len(found.expired), 'receipt')} expired now")


@receipts.command("list")
@click.argument("block_id", metavar="BLOCK", required=False, default="")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 10_000))
@verb("receipt_list")
def list_receipts(call: Call, block_id: str, limit: int) -> Answer:
    """List the receipts, ended ones too, newest first."""
    rows = call.brain().views.receipts(block_id, limit)

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import one_line, table

        if not rows:
            console.print("no receipt yet")
            return
        shown = table("receipt", "block", "type", "outcome", "stage", "by", "imported (UTC)")
        for row in rows:
            stage = row.stage if row.reason in ("", row.stage) else f"{row.stage}: {row.reason}"
            at = f"{row.imported_at:%Y-%m-%d %H:%M}"
            shown.add_row(
                row.receipt_id, row.block_id, row.type, row.outcome, stage, one_line(row.emitter), at
            )
        console.print(shown)

    return Answer({"receipts": [_row(row) for row in rows]}, show)


def _row(row: ReceiptRow) -> dict[str, Any]:
    return {
        "receipt_id": row.receipt_id,
        "block_id": row.block_id,
        "type": row.type,
        "outcome": row.outcome,
        "solicited": row.solicited,
        "emitter": row.emitter,
        "landed_by": row.landed_by,
        "stage": row.stage,
        "reason": row.reason,
        "cause": row.cause,
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "imported_at": row.imported_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
    }


@receipts.command("show")
@click.argument("receipt_id", metavar="ID")
@verb("receipt_show")
def show_receipt(call: Call, receipt_id: str) -> Answer:
    """Show one receipt as it was imported."""
    state = call.brain().app.receipt(receipt_id)
    if state is None:
        refuse("not_found", f"there is no receipt {receipt_id}", "m1nd receipts list", id=receipt_id)
    found = state

    def show(console: Console) -> None:
        import json

        console.print(f"{found.receipt_id}: {_stage_words(found)}", soft_wrap=True)
        console.print(json.dumps(found.body.wire(), indent=2, ensure_ascii=False), soft_wrap=True)

    data = {
        "receipt_id": found.receipt_id,
        "stage": found.stage.value,
        "reason": found.reason,
        "cause": found.cause,
        "solicited": found.solicited,
        "landed_by": found.landed_by,
        "stales_on": list(found.stales_on),
        "receipt": found.body.wire(),
    }
    return Answer(data, show)


def _stage_words(state: ReceiptState) -> str:
    return state.stage.value if state.is_live else f"{state.stage.value} ({state.reason}, by {state.cause})"


@receipts.command("withdraw")
@click.argument("receipt_id", metavar="ID")
@click.option("--reason", required=True, help="Why it stops counting.")
@verb("receipt_withdraw")
def withdraw(call: Call, receipt_id: str, reason: str) -> Answer:
    """Take a receipt back, with your stamp; it stays in the history."""
    from m1nd.application.use_cases import receipts as use_case

    gone = with_stamp(call, lambda: use_case.withdraw(call.brain(), receipt_id, reason))
    data = {"receipt_id": gone.receipt_id, "block_id": gone.body.scope.block_id, "reason": gone.cause}
    return Answer(data, lambda console: console.print(f"{gone.receipt_id} is withdrawn"))
