"""Plans of edits: JSON or a diff in, files before and after out; what does not fit is refused with the place."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from m1nd.domain.digests import sha256
from m1nd.domain.edit_plan import MOST_BYTES, plan_files, read_plan
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import Refusal, Refused

FIVE = b"one\ntwo\nthree\nfour\nfive\n"


def plan(*files: Mapping[str, Any]) -> bytes:
    return json.dumps({"files": files}).encode()


def planned(data: bytes, **tree: bytes) -> tuple[FilePlan, ...]:
    """The plan on a tree whose file `a` is `a.rs`."""
    return plan_files(read_plan(data), {f"{name}.rs": text for name, text in tree.items()}.get)


def lines(*edits: tuple[int, int, str]) -> bytes:
    entries = [{"start_line": start, "end_line": end, "text": text} for start, end, text in edits]
    return plan({"path": "a.rs", "edits": entries})


def edited(before: bytes, *edits: tuple[int, int, str]) -> bytes | None:
    (file,) = planned(lines(*edits), a=before)
    return file.after


def refused(act: Callable[[], object], code: str) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.refusal.code == code, caught.value.refusal
    return caught.value.refusal


@pytest.mark.parametrize(
    "edits, after",
    [
        ([(2, 3, "TWO\n")], b"one\nTWO\nfour\nfive\n"),
        ([(2, 2, "TWO")], b"one\nTWO\nthree\nfour\nfive\n"),
        ([(2, 3, "")], b"one\nfour\nfive\n"),
        ([(1, 0, "zero")], b"zero\n" + FIVE),
        ([(6, 5, "six\n")], FIVE + b"six\n"),
        ([(6, 5, "six")], FIVE + b"six\n"),
        ([(5, 5, "FIVE\nSIX")], b"one\ntwo\nthree\nfour\nFIVE\nSIX\n"),
        ([(1, 5, "all")], b"all\n"),
        ([(4, 5, "end"), (2, 1, "between"), (1, 1, "ONE")], b"ONE\nbetween\ntwo\nthree\nend\n"),
        ([(3, 2, "before"), (3, 3, "THREE")], b"one\ntwo\nbefore\nTHREE\nfour\nfive\n"),
    ],
)
def test_line_edits_are_applied_at_once_by_the_lines_of_the_file_as_it_was(
    edits: list[tuple[int, int, str]], after: bytes
) -> None:
    assert edited(FIVE, *edits) == after


def test_a_file_without_a_last_line_ending_keeps_that_and_gains_one_in_between() -> None:
    assert edited(b"one\ntwo", (2, 2, "TWO")) == b"one\nTWO"
    assert edited(b"one\ntwo", (3, 2, "three")) == b"one\ntwo\nthree"
    assert edited(b"one\ntwo", (1, 1, "ONE")) == b"ONE\ntwo"
    assert edited(b"", (1, 0, "one\n")) == b"one\n"


def test_new_lines_take_the_files_line_ending_and_its_bom_stays_first() -> None:
    assert edited(b"one\r\ntwo\r\n", (2, 1, "a\nb")) == b"one\r\na\r\nb\r\ntwo\r\n"
    assert edited(b"one\r\ntwo\r\n", (1, 1, "ONE\r\n")) == b"ONE\r\ntwo\r\n"
    assert edited(b"\xef\xbb\xbfone\ntwo\n", (1, 1, "ONE")) == b"\xef\xbb\xbfONE\ntwo\n"
    assert edited(b"\xef\xbb\xbfone\n", (1, 1, "\ufeffONE")) == b"\xef\xbb\xbfONE\n"


@pytest.mark.parametrize(
    "edits",
    [
        [(2, 3, "x"), (3, 4, "y")],
        [(2, 2, "x"), (2, 2, "x")],
        [(2, 1, "x"), (2, 1, "y")],
        [(2, 4, "x"), (3, 2, "y")],
    ],
)
def test_edits_that_touch_the_same_lines_are_refused(edits: list[tuple[int, int, str]]) -> None:
    assert "a.rs" in refused(lambda: edited(FIVE, *edits), "overlapping_edits").message


@pytest.mark.parametrize("start, end", [(0, 1), (1, 6), (7, 6), (3, 1), (-1, 2)])
def test_lines_that_the_file_does_not_have_are_refused_with_its_count(start: int, end: int) -> None:
    refusal = refused(lambda: edited(FIVE, (start, end, "x")), "bad_plan")
    assert "a.rs has 5 line(s)" in refusal.message


def test_content_is_written_as_it_is_over_anything_and_into_nothing() -> None:
    whole = plan({"path": "a.rs", "content": "new\r\n"})
    assert planned(whole, a=b"\xff\x00binary") == (FilePlan("a.rs", b"\xff\x00binary", b"new\r\n"),)
    assert planned(whole) == (FilePlan("a.rs", None, b"new\r\n"),)
    assert planned(plan({"path": "a.rs", "content": ""})) == (FilePlan("a.rs", None, b""),)


@pytest.mark.parametrize("before", [b"caf\xe9\n", b"a\0b\n"])
def test_lines_of_a_file_that_is_no_text_are_not_edited(before: bytes) -> None:
    assert '"content"' in refused(lambda: edited(before, (1, 1, "x")), "unreadable").hint
    diff = b"--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n-" + before + b"+x\n"
    refused(lambda: planned(diff, a=before), "unreadable")


def test_a_removal_needs_the_file() -> None:
    gone = plan({"path": "a.rs", "remove": True})
    assert planned(gone, a=FIVE) == (FilePlan("a.rs", FIVE, None),)
    refused(lambda: planned(gone), "unreadable")
    refused(lambda: planned(lines((1, 1, "x"))), "unreadable")


def test_a_base_hash_must_be_that_of_the_file() -> None:
    def based(base: str | None) -> bytes:
        return plan({"path": "a.rs", "base_hash": base, "content": "new"})

    assert planned(based(sha256(FIVE)), a=FIVE)[0].after == b"new"
    assert planned(based(None), a=FIVE)[0].after == b"new"
    assert planned(based(""))[0].before is None
    refusal = refused(lambda: planned(based(sha256(b"other")), a=FIVE), "source_modified")
    assert (refusal.details["expected"], refusal.details["found"]) == (sha256(b"other"), sha256(FIVE))
    assert "is gone" in refused(lambda: planned(based(sha256(FIVE))), "source_modified").message
    assert "exists already" in refused(lambda: planned(based(""), a=FIVE), "source_modified").message


def test_a_diff_creates_only_what_is_not_there_and_removes_only_all_of_it() -> None:
    made = b"--- /dev/null\n+++ b/a.rs\n@@ -0,0 +1 @@\n+a\n"
    assert planned(made) == (FilePlan("a.rs", None, b"a\n"),)
    refused(lambda: planned(made, a=b"a\n"), "source_modified")
    gone = b"--- a/a.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    assert planned(gone, a=b"one\n") == (FilePlan("a.rs", b"one\n", None),)
    refused(lambda: planned(gone, a=b"one\ntwo\n"), "hunk_failed")


def test_a_plan_that_changes_nothing_is_refused() -> None:
    for nothing in (b"", b" \n", plan(), plan({"path": "a.rs", "content": FIVE.decode()})):
        refused(lambda nothing=nothing: planned(nothing, a=FIVE), "empty_plan")  # type: ignore[misc]


def test_a_file_that_stays_as_it_is_falls_out_of_the_plan() -> None:
    both = plan({"path": "a.rs", "content": FIVE.decode()}, {"path": "b.rs", "content": "b"})
    assert [file.path for file in planned(both, a=FIVE)] == ["b.rs"]


def test_one_file_is_named_once_however_it_is_spelled() -> None:
    twice = plan({"path": "src/a.rs", "content": "x"}, {"path": "./src//a.rs", "remove": True})
    assert "src/a.rs twice" in refused(lambda: read_plan(twice), "bad_plan").message


@pytest.mark.parametrize("path", ["/etc/passwd", "../a.rs", "src/../../a.rs", "~/a.rs", "C:\\a.rs"])
def test_a_path_out_of_the_repository_is_refused(path: str) -> None:
    refused(lambda: read_plan(plan({"path": path, "content": "x"})), "outside_root")
    diff = f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n".encode()
    if not path.startswith(("/", "~", "C")):
        refused(lambda: read_plan(diff), "outside_root")


@pytest.mark.parametrize(
    "data, word",
    [
        (b"{", "no JSON"),
        (b"[]", 'no object with a list "files"'),
        (b'{"files": {}}', 'no object with a list "files"'),
        (b'{"files": [], "more": 1}', "unknown keys: 'more'"),
        (b'{"files": ["a.rs"]}', "file 1 of the plan is no object"),
        (plan({"content": "x"}), 'no text "path"'),
        (plan({"path": "a.rs"}), "just one"),
        (plan({"path": "a.rs", "content": "x", "remove": True}), "just one"),
        (plan({"path": "a.rs", "edits": []}), "no list with an edit"),
        (plan({"path": "a.rs", "edits": [3]}), "an edit is no object"),
        (plan({"path": "a.rs", "edits": [{"start_line": 1}]}), '"end_line"'),
        (plan({"path": "a.rs", "edits": [{"start_line": True, "end_line": 1, "text": ""}]}), '"start_line"'),
        (plan({"path": "a.rs", "edits": [{"start_line": 1, "end_line": 1, "text": "", "x": 1}]}), "'x'"),
        (plan({"path": "a.rs", "content": 5}), "no text"),
        (plan({"path": "a.rs", "content": "\ud800"}), "surrogate"),
        (plan({"path": "a.rs", "remove": "yes"}), '"remove" is not true'),
        (plan({"path": "a.rs", "content": "x", "base_hash": "abc"}), "whole sha256"),
        (plan({"path": "a.rs", "content": "x", "base_hash": 5}), "whole sha256"),
        (plan({"path": "a.rs", "contents": "x"}), "unknown keys: 'contents'"),
        (b'{"files": [{"path": "a.rs", "path": "b.rs", "content": ""}]}', "a key twice"),
        (b'{"files": [{"path": "a.rs", "content": "\xff"}]}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"fn f() {}\n", "neither JSON"),
        (b" " * MOST_BYTES + b"x", "larger than 16 MiB"),
    ],
)
def test_a_plan_of_another_form_is_refused_by_name(data: bytes, word: str) -> None:
    refusal = refused(lambda: read_plan(data), "bad_plan")
    assert word in refusal.message
    assert refusal.next_step


def test_a_file_that_is_too_large_is_left_alone() -> None:
    large = plan({"path": "a.rs", "remove": True})
    refused(lambda: planned(large, a=b"x" * (MOST_BYTES + 1)), "unreadable")
