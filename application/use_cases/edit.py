"""`edit_preview`, `edit_commit`, `edit_discard`: a plan over any files, through the same door and gates as a move.

A preview reads the plan on today's files, keeps the planned bytes for five minutes and records their hashes; a commit writes
just these bytes, and only while every file still is as the preview saw it (TRANSPLANT.md, Writing; D28, D43, D44, D45).
"""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve, field, frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.stamp_records import Used
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
from m1nd.application.use_cases.preview_time import kept_until, milliseconds_left, shown_again, stamp_field
from m1nd.application.use_cases.proof import arm, proven
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.application.use_cases.requests import answered, end_due_previews, new_command, refresh_after_write
from m1nd.application.use_cases.verification_gate import verification_field, verify_plans
from m1nd.application.use_cases.zone_gate import (
    ask_for_crossing,
    crossing,
    require_crossing,
    require_reason,
)
from m1nd.domain.commands import Command
from m1nd.domain.digests import sha256
from m1nd.domain.edit import EditPreview, EditState, preview_id
from m1nd.domain.edit_plan import PlannedChange, plan_files, read_plan
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.receipt import unverified
from m1nd.domain.move.zones import crossed
from m1nd.domain.planned_files import PlannedFile
from m1nd.domain.refusal import Refused, refuse


@frozen
class EditRequest:
    """`plan`: JSON or a unified diff (`domain/edit_plan.py`)."""

    plan: bytes
    allow_protected: str = ""


@frozen
class EditPreviewed:
    preview_id: str
    expires_at: datetime
    files: tuple[PlannedFile, ...]
    diff: str
    verification: Mapping[str, Any]
    graph_rev: int
    stamp: Mapping[str, Any] | None = None
    """The stamp that the commit will need: `{challenge, command, expires_at}`."""
    ttl_ms: int = 0


@frozen
class EditCommitRequest:
    """`verify`: `check`, `none`, or empty for the default (check where cargo is present, D29)."""

    preview_id: str
    confirm: bool
    verify: str = ""
    mission_id: str = ""
    """The mission that the write is made inside of; it gets the receipt as evidence."""


@frozen
class EditCommitted:
    edit_id: str
    preview_id: str
    receipt: Mapping[str, Any]
    graph_rev: int
    warnings: tuple[str, ...] = field(default=())


def preview(brain: Brain, request: EditRequest, progress: Progress | None = None) -> EditPreviewed:
    """Read a plan on today's files and keep it for five minutes; no file changes.

    The answer carries the diffs, so it arms the proof gate for every file that is text. Raises Refused(bad_plan |
    empty_plan | outside_root | unreadable | source_modified | hunk_failed | overlapping_edits | protected_zone |
    human_gesture_required | zone_config_broken | read_only); the refusal is recorded.
    """
    brain.deny_if_read_only("edit_preview")
    arguments = {"plan": sha256(request.plan), "allow_protected": request.allow_protected}
    made, plans = answered(
        brain, "edit_preview", arguments, lambda: _preview(brain, request, arguments, progress)
    )
    arm(brain, shown_files(plans))
    return made


def commit(brain: Brain, request: EditCommitRequest, progress: Progress | None = None) -> EditCommitted:
    """Carry out a preview: every file or none. A refusal changes no byte and leaves the preview alive.

    Checks in this order: confirm, preview known, not expired, same agent, hashes, proof gate, zones, verification.
    """
    brain.deny_if_read_only("edit_commit")
    arguments = {
        "preview_id": request.preview_id,
        "confirm": request.confirm,
        "verify": request.verify,
        "mission_id": request.mission_id,
    }
    return answered(brain, "edit_commit", arguments, lambda: _commit(brain, request, arguments, progress))


def discard(brain: Brain, id: str) -> str:
    """End a preview unused. Raises Refused(preview_unknown)."""
    brain.deny_if_read_only("edit_discard")
    brain.app.discard_edit(id, new_command(brain, "edit_discard", {"preview_id": id}))
    brain.plans.drop([id])
    return id


