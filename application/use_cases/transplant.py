"""`transplant_preview`, `transplant_commit`, `transplant`, `transplant_discard`: the graph writes (seed 002, TRANSPLANT.md).

A preview plans and is recorded; a commit plans again on today's graph and goes on only when the plan is the same. The
files are written and the events appended under one lock; after the rename the answer is never an error.
"""

import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Never

from attrs import field, frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.attached_state import left_behind
from m1nd.application.use_cases.file_plans import (
    digest_of,
    graph_change,
    plan_digest,
    planned_file,
    shown_files,
    unified_diff,
    written_file,
)
from m1nd.application.use_cases.mission_work import require_at_work
from m1nd.application.use_cases.move_planning import PreviewRequest, plan_on_today, symbol_moves
from m1nd.application.use_cases.preview_time import kept_until, milliseconds_left, shown_again, stamp_field
from m1nd.application.use_cases.proof import arm, proven
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.application.use_cases.requests import answered, end_due_previews, new_command, refresh_after_write
from m1nd.application.use_cases.verification_gate import require_proof, verification_field, verify_plans
from m1nd.application.use_cases.zone_gate import (
    ask_for_crossing,
    crossing,
    require_crossing,
    require_reason,
)
from m1nd.domain.commands import Command
from m1nd.domain.move.plan import MovePlan
from m1nd.domain.move.receipt import unverified
from m1nd.domain.move.zones import crossed
from m1nd.domain.places import place_at
from m1nd.domain.planned_files import PlannedFile
from m1nd.domain.refusal import Refused, refuse
from m1nd.domain.transplant import MoveRequest as RecordedRequest
from m1nd.domain.transplant import Preview, TransplantState, preview_id


@frozen
class Previewed:
    preview_id: str
    expires_at: datetime
    candidate: Mapping[str, Any]
    files: tuple[PlannedFile, ...]
    diff: str
    verification: Mapping[str, Any]
    graph_rev: int
    stamp: Mapping[str, Any] | None = None
    """The stamp that the commit will need: `{challenge, command, expires_at}`."""
    ttl_ms: int = 0


@frozen
class CommitRequest:
    """`verify`: `check`, `none`, or empty for the default (check where cargo is present, D29)."""

    preview_id: str
    confirm: bool
    verify: str = ""
    accept_unresolved: bool = False
    mission_id: str = ""
    """The mission that the write is made inside of; it gets the receipt as evidence."""


@frozen
class Committed:
    transplant_id: str
    preview_id: str
    receipt: Mapping[str, Any]
    diff: str
    graph_rev: int
    warnings: tuple[str, ...] = field(default=())


def preview(brain: Brain, request: PreviewRequest, progress: Progress | None = None) -> Previewed:
    """Plan a move and keep the plan for five minutes; no file changes.

    The answer carries the diffs, so it arms the proof gate. Raises Refused with every code of the plan (PORTS.md); the
    refusal is recorded.
    """
    made, shown = _previewed(brain, request, progress)
    arm(brain, shown)
    return made


def commit(brain: Brain, request: CommitRequest, progress: Progress | None = None) -> Committed:
    """Carry out a preview. Checks in the order of TRANSPLANT.md; a refusal changes no byte and leaves the preview alive."""
    brain.deny_if_read_only("transplant_commit")
    arguments = {
        "preview_id": request.preview_id,
        "confirm": request.confirm,
        "verify": request.verify,
        "accept_unresolved": request.accept_unresolved,
        "mission_id": request.mission_id,
    }
    return answered(
        brain, "transplant_commit", arguments, lambda: _commit(brain, request, arguments, progress)
    )


def move(
    brain: Brain,
    request: PreviewRequest,
    confirm: bool,
    verify: str = "",
    accept_unresolved: bool = False,
    mission_id: str = "",
    progress: Progress | None = None,
) -> Committed:
    """Preview and commit in one call: nobody saw the plan in between, so it arms nothing."""
    if not confirm:
        refuse("confirm_required", "a move needs confirm to be true", hint="add --yes")
    require_at_work(brain, mission_id)
    made, _ = _previewed(brain, request, progress)
    asked = CommitRequest(made.preview_id, confirm, verify, accept_unresolved, mission_id)
    return commit(brain, asked, progress)


def discard(brain: Brain, id: str) -> str:
    """End a preview unused. Raises Refused(preview_unknown)."""
    brain.deny_if_read_only("transplant_discard")
    brain.app.discard(id, new_command(brain, "transplant_discard", {"preview_id": id}))
    return id


Shown = tuple[tuple[str, str], ...]
"""`(path, sha256)` of the files whose diff the answer carries."""


def _previewed(brain: Brain, request: PreviewRequest, progress: Progress | None) -> tuple[Previewed, Shown]:
    brain.deny_if_read_only("transplant_preview")
    arguments = _arguments(request)
    return answered(
        brain, "transplant_preview", arguments, lambda: _preview(brain, request, arguments, progress)
    )


