"""rustfmt formats what we wrote, with the repository's own configuration, and not one byte more."""

import os
import shutil
from pathlib import Path

import pytest

from m1nd.infrastructure.rustfmt import APPLIED, UNAVAILABLE, Lines, Rustfmt

needs_rustfmt = [
    pytest.mark.cargo,
    pytest.mark.skipif(shutil.which("rustfmt") is None, reason="there is no rustfmt on the PATH"),
]
UGLY_A = b"fn   a( ) { let x=1 ; }\n"
OURS = b"pub fn moved(x:u32)->u32{x+1}\n"
FORMATTED = b"pub fn moved(x: u32) -> u32 {\n    x + 1\n}\n"


def at(text: bytes, part: bytes) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def formatted(root: Path, text: bytes, *parts: bytes, path: str = "src/a.rs", edition: int = 2021) -> bytes:
    result, note = Rustfmt(root, os.environ).format(path, text, edition, [at(text, part) for part in parts])
    assert note == APPLIED
    return result


class TestWithRustfmt:
    pytestmark = needs_rustfmt

    def test_only_what_we_wrote_is_formatted(self, tmp_path: Path) -> None:
        text = UGLY_A + b"\n" + OURS + b"\n" + UGLY_A.replace(b"a(", b"b(")
        assert formatted(tmp_path, text, OURS) == text.replace(OURS, FORMATTED)

    def test_line_endings_mark_and_missing_newline_stay(self, tmp_path: Path) -> None:
        text = b"\xef\xbb\xbf" + (UGLY_A + OURS).replace(b"\n", b"\r\n")[:-2]
        ours = OURS[:-1]
        wanted = b"\xef\xbb\xbf" + (UGLY_A + FORMATTED).replace(b"\n", b"\r\n")[:-2]
        assert formatted(tmp_path, text, ours) == wanted

    def test_the_nearest_configuration_up_to_the_root_counts_and_that_of_the_folder_we_run_in_does_not(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere, root = tmp_path / "elsewhere", tmp_path / "outer/root"
        elsewhere.mkdir()
        (root / "crate/src").mkdir(parents=True)
        for folder in (elsewhere, root.parent):
            (folder / "rustfmt.toml").write_text("hard_tabs = true\n")
        monkeypatch.chdir(elsewhere)
        path = "crate/src/a.rs"
        assert formatted(root, OURS, OURS, path=path) == FORMATTED
        (root / ".rustfmt.toml").write_text("tab_spaces = 3\n")
        assert formatted(root, OURS, OURS, path=path) == FORMATTED.replace(b"    ", b"   ")
        (root / "crate/rustfmt.toml").write_text("tab_spaces = 2\n")
        assert formatted(root, OURS, OURS, path=path) == FORMATTED.replace(b"    ", b"  ")

    def test_the_edition_is_that_of_the_crate(self, tmp_path: Path) -> None:
        text = b"fn f(){let async=1;}\n"
        assert formatted(tmp_path, text, text, edition=2015) == b"fn f() {\n    let async = 1;\n}\n"
        same, note = Rustfmt(tmp_path, os.environ).format("a.rs", text, 2021, [at(text, text)])
        assert same == text and note.startswith("rustfmt failed: ")

    def test_an_import_that_rustfmt_would_sort_away_from_our_line_is_not_lost(self, tmp_path: Path) -> None:
        text = b"use std::fmt;\nuse std::io;\nuse std::cmp;\n"
        assert formatted(tmp_path, text, b"use std::cmp;\n") == text

    def test_imports_that_are_all_ours_are_sorted(self, tmp_path: Path) -> None:
        ours = b"use std::io;\nuse std::{cmp,\n  fmt};\n"
        text = ours + b"\n" + UGLY_A
        assert formatted(tmp_path, text, ours) == b"use std::io;\nuse std::{cmp, fmt};\n\n" + UGLY_A
        swapped = b"use std::io;\nuse std::cmp;\n"
        text = swapped + b"\n" + UGLY_A
        assert formatted(tmp_path, text, swapped) == b"use std::cmp;\nuse std::io;\n\n" + UGLY_A

    def test_braces_that_rustfmt_removes_are_removed_in_our_text(self, tmp_path: Path) -> None:
        ours = b"fn g(x: u32) -> u32 {\n    match x {\n        0 => {\n            1\n        }\n        _ => {2},\n    }\n}\n"
        result = formatted(tmp_path, UGLY_A + ours, ours)
        assert (
            result
            == UGLY_A + b"fn g(x: u32) -> u32 {\n    match x {\n        0 => 1,\n        _ => 2,\n    }\n}\n"
        )

    def test_a_text_that_does_not_parse_comes_back_with_a_note(self, tmp_path: Path) -> None:
        for text in (b"fn f( {\n", b"fn f() { \xff }\n"):
            result, note = Rustfmt(tmp_path, os.environ).format("src/a.rs", text, 2021, [(0, len(text))])
            assert result == text
            assert note.startswith("rustfmt failed: ") and str(tmp_path) not in note and "\n" not in note

    def test_nothing_of_ours_nothing_done(self, tmp_path: Path) -> None:
        assert Rustfmt(tmp_path, os.environ).format("a.rs", UGLY_A, 2021, []) == (UGLY_A, APPLIED)
        assert Rustfmt(tmp_path, os.environ).format("a.rs", UGLY_A, 2021, [(3, 3)]) == (UGLY_A, APPLIED)


def test_without_rustfmt_the_text_stays_and_the_note_says_so(tmp_path: Path) -> None:
    result = Rustfmt(tmp_path, {"PATH": str(tmp_path)}).format("a.rs", OURS, 2021, [(0, 5)])
    assert result == (OURS, UNAVAILABLE)


@pytest.mark.parametrize("script", ["sleep 60", "kill -9 $$", "echo 'error: no such thing' >&2; exit 1"])
def test_a_rustfmt_that_hangs_dies_or_fails_changes_nothing(tmp_path: Path, script: str) -> None:
    program = tmp_path / "rustfmt"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.defpath}"}
    result, note = Rustfmt(tmp_path, environment, limit=0.3).format("a.rs", OURS, 2021, [(0, 5)])
    assert result == OURS
    assert note.startswith("rustfmt failed: ")


def test_the_lines_of_a_byte_range() -> None:
    text = b"\xef\xbb\xbfone\r\ntwo\nthree"
    lines = Lines.of(text)
    assert lines.bodies == [b"one", b"two", b"three"]
    spans = [(0, 1), (3, 8), (7, 9), (8, 9), (8, 13), (len(text) - 1, len(text)), (5, 5)]
    assert [lines.span(*span) for span in spans] == [(0, 1), (0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (0, 0)]
