"""The invariants of blocks, receipts and stamps over random sequences of commands (BLOCKS.md, Invariants 1 to 7)."""

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.support.log import START, command, opened
from tests.support.receipts import BLOCK, CONTRACT, ratify, wire

from m1nd.application.app import M1nd
from m1nd.application.receipt_records import Landing
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Command
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.membership import ResolvedMember
from m1nd.domain.receipts.evidence import ReceiptStage, read_receipt
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.receipts.rollup import Standing, roll_up
from m1nd.domain.refusal import Refused
from m1nd.domain.stamps.gesture import Gesture, StampStage, Typed, shown
from m1nd.domain.stamps.stamp import Stamp
from m1nd.infrastructure.views import open_views

QUAY = "sb_harbour_quay_00000001"
IDS = st.sampled_from([BLOCK, QUAY])
RUNS = settings(
    max_examples=12,
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class OneLog(RuleBasedStateMachine):
    """A log in a folder of its own, a clock that commands move, and what every machine checks at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.opening = opened(Path(self.folder.name))
        self.app: M1nd = self.opening.__enter__()
        self.views = open_views(self.folder.name, self.app)
        self.number = 0
        self.minutes = 0.0

    def command(self) -> Command:
        self.number += 1
        self.minutes += 0.01
        return command(1000 + self.number, minutes=self.minutes)

    def act(self, work: Any) -> bool:
        """Do it; a refusal must leave the log as it was (invariant 4)."""
        head, digests = self.app.log_head(), self.views.digests()
        try:
            work()
        except Refused:
            assert (self.app.log_head(), self.views.digests()) == (head, digests)
            return False
        return True

    def teardown(self) -> None:
        """Invariant 1, and invariant 6 over the whole log."""
        assert self.views.check() == ()
        half = self.app.log_head().count // 2
        assert self.views.replay(half) == self.views.replay(half)
        positions: dict[str, int] = {}
        for row in self.app.log.rows(limit=100_000):
            event = self.app.event_of(row)
            positions[event.event_id] = row.position
            if isinstance(event, Receipt.ReceiptStaled):
                assert positions[event.cause] < row.position
        self.views.close()
        self.opening.__exit__(None, None, None)
        self.folder.cleanup()


class Receipts(OneLog):
    def __init__(self) -> None:
        super().__init__()
        ratify(self.app, 1)
        ratify(self.app, 2, QUAY)
        self.ids: set[str] = set()
        self.versions: dict[str, tuple[int, int]] = {}
        self.store_version = 0
        self.serial = 0

    def body(self, block_id: str, type: str, **how: Any) -> dict[str, Any]:
        self.serial += 1
        raw = wire(self.app, type, block_id)
        raw["evidence"] |= {"artifact_hash": f"{self.serial:064x}"}
        if type == "test":
            ended = START - timedelta(minutes=how.get("age", 0))
            raw["evidence"] |= {
                "exit_status": how.get("exit_status", 0),
                "started_at": f"{ended - timedelta(minutes=1):%Y-%m-%dT%H:%M:%SZ}",
                "ended_at": f"{ended:%Y-%m-%dT%H:%M:%SZ}",
            }
        return raw

    @rule(
        block=IDS,
        type=st.sampled_from(["test", "test", "spec", "review", "structural"]),
        exit_status=st.sampled_from([0, 0, 1]),
        age=st.integers(0, 120),
        lasts=st.sampled_from([None, 5, 60]),
    )
    def land(self, block: str, type: str, exit_status: int, age: int, lasts: int | None) -> None:
        raw = self.body(block, type, exit_status=exit_status, age=age)
        if lasts is not None:
            end = START + timedelta(minutes=self.minutes + lasts)
            raw["validity"]["expires_on"] = f"{end:%Y-%m-%dT%H:%M:%SZ}"
        body = read_receipt(raw)
        if self.act(lambda: self.app.import_receipt(body, Landing(), self.command())):
            self.ids.add(body.receipt_id)

    @rule(
        block=IDS,
        field=st.sampled_from(["boundary_version", "contract_version"]),
        by=st.sampled_from([-1, 1]),
    )
    def land_of_another_version(self, block: str, field: str, by: int) -> None:
        raw = self.body(block, "test")
        raw["scope"][field] += by
        assert not self.act(lambda: self.app.import_receipt(read_receipt(raw), Landing(), self.command()))

    @rule(block=IDS, number=st.integers(0, 3))
    def bump_boundary(self, block: str, number: int) -> None:
        made, target = self.command(), self.app._block(block)
        known = target.state
        file = ResolvedMember(path=f"src/part_{number}.rs", role="primary")
        baseline = known.baseline.after((file,), (), "c" * 64, self.number)
        cause = target.bump_boundary("reconcile", baseline, made)
        self.save(target, known.receipts, "boundary", cause, made)

    @rule(block=IDS, more=st.booleans())
    def bump_contract(self, block: str, more: bool) -> None:
        made, target = self.command(), self.app._block(block)
        known = target.state
        contract = CONTRACT if more else Contract(required=(Slot(type="test"),))
        self.save(
            target, known.receipts, "contract", target.bump_contract(contract, "x", "stp_1", made), made
        )

    @rule(block=IDS)
    def change_bytes(self, block: str) -> None:
        made, target = self.command(), self.app._block(block)
        sensitive = self.app._sensitive_to(target.state.receipts, "member_change")
        cause = target.change_content(("src/tide.rs",), f"{self.number:064x}", 1, sensitive, made)
        self.save(target, sensitive, "content", cause, made)

    @rule(block=IDS)
    def archive_and_restore(self, block: str) -> None:
        made, target = self.command(), self.app._block(block)
        known = target.state
        cause = target.archive("stp_1", made)
        self.save(target, known.receipts, "archived", cause, made)
        assert not self.act(
            lambda: self.app.import_receipt(read_receipt(self.body(block, "spec")), Landing(), self.command())
        )
        again = self.command()
        target = self.app._block(block)
        target.restore((), "stp_2", again)
        self.app.save(target)

    def save(self, block: Any, receipts: Any, reason: Any, cause: Any, made: Command) -> None:
        staled = self.app._stale_receipts(receipts, reason, cause, block.state.scope, made)
        self.app.save(block, *staled)

    @rule(minutes=st.integers(1, 40))
    def sweep(self, minutes: int) -> None:
        self.minutes += minutes
        now = START + timedelta(minutes=self.minutes + 0.01)
        due = self.views.due_receipts(now)
        assert set(self.app.expire_receipts(due, self.command())) == set(due)
        assert self.views.due_receipts(now) == []

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        id = data.draw(st.sampled_from(sorted(self.ids)))
        gesture = Gesture(action="withdraw_receipt", target=id, digest=f"{self.number:064x}")
        stamp = Used(gesture, shown([id]))
        assert not self.act(lambda: self.app.withdraw_receipt(id, "x", stamp, self.command()))
        self.app.challenge(gesture, stamp.shown, self.command())
        self.app.give_stamp(gesture.challenge_id, Typed(stamp.shown, gesture.typed, "pts/1"), self.command())
        self.act(lambda: self.app.withdraw_receipt(id, "x", stamp, self.command()))

    @rule(block=IDS)
    def two_with_one_key(self, block: str) -> None:
        """Invariant 7: of two writers that believe the same version of a block, one is accepted."""
        state = self.app.block(block)
        assert state is not None
        expected = Expected(versions={block: state.version})
        outcomes = []
        for _ in range(2):
            body = read_receipt(self.body(block, "review"))
            landed = self.act(
                lambda body=body: self.app.import_receipt(body, Landing(expected=expected), self.command())
            )
            if landed:
                self.ids.add(body.receipt_id)
            outcomes.append(landed)
        assert outcomes == [True, False]

    @invariant()
    def live_receipts_are_of_the_present_version(self) -> None:
        """Invariant 2; and one live receipt a type, the one that the block knows."""
        live: dict[tuple[str, str], str] = {}
        for id in self.ids:
            receipt = self.app.receipt(id)
            assert receipt is not None
            if receipt.stage is not ReceiptStage.LIVE:
                continue
            scope = receipt.body.scope.block_scope
            block = self.app.block(scope.block_id)
            assert block is not None
            assert scope == block.scope
            assert block.receipts[id] == receipt.body.type
            key = scope.block_id, receipt.body.type
            assert key not in live
            live[key] = id

    @invariant()
    def versions_never_go_back(self) -> None:
        """Invariant 3."""
        assert self.app.store_version() >= self.store_version
        self.store_version = self.app.store_version()
        for id in (BLOCK, QUAY):
            state = self.app.block(id)
            assert state is not None
            before = self.versions.get(id, (0, 0))
            assert state.boundary_version >= before[0] and state.contract_version >= before[1]
            self.versions[id] = (state.boundary_version, state.contract_version)

    @invariant()
    def evidence_backed_means_what_it_says(self) -> None:
        """Invariant 5, by the views against the aggregates."""
        now = START + timedelta(minutes=self.minutes)
        outcomes = self.views.live_outcomes(now)
        for block_id in (BLOCK, QUAY):
            block = self.app.block(block_id)
            assert block is not None
            rolled = roll_up(block.contract.required_types, outcomes.get(block_id, {}))
            states = [self.app.receipt(id) for id in block.receipts]
            passing = {
                s.body.type for s in states if s is not None and s.is_fresh(now) and s.body.outcome == "pass"
            }
            backed = bool(block.contract.required_types) and set(block.contract.required_types) <= passing
            assert (rolled.standing is Standing.EVIDENCE_BACKED) == backed


class Stamps(OneLog):
    """Three gestures, any order of asking, giving, using and waiting; a stamp is used at most once a giving."""

    def __init__(self) -> None:
        super().__init__()
        self.given: dict[str, Used] = {}
        self.used = self.gave = 0

    gestures = st.sampled_from(
        [Gesture(action="archive_block", target=f"sb_{name}", digest=name * 64) for name in "abc"]
    )
    texts = st.sampled_from([shown(["it goes"]), shown(["it goes", "and more"])])

    @rule(gesture=gestures, text=texts)
    def ask(self, gesture: Gesture, text: Any) -> None:
        self.app.challenge(gesture, text, self.command())
        held = self.given.get(gesture.challenge_id)
        if held is not None and held.shown != text:
            del self.given[gesture.challenge_id]

    @rule(
        gesture=gestures, text=texts, right=st.booleans(), kind=st.sampled_from(["owner", "owner", "agent"])
    )
    def give(self, gesture: Gesture, text: Any, right: bool, kind: Any) -> None:
        made = self.command()
        made = evolve(made, actor=made.actor.model_copy(update={"kind": kind}))
        typed = gesture.typed if right else "00000000"
        before = self.app.stamp(gesture.challenge_id)
        waits = before is not None and before.stage is StampStage.WAITING and before.is_open(made.at)
        answer = Typed(text, typed, "pts/1")
        done = self.act(lambda: self.app.give_stamp(gesture.challenge_id, answer, made))
        seen = before is not None and before.shown == text
        assert done == (waits and right and seen and kind == "owner")
        if done:
            assert before is not None
            self.given[gesture.challenge_id] = Used(gesture, before.shown)
            self.gave += 1

    @rule(gesture=gestures, text=texts)
    def use(self, gesture: Gesture, text: Any) -> None:
        made = self.command()
        held = self.given.get(gesture.challenge_id)
        state = self.app.stamp(gesture.challenge_id)
        serves = held is not None and held.shown == text and state is not None and state.is_open(made.at)

        def work() -> None:
            self.app._append(made, lambda: self.app._spend(Used(gesture, text), made))

        assert self.act(work) == serves
        if serves:
            del self.given[gesture.challenge_id]
            self.used += 1

    @rule(minutes=st.integers(1, 11))
    def wait(self, minutes: int) -> None:
        self.minutes += minutes

    @rule()
    def sweep(self) -> None:
        made = self.command()
        due = self.views.due_stamps(made.at)
        self.app.expire_stamps(due, made)
        for id in due:
            self.given.pop(id, None)

    @invariant()
    def no_stamp_is_used_that_was_not_given(self) -> None:
        counts = self.app.log.topic_counts()
        assert counts.get("stamp_consumed", 0) == self.used <= self.gave == counts.get("stamp_given", 0)

    def teardown(self) -> None:
        for row in self.app.log.rows(limit=100_000):
            event = self.app.event_of(row)
            if isinstance(event, Stamp.StampGiven):
                assert event.actor.kind == "owner"
        super().teardown()


TestReceipts = Receipts.TestCase
TestReceipts.settings = RUNS
TestStamps = Stamps.TestCase
TestStamps.settings = RUNS
