"""`mission_post`, `mission_spawn`, `mission_sweep`: the acts of a mission, each through the closed table of its states.

An act takes the arguments of its row in `ACTS` and no others. What an agent writes is bounded, and secrets are taken out
of it, before anything is recorded (seed 001 §9).
"""

from collections.abc import Callable, Mapping
from typing import Any, Never, TypeVar

from attrs import evolve, frozen
from pydantic import ValidationError

from m1nd.application.brain import Brain
from m1nd.application.mission_views import LetterRow
from m1nd.application.use_cases.composing import complete
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.domain.blocks.block_state import BlockState
from m1nd.domain.commands import Actor, Command
from m1nd.domain.missions.gate import (
    EXCERPT,
    Evidence,
    GateReport,
    MissionScope,
    candidate_of_gate,
    composed,
)
from m1nd.domain.missions.hygiene import clean_text, display_name
from m1nd.domain.missions.mission import LONGEST_PATIENCE, PATIENCE, Mission
from m1nd.domain.missions.runners import Includes, MissionPacket, MissionPolicy
from m1nd.domain.missions.state import MissionState
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

CLOCK = Actor(kind="system", id="clock")
"""Who says that a deadline is over."""

TEXT = 2000
"""Characters of a gist, a question, an answer, a summary or a reason."""

PACKET = ("message", "mode", "includes", "effects")

ACTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "open": (("block_id", "message"), ("mode", "includes", "effects", "retries_of")),
    "judge": (("mission_id", "decision"), ("gist", "packet_digest", "approves_digest")),
    "revise": (("mission_id", "message"), ("mode", "includes", "effects")),
    "dispatch": (("mission_id", "runner_id"), ("patience_seconds", *PACKET)),
    "start": (("mission_id", "execution_id"), ()),
    "beat": (("mission_id", "execution_id"), ("progress",)),
    "ask": (("mission_id", "execution_id", "question"), ()),
    "reply": (("mission_id", "answer"), ()),
    "output": (("mission_id", "execution_id", "exit_status", "artifact_hash"), ("summary",)),
    "request_debrief": (("mission_id",), ()),
    "debrief": (("mission_id", "conformance"), ("summary",)),
    "open_gate": (("mission_id", "execution_id"), ()),
    "gate": (
        (
            "mission_id",
            "execution_id",
            "command",
            "exit_status",
            "artifact_hash",
            "started_at",
            "ended_at",
        ),
        ("cwd", "stdout_excerpt", "evidence_refs"),
    ),
    "ask_review": (("mission_id",), ()),
    "review": (("mission_id", "decision"), ("gist",)),
    "wait": (("mission_id",), ()),
    "fail": (("mission_id", "reason"), ("artifact_hash",)),
    "cancel": (("mission_id",), ("reason",)),
}
"""Each act: the arguments that it needs, and those that it may have. `expected_version` may stand beside any."""

Given = Mapping[str, Any]
V = TypeVar("V", bound=Value)


@frozen
class Posted:
    """How the mission stands after the act. `letter` is the head of its chain; `deduped` where the act wrote none."""

    state: MissionState
    letter: LetterRow
    deduped: bool


def post(brain: Brain, act: str, given: Given, actor: Actor | None = None) -> Posted:
    """Carry out one act of a mission for the brain's actor, or for the weaker seat that `actor` names.

    Raises Refused(usage) for an argument that the act does not take or lacks, Refused(unknown_mission |
    illegal_transition | wrong_author | …) as the act does; a refusal appends nothing but its own record.
    """
    brain.deny_if_read_only("mission_post")
    arguments = {"act": act, **{name: value for name, value in given.items() if value is not None}}

    def work() -> Posted:
        _check_arguments(act, arguments)
        sweep(brain)
        command = new_command(brain, "mission_post", arguments)
        command = command if actor is None else evolve(command, actor=actor)
        return _posted(brain, act, arguments, command)

    return answered(brain, "mission_post", arguments, work)


def sweep(brain: Brain) -> tuple[str, ...]:
    """Say of every executing mission whose deadline is over that it stalled; answers which."""
    now = brain.clock.now()
    due = brain.views.due_missions(now)
    if not due:
        return ()
    command = evolve(new_command(brain, "mission_sweep", {"mission_ids": list(due)}), actor=CLOCK)
    return brain.app.stall_missions(due, now, command)


def sweep_now(brain: Brain) -> tuple[str, ...]:
    """`mission_sweep`: the same, asked for. Raises Refused(read_only)."""
    brain.deny_if_read_only("mission_sweep")
    return sweep(brain)


