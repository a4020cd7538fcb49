"""Undo: the bytes from before, the symbols back at home, one append; or nothing at all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from tests.support.log import MOON, RECEIPT, START, SYMBOL, TIDE, preview
from tests.support.log import command as log_command

from m1nd.adapters.bootstrap import mend, open_brain
from m1nd.application.brain import Brain
from m1nd.application.ports import IngestReport, Progress, RustSnapshot, Verification
from m1nd.application.use_cases.undo import undo
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.graph import FileChange, GraphChange
from m1nd.domain.index.identity import Fates
from m1nd.domain.planned_files import PlannedFile, WrittenFile
from m1nd.domain.previews import Stage
from m1nd.domain.refusal import Refused
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.symbols import first_sight_id
from m1nd.domain.transplant import preview_id

TIDE_FILE, MOON_FILE = ("src/tide.rs", b"fn height() {}\n", b""), ("src/moon.rs", b"", b"fn height() {}\n")


class StillGraph:
    """A graph that is up to date and stays so."""

    def refresh(self, progress: Progress | None = None) -> IngestReport:
        return IngestReport(2, 0, 0, 0, 0, 0, 0, 0, 0)

    def file_changes(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        return {"added": (), "removed": (), "changed": ()}

    def fates(self) -> Fates:
        return Fates((), ())

    def hashes(self) -> Mapping[str, str]:
        return {}

    def acknowledged(self) -> int:
        return 0

    def acknowledge(self, log_position: int, generation: int) -> None:
        """Nothing is kept."""

    def rust(self) -> RustSnapshot:
        raise NotImplementedError("an undo resolves nothing")


@define
class Judge:
    """A verifier that answers what it is told and keeps what it was asked."""

    new_errors: tuple[dict[str, Any], ...] = ()
    asked: tuple[FilePlan, ...] = ()
    present: bool = True

    def available(self) -> bool:
        return self.present

    def check(self, plans: Sequence[FilePlan], progress: Progress | None = None) -> Verification:
        self.asked = tuple(plans)
        return Verification("check", not self.new_errors, 0, len(self.new_errors), 0, 1, "", self.new_errors)


class FixedClock:
    def now(self) -> Any:
        return START


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def brain(tmp_path: Path, judge: Judge) -> Iterator[Brain]:
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    for path, before, _ in (TIDE_FILE, MOON_FILE):
        (root / path).write_bytes(before)
    made = open_brain(str(root), environment={"USER": "ada"}, clock=FixedClock())
    brain = evolve(made, make=evolve(made.make, graph=StillGraph, verifier=lambda: judge))
    yield brain
    brain.app.close()


def move(brain: Brain, digits: str = "00000001") -> str:
    """Write and record one move as a commit does; its id."""
    files = (TIDE_FILE, MOON_FILE)
    planned = tuple(PlannedFile(file_path=p, base_hash=sha256(a), after_hash=sha256(b)) for p, a, b in files)
    written = tuple(
        WrittenFile(file_path=p, before_hash=sha256(a), after_hash=sha256(b)) for p, a, b in files
    )
    changed = tuple(FileChange(path=p, sha256=sha256(b), before=sha256(a)) for p, a, b in files)
    plan = preview(digits).model_copy(update={"files": planned})
    brain.app.record_preview(plan, log_command(1))

    def record() -> None:
        brain.app.record_commit(
            preview_id(digits),
            agent_id="agent-7",
            receipt=RECEIPT,
            files=written,
            journal_id=f"jrn_{digits}",
            change=GraphChange("transplant", changed=changed, cause=f"tra_{digits}"),
            moves=[SymbolMove(symbol_id=SYMBOL, source=TIDE, target=MOON)],
            command=log_command(2),
        )

    brain.writer.apply(f"jrn_{digits}", [FilePlan(*file) for file in files], record)
    return f"tra_{digits}"


def texts(brain: Brain) -> list[bytes]:
    return [Path(brain.root, path).read_bytes() for path in ("src/tide.rs", "src/moon.rs")]


MOVED, HOME = [b"", b"fn height() {}\n"], [b"fn height() {}\n", b""]


def refusal(act: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        act()
    return caught.value


@pytest.mark.parametrize("named", [True, False])
def test_the_bytes_and_the_symbols_come_back_in_one_append(brain: Brain, judge: Judge, named: bool) -> None:
    id = move(brain)
    assert texts(brain) == MOVED
    count = brain.app.log_head().count
    done = undo(brain, id if named else None)

    assert texts(brain) == HOME
    assert (done.kind, done.id, done.files, done.warnings) == ("move", id, ("src/tide.rs", "src/moon.rs"), ())
    assert judge.asked == (
        FilePlan("src/tide.rs", b"", b"fn height() {}\n"),
        FilePlan("src/moon.rs", b"fn height() {}\n", b""),
    )
    events = [brain.app.event_of(row) for row in brain.app.log.rows(after=count)]
    events = [
        event
        for event in events
        if event.TOPIC not in ("graph_opened",) and getattr(event, "kind", "") != "ingest"
    ]
    assert [event.TOPIC for event in events] == ["transplant_rolled_back", "graph_changed", "symbol_moved"]
    state = brain.app.transplant(id)
    assert state is not None and state.stage is Stage.ROLLED_BACK
    assert brain.views.symbols().id_at(TIDE) == SYMBOL == first_sight_id(TIDE)
    assert brain.views.symbols().home_of(SYMBOL) == TIDE
    assert brain.app.is_recorded("undo_jrn_00000001")
    assert mend(brain) == ()

    assert refusal(lambda: undo(brain, id)).refusal.code == "undo_unknown"
    assert refusal(lambda: undo(brain)).refusal.code == "undo_unknown"


def test_a_file_changed_since_is_named_and_nothing_is_touched(brain: Brain) -> None:
    id = move(brain)
    Path(brain.root, "src/tide.rs").write_bytes(b"mine\n")
    refused = refusal(lambda: undo(brain)).refusal
    assert (refused.code, refused.details["files"], refused.details["transplant_id"]) == (
        "undo_modified",
        ["src/tide.rs"],
        id,
    )
    assert texts(brain) == [b"mine\n", b"fn height() {}\n"]


def test_an_undo_that_breaks_the_tree_is_refused_unless_told_not_to_verify(
    brain: Brain, judge: Judge
) -> None:
    move(brain)
    judge.new_errors = ({"file": "src/lib.rs", "line": 3, "code": "E0432", "message": "unresolved import"},)
    refused = refusal(lambda: undo(brain)).refusal
    assert refused.code == "verification_failed" and "src/lib.rs:3" in refused.message
    assert texts(brain) == MOVED
    assert undo(brain, verify="none").verification.mode == "none"
    assert texts(brain) == HOME


def test_without_cargo_it_says_so_and_check_is_refused(brain: Brain, judge: Judge) -> None:
    move(brain)
    judge.present = False
    assert refusal(lambda: undo(brain, verify="check")).refusal.code == "verification_unavailable"
    done = undo(brain)
    assert (done.verification.verified, done.verification.reason) == (False, "cargo is not present")


def test_a_failed_append_leaves_the_move_in_place(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    move(brain)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("the log is gone")

    monkeypatch.setattr(type(brain.app), "record_rollback", fail)
    with pytest.raises(RuntimeError, match="the log is gone"):
        undo(brain)
    assert texts(brain) == MOVED


def test_what_was_never_committed_or_is_read_only_is_refused(brain: Brain) -> None:
    assert refusal(lambda: undo(brain)).refusal.code == "undo_unknown"
    assert refusal(lambda: undo(brain, "tra_00000009")).refusal.code == "undo_unknown"
    move(brain)
    assert refusal(lambda: undo(evolve(brain, read_only=True))).refusal.code == "read_only"
    assert texts(brain) == MOVED
