"""Unified diffs are applied strictly: every line where the hunk says, or a refusal that names the hunk."""

from collections.abc import Callable

import pytest

from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.unified_diff import FileDiff, apply_hunks, parse_diff, quoted

BEFORE = b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
HEAD = b"--- a/src/a.rs\n+++ b/src/a.rs\n"
CHANGE = HEAD + b"@@ -2,3 +2,4 @@ fn f\n two\n-three\n+THREE\n+three and a half\n four\n"


def only(diff: bytes) -> FileDiff:
    (file,) = parse_diff(diff)
    return file


def applied(diff: bytes, before: bytes = BEFORE) -> bytes:
    file = only(diff)
    return apply_hunks(file.path, before, file.hunks)


def refused(act: Callable[[], object], code: str) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.refusal.code == code
    return caught.value.refusal


def test_a_hunk_is_applied_where_it_says() -> None:
    assert applied(CHANGE) == b"one\ntwo\nTHREE\nthree and a half\nfour\nfive\nsix\nseven\n"


def test_hunks_count_lines_of_the_file_as_it_was() -> None:
    diff = CHANGE + b"@@ -6,2 +7 @@\n-six\n seven\n"
    assert applied(diff) == b"one\ntwo\nTHREE\nthree and a half\nfour\nfive\nseven\n"


def test_one_line_that_differs_refuses_the_hunk_and_shows_both() -> None:
    refusal = refused(lambda: applied(CHANGE, BEFORE.replace(b"two", b"TWO")), "hunk_failed")
    assert "src/a.rs, hunk 1 (@@ -2,3 +2,4 @@)" in refusal.message
    assert "line 2 is `TWO`, the hunk wants `two`" in refusal.message
    assert (refusal.details["hunk"], refusal.details["line"], refusal.details["stands_at"]) == (1, 2, [])


def test_a_shifted_file_is_refused_with_the_place_where_the_lines_stand_now() -> None:
    refusal = refused(lambda: applied(CHANGE, b"zero\n" + BEFORE), "hunk_failed")
    assert "its lines stand at line 3 now" in refusal.message
    assert refusal.details["stands_at"] == [3]


def test_a_hunk_behind_the_end_is_refused() -> None:
    refusal = refused(lambda: applied(CHANGE, b"one\ntwo\n"), "hunk_failed")
    assert "line 3 is the end of the file, the hunk wants `three`" in refusal.message


def test_blanks_and_line_endings_count() -> None:
    refused(lambda: applied(CHANGE, BEFORE.replace(b"two\n", b"two \n")), "hunk_failed")
    refused(lambda: applied(CHANGE, BEFORE.replace(b"\n", b"\r\n")), "hunk_failed")
    crlf = b"--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n-one\r\n+ONE\r\n two\r\n"
    assert applied(crlf, BEFORE.replace(b"\n", b"\r\n")).startswith(b"ONE\r\ntwo\r\n")


def test_an_empty_line_is_context_that_an_editor_stripped() -> None:
    assert applied(HEAD + b"@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n", b"a\n\nb\n") == b"A\n\nb\n"


def test_the_last_line_may_have_no_ending_and_the_diff_says_so() -> None:
    mark = b"\\ No newline at end of file\n"
    gains = HEAD + b"@@ -1,2 +1,2 @@\n a\n-b\n" + mark + b"+b\n"
    loses = HEAD + b"@@ -1,2 +1,2 @@\n a\n-b\n+b\n" + mark
    keeps = HEAD + b"@@ -1,2 +1,2 @@\n-a\n+A\n b\n" + mark
    assert applied(gains, b"a\nb") == b"a\nb\n"
    assert applied(loses, b"a\nb\n") == b"a\nb"
    assert applied(keeps, b"a\nb") == b"A\nb"
    assert "without a line ending" in refused(lambda: applied(keeps, b"a\nb\n"), "hunk_failed").message


def test_hunks_that_overlap_or_run_backwards_are_refused() -> None:
    second = b"@@ -4,2 +5,2 @@\n four\n-five\n+FIVE\n"
    assert refused(lambda: applied(CHANGE + second), "overlapping_edits").details["hunk"] == 2
    first = b"@@ -1,1 +1,1 @@\n-one\n+ONE\n"
    refused(lambda: applied(CHANGE + first), "overlapping_edits")


def test_an_insertion_between_nothing_is_refused_but_in_an_empty_file() -> None:
    bare = HEAD + b"@@ -2,0 +3 @@\n+new\n"
    refused(lambda: applied(bare), "bad_plan")
    assert applied(HEAD + b"@@ -0,0 +1 @@\n+new\n", b"") == b"new\n"


