"""`make bench-check`: what it names, what it passes over. No clock here."""

from pathlib import Path

import pytest
from attrs import evolve
from benchmarks.comparison import Comparison, compare
from benchmarks.figures import Figure, Machine, Report, read_figures, write_report

INGEST = Figure("ingest", "G1", "full ingest ÷ plain parse", "M", 1.2, "x", 1.5)
VERIFY = Figure("log", "G13 verify", "share of raw sqlite3", "1,000 events", 0.4, "x", 0.23, least=True)
SPEED = Figure("ingest", "ingest", "wall time", "M", 200.0, "ms")
COMMITTED = {figure.name: figure for figure in (INGEST, VERIFY, SPEED)}


def compared(*now: Figure, rooms: tuple[str, ...] = ()) -> Comparison:
    return compare(now, COMMITTED, rooms=rooms)


def test_the_same_figures_are_no_regression() -> None:
    found = compared(INGEST, VERIFY, SPEED, rooms=("ingest", "log"))
    assert found == Comparison((), (), 2)
    assert found.status == 0


@pytest.mark.parametrize(("value", "worse"), [(1.49, False), (1.5, False), (1.51, True), (0.1, False)])
def test_a_ratio_may_grow_by_a_quarter(value: float, worse: bool) -> None:
    assert bool(compared(evolve(INGEST, value=value)).worse) is worse


@pytest.mark.parametrize(("value", "worse"), [(0.33, False), (0.31, True), (4.0, False)])
def test_where_more_is_better_it_may_shrink_by_as_much(value: float, worse: bool) -> None:
    assert bool(compared(evolve(VERIFY, value=value)).worse) is worse


def test_what_got_worse_is_named_with_both_values_and_a_missed_bar() -> None:
    found = compared(evolve(INGEST, value=1.7), evolve(VERIFY, value=0.3))
    assert found.worse == (
        "worse: G1 @ M: 1.200 then, 1.700 now and missed its bar",
        "worse: G13 verify @ 1,000 events: 0.400 then, 0.300 now",
    )
    assert found.status == 1


def test_seconds_of_two_machines_are_never_compared() -> None:
    found = compared(evolve(SPEED, value=9000.0), INGEST)
    assert found == Comparison((), (), 1)


def test_a_figure_that_is_new_is_no_regression() -> None:
    assert compared(INGEST, evolve(INGEST, corpus="L", value=9.0)) == Comparison((), (), 1)


def test_a_ratio_of_zero_says_nothing() -> None:
    assert compared(evolve(INGEST, value=0.0)).worse == ()


def test_a_ratio_that_a_whole_room_no_longer_gives_is_missed() -> None:
    found = compared(INGEST, rooms=("ingest", "log"))
    assert found == Comparison((), ("gone: G13 verify @ 1,000 events: 0.400 then, not measured now",), 1)
    assert found.status == 1


def test_of_a_room_that_was_not_measured_nothing_is_missed() -> None:
    assert compared(INGEST, rooms=("ingest",)) == Comparison((), (), 1)


def test_a_run_that_shares_no_ratio_with_the_committed_ones_has_checked_nothing() -> None:
    assert compared(evolve(INGEST, corpus="L")).status == 2


def test_committed_figures_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks.json"
    write_report(Report(Machine(2, "Linux", "3.11", 0.1), {}, 5, [INGEST, VERIFY, SPEED], [], []), path)
    assert read_figures(path) == COMMITTED
