"""The gates in front of every write, through the use cases, as an agent meets them (D43, D44; TRANSPLANT.md, commit checks)."""

import json
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import define, evolve

from m1nd.adapters.bootstrap import mend, open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases import edit, transplant
from m1nd.application.use_cases.context import surgical_context
from m1nd.application.use_cases.move_planning import PreviewRequest
from m1nd.application.use_cases.undo import undo
from m1nd.domain.base import Actor
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refusal, Refused
from m1nd.infrastructure.marks import MarksInMemory
from m1nd.infrastructure.workspace_writer import WorkspaceWriter

FILES = {
    "Cargo.toml": '[package]\nname = "harbour"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod moon;\npub mod tide;\n\npub fn now() -> u32 {\n    tide::height()\n}\n",
    "src/tide.rs": "pub fn height() -> u32 {\n    3\n}\n",
    "src/moon.rs": "pub fn age() -> u32 {\n    4\n}\n",
}
MOVE = PreviewRequest("height", "src/tide.rs", "src/moon.rs")
MOVED = ["src/lib.rs", "src/moon.rs", "src/tide.rs"]
ZONES = "ci/protected-zones.json"


@define
class Clock:
    at: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_minutes(self, minutes: float) -> None:
        self.at += timedelta(minutes=minutes)


@define
class World:
    """One repository, one process, several actors."""

    root: Path
    clock: Clock
    proof: MarksInMemory
    opened: list[Brain]

    def brain(self, kind: str = "agent", id: str = "ana") -> Brain:
        actor = Actor.model_validate({"kind": kind, "id": id})
        environment = {"PATH": ""}  # neither cargo nor rustfmt nor git: the gates alone
        made = open_brain(
            str(self.root), environment=environment, clock=self.clock, actor=actor, proof=self.proof
        )
        self.opened.append(made)
        return made

    def tree(self) -> dict[str, str]:
        return {
            path.relative_to(self.root).as_posix(): path.read_text()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and ".m1nd" not in path.parts
        }


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    root = (tmp_path / "harbour").resolve()
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    made = World(root, Clock(), MarksInMemory(), [])
    yield made
    for brain in made.opened:
        brain.close()


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value.refusal


def commit(brain: Brain, id: str) -> transplant.Committed:
    return transplant.commit(brain, transplant.CommitRequest(id, confirm=True))


def commit_edit(brain: Brain, id: str) -> edit.EditCommitted:
    return edit.commit(brain, edit.EditCommitRequest(id, confirm=True))


def plan(**contents: str) -> edit.EditRequest:
    files = [{"path": f"src/{name}.rs", "content": text} for name, text in contents.items()]
    return edit.EditRequest(json.dumps({"files": files}).encode())


def test_a_preview_shows_its_files_and_so_arms_its_commit(world: World) -> None:
    brain = world.brain()
    made = transplant.preview(brain, MOVE)
    assert sorted(commit(brain, made.preview_id).receipt["files_changed"]) == MOVED


def test_one_call_that_shows_nothing_is_refused_for_an_agent_and_names_every_file(world: World) -> None:
    before = world.tree()
    refusal = refused(lambda: transplant.move(world.brain(), MOVE, confirm=True))
    assert refusal.code == "proof_gate"
    assert sorted(refusal.details["files"]) == MOVED
    assert refusal.hint == "m1nd transplant preview height src/tide.rs src/moon.rs"
    assert world.tree() == before


def test_the_human_needs_no_proof(world: World) -> None:
    transplant.move(world.brain("owner", "ada"), MOVE, confirm=True)
    assert "height" in world.tree()["src/moon.rs"]


def test_switched_off_it_asks_nobody(world: World) -> None:
    world.proof = MarksInMemory(enabled=False)
    transplant.move(world.brain(), MOVE, confirm=True)
    assert "height" in world.tree()["src/moon.rs"]


@pytest.mark.parametrize(
    "value, enabled", [("0", False), ("false", False), ("False", False), ("1", True), ("", True)]
)
def test_the_setting_switches_it_off_only_by_its_two_words(tmp_path: Path, value: str, enabled: bool) -> None:
    assert open_brain(str(tmp_path), environment={"M1ND_PROOF_GATE": value}).proof.enabled is enabled


