"""Power cuts, as near as a test gets: the process ends without a word at every step of a write, and a new one starts.

Afterwards the files are all old or all new, the log agrees with them, and nothing lies beside them.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.workspace_writer import UNDO, WorkspaceWriter

OLD = {"src/a.rs": b"fn a() {}\n", "src/b.rs": b"fn b() {}\n", "gone/away/c.rs": b"fn c() {}\n"}
NEW = {"src/a.rs": b"", "src/b.rs": b"fn b() {}\nfn a() {}\n", "new/deep/made.rs": b"fn d() {}\n"}
MOVE = [FilePlan(path, OLD.get(path), NEW.get(path)) for path in sorted(OLD | NEW)]


class Log:
    """A log of one line per append, synced."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, id: str) -> None:
        with self.path.open("a") as file:
            file.write(id + "\n")
            file.flush()
            os.fsync(file.fileno())

    def has(self, id: str) -> bool:
        return self.path.exists() and id in self.path.read_text().split()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    fill(root, OLD)
    return root


def fill(root: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(root, ignore_errors=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text)


def tree(root: Path) -> dict[str, bytes]:
    """Every file outside the store, and every folder that is empty."""
    paths = [path for path in root.rglob("*") if ".m1nd" not in path.parts]
    empty = {
        f"{path.relative_to(root).as_posix()}/": b""
        for path in paths
        if path.is_dir() and not any(path.iterdir())
    }
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()} | empty


