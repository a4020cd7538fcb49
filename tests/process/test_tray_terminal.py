"""The tray on a real terminal: the full screen and the plain form, the stamp in between, and no colour where none is wanted."""

import os
import re
from pathlib import Path

import pytest
from tests.support.log import command
from tests.support.missions import MISSION, ratified_block, waiting_mission
from tests.support.pseudo_terminal import AtTerminal

from m1nd.adapters.bootstrap import open_brain
from m1nd.domain.missions.states import State

PROMPT = "anything else to leave: "
COLOUR = re.compile(r"\x1b\[[0-9;]*?(?:3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])(?:;[0-9;]*)?m")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "harbour"
    root.mkdir()
    brain = open_brain(str(root), environment=dict(os.environ))
    ratified_block(brain.app, command(1))
    waiting_mission(brain.app)
    brain.close()
    return root


def state(root: Path) -> State:
    brain = open_brain(str(root), environment=dict(os.environ))
    found = brain.app.require_mission(MISSION).state
    assert brain.views.check() == ()
    brain.close()
    return found


def digits(page: str) -> str:
    found = re.search(r"digest +([0-9a-f]{64})", page)
    assert found is not None, page
    return found[1][:8]


def test_the_full_screen_steps_aside_for_the_stamp_and_lands(root: Path) -> None:
    here = AtTerminal(root, ["--root", str(root), "tray"])
    here.read_until("gate green - receipt not landed")
    here.type("s")
    page = here.read_until(PROMPT)
    assert "action    land" in page
    here.type(f"{digits(page)}\n")
    here.read_until("the tray is empty")
    here.type("q")
    assert here.end() == 0
    assert state(root) is State.LANDED


def test_wrong_digits_leave_it_waiting_and_the_screen_comes_back(root: Path) -> None:
    here = AtTerminal(root, ["--root", str(root), "tray"])
    here.read_until("gate green - receipt not landed")
    here.type("s")
    here.read_until(PROMPT)
    here.type("00000000\n")
    here.read_until("stamp_mismatch")
    here.type("q")
    assert here.end() == 0
    assert state(root) is State.MERGE_WAIT


def test_no_colour_is_printed_where_none_is_wanted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    here = AtTerminal(root, ["--root", str(root), "tray"])
    here.read_until("command    cargo test")
    here.type("q")
    assert here.end() == 0
    assert COLOUR.findall(here.seen) == []


def test_the_plain_tray_asks_line_by_line(root: Path) -> None:
    here = AtTerminal(root, ["--root", str(root), "tray", "--plain"])
    assert "command    cargo test" in here.read_until("[q]uit? ")
    here.type("s\n")
    page = here.read_until(PROMPT)
    here.type(f"{digits(page)}\n")
    assert here.end() == 0
    assert f"{MISSION} landed: rcp_" in here.seen
    assert state(root) is State.LANDED


def test_a_dumb_terminal_gets_the_plain_tray(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    here = AtTerminal(root, ["--root", str(root), "tray"])
    here.read_until("[q]uit? ")
    here.type("q\n")
    assert here.end() == 0
    assert "\x1b" not in here.seen
    assert state(root) is State.MERGE_WAIT


def test_one_mission_is_landed_by_its_command(root: Path) -> None:
    here = AtTerminal(root, ["--root", str(root), "land", MISSION])
    page = here.read_until(PROMPT)
    here.type(f"{digits(page)}\n")
    assert here.end() == 0
    assert state(root) is State.LANDED
