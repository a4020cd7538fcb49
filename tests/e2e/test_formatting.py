"""What rustfmt may touch: a clean repository stays clean, and nobody's own form is changed by a move."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support.door import Door, harbour

pytestmark = [
    pytest.mark.cargo,
    pytest.mark.skipif(shutil.which("rustfmt") is None, reason="rustfmt is not on the path"),
]
OWN_FORM = "#[cfg_attr(\n    not(debug_assertions),\n    inline(always)\n)]\npub fn odd( x:u8 )->u8{x}\n"


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def test_a_clean_repository_is_clean_after_a_move(door: Door) -> None:
    move = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    assert door.ask(*move)[0] == 0
    done = subprocess.run(["cargo", "fmt", "--check"], cwd=door.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


def test_moved_text_keeps_its_own_form(door: Door) -> None:
    berth = door.root / "src/berth.rs"
    berth.write_text(f"{berth.read_text()}\n{OWN_FORM}")
    move = ("transplant", "move", "odd", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    assert door.ask(*move)[0] == 0
    assert OWN_FORM in (door.root / "src/draught.rs").read_text()


def test_a_line_that_names_the_item_keeps_its_own_form(door: Door) -> None:
    lib = door.root / "src/lib.rs"
    caller = "pub fn   call( v:&Vessel,b:&Berth )->i32{ crate::berth::clearance(v,b,0) }\n"
    lib.write_text(f"{lib.read_text()}\n{caller}")
    move = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")
    assert door.ask(*move)[0] == 0
    assert caller.replace("berth::clearance", "draught::clearance") in lib.read_text()
