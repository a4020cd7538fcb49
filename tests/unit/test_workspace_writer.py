"""The one door to the working tree: all files or none, whatever fails, and undo from the journal."""

import errno
import os
import signal
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.workspace_writer import WorkspaceWriter, changes, writer
from m1nd.infrastructure.workspace_writer.journal import Journal

A, B = b"fn a() {}\n", b"fn b() {}\r\n"
NEW_A, NEW_B = b"// a is gone\n", b"fn b() {}\r\nfn a() {}\r\n"
MOVE = [FilePlan("src/a.rs", A, NEW_A), FilePlan("src/b.rs", B, NEW_B)]


def nothing() -> None: ...


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / "src/a.rs").write_bytes(A)
    (root / "src/b.rs").write_bytes(B)
    return root


def door(root: Path, **options: object) -> WorkspaceWriter:
    return WorkspaceWriter(root, root / ".m1nd", **options)  # type: ignore[arg-type]


def tree(root: Path) -> dict[str, bytes]:
    """Every file outside the store."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".m1nd" not in path.parts
    }


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal.code


OLD = {"src/a.rs": A, "src/b.rs": B}
NEW = {"src/a.rs": NEW_A, "src/b.rs": NEW_B}


def test_all_files_become_new_before_the_append_and_nothing_stays_beside_them(root: Path) -> None:
    at_append: dict[str, bytes] = {}

    def record() -> None:
        at_append.update({path: text for path, text in tree(root).items() if not path.endswith(".old")})

    outcome = door(root).apply("tp_1", MOVE, record)

    assert {path: at_append[path] for path in NEW} == NEW
    assert tree(root) == NEW
    assert outcome.files == ("src/a.rs", "src/b.rs")
    assert os.listdir(root / ".m1nd/journal") == ["tp_1"]


def test_a_failed_append_brings_the_old_bytes_back_and_its_own_error_is_raised(root: Path) -> None:
    def record() -> None:
        raise RuntimeError("the log is full")

    before = (root / "src/a.rs").stat()
    with pytest.raises(RuntimeError, match="the log is full"):
        door(root).apply("tp_1", MOVE, record)

    assert tree(root) == OLD
    assert os.listdir(root / ".m1nd/journal") == []
    after = (root / "src/a.rs").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns), "the very same file"


def test_an_append_that_failed_only_in_appearance_keeps_the_new_bytes(root: Path) -> None:
    log: list[str] = []

    def record() -> None:
        log.append("tp_1")
        raise OSError(errno.EIO, "the answer was lost")

    door(root, is_recorded=lambda id: id in log).apply("tp_1", MOVE, record)

    assert tree(root) == NEW


def test_a_file_that_changed_since_the_plan_is_named_and_nothing_is_written(root: Path) -> None:
    (root / "src/b.rs").write_bytes(b"somebody else's\n")
    with pytest.raises(Refused) as caught:
        door(root).apply("tp_1", MOVE, nothing)

    assert caught.value.refusal.code == "source_modified"
    assert caught.value.refusal.details["path"] == "src/b.rs"
    assert tree(root) == OLD | {"src/b.rs": b"somebody else's\n"}


def test_a_file_that_the_plan_only_rests_on_is_checked_too(root: Path) -> None:
    (root / "src/lib.rs").write_bytes(b"mod a;\n")
    base = {"src/lib.rs": sha256(b"mod a; mod b;\n")}
    assert refused(lambda: door(root).apply("tp_1", MOVE, nothing, base)) == "source_modified"
    assert tree(root) == OLD | {"src/lib.rs": b"mod a;\n"}


def test_an_edit_between_the_check_and_the_rename_is_not_overwritten(root: Path) -> None:
    def edit_late(step: str) -> None:
        if step == "rename 1":
            (root / "src/b.rs").write_bytes(b"typed meanwhile\n")

    assert refused(lambda: door(root, steps=edit_late).apply("tp_1", MOVE, nothing)) == "source_modified"
    assert tree(root) == {"src/a.rs": A, "src/b.rs": b"typed meanwhile\n"}


def test_files_are_created_and_removed_and_come_back_on_undo(root: Path) -> None:
    os.chmod(root / "src/a.rs", 0o750)
    plans = [FilePlan("src/a.rs", A, None), FilePlan("src/c.rs", None, A), MOVE[1]]
    door(root).apply("tp_1", plans, nothing)
    assert tree(root) == {"src/b.rs": NEW_B, "src/c.rs": A}

    door(root).restore("tp_1", nothing)
    assert tree(root) == OLD
    assert stat.S_IMODE((root / "src/a.rs").stat().st_mode) == 0o750


def test_a_file_to_create_that_exists_is_not_overwritten(root: Path) -> None:
    def appear(step: str) -> None:
        if step == "rename 0":
            (root / "src/c.rs").write_bytes(b"first\n")

    plan = [FilePlan("src/c.rs", None, A)]
    assert refused(lambda: door(root, steps=appear).apply("tp_1", plan, nothing)) == "source_modified"
    assert refused(lambda: door(root).apply("tp_1", plan, nothing)) == "source_modified"
    assert tree(root) == OLD | {"src/c.rs": b"first\n"}


def test_mode_owner_and_attributes_are_kept(root: Path) -> None:
    target = root / "src/a.rs"
    os.chmod(target, 0o751)
    if os.geteuid() == 0:
        os.chown(target, 12345, 54321)
    attributes = hasattr(os, "setxattr")
    if attributes:
        try:
            os.setxattr(target, "user.note", b"keep")
        except OSError:
            attributes = False
    before = target.stat()
    door(root).apply("tp_1", MOVE, nothing)
    after = target.stat()

    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert not attributes or os.getxattr(target, "user.note") == b"keep"


def test_a_link_to_a_file_inside_is_written_through(root: Path) -> None:
    (root / "real").mkdir()
    (root / "src/a.rs").rename(root / "real/a.rs")
    (root / "src/a.rs").symlink_to("../real/a.rs")
    door(root).apply("tp_1", MOVE, nothing)

    assert os.readlink(root / "src/a.rs") == "../real/a.rs"
    assert (root / "real/a.rs").read_bytes() == NEW_A


@pytest.mark.parametrize(
    "path", ["../outside.rs", "/etc/passwd", "out/a.rs", "gone.rs", ".m1nd/a", ".git/config"]
)
def test_no_path_and_no_link_leads_out(root: Path, path: str) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "a.rs").write_bytes(A)
    (root / "out").symlink_to(outside)
    (root / "gone.rs").symlink_to(outside / "nowhere.rs")
    plan = [*MOVE, FilePlan(path, None, b"x")]
    assert refused(lambda: door(root).apply("tp_1", plan, nothing)) == "outside_root"
    assert sorted(os.listdir(outside)) == ["a.rs"]
    assert (root / "src/a.rs").read_bytes() == A


def test_two_planned_paths_that_are_one_file_are_refused(root: Path) -> None:
    (root / "src/link.rs").symlink_to("a.rs")
    plans = [FilePlan("src/a.rs", A, b"1"), FilePlan("src/link.rs", A, b"2")]
    assert refused(lambda: door(root).apply("tp_1", plans, nothing)) == "write_failed"
    assert tree(root) == OLD | {"src/link.rs": A}


@pytest.mark.parametrize("obstacle", ["file as folder", "read-only file", "folder", "pipe", "dangling link"])
def test_what_cannot_be_written_refuses_with_every_old_byte_in_place(root: Path, obstacle: str) -> None:
    plan = FilePlan("src/new.rs", None, b"x")
    match obstacle:
        case "file as folder":
            plan = FilePlan("src/a.rs/new.rs", None, b"x")
        case "read-only file":
            (root / "src/new.rs").write_bytes(A)
            os.chmod(root / "src/new.rs", 0o444)
            plan = FilePlan("src/new.rs", A, b"x")
        case "folder":
            (root / "src/new.rs").mkdir()
        case "pipe":
            os.mkfifo(root / "src/new.rs")
        case "dangling link":
            (root / "src/new.rs").symlink_to("nowhere.rs")
    before = tree(root)
    with pytest.raises(Refused) as caught:
        door(root).apply("tp_1", [*MOVE, plan], nothing)

    assert caught.value.refusal.code == "write_failed"
    assert str(root) not in caught.value.refusal.message, "no absolute path in any answer"
    assert tree(root) == before
    journal = root / ".m1nd/journal"
    assert not journal.exists() or os.listdir(journal) == []


def folders(root: Path) -> list[str]:
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_dir() and ".m1nd" not in path.parts
    )


DEEP = [FilePlan("src/net/tcp/a.rs", None, A), FilePlan("src/net/b.rs", None, B)]


def test_folders_are_made_for_new_files_and_go_with_them(root: Path) -> None:
    door(root).apply("tp_1", DEEP, nothing)
    assert tree(root) == OLD | {"src/net/tcp/a.rs": A, "src/net/b.rs": B}
    door(root).restore("tp_1", nothing)
    assert tree(root) == OLD
    assert folders(root) == ["src"]


def test_a_made_folder_that_holds_somebody_elses_file_stays(root: Path) -> None:
    door(root).apply("tp_1", DEEP, nothing)
    (root / "src/net/mine.rs").write_bytes(A)
    door(root).restore("tp_1", nothing)
    assert folders(root) == ["src", "src/net"]
    assert tree(root) == OLD | {"src/net/mine.rs": A}


def test_a_failed_append_takes_made_folders_back(root: Path) -> None:
    def record() -> None:
        raise RuntimeError("the log is full")

    with pytest.raises(RuntimeError, match="the log is full"):
        door(root).apply("tp_1", DEEP, record)
    assert (tree(root), folders(root)) == (OLD, ["src"])


def test_a_folder_that_a_batch_leaves_empty_goes_and_one_with_other_files_stays(root: Path) -> None:
    door(root).apply("tp_1", DEEP, nothing)
    door(root).apply("tp_2", [FilePlan("src/net/tcp/a.rs", A, None)], nothing)
    assert folders(root) == ["src", "src/net"]
    door(root).restore("tp_2", nothing)
    assert (tree(root), folders(root)) == (
        OLD | {"src/net/tcp/a.rs": A, "src/net/b.rs": B},
        ["src", "src/net", "src/net/tcp"],
    )


def test_an_undo_brings_a_removed_file_back_into_a_folder_that_is_gone(root: Path) -> None:
    door(root).apply("tp_1", [FilePlan("src/a.rs", A, None), FilePlan("src/b.rs", B, None)], nothing)
    assert not (root / "src").exists()
    door(root).restore("tp_1", nothing)
    assert tree(root) == OLD


def test_where_no_second_name_can_be_made_a_copy_serves(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "not permitted")

    monkeypatch.setattr(changes.os, "link", no_links)

    def record() -> None:
        raise RuntimeError

    plans = [*MOVE, FilePlan("src/c.rs", None, A)]
    with pytest.raises(RuntimeError):
        door(root).apply("tp_1", plans, record)
    assert tree(root) == OLD
    door(root).apply("tp_2", plans, nothing)
    assert tree(root) == NEW | {"src/c.rs": A}


def test_undo_writes_the_kept_bytes_once(root: Path) -> None:
    door(root).apply("tp_1", MOVE, nothing)
    outcome = door(root).restore("tp_1", nothing)

    assert tree(root) == OLD
    assert outcome.journal_id == writer.UNDO + "tp_1"
    assert refused(lambda: door(root).restore("tp_1", nothing)) == "undo_unknown"
    assert refused(lambda: door(root).restore("tp_9", nothing)) == "undo_unknown"
    assert refused(lambda: door(root).restore("../tp_1", nothing)) == "undo_unknown"


def test_undo_names_every_file_that_has_changed_since(root: Path) -> None:
    door(root).apply("tp_1", MOVE, nothing)
    (root / "src/a.rs").write_bytes(b"mine\n")
    (root / "src/b.rs").unlink()
    with pytest.raises(Refused) as caught:
        door(root).restore("tp_1", nothing)

    assert caught.value.refusal.code == "undo_modified"
    assert caught.value.refusal.details["files"] == ["src/a.rs", "src/b.rs"]
    assert tree(root) == {"src/a.rs": b"mine\n"}


def test_a_failed_append_of_an_undo_leaves_the_move_in_place(root: Path) -> None:
    door(root).apply("tp_1", MOVE, nothing)

    def record() -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        door(root).restore("tp_1", record)
    assert tree(root) == NEW
    door(root).restore("tp_1", nothing)
    assert tree(root) == OLD


def test_a_journal_that_lost_bytes_is_never_written_back(root: Path) -> None:
    door(root).apply("tp_1", MOVE, nothing)
    (root / ".m1nd/journal/tp_1/0.old").write_bytes(b"rotten")
    assert refused(lambda: door(root).restore("tp_1", nothing)) == "store_damaged"
    assert tree(root) == NEW


def test_the_journal_keeps_the_newest_and_drops_the_old(root: Path) -> None:
    for number in range(4):
        path = f"src/n{number}.rs"
        door(root, keep=3).apply(f"tp_{number}", [FilePlan(path, None, b"x")], nothing)
        for entry in (root / ".m1nd/journal").iterdir():  # the clock of a fast test stands still
            os.utime(entry, (time.time() - 100 + int(entry.name[3:]),) * 2)
    assert sorted(os.listdir(root / ".m1nd/journal")) == ["tp_1", "tp_2", "tp_3"]

    later = time.time() + 31 * 86_400
    Journal(root / ".m1nd/journal").prune(later)
    assert sorted(os.listdir(root / ".m1nd/journal")) == ["tp_3"], "the last one always stays"


def test_another_holder_of_the_lock_is_waited_for_and_then_named(root: Path) -> None:
    inside, release = threading.Event(), threading.Event()

    def record() -> None:
        inside.set()
        release.wait(10)

    first = threading.Thread(target=door(root).apply, args=("tp_1", MOVE, record))
    first.start()
    inside.wait(10)
    later = [FilePlan("src/c.rs", None, b"c")]
    assert refused(lambda: door(root, lock_timeout=0.05).apply("tp_2", later, nothing)) == "busy"
    release.set()
    first.join()
    door(root).apply("tp_2", later, nothing)
    assert tree(root) == NEW | {"src/c.rs": b"c"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_step_leaves_old_or_new_and_the_log_agrees(root: Path, number: int) -> None:
    class Stopped(BaseException): ...

    def stop(*_: object) -> None:
        raise Stopped

    steps: list[str] = []
    door(root, steps=steps.append).apply("probe", MOVE, nothing)
    door(root).restore("probe", nothing)
    assert len(steps) > 10
    usual = signal.signal(number, stop)
    try:
        outcomes = set()
        for at, step in enumerate(steps):
            taken: list[str] = []
            log: list[str] = []

            def strike(name: str, taken: list[str] = taken, at: int = at, number: int = number) -> None:
                taken.append(name)
                if len(taken) == at + 1:
                    os.kill(os.getpid(), number)

            id = f"tp_{at}"
            with pytest.raises(Stopped):
                door(root, steps=strike).apply(id, MOVE, lambda log=log: log.append("x"))  # type: ignore[misc]
            now = tree(root)
            assert now == (NEW if log else OLD), step
            outcomes.add(bool(log))
            if log:
                door(root).restore(id, nothing)
        assert outcomes == {True, False}
    finally:
        signal.signal(number, usual)


def test_a_cut_off_write_is_mended_before_the_next_one_or_refused(root: Path) -> None:
    class Died(BaseException): ...

    def die(step: str) -> None:
        if step == "rename 1":
            raise Died

    writer_that_dies = door(root, steps=die)
    writer_that_dies._take_back = lambda *_: None  # type: ignore[method-assign]
    with pytest.raises(Died):
        writer_that_dies.apply("tp_1", MOVE, nothing)
    assert tree(root)["src/a.rs"] == NEW_A

    assert refused(lambda: door(root).apply("tp_2", MOVE, nothing)) == "busy"
    outcome = door(root, is_recorded=lambda _: False).apply("tp_2", MOVE, nothing)
    assert len(outcome.repairs) == 1 and "tp_1" in outcome.repairs[0]
    assert tree(root) == NEW


def test_recovery_with_nothing_left_over_takes_no_lock_and_makes_nothing(root: Path) -> None:
    assert door(root).recover(lambda _: pytest.fail("asked")) == ()
    assert not (root / ".m1nd").exists()


@pytest.mark.parametrize(
    "path", [".git/config", "sub/.git/hooks/pre-commit", ".GIT/config", "src/.m1nd/log.db", ".M1nd/x"]
)
def test_no_git_folder_and_no_store_is_part_of_the_tree(root: Path, path: str) -> None:
    plans = [FilePlan(path, None, b"x")]
    assert refused(lambda: door(root).apply("jrn_0", plans, nothing)) == "outside_root"
    assert not (root / path).exists()