def test_a_refused_commit_burns_no_mark(world: World) -> None:
    """W50: zones and verification come after the gate, and their refusals leave the marks where they were."""
    brain = world.brain()
    made = transplant.preview(brain, MOVE)
    (world.root / "ci").mkdir()
    (world.root / ZONES).write_text('{"zones": [{"glob": "src/moon.rs", "reason": "counted by hand"}]}')
    assert refused(lambda: commit(brain, made.preview_id)).code == "protected_zone"
    (world.root / ZONES).write_text("{")
    assert refused(lambda: commit(brain, made.preview_id)).code == "zone_config_broken"
    (world.root / ZONES).unlink()
    wrong = transplant.CommitRequest(made.preview_id, confirm=True, verify="check")
    assert refused(lambda: transplant.commit(brain, wrong)).code == "verification_unavailable"
    assert commit(brain, made.preview_id).preview_id == made.preview_id


def test_a_commit_uses_its_marks_up(world: World) -> None:
    brain = world.brain()
    done = commit_edit(brain, edit.preview(brain, plan(tide="pub fn height() {}\n")).preview_id)
    # The file is as it was shown once more: only a mark that is still there would let this pass.
    undo(world.brain("owner", "ada"), done.edit_id)
    refusal = refused(lambda: transplant.move(brain, MOVE, confirm=True))
    assert "src/tide.rs" in refusal.details["files"]


def test_marks_are_the_agents_own(world: World) -> None:
    transplant.preview(world.brain(id="ana"), MOVE)
    assert refused(lambda: transplant.move(world.brain(id="bob"), MOVE, confirm=True)).code == "proof_gate"


def test_marks_die_with_the_process_and_a_new_preview_arms_again(world: World) -> None:
    made = transplant.preview(world.brain(), MOVE)
    world.proof = MarksInMemory()
    again = world.brain()
    refusal = refused(lambda: commit(again, made.preview_id))
    assert (refusal.code, refusal.hint) == (
        "proof_gate",
        "m1nd transplant preview height src/tide.rs src/moon.rs",
    )
    transplant.preview(again, MOVE)
    assert commit(again, made.preview_id).preview_id == made.preview_id


def test_five_minutes_end_a_mark(world: World) -> None:
    brain = world.brain()
    transplant.preview(brain, MOVE)
    world.clock.pass_minutes(4)
    later = transplant.preview(world.brain(id="bob"), MOVE)
    world.clock.pass_minutes(1)
    assert refused(lambda: transplant.move(brain, MOVE, confirm=True)).code == "proof_gate"
    assert commit(world.brain(id="bob"), later.preview_id).preview_id == later.preview_id


def test_a_context_that_shows_a_module_whole_arms_its_file(world: World) -> None:
    brain = world.brain()
    for module in ("crate::tide", "crate::moon"):
        surgical_context(brain, module)
    refusal = refused(lambda: transplant.move(brain, MOVE, confirm=True))
    assert refusal.details["files"] == ["src/lib.rs"]
    surgical_context(brain, "harbour")
    transplant.move(brain, MOVE, confirm=True)
    assert "height" in world.tree()["src/moon.rs"]


def test_a_context_that_shows_an_item_or_cuts_the_file_arms_nothing(world: World) -> None:
    (world.root / "src/tide.rs").write_text(FILES["src/tide.rs"] + "// long line of a comment\n" * 200)
    brain = world.brain()
    surgical_context(brain, "crate::tide::height")
    assert surgical_context(brain, "crate::tide", budget=200).source.truncated
    refusal = refused(lambda: transplant.move(brain, MOVE, confirm=True))
    assert "src/tide.rs" in refusal.details["files"]


def test_an_edit_is_gated_file_by_file_also_one_it_creates(world: World) -> None:
    brain = world.brain()
    made = edit.preview(brain, plan(tide="pub fn height() {}\n", new="pub fn x() {}\n"))
    world.proof = MarksInMemory()
    again = world.brain()
    assert refused(lambda: commit_edit(again, made.preview_id)).details["files"] == [
        "src/tide.rs",
        "src/new.rs",
    ]
    commit_edit(brain, made.preview_id)
    assert world.tree()["src/new.rs"] == "pub fn x() {}\n"


def test_a_binary_file_cannot_be_shown_and_so_not_be_replaced_by_an_agent(world: World) -> None:
    (world.root / "src/data.rs").write_bytes(b"\xff\x00")
    brain = world.brain()
    made = edit.preview(brain, plan(data="text\n"))
    assert "Binary files" in made.diff
    assert refused(lambda: commit_edit(brain, made.preview_id)).code == "proof_gate"
    owner = world.brain("owner", "ada")
    commit_edit(owner, edit.preview(owner, plan(data="text\n")).preview_id)
    assert (world.root / "src/data.rs").read_text() == "text\n"


