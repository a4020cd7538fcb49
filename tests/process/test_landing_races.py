"""Two real processes at one waiting mission: whatever they do to it or to its block, exactly one of them comes first."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.log import command
from tests.support.missions import MISSION, ratified_block, waiting_mission
from tests.support.pseudo_terminal import M1ND
from tests.support.stamps import give

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases import landing
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import Refused

PAPER, SIGNED = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"
MOVE_THE_BLOCK = """
import os, sys
from datetime import UTC, datetime
from tests.support.missions import BLOCK
from m1nd.adapters.bootstrap import open_brain
from m1nd.application.use_cases.requests import new_command

brain = open_brain(sys.argv[1], environment=dict(os.environ))
command = new_command(brain, "system_blocks_reconcile", {})

def work():
    block, head = brain.app._block(BLOCK), brain.app._map(command)
    block.bump_boundary("reconcile", block.state.baseline, command, touched=("src/tide.rs",))
    head.advance("system_blocks_reconcile", command)
    return [block, head]

sys.stdin.readline()
brain.app._append(command, work)
print("{}")
"""
"""What a reconcile appends, without the look at the tree before it, so that both processes reach the append together."""

LOST = (["mission_not_merge_wait"], ["human_gesture_required"])
"""How the loser hears of it: after the winner, or while it looked (then the page is another one than was stamped)."""

OVERTAKEN = ("scope_moved", "human_gesture_required")
"""How a landing hears that its block moved: between its look and its append, or before its look (another page)."""

ACT = """
import json, os, sys
from m1nd.adapters.bootstrap import open_brain
from m1nd.application.use_cases import landing
from m1nd.domain.refusal import Refused

brain = open_brain(sys.argv[1], environment=dict(os.environ))
brain.app.log_head()
sys.stdin.readline()
try:
    getattr(landing, sys.argv[2])(brain, sys.argv[3])
    print("{}")
except Refused as refused:
    print(json.dumps({"code": refused.refusal.code}))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    root.mkdir()
    brain = opened(root)
    ratified_block(brain.app, command(1))
    brain.close()
    return root


def opened(root: Path) -> Brain:
    return open_brain(str(root), environment=dict(os.environ))


def stamped(brain: Brain, id: str, *acts: str) -> None:
    """The human has given a stamp for each of these acts."""
    for act in acts:
        try:
            getattr(landing, act)(brain, id)
        except Refused as refused:
            give(brain, refused.refusal.details["challenge"])


def both(root: Path, *programs: tuple[str, ...]) -> list[dict[str, Any]]:
    """Start the programs, let them open the log, and let them go at once; what each of them printed."""
    place = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{place / 'src'}{os.pathsep}{place}"}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(root), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        for program, *arguments in programs
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60)[0] for process in started]
    assert [process.returncode for process in started] == [0] * len(started)
    return [json.loads(answer) for answer in answers]


@pytest.mark.slow
@pytest.mark.parametrize("round", range(4))
def test_landing_and_archiving_at_once_have_one_winner(root: Path, round: int) -> None:
    brain = opened(root)
    waiting_mission(brain.app)
    stamped(brain, MISSION, "land", "archive")
    answers = both(root, (ACT, "land", MISSION), (ACT, "archive", MISSION))
    lost = [answer["code"] for answer in answers if answer]
    assert lost in LOST
    state = brain.app.require_mission(MISSION).state
    assert state is (State.ARCHIVED if answers[0] else State.LANDED)
    assert len(brain.views.receipts()) == (state is State.LANDED)
    assert brain.views.check() == ()
    brain.close()


@pytest.mark.slow
@pytest.mark.parametrize("round", range(4))
def test_landing_twice_at_once_lands_once(root: Path, round: int) -> None:
    brain = opened(root)
    waiting_mission(brain.app)
    stamped(brain, MISSION, "land")
    answers = both(root, (ACT, "land", MISSION), (ACT, "land", MISSION))
    lost = [answer["code"] for answer in answers if answer]
    assert lost in LOST
    assert len(brain.views.receipts()) == 1
    assert brain.views.check() == ()
    brain.close()


@pytest.mark.slow
@pytest.mark.parametrize("round", range(4))
def test_a_landing_and_a_block_that_moves_at_once_leave_no_receipt_of_an_older_version_alive(
    root: Path, round: int
) -> None:
    brain = opened(root)
    waiting_mission(brain.app)
    stamped(brain, MISSION, "land")
    landed, moved = both(root, (ACT, "land", MISSION), (MOVE_THE_BLOCK,))
    assert moved == {}
    topics = [row.topic for row in brain.views.trail_tail(limit=200)]
    if landed:
        assert landed["code"] in OVERTAKEN
        assert "receipt_imported" not in topics
        assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT
    else:
        assert topics.index("receipt_imported") < topics.index("boundary_bumped")
        assert brain.app.require_mission(MISSION).state is State.LANDED
    brain.close()


@pytest.mark.slow
@pytest.mark.parametrize("first", ["land", "move"])
def test_a_landing_and_a_move_by_command_at_once_leave_no_live_receipt_of_an_older_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], first: str
) -> None:
    """Two real command lines on a signed map; whichever comes first, the block's receipts are of the block as it is."""
    door = harbour(tmp_path, capsys, dict(os.environ))
    sign(door)
    brain = opened(door.root)
    waiting_mission(brain.app, block_id=SIGNED)
    stamped(brain, MISSION, "land")
    move = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    lines = [("land", MISSION), move] if first == "land" else [move, ("land", MISSION)]
    started = [
        subprocess.Popen(
            [*M1ND, "--root", str(door.root), "--json", *line],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            env=door.environment,
        )
        for line in lines
    ]
    answers = {
        line[0]: json.loads(each.communicate(timeout=120)[0])
        for line, each in zip(lines, started, strict=True)
    }
    assert answers["transplant"]["ok"], answers
    landed = answers["land"]
    scope = brain.app.block(SIGNED)
    assert scope is not None
    tests = [row for row in brain.views.receipts(SIGNED) if row.type == "test"]
    if landed["ok"]:
        assert [row.stage for row in tests] == ["staled"]
        assert brain.app.require_mission(MISSION).state is State.LANDED
    else:
        assert landed["error"]["code"] in OVERTAKEN
        assert tests == []
        assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT
    assert brain.views.check() == ()
    brain.close()


def sign(door: Door) -> None:
    """A signed map of the harbour."""
    door.ask("blocks", "candidate")
    names = ("--rename", SIGNED, "Harbour", "--rename", PAPER, "Paper")
    door.ask("blocks", "edit", *names, "--contract", PAPER, "docs")
    for part in ("names", "boundaries", "contract"):
        line = ("blocks", "ratify", "--sign", part)
        door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
        assert door.ask(*line)[0] == 0


def test_a_landing_by_command_line_without_a_terminal_is_refused_with_the_command_for_the_human(
    root: Path,
) -> None:
    brain = opened(root)
    waiting_mission(brain.app)
    line = [*M1ND, "--root", str(root), "--json", "land", MISSION]
    done = subprocess.run(line, input="", capture_output=True, text=True, timeout=60, check=False)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (4, "human_gesture_required")
    assert error["hint"].startswith("m1nd stamp stp_")
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT
    brain.close()
