"""The log's file: made when needed, refused when damaged, read without a trace; never a traceback."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.log import command, ingest, opened

from m1nd.domain.refusal import Refused
from m1nd.infrastructure.log import open_app
from m1nd.infrastructure.log import store as store_module
from m1nd.infrastructure.log.faults import refusal_of
from m1nd.infrastructure.log.gate import Gate
from m1nd.infrastructure.log.peek import peek_generation
from m1nd.infrastructure.log.store import LogStore
from m1nd.infrastructure.settings import check_log_settings
from m1nd.infrastructure.state_dir import ensure_state_dir
from m1nd.infrastructure.views import open_views


def fill(folder: Path, count: int = 3) -> None:
    with opened(folder) as app:
        for number in range(1, count + 1):
            app.record_graph_change(ingest(f"{number}.rs"), command(number))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.refusal.next_step
    return caught.value.refusal.code


# Reading leaves no trace


def test_a_read_only_attach_creates_nothing(tmp_path: Path) -> None:
    fill(tmp_path)
    before = names(tmp_path)
    with opened(tmp_path, read_only=True) as app:
        assert (app.generation(), app.log_head().count) == (3, 4)
        assert names(tmp_path) == before
    assert names(tmp_path) == before


def test_a_read_only_attach_sees_what_a_live_writer_appends(tmp_path: Path) -> None:
    with opened(tmp_path) as writer, opened(tmp_path, read_only=True) as reader:
        assert reader.generation() == 0
        for number in (1, 2):
            writer.record_graph_change(ingest(f"{number}.rs"), command(number))
            assert reader.generation() == number
    with opened(tmp_path, read_only=True) as reader:
        assert reader.generation() == 2


def test_a_closed_log_is_one_file_and_its_lock(tmp_path: Path) -> None:
    fill(tmp_path)
    assert names(tmp_path) == {".gitignore", "log.db", "log.db.lock"}


def test_a_log_that_was_removed_under_a_writer_is_begun_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        for path in tmp_path.iterdir():
            path.unlink()
        assert app.generation() == 0
        assert app.record_graph_change(ingest("b.rs"), command(2)) == 1
        with opened(tmp_path) as other:
            assert other.generation() == 1


def test_a_folder_that_cannot_be_written_is_read_without_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path)
    before = names(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with opened(tmp_path) as app:
        views = open_views(str(tmp_path), app)
        assert app.generation() == 3
        assert [row.generation for row in views.graph_changes()] == [1, 2, 3]
        assert views.notes == ("views are kept in memory: the folder cannot be written",)
        views.close()
    assert names(tmp_path) == before


def test_a_log_is_read_where_there_is_no_room_for_shared_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path)
    straight = store_module.connect

    def full(path: str, options: str = "") -> sqlite3.Connection:
        if options == "mode=rw":
            raise sqlite3.OperationalError("disk I/O error")
        return straight(path, options)

    monkeypatch.setattr(store_module, "connect", full)
    with opened(tmp_path) as app:
        assert app.generation() == 3


# Append-only


@pytest.mark.parametrize("sql", ["UPDATE stored_events SET topic = 'x'", "DELETE FROM stored_events"])
def test_rows_cannot_be_changed_by_accident(tmp_path: Path, sql: str) -> None:
    fill(tmp_path)
    connection = sqlite3.connect(tmp_path / "log.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(sql)
    connection.close()


# Damage


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is not a database" * 500)


def zero_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def other_database(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()


def later_format(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    fill(folder, 120)
    return folder / "log.db"


@pytest.mark.parametrize("damage", [cut, overwrite, zero_pages, other_database, later_format])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_log_is_refused_with_what_to_do(
    tmp_path: Path, long_log: Path, damage: Callable[[Path], None], read_only: bool
) -> None:
    shutil.copy(long_log, tmp_path)
    damage(tmp_path / "log.db")
    after = (tmp_path / "log.db").read_bytes()
    with opened(tmp_path, read_only=read_only) as app:
        assert refused(app.generation) == "store_damaged"
        assert refused(app.log_head) == "store_damaged"
        if not read_only:
            assert refused(lambda: app.record_graph_change(ingest("x.rs"), command(900))) == "store_damaged"
    assert (tmp_path / "log.db").read_bytes() == after


def test_an_emptied_log_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    fill(tmp_path)
    (tmp_path / "views.db").touch()
    os.truncate(tmp_path / "log.db", 0)
    with opened(tmp_path) as app:
        assert refused(lambda: app.record_graph_change(ingest("x.rs"), command(9))) == "store_damaged"


def test_a_log_whose_making_was_cut_short_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "log.db").touch()
    with opened(tmp_path) as app:
        assert app.generation() == 0
        assert app.record_graph_change(ingest("a.rs"), command()) == 1


# What the disk does not take


def test_a_full_disk_is_said_and_leaves_the_log_whole(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_graph_change(ingest("a.rs"), command(1))
        head = app.log_head()
        store: LogStore = app.recorder.store  # type: ignore[attr-defined]
        assert store._writer is not None
        pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
        store._writer.execute(f"PRAGMA max_page_count = {pages}")
        big = ingest(*(f"src/file_{n}.rs" for n in range(900)))
        assert refused(lambda: app.record_graph_change(big, command(2))) == "write_failed"
        assert app.log_head() == head
        store._writer.execute("PRAGMA max_page_count = 1000000")
        assert app.record_graph_change(big, command(2)) == 2


def test_a_state_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with opened(tmp_path / "file" / ".m1nd") as app:
        assert refused(lambda: app.record_graph_change(ingest("a.rs"), command())) == "write_failed"
    assert refused(lambda: ensure_state_dir(str(tmp_path / "file"))) == "write_failed"


@pytest.mark.parametrize(
    ("name", "writing", "code"),
    [
        ("SQLITE_FULL", True, "write_failed"),
        ("SQLITE_READONLY", True, "write_failed"),
        ("SQLITE_CANTOPEN", True, "write_failed"),
        ("SQLITE_IOERR_WRITE", True, "write_failed"),
        ("SQLITE_IOERR_FSYNC", True, "write_failed"),
        ("SQLITE_IOERR_SHORT_READ", False, "store_damaged"),
        ("SQLITE_CANTOPEN", False, "store_damaged"),
        ("SQLITE_CORRUPT", True, "store_damaged"),
        ("SQLITE_NOTADB", False, "store_damaged"),
        ("SQLITE_BUSY", True, "busy"),
        ("SQLITE_LOCKED", False, "busy"),
        ("SQLITE_ERROR", False, "store_damaged"),
    ],
)
def test_each_error_of_sqlite_has_its_code(name: str, writing: bool, code: str) -> None:
    error = sqlite3.OperationalError("said by SQLite")
    error.sqlite_errorcode = getattr(sqlite3, name)
    error.sqlite_errorname = name
    refusal = refusal_of(error, "log.db", writing)
    assert refusal.code == code
    assert "/" not in refusal.message


# The gate


def test_a_gate_that_is_held_is_refused_after_the_patience(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    held, waiting = Gate(path), Gate(path, patience=0.05)
    with held.writing():
        for door in (waiting.writing, waiting.reading):
            with pytest.raises(Refused) as caught, door():
                pass
            assert (caught.value.refusal.code, caught.value.refusal.row.retryable) == ("busy", True)
    with waiting.writing(), pytest.raises(Refused), Gate(path, patience=0.01).writing():
        pass


def test_readers_share_the_gate_and_need_no_lock_file(tmp_path: Path) -> None:
    gate = Gate(str(tmp_path / "lock"))
    with gate.reading():
        assert not list(tmp_path.iterdir())
    with gate.writing():
        pass
    with gate.reading(), Gate(gate.path, patience=0.05).reading():
        pass


def test_a_lock_file_that_was_removed_is_made_again(tmp_path: Path) -> None:
    gate = Gate(str(tmp_path / "lock"))
    with gate.writing():
        pass
    (tmp_path / "lock").unlink()
    with gate.writing(), pytest.raises(Refused), Gate(gate.path, patience=0.02).writing():
        pass


# Settings


@pytest.mark.parametrize(
    "name",
    [
        "PERSISTENCE_MODULE",
        "M1ND_PERSISTENCE_MODULE",
        "SQLITE_DBNAME",
        "M1ND_SQLITE_DBNAME",
        "M1ND_POSTGRES_DBNAME",
        "M1ND_CREATE_TABLE",
        "MAPPER_TOPIC",
        "INFRASTRUCTURE_FACTORY",
    ],
)
def test_a_setting_that_would_move_the_log_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused) as caught:
        open_app(str(tmp_path), {name: "eventsourcing.popo"})
    refusal = caught.value.refusal
    assert (refusal.code, refusal.next_step) == ("unknown_setting", f"unset {name}")


def test_settings_of_other_programs_are_let_be() -> None:
    check_log_settings({"POSTGRES_PASSWORD": "x", "CREATE_TABLE": "y", "CIPHER_KEY": "z", "M1ND_ROOT": "."})
    check_log_settings({"PERSISTENCE_MODULE": ""})


def test_the_process_environment_moves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERSISTENCE_MODULE", "eventsourcing.popo")
    monkeypatch.setenv("M1ND_PERSISTENCE_MODULE", "eventsourcing.popo")
    fill(tmp_path)
    assert "log.db" in names(tmp_path)


# A peek


def test_a_peek_sees_the_generation_and_makes_nothing(tmp_path: Path) -> None:
    state = tmp_path / ".m1nd"
    assert peek_generation(str(state), {}) == 0
    assert not state.exists()
    with opened(state) as app:
        assert peek_generation(str(state), {}) == 0
        for number in (1, 2):
            app.record_graph_change(ingest(f"{number}.rs"), command(number))
            assert peek_generation(str(state), {}) == app.generation() == number
    before = names(state)
    assert peek_generation(str(state), {}) == 2
    assert names(state) == before


def test_a_peek_pays_for_no_event_class() -> None:
    script = (
        "import sys; from m1nd.infrastructure.log.peek import peek_generation; peek_generation('nowhere', {}); "
        "assert not {'pydantic', 'eventsourcing'} & set(sys.modules), 'heavy imports'"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
