"""A receipt counts until an event ends it; the sweep, the withdrawal, and what a block's receipts come to (D21, D23)."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from tests.support.log import START, command
from tests.support.receipts import BLOCK, at, body, bump, ratify, wire
from tests.support.stamps import give

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.receipt_records import Landing
from m1nd.application.use_cases import receipts, tokens
from m1nd.domain.base import Actor
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.receipts.evidence import ReceiptStage
from m1nd.domain.receipts.freshness import staleness
from m1nd.domain.receipts.rollup import RollUp, Standing, roll_up
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.tokens import Purpose


@define
class Clock:
    at: datetime = START

    def now(self) -> datetime:
        return self.at


@define
class World:
    root: Path
    clock: Clock
    opened: list[Brain]
    token: str = ""

    def brain(self, kind: str = "owner", token: str = "") -> Brain:
        environment = {"PATH": "", "USER": "ada"} | ({"M1ND_TOKEN": token} if token else {})
        actor = None if token else Actor.model_validate({"kind": kind, "id": "ada"})
        made = open_brain(str(self.root), environment=environment, clock=self.clock, actor=actor)
        self.opened.append(made)
        return made

    def ci(self) -> Brain:
        """A brain that presents a token."""
        if not self.token:
            owner = self.brain()
            challenge = refused(lambda: tokens.create(owner, Purpose.CI, "")).details["challenge"]
            give(owner, challenge)
            self.token = tokens.create(owner, Purpose.CI, "").secret
        return self.brain(token=self.token)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    root = (tmp_path / "harbour").resolve()
    root.mkdir()
    made = World(root, Clock(), [])
    ratify(made.brain().app, 1)
    yield made
    for brain in made.opened:
        brain.close()


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def land(brain: Brain, **parts: Any) -> receipts.Imported:
    return receipts.import_receipt(brain, wire(brain.app) | parts, Expected())


def stage(brain: Brain, id: str) -> ReceiptStage:
    state = brain.app.receipt(id)
    assert state is not None
    return state.stage


# By whose leave


def test_a_human_lands_evidence_with_a_stamp_over_all_of_it(world: World) -> None:
    agent, owner = world.brain("agent"), world.brain()
    needed = refused(lambda: land(agent))
    assert (needed.code, needed.details["action"]) == ("human_gesture_required", "import_receipt")
    (page,) = give(owner, needed.details["challenge"]).pages
    assert '  |     "command": "cargo test",' in page
    done = land(agent)
    assert done.receipt.landed_by == needed.details["challenge"]
    assert done.log == {"count": agent.app.log_head().count, "head": agent.app.log_head().head}
    imported, consumed = (owner.views.trail(topic=t)[0] for t in ("receipt_imported", "stamp_consumed"))
    assert imported.command_id == consumed.command_id


def test_a_stamp_for_one_receipt_lands_no_other(world: World) -> None:
    owner = world.brain()
    give(owner, refused(lambda: land(owner)).details["challenge"])
    assert refused(lambda: land(owner, emitter={"kind": "ci", "id": "x"})).code == "human_gesture_required"


def test_ci_lands_test_receipts_by_its_token_and_nothing_else(world: World) -> None:
    """D25."""
    ci = world.ci()
    assert land(ci).receipt.landed_by == f"token {world.token.split('_')[2]}"
    spec = wire(ci.app, "spec")
    found = refused(lambda: receipts.import_receipt(ci, spec, Expected()))
    assert (found.code, found.hint) == ("human_gesture_required", "m1nd token create --for ci")


def test_a_revoked_or_forged_token_lands_nothing(world: World) -> None:
    ci = world.ci()
    tokens.revoke(world.brain(), world.token.split("_")[2])
    for brain in (ci, world.brain(token="m1nd_ci_00000000_" + "0" * 40), world.brain(token="x")):
        assert refused(lambda brain=brain: land(brain)).code == "human_gesture_required"  # type: ignore[misc]
        assert brain.views.receipts() == []


def test_an_agent_does_not_borrow_the_token_of_the_process_that_serves_it(world: World) -> None:
    world.ci()
    environment = {"PATH": "", "M1ND_TOKEN": world.token}
    agent = open_brain(
        str(world.root), environment=environment, clock=world.clock, actor=Actor(kind="agent", id="ana")
    )
    world.opened.append(agent)
    assert refused(lambda: land(agent)).details["action"] == "import_receipt"


# A refusal leaves the store as it is


def fingerprint(brain: Brain) -> tuple[Any, ...]:
    """Every stored row but those of the refusals, every view but those that list them, every file of the tree."""
    days = {row.stream for row in brain.views.trail(stream="refusals", limit=1000)}
    rows = [row for row in brain.app.log.rows() if brain.app.event_of(row).originator_id.hex not in days]
    kept = [row for row in rows if not row.topic.startswith(("command_refused", "refusals_"))]
    views = [d for d in brain.views.digests() if d.view not in ("refusals", "trail")]
    tree = {p: p.read_bytes() for p in world_files(brain)}
    return [(row.stream, row.version, row.state) for row in kept], views, tree


def world_files(brain: Brain) -> list[Path]:
    root = Path(brain.root)
    return [p for p in root.rglob("*") if p.is_file() and ".m1nd" not in p.parts]


POISON: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "stale_scope": lambda r: r | {"scope": r["scope"] | {"boundary_version": 2}},
    "unknown_block": lambda r: r | {"scope": r["scope"] | {"block_id": "sb_none"}},
    "evidence_incomplete": lambda r: r | {"evidence": r["evidence"] | {"artifact_hash": ""}},
    "outside_root": lambda r: r | {"evidence": r["evidence"] | {"cwd": "../x"}},
    "emitter_not_allowed": lambda r: r | {"emitter": {"kind": "runnerd", "id": "x"}},
    "time_incoherent": lambda r: r | {"evidence": r["evidence"] | {"ended_at": at(1)}},
    "excerpt_too_long": lambda r: r | {"evidence": r["evidence"] | {"stdout_excerpt": "x" * 5000}},
}


@pytest.mark.parametrize("code", POISON)
def test_a_refusal_leaves_every_byte_but_the_note_of_itself(world: World, code: str) -> None:
    """BLOCKS.md invariant 4, scenarios 47 to 60."""
    ci = world.ci()
    land(ci)
    before = fingerprint(ci)
    bad = POISON[code](wire(ci.app, exit_status=1))
    assert refused(lambda: receipts.import_receipt(ci, bad, Expected())).code == code
    assert fingerprint(ci) == before
    assert ci.views.refusals(1)[0].keyword == code


def test_a_text_that_is_no_receipt_is_noted_like_every_refusal(world: World) -> None:
    ci = world.ci()
    before = fingerprint(ci)
    assert refused(lambda: receipts.import_receipt(ci, b"{", Expected())).code == "receipt_malformed"
    assert fingerprint(ci) == before
    assert ci.views.refusals(1)[0].keyword == "receipt_malformed"


def test_a_conflict_leaves_every_byte_too(world: World) -> None:
    ci = world.ci()
    before = fingerprint(ci)
    bad = wire(ci.app)
    assert (
        refused(lambda: receipts.import_receipt(ci, bad, Expected(store_version=9))).code == "store_conflict"
    )
    assert fingerprint(ci) == before


def test_a_secret_is_stored_nowhere_not_even_in_what_the_human_was_asked(world: World) -> None:
    agent = world.brain("agent")
    secret = "ghp_" + "a1B2" * 9
    evidence = wire(agent.app)["evidence"] | {
        "stdout_excerpt": f"token {secret}",
        "command": f"GITHUB_TOKEN={secret} cargo test",
        "evidence_refs": [f"https://bot:{secret}@ci.example/run"],
    }
    needed = refused(lambda: land(agent, evidence=evidence))
    give(world.brain(), needed.details["challenge"])
    receipt = land(agent, evidence=evidence).receipt
    assert "[redacted:github_token]" in str(receipt.body.evidence.stdout_excerpt)
    assert all(secret.encode() not in row.state for row in agent.app.log.rows())
    for brain in world.opened:
        brain.close()
    for path in (world.root / ".m1nd").rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path


# Recompute and the sweep


def judged(brain: Brain, **how: Any) -> list[tuple[str, str]]:
    found = receipts.recompute(brain, **how)
    return [(j.receipt.receipt_id, j.reason) for j in found.receipts]


def test_a_fresh_receipt_is_fresh_and_looking_appends_nothing(world: World) -> None:
    """Scenarios 61 and 68."""
    ci = world.ci()
    receipt = land(ci).receipt
    head = ci.app.log_head()
    assert judged(ci) == [(receipt.receipt_id, "")]
    assert ci.app.log_head() == head


def test_a_receipt_of_an_older_boundary_says_so(world: World) -> None:
    """Scenario 62; the cause is the event that bumped, earlier in the log (invariant 6)."""
    ci = world.ci()
    receipt = land(ci).receipt
    bump(ci.app, 60)
    assert judged(ci) == [(receipt.receipt_id, "boundary")]
    staled = ci.views.trail(topic="receipt_staled")[0]
    bumped = ci.views.trail(topic="boundary_bumped")[0]
    state = ci.app.receipt(receipt.receipt_id)
    assert state is not None
    assert (state.cause, staled.causation_id) == (bumped.event_id, bumped.event_id)
    assert bumped.position < staled.position


def test_a_contract_that_moved_on_says_so_and_the_boundary_comes_first(world: World) -> None:
    """Scenarios 63 and 66."""
    ci = world.ci()
    receipt = land(ci).receipt
    block = ci.app._block(BLOCK)
    known, made = block.state, command(61)
    cause = block.bump_contract(known.contract, "as before", "stp_1", made)
    ci.app.save(block, *ci.app._stale_receipts(known.receipts, "contract", cause, block.state.scope, made))
    assert judged(ci) == [(receipt.receipt_id, "contract")]
    bump(ci.app, 62)
    assert judged(ci) == [(receipt.receipt_id, "boundary")]


def test_changed_bytes_stale_what_member_change_is_a_tag_of(world: World) -> None:
    """D17: no bump, and only receipts with the tag."""
    ci = world.ci()
    test = land(ci).receipt
    spec = ci.app.import_receipt(body(ci.app, "spec"), Landing(), command(63))
    block, made = ci.app._block(BLOCK), command(64)
    sensitive = ci.app._sensitive_to(block.state.receipts, "member_change")
    assert sensitive == (test.receipt_id,)
    cause = block.change_content(("src/tide.rs",), "9" * 64, 2, sensitive, made)
    assert cause is not None
    ci.app.save(block, *ci.app._stale_receipts(sensitive, "content", cause, block.state.scope, made))
    assert dict(judged(ci)) == {test.receipt_id: "content", spec.receipt_id: ""}


def test_a_receipt_is_over_from_the_very_instant_on(world: World) -> None:
    """Scenario 65, half-open; evaluated at any time, recorded by the sweep alone."""
    ci = world.ci()
    receipt = land(ci, validity={"expires_on": at(10), "stales_on": []}).receipt
    assert judged(ci, as_of=START + timedelta(minutes=9, seconds=59)) == [(receipt.receipt_id, "")]
    assert judged(ci, as_of=START + timedelta(minutes=10)) == [(receipt.receipt_id, "expired")]
    assert stage(ci, receipt.receipt_id) is ReceiptStage.LIVE
    world.clock.at = START + timedelta(minutes=10)
    assert receipts.sweep(ci).expired == (receipt.receipt_id,)
    assert stage(ci, receipt.receipt_id) is ReceiptStage.EXPIRED
    head = ci.app.log_head()
    assert receipts.sweep(ci).expired == ()
    assert ci.app.log_head() == head


def test_a_sweep_does_not_look_ahead(world: World) -> None:
    ci = world.ci()
    land(ci, validity={"expires_on": at(10), "stales_on": []})
    assert refused(lambda: receipts.sweep(ci, as_of=START + timedelta(days=1))).code == "usage"


def test_a_date_ends_as_it_begins(world: World) -> None:
    ci = world.ci()
    receipt = land(ci, validity={"expires_on": "2026-05-02", "stales_on": []}).receipt
    midnight = datetime.fromisoformat("2026-05-02T00:00:00+00:00")
    assert judged(ci, as_of=midnight - timedelta(microseconds=1)) == [(receipt.receipt_id, "")]
    assert judged(ci, as_of=midnight) == [(receipt.receipt_id, "expired")]


def test_a_receipt_of_a_block_that_is_gone_says_block(world: World) -> None:
    """Scenario 64: for another block, and for none."""
    receipt = land(world.ci()).receipt
    other = evolve(receipt.body.scope.block_scope, block_id="sb_other")
    assert staleness(receipt, other, START) == "block"
    assert staleness(receipt, None, START) == "block"


def test_recompute_knows_its_blocks(world: World, tmp_path: Path) -> None:
    """Scenario 67."""
    assert refused(lambda: receipts.recompute(world.brain(), "sb_none")).code == "unknown_block"
    (tmp_path / "empty").mkdir()
    empty = open_brain(str(tmp_path / "empty"), environment={"PATH": ""})
    world.opened.append(empty)
    assert refused(lambda: receipts.recompute(empty)).code == "no_store"


# Withdrawal


def test_a_withdrawal_needs_a_stamp_and_a_reason_and_is_kept(world: World) -> None:
    receipt = land(world.ci()).receipt
    owner = world.brain()
    act = lambda reason="the artifact is gone": receipts.withdraw(owner, receipt.receipt_id, reason)
    assert refused(lambda: act(" ")).code == "usage"
    give(owner, refused(act).details["challenge"])
    assert act().stage is ReceiptStage.WITHDRAWN
    assert refused(act).code == "receipt_ended"
    assert judged(owner) == [(receipt.receipt_id, "withdrawn")]
    assert refused(lambda: receipts.withdraw(owner, "rcp_none", "x")).code == "not_found"


# Roll-up


@pytest.mark.parametrize(
    "required, live, sockets, expected",
    [
        ((), {}, (), RollUp(Standing.UNKNOWN, 0, 0)),
        ((), {"review": "pass"}, (), RollUp(Standing.UNKNOWN, 0, 0)),
        ((), {}, ("sb_x",), RollUp(Standing.BROKEN, 0, 0, (), ("socket to sb_x leads nowhere",))),
        (("spec", "test"), {}, (), RollUp(Standing.NEEDS_EVIDENCE, 0, 2, ("spec", "test"))),
        (("spec", "test"), {"spec": "pass"}, (), RollUp(Standing.NEEDS_EVIDENCE, 1, 2, ("test",))),
        (("spec", "test"), {"spec": "pass", "test": "pass"}, (), RollUp(Standing.EVIDENCE_BACKED, 2, 2)),
        (
            ("spec", "test"),
            {"spec": "pass", "test": "fail"},
            (),
            RollUp(Standing.BROKEN, 1, 2, ("test",), ("the newest test receipt fails",)),
        ),
        (("spec",), {"spec": "pass", "test": "fail"}, (), RollUp(Standing.EVIDENCE_BACKED, 1, 1)),
    ],
)
def test_the_first_that_applies(
    required: tuple[str, ...], live: dict[str, Any], sockets: tuple[str, ...], expected: RollUp
) -> None:
    assert roll_up(required, live, sockets) == expected


def test_no_word_claims_more_than_evidence() -> None:
    """D23."""
    assert not {"proven", "done", "correct"} & {standing.value for standing in Standing}


def test_the_views_feed_the_roll_up_with_what_is_fresh(world: World) -> None:
    ci = world.ci()
    land(ci, validity={"expires_on": at(10), "stales_on": []})
    assert ci.views.live_outcomes(START) == {BLOCK: {"test": "pass"}}
    assert ci.views.live_outcomes(START + timedelta(minutes=10)) == {}


def test_the_receipt_of_a_signed_contract_is_earned_by_signing(world: World) -> None:
    """D19: `spec`, anchored in the digest of what was signed; once a version."""
    owner = world.brain()
    for expected in (["receipt_imported", "receipt_registered"], []):
        before = owner.app.log_head().count
        block = owner.app._block(BLOCK)
        owner.app.save(block, *owner.app._earn_spec(block, ["stamp:stp_1"], "stp_1", command(70)))
        found = [row.topic for row in owner.app.log.rows(after=before)]
        assert sorted(found) == expected
    (receipt,) = owner.views.receipts()
    assert (receipt.type, receipt.emitter, receipt.landed_by) == (
        "spec",
        "verb system_blocks_ratify",
        "stp_1",
    )


def test_what_a_receipt_says_is_shown_as_it_came(world: World) -> None:
    ci = world.ci()
    given = wire(ci.app)
    state = ci.app.receipt(land(ci).receipt.receipt_id)
    assert state is not None
    assert json.loads(json.dumps(state.body.wire())) == given
