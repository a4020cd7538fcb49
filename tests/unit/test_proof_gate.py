"""The proof gate's rules (D43): what needs a mark, what a mark proves, and that only a write that succeeds uses it up."""

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from m1nd.domain.base import Actor
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.proof_gate import TIME_TO_LIVE, Mark, Need, armed, must_prove, needs_of, spend
from m1nd.domain.refusal import Refusal, Refused
from m1nd.infrastructure.marks import MarksInMemory

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
A, B = Need("src/a.rs", "a" * 64), Need("src/b.rs", "b" * 64)


def mark(need: Need, agent: str = "ana", minutes: float = 0) -> Mark:
    return Mark(agent, need.path, need.sha256, NOW - timedelta(minutes=minutes))


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.refusal.code == "proof_gate"
    return caught.value.refusal


@pytest.mark.parametrize(
    "kind, proves", [("owner", False), ("agent", True), ("runner", True), ("ci", True), ("system", True)]
)
def test_only_the_human_at_the_command_line_is_exempt(kind: str, proves: bool) -> None:
    assert must_prove(Actor.model_validate({"kind": kind, "id": "x"})) is proves


def test_every_planned_file_needs_a_mark_also_one_to_create_and_one_to_remove() -> None:
    plans = [
        FilePlan("changed.rs", b"old", b"new"),
        FilePlan("created.rs", None, b"new"),
        FilePlan("removed.rs", b"old", None),
        FilePlan("same.rs", b"old", b"old"),
    ]
    old = sha256(b"old")
    assert needs_of(plans) == (Need("changed.rs", old), Need("created.rs", ""), Need("removed.rs", old))


def test_marks_for_every_file_are_chosen_one_each() -> None:
    marks = [mark(A), mark(B), mark(A, minutes=1)]
    assert spend(marks, [A, B], "ana", NOW, "look") == (mark(A, minutes=1), mark(B))


@pytest.mark.parametrize(
    "marks, files, changed",
    [
        ([], ["src/a.rs", "src/b.rs"], []),
        ([mark(A)], ["src/b.rs"], []),
        ([mark(A), mark(B, agent="bob")], ["src/b.rs"], []),
        ([mark(A), mark(evolve(B, sha256="c" * 64))], ["src/b.rs"], ["src/b.rs"]),
        ([mark(A), mark(B, minutes=5)], ["src/b.rs"], []),
        ([mark(A), mark(B, minutes=-1)], ["src/b.rs"], []),
    ],
    ids=["nothing", "one file", "another agent's", "other content", "five minutes old", "from the future"],
)
def test_each_file_without_a_mark_is_named(
    marks: Sequence[Mark], files: list[str], changed: list[str]
) -> None:
    refusal = refused(lambda: spend(marks, [A, B], "ana", NOW, "look at the files"))
    assert refusal.details == {"files": files, "changed_since": changed}
    assert all(file in refusal.message for file in files)
    assert "M1ND_PROOF_GATE" in refusal.message
    assert refusal.next_step == "look at the files"


def test_a_long_list_is_cut_in_the_message_and_whole_in_the_details() -> None:
    needs = [Need(f"src/{number}.rs", "a" * 64) for number in range(9)]
    refusal = refused(lambda: spend([], needs, "ana", NOW, ""))
    assert "src/4.rs and 4 more" in refusal.message
    assert len(refusal.details["files"]) == 9


def test_a_mark_holds_until_its_last_moment() -> None:
    assert mark(A).holds(NOW + TIME_TO_LIVE - timedelta(microseconds=1))
    assert not mark(A).holds(NOW + TIME_TO_LIVE)


def test_marks_are_taken_together_or_not_at_all() -> None:
    keeper = MarksInMemory()
    keeper.arm(armed("ana", [(A.path, A.sha256)], NOW))
    refused(lambda: keeper.take(lambda marks: spend(marks, [A, B], "ana", NOW, "")))
    assert keeper.take(lambda marks: spend(marks, [A], "ana", NOW, "")) == (mark(A),)
    refused(lambda: keeper.take(lambda marks: spend(marks, [A], "ana", NOW, "")))


def test_one_mark_serves_one_of_many_at_once() -> None:
    keeper = MarksInMemory()
    keeper.arm([mark(A)])
    outcomes: list[int] = []

    def take() -> None:
        try:
            outcomes.append(len(keeper.take(lambda marks: spend(marks, [A], "ana", NOW, ""))))
        except Refused:
            outcomes.append(0)

    threads = [threading.Thread(target=take) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [0] * 19 + [1]


def test_the_keeper_is_bounded_and_forgets_the_oldest_first() -> None:
    keeper = MarksInMemory(most=2)
    needs = [Need(f"{number}.rs", "a" * 64) for number in range(3)]
    keeper.arm([mark(need) for need in needs])
    keeper.arm([mark(needs[1])])
    refused(lambda: keeper.take(lambda marks: spend(marks, [needs[0]], "ana", NOW, "")))
    assert len(keeper.take(lambda marks: spend(marks, needs[1:], "ana", NOW, ""))) == 2
