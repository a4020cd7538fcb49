"""A move ages the blocks whose files it writes, and no other: every kind that moves, every kind of place, and back by undo.

Source: seed 002 D5b; the kinds and places are those of `docs/frontiers.md`.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from tests.support.door import Door

from m1nd.domain.move.item import MOVABLE
from m1nd.domain.rust.facts import ItemKind

PACKAGE = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n'
ITEMS = {
    ItemKind.FN: ("thing", "pub fn thing() -> u8 { 1 }"),
    ItemKind.CONST: ("THING", "pub const THING: u8 = 1;"),
    ItemKind.STATIC: ("THING", "pub static THING: u8 = 1;"),
    ItemKind.TYPE: ("Thing", "pub type Thing = u8;"),
    ItemKind.STRUCT: ("Thing", "pub struct Thing(u8);\nimpl Thing { pub fn new() -> Self { Thing(1) } }"),
    ItemKind.ENUM: ("Thing", "pub enum Thing { One, Two(u8) }"),
    ItemKind.UNION: ("Thing", "pub union Thing { pub whole: u16 }"),
    ItemKind.TRAIT: ("Thing", "pub trait Thing { fn thing(&self) -> u8; }"),
    ItemKind.MACRO_RULES: ("thing", "#[macro_export]\nmacro_rules! thing { () => { 1 }; }"),
    ItemKind.MOD: ("keel", "pub mod keel;"),
}
FILES = {
    "Cargo.toml": PACKAGE.format("demo")
    + '[dependencies]\nquay = { path = "quay" }\n[workspace]\nmembers = ["quay"]\n',
    "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
    "src/a/mod.rs": "pub mod more;\npub mod yet;\n",
    "src/a/keel.rs": "pub fn depth() -> u8 { 3 }\n",
    "src/b/mod.rs": "pub mod more;\npub mod yet;\npub mod inner {}\n",
    "src/c/mod.rs": "pub mod more;\npub mod yet;\n",
    "quay/Cargo.toml": PACKAGE.format("quay"),
    "quay/src/lib.rs": "pub mod berths;\n",
    "quay/src/berths.rs": "pub fn berth() -> u8 { 2 }\n",
    **{f"src/{folder}/{name}.rs": f"pub fn {name}() {{}}\n" for folder in "abc" for name in ("more", "yet")},
}


@frozen
class Blocks:
    """The repository with a signed block a folder."""

    door: Door
    ids: dict[str, str]

    def versions(self) -> dict[str, int]:
        """The boundary version of each block, by its folder."""
        blocks = done(self.door, "blocks", "show")["store"]["blocks"]
        by_id = {block["block_id"]: block["boundary_version"] for block in blocks}
        return {folder: by_id[id] for folder, id in self.ids.items()}

    def move(self, symbol: str, source: str, dest: str) -> tuple[set[str], set[str]]:
        """Move, and say which folders' blocks the receipt names as touched, and whose evidence as staled."""
        line = ("transplant", "move", symbol, source, dest, "--yes", "--verify", "none")
        return self._named(done(self.door, *line)["receipt"])

    def undo(self) -> tuple[set[str], set[str]]:
        return self._named(done(self.door, "undo", "--verify", "none"))

    def _named(self, receipt: dict[str, Any]) -> tuple[set[str], set[str]]:
        folders = {id: folder for folder, id in self.ids.items()}
        touched = {folders[row["block_id"]] for row in receipt["blocks_touched"]}
        return touched, {folders[row["block_id"]] for row in receipt["receipts_staled"]}


def done(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert (status, answer["ok"]) == (0, True), (line, answer)
    return dict(answer["data"])


def signed(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str) -> Blocks:
    """A repository with `line` in `src/a/mod.rs`; its folders are signed blocks with a receipt each (of their signature)."""
    root = tmp_path / "demo"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + (f"{line}\n" if path == "src/a/mod.rs" else ""))
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    door = Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})
    done(door, "blocks", "candidate")
    blocks = done(door, "blocks", "show")["store"]["blocks"]
    ids = {block["membership"][0]["path"].removesuffix("/**"): block["block_id"] for block in blocks}
    for id in ids.values():
        done(door, "blocks", "edit", "--rename", id, f"Block {id[-4:]}", "--contract", id, "docs")
    for part in ("names", "boundaries", "contract"):
        status, answer = door.ask("blocks", "ratify", "--sign", part)
        assert (status, answer["error"]["code"]) == (4, "human_gesture_required"), answer
        door.stamp(answer["error"]["details"]["challenge"])
        done(door, "blocks", "ratify", "--sign", part)
    return Blocks(door, ids)


def test_every_kind_that_moves_has_an_item() -> None:
    assert set(MOVABLE) == set(ITEMS)


@pytest.mark.parametrize("kind", list(ITEMS), ids=str)
def test_each_kind_ages_the_block_that_it_leaves_and_the_one_that_it_enters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: ItemKind
) -> None:
    symbol, text = ITEMS[kind]
    blocks = signed(tmp_path, capsys, text)
    before = blocks.versions()
    assert {"src/a", "src/b", "src/c"} <= set(before), before
    both = {"src/a", "src/b"}
    assert blocks.move(symbol, "src/a/mod.rs", "src/b/mod.rs") == (both, both)
    assert blocks.versions() == {folder: 1 + (folder in both) for folder in before}
    assert blocks.undo() == (both, set())
    assert blocks.versions() == {folder: 1 + 2 * (folder in both) for folder in before}
    assert done(blocks.door, "projections", "rebuild", "--check")["same"] is True


PLACES = {
    "a module inline in a file": ("src/b/mod.rs::inner", {"src/a", "src/b"}),
    "a file that the move makes": ("src/c/fresh.rs", {"src/a", "src/c"}),
    "another crate": ("quay/src/berths.rs", {"src/a", "quay"}),
    "a file of the same block": ("src/a/more.rs", {"src/a"}),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_kind_of_place_ages_the_blocks_of_the_files_that_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    dest, expected = PLACES[place]
    blocks = signed(tmp_path, capsys, ITEMS[ItemKind.STRUCT][1])
    touched, staled = blocks.move("Thing", "src/a/mod.rs", dest)
    assert (touched, staled) == (expected, expected)
    assert {folder for folder, version in blocks.versions().items() if version == 2} == expected
    assert blocks.undo() == (expected, set())
    assert done(blocks.door, "projections", "rebuild", "--check")["same"] is True
