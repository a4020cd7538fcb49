"""Which files are in the graph: git's view, or a walk that honours ignore files; never what lies outside."""

import os
import subprocess
from pathlib import Path

import pytest

from m1nd.infrastructure.files import (
    Stat,
    is_left_out,
    is_racy,
    language,
    list_files,
    sha256_of,
    unfit_reason,
)


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")


def git(root: Path, *arguments: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, env=environment)


@pytest.fixture(params=["git", "walk"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    if request.param == "git":
        git(folder, "init", "-q")
    return folder


def test_ignored_files_are_left_out(root: Path) -> None:
    write(root, "a.rs", "target/b.rs", "sub/c.rs", "sub/d.log", "keep.log", "sub/deep/e.log")
    (root / ".gitignore").write_text("/target\n*.log\n!keep.log\n")
    (root / "sub" / ".gitignore").write_text("!d.log\ndeep/\n")
    assert sorted(list_files(str(root)).files) == [
        ".gitignore", "a.rs", "keep.log", "sub/.gitignore", "sub/c.rs", "sub/d.log",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "path, left_out",
    [
        ("src/new.rs", False),
        ("target/new.rs", True),
        ("sub/deep/new.rs", True),
        ("sub/new.log", True),
        ("sub/d.log", False),
        ("out/new.rs", True),
        (".m1nd/new.rs", True),
    ],
)
def test_whether_a_file_would_be_left_out_is_known_before_it_is_made(
    root: Path, path: str, left_out: bool
) -> None:
    """By the rules of every folder above it, of which none need exist."""
    write(root, "sub/a.rs", "out/b.rs")
    (root / ".gitignore").write_text("/target\n*.log\n")
    (root / "sub" / ".gitignore").write_text("!d.log\ndeep/\n")
    (root / "out" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert is_left_out(str(root), path) is left_out


def test_state_and_cache_folders_are_never_walked(root: Path) -> None:
    write(root, "a.rs", ".m1nd/log.db", "sub/.m1nd/x.rs", "out/b.rs", "fake/c.rs")
    (root / "out" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    (root / "fake" / "CACHEDIR.TAG").write_text("no signature")
    assert sorted(list_files(str(root)).files) == ["a.rs", "fake/CACHEDIR.TAG", "fake/c.rs"]


def test_links_are_followed_inside_the_root_only(root: Path, tmp_path: Path) -> None:
    write(root, "real/a.rs")
    write(tmp_path, "outside/secret.rs")
    (root / "inside.rs").symlink_to("real/a.rs")
    (root / "out.rs").symlink_to(tmp_path / "outside" / "secret.rs")
    (root / "folder").symlink_to("real")
    (root / "away").symlink_to(tmp_path / "outside")
    (root / "gone.rs").symlink_to("nowhere")
    listing = list_files(str(root))
    assert sorted(listing.files) == ["inside.rs", "real/a.rs"]
    assert dict(listing.notes) == {
        "out.rs": "symlink-leads-out",
        "away": "symlink-leads-out",
        "folder": "symlink-to-folder",
        "gone.rs": "broken-symlink",
    }


def test_special_files_and_odd_names_are_notes(root: Path) -> None:
    os.mkfifo(root / "pipe.rs")
    with open(os.path.join(os.fsencode(root), b"bad\xff.rs"), "w"):
        pass
    write(root, "späß 1.rs")
    listing = list_files(str(root))
    assert list(listing.files) == ["späß 1.rs"]
    assert "undecodable-name" in {reason for _, reason in listing.notes}
    assert all("\udcff" not in path for path, _ in listing.notes)


def test_tracked_files_that_are_gone_are_no_files(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "a.rs", "b.rs", "nested/c.rs")
    git(tmp_path / "nested", "init", "-q")
    git(tmp_path, "add", "a.rs", "b.rs")
    (tmp_path / "a.rs").unlink()
    listing = list_files(str(tmp_path))
    assert listing.by_git
    assert list(listing.files) == ["b.rs"]


def test_a_program_named_by_the_repository_is_not_started(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "a.rs")
    proof = tmp_path / "proof"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {proof}\n")
    hook.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(hook))
    list_files(str(tmp_path))
    assert not proof.exists()


def test_a_folder_inside_a_git_repository_lists_its_own_part(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, "a.rs", "part/b.rs", "part/target/c.rs")
    (tmp_path / ".gitignore").write_text("target\n")
    assert list(list_files(str(tmp_path / "part")).files) == ["b.rs"]


def test_an_unreadable_folder_is_a_note(tmp_path: Path) -> None:
    write(tmp_path, "a.rs", "shut/b.rs")
    (tmp_path / "shut").chmod(0)
    try:
        if os.access(tmp_path / "shut", os.R_OK):
            pytest.skip("this user reads everything")
        assert list_files(str(tmp_path)).notes == (("shut", "unreadable"),)
    finally:
        (tmp_path / "shut").chmod(0o700)


def test_a_file_written_just_before_it_was_looked_at_is_racy() -> None:
    second = 1_000_000_000
    assert is_racy(Stat(10 * second, 10 * second, 1), 11 * second)
    assert is_racy(Stat(5 * second, 10 * second, 1), 11 * second)
    assert not is_racy(Stat(5 * second, 5 * second, 1), 11 * second)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"fn a() {}", ""),
        (b"a\0b", "binary"),
        (b"\xff\xfe", "non-utf-8"),
        ("é".encode(), ""),
        (b"a" * (1 << 20), ""),
        (b"a" * ((1 << 20) + 1), "too-large"),
    ],
)
def test_why_a_file_has_no_facts(content: bytes, reason: str) -> None:
    assert unfit_reason(content) == reason


def test_hash_and_language(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_bytes(b"")
    assert (
        sha256_of(str(tmp_path), "a.rs") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    assert sha256_of(str(tmp_path), "b.rs") is None
    assert [language(p) for p in ("a.rs", "b/Cargo.toml", "x.d/README", "c.unknown")] == [
        "rust",
        "toml",
        "",
        "",
    ]