def test_a_file_is_created_and_removed() -> None:
    made = only(b"--- /dev/null\n+++ b/src/new.rs\n@@ -0,0 +1,2 @@\n+a\n+b\n")
    assert (made.path, made.creates, made.removes) == ("src/new.rs", True, False)
    assert apply_hunks(made.path, b"", made.hunks) == b"a\nb\n"
    gone = only(b"--- a/src/old.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
    assert (gone.path, gone.creates, gone.removes) == ("src/old.rs", False, True)
    assert apply_hunks(gone.path, b"a\n", gone.hunks) == b""


def test_git_writes_empty_files_without_a_hunk() -> None:
    diff = (
        b"diff --git a/x y.rs b/x y.rs\nnew file mode 100644\nindex 0000000..e69de29\n"
        b'diff --git "a/\\303\\244.rs" "b/\\303\\244.rs"\ndeleted file mode 100644\nindex e69de29..0000000\n'
    )
    assert parse_diff(diff) == (FileDiff("x y.rs", (), True, False), FileDiff("ä.rs", (), False, True))


def test_what_a_mail_says_around_the_diff_is_no_part_of_it() -> None:
    mail = (
        b"From 1 Mon Sep 17\nSubject: [PATCH] x\n\n src/a.rs | 3 ++-\n---\n\n"
        b"diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n" + CHANGE + b"-- \n2.39.5\n\n"
    )
    assert only(mail) == only(CHANGE)


@pytest.mark.parametrize(
    "names, path",
    [
        (b"--- a/src/a.rs\n+++ b/src/a.rs\n", "src/a.rs"),
        (b"--- src/a.rs\n+++ src/a.rs\n", "src/a.rs"),
        (b"--- i/src/a.rs\n+++ w/src/a.rs\n", "src/a.rs"),
        (b"--- a/src/a.rs\t2026-05-01 12:00:00\n+++ b/src/a.rs\t2026-05-01 12:01:00\n", "src/a.rs"),
        (b'--- "a/t\\303\\244b\\t.rs"\n+++ "b/t\\303\\244b\\t.rs"\n', "täb\t.rs"),
        (b"--- a/x y.rs\r\n+++ b/x y.rs\r\n", "x y.rs"),
    ],
)
def test_paths_lose_their_prefix_and_their_quotes(names: bytes, path: str) -> None:
    assert only(names + b"@@ -1 +1 @@\n-a\n+b\n").path == path


@pytest.mark.parametrize(
    "diff, word",
    [
        (b"diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n", "renames"),
        (b"diff --git a/a b/b\ncopy from a\ncopy to b\n", "copies"),
        (b"diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "mode"),
        (b"diff --git a/a b/a\nnew file mode 120000\n", "a link or an executable"),
        (b"diff --git a/a b/a\nindex 1..2\nGIT binary patch\nliteral 3\n", "binary"),
        (b"diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n", "binary"),
        (b"--- a/a\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n", "renames `a/a` to `b/b`"),
        (b"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "names no file"),
        (b"--- a/a\n+++ b/a\n", "without a hunk"),
        (b"@@ -1 +1 @@\n-a\n+b\n", "hunk of no file"),
        (HEAD + b"@@ -1,2 +1,2 @@\n-a\n+b\n", "ends in the middle of hunk 1"),
        (HEAD + b"@@ -1 +1 @@\n-a\n+b\n+c\n", "belongs to no hunk"),
        (HEAD + b"@@ -1,2 +1,2 @@\n-a\n+b\n@@ -5 +5 @@\n", "not a line of hunk 1"),
        (HEAD + b"@@ -1,1 +1,2 @@\n-a\n-b\n+c\n", "does not fit the counts"),
        (HEAD + b"@@ one @@\n-a\n+b\n", "no hunk header"),
        (HEAD + b"@@ -0,1 +1 @@\n-a\n+b\n", "before line 1"),
        (b"--- a/\xff\n+++ b/\xff\n@@ -1 +1 @@\n-a\n+b\n", "not UTF-8"),
        (b'--- "a/\\q"\n+++ "b/\\q"\n@@ -1 +1 @@\n-a\n+b\n', "broken escape"),
        (b"diff --git a/a b/a\nindex 1..2 100644\n", "nothing is changed"),
    ],
)
def test_a_diff_that_is_none_or_wants_more_than_a_plan_can_is_refused(diff: bytes, word: str) -> None:
    refusal = refused(lambda: parse_diff(diff), "bad_plan")
    assert word in refusal.message
    assert "line" in refusal.details


def test_paths_with_signs_are_quoted_as_git_does() -> None:
    assert quoted("src/ä b.rs") == "src/ä b.rs"
    assert quoted('a"\t\x01\\.rs') == '"a\\"\\t\\001\\\\.rs"'