def spawn(brain: Brain, runner_id: str, block_id: str, message: str) -> Never:
    """Have a runner start the work in a process of its own. Always Refused(no_runner): no runner is registered.

    The packet is checked like any other first, so that a wrong one is told as such.
    """
    brain.deny_if_read_only("mission_spawn")
    arguments = {"runner_id": runner_id, "block_id": block_id, "message": message, "mode": "spawn"}

    def work() -> None:
        _packet(block_id, arguments)
        refuse(
            "no_runner",
            f"no runner daemon is registered here, so {runner_id} cannot be started; nothing was opened",
            "m1nd missions post open, then dispatch it to an agent that works on it directly",
            runner_id=runner_id,
        )

    answered(brain, "mission_spawn", arguments, work)
    raise AssertionError("a spawn without a runner was not refused")


def _check_arguments(act: str, arguments: Given) -> None:
    """Raises Refused(usage), naming what the act lacks and what it does not take."""
    if act not in ACTS:
        refuse("usage", f"no act is called {act!r}", "m1nd help missions", act=act, acts=sorted(ACTS))
    needed, possible = ACTS[act]
    missing = [name for name in needed if arguments.get(name) in (None, "")]
    other = sorted(set(arguments) - {"act", "expected_version", *needed, *possible})
    if missing or other:
        parts = [f"needs {', '.join(missing)}"] if missing else []
        parts += [f"takes no {', '.join(other)}"] if other else []
        refuse(
            "usage", f"`{act}` {' and '.join(parts)}", "m1nd help missions", missing=missing, unknown=other
        )


def _posted(brain: Brain, act: str, given: Given, command: Command) -> Posted:
    before = brain.views.letters(str(given["mission_id"])) if act != "open" else ()
    if act == "open":
        state = _open(brain, given, command)
    else:
        state = brain.app.change_mission(
            str(given["mission_id"]),
            lambda mission: _STEPS[act](brain, mission, given, command),
            command,
            given.get("expected_version"),
        )
    after = brain.views.letters(state.mission_id)
    return Posted(state, after[-1], len(after) == len(before))


def _open(brain: Brain, given: Given, command: Command) -> MissionState:
    packet = _packet(str(given["block_id"]), given)
    _live_block(brain, packet.source_block)
    return brain.app.open_mission(
        f"msn_{brain.ids.hex(12)}",
        packet,
        MissionPolicy(propose_only=packet.mode == "clipboard"),
        display_name(brain.root),
        str(given.get("retries_of", "")),
        command,
    )


def _packet(block_id: str, given: Given) -> MissionPacket:
    """The packet of these arguments, cleaned. Raises Refused(usage) naming the first field that is wrong."""
    parts: dict[str, Any] = {"source_block": block_id, "message": clean_text(str(given["message"]))}
    if "mode" in given:
        parts["mode"] = given["mode"]
    if "effects" in given:
        parts["declared_effects"] = tuple(given["effects"])
    if "includes" in given:
        known = set(Includes.model_fields)
        if other := sorted(set(given["includes"]) - known):
            refuse(
                "usage",
                f"a packet includes {', '.join(sorted(known))}, not {', '.join(other)}",
                "m1nd help missions",
            )
        parts["includes"] = Includes(**{name: name in given["includes"] for name in known})
    return _valid(MissionPacket, parts)


def _valid(kind: type[V], parts: Mapping[str, Any]) -> V:
    try:
        return kind(**parts)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or kind.__name__
        refuse("usage", f"{place}: {first['msg']}", "m1nd help missions", field=place)


def _live_block(brain: Brain, block_id: str) -> BlockState:
    """The block as it is now. Raises Refused(unknown_block | block_archived)."""
    block = brain.app.block(block_id)
    if block is None:
        refuse(
            "unknown_block",
            f"unknown block_id {block_id}: no ratified block bears it",
            "m1nd blocks show",
            block_id=block_id,
        )
    block.require_live()
    return block


def _text(given: Given, name: str) -> str:
    return clean_text(str(given.get(name, "")))[:TEXT]


