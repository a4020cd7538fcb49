"""Every kind of item through the command line: it moves, its identity goes with it, and undo brings every byte back."""

import os
from pathlib import Path

import pytest
from tests.support.door import Door

MANIFEST = '[package]\nname = "kinds"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n'
ITEMS = {
    "fn": "pub fn thing() -> u8 {\n    1\n}\n",
    "const": "pub const THING: u8 = 1;\n",
    "static": "pub static THING: u8 = 1;\n",
    "type": "pub type Thing = u8;\n",
    "struct": "pub struct Thing(u8);\n\nimpl Thing {\n    pub fn new() -> Self {\n        Thing(1)\n    }\n}\n",
    "enum": "pub enum Thing {\n    One,\n    Two(u8),\n}\n",
    "union": "pub union Thing {\n    pub whole: u16,\n}\n",
    "trait": "pub trait Thing {\n    fn thing(&self) -> u8;\n}\n",
    "macro_rules": "#[macro_export]\nmacro_rules! thing {\n    () => {\n        1\n    };\n}\n",
}
PLACES = {
    "nested": ("src/deep/alpha.rs", "src/deep/er/beta.rs"),
    "mod.rs": ("src/deep/alpha.rs", "src/other/mod.rs"),
    "root": ("src/deep/alpha.rs", "src/lib.rs"),
    "from the root": ("src/lib.rs", "src/other/mod.rs"),
    "path": ("src/deep/alpha.rs", "elsewhere/placed.rs"),
}


def crate(tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, text: str) -> Door:
    """A crate with a module at every kind of place; `source` holds the item too."""
    files = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": 'pub mod deep;\npub mod other;\n#[path = "../elsewhere/placed.rs"]\npub mod placed;\n',
        "src/deep.rs": "pub mod alpha;\npub mod er;\n",
        "src/deep/alpha.rs": "pub fn first() {}\n",
        "src/deep/er.rs": "pub mod beta;\n",
        "src/deep/er/beta.rs": "pub fn second() {}\n",
        "src/other/mod.rs": "pub fn third() {}\n",
        "elsewhere/placed.rs": "pub fn fourth() {}\n",
    }
    files[source] += f"\n{text}"
    root = tmp_path / "kinds"
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})


def identity(door: Door, name: str) -> tuple[str, str]:
    """`(symbol_id, file)` of the item."""
    status, answer = door.ask("context", name)
    assert status == 0, answer
    item = answer["data"]["symbol"]
    return item["symbol_id"], item["path"]


@pytest.mark.parametrize("kind", ITEMS)
def test_each_kind_moves_keeps_its_identity_and_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    source, dest = PLACES["nested"]
    there_and_back(crate(tmp_path, capsys, source, ITEMS[kind]), kind, source, dest)


@pytest.mark.parametrize("place", PLACES)
def test_a_type_moves_between_all_kinds_of_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    source, dest = PLACES[place]
    there_and_back(crate(tmp_path, capsys, source, ITEMS["struct"]), "struct", source, dest)