def in_child(act: Callable[[], None]) -> int:
    """Run `act` in a forked process that ends without any clean-up; its exit status, or minus the signal's number."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            act()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die_at(number: int) -> Callable[[str], None]:
    count = iter(range(number + 1))

    def step(_: str) -> None:
        if next(count) == number:
            os._exit(9)

    return step


def survivors(act: Callable[[Callable[[str], None]], None]) -> Iterator[int]:
    """Kill `act` at its first step, at its second, … until it runs to its end."""
    for number in range(1000):
        status = in_child(lambda number=number: act(die_at(number)))  # type: ignore[misc]
        if status == 0:
            return
        assert status == 9
        yield number
    raise AssertionError("no end")


def test_a_kill_at_every_step_of_a_write_leaves_old_or_new_after_recovery(root: Path) -> None:
    log = Log(root.parent / "log")
    outcomes: list[bool] = []

    def act(steps: Callable[[str], None]) -> None:
        WorkspaceWriter(root, root / ".m1nd", steps=steps).apply("tp_1", MOVE, lambda: log.append("tp_1"))

    for number in survivors(act):
        lines = WorkspaceWriter(root, root / ".m1nd").recover(log.has)
        assert tree(root) == (NEW if log.has("tp_1") else OLD), f"step {number}: {lines}"
        assert len(lines) <= 1
        outcomes.append(log.has("tp_1"))
        fill(root, OLD)
        log.path.unlink(missing_ok=True)
    assert outcomes == sorted(outcomes) and True in outcomes and False in outcomes
    assert len(outcomes) > 15


def test_a_kill_at_every_step_of_an_undo_leaves_the_move_or_none_of_it(root: Path) -> None:
    log = Log(root.parent / "log")
    done = WorkspaceWriter(root, root / ".m1nd").apply("tp_1", MOVE, lambda: None)
    assert done.journal_id == "tp_1"
    shutil.copytree(root, root.parent / "moved")

    def act(steps: Callable[[str], None]) -> None:
        WorkspaceWriter(root, root / ".m1nd", steps=steps).restore("tp_1", lambda: log.append(UNDO + "tp_1"))

    for number in survivors(act):
        WorkspaceWriter(root, root / ".m1nd").recover(log.has)
        assert tree(root) == (OLD if log.has(UNDO + "tp_1") else NEW), f"step {number}"
        shutil.rmtree(root)
        shutil.copytree(root.parent / "moved", root)
        log.path.unlink(missing_ok=True)


def test_a_kill_during_recovery_is_recovered_from(root: Path) -> None:
    log = Log(root.parent / "log")
    assert in_child(lambda: _die_after_first_rename(root)) == 9
    assert tree(root).keys() & {"gone/away/c.rs", "src/a.rs"}

    def mend(steps: Callable[[str], None]) -> None:
        WorkspaceWriter(root, root / ".m1nd", steps=steps).recover(log.has)

    assert list(survivors(mend)) == [0]
    assert tree(root) == OLD


def _die_after_first_rename(root: Path) -> None:
    def step(name: str) -> None:
        if name == "rename 1":
            os._exit(9)

    WorkspaceWriter(root, root / ".m1nd", steps=step).apply("tp_1", MOVE, lambda: None)


def test_text_that_somebody_wrote_after_the_crash_is_left_alone_and_named(root: Path) -> None:
    log = Log(root.parent / "log")

    def die_before_the_append() -> None:
        WorkspaceWriter(root, root / ".m1nd").apply("tp_1", MOVE, lambda: os._exit(9))

    assert in_child(die_before_the_append) == 9
    (root / "src/b.rs").write_bytes(b"mine\n")
    (line,) = WorkspaceWriter(root, root / ".m1nd").recover(log.has)

    assert "src/b.rs" in line and "tp_1.aside" in line
    assert tree(root) == OLD | {"src/b.rs": b"mine\n"}
    assert (root / ".m1nd/journal/tp_1.aside").is_dir()
    assert WorkspaceWriter(root, root / ".m1nd").recover(log.has) == ()


def test_a_torn_manifest_is_set_aside_and_blocks_nobody(root: Path) -> None:
    torn = root / ".m1nd/journal/tp_0.open"
    torn.mkdir(parents=True)
    (torn / "manifest.json").write_bytes(b'{"files": [{"pa')
    (line,) = WorkspaceWriter(root, root / ".m1nd").recover(lambda _: False)
    assert "cannot be read" in line
    WorkspaceWriter(root, root / ".m1nd").apply("tp_1", MOVE, lambda: None)
    assert tree(root) == NEW


def kill_at_random(root: Path, rounds: int, seed: int) -> None:
    """Kill a writer at random moments. Where the machine is so busy that all kills come too early, they come later."""
    chance = random.Random(seed)
    log = Log(root.parent / "log")
    outcomes = [0, 0]
    longest = 0.03
    for number in range(rounds):
        if number % 10 == 9 and not all(outcomes):
            longest *= 2 if outcomes[1] == 0 else 0.5
        fill(root, OLD)
        log.path.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            try:
                WorkspaceWriter(root, root / ".m1nd").apply("tp_1", MOVE, lambda: log.append("tp_1"))
            finally:
                os._exit(0)
        time.sleep(chance.random() * longest)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        WorkspaceWriter(root, root / ".m1nd").recover(log.has)
        assert tree(root) == (NEW if log.has("tp_1") else OLD)
        outcomes[log.has("tp_1")] += 1
    assert all(outcomes), f"old and new must both occur: {outcomes}"


def test_kills_at_random_moments_short(root: Path) -> None:
    kill_at_random(root, 60, 1)


@pytest.mark.soak
def test_kills_at_random_moments_long(root: Path) -> None:
    kill_at_random(root, 1000, 2)


def test_two_writers_at_once_never_mix(root: Path) -> None:
    log = Log(root.parent / "log")
    children = []
    for name in ("x", "y"):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for number in range(15):
                    content = f"{name} {number}\n".encode()
                    before = {path: (root / path).read_bytes() for path in ("src/a.rs", "src/b.rs")}
                    plans = [FilePlan(path, before[path], content) for path in before]
                    id = f"{name}_{number}"
                    writer = WorkspaceWriter(root, root / ".m1nd", lock_timeout=30)
                    try:
                        writer.apply(id, plans, lambda id=id: log.append(id))  # type: ignore[misc]
                    except Refused as refused:
                        assert refused.refusal.code == "source_modified"
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]

    last = log.path.read_text().split()[-1].replace("_", " ") + "\n"
    assert (root / "src/a.rs").read_text() == (root / "src/b.rs").read_text() == last
    assert sorted(tree(root)) == sorted(OLD)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB with the tree on it; the store lies elsewhere or on it, as the test likes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting a small disk needs root")
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not let us mount a small disk")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("store", ["on the full disk", "elsewhere"])
def test_a_full_disk_refuses_with_the_old_bytes_in_place(
    small_disk: Path, tmp_path: Path, store: str
) -> None:
    root = small_disk / "repo"
    fill(root, OLD)
    state = root / ".m1nd" if store == "on the full disk" else tmp_path / "state"
    big = [*MOVE, FilePlan("src/big.rs", None, b"x" * 300_000)]
    with pytest.raises(Refused) as caught:
        WorkspaceWriter(root, state).apply("tp_1", big, lambda: pytest.fail("must not append"))

    assert caught.value.refusal.code == "write_failed"
    assert "no space left" in caught.value.refusal.message
    assert tree(root) == OLD
    assert os.listdir(state / "journal") == []
    WorkspaceWriter(root, state).apply("tp_1", MOVE, lambda: None)
    assert tree(root) == NEW


def test_going_back_needs_no_space(small_disk: Path, tmp_path: Path) -> None:
    """The append fails on a disk that has become full to the last byte meanwhile."""
    root = small_disk / "repo"
    fill(root, OLD)

    def record() -> None:
        with pytest.raises(OSError), (small_disk / "filler").open("wb", buffering=0) as filler:
            while filler.write(b"x" * 4096):
                pass
        raise RuntimeError("the append failed")

    with pytest.raises(RuntimeError, match="the append failed"):
        WorkspaceWriter(root, root / ".m1nd").apply("tp_1", MOVE, record)
    assert tree(root) == OLD


def test_a_read_only_disk_refuses(small_disk: Path, tmp_path: Path) -> None:
    root = small_disk / "repo"
    fill(root, OLD)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for state in (root / ".m1nd", tmp_path / "state"):
        with pytest.raises(Refused) as caught:
            WorkspaceWriter(root, state).apply("tp_1", MOVE, lambda: pytest.fail("must not append"))
        assert caught.value.refusal.code == "write_failed"
        assert str(tmp_path) not in caught.value.refusal.message
    assert tree(root) == OLD
