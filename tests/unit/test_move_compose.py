"""Planned text as pieces: bytes out of changes, and every kept byte found again."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from m1nd.domain.edits import OverlappingEdits
from m1nd.domain.move.compose import Change, Verbatim, Written, compose, taken_over, written

SOURCES = {"a": b"one two three\n", "b": b"four\n"}


def test_changes_of_all_files_are_made_at_once() -> None:
    plan = compose([written("a", 0, 3, b"1"), written("b", 0, 0, b"zero "), Change("a", 7, 13)], SOURCES)
    assert dict(plan.texts) == {"a": b"1 two\n", "b": b"zero four\n"}


def test_nothing_to_change_is_no_file() -> None:
    assert dict(compose([], SOURCES).texts) == {}


def test_equal_changes_count_once() -> None:
    """Two rules may ask for the same edit."""
    plan = compose([written("a", 0, 3, b"1"), written("a", 0, 3, b"1")], SOURCES)
    assert plan.texts["a"] == b"1 two three\n"


def test_insertions_at_one_place_keep_their_order() -> None:
    plan = compose([written("a", 4, 4, b"x "), written("a", 4, 4, b"y "), written("a", 4, 7, b"2")], SOURCES)
    assert plan.texts["a"] == b"one x y 2 three\n"


@pytest.mark.parametrize(
    "first, second",
    list(permutations([written("a", 0, 5, b"x"), written("a", 4, 7, b"y"), Change("a", 3, 6)], 2)),
)
def test_edits_that_overlap_are_refused(first: Change, second: Change) -> None:
    """Two rules that want the same text differently are a conflict, whatever their order."""
    with pytest.raises(OverlappingEdits):
        compose([first, second], SOURCES)


def test_every_kept_byte_is_found_again() -> None:
    """Text taken over into another file too."""
    move = Change("b", 4, 4, (Written(b" "), Verbatim("a", 4, 7)))
    plan = compose([Change("a", 4, 8), move], SOURCES)
    assert dict(plan.texts) == {"a": b"one three\n", "b": b"four two\n"}
    assert plan.find("a", 0) == ("a", 0)
    assert plan.find("a", 4) == ("b", 5)
    assert plan.find("a", 6) == ("b", 7)
    assert plan.find("a", 7) is None
    assert plan.find("a", 8) == ("a", 4)
    assert plan.find("b", 4) == ("b", 8)
    assert plan.find("c", 9) == ("c", 9)


def test_new_ranges_are_what_was_written_or_came_from_elsewhere() -> None:
    """The formatter works on what was written, and on what arrived where it was formatted before."""
    move = Change("b", 4, 4, (Written(b" "), Verbatim("a", 4, 7)))
    plan = compose([written("a", 0, 3, b"1"), Change("a", 7, 13), move], SOURCES)
    assert dict(plan.new) == {"a": ((0, 1),), "b": ((4, 5),)}


@pytest.mark.parametrize(
    "source, newline, text",
    [
        (b"a\nb\nc", b"\n", b"a\nb\nc"),
        (b"a\nb\nc", b"\r\n", b"a\r\nb\r\nc"),
        (b"a\r\nb\r\nc", b"\n", b"a\nb\nc"),
        (b"a\r\nb\nc", b"\r\n", b"a\r\nb\r\nc"),
        (b"a\r\nb\nc", b"\n", b"a\nb\nc"),
        (b"\n\n", b"\r\n", b"\r\n\r\n"),
        (b"", b"\r\n", b""),
    ],
)
def test_moved_text_takes_the_line_ends_of_its_new_file(source: bytes, newline: bytes, text: bytes) -> None:
    sources = {"a": source, "b": b""}
    pieces = taken_over("a", 0, len(source), (), source, newline)
    assert compose([Change("b", 0, 0, pieces)], sources).texts["b"] == text


def test_text_written_into_moved_text_takes_them_too() -> None:
    pieces = taken_over("a", 0, 3, [written("a", 1, 2, b"\n\r\n")], b"one", b"\r\n")
    assert compose([Change("b", 0, 5, pieces)], SOURCES).texts["b"] == b"o\r\n\r\ne"


def test_moved_text_may_change_inside() -> None:
    inner = [written("a", 4, 7, b"2"), written("a", 4, 7, b"2"), written("a", 8, 8, b"+ ")]
    pieces = taken_over("a", 4, 13, inner, SOURCES["a"], b"\n")
    assert compose([Change("b", 0, 5, pieces)], SOURCES).texts["b"] == b"2 + three"
    with pytest.raises(OverlappingEdits):
        taken_over("a", 4, 13, [*inner, Change("a", 6, 9)], SOURCES["a"], b"\n")


RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 3), st.binary(max_size=3)), max_size=6)


@given(st.binary(min_size=48, max_size=48), RANGES)
def test_what_is_kept_stands_where_it_is_said_to_stand(
    source: bytes, ranges: list[tuple[int, int, bytes]]
) -> None:
    """A law of every composition, and the bytes that are not kept are the new ones."""
    changes = [written("a", start, start + length, text) for start, length, text in ranges]
    try:
        plan = compose(changes, {"a": source})
    except OverlappingEdits:
        return
    text = plan.texts.get("a", source)
    kept = {}
    for position in range(len(source)):
        found = plan.find("a", position)
        if found is not None:
            kept[found[1]] = source[position]
            assert text[found[1]] == source[position]
    new = {i for start, end in plan.new.get("a", ()) for i in range(start, end)}
    assert new.isdisjoint(kept) and len(new) + len(kept) == len(text)
