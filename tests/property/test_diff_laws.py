"""A plan shown as a diff and read back is the same plan, whatever the files hold; any other bytes are refused, never a crash."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from m1nd.application.use_cases.file_plans import planned_file, unified_diff
from m1nd.domain.edit_plan import plan_files, read_plan
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refused

LINE = st.sampled_from(
    ["a", "b", "fn f() {", "}", "", " ", "-- x", "+++ y", "@@ -1 +1 @@", "\\ no", "ä\x0c\u2028", "x\r"]
)
TEXT = st.lists(LINE, max_size=12).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "".join(f"{line}\n" for line in lines)])
)
SIDE = st.none() | TEXT.map(str.encode)
NAME = st.sampled_from(
    ["a.rs", "src/b.rs", "x y.rs", "ä.rs", 'q"t.rs', "t\tb.rs", "a/a/c", "b/d", "dev/null", "-- e"]
)


@st.composite
def plans(draw: st.DrawFn) -> list[FilePlan]:
    names = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    files = [FilePlan(name, draw(SIDE), draw(SIDE)) for name in names]
    return [file for file in files if file.before != file.after]


@given(plans())
@settings(max_examples=400, deadline=None)
def test_a_plan_is_what_its_diff_says(files: list[FilePlan]) -> None:
    if not files:
        return
    diff = unified_diff(files).encode()
    before = {file.path: file.before for file in files}
    assert list(plan_files(read_plan(diff), before.get)) == files


@given(plans())
@settings(max_examples=100, deadline=None)
def test_added_and_removed_lines_are_those_of_the_diff(files: list[FilePlan]) -> None:
    for file in files:
        planned = planned_file(file)
        before, after = (
            (side or b"").count(b"\n") + bool(side and not side.endswith(b"\n"))
            for side in (file.before, file.after)
        )
        assert planned.lines_added - planned.lines_removed == after - before


@given(st.binary(max_size=200) | TEXT.map(lambda text: f"--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n{text}".encode()))
@settings(max_examples=400, deadline=None)
def test_any_bytes_are_a_plan_or_are_refused(data: bytes) -> None:
    try:
        plan_files(read_plan(data), {"a": b"a\nb\n"}.get)
    except Refused as refused:
        assert refused.refusal.message
        assert refused.refusal.next_step


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on the path")
@given(plans())
@settings(max_examples=25, deadline=None)
def test_git_takes_our_diff_and_we_take_gits(
    tmp_path_factory: pytest.TempPathFactory, files: list[FilePlan]
) -> None:
    """Git is the judge of both directions, where it can hold the names."""
    if not files:
        return
    root = tmp_path_factory.mktemp("git")

    def git(*arguments: str, text: bytes = b"") -> bytes:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], input=text, capture_output=True, check=True, env=environment
        )
        return done.stdout

    git("init", "-q")
    _write(root, {file.path: file.before for file in files})
    git("add", "-A")
    old = git("write-tree").decode().strip()
    git("apply", "--whitespace=nowarn", "-", text=unified_diff(files).encode())
    for file in files:
        there = root / file.path
        assert (there.read_bytes() if there.exists() else None) == file.after
    git("add", "-A")
    theirs = git("diff", "--no-renames", "--no-ext-diff", "--text", old, git("write-tree").decode().strip())
    before = {file.path: file.before for file in files}
    read = plan_files(read_plan(theirs), before.get)
    assert sorted(read, key=lambda file: file.path) == sorted(files, key=lambda file: file.path)


def _write(root: Path, tree: dict[str, bytes | None]) -> None:
    for path, text in tree.items():
        if text is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text)
