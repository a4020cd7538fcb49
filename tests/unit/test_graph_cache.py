"""The cache may vanish, break or be forbidden at any time; the graph is the same, and it says what it cannot keep."""

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from tests.support.graph_columns import columns_of
from tests.support.index import MANIFEST, graph_of, said

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.folder_lock import locked
from m1nd.infrastructure.graph_cache import CachedGraph, cached_graph
from m1nd.infrastructure.graph_cache.snapshot import SNAPSHOT_NAME
from m1nd.infrastructure.graph_cache.store import CACHE_NAME
from m1nd.infrastructure.state_dir import BEING_WRITTEN, WRITE_LOCK
from m1nd.infrastructure.workspace_writer import WorkspaceWriter

FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod a;\npub fn top() { a::one() }\n",
    "src/a.rs": "pub fn one() { crate::top() }\n",
    "README.md": "# demo\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def opened(root: Path, **options: bool) -> CachedGraph:
    return CachedGraph(str(root), str(root / ".m1nd"), **options)


def counts(graph: CachedGraph) -> tuple[int, ...]:
    report = graph.refresh()
    return report.files, report.modules, report.items, report.edges, report.unresolved


def test_the_first_refresh_adds_and_the_second_finds_nothing(root: Path) -> None:
    graph = opened(root)
    first, second = graph.refresh(), graph.refresh()
    assert (first.added, first.changed, first.removed) == (4, 0, 0)
    assert (second.added, second.changed, second.removed) == (0, 0, 0)
    assert (first.files, first.modules, first.items) == (4, 2, 3)
    assert [c["path"] for c in graph.file_changes()["added"]] == sorted(FILES)


def test_a_warm_start_reads_no_source_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = opened(root)
    expected = counts(first)
    age(root)
    first.refresh()
    first.close()

    def forbidden(*_: object) -> None:
        raise AssertionError("nothing has changed")

    monkeypatch.setattr("m1nd.domain.index.link.link", forbidden)
    monkeypatch.setattr("m1nd.infrastructure.rust_source.extract.Extractor.extract", forbidden)
    assert counts(opened(root)) == expected


def age(root: Path, seconds: float = 60) -> None:
    """Give every file a time that is not racy, as if it had been written a while ago."""
    then = time.time() - seconds
    for path in FILES:
        if (root / path).exists():
            os.utime(root / path, (then, then))


