"""The bundled crate shows every way in which a caller can name the moved function, and compiles."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from m1nd.adapters.demo import cargo
from m1nd.adapters.demo.crate_copy import bundled, content, unpack
from m1nd.adapters.demo.story import DEST, MOVED, SOURCE, SYMBOL, TAKEN

SHAPES = {
    "src/schedule.rs": "use crate::berth::clearance;",
    "src/pilot.rs": "use crate::berth::{clearance, quay_left, Berth};",
    "src/report.rs": "use crate::berth::*;",
    "src/fees.rs": "crate::berth::clearance(vessel, berth, tide)",
    "src/window.rs": "berth::clearance(vessel, place, height)",
    "src/lib.rs": "pub use berth::{clearance, Berth};",
    "src/berth.rs": "super::clearance(&skiff, &quay, 0)",
    "examples/tonight.rs": "use harbour::berth::{clearance, Berth};",
    "tests/arrivals.rs": "harbour::berth::clearance(&ship, &quay, 60)",
}


@pytest.mark.parametrize("path", SHAPES)
def test_every_shape_of_a_reference_is_there(path: str) -> None:
    assert SHAPES[path] in bundled()[path].decode()


def test_the_story_speaks_of_files_that_exist() -> None:
    assert set(SHAPES) | {DEST} == MOVED
    assert f"fn {SYMBOL}(" in bundled()[SOURCE].decode()
    assert f"fn {SYMBOL}(" in bundled()[TAKEN].decode()
    assert f"fn {SYMBOL}(" not in bundled()[DEST].decode()


def test_every_module_stands_directly_under_the_root_with_tests() -> None:
    modules = {path for path in bundled() if path.startswith("src/") and path != "src/lib.rs"}
    assert len(modules) == 11
    root = bundled()["src/lib.rs"].decode()
    assert all(f"pub mod {Path(path).stem};" in root for path in modules)


def test_unpacked_it_is_the_same(tmp_path: Path) -> None:
    unpack(tmp_path / "harbour")
    assert content(tmp_path / "harbour") == bundled()


@pytest.mark.cargo
def test_it_is_formatted_compiles_without_a_warning_and_passes(tmp_path: Path) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("no Rust toolchain")
    unpack(tmp_path)
    environment = dict(os.environ)
    assert cargo.check(tmp_path, environment) == cargo.Verdict(True, "no error, no warning")
    assert cargo.test(tmp_path, environment) == cargo.Verdict(True, "17 tests pass")
    formatted = subprocess.run(["cargo", "fmt", "--check"], check=False, cwd=tmp_path, capture_output=True)
    assert formatted.returncode == 0
