"""What must be on the disk is there before the next step, though many files are synced together."""

import os
from pathlib import Path

import pytest

from m1nd.domain.edits import FilePlan
from m1nd.infrastructure import durable
from m1nd.infrastructure.workspace_writer import WorkspaceWriter

MOVE = tuple(FilePlan(f"src/{n}.rs", b"old", b"new %d" % n) for n in range(5))


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The inodes of all that was synced."""
    found: set[int] = set()

    def sync(descriptor: int) -> None:
        found.add(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(durable, "sync", sync)
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    for plan in MOVE:
        (tmp_path / plan.path).write_bytes(b"old")
    return tmp_path


def inodes(folder: Path, pattern: str) -> set[int]:
    return {path.stat().st_ino for path in folder.glob(pattern)}


def test_files_that_were_put_off_are_synced_when_they_are_settled(tmp_path: Path, synced: set[int]) -> None:
    with durable.Unsynced() as unsynced:
        for number in range(3):
            durable.write_later(tmp_path / f"{number}", b"x", unsynced)
        assert not synced
        unsynced.settle()
        assert synced == inodes(tmp_path, "*")


def test_no_more_files_wait_for_their_sync_than_may_be_open(
    tmp_path: Path, synced: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "MOST_OPEN", 2)
    with durable.Unsynced() as unsynced:
        for number in range(5):
            durable.write_later(tmp_path / f"{number}", b"x", unsynced)
        assert len(synced) == 4


def test_files_of_a_batch_that_is_given_up_are_closed(
    tmp_path: Path, synced: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []
    closed: list[int] = []
    dup, close = os.dup, os.close

    def keeping(descriptor: int) -> int:
        kept.append(dup(descriptor))
        return kept[-1]

    def closing(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "dup", keeping)
    monkeypatch.setattr(os, "close", closing)
    with pytest.raises(ValueError), durable.Unsynced() as unsynced:
        durable.write_later(tmp_path / "a", b"x", unsynced)
        raise ValueError
    assert not synced
    assert kept and set(kept) <= set(closed)


def test_a_sync_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durable, "sync", full)
    with durable.Unsynced() as unsynced:
        durable.write_later(tmp_path / "a", b"x", unsynced)
        with pytest.raises(OSError, match="No space left"):
            unsynced.settle()


def test_nothing_is_renamed_before_the_new_files_and_the_journal_are_on_the_disk(
    root: Path, synced: set[int]
) -> None:
    seen: list[str] = []

    def step(name: str) -> None:
        journal = root / ".m1nd" / "journal"
        if name == "temporary 0":
            # The manifest makes the journal believed: all that it speaks of is on the disk.
            assert inodes(journal, "*/*") and inodes(journal, "*/*") <= synced
        if name == "renaming":
            waiting = inodes(root / "src", ".m1nd-*.new")
            assert len(waiting) == len(MOVE) and waiting <= synced
        seen.append(name)

    WorkspaceWriter(root, root / ".m1nd", steps=step).apply("tp_1", MOVE, lambda: None)
    assert {"temporary 0", "settle", "renaming"} <= set(seen)
    assert seen.index("settle") < seen.index("renaming")
