"""The card on a real terminal: its colours, and the note that a human has seen it (D14, seed 000 §8)."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.support.missions import mission_at
from tests.support.pseudo_terminal import M1ND, AtTerminal

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.use_cases.ingest import ingest

SPINE, BELL, OFF = "\x1b[38;5;245m", "\x1b[38;5;179m", "\x1b[0m"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    (root / "src").mkdir(parents=True)
    (root / "src" / "tide.rs").write_text("pub fn height() {}\n")
    brain = open_brain(str(root.resolve()), environment={})
    ingest(brain)
    brain.app.save(mission_at("merge_wait"))
    brain.close()
    return root


def notes(root: Path) -> int:
    brain = open_brain(str(root.resolve()), environment={}, read_only=True)
    rows = brain.views.trail(topic="card_shown")
    brain.close()
    return len(rows)


def test_a_ringing_bell_has_its_colour_and_is_noted_as_seen(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "NO_UNICODE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    here = AtTerminal(root, ["card"])
    assert here.end() == 0
    bell = "1 mission(s) in merge_wait await the human landing — the tray is the door"
    assert here.seen.splitlines() == [
        f"{SPINE}m1nd │{OFF} full trust · 2 nodes",
        f"{SPINE}     │{OFF}{BELL} {bell}{OFF}",
    ]
    assert notes(root) == 1


def test_a_dumb_terminal_gets_no_colour_and_is_seen_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    here = AtTerminal(root, ["card", "--ascii"])
    assert here.end() == 0
    assert "\x1b" not in here.seen
    assert here.seen.isascii()
    assert notes(root) == 1


def test_a_read_only_attach_shows_and_notes_nothing(root: Path) -> None:
    here = AtTerminal(root, ["card", "--read-only"])
    assert here.end() == 0
    assert "merge_wait" in here.seen
    assert notes(root) == 0
    assert os.path.exists(root / ".m1nd" / "log.db")


def test_a_stream_that_cannot_say_the_spine_gets_the_other_skin(root: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    environment.pop("NO_UNICODE", None)
    done = subprocess.run(
        [*M1ND, "--root", str(root), "card"], check=True, capture_output=True, env=environment, timeout=60
    )
    assert done.stdout.decode("ascii").splitlines() == [
        "m1nd | full trust . 2 nodes",
        "     | 1 mission(s) in merge_wait await the human landing - the tray is the door",
    ]