def _judge(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.state.require_packet(str(given.get("packet_digest", "")))
    approves = str(given.get("approves_digest", ""))
    mission.judge(given["decision"], _text(given, "gist"), approves, command)


def _revise(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.revise(_packet(mission.state.block_id, given), command)


def _dispatch(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    patience = int(given.get("patience_seconds", PATIENCE))
    if not 0 < patience <= LONGEST_PATIENCE:
        refuse("usage", f"patience_seconds is 1 to {LONGEST_PATIENCE:,}", field="patience_seconds")
    runner_id = str(given["runner_id"])
    if len(runner_id) > 200 or not runner_id.isprintable():
        refuse("usage", "runner_id is 1 to 200 printable characters", field="runner_id")
    block_id = mission.state.block_id
    packet = _packet(block_id, given) if "message" in given else None
    block = _live_block(brain, block_id)
    mission.dispatch(
        f"exe_{brain.ids.hex(12)}",
        runner_id,
        MissionScope.of(block.scope),
        block.version,
        patience,
        packet,
        command,
    )


def _start(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.start(str(given["execution_id"]), command)


def _beat(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.beat(str(given["execution_id"]), _text(given, "progress"), command)


def _ask(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.ask(str(given["execution_id"]), _text(given, "question"), command)


def _reply(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.reply(_text(given, "answer"), command)


def _output(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    hash = _hash(given)
    mission.land_output(
        str(given["execution_id"]), int(given["exit_status"]), hash, _text(given, "summary"), command
    )


def _request_debrief(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.request_debrief(command)


def _debrief(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.debrief(_text(given, "conformance"), _text(given, "summary"), command)


def _open_gate(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.open_gate(str(given["execution_id"]), command)


def _gate(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    excerpt = clean_text(str(given.get("stdout_excerpt", "")))
    report = _valid(
        GateReport,
        {
            "command": clean_text(str(given["command"])),
            "cwd": str(given.get("cwd", ".")),
            "exit_status": int(given["exit_status"]),
            "started_at": str(given["started_at"]),
            "ended_at": str(given["ended_at"]),
            "artifact_hash": _hash(given),
            "stdout_excerpt": excerpt.encode()[-EXCERPT:].decode(errors="ignore"),
            "evidence_refs": tuple(clean_text(str(ref)) for ref in given.get("evidence_refs", ())),
        },
    )
    state = mission.state
    if state.execution is not None:
        complete(composed(*_of_gate(brain, state, report)), command.at)
    mission.report_gate(str(given["execution_id"]), report, command)


def _ask_review(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.ask_review(command)


def _review(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    """An APPROVE makes the mission wait for the human in the same append."""
    mission.review(given["decision"], _text(given, "gist"), command)
    if given["decision"] == "APPROVE":
        _wait(brain, mission, given, command)


def _wait(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    state = mission.state
    state.gate_digest()
    assert state.gate is not None
    candidate = candidate_of_gate(*_of_gate(brain, state, state.gate))
    mission.wait(complete(candidate, command.at), command)


GateParts = tuple[str, MissionScope, GateReport, dict[str, str], tuple[Evidence, ...], tuple[str, ...]]


def _of_gate(brain: Brain, state: MissionState, gate: GateReport) -> GateParts:
    """What a candidate of that gate is made of: the dispatch's scope, the runner as its emitter, the contract's terms."""
    execution = state.running
    block = brain.app.block(state.block_id)
    slot = None if block is None else block.contract.slot("test")
    stales_on: tuple[str, ...] = ("member_change",) if slot is None else slot.stales_on
    emitter = {"kind": "runnerd", "id": execution.runner_id}
    return state.mission_id, execution.scope, gate, emitter, state.attached, stales_on


def _fail(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    hash = _hash(given) if given.get("artifact_hash") else ""
    mission.fail(_text(given, "reason"), hash, command)


def _cancel(brain: Brain, mission: Mission, given: Given, command: Command) -> None:
    mission.cancel(_text(given, "reason"), command)


def _hash(given: Given) -> str:
    """The sha256 of an artifact, also written `sha256:…`. Raises Refused(evidence_incomplete)."""
    text = str(given["artifact_hash"]).removeprefix("sha256:").lower()
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        refuse(
            "evidence_incomplete",
            "artifact_hash is no sha256 (64 hex digits)",
            field="artifact_hash",
        )
    return text


Step = Callable[[Brain, Mission, Given, Command], None]

_STEPS: Mapping[str, Step] = {
    "judge": _judge,
    "revise": _revise,
    "dispatch": _dispatch,
    "start": _start,
    "beat": _beat,
    "ask": _ask,
    "reply": _reply,
    "output": _output,
    "request_debrief": _request_debrief,
    "debrief": _debrief,
    "open_gate": _open_gate,
    "gate": _gate,
    "ask_review": _ask_review,
    "review": _review,
    "wait": _wait,
    "fail": _fail,
    "cancel": _cancel,
}
