"""`why-state`: the roll-up of a block at a time, and behind each piece of evidence the chain of causes (PORTS.md, Audit)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.support.log import START, command, ingest
from tests.support.receipts import BLOCK, MOON, at, body, ratify

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.receipt_records import Landing
from m1nd.application.use_cases.why_state import WhyState, why_state
from m1nd.domain.receipts.rollup import Standing
from m1nd.domain.refusal import Refused


class Clock:
    def now(self) -> datetime:
        return START + timedelta(hours=1)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    made = open_brain(str(tmp_path), environment={"PATH": ""}, clock=Clock())
    ratify(made.app, 1)
    yield made
    made.close()


def land(brain: Brain, number: int, minutes: float, type: str = "test", **evidence: object) -> str:
    what = body(brain.app, type, **evidence)
    return brain.app.import_receipt(
        what, Landing("token 01234567"), command(number, minutes=minutes)
    ).receipt_id


def bump(brain: Brain, number: int, minutes: float) -> None:
    """A move that adds a file to the block, with what follows from it, in one append."""
    made = command(number, minutes=minutes, verb="transplant_commit")
    app = brain.app
    graph = app._graph(made)
    graph.change(ingest("src/moon.rs", kind="transplant", cause="tra_1"), made)
    cause = graph.pending_events[-1]
    follow = made.caused_by(cause)  # type: ignore[arg-type]
    block = app._block(BLOCK)
    known = block.state
    bumped = block.bump_boundary("transplant", known.baseline.after((MOON,), (), "c" * 64, 2), follow)
    staled = app._stale_receipts(known.receipts, "boundary", bumped, block.state.scope, follow)
    app.save(graph, block, *staled)


def says(found: WhyState, type: str) -> list[str]:
    story = next(story for story in found.types if story.type == type)
    return [told.says for told in story.chain]


def test_a_block_without_evidence_says_what_it_lacks(brain: Brain) -> None:
    found = why_state(brain, BLOCK)
    assert (found.roll_up.standing, found.roll_up.have, found.roll_up.need) == (Standing.NEEDS_EVIDENCE, 0, 2)
    assert [(s.type, s.required, s.reason) for s in found.types] == [
        ("spec", True, "there is no receipt of it"),
        ("test", True, "there is no receipt of it"),
        ("review", False, "there is no receipt of it"),
    ]


def test_behind_a_stale_receipt_stands_the_bump_and_behind_that_the_move(brain: Brain) -> None:
    spec = land(brain, 2, 1, "spec")
    test = land(brain, 3, 2)
    assert why_state(brain, BLOCK).roll_up.standing is Standing.EVIDENCE_BACKED
    bump(brain, 4, 3)
    found = why_state(brain, BLOCK)
    assert (found.roll_up.standing, found.roll_up.missing) == (Standing.NEEDS_EVIDENCE, ("spec", "test"))
    assert says(found, "test") == [
        f"receipt {test} went stale: boundary",
        "boundary 1 → 2 by transplant +src/moon.rs",
        "the graph changed by transplant, generation 1",
    ]
    assert says(found, "spec")[0] == f"receipt {spec} went stale: boundary"
    positions = [told.position for told in next(s for s in found.types if s.type == "test").chain]
    assert positions == sorted(positions, reverse=True), "a cause lies before what it causes"


def test_it_answers_for_any_time(brain: Brain) -> None:
    land(brain, 2, 1, "spec")
    land(brain, 3, 2, exit_status=1)
    bump(brain, 4, 3)
    standings = [
        why_state(brain, BLOCK, START + timedelta(minutes=minutes)).roll_up.standing
        for minutes in (0, 1.5, 2, 3)
    ]
    assert standings == [
        Standing.NEEDS_EVIDENCE,
        Standing.NEEDS_EVIDENCE,
        Standing.BROKEN,
        Standing.NEEDS_EVIDENCE,
    ]
    then = why_state(brain, BLOCK, START + timedelta(minutes=2))
    assert (then.block.boundary_version, then.roll_up.reasons) == (1, ("the newest test receipt fails",))
    assert {told.topic for told in then.story} >= {"block_ratified", "receipt_imported"}
    assert "boundary_bumped" not in {told.topic for told in then.story}


def test_before_its_ratification_there_is_no_such_block(brain: Brain) -> None:
    for block, as_of in ((BLOCK, START - timedelta(seconds=1)), ("sb_none", None)):
        with pytest.raises(Refused) as caught:
            why_state(brain, block, as_of)
        assert caught.value.refusal.code == "unknown_block"


def test_of_a_superseded_receipt_the_one_that_speaks_now_is_told(brain: Brain) -> None:
    land(brain, 2, 1, exit_status=1)
    newer = land(brain, 3, 2, started_at=at(-9), ended_at=at(-8))
    (story,) = (s for s in why_state(brain, BLOCK).types if s.type == "test")
    assert (story.receipt_id, story.counts, story.outcome) == (newer, True, "pass")


def test_what_ends_by_its_date_ends_in_the_story_too(brain: Brain) -> None:
    """Evaluated, though no sweep has recorded it."""
    what = body(brain.app).model_copy(
        update={"validity": body(brain.app).validity.model_copy(update={"expires_on": at(30)})}
    )
    id = brain.app.import_receipt(what, Landing(), command(2)).receipt_id
    assert why_state(brain, BLOCK, START + timedelta(minutes=29)).roll_up.have == 1
    (story,) = (s for s in why_state(brain, BLOCK).types if s.type == "test")
    assert (story.receipt_id, story.counts, story.reason) == (id, False, "expired")
