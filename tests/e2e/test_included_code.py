"""Files that are code only because a Rust file includes them: an unverified move does not go past what they name."""

import os
from pathlib import Path

import pytest
from tests.support.door import Door, harbour

MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


@pytest.mark.parametrize(
    "line, path, text",
    [
        ('#[doc = include_str!("../USE.md")]\npub struct Use;\n', "USE.md", "# Use\n\n```\n{}\n```\n"),
        ('include!("more.in");\n', "src/more.in", "fn more() {{ let _ = {}; }}\n"),
    ],
)
def test_included_code_that_names_the_item_is_told(door: Door, line: str, path: str, text: str) -> None:
    lib = door.root / "src/lib.rs"
    lib.write_text(lib.read_text() + line)
    (door.root / path).write_text(text.format("harbour::berth::clearance"))
    before = door.tree()
    status, answer = door.ask(*MOVE)
    assert (status, answer["error"]["code"]) == (1, "unresolved_references")
    assert path in answer["error"]["message"]
    assert door.tree() == before

    (door.root / path).write_text(text.format("harbour::berth::other"))
    assert door.ask(*MOVE)[0] == 0


def test_prose_is_no_code(door: Door) -> None:
    lib = door.root / "src/lib.rs"
    lib.write_text(lib.read_text() + '#[doc = include_str!("../USE.md")]\npub struct Use;\n')
    (door.root / "USE.md").write_text("It has a clearance.\n\n```text\nclearance\n```\n")
    assert door.ask(*MOVE)[0] == 0
