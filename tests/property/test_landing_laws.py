"""Landing, archiving, a reconcile and a committed move, in any order and one inside the other: one winner, nothing half.

A rival acts between the moment at which an act has looked at the log and its append, over a second application on the same
log: the worst that another process can do.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.support.log import command
from tests.support.missions import BLOCK, ratified_block, waiting_mission
from tests.support.stamps import Human

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases import landing, stamping
from m1nd.application.use_cases.requests import new_command
from m1nd.domain.base import Aggregate
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import Refused

ACTS = st.sampled_from(("land", "land", "archive", "reconcile", "transplant", "content"))
RIVALS = st.sampled_from(("", "", "land", "archive", "reconcile", "transplant", "content"))


class LandingMachine(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.brain = self.opened()
        self.other = self.opened()
        ratified_block(self.brain.app, command(1))
        self.ids: list[str] = []
        self.number = 100
        for _ in range(3):
            self.come_to_wait()

    def opened(self) -> Brain:
        brain = open_brain(str(self.folder), environment={"USER": "ada"})
        self.stack.callback(brain.close)
        return brain

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    @rule()
    def come_to_wait(self) -> None:
        id = f"msn_{len(self.ids):012x}"
        waiting_mission(self.brain.app, id)
        self.ids.append(id)

    def stamped(self, brain: Brain, id: str, act: str) -> None:
        """The human's stamp for the act, where it is asked for."""
        waiting = self.state(id) is State.MERGE_WAIT
        if not waiting:
            return
        try:
            needed = landing._waiting(brain, id, "")
            if act == "land" and needed.moved:
                return
            asked = stamping.ask_for(brain, needed.used(act, id))
            if asked.stage.value == "waiting":
                stamping.give(brain, asked.gesture.challenge_id, Human())
        except Refused as refused:
            raise AssertionError(refused) from refused

    @rule(
        act=ACTS,
        rival=RIVALS,
        which=st.integers(0, 3),
        whose=st.integers(0, 3),
        stamped=st.sampled_from((True, True, False)),
    )
    def act(self, act: str, rival: str, which: int, whose: int, stamped: bool) -> None:
        id, other = self.ids[-1 - which % len(self.ids)], self.ids[-1 - whose % len(self.ids)]
        if stamped and act in ("land", "archive"):
            self.stamped(self.brain, id, act)
        if stamped and rival in ("land", "archive"):
            self.stamped(self.other, other, rival)
        before = len(self.landed())
        won = self.tried(lambda: self.carry_out(self.brain, act, id), rival, other)
        event(f"{act} with {rival or 'nobody'}: {won}")
        assert len(self.landed()) - before <= 2

    def tried(self, do: Callable[[], None], rival: str, other: str) -> str:
        real = self.brain.app.save
        done: list[str] = []

        def save(*aggregates: Any, **more: Any) -> Any:
            if rival and not done and any(not name.startswith("refusals") for name in kinds(aggregates)):
                done.append(rival)
                try:
                    self.carry_out(self.other, rival, other)
                except Refused as refused:
                    done.append(refused.refusal.code)
            return real(*aggregates, **more)

        with patch.object(self.brain.app, "save", save):
            try:
                do()
            except Refused as refused:
                return refused.refusal.code
        return "done"

    def carry_out(self, brain: Brain, act: str, id: str) -> None:
        if act in ("land", "archive"):
            getattr(landing, act)(brain, id)
        else:
            self.change_block(brain, act)

    def change_block(self, brain: Brain, cause: str) -> None:
        given = new_command(brain, cause, {"number": self.number})
        self.number += 1

        def work() -> list[Aggregate]:
            app = brain.app
            block, head = app._block(BLOCK), app._map(given)
            live = tuple(block.state.receipts)
            if cause == "content":
                fresh = app._sensitive_to(live, "member_change")
                digest = f"{self.number:064x}"
                changed = block.change_content(("src/tide.rs",), digest, self.number, fresh, given)
                staled = app._stale_receipts(fresh, "content", changed, block.state.scope, given)
                return [block, *staled]
            bumped = block.bump_boundary(cause, block.state.baseline, given, touched=("src/tide.rs",))  # type: ignore[arg-type]
            head.advance(cause, given)
            staled = app._stale_receipts(live, "boundary", bumped, block.state.scope, given)
            return [block, head, *staled]

        brain.app._append(given, work)

    def state(self, id: str) -> State:
        return self.brain.app.require_mission(id).state

    def landed(self) -> list[str]:
        return [id for id in self.ids if self.state(id) is State.LANDED]

    @invariant()
    def a_landing_and_its_receipt_are_one_append(self) -> None:
        rows = self.brain.views.trail(limit=10_000)
        landings = {row.command_id for row in rows if row.topic == "mission_landed"}
        imports = {row.command_id for row in rows if row.topic == "receipt_imported"}
        assert landings == imports
        spent = [row.command_id for row in rows if row.topic == "stamp_consumed"]
        ends = [row.command_id for row in rows if row.topic in ("mission_landed", "mission_archived")]
        assert sorted(spent) == sorted(ends)
        assert len(set(ends)) == len(ends)

    @invariant()
    def no_live_receipt_is_of_another_version(self) -> None:
        block = self.brain.app.block(BLOCK)
        assert block is not None
        for row in self.brain.views.receipts():
            receipt = self.brain.app.receipt(row.receipt_id)
            assert receipt is not None
            assert receipt.stage.value != "live" or receipt.body.scope.block_scope == block.scope

    @invariant()
    def the_bell_counts_what_waits(self) -> None:
        waiting = sum(self.state(id) is State.MERGE_WAIT for id in self.ids)
        assert self.brain.views.landing_bell() == waiting


def kinds(aggregates: Any) -> list[str]:
    return [type(each).TOPIC for each in aggregates]


TestLandings = LandingMachine.TestCase
TestLandings.settings = settings(max_examples=30, stateful_step_count=12, deadline=None)
