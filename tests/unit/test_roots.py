"""Which folder is the repository, and where its state lives (D1; PORTS.md, root order)."""

import hashlib
import os
from pathlib import Path

import pytest

from m1nd.adapters.cli.roots import choose_caller, choose_root
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.roots import candidates, covers, find_root, state_dir


def folders(root: Path, *paths: str) -> None:
    for path in paths:
        target = root / path
        if path.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("")


def test_the_nearest_git_folder_wins_over_an_outer_manifest(tmp_path: Path) -> None:
    folders(tmp_path, "Cargo.toml", "inner/.git/", "inner/src/deep/")
    assert find_root(str(tmp_path / "inner/src/deep")) == str(tmp_path / "inner")


def test_a_git_worktree_has_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    folders(tmp_path, "tree/.git", "tree/src/")
    assert find_root(str(tmp_path / "tree/src")) == str(tmp_path / "tree")


def test_earlier_state_makes_a_root(tmp_path: Path) -> None:
    folders(tmp_path, ".git/", "part/.m1nd/", "part/src/")
    assert find_root(str(tmp_path / "part/src")) == str(tmp_path / "part")


def test_without_either_the_outermost_manifest_counts(tmp_path: Path) -> None:
    folders(tmp_path, "ws/Cargo.toml", "ws/member/Cargo.toml", "ws/member/src/")
    assert find_root(str(tmp_path / "ws/member/src")) == str(tmp_path / "ws")


def test_a_link_is_resolved(tmp_path: Path) -> None:
    folders(tmp_path, "real/.git/")
    (tmp_path / "link").symlink_to("real")
    assert find_root(str(tmp_path / "link")) == str(tmp_path / "real")


def test_the_order_is_flag_then_environment_then_enclosing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders(tmp_path, "here/.git/", "flag/", "m1nd/", "claude/")
    monkeypatch.chdir(tmp_path / "here")
    both = {"M1ND_ROOT": str(tmp_path / "m1nd"), "CLAUDE_PROJECT_DIR": str(tmp_path / "claude")}
    assert choose_root("../flag", both) == str(tmp_path / "flag")
    assert choose_root("", both) == str(tmp_path / "m1nd")
    assert choose_root("", {**both, "M1ND_ROOT": ""}) == str(tmp_path / "claude")
    assert choose_root("", {}) == str(tmp_path / "here")


def test_a_named_folder_need_not_be_a_repository_but_must_be_a_folder(tmp_path: Path) -> None:
    folders(tmp_path, "file.txt")
    assert choose_root(str(tmp_path), {}) == str(tmp_path)
    for name, what in (("gone", "does not exist"), ("file.txt", "is not a folder")):
        with pytest.raises(Refused, match=what) as raised:
            choose_root(str(tmp_path / name), {})
        assert raised.value.refusal.code == "no_project"


def test_without_a_repository_the_refusal_names_candidates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders(tmp_path, "work/one/Cargo.toml", "two/.git/", "three/a/b/c/.git/", ".hidden/.git/")
    monkeypatch.chdir(tmp_path)
    if find_root(str(tmp_path)) is not None:
        pytest.skip("the folder for temporary files lies inside a repository")
    with pytest.raises(Refused) as raised:
        choose_root("", {})
    refusal = raised.value.refusal
    assert refusal.code == "no_project"
    assert refusal.details == {"candidates": ["two", os.path.join("work", "one")]}
    assert refusal.hint == "m1nd --root two …"


def test_candidates_of_an_unreadable_folder_are_none(tmp_path: Path) -> None:
    assert candidates(str(tmp_path / "gone")) == []


def test_state_lives_in_the_root_or_under_m1nd_home(tmp_path: Path) -> None:
    root = str(tmp_path / "harbour")
    assert state_dir(root, {}) == os.path.join(root, ".m1nd")
    digest = hashlib.sha256(root.encode()).hexdigest()[:8]
    assert state_dir(root, {"M1ND_HOME": "/var/m1nd"}) == f"/var/m1nd/harbour-{digest}"


def test_a_root_covers_itself_and_what_lies_below_by_what_paths_lead_to(tmp_path: Path) -> None:
    folders(tmp_path, "repo/src/deep/", "repository/", "other/")
    (tmp_path / "link").symlink_to("repo")
    (tmp_path / "repo/out").symlink_to("../other")
    root = str(tmp_path / "repo")
    for inside in ("repo", "repo/src/deep", "link", "link/src", "repo/src/../src", "repo/not/there/yet"):
        assert covers(root, str(tmp_path / inside)), inside
    for outside in (".", "repository", "other", "repo/out", "repo/..", "nowhere"):
        assert not covers(root, str(tmp_path / outside)), outside
    assert covers(str(tmp_path / "link"), str(tmp_path / "repo/src"))


def test_the_caller_is_who_the_line_names_then_who_the_environment_names(tmp_path: Path) -> None:
    folders(tmp_path, "a/", "b/", "c/")
    a, b, c = (str(tmp_path / name) for name in "abc")
    environment = {"CLAUDE_PROJECT_DIR": c, "M1ND_ROOT": a}
    assert choose_caller(a, b, environment) == a
    assert choose_caller("", b, environment) == b
    assert choose_caller("", "", environment) == c
    assert choose_caller("", "", {"M1ND_ROOT": a}) == ""
    with pytest.raises(Refused) as caught:
        choose_caller(str(tmp_path / "nowhere"), b, environment)
    assert caught.value.refusal.code == "no_project"