def test_an_undo_by_an_agent_needs_sight_of_what_it_overwrites(world: World) -> None:
    owner, agent = world.brain("owner", "ada"), world.brain()
    transplant.move(owner, MOVE, confirm=True)
    moved = world.tree()
    refusal = refused(lambda: undo(agent))
    assert (refusal.code, sorted(refusal.details["files"])) == ("proof_gate", MOVED)
    assert world.tree() == moved
    for module in ("crate::tide", "crate::moon", "harbour"):
        surgical_context(agent, module)
    assert sorted(undo(agent).files) == MOVED
    assert world.tree() == FILES


def test_every_writer_refuses_a_read_only_attach_itself(world: World) -> None:
    owner = world.brain("owner", "ada")
    move = transplant.preview(owner, MOVE).preview_id
    change = edit.preview(owner, plan(tide="x\n")).preview_id
    reader = evolve(world.brain(), read_only=True)
    count, before = owner.app.log_head(), world.tree()
    acts: list[Callable[[], object]] = [
        lambda: transplant.preview(reader, MOVE),
        lambda: commit(reader, move),
        lambda: transplant.move(reader, MOVE, confirm=True),
        lambda: transplant.discard(reader, move),
        lambda: edit.preview(reader, plan(tide="y\n")),
        lambda: commit_edit(reader, change),
        lambda: edit.discard(reader, change),
        lambda: undo(reader),
    ]
    assert [refused(act).code for act in acts] == ["read_only"] * len(acts)
    assert (owner.app.log_head(), world.tree()) == (count, before)


def test_a_failed_append_leaves_the_old_bytes_the_preview_and_the_marks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = world.brain()
    made = edit.preview(brain, plan(tide="pub fn height() {}\n"))
    with monkeypatch.context() as patch:
        patch.setattr(type(brain.app), "record_edit_commit", _fail)
        with pytest.raises(RuntimeError, match="the log is gone"):
            commit_edit(brain, made.preview_id)
    assert world.tree() == FILES
    assert commit_edit(brain, made.preview_id).receipt["files_changed"] == ["src/tide.rs"]


def in_child(act: Callable[[], object]) -> int:
    """Run `act` in a forked process that ends without any clean-up; its exit status."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def die(*_: object, **__: object) -> None:
    os._exit(9)


@pytest.mark.parametrize("undoing", [False, True], ids=["commit", "undo"])
@pytest.mark.parametrize("recorded", [False, True], ids=["before the append", "after the append"])
def test_a_process_that_dies_leaves_an_edit_whole_or_none_of_it(
    world: World, monkeypatch: pytest.MonkeyPatch, undoing: bool, recorded: bool
) -> None:
    """D45: the next start asks the log, and the files follow it."""
    edited = FILES | {"src/tide.rs": "pub fn height() {}\n"}
    owner = ("owner", "ada")
    preview_id = edit.preview(world.brain(*owner), plan(tide=edited["src/tide.rs"])).preview_id
    if undoing:
        commit_edit(world.brain(*owner), preview_id)
    for brain in world.opened:
        brain.close()

    def act() -> None:
        brain = world.brain(*owner)
        if recorded:
            monkeypatch.setattr(WorkspaceWriter, "_end", die)
        else:
            monkeypatch.setattr(type(brain.app), f"record_edit_{'rollback' if undoing else 'commit'}", die)
        undo(brain) if undoing else commit_edit(brain, preview_id)

    assert in_child(act) == 9
    again = world.brain(*owner)
    (line,) = mend(again)
    assert ("the log has it" if recorded else "the log does not have it") in line
    state = again.app.edit(preview_id)
    assert state is not None
    old, new = (edited, FILES) if undoing else (FILES, edited)
    stages = (Stage.COMMITTED, Stage.ROLLED_BACK) if undoing else (Stage.PREVIEWED, Stage.COMMITTED)
    assert (world.tree(), state.stage) == ((new, stages[1]) if recorded else (old, stages[0]))
    assert mend(again) == ()


def _fail(*_: object, **__: object) -> None:
    raise RuntimeError("the log is gone")
