"""`m1nd missions …`: delegated work, act by act, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.mission_views import MissionRow
    from m1nd.application.use_cases.mission_reads import Shown
    from m1nd.application.use_cases.missions import Posted
    from m1nd.domain.commands import Actor

ACTS = (
    "open", "judge", "revise", "dispatch", "start", "beat", "ask", "reply", "output", "request_debrief", "debrief",
    "open_gate", "gate", "ask_review", "review", "wait", "fail", "cancel",
)  # fmt: skip
STYLES = {State.MERGE_WAIT: "warn", State.FAILED: "bad", State.LANDED: "good", State.STALLED: "warn"}
DECISIONS = click.Choice(("APPROVE", "CHANGE", "REJECT"), case_sensitive=False)
MODES = click.Choice(("clipboard", "direct", "spawn"))


def register(group: click.Group) -> None:
    group.add_command(missions)


@click.group("missions")
def missions() -> None:
    """Delegated work: propose, judge, dispatch, report, and see where it stands."""


@missions.command("list")
@click.option("--state", type=click.Choice([state.value for state in State]), help="Only these.")
@click.option("--block", "block_id", metavar="ID", help="Only missions of this block.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000))
@verb("missions")
def list_missions(call: Call, state: str | None, block_id: str | None, limit: int) -> Answer:
    """List the missions, newest change first."""
    views = call.brain().views
    rows = views.missions((State(state),) if state else (), block_id or "", limit)
    bell = views.landing_bell()
    data = {
        "missions": [wire_row(row) for row in rows],
        "pins": [pin.model_dump() for pin in views.pins()],
        "landing_bell": bell,
    }
    return Answer(data, lambda console: _show_list(console, rows, bell))


@missions.command("show")
@click.argument("mission_id")
@verb("mission_show")
def show_mission(call: Call, mission_id: str) -> Answer:
    """Show one mission with its packet, gate, candidate and letters."""
    from m1nd.application.use_cases.mission_reads import show

    found = show(call.brain(), mission_id)
    return Answer(wire_mission(found), lambda console: _show_mission(console, found))


@missions.command("post")
@click.argument("act", type=click.Choice(ACTS))
@click.argument("mission_id", required=False)
@click.option(
    "--expected-version", type=click.IntRange(0), help="Refuse when the mission has another version."
)
@click.option("--block", "block_id", metavar="ID", help="open: the block to work on.")
@click.option("--message", help="open, revise: what is to be done.")
@click.option("--mode", type=MODES, help="open, revise: how it is handed over (direct).")
@click.option(
    "--include", "includes", multiple=True, help="open, revise: details, files, receipts or impact."
)
@click.option(
    "--effect", "effects", multiple=True, help="open, revise: reads, edits, runs_process or appends."
)
@click.option("--retries", "retries_of", metavar="ID", help="open: the failed mission taken up again.")
@click.option("--decision", type=DECISIONS, help="judge, review.")
@click.option("--gist", help="judge, review: why.")
@click.option("--packet-digest", help="judge: the packet that was read (8 digits or more).")
@click.option("--approves-digest", help="judge CHANGE: the one packet approved ahead.")
@click.option("--runner", "runner_id", metavar="ID", help="dispatch: who works on it.")
@click.option(
    "--patience", "patience_seconds", type=click.IntRange(1, 604800), help="dispatch: seconds of silence."
)
@click.option("--execution", "execution_id", metavar="ID", help="What the dispatch named.")
@click.option("--progress", help="beat.")
@click.option("--question", help="ask.")
@click.option("--answer", help="reply.")
@click.option("--exit-status", type=int, help="output, gate.")
@click.option("--artifact-hash", help="output, gate, fail: sha256 of what shows it.")
@click.option("--summary", help="output, debrief.")
@click.option("--conformance", help="debrief: how the work fits the packet.")
@click.option("--command", help="gate: what was run.")
@click.option("--cwd", help="gate: where, relative to the root.")
@click.option("--started-at", help="gate: ISO 8601, UTC.")
@click.option("--ended-at", help="gate: ISO 8601, UTC.")
@click.option("--excerpt", "stdout_excerpt", help="gate: the end of its output.")
@click.option("--evidence", "evidence_refs", multiple=True, help="gate: where the artifact lies.")
@click.option("--reason", help="fail, cancel.")
@click.option("--as", "seat", metavar="KIND:ID", help="Act as a weaker seat: agent:ID or runner:ID.")
@verb("mission_post")
def post_act(
    call: Call,
    act: str,
    mission_id: str | None,
    expected_version: int | None,
    block_id: str | None,
    message: str | None,
    mode: str | None,
    includes: Sequence[str],
    effects: Sequence[str],
    retries_of: str | None,
    decision: str | None,
    gist: str | None,
    packet_digest: str | None,
    approves_digest: str | None,
    runner_id: str | None,
    patience_seconds: int | None,
    execution_id: str | None,
    progress: str | None,
    question: str | None,
    answer: str | None,
    exit_status: int | None,
    artifact_hash: str | None,
    summary: str | None,
    conformance: str | None,
    command: str | None,
    cwd: str | None,
    started_at: str | None,
    ended_at: str | None,
    stdout_excerpt: str | None,
    evidence_refs: Sequence[str],
    reason: str | None,
    seat: str | None,
) -> Answer:
    """Carry out one act of a mission; m1nd help missions lists each act's arguments."""
    given = {
        "mission_id": mission_id,
        "expected_version": expected_version,
        "block_id": block_id,
        "message": message,
        "mode": mode,
        "includes": includes,
        "effects": effects,
        "retries_of": retries_of,
        "decision": decision,
        "gist": gist,
        "packet_digest": packet_digest,
        "approves_digest": approves_digest,
        "runner_id": runner_id,
        "patience_seconds": patience_seconds,
        "execution_id": execution_id,
        "progress": progress,
        "question": question,
        "answer": answer,
        "exit_status": exit_status,
        "artifact_hash": artifact_hash,
        "summary": summary,
        "conformance": conformance,
        "command": command,
        "cwd": cwd,
        "started_at": started_at,
        "ended_at": ended_at,
        "stdout_excerpt": stdout_excerpt,
        "evidence_refs": evidence_refs,
        "reason": reason,
    }
    return _post(call, act, given, seat)


