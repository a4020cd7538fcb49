"""Places that are not as they should be: no repository, no manifest, a folder or disk that cannot be written."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.door import Door, harbour

MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def in_folder(door: Door, folder: Path) -> Door:
    folder.mkdir(exist_ok=True)
    return Door(folder, door.capsys, door.environment)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of 260 KiB; skipped where it cannot be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=260k", "tmpfs", str(place)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    yield place
    # Lazily: a connection that could not be opened whole is closed only when its error is forgotten.
    subprocess.run(["umount", "-l", str(place)], check=True)


def leave_room(place: Path, pages: int) -> None:
    """Fill the disk but for so many pages of 4 KiB, where no test looks."""
    (place / "target").mkdir()
    ballast = place / "target" / "ballast"
    with ballast.open("wb", buffering=0) as handle, contextlib.suppress(OSError):
        while True:
            handle.write(bytes(4096))
    os.truncate(ballast, ballast.stat().st_size - pages * 4096)


def fill(place: Path, door: Door) -> dict[str, bytes]:
    for path, text in door.tree().items():
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
    return door.tree()


def test_an_empty_folder_is_an_empty_graph(door: Door, tmp_path: Path) -> None:
    empty = in_folder(door, tmp_path / "empty")
    status, answer = empty.ask("ingest")
    assert (status, answer["data"]["files"], answer["graph_rev"]) == (0, 0, 1)
    status, answer = empty.ask(*MOVE)
    assert (status, answer["error"]["code"]) == (1, "unreadable")


def test_without_a_manifest_files_are_read_and_reported_as_orphans(door: Door, tmp_path: Path) -> None:
    bare = in_folder(door, tmp_path / "bare")
    (bare.root / "lonely.rs").write_text("pub fn lonely() {}\n")
    status, answer = bare.ask("ingest")
    assert (status, answer["data"]["orphans"]) == (0, ["lonely.rs"])
    assert any("Cargo.toml" in warning for warning in answer["warnings"])


def test_a_folder_that_cannot_be_written_answers_reads_and_refuses_the_rest(
    door: Door, small_disk: Path
) -> None:
    before = fill(small_disk, door)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    frozen = Door(small_disk, door.capsys, door.environment)
    status, answer = frozen.ask("search", "clearance")
    assert (status, answer["data"]["results"][0]["path"]) == (0, "src/berth.rs")
    assert answer["warnings"][0].startswith("the state folder cannot be written")
    for line in (("ingest",), MOVE):
        status, answer = frozen.ask(*line)
        assert (status, answer["error"]["code"]) == (1, "write_failed"), line
    assert frozen.tree() == before


@pytest.mark.parametrize("pages", [0, 8, 16])
def test_a_full_disk_refuses_and_changes_no_file(door: Door, small_disk: Path, pages: int) -> None:
    before = fill(small_disk, door)
    leave_room(small_disk, pages)
    full = Door(small_disk, door.capsys, door.environment)
    for line in (("ingest",), MOVE):
        status, answer = full.ask(*line)
        assert (status, answer["error"]["code"]) == (1, "write_failed"), line
        assert "disk is full" in answer["error"]["message"]
    assert full.ask("status")[0] == 0
    assert full.tree() == before


def test_a_log_cut_in_half_is_said_to_be_damaged_by_every_command(door: Door) -> None:
    door.ask("ingest")
    log = door.root / ".m1nd" / "log.db"
    os.truncate(log, log.stat().st_size // 2)
    before = door.tree()
    for line in (("status",), ("log",), ("audit", "verify"), ("ingest",), ("search", "clearance"), MOVE):
        status, answer = door.ask(*line)
        assert (status, answer["error"]["code"]) == (7, "store_damaged"), line
        assert answer["error"]["hint"]
    status, answer = door.ask("doctor")
    assert (status, answer["data"]["ok"]) == (1, False)
    assert door.tree() == before


def test_damaged_caches_are_made_anew_without_a_word(door: Door) -> None:
    door.ask("ingest")
    found = door.ask("search", "clearance")[1]["data"]
    for name in ("graph.db", "graph.snapshot", "views.db"):
        place = door.root / ".m1nd" / name
        if place.exists():
            place.write_bytes(b"\0garbage" * 500)
    assert door.ask("search", "clearance")[1]["data"] == found
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_a_syntax_error_at_the_destination_is_told_as_one(door: Door) -> None:
    home = door.root / "src/draught.rs"
    home.write_text(home.read_text() + "pub fn broken( {\n")
    before = door.tree()
    status, answer = door.ask("transplant", "preview", "clearance", "src/berth.rs", "src/draught.rs")
    assert (status, answer["error"]["code"]) == (1, "result_does_not_parse")
    assert answer["error"]["message"].startswith("src/draught.rs does not parse as it is")
    assert answer["error"]["hint"] == "mend the syntax of src/draught.rs first, then preview again"
    assert door.tree() == before


def test_an_empty_id_takes_nothing_back(door: Door) -> None:
    """A shell writes one where a variable is not set."""
    move = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    assert door.ask(*move)[0] == 0
    moved = door.tree()
    status, answer = door.ask("undo", "")
    assert (status, answer["error"]["code"]) == (2, "usage")
    assert door.tree() == moved
