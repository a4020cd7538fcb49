"""Moves from several terminals, and moves that are stopped half-way: the tree and the log always agree (D45)."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.door import Door, harbour

M1ND = (sys.executable, "-c", "from m1nd.adapters.cli import main; main()")
MOVE = ("transplant", "move", "{}", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none", "--json")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    made.ask("ingest")
    return made


def start(door: Door, symbol: str) -> subprocess.Popen[str]:
    line = [part.format(symbol) for part in MOVE]
    return subprocess.Popen(
        [*M1ND, f"--root={door.root}", *line],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**door.environment},
    )


def homes(door: Door, symbol: str) -> list[str]:
    return [
        path
        for path, text in door.tree().items()
        if path in ("src/berth.rs", "src/draught.rs") and f"fn {symbol}(".encode() in text
    ]


def test_two_moves_at_once_end_as_if_one_had_waited(door: Door) -> None:
    both = {symbol: start(door, symbol) for symbol in ("clearance", "quay_left")}
    losers = []
    for symbol, process in both.items():
        out, err = process.communicate(timeout=120)
        assert err == ""
        answer = json.loads(out)
        if not answer["ok"]:
            assert answer["error"]["code"] in ("source_modified", "busy", "write_conflict"), answer
            assert answer["error"]["retryable"] is True
            assert homes(door, symbol) == ["src/berth.rs"]
            losers.append(symbol)
    assert len(losers) < 2
    for symbol in losers:
        status, answer = door.ask(*(part.format(symbol) for part in MOVE))
        assert status == 0, answer
    assert homes(door, "clearance") == homes(door, "quay_left") == ["src/draught.rs"]
    assert door.ask("audit", "verify")[0] == 0
    stages = [move["stage"] for move in door.ask("transplant", "list")[1]["data"]["moves"]]
    assert stages.count("committed") == 2


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_move_that_is_stopped_leaves_the_old_tree_or_the_new_one(
    door: Door, number: signal.Signals
) -> None:
    old = door.tree()
    whole = start(door, "clearance")
    whole.communicate(timeout=120)
    new = door.tree()
    assert door.ask("undo", "--verify", "none")[0] == 0
    ends = set()
    for step in range(12):
        assert door.tree() == old
        process = start(door, "clearance")
        try:
            process.wait(0.2 + step * 0.07)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        said = process.communicate(timeout=60)
        # Negative: so early that the interpreter had not come to our code.
        assert process.returncode in (0, 128 + number, -number), (step, said)
        committed = (
            door.ask("transplant", "list", "--limit", "1")[1]["data"]["moves"][0]["stage"] == "committed"
        )
        ends.add(process.returncode)
        assert door.tree() == (new if committed else old), step
        if committed:
            assert door.ask("undo", "--verify", "none")[0] == 0
    assert 128 + number in ends
    assert door.ask("audit", "verify")[0] == 0
    assert door.ask("projections", "rebuild", "--check")[0] == 0
