"""The auditor's commands from the command line: words, envelopes, exit statuses, bad input."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.log import SYMBOL, command, commit, ingest, opened, undo

from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.program import run

Line = Callable[..., tuple[int, str, str]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    with opened(root / ".m1nd") as app:
        app.record_graph_change(ingest("src/lib.rs"), command(1))
        undo(app, commit(app, "00000001", 2), 4)
    return root


@pytest.fixture
def m1nd(root: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    def line(*arguments: str, at: Path = root) -> tuple[int, str, str]:
        status = run(["--root", str(at), *arguments], Call(environment={"COLUMNS": "200"}))
        out, err = capsys.readouterr()
        return status, out, err

    return line


def data(answer: tuple[int, str, str]) -> dict[str, Any]:
    status, out, err = answer
    assert (status, err) == (0, ""), answer
    envelope = json.loads(out)
    assert envelope["ok"] is True
    found: dict[str, Any] = envelope["data"]
    return found


def error(answer: tuple[int, str, str]) -> tuple[int, str]:
    status, out, _ = answer
    envelope = json.loads(out)
    assert envelope["ok"] is False
    assert envelope["error"]["hint"]
    return status, envelope["error"]["code"]


def change(root: Path, sql: str) -> None:
    connection = sqlite3.connect(root / ".m1nd" / "log.db")
    connection.execute("DROP TRIGGER append_only_update")
    connection.execute(sql)
    connection.commit()
    connection.close()


def other(root: Path) -> Path:
    fresh = root.parent / "fresh"
    (fresh / ".git").mkdir(parents=True)
    return fresh


def test_the_log_lists_what_happened(m1nd: Line) -> None:
    status, out, _ = m1nd("log")
    assert status == 0
    for words in ("generation 1 by ingest: +1 ~0 -0", f"{SYMBOL}: fn harbour::tide::height", "owner ada"):
        assert words in out
    events = data(m1nd("log", "--json"))["events"]
    assert [event["position"] for event in events] == list(range(1, 10))
    moved = next(event for event in events if event["topic"] == "symbol_moved")
    committed = next(event for event in events if event["topic"] == "transplant_committed")
    assert moved["causation_id"] == committed["event_id"]
    assert moved["actor"] == {"kind": "owner", "id": "ada", "session": ""}
    assert set(moved["payload"]) == {"generation", "symbol_id", "source", "target", "cause"}


def test_the_log_is_cut_by_place_stream_and_topic(m1nd: Line) -> None:
    def positions(*arguments: str) -> list[int]:
        return [event["position"] for event in data(m1nd("log", "--json", *arguments))["events"]]

    assert positions("--after", "7") == [8, 9]
    assert positions("--after", "2", "--limit", "2") == [3, 4]
    assert positions("--limit", "2") == [8, 9]
    assert positions("--stream", "transplant") == positions("--stream", "transplant:00000001") == [3, 4, 7]
    assert positions("--topic", "graph_changed") == [2, 5, 8]
    assert positions("--stream", "no such stream") == []
    assert m1nd("log", "--limit", "0")[0] == 2
    assert m1nd("log", "--after", "-1")[0] == 2


def test_a_repository_without_a_log_is_told_so_and_left_alone(m1nd: Line, root: Path) -> None:
    fresh = other(root)
    assert "no events yet" in m1nd("log", at=fresh)[1]
    assert data(m1nd("audit", "verify", "--json", at=fresh))["checked"] == 0
    assert data(m1nd("audit", "seal", "--json", at=fresh)) == {"count": 0, "head": "0" * 64}
    assert data(m1nd("projections", "rebuild", "--check", "--json", at=fresh))["position"] == 0
    assert [path.name for path in fresh.iterdir()] == [".git"]


def test_a_sealed_head_can_be_verified_later(m1nd: Line) -> None:
    seal = data(m1nd("audit", "seal", "--json"))
    published = ("--since", str(seal["count"]), "--head", seal["head"])
    assert data(m1nd("audit", "verify", *published, "--json"))["checked"] == 0
    assert error(m1nd("audit", "verify", "--since", "4", "--head", seal["head"], "--json")) == (
        7,
        "chain_broken",
    )
    assert error(m1nd("audit", "verify", "--since", "40", "--json")) == (7, "chain_broken")
    assert error(m1nd("audit", "verify", "--head", seal["head"], "--json")) == (2, "usage")
    assert error(m1nd("audit", "verify", "--since", "4", "--head", "abc", "--json")) == (2, "usage")


def test_a_changed_event_is_named_and_the_status_says_damaged(m1nd: Line, root: Path) -> None:
    change(
        root, "UPDATE stored_events SET state = CAST(replace(state, 'ada', 'eve') AS BLOB) WHERE rowid = 5"
    )
    status, _, err = m1nd("audit", "verify")
    assert status == 7
    assert "event 5" in err
    assert "Traceback" not in err


def test_an_unknown_topic_is_refused_by_name(m1nd: Line, root: Path) -> None:
    change(root, "UPDATE stored_events SET topic = 'block_melted' WHERE rowid = 5")
    for arguments in (("audit", "topics"), ("audit", "replay"), ("log",), ("projections", "rebuild")):
        assert error(m1nd(*arguments, "--json")) == (7, "unknown_topic"), arguments


def test_a_log_cut_in_half_is_refused_everywhere_and_never_a_traceback(m1nd: Line, root: Path) -> None:
    path = root / ".m1nd" / "log.db"
    os.truncate(path, path.stat().st_size // 2)
    for arguments in (
        ("log",),
        ("log", "export"),
        ("audit", "verify"),
        ("audit", "seal"),
        ("audit", "topics"),
        ("audit", "replay"),
        ("projections", "rebuild"),
        ("projections", "rebuild", "--check"),
    ):
        status, out, err = m1nd(*arguments)
        assert status == 7, (arguments, out, err)
        assert "Traceback" not in err
        assert "log.db" in err
        assert str(root) not in err


def test_an_export_replaces_an_earlier_one_and_no_other_file(m1nd: Line, root: Path) -> None:
    kept = root / "notes.txt"
    kept.write_bytes(b"mine\n")
    link = root / "link.jsonl"
    link.symlink_to(kept)
    for file in (kept, link, root / ".git"):
        assert error(m1nd("log", "export", str(file), "--json")) == (2, "usage")
    assert (kept.read_bytes(), link.is_symlink()) == (b"mine\n", True)
    out = root / "log.jsonl"
    assert [data(m1nd("log", "export", str(out), "--json"))["count"] for _ in range(2)] == [9, 9]
    assert sorted(path.name for path in root.iterdir()) == [
        ".git",
        ".m1nd",
        "link.jsonl",
        "log.jsonl",
        "notes.txt",
    ]


def test_a_position_beyond_what_a_log_can_hold_is_a_usage_error(m1nd: Line) -> None:
    assert error(m1nd("log", "--after", "9" * 30, "--json")) == (2, "usage")


def test_topics_and_replay_are_printed(m1nd: Line, root: Path) -> None:
    counts = {row["topic"]: row["events"] for row in data(m1nd("audit", "topics", "--json"))["topics"]}
    assert (counts["symbol_moved"], counts["symbol_lost"]) == (2, 0)
    out = root / "then.db"
    found = data(m1nd("audit", "replay", "--to", "2", "--out", str(out), "--json"))
    assert (found["events"], found["streams"]) == (2, 1)
    assert {t["table"]: t["rows"] for t in found["tables"]}["moves"] == 0
    assert out.exists()
    assert error(m1nd("audit", "replay", "--out", str(out), "--json")) == (2, "usage")
    assert error(m1nd("audit", "replay", "--to", "10", "--json")) == (2, "usage")
    assert "9 events in 2 streams" in m1nd("audit", "replay")[1]


def test_a_rebuild_is_compared_with_the_live_views(m1nd: Line, root: Path) -> None:
    assert m1nd("projections", "rebuild", "--check")[0] == 0
    connection = sqlite3.connect(root / ".m1nd" / "views.db")
    connection.execute("DELETE FROM moves")
    connection.commit()
    connection.close()
    assert error(m1nd("projections", "rebuild", "--check", "--json")) == (1, "views_differ")
    assert m1nd("projections", "rebuild")[0] == 0
    assert m1nd("projections", "rebuild", "--check")[0] == 0


def test_a_log_is_exported_and_imported(m1nd: Line, root: Path) -> None:
    file = root.parent / "log.jsonl"
    exported = data(m1nd("log", "export", str(file), "--json"))
    assert exported["count"] == 9
    assert m1nd("log", "export")[1].encode() == file.read_bytes()
    assert error(m1nd("log", "export", "--json")) == (2, "usage")
    fresh = other(root)
    assert data(m1nd("log", "import", str(file), "--json", at=fresh))["head"] == exported["head"]
    assert data(m1nd("audit", "verify", "--json", at=fresh))["head"] == exported["head"]
    assert error(m1nd("log", "import", str(file), "--json", at=fresh)) == (5, "log_not_empty")
    assert error(m1nd("log", "import", str(root / "Cargo.toml"), "--json"))[1] == "io_failed"


def test_a_read_only_attach_changes_nothing(m1nd: Line, root: Path) -> None:
    before = {path.name: path.read_bytes() for path in (root / ".m1nd").iterdir()}
    assert data(m1nd("log", "--read-only", "--json"))["log"]["count"] == 9
    assert data(m1nd("projections", "rebuild", "--check", "--read-only", "--json"))["same"] is True
    assert error(m1nd("projections", "rebuild", "--read-only", "--json"))[1] == "read_only"
    assert error(m1nd("log", "import", "x", "--read-only", "--json"))[1] == "read_only"
    assert {path.name: path.read_bytes() for path in (root / ".m1nd").iterdir()} == before


def test_following_prints_events_as_they_are_appended(root: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from m1nd.adapters.cli import main; sys.exit(main())",
            "--root",
            str(root),
            "log",
            "--follow",
            "--after",
            "8",
            "--json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        assert [event["position"] for event in first["data"]["events"]] == [9]
        with opened(root / ".m1nd") as app:
            for number in (50, 51):
                app.record_graph_change(ingest(f"{number}.rs"), command(number))
                seen = json.loads(process.stdout.readline())
                assert [event["command_id"] for event in seen["data"]["events"]] == [f"command-{number}"]
    finally:
        process.terminate()
        _, err = process.communicate(timeout=20)
    assert process.returncode == 143
    assert "Traceback" not in err
