"""Modules inline in a file, through the command line: preview, commit, by identity, twice, and back (frontier 2e)."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door
from tests.support.index import MANIFEST

SOURCE = """\
pub mod inner {
    pub fn weigh(n: u32) -> u32 {
        let text = "one
two";
        n + text.len() as u32
    }

    pub fn rest() -> u32 {
        weigh(1)
    }
}
"""


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    root = tmp_path / "demo"
    for name, text in {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": SOURCE,
        "src/b.rs": "pub fn here() {}\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})


def done(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert status == 0, answer
    return dict(answer["data"])


def test_a_preview_is_carried_out_shown_and_taken_back(door: Door) -> None:
    before = door.tree()
    made = done(door, "transplant", "preview", "weigh", "src/a.rs::inner", "src/b.rs")
    assert (made["candidate"]["source_module"], made["candidate"]["dest_module"]) == (
        "crate::a::inner",
        "crate::b",
    )
    assert door.tree() == before
    receipt = done(door, "transplant", "commit", made["preview_id"], "--yes", "--verify", "none")["receipt"]
    assert receipt["source_back_imported"] is True
    assert 'pub fn weigh(n: u32) -> u32 {\n    let text = "one\ntwo";\n' in door.tree()["src/b.rs"].decode()
    (row,) = done(door, "transplant", "list")["moves"]
    assert (row["source_file"], row["dest_file"]) == ("src/a.rs::inner", "src/b.rs")
    done(door, "undo", "--verify", "none")
    assert door.tree() == before


@pytest.mark.parametrize(
    ("symbol", "source"), [("weigh", "src/a.rs::inner"), ("inner::weigh", "src/a.rs"), ("weigh", "src/a.rs")]
)
def test_a_second_move_hears_of_the_first(door: Door, symbol: str, source: str) -> None:
    done(door, "transplant", "move", "inner::weigh", "src/a.rs", "src/b.rs", "--yes", "--verify", "none")
    status, answer = door.ask("transplant", "preview", symbol, source, "src/b.rs")
    assert (status, answer["error"]["code"]) == (1, "already_moved")
    assert answer["error"]["details"]["home"] == "src/b.rs"


def test_an_identity_names_an_item_of_an_inline_module(door: Door) -> None:
    id = done(door, "context", "crate::a::inner::rest")["symbol"]["symbol_id"]
    done(door, "transplant", "move", id, "src/a.rs", "src/b.rs", "--yes", "--verify", "none")
    moved = done(door, "context", id)["symbol"]
    assert (moved["symbol_id"], moved["path"]) == (id, "src/b.rs")


def test_a_move_inside_one_file_is_one_changed_file(door: Door) -> None:
    before = door.tree()
    line = ("transplant", "move", "inner::weigh", "src/a.rs", "src/a.rs", "--yes", "--verify", "none")
    receipt = done(door, *line)["receipt"]
    assert receipt["files_changed"] == ["src/a.rs"]
    assert (receipt["source_module"], receipt["dest_module"]) == ("crate::a::inner", "crate::a")
    assert "    use crate::a::weigh;\n" in door.tree()["src/a.rs"].decode()
    done(door, "undo", "--verify", "none")
    assert door.tree() == before
