"""One repository's log on a server, used by several processes and two checkouts, through the command line."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.support.door import Door, harbour
from tests.support.postgres import server

from m1nd.application.audit import verify
from m1nd.infrastructure.log import open_app

pytestmark = pytest.mark.postgres
REPOSITORY = Path(__file__).resolve().parents[2]
NUMBERS = count()
MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


@pytest.fixture
def url(database: str) -> str:
    return f"{database}&schema=p_{next(NUMBERS)}"


@pytest.fixture
def checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str) -> Callable[[str], Door]:
    """A checkout of the same repository by name, its log on the server."""

    def make(name: str) -> Door:
        (tmp_path / name).mkdir()
        return on_server(tmp_path / name, capsys, url)

    return make


def test_two_checkouts_share_one_history(checkout: Callable[[str], Door]) -> None:
    here, there = checkout("a"), checkout("b")
    assert here.ask("ingest")[0] == there.ask("ingest")[0] == 0
    moved = first_legal_move(here)
    assert not (here.root / ".m1nd" / "log.db").exists()
    _, log = there.ask("log")
    assert [e["topic"] for e in log["data"]["events"]] == [
        e["topic"] for e in here.ask("log")[1]["data"]["events"]
    ]
    assert moved in json.dumps(there.ask("transplant", "list")[1]["data"])
    assert here.ask("audit", "verify")[1]["data"] == there.ask("audit", "verify")[1]["data"]
    status, rebuilt = there.ask("projections", "rebuild", "--check")
    assert (status, rebuilt["ok"]) == (0, True)
    assert tables(rebuilt) == tables(here.ask("projections", "rebuild", "--check")[1])
    # The old bytes are kept where the move was made, so only there can it be undone.
    assert there.ask("undo", moved)[1]["error"]["code"] == "undo_unknown"
    assert here.ask("undo", moved)[0] == 0


def on_server(tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str) -> Door:
    """A fresh copy of the demo's crate whose log is at `url`."""
    door = harbour(tmp_path, capsys, dict(os.environ))
    return Door(door.root, capsys, door.environment | {"M1ND_LOG_URL": url})


def first_legal_move(door: Door) -> str:
    status, answer = door.ask(*MOVE)
    assert status == 0, answer
    return str(answer["data"]["transplant_id"])


def tables(answer: dict[str, Any]) -> Any:
    return [(row["table"], row["digest"]) for row in answer["data"]["tables"]]


def test_processes_append_side_by_side_and_none_is_lost(tmp_path: Path, url: str) -> None:
    each = 40
    environment = os.environ | {"M1ND_LOG_URL": url}
    writers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.support.log_child", str(tmp_path / name), name, str(each)],
            cwd=REPOSITORY,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "abc"
    ]
    for process in writers:
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
    app = open_app(str(tmp_path), environment, read_only=True)
    assert app.generation() == 3 * each
    assert verify(app.log).holds
    app.close()


def test_a_killed_writer_leaves_a_whole_log_and_no_lock(tmp_path: Path, url: str) -> None:
    environment = os.environ | {"M1ND_LOG_URL": url}
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.log_child", str(tmp_path), f"k{next(NUMBERS)}", "0"],
            cwd=REPOSITORY,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        answered = [process.stdout.readline() for _ in range(5)]
        process.kill()
        process.communicate()
        app = open_app(str(tmp_path), environment)
        assert app.log_head().count >= int(answered[-1].split()[1])
        assert verify(app.log).holds
        with app.log.exclusive():
            pass
        app.close()


def test_a_log_moves_from_the_file_to_the_server_and_back(
    checkout: Callable[[str], Door], tmp_path: Path
) -> None:
    here = checkout("a")
    on_file = Door(here.root, here.capsys, {k: v for k, v in here.environment.items() if k != "M1ND_LOG_URL"})
    assert on_file.ask("ingest")[0] == 0
    first_legal_move(on_file)
    out = tmp_path / "log.jsonl"
    assert on_file.ask("log", "export", str(out))[0] == 0
    head = on_file.ask("audit", "seal")[1]["data"]
    assert here.ask("log", "import", str(out))[0] == 0
    assert here.ask("audit", "seal")[1]["data"] == head
    back = tmp_path / "back.jsonl"
    assert here.ask("log", "export", str(back))[0] == 0
    assert back.read_bytes() == out.read_bytes()


def test_nothing_on_the_server_can_be_changed_by_accident(
    tmp_path: Path, url: str, checkout: Callable[[str], Door]
) -> None:
    assert checkout("a").ask("ingest")[0] == 0
    bare, _, schema = url.partition("&schema=")
    with psycopg.connect(bare, autocommit=True) as connection:
        for statement in ("DELETE FROM", "TRUNCATE"):
            with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
                connection.execute(f"{statement} {schema}.stored_events")
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            connection.execute(f"UPDATE {schema}.stored_events SET topic = 'x'")


def test_a_changed_row_on_the_server_is_found(url: str, checkout: Callable[[str], Door]) -> None:
    here = checkout("a")
    assert here.ask("ingest")[0] == 0
    bare, _, schema = url.partition("&schema=")
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute(f"ALTER TABLE {schema}.stored_events DISABLE TRIGGER append_only")
        connection.execute(
            f"UPDATE {schema}.stored_events SET state = state || ' '::bytea WHERE position = 1"
        )
    status, answer = here.ask("audit", "verify")
    assert (status, answer["error"]["code"]) == (7, "chain_broken")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("postgresql://m1nd:secret@127.0.0.1:1/none?schema=x", "log_unreachable"),
        ("postgresql://m1nd:secret@127.0.0.1:1/none", "unknown_setting"),
        ("postgresql://m1nd:secret@127.0.0.1:1/none?schema=x;drop", "unknown_setting"),
        ("mysql://m1nd:secret@127.0.0.1/none?schema=x", "unknown_setting"),
        ("postgresql://[::1/none?schema=x", "unknown_setting"),
    ],
)
def test_a_wrong_address_is_refused_without_its_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], url: str, code: str
) -> None:
    door = on_server(tmp_path, capsys, url)
    status, answer = door.ask("ingest")
    assert answer["error"]["code"] == code
    assert status == {"log_unreachable": 6, "unknown_setting": 2}[code]
    assert "secret" not in json.dumps(answer)
    assert not (door.root / ".m1nd" / "log.db").exists()


def test_a_server_that_stops_is_said_and_found_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server() as bare:
        door = on_server(tmp_path, capsys, f"{bare}&schema=x")
        assert door.ask("ingest")[0] == 0
    before = door.tree()
    status, answer = door.ask(*MOVE)
    assert (status, answer["error"]["code"], answer["error"]["retryable"]) == (6, "log_unreachable", True)
    assert door.tree() == before
    shutil.rmtree(door.root / ".m1nd")
