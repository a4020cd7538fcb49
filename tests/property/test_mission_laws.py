"""Any history of a mission, however its acts and actors are mixed, keeps the table, the seats, the letters and the fold."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
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
    RUNNER,
    SCOPE,
    SHA,
    candidate,
    opened_mission,
    report,
)

from m1nd.domain.base import Command
from m1nd.domain.missions.gate import Evidence
from m1nd.domain.missions.letters import Letter, check_letter, next_letter
from m1nd.domain.missions.mission import Mission
from m1nd.domain.missions.states import EDGES, State
from m1nd.domain.refusal import Refused
from m1nd.infrastructure.views import mission_queries
from m1nd.infrastructure.views.missions import MISSIONS

ACTORS = st.sampled_from((AUTHOR, REVIEWER, RUNNER, RUNNER, HUMAN, CLOCK, CI))
DECISIONS = st.sampled_from(("APPROVE", "APPROVE", "APPROVE", "CHANGE", "CHANGE", "REJECT"))
EXECUTIONS = st.sampled_from((EXECUTION, EXECUTION, EXECUTION, "exe_ffffffffffff"))
MIXED = (
    "judge", "revise", "dispatch", "start", "beat", "ask", "reply", "output", "request_debrief", "debrief", "attach",
    "open_gate", "gate", "ask_review", "review", "wait", "land", "archive", "fail", "cancel", "stall",
)  # fmt: skip
FIT = {
    **dict.fromkeys(("judge", "review"), REVIEWER),
    **dict.fromkeys(("revise", "dispatch", "reply", "ask_review"), AUTHOR),
    **dict.fromkeys(("land", "archive", "cancel"), HUMAN),
    "stall": CLOCK,
}
"""Whose act it mostly is; the runner's where it is nobody's here."""
STATUSES = st.sampled_from((0, 0, 0, 1))


class MissionMachine(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.mission = opened_mission()
        self.events = list(self.mission.pending_events)
        self.number = 1
        self.landings = 0

    def teardown(self) -> None:
        """Ends are counted by `pytest --hypothesis-show-statistics`; the views must have folded the same history."""
        event(f"ended {self.mission.state.state.value}")
        self.the_views_tell_the_same()

    def the_views_tell_the_same(self) -> None:
        """The row, the letters and the pin of the views, folded from the same events."""
        views = sqlite3.connect(":memory:")
        MISSIONS.create(views.cursor())
        for position, each in enumerate(self.events, 1):
            MISSIONS.handlers[each.TOPIC](views.cursor(), each, position)  # type: ignore[attr-defined]
        row = mission_queries.mission(views, MISSION)
        state = self.mission.state
        execution = state.execution
        assert row is not None
        assert (row.state, row.iteration, row.author, row.updated_at) == (
            state.state,
            state.iteration,
            state.author,
            state.updated_at,
        )
        assert row.candidate_id == state.candidate_id
        assert row.receipt_id == state.receipt_id
        assert row.exit_status == (None if state.gate is None else state.gate.exit_status)
        if execution is not None:
            assert (row.runner_id, row.progress) == (execution.runner_id, execution.progress)
        if state.state is State.EXECUTING:
            assert execution is not None
            assert (row.deadline, row.question) == (execution.deadline, execution.question)
        heads = [None, *(each.letter for each in mission_queries.letters(views, MISSION))]
        for head, letter in pairwise(heads):
            assert check_letter(dict(letter or {}), dict(head) if head is not None else None) == ""
        assert [each.mission_id for each in mission_queries.pins(views)] in ([], [MISSION])
        views.close()

    def given(self, actor: Any, seconds: int = 1) -> Command:
        self.number += 1
        return command(self.number, minutes=self.number * seconds / 60, actor=actor)

    def act(self, what: Any, given: Command) -> None:
        """An act that is refused leaves nothing; one that is not takes a step of the table, by somebody with that seat."""
        before, count = self.mission.state, len(self.mission.pending_events)
        try:
            what(given)
        except Refused:
            assert self.mission.state == before
            assert len(self.mission.pending_events) == count
            return
        self.events += self.mission.pending_events[count:]
        after = self.mission.state
        if after.state is not before.state:
            event(f"{before.state} to {after.state}")
            self.landings += after.state is State.LANDED
            assert self.is_a_way(before.state, after.state)
            assert not before.state.is_terminal
            held = before.stand.seats(given.actor)
            if (before.state, after.state) in EDGES:
                assert held & EDGES[before.state, after.state]

    @staticmethod
    def is_a_way(source: State, target: State) -> bool:
        return (source, target) in EDGES

    @rule(
        name=st.sampled_from(MIXED),
        actor=ACTORS,
        decision=DECISIONS,
        execution=EXECUTIONS,
        status=STATUSES,
        patience=st.integers(1, 20),
        fitting=st.sampled_from((True, True, False)),
    )
    def stir(
        self, name: str, actor: Any, decision: Any, execution: str, status: int, patience: int, fitting: bool
    ) -> None:
        """Any act at any time, mostly by who may do it, else by anybody."""
        mission, given = self.mission, self.given(FIT.get(name, RUNNER) if fitting else actor)
        packet = PACKET.model_copy(update={"message": f"Take {self.number}."})
        move = Evidence(kind="transplant", ref=f"tra_{self.number:08}", digest=SHA)
        shown = mission.state.candidate_id
        acts: dict[str, Callable[[Command], Any]] = {
            "judge": lambda c: mission.judge(decision, "because", "", c),
            "revise": lambda c: mission.revise(packet, c),
            "dispatch": lambda c: mission.dispatch(EXECUTION, RUNNER.id, SCOPE, 2, patience, None, c),
            "start": lambda c: mission.start(execution, c),
            "beat": lambda c: mission.beat(execution, "on it", c),
            "ask": lambda c: mission.ask(execution, "which?", c),
            "reply": lambda c: mission.reply("that", c),
            "output": lambda c: mission.land_output(execution, status, SHA, "", c),
            "request_debrief": mission.request_debrief,
            "debrief": lambda c: mission.debrief("as asked", "", c),
            "attach": lambda c: mission.attach(move, None, 0, c),
            "open_gate": lambda c: mission.open_gate(execution, c),
            "gate": lambda c: mission.report_gate(execution, report(status), c),
            "ask_review": mission.ask_review,
            "review": lambda c: mission.review(decision, "because", c),
            "wait": lambda c: mission.wait(candidate(mission) if mission.state.gate else {}, c),
            "land": lambda c: mission.land(shown, "rcp:1", "stp_1", "ada", 3, c),
            "archive": lambda c: mission.archive("stp_1", "", 1, c),
            "fail": lambda c: mission.fail("no luck", SHA, c),
            "cancel": lambda c: mission.cancel("enough", c),
            "stall": lambda c: mission.stall(c.at + timedelta(seconds=9), c),
        }
        assert set(acts) == set(MIXED)
        self.act(acts[name], given)

    @rule(ask_review=st.booleans(), ending=st.sampled_from(("land", "archive", "nothing")))
    def go_on(self, ask_review: bool, ending: str) -> None:
        """The next step of the straight way, so that many histories come far."""
        mission, state = self.mission, self.mission.state
        match state.state:
            case State.JUDGING if not state.approved:
                self.act(lambda c: mission.judge("APPROVE", "", "", c), self.given(REVIEWER))
            case State.JUDGING:
                self.act(
                    lambda c: mission.dispatch(EXECUTION, RUNNER.id, SCOPE, 2, 9, None, c), self.given(AUTHOR)
                )
            case State.REVISING:
                packet = PACKET.model_copy(update={"message": f"Take {self.number}."})
                self.act(lambda c: mission.revise(packet, c), self.given(AUTHOR))
            case State.DISPATCHED | State.STALLED:
                self.act(lambda c: mission.start(EXECUTION, c), self.given(RUNNER))
            case State.EXECUTING if state.running.output_status != 0:
                self.act(lambda c: mission.land_output(EXECUTION, 0, SHA, "", c), self.given(RUNNER))
            case State.EXECUTING:
                self.act(lambda c: mission.open_gate(EXECUTION, c), self.given(RUNNER))
            case State.GATE if state.gate is None:
                self.act(lambda c: mission.report_gate(EXECUTION, report(), c), self.given(RUNNER))
            case State.GATE if ask_review:
                self.act(mission.ask_review, self.given(AUTHOR))
            case State.GATE:
                self.act(lambda c: mission.wait(candidate(mission), c), self.given(RUNNER))
            case State.REVIEW if not state.approved:
                self.act(lambda c: mission.review("APPROVE", "", c), self.given(REVIEWER))
            case State.REVIEW:
                self.act(lambda c: mission.wait(candidate(mission), c), self.given(REVIEWER))
            case State.MERGE_WAIT:
                self.end(ending)
            case _:
                return

    def end(self, ending: str) -> None:
        mission, shown = self.mission, self.mission.state.candidate_id
        if ending == "land":
            self.act(lambda c: mission.land(shown, "rcp:1", "stp_1", "ada", 3, c), self.given(HUMAN))
        elif ending == "archive":
            self.act(lambda c: mission.archive("stp_1", "", 1, c), self.given(HUMAN))

    @invariant()
    def it_folds_to_itself(self) -> None:
        folded = None
        for each in self.events:
            folded = each.mutate(folded)  # type: ignore[assignment]
        assert isinstance(folded, Mission)
        assert folded.state == self.mission.state

    @invariant()
    def its_letters_keep_the_law(self) -> None:
        head: Letter | None = None
        for each in self.events:
            letter = next_letter(head, each)  # type: ignore[arg-type]
            if letter is not None:
                assert check_letter(letter, head) == "", (letter, head)
                head = letter
        assert head is not None
        assert head["mission_id"] == MISSION

    @invariant()
    def what_waits_is_green_and_of_the_dispatch(self) -> None:
        state = self.mission.state
        if state.state in (State.MERGE_WAIT, State.LANDED):
            assert state.gate is not None
            assert state.gate.exit_status == 0
            assert state.candidate is not None
            assert state.candidate["scope"] == SCOPE.model_dump()
        assert self.landings <= 1
        assert state.opened_at >= START


TestMission = MissionMachine.TestCase
TestMission.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
