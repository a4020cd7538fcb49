"""Landing and archiving: only the human, only with a stamp over just this candidate, all in one append or nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from tests.support.log import command
from tests.support.missions import (
    AUTHOR,
    BLOCK,
    MISSION,
    mission_at,
    ratified_block,
    scope_of,
    waiting_mission,
)
from tests.support.stamps import Human, give

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases import landing
from m1nd.application.use_cases.tray import tray
from m1nd.domain.base import Actor
from m1nd.domain.missions.states import State
from m1nd.domain.receipts.evidence import read_receipt
from m1nd.domain.refusal import Refusal, Refused


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    made = open_brain(str(tmp_path), environment={"USER": "ada"})
    ratified_block(made.app, command(1))
    yield made
    made.close()


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def stamped(brain: Brain, act: Callable[[], Any]) -> Human:
    """The human gives the stamp that the act asks for."""
    refusal = refused(act)
    assert refusal.code == "human_gesture_required"
    return give(brain, refusal.details["challenge"])


def topics_of(brain: Brain, last: int) -> list[tuple[str, str]]:
    return [(row.topic, row.command_id) for row in brain.views.trail_tail(limit=last)]


def loose(brain: Brain) -> str:
    """A `review` candidate outside of missions; its id."""
    candidate = {
        "type": "review",
        "emitter": {"kind": "verb", "id": "debrief:critic"},
        "scope": scope_of(brain.app).model_dump(),
        "evidence": {"artifact_hash": "b" * 64, "evidence_refs": ["review/1"]},
    }
    wire = read_receipt(candidate).wire()
    return brain.app.compose_candidate(wire, "debrief", "dlg_0123456789ab", command(30)).candidate_id


def test_without_a_stamp_nothing_lands_and_the_refusal_names_the_command_that_gives_it(brain: Brain) -> None:
    waiting_mission(brain.app)
    refusal = refused(lambda: landing.land(brain, MISSION))
    assert refusal.code == "human_gesture_required"
    assert refusal.hint == f"m1nd stamp {refusal.details['challenge']}"
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT
    assert brain.views.receipts() == []
    assert brain.app.store_version() == 1


def test_a_landing_is_one_append_and_the_bell_falls_silent(brain: Brain) -> None:
    shown = waiting_mission(brain.app)
    assert brain.views.landing_bell() == 1
    human = stamped(brain, lambda: landing.land(brain, MISSION))
    landed = landing.land(brain, MISSION)
    ((first, id), *_) = appended = topics_of(brain, 5)
    assert first == "receipt_imported"
    assert sorted(topic for topic, _ in appended) == [
        "map_advanced",
        "mission_landed",
        "receipt_imported",
        "receipt_registered",
        "stamp_consumed",
    ]
    assert {command_id for _, command_id in appended} == {id}
    assert brain.views.landing_bell() == 0
    assert (landed.candidate_id, landed.landed_by, landed.store_version) == (shown, "ada", 2)
    (row,) = brain.views.receipts()
    assert (row.receipt_id, row.block_id) == (landed.receipt_id, BLOCK)
    letter = brain.views.letters(MISSION)[-1].letter
    assert (letter["phase"], letter["receipt"]) == ("landed", {"imported": True, "store_version": 2})
    assert brain.views.pins()[0].outcome_ref == landed.receipt_id
    assert brain.views.check() == ()
    page = human.pages[0]
    for line in (
        f"  target    {MISSION}",
        "  | command    cargo test",
        "  | exit       0",
        f"  | sha256     {'a' * 64}",
        "  |   441 passed",
        "  |   nothing happened to the block",
        "  | written by agent:drafter, worked on by rig-1",
    ):
        assert line in page, page


def test_the_times_of_the_gate_land_byte_for_byte(brain: Brain) -> None:
    waiting_mission(brain.app)
    stamped(brain, lambda: landing.land(brain, MISSION))
    receipt = brain.app.receipt(landing.land(brain, MISSION).receipt_id)
    assert receipt is not None
    assert receipt.body.evidence.started_at == "2026-05-01T12:00:00Z"
    assert receipt.body.emitter.id == "rig-1"
    assert receipt.landed_by == "ada"


def test_one_stamp_is_one_landing_of_one_candidate(brain: Brain) -> None:
    waiting_mission(brain.app)
    other = "msn_ffffffffffff"
    waiting_mission(brain.app, other)
    stamped(brain, lambda: landing.land(brain, MISSION))
    assert refused(lambda: landing.land(brain, other)).code == "human_gesture_required"
    assert refused(lambda: landing.archive(brain, MISSION)).code == "human_gesture_required"
    assert refused(lambda: landing.land(brain, MISSION, "cand:other")).code == "candidate_mismatch"
    landing.land(brain, MISSION)
    assert refused(lambda: landing.land(brain, MISSION)).code == "mission_not_merge_wait"
    assert refused(lambda: landing.archive(brain, MISSION)).code == "mission_not_merge_wait"
    assert len(brain.views.receipts()) == 1


def test_an_agent_does_not_land_not_even_with_the_humans_stamp(brain: Brain, tmp_path: Path) -> None:
    waiting_mission(brain.app)
    stamped(brain, lambda: landing.land(brain, MISSION))
    for actor in (AUTHOR, Actor(kind="runner", id="rig-1"), Actor(kind="ci", id="build")):
        other = open_brain(str(tmp_path), environment={}, actor=actor)
        refusal = refused(lambda b=other: landing.land(b, MISSION))  # type: ignore[misc]
        assert (refusal.code, refusal.hint) == ("human_gesture_required", f"m1nd land {MISSION}")
        assert refused(lambda b=other: landing.archive(b, MISSION)).code == "human_gesture_required"  # type: ignore[misc]
        other.close()
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT


def test_a_scope_that_moved_refuses_to_land_even_when_it_was_stamped_before(brain: Brain) -> None:
    waiting_mission(brain.app)
    stamped(brain, lambda: landing.land(brain, MISSION))
    block = brain.app._block(BLOCK)
    block.bump_boundary("reconcile", block.state.baseline, command(40), touched=("src/tide.rs",))
    brain.app.save(block)
    refusal = refused(lambda: landing.land(brain, MISSION))
    assert (refusal.code, refusal.details["parts"]) == ("scope_moved", ["boundary"])
    assert brain.views.receipts() == []
    human = stamped(brain, lambda: landing.archive(brain, MISSION, "too late"))
    assert (
        "  | SCOPE MOVED: boundary. The evidence is of another version of the block; it cannot land."
        in human.pages[0]
    )
    gone = landing.archive(brain, MISSION, "too late, token=abcdef0123456789abcdef")
    assert brain.app.require_mission(MISSION).reason == "too late, token=[redacted:secret]"
    assert (gone.boundary_at_start, gone.boundary_now) == (1, 2)
    assert brain.app.require_mission(MISSION).state is State.ARCHIVED
    assert refused(lambda: landing.archive(brain, MISSION)).code == "mission_not_merge_wait"


def test_a_block_that_is_gone_meanwhile_is_said_and_refuses_to_land(brain: Brain) -> None:
    waiting_mission(brain.app)
    block = brain.app._block(BLOCK)
    block.archive("stp_2", command(40))
    brain.app.save(block)
    (entry,) = tray(brain).entries
    assert (entry.scope_moved, entry.changes) == (("block",), ("the block is archived or gone",))
    assert refused(lambda: landing.land(brain, MISSION)).code == "scope_moved"
    human = stamped(brain, lambda: landing.archive(brain, MISSION))
    assert "  |   the block is archived or gone" in human.pages[0]
    landing.archive(brain, MISSION)
    assert brain.app.require_mission(MISSION).state is State.ARCHIVED


@pytest.mark.parametrize("step", ["judging", "executing", "green"])
def test_what_does_not_wait_has_nothing_to_land(brain: Brain, step: str) -> None:
    brain.app.save(mission_at(step, scope=scope_of(brain.app)))
    for act in (landing.land, landing.archive):
        assert refused(lambda a=act: a(brain, MISSION)).code == "mission_not_merge_wait"  # type: ignore[misc]
    assert refused(lambda: landing.land(brain, "msn_ffffffffffff")).code == "unknown_mission"
    assert refused(lambda: landing.land(brain, "nonsense")).code == "unknown_mission"


def test_a_mission_that_waits_is_no_evidence_of_its_block(brain: Brain) -> None:
    """Letters colour no block; only an imported receipt does."""
    before = brain.app.block(BLOCK)
    waiting_mission(brain.app)
    assert brain.app.block(BLOCK) == before
    assert brain.views.receipts() == []
    assert brain.views.letters(MISSION)[-1].phase == "merge_wait"


def test_content_that_changed_since_the_stamp_voids_the_stamp_but_not_the_candidate(brain: Brain) -> None:
    waiting_mission(brain.app)
    stamped(brain, lambda: landing.land(brain, MISSION))
    block = brain.app._block(BLOCK)
    block.change_content(("src/tide.rs",), "e" * 64, 2, (), command(40))
    brain.app.save(block)
    human = stamped(brain, lambda: landing.land(brain, MISSION))
    assert "  |   content of 1 member file(s) changed: src/tide.rs" in human.pages[0]
    landing.land(brain, MISSION)
    assert brain.app.require_mission(MISSION).state is State.LANDED


def test_a_race_that_is_lost_between_the_page_and_the_append_changes_nothing(brain: Brain) -> None:
    """The block moves after the use case looked, before it appends."""
    shown = waiting_mission(brain.app)
    stamped(brain, lambda: landing.land(brain, MISSION))
    real = brain.app.land_mission

    def late(*arguments: Any) -> Any:
        block = brain.app._block(BLOCK)
        block.bump_boundary("reconcile", block.state.baseline, command(40), touched=("src/tide.rs",))
        brain.app.save(block)
        return real(*arguments)

    object.__setattr__(brain.app, "land_mission", late)
    assert refused(lambda: landing.land(brain, MISSION, shown)).code == "scope_moved"
    assert brain.views.receipts() == []
    assert brain.app.require_mission(MISSION).state is State.MERGE_WAIT


def test_a_loose_candidate_lands_or_is_dropped_once_in_the_same_way(brain: Brain) -> None:
    id = loose(brain)
    (entry,) = tray(brain).candidates
    assert (entry.row.candidate_id, entry.row.type, entry.scope_moved) == (id, "review", ())
    assert brain.views.landing_bell() == 0
    human = stamped(brain, lambda: landing.land(brain, id))
    assert "  | receipt    review, by verb debrief:critic" in human.pages[0]
    landed = landing.land(brain, id)
    assert {topic for topic, _ in topics_of(brain, 5)} == {
        "map_advanced", "candidate_landed", "receipt_imported", "receipt_registered", "stamp_consumed",
    }  # fmt: skip
    assert [row.receipt_id for row in brain.views.receipts()] == [landed.receipt_id]
    assert tray(brain).candidates == ()
    for act in (landing.land, landing.archive):
        assert refused(lambda a=act: a(brain, id)).code == "candidate_unknown"  # type: ignore[misc]
    assert refused(lambda: landing.land(brain, f"cand:{'0' * 64}")).code == "candidate_unknown"
    assert refused(lambda: landing.land(brain, "cand:nothing")).code == "candidate_unknown"
    assert brain.views.check() == ()


def test_a_dropped_candidate_is_gone(brain: Brain) -> None:
    id = loose(brain)
    stamped(brain, lambda: landing.archive(brain, id))
    landing.archive(brain, id)
    assert tray(brain).candidates == ()
    assert brain.views.receipts() == []


def test_a_read_only_attach_lands_nothing(brain: Brain) -> None:
    waiting_mission(brain.app)
    looking = evolve(brain, read_only=True)
    assert refused(lambda: landing.land(looking, MISSION)).code == "read_only"
    assert refused(lambda: landing.archive(looking, MISSION)).code == "read_only"