def _preview(
    brain: Brain, request: PreviewRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> tuple[Previewed, Shown]:
    bring_up_to_date(brain, progress)
    end_due_previews(brain)
    plan = plan_on_today(brain, request)
    zones = require_reason(brain, plan.files, request.allow_protected)
    id = preview_id(brain.ids.hex(16))
    stamp = ask_for_crossing(brain, crossing(id, plan.files, zones, request.allow_protected))
    moves = symbol_moves(plan, brain.identities.table())
    command = new_command(brain, "transplant_preview", arguments)
    made = Preview(
        preview_id=id,
        agent_id=brain.actor.id,
        request=RecordedRequest(
            symbol=request.symbol,
            also=request.also,
            source_file=str(place_at(request.source_file)),
            dest_file=str(place_at(request.dest_file)),
            symbol_id=moves[0].symbol_id,
            allow_protected=request.allow_protected,
            create_dest=request.create_dest,
            publish=request.publish,
        ),
        candidate=dict(
            plan.receipt | _ageing(brain, id, plan, command),
            state_left_behind=left_behind(brain, plan, moves),
        ),
        files=tuple(map(planned_file, plan.files)),
        plan_digest=plan_digest(plan.files),
        graph_generation=brain.log.generation(),
        expires_at=kept_until(brain, stamp),
        verification=unverified("none", "a preview is not compiled"),
        protected_zone=crossed(zones, request.allow_protected),
    )
    brain.app.record_preview(made, command)
    previewed = Previewed(
        made.preview_id,
        made.expires_at,
        made.candidate,
        made.files,
        unified_diff(plan.files),
        made.verification,
        brain.log.generation(),
        stamp_field(stamp),
        milliseconds_left(brain, made.expires_at),
    )
    return previewed, shown_files(plan.files)


def _commit(
    brain: Brain, request: CommitRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Committed:
    started = time.perf_counter()
    if not request.confirm:
        refuse("confirm_required", "confirm must be true", preview_id=request.preview_id)
    require_at_work(brain, request.mission_id)
    state = brain.app.open_preview(request.preview_id, brain.actor.id, brain.clock.now())
    asked = state.preview.request
    bring_up_to_date(brain, progress)
    plan = _same_plan(brain, state.preview)
    with proven(brain, plan.files, shown_again(state.life.again, asked.allow_protected)):
        zones = require_reason(brain, plan.files, asked.allow_protected)
        stamp = crossing(request.preview_id, plan.files, zones, asked.allow_protected)
        require_crossing(brain, stamp, zones)
        verification = verify_plans(brain, plan.files, request.verify, progress)
        hint = f"m1nd transplant commit {request.preview_id} --yes --verify check"
        require_proof(plan.receipt["refs_unresolved"], verification, request.accept_unresolved, hint)
        receipt = dict(
            plan.receipt,
            state_left_behind=left_behind(brain, plan, symbol_moves(plan, brain.identities.table())),
            verification=verification_field(verification),
            elapsed_ms=round((time.perf_counter() - started) * 1000),
        )
        if zones:
            receipt["protected_zone"] = crossed(zones, asked.allow_protected)
        command = new_command(brain, "transplant_commit", arguments)
        warnings = _write(brain, state, plan, receipt, command, stamp, request.mission_id)
    recorded = brain.app.transplant(state.transplant_id)
    assert recorded is not None
    return Committed(
        state.transplant_id,
        request.preview_id,
        recorded.receipt or {},
        unified_diff(plan.files),
        brain.log.generation(),
        (*warnings, *refresh_after_write(brain)),
    )


def _write(
    brain: Brain,
    state: TransplantState,
    plan: MovePlan,
    receipt: dict[str, Any],
    command: Command,
    stamp: Used | None,
    mission_id: str,
) -> tuple[str, ...]:
    """Files and events, all or none; answers what was mended on the way."""
    moves = symbol_moves(plan, brain.identities.table())
    written = tuple(map(written_file, plan.files))
    hashes = brain.graph.hashes()
    journal = f"jrn_{brain.ids.hex(16)}"

    def record() -> None:
        brain.app.record_commit(
            state.preview.preview_id,
            agent_id=brain.actor.id,
            receipt=receipt,
            files=written,
            journal_id=journal,
            change=graph_change("transplant", written, state.transplant_id),
            moves=moves,
            command=command,
            stamp=stamp,
            hashes=hashes,
            mission_id=mission_id,
        )

    return brain.writer.apply(journal, plan.files, record).repairs


def _ageing(brain: Brain, id: str, plan: MovePlan, command: Command) -> dict[str, Any]:
    """Which blocks and receipts this move would age if it were committed now."""
    change = graph_change("transplant", tuple(map(written_file, plan.files)), id)
    return brain.app.foresee_ageing(change, brain.graph.hashes(), command)


def _same_plan(brain: Brain, made: Preview) -> MovePlan:
    """Today's plan for the previewed request; a different one means that something it rests on has changed."""
    asked = made.request
    again = PreviewRequest(
        asked.symbol,
        asked.source_file,
        asked.dest_file,
        asked.allow_protected,
        asked.also,
        asked.create_dest,
        asked.publish,
    )
    snapshot = brain.graph.rust()
    for file in made.files:
        if digest_of(snapshot.sources.get(file.file_path)) != file.base_hash:
            _modified(file.file_path, made)
    try:
        plan = plan_on_today(brain, again)
    except Refused as refused:
        _modified(made.request.source_file, made, refused.refusal.message)
    if plan_digest(plan.files) != made.plan_digest:
        known = {f.file_path for f in made.files}
        new = next((f.path for f in plan.files if f.path not in known), made.request.source_file)
        _modified(new, made, "the plan would be another one now")
    return plan


def _modified(path: str, made: Preview, why: str = "it changed after the preview") -> Never:
    refuse(
        "source_modified",
        f"source_modified: '{path}': {why}. NOTHING was written",
        hint=f"m1nd transplant preview {made.request.symbol} {made.request.source_file} {made.request.dest_file}"
        + ("" if made.request.create_dest else " --no-create")
        + (" --publish" if made.request.publish else ""),
        path=path,
        preview_id=made.preview_id,
    )


def _arguments(request: PreviewRequest) -> dict[str, Any]:
    return {
        "symbol": request.symbol,
        "also": list(request.also),
        "source_file": request.source_file,
        "dest_file": request.dest_file,
        "allow_protected": request.allow_protected,
        "create_dest": request.create_dest,
        "publish": request.publish,
    }
