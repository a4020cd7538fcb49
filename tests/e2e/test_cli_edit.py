"""`m1nd edit …` from the command line: plans in, files out, and every bad plan refused with the tree as it was."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

from m1nd.adapters import bootstrap
from m1nd.domain.digests import sha256

PATCH = b"""diff --git a/src/tide.rs b/src/tide.rs
--- a/src/tide.rs
+++ b/src/tide.rs
@@ -1,3 +1,4 @@
 //! The height of the water over chart datum.
+//! In centimetres.
 
 /// One high or low water.
"""


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., str]:
    def write(*files: Mapping[str, Any], patch: bytes = b"") -> str:
        path = tmp_path / "plan"
        path.write_bytes(patch or json.dumps({"files": files}).encode())
        return str(path)

    return write


def preview(door: Door, plan: str) -> dict[str, Any]:
    status, answer = door.ask("edit", "preview", plan)
    assert status == 0, answer
    return dict(answer["data"])


def refused(door: Door, *line: str) -> tuple[int, str, dict[str, Any]]:
    """Exit status, code and error of a line that must change nothing."""
    before = door.tree()
    status, answer = door.ask(*line)
    assert answer["ok"] is False, answer
    assert door.tree() == before
    error = answer["error"]
    assert error["hint"], error
    return status, error["code"], error


def commit(door: Door, id: str, *options: str) -> tuple[int, dict[str, Any]]:
    return door.ask("edit", "commit", id, "--yes", "--verify", "none", *options)


def topics(door: Door) -> list[str]:
    return [event["topic"] for event in door.ask("log", "--limit", "100")[1]["data"]["events"]]


def test_a_plan_creates_changes_and_removes_in_one_step_and_undo_takes_all_of_it_back(
    door: Door, plan: Callable[..., str]
) -> None:
    before = door.tree()
    window = before["src/window.rs"]
    made = preview(
        door,
        plan(
            {"path": "src/notes/today.md", "content": "calm\n"},
            {
                "path": "src/window.rs",
                "base_hash": sha256(window),
                "edits": [{"start_line": 1, "end_line": 0, "text": "// top"}],
            },
            {"path": "examples/tonight.rs", "remove": True},
        ),
    )
    assert door.tree() == before
    assert [(f["file_path"], f["lines_added"]) for f in made["files"]] == [
        ("src/notes/today.md", 1),
        ("src/window.rs", 1),
        ("examples/tonight.rs", 0),
    ]
    status, answer = commit(door, made["preview_id"])
    assert status == 0
    expected = {k: v for k, v in before.items() if k != "examples/tonight.rs"}
    expected |= {"src/notes/today.md": b"calm\n", "src/window.rs": b"// top\n" + window}
    assert door.tree() == expected
    receipt = answer["data"]["receipt"]
    assert (receipt["files_created"], receipt["files_changed"], receipt["files_removed"]) == (
        ["src/notes/today.md"],
        ["src/window.rs"],
        ["examples/tonight.rs"],
    )
    assert receipt["lines_removed"] == before["examples/tonight.rs"].count(b"\n")
    assert receipt["verification"]["mode"] == "none"

    edit_id = answer["data"]["edit_id"]
    status, answer = door.ask("undo", edit_id, "--verify", "none")
    assert (status, answer["data"]["edit_id"], answer["data"]["transplant_id"]) == (0, edit_id, None)
    assert door.tree() == before
    assert not (door.root / "src/notes").exists()
    told = [topic for topic in topics(door) if topic.startswith("edit") or topic == "graph_changed"]
    assert told == [
        "graph_changed",
        "edit_previewed",
        "edit_committed",
        "graph_changed",
        "edit_rolled_back",
        "graph_changed",
    ]
    assert door.ask("audit", "replay")[0] == door.ask("projections", "rebuild", "--check")[0] == 0


def test_the_shown_diff_is_a_plan_itself(door: Door, plan: Callable[..., str], tmp_path: Path) -> None:
    first = preview(door, plan(patch=PATCH))
    again = tmp_path / "again.diff"
    again.write_text(first["diff"])
    assert preview(door, str(again))["files"] == first["files"]
    assert commit(door, first["preview_id"])[0] == 0
    assert b"In centimetres." in door.tree()["src/tide.rs"]


def test_a_plan_comes_from_stdin(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PATCH)))
    assert preview(door, "-")["files"][0]["file_path"] == "src/tide.rs"


def test_people_read_what_is_planned_and_the_command_that_does_it(
    door: Door, plan: Callable[..., str]
) -> None:
    status, out, err = door.say("edit", "preview", plan(patch=PATCH), "--diff")
    assert (status, err) == (0, "")
    assert "+//! In centimetres." in out
    id = next(word for word in out.split() if word.startswith("edp_"))
    assert f"m1nd edit commit {id} --yes" in out
    status, out, _ = door.say("edit", "commit", id, "--yes", "--verify", "none")
    assert status == 0
    assert "changed" in out and "src/tide.rs" in out and "no (asked for)" in out
    assert "edt_" in door.say("edit", "list")[1]
    assert "src/tide.rs" in door.say("edit", "show", id)[1]


def test_a_preview_survives_a_restart_and_is_consumed_once(door: Door, plan: Callable[..., str]) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    command = [sys.executable, "-c", "from m1nd.adapters.cli import main; raise SystemExit(main())"]
    line = ["--root", str(door.root), "--json", "edit", "commit", id, "--yes", "--verify", "none"]
    done = subprocess.run(
        [*command, *line], capture_output=True, text=True, check=False, env=door.environment
    )
    assert json.loads(done.stdout)["ok"] is True, done
    assert b"In centimetres." in door.tree()["src/tide.rs"]
    status, code, error = refused(door, "edit", "commit", id, "--yes")
    assert (status, code) == (1, "preview_unknown")
    assert error["hint"] == f"m1nd edit show {error['details']['edit_id']}"


def test_lost_or_exchanged_planned_bytes_are_no_preview(door: Door, plan: Callable[..., str]) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    other = preview(door, plan({"path": "src/tide.rs", "content": "evil\n"}))["preview_id"]
    kept = door.root / ".m1nd" / "plans"
    (kept / id).write_bytes((kept / other).read_bytes())
    status, code, error = refused(door, "edit", "commit", id, "--yes")
    assert (status, code, error["hint"]) == (1, "preview_unknown", "m1nd edit preview FILE")
    (kept / id).unlink()
    assert refused(door, "edit", "commit", id, "--yes")[1] == "preview_unknown"


def test_a_preview_ends_after_five_minutes(
    door: Door, plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    late = datetime.now(UTC) + timedelta(minutes=5)
    monkeypatch.setattr(bootstrap.SystemClock, "now", lambda self: late)
    assert refused(door, "edit", "commit", id, "--yes")[:2] == (5, "preview_expired")
    preview(door, plan({"path": "x", "content": "x"}))
    assert "edit_expired" in topics(door)
    assert door.ask("edit", "show", id)[1]["data"]["stage"] == "expired"
    assert not (door.root / ".m1nd" / "plans" / id).exists()


def test_a_discarded_preview_is_gone_with_its_bytes(door: Door, plan: Callable[..., str]) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    assert door.ask("edit", "discard", id)[0] == 0
    assert list((door.root / ".m1nd" / "plans").iterdir()) == []
    assert refused(door, "edit", "commit", id, "--yes")[1] == "preview_unknown"
    assert refused(door, "edit", "discard", id)[1] == "preview_unknown"


@pytest.mark.parametrize("change", ["changed", "removed", "created"])
def test_a_file_that_is_no_longer_as_the_preview_saw_it_is_named(
    door: Door, plan: Callable[..., str], change: str
) -> None:
    id = preview(door, plan({"path": "src/tide.rs", "remove": True}, {"path": "new.md", "content": "x"}))[
        "preview_id"
    ]
    match change:
        case "changed":
            (door.root / "src/tide.rs").write_text("// mine\n")
        case "removed":
            (door.root / "src/tide.rs").unlink()
        case "created":
            (door.root / "new.md").write_text("mine")
    status, code, error = refused(door, "edit", "commit", id, "--yes")
    assert (status, code) == (5, "source_modified")
    assert error["retryable"] is True
    assert error["details"]["path"] == ("new.md" if change == "created" else "src/tide.rs")


def test_a_commit_needs_a_yes(door: Door, plan: Callable[..., str]) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    status, code, error = refused(door, "edit", "commit", id)
    assert (status, code, error["hint"]) == (1, "confirm_required", f"m1nd edit commit {id} --yes")


def test_undo_takes_the_last_write_first_move_or_edit(door: Door, plan: Callable[..., str]) -> None:
    start = door.tree()
    move = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    assert door.ask(*move)[0] == 0
    moved = door.tree()
    assert commit(door, preview(door, plan(patch=PATCH))["preview_id"])[0] == 0
    first = door.ask("undo", "--verify", "none")[1]["data"]
    assert first["edit_id"] and door.tree() == moved
    second = door.ask("undo", "--verify", "none")[1]["data"]
    assert second["transplant_id"] and door.tree() == start
    assert refused(door, "undo")[1] == "undo_unknown"
    assert refused(door, "undo", first["edit_id"])[1] == "undo_unknown"
    assert refused(door, "undo", "edt_99999999")[1] == "undo_unknown"


def test_an_edit_that_was_changed_since_is_not_undone(door: Door, plan: Callable[..., str]) -> None:
    id = preview(door, plan(patch=PATCH))["preview_id"]
    edit_id = commit(door, id)[1]["data"]["edit_id"]
    (door.root / "src/tide.rs").write_text("// mine\n")
    status, code, error = refused(door, "undo")
    assert (status, code) == (5, "undo_modified")
    assert error["details"]["edit_id"] == edit_id
    assert error["hint"].startswith(f"m1nd edit show {edit_id}")


def test_what_an_edit_did_to_items_is_told_by_the_next_look(door: Door, plan: Callable[..., str]) -> None:
    """D30: a lost item and a renamed one are events, although no outside edit made them."""
    door.ask("ingest")
    text = door.tree()["src/tide.rs"].decode()
    name = "pub struct Turn"
    assert name in text
    id = preview(door, plan({"path": "src/tide.rs", "content": text.replace("Turn", "Swing")}))["preview_id"]
    assert commit(door, id)[0] == 0
    door.ask("search", "Swing")
    kinds = {"symbol_rematched", "symbol_lost"}
    told = [topic for topic in topics(door) if topic in kinds]
    assert told
    door.ask("search", "Swing")
    assert [topic for topic in topics(door) if topic in kinds] == told


def entry(path: str, **more: Any) -> dict[str, Any]:
    return {"path": path, **(more or {"content": "x\n"})}


@pytest.mark.parametrize(
    "files, code, status",
    [
        ([entry("../out.rs")], "outside_root", 1),
        ([entry("/etc/passwd")], "outside_root", 1),
        ([entry("out/file.rs")], "outside_root", 1),
        ([entry("out.rs")], "outside_root", 1),
        ([entry(".git/hooks/pre-commit")], "outside_root", 1),
        ([entry(".m1nd/log.db")], "outside_root", 1),
        ([entry("src")], "unreadable", 1),
        ([entry("pipe")], "unreadable", 1),
        ([entry("nowhere.rs")], "unreadable", 1),
        ([entry("missing.rs", remove=True)], "unreadable", 1),
        ([entry("latin.rs", edits=[{"start_line": 1, "end_line": 1, "text": "x"}])], "unreadable", 1),
        ([entry("src/tide.rs"), entry("src/./tide.rs")], "bad_plan", 2),
        ([entry("src/tide.rs"), entry("link.rs")], "bad_plan", 2),
        ([], "empty_plan", 1),
        ([entry("latin.rs", base_hash="0" * 64, content="x")], "source_modified", 5),
        ([entry("src/tide.rs", edits=[{"start_line": 1, "end_line": 3, "text": ""}, {"start_line": 2, "end_line": 2, "text": ""}])], "overlapping_edits", 1),
        ([entry("src/tide.rs", edits=[{"start_line": 999, "end_line": 999, "text": ""}])], "bad_plan", 2),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_is_refused_with_its_code(
    door: Door, plan: Callable[..., str], tmp_path: Path, files: list[dict[str, Any]], code: str, status: int
) -> None:
    (tmp_path / "outside").mkdir()
    (door.root / ".git").mkdir(exist_ok=True)
    (door.root / "out").symlink_to(tmp_path / "outside")
    (door.root / "out.rs").symlink_to(tmp_path / "outside.rs")
    (door.root / "link.rs").symlink_to("src/tide.rs")
    (door.root / "nowhere.rs").symlink_to("nothing.rs")
    (door.root / "latin.rs").write_bytes(b"// caf\xe9\n")
    os.mkfifo(door.root / "pipe")
    found = refused(door, "edit", "preview", plan(*files))
    assert found[:2] == (status, code), found
    assert str(tmp_path) not in json.dumps(found[2])
    assert "edit_previewed" not in topics(door)


def test_a_hunk_that_does_not_fit_is_named(door: Door, plan: Callable[..., str]) -> None:
    status, code, error = refused(
        door, "edit", "preview", plan(patch=PATCH.replace(b"chart datum", b"the quay"))
    )
    assert (status, code, error["details"]["hunk"]) == (5, "hunk_failed", 1)
    assert "the hunk wants `//! The height of the water over the quay.`" in error["message"]


def test_a_whole_file_replaces_what_is_no_text_and_a_link_stays_a_link(
    door: Door, plan: Callable[..., str]
) -> None:
    (door.root / "latin.rs").write_bytes(b"// caf\xe9\n")
    (door.root / "link.rs").symlink_to("latin.rs")
    made = preview(door, plan(entry("link.rs", content="// café\n")))
    assert "Binary files" in made["diff"]
    assert commit(door, made["preview_id"])[0] == 0
    assert (door.root / "link.rs").is_symlink()
    assert (door.root / "latin.rs").read_text() == "// café\n"


def test_a_plan_file_that_is_not_there_is_a_usage_error(door: Door, tmp_path: Path) -> None:
    assert refused(door, "edit", "preview", str(tmp_path / "none.json"))[:2] == (2, "usage")
    assert refused(door, "edit", "preview", str(tmp_path))[:2] == (2, "usage")


@pytest.mark.parametrize("id", ["edp_00000000", "pre_00000000", "edt_00000000", "", "x"])
def test_an_id_of_no_preview_is_unknown(door: Door, id: str) -> None:
    assert refused(door, "edit", "commit", id, "--yes")[1] == "preview_unknown"


@pytest.mark.cargo
def test_an_edit_that_breaks_the_build_is_refused_by_the_compiler(
    door: Door, plan: Callable[..., str]
) -> None:
    text = door.tree()["src/tide.rs"].decode()
    broken = preview(door, plan(entry("src/tide.rs", content=f'{text}fn broken() -> u8 {{ "" }}\n')))
    status, code, error = refused(door, "edit", "commit", broken["preview_id"], "--yes")
    assert (status, code) == (1, "verification_failed")
    assert error["details"]["new_errors"]
    good = preview(door, plan(patch=PATCH))
    status, answer = door.ask("edit", "commit", good["preview_id"], "--yes")
    assert (status, answer["data"]["receipt"]["verification"]["verified"]) == (0, True)