def _post(call: Call, act: str, given: Mapping[str, Any], seat: str | None) -> Answer:
    from m1nd.application.use_cases.missions import post

    said = {name: _plain(value) for name, value in given.items() if value is not None and value != ()}
    posted = post(call.brain(), act, said, _weaker(seat) if seat else None)
    return Answer(wire_posted(posted), lambda console: _show_posted(console, posted))


@missions.command("sweep")
@verb("mission_sweep")
def sweep_missions(call: Call) -> Answer:
    """Say of every mission whose runner was not heard of in time that it stalled."""
    from m1nd.application.use_cases.missions import sweep_now

    stalled = sweep_now(call.brain())
    text = f"stalled: {', '.join(stalled)}" if stalled else "every runner was heard of in time"
    return Answer({"stalled": list(stalled)}, lambda console: console.print(text))


@missions.command("archive")
@click.argument("id")
@click.option("--reason", default="", help="Why it will not land.")
@verb("mission_archive")
def archive_mission(call: Call, id: str, reason: str) -> Answer:
    """Let the candidate of a mission that waits, or a loose one, go; on a terminal your stamp is taken on the way."""
    from m1nd.adapters.cli.stamps import with_stamp
    from m1nd.application.use_cases import landing

    brain = call.brain()
    done = with_stamp(call, lambda: landing.archive(brain, id, reason))
    data = {
        "id": done.id,
        "candidate_id": done.candidate_id,
        "boundary_at_start": done.boundary_at_start,
        "boundary_now": done.boundary_now,
    }
    return Answer(data, lambda console: console.print(f"{done.id} is archived; it will not land"))


@missions.command("spawn")
@click.argument("runner_id")
@click.argument("block_id")
@click.argument("message")
@verb("mission_spawn")
def spawn_mission(call: Call, runner_id: str, block_id: str, message: str) -> Answer:
    """Have a runner start the work; refused while no runner is registered."""
    from m1nd.application.use_cases.missions import spawn

    spawn(call.brain(), runner_id, block_id, message)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _weaker(seat: str) -> Actor:
    """Raises Refused(usage): the owner's own seat, the clock's and CI's cannot be put on."""
    from m1nd.domain.commands import Actor

    kind, _, id = seat.partition(":")
    if kind not in ("agent", "runner") or not id:
        refuse("usage", f"--as takes agent:ID or runner:ID, not {seat!r}", "m1nd missions post --help")
    return Actor(kind="agent" if kind == "agent" else "runner", id=id[:200])


def wire_row(row: MissionRow) -> dict[str, Any]:
    return {
        "mission_id": row.mission_id,
        "block_id": row.block_id,
        "state": row.state.value,
        "iteration": row.iteration,
        "author": row.author,
        "runner_id": row.runner_id,
        "message": row.message,
        "opened_at": row.opened_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "seen_at": row.seen_at.isoformat() if row.seen_at else None,
        "deadline": row.deadline.isoformat() if row.deadline else None,
        "retries_of": row.retries_of,
        "retried_by": row.retried_by,
        "candidate_id": row.candidate_id,
        "receipt_id": row.receipt_id,
        "reason": row.reason,
        "question": row.question,
        "progress": row.progress,
        "exit_status": row.exit_status,
    }