def test_a_change_with_the_same_size_and_time_is_found(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    before = (root / "src/a.rs").stat()
    (root / "src/a.rs").write_text(FILES["src/a.rs"].replace("top", "pot"))
    os.utime(root / "src/a.rs", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert graph.refresh().changed == 1


def test_a_touched_file_is_no_change(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    os.utime(root / "src/a.rs")
    assert graph.refresh().changed == 0


def test_removed_files_leave_no_ghosts(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    (root / "src/a.rs").unlink()
    report = graph.refresh()
    assert (report.removed, report.items, report.unresolved) == (1, 2, 2)
    assert "src/a.rs" not in graph.hashes()
    assert "src/a.rs" not in graph.index().paths


@pytest.mark.parametrize("name", [CACHE_NAME, SNAPSHOT_NAME])
@pytest.mark.parametrize("damage", ["gone", "empty", "cut", "noise"])
def test_a_damaged_cache_is_rebuilt_without_a_word(root: Path, name: str, damage: str) -> None:
    graph = opened(root)
    expected = counts(graph)
    graph.close()
    path = root / ".m1nd" / name
    content = path.read_bytes()
    path.unlink()
    if damage != "gone":
        path.write_bytes(
            {"empty": b"", "cut": content[: len(content) // 2], "noise": b"noise " * 500}[damage]
        )
    again = opened(root)
    assert counts(again) == expected
    assert again.refresh().notes == ()
    assert len(again.index().names) == 3


def test_a_cache_of_another_version_is_rebuilt(root: Path) -> None:
    graph = opened(root)
    expected = counts(graph)
    graph.close()
    with sqlite3.connect(root / ".m1nd" / CACHE_NAME) as db:
        db.execute("UPDATE meta SET value = '999.1' WHERE key = 'version'")
    again = opened(root)
    assert again.refresh().added == len(FILES)
    assert counts(again) == expected


def test_a_state_folder_that_cannot_be_made_means_memory_and_says_so(root: Path) -> None:
    (root / ".m1nd").write_text("a file in the way")
    graph = opened(root)
    report = graph.refresh()
    assert (report.items, report.added) == (3, 4)
    assert [path for path, _ in report.notes] == [""]
    assert "held in memory" in report.notes[0][1]
    assert (root / ".m1nd").read_text() == "a file in the way"


def test_a_full_disk_means_memory_and_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = opened(root)
    graph.refresh()
    graph._store._db.execute("PRAGMA max_page_count = 1")
    (root / "src/a.rs").write_text(
        "pub fn one() {}\n" + "".join(f"pub fn f{n}() {{ g{n}() }}\n" for n in range(2000))
    )
    report = graph.refresh()
    assert report.items == 2003
    assert "held in memory" in report.notes[-1][1]
    assert graph.refresh().changed == 0


def test_a_read_only_attach_writes_nothing(root: Path) -> None:
    report = opened(root, read_only=True).refresh()
    assert report.items == 3
    assert not (root / ".m1nd").exists()
    kept = opened(root)
    kept.refresh()
    kept.close()
    before = {p.name: p.read_bytes() for p in (root / ".m1nd").iterdir()}
    (root / "src/a.rs").write_text("pub fn one() {} pub fn two() {}\n")
    assert opened(root, read_only=True).refresh().items == 4
    assert {p.name: p.read_bytes() for p in (root / ".m1nd").iterdir()} == before


def test_files_without_facts_are_noted_with_the_reason(root: Path) -> None:
    (root / "src/binary.rs").write_bytes(b"fn a() {}\0")
    (root / "src/latin.rs").write_bytes("fn größe() {}".encode("latin-1"))
    (root / "src/huge.rs").write_bytes(b"// x\n" * 300_000)
    (root / "logo.bin").write_bytes(b"\0\xff")
    graph = opened(root)
    report = graph.refresh()
    assert report.notes == (
        ("src/binary.rs", "binary"),
        ("src/huge.rs", "too-large"),
        ("src/latin.rs", "non-utf-8"),
    )
    assert report.files == 8
    snapshot = graph.rust()
    assert dict(snapshot.unreadable) == dict(report.notes)
    assert sorted(snapshot.facts) == ["src/a.rs", "src/lib.rs"]
    assert snapshot.sources["src/latin.rs"] == "fn größe() {}".encode("latin-1")


def test_sources_that_changed_since_the_refresh_are_refused(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    sources = graph.rust().sources
    assert sources["src/lib.rs"] == FILES["src/lib.rs"].encode()
    (root / "src/a.rs").write_text("fn other() {}\n")
    with pytest.raises(Refused, match="source_modified"):
        sources["src/a.rs"]


def test_what_the_log_does_not_know_waits_until_it_is_acknowledged(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    graph.acknowledge(7, 1)
    assert not any(graph.file_changes().values())
    (root / "src/a.rs").write_text("pub fn one() {}\n")
    (root / "README.md").unlink()
    (root / "new.txt").write_text("x")
    graph.refresh()
    graph.close()
    again = opened(root)
    again.refresh()
    changes = again.file_changes()
    assert {kind: [c["path"] for c in rows] for kind, rows in changes.items()} == {
        "added": ["new.txt"],
        "changed": ["src/a.rs"],
        "removed": ["README.md"],
    }
    assert changes["changed"][0]["before"] != changes["changed"][0]["sha256"]
    assert (again.acknowledged(), again.generation()) == (7, 1)
    (root / "src/a.rs").write_text(FILES["src/a.rs"])
    again.refresh()
    assert again.file_changes()["changed"] == []


def test_an_item_moved_by_hand_has_a_fate_until_it_is_acknowledged(root: Path) -> None:
    graph = opened(root)
    (root / "src/a.rs").write_text("pub fn one() { alpha(1); beta(2); gamma(3) }\npub fn two() {}\n")
    graph.refresh()
    graph.acknowledge(1, 1)
    (root / "src/a.rs").write_text("pub fn two() {}\n")
    (root / "src/lib.rs").write_text(FILES["src/lib.rs"] + "pub fn one() { alpha(1); beta(2); gamma(3) }\n")
    graph.refresh()
    graph.close()
    again = opened(root)
    again.refresh()
    ((source, target, evidence),) = again.fates().rematched
    assert (str(source), str(target), evidence) == ("fn demo::a::one", "fn demo::one", "name_and_body")
    assert again.fates().lost == ()
    again.acknowledge(2, 2)
    assert again.fates().is_empty


def test_two_processes_worth_of_work_gives_the_same_rows(root: Path) -> None:
    for number in range(300):
        lines = "".join(
            f'pub fn f{number}_{n}() {{ crate::top(); g{n}("{"x" * 200}") }}\n' for n in range(50)
        )
        (root / f"src/m{number}.rs").write_text(lines)
    alone = CachedGraph(str(root), str(root / ".m1nd" / "one"), workers=1)
    pair = CachedGraph(str(root), str(root / ".m1nd" / "two"), workers=2)
    assert alone.refresh().items == pair.refresh().items == 3 + 15_000
    assert alone.hashes() == pair.hashes()
    assert dict(alone.rust().facts) == dict(pair.rust().facts)
    assert alone.rust().facts["src/m7.rs"].tokens == pair.rust().facts["src/m7.rs"].tokens


def test_stale_files_are_counted_and_nothing_is_stored(root: Path) -> None:
    graph = opened(root)
    assert graph.stale_files() == len(FILES)
    graph.refresh()
    assert graph.stale_files() == 0
    os.utime(root / "README.md")
    assert graph.stale_files() == 0
    (root / "src/a.rs").write_text("fn x() {}")
    (root / "README.md").unlink()
    (root / "new").write_text("")
    assert graph.stale_files() == 3
    assert list(graph.stale_paths()) == ["README.md", "new", "src/a.rs"]
    assert graph.refresh().changed == 1


def test_the_remembered_graph_is_that_of_the_last_refresh_and_reads_no_newer_file(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    (root / "src/a.rs").write_text("pub fn one() { crate::top(); two() }\npub fn two() {}\n")
    fresh = opened(root, read_only=True)
    assert "two" not in fresh.remembered().names
    assert fresh.stale_paths() == ["src/a.rs"]
    graph.refresh()
    assert "two" in opened(root, read_only=True).remembered().names


def test_the_remembered_graph_knows_what_a_long_lived_process_relinked(root: Path) -> None:
    """A body that changed is linked by itself, and no snapshot is written for it: the stored facts say it."""
    graph = opened(root)
    graph.refresh()
    before = said(graph.index())
    (root / "src/a.rs").write_text("pub fn one() { let _ = 1; }\n")
    graph.refresh()
    assert said(graph.index()) != before
    assert said(opened(root, read_only=True).remembered()) == said(graph.index())


def test_what_a_long_lived_process_followed_is_kept_at_its_end(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = opened(root)
    graph.refresh()
    (root / "src/a.rs").write_text("pub fn zero() {}\npub fn one() { zero() }\n")
    graph.refresh()
    expected = columns_of(graph.index())
    graph.close()

    def forbidden(*_: object) -> None:
        raise AssertionError("nothing has changed")

    monkeypatch.setattr("m1nd.domain.index.link.link", forbidden)
    again = opened(root)
    again.refresh()
    assert columns_of(again.index()) == expected


def test_a_long_lived_process_links_no_file_but_the_changed_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = opened(root)
    graph.refresh()

    def forbidden(*_: object) -> None:
        raise AssertionError("one file has changed")

    monkeypatch.setattr("m1nd.domain.index.link.link", forbidden)
    (root / "src/a.rs").write_text("pub fn zero() {}\npub fn one() { zero() }\n")
    (root / "README.md").unlink()
    assert graph.refresh().items == 4
    assert "demo::a::one calls demo::a::zero" in said(graph.index())


def test_what_became_of_items_is_told_from_the_graph_before_even_where_nobody_kept_it(root: Path) -> None:
    long_lived = opened(root)
    long_lived.refresh()
    moved = "pub fn two() { alpha(1); beta(2); gamma(3) }\n"
    (root / "src/a.rs").write_text("fn zero() {}\n" + FILES["src/a.rs"] + moved)
    long_lived.refresh()
    (root / "src/a.rs").write_text("fn zero() {}\n" + FILES["src/a.rs"])
    (root / "src/lib.rs").write_text(FILES["src/lib.rs"] + moved)
    fresh = opened(root)
    fresh.refresh()
    ((source, target, evidence),) = fresh.fates().rematched
    assert (str(source), str(target), evidence) == ("fn demo::a::two", "fn demo::two", "name_and_body")
    assert fresh.fates().lost == ()


def test_a_follow_that_is_stopped_leaves_nothing_half_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = opened(root)
    graph.refresh()
    (root / "src/a.rs").write_text("pub fn zero() {}\npub fn one() { zero() }\n")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("m1nd.domain.index.live.Live._replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            graph.refresh()
    graph.refresh()
    assert columns_of(graph.index()) == columns_of(graph_of({p: (root / p).read_text() for p in FILES}))


def test_without_snapshot_and_cache_the_remembered_graph_is_read_anew(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    expected = said(graph.index())
    graph.close()
    (root / ".m1nd" / SNAPSHOT_NAME).unlink()
    assert said(opened(root).remembered()) == expected
    for path in (root / ".m1nd").glob(f"{CACHE_NAME}*"):
        path.unlink()
    assert said(opened(root).remembered()) == expected


def test_half_of_a_write_is_no_state_of_the_tree(root: Path) -> None:
    """A reader in another thread or process waits for the whole."""
    opened(root).refresh()
    plans = [FilePlan(path, FILES[path].encode(), b"// new\n") for path in ("src/a.rs", "src/lib.rs")]
    seen: list[Mapping[str, str]] = []

    def read() -> None:
        graph = opened(root)
        graph.refresh()
        seen.append(graph.hashes())
        graph.close()

    reader = threading.Thread(target=read)

    def read_between(step: str) -> None:
        if step == "rename 1":
            reader.start()
            reader.join(0.3)
            assert reader.is_alive()

    WorkspaceWriter(root, root / ".m1nd", steps=read_between).apply("tp_1", plans, lambda: None)
    reader.join()
    assert [{hashes[plan.path] for plan in plans} for hashes in seen] == [{sha256(b"// new\n")}]


def test_a_write_that_does_not_end_is_told_of(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_graph, "PATIENCE_SECONDS", 0.05)
    graph = opened(root)
    graph.refresh()
    with locked(root / ".m1nd" / WRITE_LOCK, 1.0, BEING_WRITTEN), pytest.raises(Refused) as refused:
        graph.refresh()
    assert refused.value.refusal.code == "busy"
    assert graph.refresh().changed == 0


def test_facts_lie_in_the_cache_deflated_and_come_back_as_they_were(root: Path) -> None:
    graph = opened(root)
    graph.refresh()
    kept = graph._facts_of({graph._rows["src/a.rs"].sha256})
    graph.close()
    again = opened(root)
    (digest,) = kept
    assert again._facts_of({digest})[digest].row() == kept[digest].row()
    with closing(sqlite3.connect(root / ".m1nd" / "graph.db")) as stored:
        blobs = [blob for (blob,) in stored.execute("SELECT columns FROM facts WHERE sha256 = ?", (digest,))]
    assert [orjson.loads(zlib.decompress(blob)) for blob in blobs] == [kept[digest].row()]
    again.close()