def _preview(
    brain: Brain, request: EditRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> tuple[EditPreviewed, tuple[FilePlan, ...]]:
    bring_up_to_date(brain, progress)
    end_due_previews(brain)
    changes = read_plan(request.plan)
    _check_distinct(brain, changes)
    plans = plan_files(changes, brain.writer.read)
    zones = require_reason(brain, plans, request.allow_protected)
    id = preview_id(brain.ids.hex(16))
    stamp = ask_for_crossing(brain, crossing(id, plans, zones, request.allow_protected))
    made = EditPreview(
        preview_id=id,
        agent_id=brain.actor.id,
        files=tuple(map(planned_file, plans)),
        plan_digest=plan_digest(plans),
        graph_generation=brain.log.generation(),
        expires_at=kept_until(brain, stamp),
        allow_protected=request.allow_protected,
    )
    brain.plans.keep(made.preview_id, {plan.path: plan.after for plan in plans})
    brain.app.record_edit_preview(made, new_command(brain, "edit_preview", arguments))
    previewed = EditPreviewed(
        made.preview_id,
        made.expires_at,
        made.files,
        unified_diff(plans),
        unverified("none", "a preview is not compiled"),
        brain.log.generation(),
        stamp_field(stamp),
        milliseconds_left(brain, made.expires_at),
    )
    return previewed, plans


def _check_distinct(brain: Brain, changes: Sequence[PlannedChange]) -> None:
    """No two entries may mean one file, by a link either. Raises Refused(bad_plan | outside_root)."""
    taken: dict[str, str] = {}
    for change in changes:
        real = brain.writer.real_path(change.path)
        if real in taken:
            refuse(
                "bad_plan",
                f"{taken[real]} and {change.path} are one file",
                "join their changes to one entry",
                files=[taken[real], change.path],
            )
        taken[real] = change.path


def _commit(
    brain: Brain, request: EditCommitRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> EditCommitted:
    started = time.perf_counter()
    if not request.confirm:
        hint = f"m1nd edit commit {request.preview_id} --yes"
        refuse("confirm_required", "confirm must be true", hint, preview_id=request.preview_id)
    require_at_work(brain, request.mission_id)
    state = _open_preview(brain, request.preview_id)
    made = state.preview
    bring_up_to_date(brain, progress)
    plans = _same_files(brain, made)
    with proven(brain, plans, shown_again(state.life.again, made.allow_protected)):
        zones = require_reason(brain, plans, made.allow_protected)
        stamp = crossing(made.preview_id, plans, zones, made.allow_protected)
        require_crossing(brain, stamp, zones)
        verification = verify_plans(brain, plans, request.verify, progress)
        receipt = _receipt(made.files, verification_field(verification), started)
        if zones:
            receipt["protected_zone"] = crossed(zones, made.allow_protected)
        command = new_command(brain, "edit_commit", arguments)
        warnings = _write(brain, state, plans, receipt, command, stamp, request.mission_id)
    brain.plans.drop([made.preview_id])
    recorded = brain.app.edit(state.edit_id)
    assert recorded is not None
    return EditCommitted(
        state.edit_id,
        made.preview_id,
        recorded.receipt or {},
        brain.log.generation(),
        (*warnings, *refresh_after_write(brain)),
    )


def _open_preview(brain: Brain, id: str) -> EditState:
    """The preview that this actor may commit now.

    Raises Refused(preview_unknown | preview_expired | preview_wrong_agent).
    """
    state = brain.app.edit(id) if id.startswith("edp_") else None
    if state is None:
        refuse("preview_unknown", f"there is no preview {id}", "m1nd edit preview FILE", preview_id=id)
    state.life.require_open(brain.actor.id, brain.clock.now())
    return state


def _same_files(brain: Brain, made: EditPreview) -> tuple[FilePlan, ...]:
    """The kept plan over today's files. Raises Refused(preview_unknown | source_modified)."""
    kept = brain.plans.load(made.preview_id)
    planned = {file.file_path: file.after_hash for file in made.files}
    if kept is None or {path: digest_of(after) for path, after in kept.items()} != planned:
        refuse(
            "preview_unknown",
            f"the planned bytes of {made.preview_id} are gone from the state folder, or are not those of the preview",
            "m1nd edit preview FILE",
            preview_id=made.preview_id,
        )
    plans: list[FilePlan] = []
    for file in made.files:
        before = brain.writer.read(file.file_path)
        if digest_of(before) != file.base_hash:
            what = (
                "is gone"
                if before is None
                else "changed after the preview"
                if file.base_hash
                else "exists now"
            )
            refuse(
                "source_modified",
                f"{file.file_path} {what}; nothing was written",
                "m1nd edit preview FILE",
                path=file.file_path,
                preview_id=made.preview_id,
                expected=file.base_hash,
                found=digest_of(before),
            )
        plans.append(FilePlan(file.file_path, before, kept[file.file_path]))
    return tuple(plans)


def _receipt(files: Sequence[PlannedFile], verification: Mapping[str, Any], started: float) -> dict[str, Any]:
    return {
        "files_changed": [f.file_path for f in files if f.base_hash and f.after_hash],
        "files_created": [f.file_path for f in files if not f.base_hash],
        "files_removed": [f.file_path for f in files if not f.after_hash],
        "lines_added": sum(f.lines_added for f in files),
        "lines_removed": sum(f.lines_removed for f in files),
        "verification": dict(verification),
        "elapsed_ms": round((time.perf_counter() - started) * 1000),
    }


def _write(
    brain: Brain,
    state: EditState,
    plans: Sequence[FilePlan],
    receipt: dict[str, Any],
    command: Command,
    stamp: Used | None,
    mission_id: str,
) -> tuple[str, ...]:
    """Files and events, all or none; answers what was mended on the way."""
    written = tuple(map(written_file, plans))
    hashes = brain.graph.hashes()
    journal = f"jrn_{brain.ids.hex(16)}"

    def record() -> None:
        brain.app.record_edit_commit(
            state.preview.preview_id,
            agent_id=brain.actor.id,
            receipt=receipt,
            files=written,
            journal_id=journal,
            change=graph_change("edit", written, state.edit_id),
            command=command,
            stamp=stamp,
            hashes=hashes,
            mission_id=mission_id,
        )

    try:
        return brain.writer.apply(journal, plans, record).repairs
    except Refused as refused:
        if refused.refusal.code == "source_modified":
            raise Refused(evolve(refused.refusal, hint=state.life.again)) from refused
        raise
