"""`ingest` records what changed once, in whatever way the cache or the log came to know it (D41, D30)."""

from pathlib import Path

import pytest
from tests.support.index import MANIFEST

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.ingest import ingest
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.domain.graph import GRAPH_ID
from m1nd.domain.refusal import Refused

BODY = "{ alpha(1); beta(2); gamma(3) }"
FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod a;\npub mod b;\n",
    "src/a.rs": f"pub fn one() {BODY}\npub fn two() {{}}\n",
    "src/b.rs": "pub fn three() {}\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def opened(root: Path, read_only: bool = False) -> Brain:
    return open_brain(str(root), environment={"USER": "ada"}, read_only=read_only)


def topics(brain: Brain) -> list[str]:
    return [row.topic for row in brain.app.log.stream_rows(GRAPH_ID)]


def drop_cache(root: Path) -> None:
    for path in (root / ".m1nd").glob("graph*"):
        path.unlink()


def last_change(brain: Brain) -> dict[str, list[str]]:
    rows = [r for r in brain.app.log.stream_rows(GRAPH_ID) if r.topic == "graph_changed"]
    files = brain.app.event_of(rows[-1]).files
    return {kind: [f.path for f in getattr(files, kind)] for kind in ("added", "removed", "changed")}


def test_the_generation_rises_on_an_effective_change_only(root: Path) -> None:
    brain = opened(root)
    assert [ingest(brain).generation for _ in range(3)] == [1, 1, 1]
    write(root, {"src/b.rs": "pub fn three() { four() }\n"})
    assert ingest(brain).generation == 2
    assert last_change(brain) == {"added": [], "removed": [], "changed": ["src/b.rs"]}
    assert topics(brain) == ["graph_opened", "graph_changed", "graph_changed"]


def test_an_empty_folder_is_ingested_once(tmp_path: Path) -> None:
    brain = opened(tmp_path)
    first = ingest(brain)
    assert (first.generation, first.first, first.report.files) == (1, True, 0)
    assert first.report.notes == (("Cargo.toml", "no-manifest: targets are guessed from file names"),)
    assert ingest(brain).generation == 1


def test_a_lost_cache_is_no_change(root: Path) -> None:
    assert ingest(opened(root)).generation == 1
    drop_cache(root)
    again = ingest(opened(root))
    assert (again.generation, again.report.added) == (1, 4)
    assert ingest(opened(root)).report.added == 0


def test_a_lost_cache_still_tells_what_changed_meanwhile(root: Path) -> None:
    ingest(opened(root))
    drop_cache(root)
    write(root, {"src/b.rs": "pub fn other() {}\n", "src/c.rs": ""})
    (root / "src/a.rs").unlink()
    brain = opened(root)
    assert ingest(brain).generation == 2
    assert last_change(brain) == {"added": ["src/c.rs"], "removed": ["src/a.rs"], "changed": ["src/b.rs"]}


def test_a_crash_between_the_refresh_and_the_append_loses_nothing(root: Path) -> None:
    ingest(opened(root))
    write(root, {"src/b.rs": "pub fn other() {}\n"})
    opened(root).graph.refresh()
    brain = opened(root)
    done = ingest(brain)
    assert (done.generation, done.report.changed) == (2, 0)
    assert last_change(brain)["changed"] == ["src/b.rs"]


def test_a_read_only_attach_reads_and_records_nothing(root: Path) -> None:
    ingest(opened(root))
    write(root, {"src/b.rs": "pub fn other() {}\npub fn more() {}\n"})
    before = {p.name: p.read_bytes() for p in (root / ".m1nd").iterdir() if not p.name.endswith("-shm")}
    brain = opened(root, read_only=True)
    assert bring_up_to_date(brain).changed == 1
    with pytest.raises(Refused, match="read_only"):
        ingest(brain)
    assert {p.name: p.read_bytes() for p in (root / ".m1nd").iterdir() if p.name in before} == before


def test_an_item_moved_by_hand_keeps_its_symbol_id(root: Path) -> None:
    brain = opened(root)
    ingest(brain)
    from m1nd.application.use_cases.queries import search

    (before,) = (r.item for r in search(brain, "one").results if r.item is not None)
    write(root, {"src/a.rs": "pub fn two() {}\n", "src/b.rs": f"pub fn three() {{}}\npub fn one() {BODY}\n"})
    assert (ingest(brain).rematched, topics(brain)[-1]) == (1, "symbol_rematched")
    (after,) = (r.item for r in search(opened(root), "one").results if r.item is not None)
    assert after.full_path == "demo::b::one"
    assert after.symbol_id == before.symbol_id


def test_an_item_that_vanishes_is_lost_and_a_newcomer_in_its_place_is_new(root: Path) -> None:
    brain = opened(root)
    ingest(brain)
    from m1nd.application.use_cases.queries import search

    (before,) = (r.item for r in search(brain, "one").results if r.item is not None)
    write(root, {"src/a.rs": "pub fn two() {}\n"})
    assert (ingest(brain).lost, topics(brain)[-1]) == (1, "symbol_lost")
    write(root, {"src/a.rs": "pub fn one() { quite::another() }\npub fn two() {}\n"})
    ingest(brain)
    (after,) = (r.item for r in search(brain, "one").results if r.item is not None)
    assert after.symbol_id != before.symbol_id


@pytest.mark.parametrize(
    "files",
    [
        {"src/lib.rs": "fn a() {}"},
        {"Cargo.toml": "[package", "src/lib.rs": "fn a() {}"},
        {"Cargo.toml": MANIFEST, "src/lib.rs": "fn a( {{{ }\nfn b() {}"},
        {"Cargo.toml": MANIFEST},
        {"notes.txt": "no Rust at all"},
    ],
)
def test_bad_repositories_are_ingested_with_a_note(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    done = ingest(opened(tmp_path))
    assert (done.generation, done.report.files) == (1, len(files))
    assert ingest(opened(tmp_path)).generation == 1
