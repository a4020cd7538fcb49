"""Stamps: asked for by anybody, given by a human at a terminal, used once, for what was shown (D24, D44)."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import define, evolve
from tests.support.log import EDIT_RECEIPT, OWNER, WRITTEN, command, edit_preview, ingest
from tests.support.stamps import Human, give

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.app import M1nd
from m1nd.application.brain import Brain
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases import edit, stamping
from m1nd.application.use_cases.proof import arm
from m1nd.application.use_cases.undo import undo
from m1nd.domain.base import Actor, Command
from m1nd.domain.digests import sha256
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.stamps.gesture import SHOWN_BYTES, Gesture, Shown, StampStage, shown
from m1nd.domain.tokens import Presented
from m1nd.infrastructure.marks import MarksInMemory

ZONED = "src/money.rs"
NEEDED = Used(Gesture(action="archive_block", target="sb_harbour_quay", digest="5" * 64), shown(["the quay"]))
ID = NEEDED.gesture.challenge_id


@define
class Clock:
    at: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_minutes(self, minutes: float) -> None:
        self.at += timedelta(minutes=minutes)


@define
class World:
    root: Path
    clock: Clock
    opened: list[Brain]

    def brain(self, kind: str = "owner", id: str = "ada") -> Brain:
        made = open_brain(
            str(self.root),
            environment={"PATH": ""},
            clock=self.clock,
            actor=Actor.model_validate({"kind": kind, "id": id}),
            proof=MarksInMemory(enabled=False),
        )
        self.opened.append(made)
        return made

    def guard(self, *globs: str) -> None:
        zones = [{"glob": glob, "reason": "counted by hand"} for glob in globs]
        (self.root / "ci").mkdir(exist_ok=True)
        (self.root / "ci/protected-zones.json").write_text(json.dumps({"zones": zones}))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    root = (tmp_path / "harbour").resolve()
    (root / "src").mkdir(parents=True)
    (root / ZONED).write_text("pub fn fee() -> u32 {\n    3\n}\n")
    made = World(root, Clock(), [])
    yield made
    for brain in made.opened:
        brain.close()


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def ask(brain: Brain, needed: Used = NEEDED) -> Refusal:
    return refused(lambda: stamping.require_stamp(brain, needed))


def stage(brain: Brain, id: str = ID) -> StampStage:
    state = brain.app.stamp(id)
    assert state is not None
    return state.stage


def test_an_act_without_its_stamp_names_the_command_that_gives_it(world: World) -> None:
    refusal = ask(world.brain("agent", "ana"))
    assert (refusal.code, refusal.hint) == ("human_gesture_required", f"m1nd stamp {ID}")
    assert [s.gesture for s in stamping.waiting(world.brain())] == [NEEDED.gesture]


def test_asking_again_while_the_challenge_is_open_adds_nothing(world: World) -> None:
    agent = world.brain("agent", "ana")
    ask(agent)
    head = agent.app.log_head()
    ask(agent)
    assert agent.app.log_head() == head


def test_the_human_sees_action_target_digest_and_every_line_of_the_change(world: World) -> None:
    ask(world.brain("agent", "ana"))
    (page,) = give(world.brain(), ID).pages
    assert page == (
        "m1nd needs your stamp",
        "  action    archive block",
        "  target    sb_harbour_quay",
        f"  digest    {'5' * 64}",
        "  asked by  agent ana",
        "  until     2026-05-01 12:10:00 UTC",
        "  what changes:",
        "  | the quay",
        "",
    )


def test_a_given_stamp_lets_the_act_pass_until_it_is_used(world: World) -> None:
    agent = world.brain("agent", "ana")
    ask(agent)
    give(world.brain(), ID)
    stamping.require_stamp(agent, NEEDED)
    stamping.require_stamp(agent, NEEDED)
    assert stage(agent) is StampStage.GIVEN


@pytest.mark.parametrize("typed", ["", "\n", "55555550\n", "5555555\n", "yes\n", f"{'5' * 64}\n"])
def test_other_digits_give_nothing(world: World, typed: str) -> None:
    ask(world.brain())
    refusal = refused(lambda: stamping.give(world.brain(), ID, Human(typed)))
    assert (refusal.code, stage(world.brain())) == ("stamp_mismatch", StampStage.WAITING)


@pytest.mark.parametrize("kind", ["agent", "ci", "runner", "system"])
def test_nobody_but_the_owner_gives_a_stamp(world: World, kind: str) -> None:
    ask(world.brain())
    human = Human()
    refusal = refused(lambda: stamping.give(world.brain(kind, "x"), ID, human))
    assert human.pages == []
    assert (refusal.code, stage(world.brain())) == ("human_gesture_required", StampStage.WAITING)


def test_a_forged_challenge_is_unknown(world: World) -> None:
    human = Human()
    assert (
        refused(lambda: stamping.give(world.brain(), "stp_0123456789abcdef", human)).code == "stamp_unknown"
    )
    assert human.pages == []


def test_a_stamp_is_given_once(world: World) -> None:
    ask(world.brain())
    give(world.brain(), ID)
    human = Human()
    assert refused(lambda: stamping.give(world.brain(), ID, human)).code == "stamp_spent"
    assert human.pages == []


def test_ten_minutes_end_a_challenge_and_a_given_stamp(world: World) -> None:
    ask(world.brain())
    world.clock.pass_minutes(10)
    assert refused(lambda: stamping.give(world.brain(), ID, Human())).code == "stamp_expired"
    ask(world.brain())
    world.clock.pass_minutes(9)
    give(world.brain(), ID)
    world.clock.pass_minutes(1)
    assert ask(world.brain()).code == "human_gesture_required"
    topics = [row.topic for row in world.brain().views.trail(stream="stamp")]
    assert topics == [
        "stamp_opened",
        "stamp_challenged",
        "stamp_expired",
        "stamp_challenged",
        "stamp_given",
        "stamp_expired",
        "stamp_challenged",
    ]


def test_time_that_runs_out_while_the_human_reads_gives_nothing(world: World) -> None:
    ask(world.brain())

    class Slow(Human):
        def ask(self, lines: object, prompt: str) -> str:
            world.clock.pass_minutes(11)
            return "55555555"

    assert refused(lambda: stamping.give(world.brain(), ID, Slow())).code == "stamp_expired"


def test_nobody_stamps_a_text_that_came_while_they_read_another(world: World) -> None:
    ask(world.brain())

    class Reader(Human):
        def ask(self, lines: Sequence[str], prompt: str) -> str:
            other = Used(NEEDED.gesture, shown(["the whole harbour"]))
            refused(lambda: stamping.require_stamp(world.brain("agent", "ana"), other))
            return "55555555"

    refusal = refused(lambda: stamping.give(world.brain(), ID, Reader()))
    assert (refusal.code, stage(world.brain())) == ("stamp_mismatch", StampStage.WAITING)
    assert "changed while it was read" in refusal.message


def test_another_text_under_the_same_digest_voids_what_was_given(world: World) -> None:
    """The human stamped what was shown, not the name of it."""
    ask(world.brain())
    give(world.brain(), ID)
    other = evolve(NEEDED, shown=shown(["the whole harbour"]))
    ask(world.brain(), other)
    assert stage(world.brain()) is StampStage.WAITING
    ask(world.brain())


def test_a_stamp_of_another_action_target_or_digest_does_not_serve(world: World) -> None:
    brain = world.brain()
    ask(brain)
    give(brain, ID)
    for field, value in (("action", "delete_block"), ("target", "sb_other"), ("digest", "6" * 64)):
        other = evolve(NEEDED, gesture=NEEDED.gesture.model_copy(update={field: value}))
        assert ask(brain, other).code == "human_gesture_required"


def test_no_more_is_asked_for_while_many_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamping, "MOST_WAITING", 2)
    agent = world.brain("agent", "ana")
    gestures = [NEEDED.gesture.model_copy(update={"digest": digit * 64}) for digit in "123"]
    for gesture in gestures[:2]:
        assert ask(agent, evolve(NEEDED, gesture=gesture)).hint == f"m1nd stamp {gesture.challenge_id}"
    refusal = ask(agent, evolve(NEEDED, gesture=gestures[2]))
    assert (refusal.code, refusal.hint, agent.app.stamp(gestures[2].challenge_id)) == (
        "human_gesture_required",
        "m1nd stamp",
        None,
    )
    assert ask(agent, evolve(NEEDED, gesture=gestures[0])).details["challenge"] == gestures[0].challenge_id
    world.clock.pass_minutes(10)
    ask(agent, evolve(NEEDED, gesture=gestures[2]))
    assert [s.gesture for s in stamping.waiting(agent)] == [gestures[2]]


def test_a_change_too_long_to_keep_says_what_is_missing() -> None:
    lines = ["x" * 999] * 100
    cut = shown(lines)
    assert (len(cut.lines), cut.omitted) == (SHOWN_BYTES // 1000, 100 - SHOWN_BYTES // 1000)
    assert shown(["a", "b"]) == Shown(("a", "b"))


# The first use: crossing a protected zone


def zoned(text: str = "pub fn fee() -> u32 {\n    4\n}\n") -> edit.EditRequest:
    plan = json.dumps({"files": [{"path": ZONED, "content": text}]}).encode()
    return edit.EditRequest(plan, "the bank agreed")


def commit(brain: Brain, id: str) -> edit.EditCommitted:
    return edit.commit(brain, edit.EditCommitRequest(id, confirm=True))


def challenge_of(made: edit.EditPreviewed) -> str:
    assert made.stamp is not None
    return str(made.stamp["challenge"])


def test_a_stamped_crossing_is_written_and_its_stamp_is_used_up_in_the_same_append(world: World) -> None:
    world.guard(ZONED)
    agent, owner = world.brain("agent", "ana"), world.brain()
    made = edit.preview(agent, zoned())
    challenge = challenge_of(made)
    assert refused(lambda: commit(agent, made.preview_id)).hint == f"m1nd stamp {challenge}"
    (page,) = give(owner, challenge).pages
    assert f"  | zone `{ZONED}` (counted by hand): {ZONED}" in page
    assert "  | reason: the bank agreed" in page
    assert "  | +    4" in page
    receipt = commit(agent, made.preview_id).receipt
    assert receipt["protected_zone"]["gesture"] == "the bank agreed"
    assert "4" in (world.root / ZONED).read_text()
    committed, consumed = (
        owner.views.trail(topic=topic)[0] for topic in ("edit_committed", "stamp_consumed")
    )
    assert committed.command_id == consumed.command_id


def test_a_stamp_crosses_once(world: World) -> None:
    world.guard(ZONED)
    brain = world.brain()
    made = edit.preview(brain, zoned())
    give(brain, challenge_of(made))
    done = commit(brain, made.preview_id)
    back = refused(lambda: undo(brain, done.edit_id, allow_protected="the bank agreed"))
    assert back.code == "human_gesture_required"
    give(brain, back.details["challenge"])
    undo(brain, done.edit_id, allow_protected="the bank agreed")
    again = edit.preview(brain, zoned())
    assert refused(lambda: commit(brain, again.preview_id)).code == "human_gesture_required"


def test_a_waiting_stamp_keeps_its_preview_for_ten_minutes(world: World) -> None:
    """D28."""
    world.guard(ZONED)
    brain = world.brain()
    made = edit.preview(brain, zoned())
    assert made.ttl_ms == 600_000
    world.clock.pass_minutes(9)
    give(brain, challenge_of(made))
    commit(brain, made.preview_id)


def test_an_agent_whose_marks_ran_out_looks_again_and_keeps_the_stamp(world: World) -> None:
    """D43 against D28: marks hold five minutes, a stamp and its preview ten."""
    world.guard(ZONED)
    proof = MarksInMemory()
    agent = open_brain(
        str(world.root),
        environment={"PATH": ""},
        clock=world.clock,
        actor=Actor(kind="agent", id="ana"),
        proof=proof,
    )
    world.opened.append(agent)
    made = edit.preview(agent, zoned())
    give(world.brain(), challenge_of(made))
    world.clock.pass_minutes(6)
    refusal = refused(lambda: commit(agent, made.preview_id))
    assert (refusal.code, refusal.hint.split(",")[0]) == (
        "proof_gate",
        "m1nd context on the module of each named file",
    )
    arm(agent, [(ZONED, sha256((world.root / ZONED).read_bytes()))])
    commit(agent, made.preview_id)
    assert "    4" in (world.root / ZONED).read_text()


def test_of_two_writers_with_one_stamp_one_is_let_through(world: World) -> None:
    """At the same moment, in two processes' worth of applications."""
    ask(world.brain())
    give(world.brain(), ID)
    apps = [world.brain().app for _ in range(2)]
    start = threading.Barrier(2)
    outcomes: list[str] = []

    def act(app: M1nd, digit: str) -> None:
        made = Command.of(
            "token_create", {"digit": digit}, id=f"race-{digit}", at=world.clock.now(), actor=OWNER
        )
        app.log_head()
        start.wait()
        try:
            app.record_token(Presented("ci", digit * 8, digit * 40), "", NEEDED, made)
            outcomes.append("done")
        except Refused as refused:
            outcomes.append(refused.refusal.code)

    threads = [threading.Thread(target=act, args=pair) for pair in zip(apps, "12", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["done", "human_gesture_required"]
    assert len(world.brain().views.tokens()) == 1


def test_another_reason_needs_another_stamp(world: World) -> None:
    world.guard(ZONED)
    brain = world.brain()
    give(brain, challenge_of(edit.preview(brain, zoned())))
    other = edit.preview(brain, evolve(zoned(), allow_protected="nobody agreed"))
    assert refused(lambda: commit(brain, other.preview_id)).code == "human_gesture_required"


def test_a_zone_drawn_after_the_stamp_voids_it(world: World) -> None:
    world.guard(ZONED)
    brain = world.brain()
    made = edit.preview(brain, zoned())
    give(brain, challenge_of(made))
    world.guard(ZONED, "src/*.rs")
    assert refused(lambda: commit(brain, made.preview_id)).code == "human_gesture_required"
    assert "    3" in (world.root / ZONED).read_text()


def test_the_append_itself_refuses_without_the_stamp(world: World) -> None:
    """What the use case looked at may be used up by another process before the append."""
    app = world.brain().app
    app.record_edit_preview(edit_preview(), command(1))
    head = app.log_head()

    def record() -> int:
        return app.record_edit_commit(
            "edp_00000001",
            agent_id="agent-7",
            receipt=EDIT_RECEIPT,
            files=WRITTEN,
            journal_id="journal-1",
            change=ingest("src/tide.rs", kind="edit", cause="edt_00000001"),
            command=command(2),
            stamp=NEEDED,
        )

    assert refused(record).code == "human_gesture_required"
    assert app.log_head() == head
