"""Modules inline in a file are modules: a move between them is the move between their files, folded."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.test_move_laws import LONG, PATH, after, questions
from tests.support.folded import folded, module_of, place_in
from tests.support.generated_crates import Crate
from tests.support.moves import plan

from m1nd.domain.move.plan import MovePlan
from m1nd.domain.refusal import Refused

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
IMPORT = re.compile(r"\s*(?:pub(?:\([^)]*\))? )?use ")
SAME = (
    "deps_travelled",
    "deps_shared",
    "source_module",
    "dest_module",
    "moved_visibility",
    "source_back_imported",
    "refs_rewritten",
)


def outcome(files: dict[str, str], name: str, source: str, dest: str) -> MovePlan | str:
    try:
        return plan(files, name, source, dest)
    except Refused as refused:
        return refused.refusal.code


def lines(files: dict[str, str]) -> dict[str, list[str]]:
    """What the files say, whatever the blank lines and the depths, and whether a name is imported or written out.

    Where text of several modules stands in one file, a name is more often taken to be in use there.
    """
    return {
        path: [
            PATH.sub("", row.strip()) for row in text.splitlines() if row.strip() and not IMPORT.match(row)
        ]
        for path, text in files.items()
    }


def law_of_the_fold(question: tuple[Crate, str, str, str], marks: list[bool]) -> None:
    crate, name, source, dest = question
    modules = [p for p in crate.files if module_of(p) and p.startswith("src/")]
    chosen = {p for p, mark in zip(modules, marks, strict=False) if mark or p in (source, dest)}
    files = folded(crate.files, chosen)
    plain = outcome(crate.files, name, source, dest)
    inline = outcome(files, name, place_in(source, chosen), place_in(dest, chosen))
    if isinstance(plain, str) or isinstance(inline, str):
        assert plain == inline
        return
    assert lines(after(files, inline)) == lines(folded(after(crate.files, plain), chosen))
    assert {k: inline.receipt[k] for k in SAME} == {k: plain.receipt[k] for k in SAME}


MARKS = st.lists(st.booleans(), min_size=12, max_size=12)


@given(st.booleans().flatmap(lambda nested: questions(nested)), MARKS)
@QUICK
def test_a_move_of_folded_modules_is_the_folded_move(
    question: tuple[Crate, str, str, str], marks: list[bool]
) -> None:
    law_of_the_fold(question, marks)


@pytest.mark.soak
@given(st.booleans().flatmap(lambda nested: questions(nested)), MARKS)
@LONG
def test_the_same_for_long(question: tuple[Crate, str, str, str], marks: list[bool]) -> None:
    law_of_the_fold(question, marks)
