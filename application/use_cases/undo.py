"""`transplant_undo`: the bytes from before a move come back, and the log says so in one append (D45).

It restores what the journal kept, and only while every file still is as the move left it. It never plans a move of its own.
"""

from collections.abc import Sequence

from attrs import evolve, field, frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress, Verification
from m1nd.application.use_cases.ingest import bring_up_to_date
from m1nd.application.use_cases.requests import answered, new_command, refresh_after_write
from m1nd.application.use_cases.verification_gate import verify_plans
from m1nd.domain.graph import FileChange, GraphChange
from m1nd.domain.previews import Stage, WrittenFile
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.symbols import SymbolMove
from m1nd.domain.transplant import TransplantState


@frozen
class Undone:
    """What came back. `files` are the restored paths, `verification` that of the restored tree."""

    transplant_id: str
    files: tuple[str, ...]
    verification: Verification
    graph_rev: int
    warnings: tuple[str, ...] = field(default=())


def undo(
    brain: Brain, transplant_id: str | None = None, *, verify: str = "", progress: Progress | None = None
) -> Undone:
    """Take a move back: the named one, or the last that stands. `verify` as in a commit: `check`, `none` or the default.

    Raises Refused(undo_unknown | undo_modified | verification_failed | read_only | write_failed | busy); a refusal
    changes no byte and is recorded.
    """
    brain.deny_if_read_only("transplant_undo")
    arguments = {"transplant_id": transplant_id or "", "verify": verify}
    return answered(
        brain, "transplant_undo", arguments, lambda: _undo(brain, transplant_id, verify, arguments, progress)
    )


def _undo(
    brain: Brain,
    wanted: str | None,
    verify: str,
    arguments: dict[str, str],
    progress: Progress | None,
) -> Undone:
    bring_up_to_date(brain, progress)
    state = _standing_move(brain, wanted)
    id = state.transplant_id
    try:
        plans = brain.writer.undo_plans(state.journal_id)
        verification = verify_plans(brain, plans, verify, progress)
        command = new_command(brain, "transplant_undo", arguments)
        restored = tuple(_swapped(file) for file in state.files)
        moves = [_home(move) for move in reversed(brain.app.symbol_moves(id))]

        def record() -> None:
            brain.app.record_rollback(
                id,
                restored=restored,
                journal_id=f"undo_{state.journal_id}",
                change=_change(restored, id),
                moves=moves,
                command=command,
            )

        outcome = brain.writer.restore(state.journal_id, record)
    except Refused as refused:
        raise Refused(_named(refused, id)) from refused
    warnings = (*outcome.repairs, *refresh_after_write(brain))
    return Undone(id, outcome.files, verification, brain.app.generation(), warnings)


def _standing_move(brain: Brain, wanted: str | None) -> TransplantState:
    """The move to take back. Raises Refused(undo_unknown)."""
    if not wanted:
        wanted = brain.views.undo_target()
        if wanted is None:
            refuse("undo_unknown", "no move stands that could be taken back")
    state = brain.app.transplant(wanted)
    if state is None or state.stage not in (Stage.COMMITTED, Stage.ROLLED_BACK):
        refuse("undo_unknown", f"there is no committed move {wanted}", transplant_id=wanted)
    if state.stage is Stage.ROLLED_BACK:
        refuse("undo_unknown", f"{state.transplant_id} was undone already", transplant_id=state.transplant_id)
    return state


def _swapped(file: WrittenFile) -> WrittenFile:
    return WrittenFile(file_path=file.file_path, before_hash=file.after_hash, after_hash=file.before_hash)


def _change(restored: Sequence[WrittenFile], cause: str) -> GraphChange:
    def changes(of: Sequence[WrittenFile]) -> tuple[FileChange, ...]:
        return tuple(FileChange(path=f.file_path, sha256=f.after_hash, before=f.before_hash) for f in of)

    return GraphChange(
        "rollback",
        added=changes([f for f in restored if not f.before_hash]),
        removed=changes([f for f in restored if not f.after_hash]),
        changed=changes([f for f in restored if f.before_hash and f.after_hash]),
        cause=cause,
    )


def _home(move: SymbolMove) -> SymbolMove:
    return SymbolMove(symbol_id=move.symbol_id, source=move.target, target=move.source)


def _named(refused: Refused, transplant_id: str) -> Refusal:
    """The writer speaks of its journal; whoever asked knows the move."""
    return evolve(refused.refusal, details={"transplant_id": transplant_id, **refused.refusal.details})
