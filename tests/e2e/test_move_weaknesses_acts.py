"""Weaknesses of the earlier system that lie between two acts, not in a plan: the tree changes, folders differ, agents meet.

The numbers are those of our list of its weaknesses.
"""

from pathlib import Path

import pytest
from tests.support.door import Door, harbour

from m1nd.infrastructure.graph_cache.cached_graph import CachedGraph

PREVIEW = ("transplant", "preview", "clearance", "src/berth.rs", "src/draught.rs")
Environment = dict[str, str]


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    door = harbour(tmp_path, capsys, {"PATH": ""})
    assert door.ask("ingest")[0] == 0
    return door


def previewed(door: Door) -> str:
    status, answer = door.ask(*PREVIEW)
    assert status == 0, answer
    return str(answer["data"]["preview_id"])


def commit(door: Door, preview: str) -> tuple[int, str]:
    """Exit status, and the error's code (empty for a success)."""
    status, answer = door.ask("transplant", "commit", preview, "--yes", "--verify", "none")
    return status, "" if answer["ok"] else answer["error"]["code"]


def add(door: Door, path: str, text: str) -> None:
    file = door.root / path
    file.write_text(file.read_text() + text)


def test_a_plan_sees_what_was_written_after_the_ingest(door: Door) -> None:
    """W39: the source gains a helper that the item calls; it travels."""
    source = door.root / "src/berth.rs"
    text = source.read_text()
    head, body = text.split("pub fn clearance(", 1)
    begin = body.index("{\n") + 2
    source.write_text(f"{head}pub fn clearance({body[:begin]}    let _ = fresh();\n{body[begin:]}")
    add(door, "src/berth.rs", "\nfn fresh() -> i32 {\n    1\n}\n")
    status, answer = door.ask(*PREVIEW)
    assert status == 0
    assert "fresh" in answer["data"]["candidate"]["deps_travelled"]


def test_paths_are_the_repositorys_wherever_one_stands(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """W40: a file of the same relative path where the caller stands is neither read nor written."""
    other = tmp_path / "elsewhere"
    (other / "src").mkdir(parents=True)
    (other / "src/berth.rs").write_text("pub fn clearance() {}\n")
    monkeypatch.chdir(other)
    assert commit(door, previewed(door)) == (0, "")
    assert (other / "src/berth.rs").read_text() == "pub fn clearance() {}\n"
    assert "fn clearance" in (door.root / "src/draught.rs").read_text()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/report.rs", "\npub fn late(v: &crate::vessel::Vessel, b: &crate::berth::Berth) -> i32 {\n    crate::berth::clearance(v, b, 0)\n}\n"),
        ("src/draught.rs", "\nfn clearance() {}\n"),
    ],
    ids=["a new referencer", "a homonym at the destination"],
)  # fmt: skip
def test_what_came_between_preview_and_commit_refuses(door: Door, path: str, text: str) -> None:
    """W41: files that were not planned count too, and the tree stays as it is."""
    preview = previewed(door)
    add(door, path, text)
    before = door.tree()
    assert commit(door, preview) == (5, "source_modified")
    assert door.tree() == before


def test_a_zone_that_came_between_refuses(door: Door) -> None:
    """W41: the zone file is read at the commit."""
    preview = previewed(door)
    (door.root / "ci").mkdir()
    (door.root / "ci/protected-zones.json").write_text(
        '{"zones": [{"glob": "src/fees.rs", "reason": "money"}]}'
    )
    before = door.tree()
    assert commit(door, preview)[1] == "protected_zone"
    assert door.tree() == before


def test_a_refresh_that_fails_after_the_write_is_a_warning(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """W42: the move is done and recorded, and the answer says what was not."""
    preview = previewed(door)
    refresh, calls = CachedGraph.refresh, []

    def failing(self: CachedGraph, *rest: object) -> object:
        calls.append(1)
        if len(calls) > 1:
            raise OSError(5, "Input/output error")
        return refresh(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(CachedGraph, "refresh", failing)
    status, answer = door.ask("transplant", "commit", preview, "--yes", "--verify", "none")
    assert (status, len(calls)) == (0, 2)
    assert answer["warnings"] == ["the graph could not be refreshed after the write: Input/output error"]
    monkeypatch.undo()
    assert door.ask("transplant", "show", answer["data"]["transplant_id"])[0] == 0
    assert door.ask("audit", "verify")[0] == 0


def test_two_previews_at_one_time_are_two(door: Door) -> None:
    """W44: handles are drawn, not made of names and times."""
    first, second = previewed(door), previewed(door)
    assert first != second
    assert commit(door, first) == (0, "")
    assert commit(door, second) == (5, "source_modified")
