"""`transplant_undo`: the bytes from before a move or an edit come back, and the log says so in one append (D45).

It restores what the journal kept, and only while every file still is as the write left it. It passes the gates of every
write; it never plans a move of its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress, Verification
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.file_plans import graph_change, swapped
from m1nd.application.use_cases.proof import proven
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.application.use_cases.requests import answered, new_command, refresh_after_write
from m1nd.application.use_cases.verification_gate import verify_plans
from m1nd.application.use_cases.zone_gate import crossing, require_crossing, require_reason
from m1nd.domain.commands import Command
from m1nd.domain.edit import EditState
from m1nd.domain.previews import EDIT_PREFIXES
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.symbol_move import SymbolMove
from m1nd.domain.transplant import TransplantState

BY_HAND = "bring the old text back by hand: the journal in the state folder keeps it"
PROOF = "m1nd context on the module of each named file, so that it is shown whole"


@frozen
class Undone:
    """What came back. `files` are the restored paths, `verification` that of the restored tree."""

    kind: Literal["move", "edit"]
    id: str
    files: tuple[str, ...]
    verification: Verification
    ageing: Mapping[str, Sequence[Mapping[str, Any]]]
    """`blocks_touched` and `receipts_staled`, as in the receipt of a move."""
    graph_rev: int
    warnings: tuple[str, ...] = field(default=())


def undo(
    brain: Brain,
    id: str | None = None,
    *,
    verify: str = "",
    allow_protected: str = "",
    progress: Progress | None = None,
) -> Undone:
    """Take a move or an edit back: the named one, or the last that stands. `verify` as in a commit.

    Raises Refused(usage | undo_unknown | undo_modified | proof_gate | protected_zone | human_gesture_required |
    zone_config_broken | verification_failed | read_only | write_failed | busy); a refusal changes no byte and is recorded.
    """
    if id is not None and not id.strip():
        refuse("usage", "an empty id names no move and no edit", "m1nd undo, for the last one")
    brain.deny_if_read_only("transplant_undo")
    arguments = {"transplant_id": id or "", "verify": verify, "allow_protected": allow_protected}
    return answered(brain, "transplant_undo", arguments, lambda: _undo(brain, id, arguments, progress))


def _undo(brain: Brain, wanted: str | None, arguments: dict[str, str], progress: Progress | None) -> Undone:
    allow_protected = arguments["allow_protected"]
    bring_up_to_date(brain, progress)
    state = _standing(brain, wanted)
    try:
        plans = brain.writer.undo_plans(state.journal_id)
        with proven(brain, plans, PROOF):
            zones = require_reason(brain, plans, allow_protected, BY_HAND)
            stamp = crossing(_id(state), plans, zones, allow_protected)
            require_crossing(brain, stamp, zones)
            verification = verify_plans(brain, plans, arguments["verify"], progress)
            command = new_command(brain, "transplant_undo", arguments)
            outcome = brain.writer.restore(state.journal_id, lambda: _record(brain, state, command, stamp))
    except Refused as refused:
        raise Refused(_named(refused, state)) from refused
    warnings = (*outcome.repairs, *refresh_after_write(brain))
    kind: Literal["move", "edit"] = "edit" if isinstance(state, EditState) else "move"
    aged = brain.app.ageing_of(command)
    return Undone(kind, _id(state), outcome.files, verification, aged, brain.log.generation(), warnings)


def _record(brain: Brain, state: TransplantState | EditState, command: Command, stamp: Used | None) -> None:
    """The one append of an undo."""
    id, journal = _id(state), f"undo_{state.journal_id}"
    restored = tuple(map(swapped, state.files))
    change = graph_change("rollback", restored, id)
    hashes = brain.graph.hashes()
    if isinstance(state, EditState):
        brain.app.record_edit_rollback(
            id,
            restored=restored,
            journal_id=journal,
            change=change,
            command=command,
            stamp=stamp,
            hashes=hashes,
        )
        return
    moves = [_home(move) for move in reversed(brain.app.symbol_moves(id))]
    brain.app.record_rollback(
        id,
        restored=restored,
        journal_id=journal,
        change=change,
        moves=moves,
        command=command,
        stamp=stamp,
        hashes=hashes,
    )


def _standing(brain: Brain, wanted: str | None) -> TransplantState | EditState:
    """The write to take back. Raises Refused(undo_unknown)."""
    id = wanted or brain.views.undo_target()
    if id is None:
        refuse("undo_unknown", "no move or edit stands that could be taken back")
    state = brain.app.edit(id) if id.startswith(EDIT_PREFIXES) else brain.app.transplant(id)
    if state is None:
        refuse("undo_unknown", f"there is no committed move or edit {id}", id=id)
    state.life.require_committed()
    return state


def _id(state: TransplantState | EditState) -> str:
    return state.life.write_id


def _home(move: SymbolMove) -> SymbolMove:
    return SymbolMove(symbol_id=move.symbol_id, source=move.target, target=move.source)


def _named(refused: Refused, state: TransplantState | EditState) -> Refusal:
    """The writer speaks of its journal; whoever asked knows the move or the edit."""
    life, refusal = state.life, refused.refusal
    hint = refusal.hint
    if refusal.code == "undo_modified":
        hint = f"{life.kind.command} show {life.write_id}, and bring the old text back by hand"
    return evolve(refusal, hint=hint, details={life.kind.id_field: life.write_id, **refusal.details})
