"""`m1nd clean` and `m1nd forget`: what is thrown away, what stays, and what must be asked first."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    found = harbour(tmp_path, capsys, dict(os.environ))
    found.ask("ingest")
    return found


def refused(door: Door, *line: str) -> tuple[int, str]:
    status, answer = door.ask(*line)
    return status, answer["error"]["code"]


def done(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert status == 0, answer
    return dict(answer["data"])


def test_caches_are_made_again_and_the_log_stays(door: Door) -> None:
    before, head = done(door, "search", "clearance"), done(door, "audit", "seal")
    freed = done(door, "clean")["freed"]
    assert (freed["graph"] > 0, freed["views"] > 0, freed["journal"]) == (True, True, 0)
    assert not [name for name in os.listdir(door.root / ".m1nd") if name.startswith(("graph.", "views.db-"))]
    assert done(door, "search", "clearance") == before
    assert done(door, "audit", "seal") == head
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_the_end_of_undo_is_confirmed_or_avoided(door: Door) -> None:
    before = door.tree()
    done(door, *MOVE)
    assert refused(door, "clean") == (1, "confirm_required")
    done(door, "clean", "--keep-undo")
    done(door, "undo", "--verify", "none")
    assert door.tree() == before
    done(door, *MOVE)
    moved = door.tree()
    assert done(door, "clean", "--yes")["freed"]["journal"] > 0
    status, answer = door.ask("undo", "--verify", "none")
    assert (status, answer["error"]["code"]) != (70, "bug")
    assert not answer["ok"]
    assert door.tree() == moved


def test_what_a_crash_cut_off_is_no_ended_write(door: Door) -> None:
    cut_off = door.root / ".m1nd" / "journal" / "tra_00000000.open"
    cut_off.mkdir(parents=True)
    assert done(door, "clean", "--yes")["freed"]["journal"] == 0


def test_forgetting_needs_the_stamp_and_leaves_the_repository_alone(door: Door) -> None:
    tree = door.tree()
    status, answer = door.ask("forget")
    assert (status, answer["error"]["code"]) == (4, "human_gesture_required")
    challenge = answer["error"]["details"]["challenge"]
    assert answer["error"]["hint"] == f"m1nd stamp {challenge}"
    assert (door.root / ".m1nd" / "log.db").exists()
    done(door, "memory", "add", "Something happened meanwhile.")
    door.stamp(challenge)
    assert done(door, "forget")["events"] > 3
    assert not [name for name in os.listdir(door.root) if name.startswith(".m1nd")]
    assert door.tree() == tree
    assert refused(door, "forget") == (1, "not_found")
    assert not (door.root / ".m1nd").exists()
    assert door.ask("ingest")[1]["graph_rev"] == 1


def test_a_stamp_for_one_log_forgets_no_other(door: Door, tmp_path: Path) -> None:
    door.stamp(door.ask("forget")[1]["error"]["details"]["challenge"])
    other = harbour(tmp_path / "other", door.capsys, door.environment)
    other.ask("ingest")
    assert refused(other, "forget") == (4, "human_gesture_required")


def test_a_state_folder_that_is_a_link_is_not_followed(door: Door, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    (door.root / ".m1nd").rename(kept)
    (door.root / ".m1nd").symlink_to(kept)
    door.stamp(door.ask("forget")[1]["error"]["details"]["challenge"])
    assert refused(door, "forget")[1] == "outside_root"
    assert (kept / "log.db").exists()
