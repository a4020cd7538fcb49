"""`m1nd missions …` and `m1nd tray --list` as they are typed: acts, lists, letters, refusals; and nothing appended by a no."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.log import START, command
from tests.support.missions import (
    BLOCK,
    EXECUTION,
    HUMAN,
    RUNNER,
    SHA,
    mission_at,
    ratified_block,
    report,
    scope_of,
)

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.missions import ACTS, post
from m1nd.application.use_cases.tray import tray
from m1nd.domain.base import Actor
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import Refused

GATE = (
    "--command", "cargo test", "--exit-status", "0", "--artifact-hash", f"sha256:{SHA}", "--started-at",
    "2026-05-01T12:00:00Z", "--ended-at", "2026-05-01T12:00:09Z", "--excerpt", "441 passed",
)  # fmt: skip


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    brain = open_brain(str(made.root), environment=made.environment)
    ratified_block(brain.app, command(1))
    brain.close()
    return made


def did(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("missions", "post", *line)
    assert (status, answer["ok"]) == (0, True), answer
    return dict(answer["data"])


def said_no(door: Door, *line: str) -> str:
    status, answer = door.ask(*line)
    assert not answer["ok"], answer
    assert status != 0
    return str(answer["error"]["code"])


def opened(door: Door, *more: str) -> str:
    line = ("open", "--block", BLOCK, "--message", "Round the heights.", "--as", "agent:drafter", *more)
    return str(did(door, *line)["mission_id"])


def dispatched(door: Door) -> tuple[str, str]:
    """A mission at its runner, and the execution."""
    id = opened(door)
    did(door, "judge", id, "--decision", "approve", "--gist", "clear")
    return id, did(door, "dispatch", id, "--runner", "rig-1", "--as", "agent:drafter")["execution_id"]


def waiting(door: Door) -> str:
    id, execution = dispatched(door)
    run = ("--execution", execution, "--as", "runner:rig-1")
    did(door, "start", id, *run)
    did(door, "output", id, *run, "--exit-status", "0", "--artifact-hash", SHA)
    did(door, "open_gate", id, *run)
    did(door, "gate", id, *run, *GATE)
    did(door, "wait", id, "--as", "runner:rig-1")
    return id


def test_a_mission_goes_its_way_and_the_bell_rings_the_moment_it_waits(door: Door) -> None:
    assert door.ask("missions", "list")[1]["data"]["landing_bell"] == 0
    id = waiting(door)
    listed = door.ask("missions", "list")[1]["data"]
    assert listed["landing_bell"] == 1
    assert [(m["mission_id"], m["state"]) for m in listed["missions"]] == [(id, "merge_wait")]
    assert [(p["agent"], p["status"], p["outcome_ref"]) for p in listed["pins"]] == [
        ("rig-1", "output_landed", SHA)
    ]
    shown = door.ask("missions", "show", id)[1]["data"]
    assert [letter["phase"] for letter in shown["letters"]][-1] == "merge_wait"
    assert shown["candidate"]["scope"]["boundary_version"] == 1
    assert shown["candidate"]["emitter"] == {"kind": "runnerd", "id": "rig-1"}
    assert shown["candidate"]["validity"] == {"expires_on": None, "stales_on": ["member_change"]}
    entries = door.ask("tray", "--list")[1]["data"]["entries"]
    assert [(e["mission_id"], e["line"], e["scope_moved"]) for e in entries] == [
        (id, "gate green - receipt not landed", [])
    ]
    assert door.ask("projections", "rebuild", "--check")[0] == 0
    status = door.ask("status")[1]["data"]
    assert (status["landing_bell"], status["missions_at_work"]) == (1, 0)
    assert "1 mission waiting for you: `m1nd tray`" in door.say("status")[1]


def test_an_act_takes_its_own_arguments_and_names_what_is_missing_or_too_much(door: Door) -> None:
    status, answer = door.ask("missions", "post", "open", "--message", "x", "--gist", "y")
    assert (status, answer["error"]["code"]) == (2, "usage")
    assert answer["error"]["details"] == {"missing": ["block_id"], "unknown": ["gist"]}


@pytest.mark.parametrize("act", sorted(ACTS))
def test_every_act_is_refused_for_a_mission_that_is_not_there(door: Door, act: str) -> None:
    brain = open_brain(str(door.root), environment=door.environment)
    values: dict[str, Any] = {
        "block_id": "sb_harbour_nowhere", "message": "x", "mission_id": "msn_ffffffffffff", "decision": "APPROVE",
        "exit_status": 0, "artifact_hash": SHA,
    }  # fmt: skip
    given = {name: values.get(name, "x") for name in ACTS[act][0]}
    with pytest.raises(Refused) as caught:
        post(brain, act, given)
    assert caught.value.refusal.code == ("unknown_block" if act == "open" else "unknown_mission")
    brain.close()


def test_a_no_appends_its_own_record_and_nothing_else(door: Door) -> None:
    id = opened(door)
    before = door.ask("missions", "show", id)[1]["data"]
    assert (
        said_no(door, "missions", "post", "judge", id, "--decision", "APPROVE", "--as", "agent:drafter")
        == "wrong_author"
    )
    assert said_no(door, "missions", "post", "dispatch", id, "--runner", "rig-1") == "not_approved"
    assert (
        said_no(door, "missions", "post", "start", id, "--execution", "exe_0", "--as", "runner:rig-1")
        == "illegal_transition"
    )
    assert (
        said_no(door, "missions", "post", "judge", id, "--decision", "APPROVE", "--expected-version", "9")
        == "stale_head"
    )
    assert (
        said_no(door, "missions", "post", "judge", id, "--decision", "APPROVE", "--packet-digest", "f" * 64)
        == "packet_mismatch"
    )
    assert door.ask("missions", "show", id)[1]["data"] == before
    topics = [event["topic"] for event in door.ask("log", "--limit", "5")[1]["data"]["events"]]
    assert topics == ["command_refused"] * 5


@pytest.mark.parametrize(
    "more",
    [("--runner", "rig\u202e1"), ("--runner", "r" * 201), ("--runner", "rig-1", "--message", "x" * 4097)],
)
def test_what_a_dispatch_may_not_hold_is_refused(door: Door, more: tuple[str, ...]) -> None:
    id = opened(door)
    did(door, "judge", id, "--decision", "approve")
    assert said_no(door, "missions", "post", "dispatch", id, *more) == "usage"


@pytest.mark.parametrize("seat", ["owner:ada", "system:clock", "ci:build", "agent:", "drafter"])
def test_only_a_weaker_seat_can_be_put_on(door: Door, seat: str) -> None:
    line = ("missions", "post", "open", "--block", BLOCK, "--message", "x", "--as", seat)
    assert said_no(door, *line) == "usage"


@pytest.mark.parametrize(
    "change, code",
    [
        (("--evidence", "/etc/passwd"), "evidence_incomplete"),
        (("--started-at", "2026-05-01T12:00:09Z"), "time_incoherent"),
        (("--ended-at", "2126-05-01T12:00:09Z"), "time_incoherent"),
        (("--ended-at", "yesterday, at about noon"), "time_incoherent"),
        (("--cwd", "/tmp"), "outside_root"),
        (("--artifact-hash", "nonsense"), "evidence_incomplete"),
        (("--command", ""), "usage"),
    ],
)
@pytest.mark.parametrize("colour", ["0", "1"])
def test_a_gate_that_no_receipt_could_come_of_is_no_gate_green_or_red(
    door: Door, change: tuple[str, ...], code: str, colour: str
) -> None:
    id, execution = dispatched(door)
    run = ("--execution", execution, "--as", "runner:rig-1")
    did(door, "start", id, *run)
    did(door, "output", id, *run, "--exit-status", "0", "--artifact-hash", SHA)
    did(door, "open_gate", id, *run)
    line = ("missions", "post", "gate", id, *run, *GATE, "--exit-status", colour, *change)
    assert said_no(door, *line) == code
    assert door.ask("missions", "show", id)[1]["data"]["state"] == "gate"


def test_no_secret_stays_of_what_a_mission_is_told(door: Door, tmp_path: Path) -> None:
    secret = "token=abcdef0123456789abcdef"
    id = did(door, "open", "--block", BLOCK, "--message", f"with {secret}", "--as", "agent:drafter")[
        "mission_id"
    ]
    did(door, "judge", id, "--decision", "APPROVE", "--gist", secret)
    execution = did(door, "dispatch", id, "--runner", "rig-1", "--as", "agent:drafter")["execution_id"]
    run = ("--execution", execution, "--as", "runner:rig-1")
    did(door, "start", id, *run)
    did(door, "beat", id, *run, "--progress", secret)
    did(door, "ask", id, *run, "--question", secret)
    did(door, "reply", id, "--answer", secret, "--as", "agent:drafter")
    did(door, "output", id, *run, "--exit-status", "0", "--artifact-hash", SHA, "--summary", secret)
    did(door, "debrief", id, "--conformance", secret, "--summary", secret, "--as", "runner:rig-1")
    did(door, "open_gate", id, *run)
    told = (
        "--command",
        f"cargo test --{secret}",
        "--excerpt",
        secret,
        "--evidence",
        f"https://ci.example/?{secret}",
    )
    did(door, "gate", id, *run, *GATE, *told)
    did(door, "wait", id, "--as", "runner:rig-1")
    log = tmp_path / "log.jsonl"
    door.ask("log", "export", str(log))
    assert "abcdef0123456789abcdef" not in log.read_text()
    assert "[redacted:" in log.read_text()


def test_a_red_gate_fails_and_only_a_failed_mission_is_taken_up_again(door: Door) -> None:
    id, execution = dispatched(door)
    run = ("--execution", execution, "--as", "runner:rig-1")
    again = ("missions", "post", "open", "--block", BLOCK, "--message", "Again.", "--retries", id)
    assert said_no(door, *again) == "illegal_transition"
    did(door, "start", id, *run)
    did(door, "output", id, *run, "--exit-status", "0", "--artifact-hash", SHA)
    did(door, "open_gate", id, *run)
    red = [*GATE]
    red[3] = "101"
    assert did(door, "gate", id, *run, *red)["state"] == "failed"
    assert (
        door.ask("tray", "--list")[1]["data"]["entries"][0]["line"] == "the gate ended with exit status 101"
    )
    new = str(did(door, *again[2:])["mission_id"])
    listed = {m["mission_id"]: m for m in door.ask("missions", "list")[1]["data"]["missions"]}
    assert (listed[new]["retries_of"], listed[id]["retried_by"]) == (id, new)
    assert [e["mission_id"] for e in door.ask("tray", "--list")[1]["data"]["entries"]] == [new]


def test_no_mission_of_a_block_that_is_not_there_or_archived(door: Door) -> None:
    line = ("missions", "post", "open", "--message", "x", "--block")
    assert said_no(door, *line, "sb_harbour_nowhere") == "unknown_block"
    assert said_no(door, *line, "tides") == "usage"
    brain = open_brain(str(door.root), environment=door.environment)
    block = brain.app._block(BLOCK)
    block.archive("stp_2", command(3))
    brain.app.save(block)
    brain.close()
    assert said_no(door, *line, BLOCK) == "block_archived"


def test_a_spawn_answers_that_there_is_no_runner_and_opens_nothing(door: Door) -> None:
    assert said_no(door, "missions", "spawn", "rig-1", BLOCK, "Round the heights.") == "no_runner"
    assert door.ask("missions", "list")[1]["data"]["missions"] == []


def test_what_was_done_to_the_block_since_the_dispatch_is_shown_and_a_moved_scope_is_named(
    door: Door,
) -> None:
    id = waiting(door)
    brain = open_brain(str(door.root), environment=door.environment)
    block = brain.app._block(BLOCK)
    block.bump_boundary("transplant", block.state.baseline, command(3), touched=("src/tide.rs",))
    brain.app.save(block)
    (entry,) = tray(brain).entries
    assert (entry.row.mission_id, entry.scope_moved) == (id, ("boundary",))
    assert entry.changes == ("boundary 1 > 2 by transplant: ~src/tide.rs",)
    assert entry.line == "scope moved (boundary): cannot land"
    brain.close()


class Clock:
    """A clock that a test moves."""

    def __init__(self, brain: Brain) -> None:
        self.now_is = brain.clock.now()

    def now(self) -> Any:
        return self.now_is


@pytest.fixture
def brain(door: Door) -> Iterator[tuple[Brain, Clock]]:
    first = open_brain(str(door.root), environment=door.environment)
    clock = Clock(first)
    first.close()
    made = open_brain(str(door.root), environment=door.environment, clock=clock)
    yield made, clock
    made.close()


def test_silence_past_the_patience_is_a_stall_and_a_day_of_it_stagnant(brain: tuple[Brain, Clock]) -> None:
    opened_brain, clock = brain
    rig, drafter = Actor(kind="runner", id="rig-1"), Actor(kind="agent", id="drafter")
    id = post(opened_brain, "open", {"block_id": BLOCK, "message": "x"}, drafter).state.mission_id
    post(opened_brain, "judge", {"mission_id": id, "decision": "APPROVE"})
    given = {"mission_id": id, "runner_id": "rig-1", "patience_seconds": 60}
    run = post(opened_brain, "dispatch", given, drafter).state.running.execution_id
    post(opened_brain, "start", {"mission_id": id, "execution_id": run}, rig)
    clock.now_is += timedelta(seconds=59)
    post(opened_brain, "beat", {"mission_id": id, "execution_id": run, "progress": "half way"}, rig)
    clock.now_is += timedelta(seconds=59)
    assert opened_brain.views.due_missions(clock.now()) == []
    clock.now_is += timedelta(seconds=1)
    assert opened_brain.views.due_missions(clock.now()) == [id]
    (entry,) = tray(opened_brain).entries
    assert (entry.row.state, entry.stagnant) == (State.EXECUTING, False)
    clock.now_is += timedelta(hours=24)
    assert tray(opened_brain).entries[0].stagnant
    other = post(opened_brain, "open", {"block_id": BLOCK, "message": "y"}, drafter).state.mission_id
    assert opened_brain.app.require_mission(id).state is State.STALLED
    stall = opened_brain.views.trail_tail(topic="mission_stalled")[-1]
    assert (stall.actor_kind, stall.actor_id) == ("system", "clock")
    assert [e.row.mission_id for e in tray(opened_brain).entries] == [other, id]
    assert (
        post(opened_brain, "beat", {"mission_id": id, "execution_id": run}, rig).state.state
        is State.EXECUTING
    )


def test_the_tray_has_failures_first_then_the_newest_and_leaves_out_what_ended_well(
    brain: tuple[Brain, Clock],
) -> None:
    app = brain[0].app
    scope = scope_of(app)
    ids = [f"msn_{number:012x}" for number in range(4)]
    for id, step in zip(ids, ("executing", "gate", "merge_wait", "merge_wait"), strict=True):
        app.save(mission_at(step, id, scope))
    app.change_mission(
        ids[1], lambda m: m.report_gate(EXECUTION, report(1), command(50, actor=RUNNER)), command(50)
    )
    app.change_mission(
        ids[3], lambda m: m.archive("stp_1", "", 1, command(51, actor=HUMAN)), command(51, actor=HUMAN)
    )
    found = tray(brain[0])
    assert [(e.row.mission_id, e.row.state) for e in found.entries] == [
        (ids[1], State.FAILED),
        (ids[2], State.MERGE_WAIT),
        (ids[0], State.EXECUTING),
    ]
    assert found.landing_bell == 1


@pytest.mark.parametrize(
    "step, hours, stagnant",
    [
        ("judging", 24, True),
        ("executing", 24, True),
        ("judging", 23, False),
        ("merge_wait", 48, False),
        ("gate", 48, False),
    ],
)
def test_only_what_is_at_work_grows_stagnant_after_a_day(
    brain: tuple[Brain, Clock], step: str, hours: int, stagnant: bool
) -> None:
    brain[0].app.save(mission_at(step, scope=scope_of(brain[0].app)))
    (entry,) = tray(brain[0], START + timedelta(hours=hours, seconds=1 if stagnant else 0)).entries
    assert (entry.stagnant, entry.age_seconds >= hours * 3600 - 60) == (stagnant, True)
