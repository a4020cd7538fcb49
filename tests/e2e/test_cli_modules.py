"""A whole module through the command line: its files and folders come and go, identities follow, undo brings every byte back."""

import os
import stat
from pathlib import Path

import pytest
from tests.support.door import Door

FILES = {
    "Cargo.toml": '[package]\nname = "harbour"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n',
    "src/lib.rs": "pub mod old;\npub mod new;\n\npub fn go() -> u32 {\n    old::keel::deep::fathom()\n}\n",
    "src/old.rs": "pub mod keel;\n\nfn private() -> u32 {\n    3\n}\n",
    "src/old/keel.rs": "pub mod deep;\n\npub fn depth() -> u32 {\n    super::private()\n}\n",
    "src/old/keel/deep.rs": "pub fn fathom() -> u32 {\n    super::depth()\n}\n",
    "src/new.rs": "pub fn resident() {}\n",
}
STEP = ("keel", "src/old.rs", "src/new.rs")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    root = tmp_path / "harbour"
    for path, content in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    (root / "src/old/keel/deep.rs").chmod(0o640)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})


def place(door: Door, symbol: str) -> tuple[str, str]:
    """`(symbol_id, file)` of the item."""
    status, answer = door.ask("context", symbol)
    assert status == 0, answer
    return answer["data"]["symbol"]["symbol_id"], answer["data"]["symbol"]["path"]


def test_files_and_folders_move_identities_follow_and_undo_brings_all_back(door: Door) -> None:
    door.ask("ingest")
    before = door.tree()
    known = {name: place(door, name)[0] for name in ("depth", "fathom")}
    status, answer = door.ask("transplant", "move", *STEP, "--yes", "--verify", "none")
    assert status == 0, answer
    receipt = answer["data"]["receipt"]
    assert receipt["files_moved"] == [
        {"from": "src/old/keel.rs", "to": "src/new/keel.rs"},
        {"from": "src/old/keel/deep.rs", "to": "src/new/keel/deep.rs"},
    ]
    assert receipt["files_created"] == ["src/new/keel.rs", "src/new/keel/deep.rs"]
    assert (receipt["refs_unresolved"], receipt["dest_module"]) == ([], "crate::new")
    after = door.tree()
    assert after["src/new/keel/deep.rs"] == before["src/old/keel/deep.rs"]
    assert b"crate::old::private()" in after["src/new/keel.rs"]
    assert b"new::keel::deep::fathom()" in after["src/lib.rs"]
    assert stat.S_IMODE((door.root / "src/new/keel/deep.rs").stat().st_mode) == 0o640
    assert not (door.root / "src/old").exists()
    assert place(door, "depth") == (known["depth"], "src/new/keel.rs")
    assert place(door, "fathom") == (known["fathom"], "src/new/keel/deep.rs")
    status, answer = door.ask("transplant", "preview", *STEP)
    assert (status, answer["error"]["code"]) == (1, "already_moved")
    assert door.ask("undo", "--verify", "none")[0] == 0
    assert door.tree() == before
    assert stat.S_IMODE((door.root / "src/old/keel/deep.rs").stat().st_mode) == 0o640
    assert not (door.root / "src/new").exists()
    assert place(door, "fathom") == (known["fathom"], "src/old/keel/deep.rs")
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_a_preview_shows_what_goes_and_what_comes_and_a_newcomer_at_the_place_stops_the_commit(
    door: Door,
) -> None:
    status, answer = door.ask("transplant", "preview", *STEP)
    assert status == 0, answer
    diff = answer["data"]["diff"]
    assert "deleted file mode 100644" in diff and "new file mode 100644" in diff
    (door.root / "src/new").mkdir()
    (door.root / "src/new/keel.rs").write_text("// mine\n")
    before = door.tree()
    preview = answer["data"]["preview_id"]
    status, answer = door.ask("transplant", "commit", preview, "--yes", "--verify", "none")
    assert (status, answer["error"]["code"], door.tree()) == (5, "source_modified", before)


def test_a_claim_on_a_file_that_moves_is_named_in_the_receipt(door: Door) -> None:
    claim = door.ask("memory", "add", "the keel is deep", "--evidence", "src/old/keel.rs")[1]["data"][
        "claim_id"
    ]
    status, answer = door.ask("transplant", "move", *STEP, "--yes", "--verify", "none")
    assert status == 0, answer
    assert answer["data"]["receipt"]["state_left_behind"] == [
        {
            "symbol": "src/old/keel.rs",
            "old_node_id": "file::src/old/keel.rs",
            "new_node_id": "file::src/new/keel.rs",
            "kind": "light_evidence",
            "detail": [claim],
        }
    ]


def test_a_place_that_an_ignore_rule_hides_is_refused(door: Door) -> None:
    (door.root / ".gitignore").write_text("src/new/\n")
    before = door.tree()
    status, answer = door.ask("transplant", "preview", *STEP)
    assert (status, answer["error"]["code"], door.tree()) == (1, "bad_destination", before)


def test_a_module_that_was_formatted_keeps_its_lines(door: Door) -> None:
    """Formatted or not, a file that only changes its name keeps its bytes."""
    odd = "pub fn fathom( )->u32{super::depth( )}\n"
    (door.root / "src/old/keel/deep.rs").write_text(odd)
    status, answer = door.ask("transplant", "move", *STEP, "--yes", "--verify", "none")
    assert status == 0, answer
    assert door.tree()["src/new/keel/deep.rs"] == odd.encode()
