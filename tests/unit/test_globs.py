"""Globs have gitignore semantics over repository paths; git itself is the oracle where it is installed."""

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

from m1nd.domain.globs import compile_glob
from m1nd.domain.refusal import Refused

PARTS = ("a", "*", "**", "?", "a*", "*.rs", "[ab]", "[!a]", "x[a-]y", ".a")
PATHS = (
    "a",
    "b",
    "a.rs",
    "xay",
    "x-y",
    ".a",
    "ab",
    "a/b",
    "b/a",
    "a/.a",
    ".a/b",
    "c/a.rs",
    "ab/c",
    "a/b/c",
    "b/a/b",
    "a/b/c.rs",
    "a/b/c/a",
)


@pytest.mark.parametrize(
    "glob, matches, others",
    [
        (
            "ledger.rs",
            ["ledger.rs", "src/money/ledger.rs", "ledger.rs/deep"],
            ["src/ledger.rsx", "xledger.rs"],
        ),
        ("src/*.rs", ["src/a.rs"], ["src/money/a.rs", "lib/src/a.rs", "src/a.rst"]),
        ("src/**", ["src/a.rs", "src/money/a.rs"], ["src", "lib/src/a.rs", "srcs/a.rs"]),
        ("src/**/ledger.rs", ["src/ledger.rs", "src/a/ledger.rs", "src/a/b/ledger.rs"], ["ledger.rs"]),
        ("**/gen", ["gen", "a/gen", "a/b/gen/x.rs"], ["a/gen.rs", "agen"]),
        ("**", ["a", "a/b"], []),
        ("src/money", ["src/money", "src/money/a.rs", "src/money/b/c.rs"], ["src/money.rs", "lib/src/money"]),
        ("money/", ["money/a.rs", "src/money/a.rs"], ["money", "src/money"]),
        ("/lib.rs", ["lib.rs"], ["src/lib.rs"]),
        ("src/?.rs", ["src/a.rs", "src/é.rs"], ["src/ab.rs", "src/.rs"]),
        ("[!a].rs", ["b.rs", "a/b.rs"], ["a.rs"]),
        ("x[!a]y", ["xby"], ["xay", "x/y"]),
        ("a+(b).rs", ["a+(b).rs", "c/a+(b).rs"], ["aab.rs"]),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, matches: list[str], others: list[str]) -> None:
    """`*` and `?` stay inside a name, `**` crosses, a slash anchors, a folder covers what lies below."""
    pattern = compile_glob(glob)
    assert [p for p in matches if not pattern.fullmatch(p)] == []
    assert [p for p in others if pattern.fullmatch(p)] == []


@pytest.mark.parametrize(
    "glob", ["", "  ", "!src", "a\\b", "a\0b", "a**b", "src/**.rs", "[a", "[z-a]", "a//b", "[^]"]
)
def test_a_malformed_glob_is_refused(glob: str) -> None:
    """It would guard nothing, and nobody would know."""
    with pytest.raises(Refused) as caught:
        compile_glob(glob)
    assert caught.value.refusal.code == "usage"


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on the path")
def test_git_ignores_what_the_globs_match(tmp_path: Path) -> None:
    """Every glob of up to three parts, with and without a slash at either end, over every path."""
    globs = [
        lead + "/".join(parts) + tail
        for length in (1, 2, 3)
        for parts in itertools.product(PARTS, repeat=length)
        for lead in ("", "/")
        for tail in ("", "/")
    ]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    asked = []
    for number, glob in enumerate(globs):
        folder = tmp_path / f"g{number}"
        folder.mkdir()
        (folder / ".gitignore").write_text(f"{glob}\n")
        asked += [f"g{number}/{path}" for path in PATHS]
    answer = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin"],
        cwd=tmp_path,
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=False,
    )
    ignored = set(answer.stdout.splitlines())
    for number, glob in enumerate(globs):
        pattern = compile_glob(glob)
        ours = {path for path in PATHS if pattern.fullmatch(path)}
        assert ours == {path for path in PATHS if f"g{number}/{path}" in ignored}, glob
