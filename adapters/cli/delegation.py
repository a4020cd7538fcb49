"""`m1nd delegate …`, `m1nd debrief`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.codes import Exit
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.mission_views import DelegationRow
    from m1nd.application.use_cases.delegation import Debriefed

BLOCK = click.option("--block", "block_id", metavar="ID", help="The block that it is about.")


def register(group: click.Group) -> None:
    group.add_command(delegate)
    group.add_command(debrief)


@click.group("delegate")
def delegate() -> None:
    """Hand work to another agent: a packet with context, gaps and a way to answer."""


@delegate.command("give")
@click.argument("task")
@BLOCK
@verb("delegate")
def give(call: Call, task: str, block_id: str | None) -> Answer:
    """Compose a packet for TASK and keep it for its debrief."""
    from m1nd.application.use_cases.delegation import DelegateRequest
    from m1nd.application.use_cases.delegation import delegate as issue

    return _answer(issue(call.brain(), DelegateRequest(task, block_id or ""), call.progress()))


@delegate.command("copy")
@click.argument("task")
@BLOCK
@verb("delegate_clipboard")
def copy(call: Call, task: str, block_id: str | None) -> Answer:
    """Compose the packet for TASK to be copied by hand; nothing is recorded."""
    from m1nd.application.use_cases.delegation import DelegateRequest, compose

    return _answer(compose(call.brain(), DelegateRequest(task, block_id or "")))


@delegate.command("list")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000))
@verb("delegations")
def list_delegations(call: Call, limit: int) -> Answer:
    """List the delegations, newest change first."""
    rows = call.brain().views.delegations(limit)
    return Answer({"delegations": [_wire(row) for row in rows]}, lambda console: _show_list(console, rows))


@click.command("debrief")
@click.argument("delegation_id")
@click.option("--outcome", required=True, type=click.Choice(("success", "failure", "partial")))
@click.option("--touched", "touched_paths", multiple=True, metavar="PATH", help="A file that was changed.")
@click.option("--finding", "findings", multiple=True, metavar="TEXT", help="What was learnt.")
@click.option(
    "--evidence",
    metavar="FILE",
    help="A JSON file: artifact_hash, evidence_refs, and what else was captured.",
)
@verb("debrief")
def debrief(
    call: Call,
    delegation_id: str,
    outcome: str,
    touched_paths: Sequence[str],
    findings: Sequence[str],
    evidence: str | Mapping[str, Any] | None,
) -> Answer:
    """Answer a delegation, once."""
    from m1nd.application.use_cases.delegation import DEBRIEF, DebriefRequest
    from m1nd.application.use_cases.delegation import debrief as answer

    attached = _read(evidence) if isinstance(evidence, str) else evidence
    request = DebriefRequest(delegation_id, outcome, tuple(touched_paths), tuple(findings), attached)
    done = answer(call.brain(), request)
    data = {
        "schema": DEBRIEF,
        "delegation_id": done.delegation_id,
        "outcome": done.outcome,
        "outcome_state": done.outcome_state,
        "late": done.late,
        "touched": [each.model_dump() for each in done.touched],
        "candidate_id": done.candidate_id,
        "candidate": None if done.candidate is None else dict(done.candidate),
        "honest_gaps": list(done.honest_gaps),
    }
    return Answer(data, lambda console: _show_debrief(console, done))


def _read(file: str) -> dict[str, Any]:
    """The evidence file. Raises Refused(usage)."""
    try:
        with open(file, encoding="utf-8") as stream:
            found = json.loads(stream.read((1 << 20) + 1))
    except (OSError, ValueError) as error:
        refuse(
            "usage",
            f"the evidence file `{file}` does not read: {type(error).__name__}",
            "m1nd debrief --help",
        )
    if not isinstance(found, dict):
        refuse("usage", "evidence is one JSON object", "m1nd debrief --help")
    return found


def _answer(packet: dict[str, Any]) -> Answer:
    data = {"abstain_class": None, **packet}
    status = Exit.DONE if packet["verdict"] == "packet" else Exit.NO
    return Answer(data, lambda console: _show_packet(console, packet), status)


def _show_packet(console: Console, packet: Mapping[str, Any]) -> None:
    """The packet as Markdown, to be handed over as it is."""
    lines = [f"# {packet['task']}", ""]
    if packet["delegation_id"]:
        lines += [f"Delegation {packet['delegation_id']}, good until {packet['expires_at']}.", ""]
    block = packet["mission"].get("block")
    if block:
        lines += [f"Block {block['block_id']} ({block['name']}): {block['purpose']}", ""]
    for title, rows in (
        ("Where", [f"{c['label']} ({c['path']}:{c['line']}): {c['why']}" for c in packet["context"]]),
        ("In scope", packet["foreseen"]["in_scope"]),
        ("May change with it", packet["foreseen"]["expected_change"]),
        ("Depends on it", packet["foreseen"]["dependent_contact"]),
        ("Remembered", [f"{m['claim']} ({m['tier']}, {m['source_agent']})" for m in packet["memory"]]),
        ("Not known", packet["honest_gaps"]),
        ("Not said", packet["non_claims"]),
        ("How to answer", packet["report_protocol"]),
    ):
        if rows:
            lines += [f"## {title}", "", *(f"- {row}" for row in rows), ""]
    for line in lines:
        console.print(line, soft_wrap=True)


def _wire(row: DelegationRow) -> dict[str, Any]:
    return {
        "delegation_id": row.delegation_id,
        "task": row.task,
        "block_id": row.block_id,
        "issued_by": row.issued_by,
        "issued_at": row.issued_at.isoformat(),
        "expires_at": row.expires_at.isoformat(),
        "outcome": row.outcome,
        "outcome_state": row.outcome_state,
        "touched": [dict(each) for each in row.touched],
        "findings": list(row.findings),
        "candidate_id": row.candidate_id,
        "late": row.late,
        "answered_at": row.answered_at.isoformat() if row.answered_at else None,
    }


def _show_list(console: Console, rows: Sequence[DelegationRow]) -> None:
    from m1nd.adapters.cli.render import one_line, table

    if not rows:
        console.print("no delegation")
        return
    shown = table("delegation", "by", "outcome", "task")
    for row in rows:
        outcome = f"{row.outcome}, {row.outcome_state}" if row.outcome else "open"
        shown.add_row(row.delegation_id, row.issued_by, outcome, one_line(row.task)[:80])
    console.print(shown)


def _show_debrief(console: Console, done: Debriefed) -> None:
    from m1nd.adapters.cli.render import facts

    rows: list[tuple[str, Any]] = [
        ("delegation", done.delegation_id),
        ("outcome", f"{done.outcome}, {done.outcome_state}"),
        *((each.grade, each.path) for each in done.touched),
        *(("not shown", gap) for gap in done.honest_gaps),
    ]
    console.print(facts(rows))
    if done.candidate_id:
        console.print(f"\nwaits for the human: m1nd land {done.candidate_id}", soft_wrap=True)
