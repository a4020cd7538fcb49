"""The Mission aggregate: its closed edge table, whose step each one is, and what has to be there before it."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from tests.support.log import START, command
from tests.support.missions import (
    AUTHOR,
    CI,
    CLOCK,
    EXECUTION,
    HUMAN,
    MISSION,
    PACKET,
    REVIEWER,
    REVISED,
    RUNNER,
    SCOPE,
    SHA,
    candidate,
    mission_at,
    opened_mission,
    report,
    wait,
)

from m1nd.domain.base import Actor
from m1nd.domain.missions.gate import Evidence, digest_of
from m1nd.domain.missions.mission import Mission, stream_name
from m1nd.domain.missions.runners import MissionPolicy
from m1nd.domain.missions.states import EDGES, INSIDE, TERMINAL, Seat, Stand, State
from m1nd.domain.refusal import Refusal, Refused


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def stand(state: State) -> Stand:
    return Stand(MISSION, state, "agent:drafter", RUNNER.id)


ACTORS = {
    Seat.AUTHOR: AUTHOR,
    Seat.REVIEWER: REVIEWER,
    Seat.RUNNER: RUNNER,
    Seat.HUMAN: HUMAN,
    Seat.SYSTEM: CLOCK,
}


def test_the_table_has_twenty_three_edges_and_no_way_out_of_an_end() -> None:
    assert len(EDGES) == 23
    assert {state for state, _ in EDGES} | TERMINAL == set(State)
    assert not [edge for edge in EDGES if edge[0] in TERMINAL]


@pytest.mark.parametrize("source, target", sorted(product(State, State)))
def test_a_step_is_in_the_table_or_illegal(source: State, target: State) -> None:
    for seat, actor in ACTORS.items():
        if (source, target) not in EDGES:
            refusal = refused(lambda actor=actor: stand(source).require_edge(target, actor))  # type: ignore[misc]
            assert refusal.code == "illegal_transition"
        elif seat in EDGES[source, target]:
            stand(source).require_edge(target, actor)
        elif not stand(source).seats(actor) & EDGES[source, target]:
            refusal = refused(lambda actor=actor: stand(source).require_edge(target, actor))  # type: ignore[misc]
            assert refusal.code == "wrong_author"


def test_nobody_reviews_what_they_wrote_or_ran_whatever_their_kind() -> None:
    own = Stand(MISSION, State.JUDGING, "owner:ada", "ada")
    assert own.seats(HUMAN) == {Seat.HUMAN, Seat.AUTHOR, Seat.RUNNER}
    assert stand(State.JUDGING).seats(HUMAN) == {Seat.HUMAN, Seat.REVIEWER}
    assert stand(State.JUDGING).seats(AUTHOR) == {Seat.AUTHOR}
    assert stand(State.JUDGING).seats(RUNNER) == {Seat.RUNNER}
    assert stand(State.JUDGING).seats(CI) == frozenset()


@pytest.mark.parametrize("act", sorted(INSIDE))
def test_acts_inside_belong_into_executing(act: str) -> None:
    for state in State:
        if state is not State.EXECUTING:
            assert refused(lambda s=state: stand(s).require_inside(act, RUNNER)).code == "illegal_transition"  # type: ignore[misc]


def test_the_straight_way_ends_in_a_wait_for_the_human_with_the_scope_of_the_dispatch() -> None:
    mission = mission_at("merge_wait")
    state = mission.state
    assert (state.state, state.version, state.author) == (State.MERGE_WAIT, 8, "agent:drafter")
    assert state.candidate is not None
    assert state.candidate["scope"] == SCOPE.model_dump()
    assert state.candidate["evidence"]["evidence_refs"] == [f"gate://{MISSION}"]
    assert state.candidate["evidence"]["started_at"] == "2026-05-01T12:00:00Z"
    assert state.candidate_id == f"cand:{digest_of(state.candidate)}"


def test_a_runner_ci_and_the_clock_propose_nothing() -> None:
    for actor in (RUNNER, CI, CLOCK):
        given = command(1, actor=actor)
        act = lambda given=given: Mission.open(MISSION, PACKET, MissionPolicy(), "harbour", "", given)
        assert refused(act).code == "wrong_author"


def test_an_author_may_not_approve_the_own_packet_and_nothing_unapproved_is_dispatched() -> None:
    mission = opened_mission()
    given = command(2, actor=AUTHOR)
    assert refused(lambda: mission.judge("APPROVE", "", "", given)).code == "wrong_author"
    assert (
        refused(lambda: mission.dispatch(EXECUTION, RUNNER.id, SCOPE, 2, 60, None, given)).code
        == "not_approved"
    )
    assert len(mission.pending_events) == 1


def test_a_change_sends_the_packet_back_and_a_revised_one_is_judged_again() -> None:
    mission = opened_mission()
    mission.judge("CHANGE", "say which way", "", command(2, actor=REVIEWER))
    assert mission.state.state is State.REVISING
    assert refused(lambda: mission.revise(PACKET, command(3, actor=AUTHOR))).code == "packet_mismatch"
    assert refused(lambda: mission.revise(REVISED, command(3, actor=REVIEWER))).code == "wrong_author"
    mission.revise(REVISED, command(3, actor=AUTHOR))
    state = mission.state
    assert (state.state, state.iteration, state.packet, state.verdict) == (State.JUDGING, 2, REVISED, None)


def test_a_change_that_approves_one_packet_ahead_lets_just_that_one_be_dispatched() -> None:
    mission = opened_mission()
    ahead = digest_of(REVISED.model_dump())
    mission.judge("CHANGE", "say which way", ahead, command(2, actor=REVIEWER))
    other = REVISED.model_copy(update={"message": "Something else."})
    given = command(3, actor=AUTHOR)
    assert (
        refused(lambda: mission.dispatch(EXECUTION, RUNNER.id, SCOPE, 2, 60, other, given)).code
        == "not_approved"
    )
    mission.dispatch(EXECUTION, RUNNER.id, SCOPE, 2, 60, REVISED, given)
    state = mission.state
    assert (state.state, state.iteration, state.packet_digest) == (State.DISPATCHED, 2, ahead)


def test_a_reject_ends_it_and_an_end_takes_nothing_more() -> None:
    mission = opened_mission()
    mission.judge("REJECT", "not worth it", "", command(2, actor=REVIEWER))
    assert mission.state.state is State.FAILED
    assert (
        refused(lambda: mission.judge("APPROVE", "", "", command(3, actor=REVIEWER))).code
        == "illegal_transition"
    )
    assert refused(lambda: mission.cancel("", command(3, actor=HUMAN))).code == "illegal_transition"


def test_a_reviewer_judges_packets_before_the_work_and_work_after_it_never_otherwise() -> None:
    for step in ("dispatched", "executing", "green"):
        mission = mission_at(step)
        given = command(20, actor=REVIEWER)
        for decision in ("APPROVE", "CHANGE", "REJECT"):
            assert refused(lambda d=decision: mission.judge(d, "", "", given)).code == "illegal_transition"  # type: ignore[misc, arg-type]  # noqa: B023
            assert refused(lambda d=decision: mission.review(d, "", given)).code == "illegal_transition"  # type: ignore[misc, arg-type]  # noqa: B023


def test_only_the_named_runner_works_and_only_for_the_live_execution() -> None:
    mission = mission_at("dispatched")
    stranger = command(9, actor=Actor(kind="runner", id="rig-2"))
    assert refused(lambda: mission.start(EXECUTION, stranger)).code == "wrong_author"
    own = command(9, actor=RUNNER)
    assert refused(lambda: mission.start("exe_ffffffffffff", own)).code == "execution_mismatch"
    mission.start(EXECUTION, own)
    assert mission.state.state is State.EXECUTING


def test_each_sign_of_life_moves_the_deadline_and_silence_past_it_is_a_stall() -> None:
    mission = mission_at("dispatched")
    mission.start(EXECUTION, command(9, minutes=0.5, actor=RUNNER))
    mission.beat(EXECUTION, "half way", command(10, minutes=1, actor=RUNNER))
    due = START + timedelta(minutes=2)
    assert mission.state.running.deadline == due
    assert not mission.stall(due - timedelta(seconds=1), command(11, actor=CLOCK))
    assert mission.stall(due, command(12, actor=CLOCK))
    assert not mission.stall(due, command(13, actor=CLOCK))
    assert mission.state.state is State.STALLED
    assert (
        refused(lambda: mission.open_gate(EXECUTION, command(14, actor=RUNNER))).code == "illegal_transition"
    )
    mission.beat(EXECUTION, "", command(15, minutes=9, actor=RUNNER))
    assert (mission.state.state, mission.state.running.deadline) == (
        State.EXECUTING,
        START + timedelta(minutes=10),
    )


def test_the_gate_opens_after_a_good_output_with_nothing_owed() -> None:
    mission = mission_at("executing")
    given = command(9, actor=RUNNER)
    assert refused(lambda: mission.open_gate(EXECUTION, given)).code == "illegal_transition"
    mission.land_output(EXECUTION, 1, SHA, "", given)
    assert refused(lambda: mission.open_gate(EXECUTION, given)).code == "illegal_transition"
    mission.land_output(EXECUTION, 0, SHA, "", given)
    mission.ask(EXECUTION, "down or up?", given)
    assert refused(lambda: mission.open_gate(EXECUTION, given)).code == "illegal_transition"
    assert refused(lambda: mission.reply("down", command(10, actor=REVIEWER))).code == "wrong_author"
    mission.reply("down", command(10, actor=AUTHOR))
    assert refused(lambda: mission.reply("down", command(10, actor=AUTHOR))).code == "illegal_transition"
    mission.request_debrief(given)
    assert refused(lambda: mission.open_gate(EXECUTION, given)).code == "illegal_transition"
    mission.debrief("as asked", "", given)
    mission.open_gate(EXECUTION, given)
    assert mission.state.state is State.GATE


def test_a_red_gate_fails_the_mission_and_nothing_red_waits_for_the_human() -> None:
    mission = mission_at("gate")
    assert refused(lambda: mission.ask_review(command(9, actor=AUTHOR))).code == "missing_receipt_candidate"
    assert (
        refused(lambda: mission.report_gate(EXECUTION, report(), command(9, actor=AUTHOR))).code
        == "wrong_author"
    )
    mission.report_gate(EXECUTION, report(101), command(9, actor=RUNNER))
    assert (mission.state.state, mission.state.reason) == (
        State.FAILED,
        "the gate ended with exit status 101",
    )


def test_a_green_gate_followed_by_a_red_one_is_red() -> None:
    mission = mission_at("green")
    mission.report_gate(EXECUTION, report(1), command(9, actor=RUNNER))
    assert mission.state.state is State.FAILED


@pytest.mark.parametrize(
    "change",
    [
        {"scope": {**SCOPE.model_dump(), "boundary_version": 2}},
        {"evidence": {"artifact_hash": "b" * 64}},
        {"evidence": None},
        {"scope": None},
    ],
)
def test_only_a_candidate_of_this_gate_and_this_scope_waits(change: dict[str, Any]) -> None:
    mission = mission_at("green")
    other = candidate(mission) | change
    assert refused(lambda: mission.wait(other, command(9, actor=RUNNER))).code == "missing_receipt_candidate"


def test_in_review_the_work_waits_only_after_an_approval_by_somebody_else() -> None:
    mission = mission_at("green")
    mission.ask_review(command(9, actor=AUTHOR))
    given = command(10, actor=REVIEWER)
    assert refused(lambda: wait(mission, given)).code == "illegal_transition"
    assert refused(lambda: mission.review("APPROVE", "", command(10, actor=RUNNER))).code == "wrong_author"
    mission.review("APPROVE", "reads well", given)
    wait(mission, given)
    assert mission.state.state is State.MERGE_WAIT


def test_a_change_in_review_begins_the_work_anew() -> None:
    mission = mission_at("green")
    mission.ask_review(command(9, actor=AUTHOR))
    mission.review("CHANGE", "not yet", command(10, actor=REVIEWER))
    mission.revise(REVISED, command(11, actor=AUTHOR))
    state = mission.state
    assert (state.state, state.execution, state.gate, state.candidate) == (State.JUDGING, None, None, None)


def test_evidence_made_inside_goes_into_the_candidate() -> None:
    mission = mission_at("output")
    move = Evidence(kind="transplant", ref="tra_00000001", digest="e" * 64, summary="height")
    mission.attach(move, None, 0, command(9, actor=RUNNER))
    mission.open_gate(EXECUTION, command(10, actor=RUNNER))
    mission.report_gate(EXECUTION, report(), command(11, actor=RUNNER))
    assert candidate(mission)["evidence"]["evidence_refs"] == [f"gate://{MISSION}", "transplant/tra_00000001"]


def test_only_the_human_lands_or_archives_and_just_what_was_shown() -> None:
    mission = mission_at("merge_wait")
    shown = mission.state.candidate_id
    land = lambda actor, id=shown: mission.land(id, "rcp:1", "stp_1", "ada", 4, command(9, actor=actor))
    for actor in (AUTHOR, REVIEWER, RUNNER, CLOCK, CI):
        assert refused(lambda a=actor: land(a)).code == "wrong_author"  # type: ignore[misc]
        archive = lambda a=actor: mission.archive("stp_1", "", 1, command(9, actor=a))
        assert refused(archive).code == "wrong_author"
    assert refused(lambda: land(HUMAN, "cand:other")).code == "candidate_mismatch"
    land(HUMAN)
    assert (mission.state.state, mission.state.receipt_id) == (State.LANDED, "rcp:1")
    assert refused(lambda: land(HUMAN)).code == "mission_not_merge_wait"
    assert (
        refused(lambda: mission.archive("stp_1", "", 1, command(9, actor=HUMAN))).code
        == "mission_not_merge_wait"
    )


def test_a_runner_that_fails_shows_what_failed() -> None:
    mission = mission_at("executing")
    given = command(9, actor=RUNNER)
    assert refused(lambda: mission.fail("no luck", "", given)).code == "evidence_incomplete"
    mission.fail("no luck", SHA, given)
    assert (mission.state.state, mission.state.reason) == (State.FAILED, "no luck")


def test_a_version_that_somebody_else_moved_is_refused_and_a_packet_prefix_must_be_of_the_packet() -> None:
    state = mission_at("judging").state
    assert refused(lambda: state.require_version(7)).code == "stale_head"
    state.require_version(1)
    state.require_version(None)
    state.require_packet(state.packet_digest[:8])
    for wrong in ("f" * 64, state.packet_digest[:7]):
        assert refused(lambda w=wrong: state.require_packet(w)).code == "packet_mismatch"  # type: ignore[misc]


@pytest.mark.parametrize("id", ["", "msn_", "msn_0123456789AB", "msn_0123456789ab\n", "tra_0123456789ab"])
def test_another_id_names_no_mission(id: str) -> None:
    assert refused(lambda: stream_name(id)).code == "unknown_mission"


def test_a_folded_stream_equals_the_live_mission() -> None:
    live = mission_at("merge_wait")
    folded = None
    for event in tuple(live.pending_events):
        folded = event.mutate(folded)
    assert folded is not None
    assert folded.state == live.state