def wire_mission(found: Shown) -> dict[str, Any]:
    from attrs import asdict

    state = found.state
    execution = state.execution
    verdict = state.verdict
    return {
        **wire_row(found.row),
        "version": state.version,
        "packet": state.packet.model_dump(mode="json"),
        "packet_digest": state.packet_digest,
        "policy": state.policy.model_dump(),
        "verdict": None
        if verdict is None
        else {"decision": verdict.decision, "gist": verdict.gist, "by": verdict.by},
        "execution": None
        if execution is None
        else {
            "execution_id": execution.execution_id,
            "runner_id": execution.runner_id,
            "scope": asdict(execution.scope.block_scope),
            "patience_seconds": execution.patience_seconds,
            "output_hash": execution.output_hash,
            "output_status": execution.output_status,
            "debrief_due": execution.debrief_due,
            "conformance": execution.conformance,
        },
        "gate": None if state.gate is None else state.gate.model_dump(mode="json"),
        "evidence": [each.model_dump() for each in state.attached],
        "candidate": None if state.candidate is None else dict(state.candidate),
        "landed_by": state.landed_by,
        "letters": [dict(row.letter) for row in found.letters],
    }


def wire_posted(posted: Posted) -> dict[str, Any]:
    state, letter = posted.state, posted.letter
    return {
        "mission_id": state.mission_id,
        "state": state.state.value,
        "phase": letter.phase,
        "mission_seq": letter.mission_seq,
        "letter_id": letter.letter_id,
        "deduped": posted.deduped,
        "version": state.version,
        "iteration": state.iteration,
        "packet_digest": state.packet_digest,
        "execution_id": state.execution.execution_id if state.execution is not None else "",
        "candidate_id": state.candidate_id,
    }


NEXT = {
    State.JUDGING: "m1nd missions post judge {id} --decision APPROVE, by somebody who did not write it",
    State.DISPATCHED: "m1nd missions post start {id} --execution {execution} --as agent:{runner}",
    State.MERGE_WAIT: "m1nd tray",
}


def _show_posted(console: Console, posted: Posted) -> None:
    from rich.text import Text

    state = posted.state
    console.print(
        Text.assemble(state.mission_id, " is ", (state.state.value, STYLES.get(state.state, "name")))
    )
    execution = state.execution
    if execution is not None and state.state is State.DISPATCHED:
        console.print(f"execution {execution.execution_id}, runner {execution.runner_id}")
    hint = NEXT.get(state.state)
    if state.state is State.JUDGING and state.approved:
        hint = "m1nd missions post dispatch {id} --runner AGENT"
    if hint:
        words = hint.format(
            id=state.mission_id,
            execution=execution.execution_id if execution else "",
            runner=execution.runner_id if execution else "",
        )
        console.print(f"next: {words}", soft_wrap=True)


def _show_list(console: Console, rows: Sequence[MissionRow], bell: int) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.render import one_line, table

    if not rows:
        console.print("no mission")
        return
    shown = table("mission", "state", "block", "runner", "what")
    for row in rows:
        state = Text(row.state.value, STYLES.get(row.state, "default"))
        shown.add_row(row.mission_id, state, row.block_id, row.runner_id, one_line(row.message)[:80])
    console.print(shown)
    if bell:
        console.print(f"\n{bell} wait for you: m1nd tray")


def _show_mission(console: Console, found: Shown) -> None:
    from m1nd.adapters.cli.render import facts, one_line

    state, row = found.state, found.row
    rows: list[tuple[str, Any]] = [
        ("mission", state.mission_id),
        ("state", f"{state.state.value} (version {state.version}, iteration {state.iteration})"),
        ("block", state.block_id),
        ("author", state.author),
        ("packet", f"{state.packet_digest[:12]}  {state.packet.mode}"),
        ("message", state.packet.message),
        ("retries", state.retries_of or "none"),
    ]
    if state.verdict is not None:
        rows.append(
            ("verdict", one_line(f"{state.verdict.decision} by {state.verdict.by}: {state.verdict.gist}"))
        )
    if state.execution is not None:
        run = state.execution
        scope = run.scope
        rows.append(("execution", f"{run.execution_id} by {run.runner_id}"))
        rows.append(("scope", f"boundary {scope.boundary_version}, contract {scope.contract_version}"))
    if state.gate is not None:
        rows.append(("gate", one_line(f"{state.gate.command}: exit status {state.gate.exit_status}")))
        rows.append(("artifact", state.gate.artifact_hash))
    rows += [("evidence", one_line(f"{each.as_ref} {each.summary}")) for each in state.attached]
    if state.candidate_id:
        rows.append(("candidate", state.candidate_id))
    if state.receipt_id:
        rows.append(("landed", f"{state.receipt_id} by {state.landed_by}"))
    if row.reason:
        rows.append(("reason", one_line(row.reason)))
    console.print(facts(rows))
    console.print(f"\n{len(found.letters)} letters, the last one: {found.letters[-1].letter_id}")
