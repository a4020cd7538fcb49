"""A move or an edit made inside a mission: its receipt becomes evidence, and the block that it changed is no foreign change."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.missions import MISSION, SHA

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.domain.base import Actor
from m1nd.domain.missions.states import State

PAPER, BLOCK = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"
MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
RUN = ("--as", "runner:rig-1")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    made.ask("blocks", "candidate")
    names = ("--rename", BLOCK, "Harbour", "--rename", PAPER, "Paper")
    made.ask("blocks", "edit", *names, "--contract", PAPER, "docs")
    for part in ("names", "boundaries", "contract"):
        line = ("blocks", "ratify", "--sign", part)
        made.stamp(made.ask(*line)[1]["error"]["details"]["challenge"])
        assert made.ask(*line)[0] == 0
    return made


def opened(door: Door) -> Brain:
    return open_brain(str(door.root), environment=door.environment)


def post(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("missions", "post", *line)
    assert (status, answer["ok"]) == (0, True), answer
    return dict(answer["data"])


def at_work(door: Door) -> tuple[str, str]:
    """A mission whose runner has begun, and its execution."""
    id = post(door, "open", "--block", BLOCK, "--message", "Move it home.", "--as", "agent:drafter")[
        "mission_id"
    ]
    post(door, "judge", id, "--decision", "APPROVE", "--as", "agent:critic")
    run = post(door, "dispatch", id, "--runner", "rig-1")["execution_id"]
    post(door, "start", id, "--execution", run, *RUN)
    return id, run


def to_the_human(door: Door, id: str, run: str) -> None:
    post(door, "output", id, "--execution", run, "--exit-status", "0", "--artifact-hash", SHA, *RUN)
    post(door, "open_gate", id, "--execution", run, *RUN)
    gate = (
        "--command", "cargo test", "--exit-status", "0", "--artifact-hash", SHA, "--started-at", "2026-05-01T12:00:00Z",
        "--ended-at", "2026-05-01T12:00:09Z",
    )  # fmt: skip
    post(door, "gate", id, "--execution", run, *gate, *RUN)
    post(door, "wait", id, *RUN)


def edited(door: Door, tmp_path: Path, *more: str) -> str:
    plan = tmp_path / "plan.json"
    line = {"start_line": 1, "end_line": 0, "text": "// tides\n"}
    plan.write_text(json.dumps({"files": [{"path": "src/berth.rs", "edits": [line]}]}))
    preview = door.ask("edit", "preview", str(plan))[1]["data"]["preview_id"]
    return str(door.ask("edit", "commit", preview, "--yes", "--verify", "none", *more)[1]["data"]["edit_id"])


def waiting(door: Door) -> dict[str, Any]:
    (entry,) = door.ask("tray", "--list")[1]["data"]["entries"]
    return dict(entry)


def test_a_move_inside_a_mission_is_evidence_and_the_mission_can_still_land(door: Door) -> None:
    id, run = at_work(door)
    moved = door.ask(*MOVE, "--mission", id)[1]["data"]
    assert [block["block_id"] for block in moved["receipt"]["blocks_touched"]] == [BLOCK]
    shown = door.ask("missions", "show", id)[1]["data"]
    (evidence,) = shown["evidence"]
    assert (evidence["kind"], evidence["ref"], evidence["summary"]) == (
        "transplant",
        moved["transplant_id"],
        moved["receipt"]["moved_symbol"],
    )
    assert shown["execution"]["scope"]["boundary_version"] == 2
    to_the_human(door, id, run)
    entry = waiting(door)
    assert f"transplant/{moved['transplant_id']}" in entry["candidate"]["evidence"]["evidence_refs"]
    assert (entry["scope_moved"], entry["changes"]) == ([], [])
    door.stamp(door.ask("land", id)[1]["error"]["details"]["challenge"])
    assert door.ask("land", id)[0] == 0
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_the_evidence_is_in_the_append_of_the_move(door: Door) -> None:
    id, _ = at_work(door)
    door.ask(*MOVE, "--mission", id)
    brain = opened(door)
    rows = brain.views.trail_tail(limit=50)
    (commit,) = (row.command_id for row in rows if row.topic == "transplant_committed")
    assert [row.command_id for row in rows if row.topic == "mission_evidence_attached"] == [commit]
    brain.close()


def test_a_move_outside_of_the_mission_moves_the_scope_under_it(door: Door) -> None:
    id, run = at_work(door)
    assert door.ask(*MOVE)[0] == 0
    to_the_human(door, id, run)
    assert waiting(door)["scope_moved"] == ["boundary"]
    assert door.ask("land", id)[1]["error"]["code"] == "scope_moved"


def test_a_write_inside_hides_no_foreign_change_from_before_it(door: Door, tmp_path: Path) -> None:
    id, run = at_work(door)
    assert door.ask(*MOVE)[0] == 0
    edited(door, tmp_path, "--mission", id)
    to_the_human(door, id, run)
    assert waiting(door)["scope_moved"] == ["boundary"]


def test_an_edit_inside_is_evidence_too_and_undoing_it_later_moves_the_scope(
    door: Door, tmp_path: Path
) -> None:
    id, run = at_work(door)
    edit_id = edited(door, tmp_path, "--mission", id)
    assert [e["ref"] for e in door.ask("missions", "show", id)[1]["data"]["evidence"]] == [edit_id]
    to_the_human(door, id, run)
    assert waiting(door)["scope_moved"] == []
    assert door.ask("undo", "--verify", "none")[0] == 0
    assert waiting(door)["scope_moved"] == ["boundary"]


@pytest.mark.parametrize(
    "mission, code",
    [(MISSION, "unknown_mission"), ("nonsense", "unknown_mission"), ("judging", "illegal_transition")],
)
def test_a_mission_that_may_not_have_the_move_refuses_it_before_a_byte_changes(
    door: Door, mission: str, code: str
) -> None:
    if mission == "judging":
        line = ("open", "--block", BLOCK, "--message", "x", "--as", "agent:drafter")
        mission = str(post(door, *line)["mission_id"])
    tree = door.tree()
    assert door.ask(*MOVE, "--mission", mission)[1]["error"]["code"] == code
    assert door.tree() == tree


def test_a_stranger_puts_nothing_into_a_mission(door: Door) -> None:
    from m1nd.application.use_cases.mission_work import require_at_work
    from m1nd.domain.refusal import Refused

    id, _ = at_work(door)
    stranger = Actor(kind="agent", id="passer-by")
    brain = open_brain(str(door.root), environment=door.environment, actor=stranger)
    with pytest.raises(Refused) as caught:
        require_at_work(brain, id)
    assert caught.value.refusal.code == "wrong_author"
    assert brain.app.require_mission(id).state is State.EXECUTING
    brain.close()
