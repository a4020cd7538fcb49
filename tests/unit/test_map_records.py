"""The map's records: who may write when, the store transaction of a candidate, the curator's lease, seats."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.log import START, command, opened

from m1nd.application.app import M1nd
from m1nd.application.skeleton_records import Signed
from m1nd.application.use_cases.candidates import seat_of
from m1nd.application.use_cases.map_reading import expect
from m1nd.application.use_cases.ratifying import needed_stamp
from m1nd.domain.base import Actor, Command
from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock
from m1nd.domain.blocks.candidate_ops import read_ops
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.lease import Lease
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.membership import Member
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.ratification import shown as shown_of
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.refusal import Refused
from m1nd.domain.stamps.gesture import Typed

TREE = Tree({"src/tide.rs": "a" * 64, "src/moon.rs": "b" * 64}, 1)
TIDE, MOON = "sb_x_tide_0", "sb_x_moon_1"
MINUTES = timedelta(minutes=15)


def proposal(*ids: str) -> Proposal:
    blocks = tuple(
        CandidateBlock(
            block_id=id,
            draft=BlockDraft(
                name=id,
                purpose="p",
                membership=(Member(path=f"src/{id.split('_')[2]}.rs", role="primary"),),
                contract=Contract(required=(Slot(type="spec"),)),
            ),
        )
        for id in ids
    )
    return Proposal(skeleton_id="sk_x_candidate", blocks=blocks, repo_id="x")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[M1nd]:
    with opened(tmp_path) as app:
        yield app


def code(act: object) -> str:
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.refusal.code


def test_the_store_transaction_of_a_candidate(app: M1nd) -> None:
    """Scenarios 85 to 90."""
    assert code(lambda: app.record_proposal(proposal(TIDE), Expected(1), "rev_1", TREE, command(1))) == (
        "candidate_transaction"
    )
    assert app.log_head().count == 0
    first = app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, command(2))
    assert (first.store_version, first.transaction) == (1, "created_candidate_store")
    head = app.log_head()
    assert code(lambda: app.record_proposal(proposal(MOON), Expected(), "rev_1", TREE, command(3))) == (
        "candidate_transaction"
    )
    assert code(lambda: app.record_proposal(proposal(MOON), Expected(7), "rev_1", TREE, command(4))) == (
        "store_conflict"
    )
    assert app.log_head() == head
    again = app.record_proposal(proposal(MOON), Expected(1), "rev_1", TREE, command(5))
    assert (again.store_version, again.transaction) == (2, "replaced_candidate_store")
    skeleton = app.skeleton()
    assert skeleton is not None and list(skeleton.candidates) == [MOON]


def test_a_batch_of_edits_is_one_write_and_a_stale_key_is_a_conflict(app: M1nd) -> None:
    """Scenarios 128 to 131."""
    ops = [
        {"op": "rename", "block_id": TIDE, "name": "Tide"},
        {"op": "rename", "block_id": MOON, "name": "Moon"},
    ]

    def edit(expected: int, number: int) -> int:
        return app.record_candidate_edit(
            read_ops(ops), ops, "owner", Expected(expected), TREE, command(number)
        )

    assert code(lambda: edit(0, 1)) == "no_store"
    app.record_proposal(proposal(TIDE, MOON), Expected(), "rev_1", TREE, command(2))
    assert edit(1, 3) == 2
    head = app.log_head()
    assert code(lambda: edit(1, 4)) == "store_conflict"
    ops.append({"op": "rename", "block_id": "sb_x_no_0", "name": "No"})
    assert code(lambda: edit(2, 5)) == "candidate_edit_rejected"
    assert app.log_head() == head


def test_a_command_given_twice_changes_the_map_once(app: M1nd) -> None:
    given = command(1)
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, given)
    head = app.log_head()
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, given)
    assert (app.log_head(), app.store_version()) == (head, 1)


def at(minutes: float, number: int = 1) -> Command:
    return command(number, minutes=minutes)


def test_a_lease_has_one_live_holder() -> None:
    """Scenarios 132 to 136."""
    lease = Lease.open(at(0))
    assert lease.acquire("ada", MINUTES, at(0)) == "acquired"
    assert code(lambda: lease.acquire("bob", MINUTES, at(14))) == "lease_held"
    assert code(lambda: lease.refresh("bob", MINUTES, at(14))) == "lease_held"
    assert code(lambda: lease.release("bob", at(14))) == "lease_held"
    assert lease.refresh("ada", MINUTES, at(14)) == "refreshed"
    assert lease.acquire("bob", MINUTES, at(29)) == "acquired"
    assert code(lambda: lease.refresh("ada", MINUTES, at(30))) == "lease_held"
    assert lease.release("bob", at(30)) == "released"
    assert lease.release("bob", at(30)) == "already_free"
    assert code(lambda: lease.refresh("ada", MINUTES, at(31))) == "lease_lapsed"


def test_a_lease_moves_no_version_and_stops_no_writer(app: M1nd) -> None:
    """Scenarios 137 and 138."""
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, command(1))
    outcome, state = app.curate("acquire", "somebody", MINUTES, command(2))
    assert (outcome, state.holder, state.until) == ("acquired", "somebody", START + MINUTES)
    ops = [{"op": "rename", "block_id": TIDE, "name": "Tide"}]
    assert app.record_candidate_edit(read_ops(ops), ops, "owner", Expected(1), TREE, command(3)) == 2
    assert app.lease() == state


class Caller:
    """As much of a brain as the two rules about callers look at."""

    def __init__(self, kind: str, app: M1nd) -> None:
        self.actor = Actor(kind=kind, id="x")  # type: ignore[arg-type]
        self.app = app


def test_only_the_owner_may_leave_the_version_out(app: M1nd) -> None:
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, command(1))
    assert expect(Caller("owner", app), "v", None).store_version == 1  # type: ignore[arg-type]
    assert code(lambda: expect(Caller("agent", app), "v", None)) == "expected_version_required"  # type: ignore[arg-type]
    assert expect(Caller("agent", app), "v", None, {TIDE: 3}).versions == {TIDE: 3}  # type: ignore[arg-type]
    assert code(lambda: expect(Caller("agent", app), "v", None, {TIDE: "3"})) == "usage"  # type: ignore[arg-type]


def test_the_seat_is_the_callers_and_the_weakest_where_nothing_is_said(app: M1nd) -> None:
    owner, agent = Caller("owner", app), Caller("agent", app)
    assert [seat_of(owner, by) for by in ("", "owner", "runner")] == ["owner", "owner", "runner"]  # type: ignore[arg-type]
    assert [seat_of(agent, by) for by in ("", "runner")] == ["runner", "runner"]  # type: ignore[arg-type]
    assert code(lambda: seat_of(agent, "owner")) == "human_gesture_required"  # type: ignore[arg-type]
    assert code(lambda: seat_of(owner, "king")) == "usage"  # type: ignore[arg-type]


def test_the_fine_key_is_asked_of_every_block_that_would_change() -> None:
    expected = Expected(versions={TIDE: 3})
    expected.check_store(99)
    expected.check_block(TIDE, 3)
    assert code(lambda: expected.check_block(TIDE, 4)) == "store_conflict"
    assert code(lambda: expected.check_block(MOON, 1)) == "expected_version_required"


def test_what_could_not_be_read_back_is_never_appended(app: M1nd) -> None:
    """One unreadable event would close the log for good."""
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, command(1))
    head = app.log_head()
    block = CandidateBlock(block_id=MOON, draft=proposal(MOON).blocks[0].draft, boundary_version=10**30)
    endless = Proposal(skeleton_id="sk_x_candidate", blocks=(block,), repo_id="x")
    assert code(lambda: app.record_proposal(endless, Expected(1), "rev_1", TREE, command(2))) == "usage"
    assert app.log_head() == head
    assert app.skeleton() is not None


def test_a_signature_given_twice_signs_once_and_gets_the_answer_of_then(app: M1nd) -> None:
    app.record_proposal(proposal(TIDE), Expected(), "rev_1", TREE, command(1))
    named = [{"op": "rename", "block_id": TIDE, "name": "Tide"}]
    app.record_candidate_edit(read_ops(named), named, "owner", Expected(1), TREE, command(2))
    now = app.map_now(TREE)
    assert now is not None
    what, rows = shown_of(now, "names", (TIDE,))
    needed = needed_stamp("names", "sk_x_candidate", what, rows)
    app.challenge(needed.gesture, needed.shown, command(3))
    typed = Typed(needed.shown, needed.gesture.typed, "pts/1")
    app.give_stamp(needed.gesture.challenge_id, typed, command(4))

    def sign() -> Signed:
        return app.record_signature("names", (TIDE,), Expected(2), needed, Ratification(), TREE, command(5))

    first, head = sign(), app.log_head()
    assert first == Signed(3, "names", (TIDE,), (), ())
    assert (sign(), app.log_head()) == (first, head)