def there_and_back(door: Door, kind: str, source: str, dest: str) -> None:
    name = {"fn": "thing", "macro_rules": "thing", "const": "THING", "static": "THING"}.get(kind, "Thing")
    door.ask("ingest")
    before = door.tree()
    known, home = identity(door, name)
    assert home == source
    status, answer = door.ask("transplant", "move", known, source, dest, "--yes", "--verify", "none")
    assert status == 0, answer
    receipt = answer["data"]["receipt"]
    assert (receipt["moved_symbol"], receipt["refs_unresolved"]) == (name, [])
    assert identity(door, name) == (known, dest)
    assert door.tree() != before
    status, answer = door.ask("undo", "--verify", "none")
    assert status == 0, answer
    assert door.tree() == before
    assert identity(door, name) == (known, source)
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_an_identity_names_its_item_where_kinds_share_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name alone means the fn; the id of the macro moves the macro."""
    source, dest = PLACES["nested"]
    both = ITEMS["fn"] + "\n" + ITEMS["macro_rules"]
    door = crate(tmp_path, capsys, source, both)
    door.ask("ingest")
    items = [r["item"] for r in door.ask("search", "thing")[1]["data"]["results"]]
    macro = next(i["symbol_id"] for i in items if i["kind"] == "macro_rules")
    status, answer = door.ask("transplant", "move", macro, source, dest, "--yes", "--verify", "none")
    assert status == 0, answer
    assert b"macro_rules! thing" in door.tree()[dest] and b"fn thing" in door.tree()[source]


def test_a_destination_that_is_made_goes_with_its_folder_and_line_when_the_move_is_undone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, dest = "src/deep/alpha.rs", "src/deep/alpha/gamma.rs"
    door = crate(tmp_path, capsys, source, ITEMS["struct"])
    door.ask("ingest")
    before = door.tree()
    known, _ = identity(door, "Thing")
    status, answer = door.ask(
        "transplant", "move", "Thing", source, dest, "--no-create", "--yes", "--verify", "none"
    )
    assert (status, answer["error"]["code"], door.tree()) == (1, "dest_missing", before)
    status, answer = door.ask("transplant", "preview", "Thing", source, dest)
    assert status == 0 and door.tree() == before, answer
    made = {f["file_path"]: f["base_hash"] for f in answer["data"]["files"]}
    assert made[dest] == "" and "new file mode 100644" in answer["data"]["diff"]
    status, answer = door.ask(
        "transplant", "commit", answer["data"]["preview_id"], "--yes", "--verify", "none"
    )
    assert status == 0, answer
    assert answer["data"]["receipt"]["files_created"] == [dest]
    after = door.tree()
    assert b"pub struct Thing(u8);" in after[dest] and b"mod gamma;" in after[source]
    assert identity(door, "Thing") == (known, dest)
    assert door.ask("undo", "--verify", "none")[0] == 0
    assert door.tree() == before and not (door.root / "src/deep/alpha").exists()
    assert identity(door, "Thing") == (known, source)
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_a_destination_that_an_ignore_rule_would_hide_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The moved text would be in no commit, and gone from the graph with the next refresh."""
    source = "src/deep/alpha.rs"
    door = crate(tmp_path, capsys, source, ITEMS["struct"])
    (door.root / ".gitignore").write_text("gamma.rs\n")
    door.ask("ingest")
    before = door.tree()
    status, answer = door.ask("transplant", "preview", "Thing", source, "src/deep/gamma.rs")
    assert (status, answer["error"]["code"], door.tree()) == (1, "bad_destination", before)
    assert "an ignore rule leaves src/deep/gamma.rs out" in answer["error"]["message"]


def test_a_file_that_appears_after_the_preview_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, dest = "src/deep/alpha.rs", "src/deep/gamma.rs"
    door = crate(tmp_path, capsys, source, ITEMS["struct"])
    answer = door.ask("transplant", "preview", "Thing", source, dest)[1]
    (door.root / dest).write_text("pub fn mine() {}\n")
    before = door.tree()
    status, answer = door.ask(
        "transplant", "commit", answer["data"]["preview_id"], "--yes", "--verify", "none"
    )
    assert (status, answer["error"]["code"], door.tree()) == (5, "source_modified", before)


def test_several_items_move_in_one_step_and_come_back_in_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, dest = PLACES["nested"]
    door = crate(tmp_path, capsys, source, "\n".join(ITEMS[k] for k in ("fn", "const", "struct")))
    door.ask("ingest")
    before = door.tree()
    known = {name: identity(door, name)[0] for name in ("Thing", "thing", "THING")}
    step = ("Thing", source, dest, "--also", "thing", "--also", known["THING"])
    status, answer = door.ask("transplant", "preview", *step)
    assert status == 0, answer
    preview = answer["data"]["preview_id"]
    status, answer = door.ask("transplant", "commit", preview, "--yes", "--verify", "none")
    assert status == 0, answer
    assert answer["data"]["receipt"]["moved_symbols"] == ["Thing", "thing", "THING"]
    assert {name: identity(door, name) for name in known} == {n: (i, dest) for n, i in known.items()}
    assert door.ask("undo", "--verify", "none")[0] == 0
    assert door.tree() == before
    assert {name: identity(door, name) for name in known} == {n: (i, source) for n, i in known.items()}
    assert door.ask("projections", "rebuild", "--check")[0] == 0
