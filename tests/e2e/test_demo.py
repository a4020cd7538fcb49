"""`m1nd demo`: the whole story, told to the end, with cargo and without (issue: the demo exits non-zero if a step is wrong)."""

import os
import shutil
from pathlib import Path

import pytest
from tests.support.door import Door

from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.program import run
from m1nd.adapters.demo import story
from m1nd.adapters.demo.crate_copy import bundled

TITLES = [
    "Read the crate",
    "Ask where you stand",
    "Find the function",
    "Be refused",
    "Preview the move",
    "Carry it out",
    "Let the compiler judge",
    "Let the tests judge",
    "Draw the map",
    "Sign it",
    "Delegate a piece of work",
    "Work inside the mission",
    "Let the gate speak",
    "Hear the bell",
    "Land it",
    "See it age",
    "Audit the log",
    "Fold it again",
]


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return Door(tmp_path, capsys, dict(os.environ))


def without_cargo(tmp_path: Path) -> dict[str, str]:
    """An environment in which git is the only tool."""
    tools = tmp_path / "tools"
    tools.mkdir()
    git = shutil.which("git")
    if git is not None:
        (tools / "git").symlink_to(git)
    return {**os.environ, "PATH": str(tools)}


@pytest.mark.cargo
def test_the_story_ends_well_with_cargo_as_the_judge(door: Door) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("no Rust toolchain")
    status, answer = door.ask("demo")
    data = answer["data"]
    assert (status, data["ok"], data["cargo"], data["folder"]) == (0, True, True, None)
    assert [step["title"] for step in data["steps"]] == TITLES
    assert [step["exit"] for step in data["steps"]] == [0, 0, 0, 1, *[0] * 14]


def test_the_story_is_told_without_cargo_and_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept"
    call = Call(environment=without_cargo(tmp_path))
    assert run(["demo", "--into", str(kept)], call) == 0
    out = capsys.readouterr().out
    assert "$ m1nd transplant preview clearance src/berth.rs src/channel.rs" in out
    assert "[collision]" in out
    assert "cargo is not installed here: no compiler" in out
    assert "cargo test" not in out
    for line in (
        "1 of 3: Names",
        "exit       0",
        "command    m1nd audit verify",
        "    action    land",
        "bell",
        "staled",
    ):
        assert line in out, line
    moved = {path: (kept / path).read_bytes() for path in bundled()}
    assert b"pub fn clearance(" in moved["src/draught.rs"]
    assert b"pub fn clearance(" not in moved["src/berth.rs"]
    assert {path for path, text in moved.items() if text != bundled()[path]} == story.MOVED


def test_a_wrong_step_ends_the_story_with_a_non_zero_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "TAKEN", "src/tide.rs")
    call = Call(environment=without_cargo(tmp_path))
    assert run(["demo", "--json"], call) == 1
    assert call.answer is not None
    assert [step["ok"] for step in call.answer.data["steps"]] == [True, True, True, False]
    assert call.answer.data["ok"] is False


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, door: Door) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    status, answer = door.ask("demo", "--into", str(tmp_path))
    assert (status, answer["error"]["code"]) == (2, "usage")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
