"""What one plan found out about a file serves the next, as long as the file's bytes are the same."""

import os
from pathlib import Path

import pytest
from tests.support.index import MANIFEST

from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.graph_cache import CachedGraph, rust_state

FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod a;\npub fn top() { a::one() }\n",
    "src/a.rs": "pub fn one() { crate::top() }\n",
}


@pytest.fixture
def graph(tmp_path: Path) -> CachedGraph:
    for path, text in FILES.items():
        write(tmp_path, path, text)
    return CachedGraph(str(tmp_path), str(tmp_path / ".m1nd"))


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)
    os.utime(root / path, ns=(1, 1))  # an old file, so that only its size tells of the next change


def sketched(graph: CachedGraph) -> Workspace:
    """A workspace that has looked at every file."""
    found = graph.rust().workspace
    for path in found.facts:
        found.sketch(path).raws()
    return found


def test_the_next_look_at_the_same_bytes_finds_all_that_was_found_out(graph: CachedGraph) -> None:
    first = sketched(graph)
    graph.refresh()
    assert graph.rust().workspace is first


def test_the_next_look_finds_the_sketches_of_the_files_that_stayed(
    graph: CachedGraph, tmp_path: Path
) -> None:
    first = sketched(graph)
    write(tmp_path, "src/lib.rs", "pub mod a;\npub fn top() {}\n")
    graph.refresh()
    second = graph.rust().workspace
    assert second is not first
    assert second.sketch("src/a.rs") is first.sketch("src/a.rs")


def test_what_was_found_out_goes_when_it_grows_too_large(
    graph: CachedGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sketched(graph)
    first.occurrences("src/a.rs")
    monkeypatch.setattr(rust_state, "MOST_REMEMBERED", 0)
    assert graph.rust().workspace is not first


def test_what_is_known_of_a_file_goes_with_its_bytes(graph: CachedGraph, tmp_path: Path) -> None:
    sketched(graph)
    write(tmp_path, "src/a.rs", "pub fn one() { crate::top(); two() }\nfn two() {}\n")
    graph.refresh()
    known = graph.rust().known
    assert set(known.sketches) == {"src/lib.rs"}
    fresh = CachedGraph(str(tmp_path), str(tmp_path / ".other"))
    assert sketched(graph).occurrences("src/a.rs") == sketched(fresh).occurrences("src/a.rs")


def test_a_file_that_went_is_forgotten(graph: CachedGraph, tmp_path: Path) -> None:
    sketched(graph)
    (tmp_path / "src/a.rs").unlink()
    graph.refresh()
    assert set(graph.rust().known.sketches) == {"src/lib.rs"}


def test_a_planned_tree_tells_nothing_of_the_tree_that_stands(graph: CachedGraph) -> None:
    today = sketched(graph)
    before = today.sketch("src/a.rs")
    planned = today.with_files({"src/a.rs": b"pub fn other() {}\n"})
    assert planned.sketch("src/a.rs") != before
    assert planned.sketch("src/lib.rs") is today.sketch("src/lib.rs")
    assert today.sketch("src/a.rs") is before


def test_of_sketches_the_newest_are_kept_up_to_their_bound(
    graph: CachedGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = graph.rust().workspace
    for path in ("src/lib.rs", "src/a.rs"):
        today.sketch(path).raws()
    monkeypatch.setattr(rust_state, "MOST_SKETCHED", len(FILES["src/a.rs"]))
    graph.refresh()
    assert set(graph.rust().known.sketches) == {"src/a.rs"}


@pytest.mark.parametrize(
    "change",
    [
        {"src/a.rs": "pub fn one() { two() }\nfn two() {}\n"},
        {
            "src/a.rs": "pub mod b;\npub fn one() { b::three() }\n",
            "src/a/b.rs": "pub fn three() { super::one() }\n",
        },
        {"src/lib.rs": "pub fn top() {}\n"},
        {
            "Cargo.toml": MANIFEST.replace("2021", "2018"),
            "src/lib.rs": "pub mod a;\npub fn top() { ::a::one() }\n",
        },
    ],
    ids=["other bytes", "a new module", "a module less", "another manifest"],
)
def test_a_workspace_that_followed_a_change_equals_one_made_anew(
    graph: CachedGraph, tmp_path: Path, change: dict[str, str]
) -> None:
    sketched(graph)
    for path, text in change.items():
        write(tmp_path, path, text)
    graph.refresh()
    followed, fresh = sketched(graph), sketched(CachedGraph(str(tmp_path), str(tmp_path / ".other")))
    assert followed.cargo == fresh.cargo
    assert followed.forest.trees == fresh.forest.trees
    assert {p: followed.occurrences(p) for p in followed.facts} == {
        p: fresh.occurrences(p) for p in fresh.facts
    }
