"""`transplant_preview`, `transplant_commit`, `transplant`, `transplant_discard`: the graph writes (seed 002, TRANSPLANT.md).

A preview plans and is recorded; a commit plans again on today's graph and goes on only when the plan is the same. The
files are written and the events appended under one lock; after the rename the answer is never an error.
"""

import difflib
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Never, TypeVar

from attrs import evolve, frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress, RustSnapshot, Verification
from m1nd.application.use_cases.ingest import bring_up_to_date
from m1nd.domain.base import Command, request_digest
from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.graph import FileChange, GraphChange
from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.receipt import unverified
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.zones import CONFIG, check_zones, crossings, read_zones
from m1nd.domain.path_law import normalise
from m1nd.domain.refusal import Refused, refuse
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace
from m1nd.domain.symbols import Address, SymbolMove, SymbolTable
from m1nd.domain.transplant import MoveRequest as RecordedRequest
from m1nd.domain.transplant import PlannedFile, Preview, WrittenFile, preview_id

T = TypeVar("T")

TIME_TO_LIVE = timedelta(minutes=5)
"""D28."""


@frozen
class PreviewRequest:
    """`symbol`: a name, `crate::a::name`, `sym_…` or `path:line` (D46); paths relative to the root."""

    symbol: str
    source_file: str
    dest_file: str
    allow_protected: str = ""


@frozen
class Previewed:
    preview_id: str
    expires_at: datetime
    candidate: Mapping[str, Any]
    files: tuple[PlannedFile, ...]
    diff: str
    verification: Mapping[str, Any]
    graph_rev: int


@frozen
class CommitRequest:
    """`verify`: `check`, `none`, or empty for the default (check where cargo is present, D29)."""

    preview_id: str
    confirm: bool
    verify: str = ""
    accept_unresolved: bool = False


@frozen
class Committed:
    transplant_id: str
    preview_id: str
    receipt: Mapping[str, Any]
    diff: str
    graph_rev: int
    warnings: tuple[str, ...] = ()


def preview(brain: Brain, request: PreviewRequest, progress: Progress | None = None) -> Previewed:
    """Plan a move and keep the plan for five minutes; no file changes.

    Raises Refused with every code of the plan (PORTS.md); the refusal is recorded.
    """
    arguments = _arguments(request)
    return _answered(
        brain, "transplant_preview", arguments, lambda: _preview(brain, request, arguments, progress)
    )


def commit(brain: Brain, request: CommitRequest, progress: Progress | None = None) -> Committed:
    """Carry out a preview. Checks in the order of TRANSPLANT.md; a refusal changes no byte and leaves the preview alive."""
    arguments = {
        "preview_id": request.preview_id,
        "confirm": request.confirm,
        "verify": request.verify,
        "accept_unresolved": request.accept_unresolved,
    }
    return _answered(
        brain, "transplant_commit", arguments, lambda: _commit(brain, request, arguments, progress)
    )


def move(
    brain: Brain,
    request: PreviewRequest,
    confirm: bool,
    verify: str = "",
    accept_unresolved: bool = False,
    progress: Progress | None = None,
) -> Committed:
    """Preview and commit in one call."""
    if not confirm:
        refuse("confirm_required", "a move needs confirm to be true", hint="add --yes")
    made = preview(brain, request, progress)
    return commit(brain, CommitRequest(made.preview_id, confirm, verify, accept_unresolved), progress)


def discard(brain: Brain, id: str) -> str:
    """End a preview unused. Raises Refused(preview_unknown)."""
    brain.app.discard(id, _command(brain, "transplant_discard", {"preview_id": id}))
    return id


# -- preview ----------------------------------------------------------------------------------------------------------


def _preview(
    brain: Brain, request: PreviewRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Previewed:
    bring_up_to_date(brain, progress)
    _sweep(brain)
    plan, snapshot = _plan(brain, request)
    zones = crossings(read_zones(brain.files.read(CONFIG)), plan.files)
    check_zones(zones, request.allow_protected)
    now = brain.clock.now()
    made = Preview(
        preview_id=preview_id(brain.ids.hex(16)),
        agent_id=brain.actor.id,
        request=RecordedRequest(
            symbol=request.symbol,
            source_file=normalise(request.source_file),
            dest_file=normalise(request.dest_file),
            symbol_id=_moves(plan, brain.views.symbols())[0].symbol_id,
            allow_protected=request.allow_protected,
        ),
        candidate=plan.receipt,
        files=tuple(map(_planned_file, plan.files)),
        plan_digest=plan_digest(plan.files),
        graph_generation=brain.app.generation(),
        expires_at=now + TIME_TO_LIVE,
        verification=unverified("none", "a preview is not compiled"),
    )
    brain.app.record_preview(made, _command(brain, "transplant_preview", arguments))
    return Previewed(
        made.preview_id,
        made.expires_at,
        made.candidate,
        made.files,
        unified_diff(plan.files),
        made.verification,
        snapshot.generation,
    )


def _plan(brain: Brain, request: PreviewRequest) -> tuple[MovePlan, RustSnapshot]:
    """Plan on today's graph; format what was written."""
    snapshot = brain.graph.rust()
    workspace = Workspace.build(snapshot.cargo, snapshot.facts, snapshot.sources, snapshot.parser)
    known = frozenset(snapshot.facts) | frozenset(snapshot.unreadable)
    plan = plan_move(_resolved(brain, request, workspace), workspace, known, snapshot.unreadable)
    return _formatted(brain, plan, workspace), snapshot


def _resolved(brain: Brain, request: PreviewRequest, workspace: Workspace) -> MoveRequest:
    """Ids turned into names, paths normalised, and what the log knows of an earlier move."""
    source, dest = normalise(request.source_file), normalise(request.dest_file)
    symbol = request.symbol.strip()
    if not symbol:
        refuse("usage", "name the symbol to move")
    if symbol.startswith("sym_"):
        symbol = _name_of(brain, symbol, source, workspace)
    earlier = brain.views.moved_away(source, symbol.rsplit("::", 1)[-1])
    known = (earlier.dest_file, earlier.transplant_id) if earlier is not None else None
    return MoveRequest(symbol, source, dest, known)


def _name_of(brain: Brain, symbol_id: str, source: str, workspace: Workspace) -> str:
    """The line of the item that bears `symbol_id` in the source file."""
    table = brain.views.symbols()
    for module in workspace.mounts(source):
        facts = workspace.facts[source]
        for index in facts.children(-1):
            if not facts.items[index].name:
                continue
            definition = workspace.definition(module.definition, index)
            if table.id_at(address_of(workspace, definition)) == symbol_id:
                line = workspace.sources[source].count(b"\n", 0, facts.items[index].name_start) + 1
                return f"{source}:{line}"
    refuse("symbol_not_found", f"{source} holds no item {symbol_id}", symbol_id=symbol_id)


def _formatted(brain: Brain, plan: MovePlan, workspace: Workspace) -> MovePlan:
    """Run the formatter over the text that was written; the bytes of everything else stay (seed 002 §7.7)."""
    edition = workspace.edition(plan.move.source.definition.crate)
    notes: dict[str, None] = {}
    files: list[FilePlan] = []
    for file in plan.files:
        assert file.after is not None
        text, note = brain.formatter.format(file.path, file.after, edition, plan.new.get(file.path, ()))
        notes[note if note in ("applied", "rustfmt unavailable") else f"{file.path}: {note}"] = None
        files.append(evolve(file, after=text))
    receipt = dict(plan.receipt, rustfmt="; ".join(notes))
    return evolve(plan, files=tuple(f for f in files if f.after != f.before), receipt=receipt)


def plan_digest(files: Sequence[FilePlan]) -> str:
    """sha256 over every planned file's path, bytes before and bytes after: equal digests are equal plans."""
    lines = [f"{f.path}\0{sha256(f.before or b'')}\0{sha256(f.after or b'')}" for f in files]
    return sha256("\n".join(lines).encode())


def unified_diff(files: Sequence[FilePlan]) -> str:
    """The plan as a unified diff, `a/` and `b/` before the paths."""
    parts: list[str] = []
    for file in files:
        before, after = (_text_lines(b) for b in (file.before, file.after))
        parts += difflib.unified_diff(before, after, f"a/{file.path}", f"b/{file.path}")
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in parts
    )


def _text_lines(text: bytes | None) -> list[str]:
    return (text or b"").decode("utf-8", "replace").splitlines(keepends=True)


def _planned_file(file: FilePlan) -> PlannedFile:
    before, after = _text_lines(file.before), _text_lines(file.after)
    marks = (
        [m for m in difflib.ndiff(before, after) if m[:1] in "+-"]
        if len(before) + len(after) < 4000
        else None
    )
    if marks is None:
        marks = [
            d
            for d in difflib.unified_diff(before, after, n=0)
            if d[:1] in "+-" and d[:3] not in ("+++", "---")
        ]
    return PlannedFile(
        file_path=file.path,
        base_hash=sha256(file.before) if file.before is not None else "",
        after_hash=sha256(file.after) if file.after is not None else "",
        lines_added=sum(m[:1] == "+" for m in marks),
        lines_removed=sum(m[:1] == "-" for m in marks),
    )


# -- commit -----------------------------------------------------------------------------------------------------------


def _commit(
    brain: Brain, request: CommitRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Committed:
    started = time.perf_counter()
    if not request.confirm:
        refuse("confirm_required", "confirm must be true", preview_id=request.preview_id)
    state = brain.app.open_preview(request.preview_id, brain.actor.id, brain.clock.now())
    asked = state.preview.request
    bring_up_to_date(brain, progress)
    plan = _same_plan(brain, state.preview)
    zones = crossings(read_zones(brain.files.read(CONFIG)), plan.files)
    check_zones(zones, asked.allow_protected)
    verification = _verified(brain, request, plan, progress)
    receipt = dict(
        plan.receipt,
        verification=_wire(verification),
        elapsed_ms=round((time.perf_counter() - started) * 1000),
    )
    moves = _moves(plan, brain.views.symbols())
    change = GraphChange(
        "transplant", changed=tuple(map(_file_change, plan.files)), cause=state.transplant_id
    )
    written = tuple(map(_written_file, plan.files))
    journal = f"jrn_{brain.ids.hex(16)}"
    command = _command(brain, "transplant_commit", arguments)

    def record() -> None:
        brain.app.record_commit(
            request.preview_id,
            agent_id=brain.actor.id,
            receipt=receipt,
            files=written,
            journal_id=journal,
            change=change,
            moves=moves,
            command=command,
        )

    brain.writer.apply(journal, plan.files, record)
    warnings = _after_write(brain)
    return Committed(
        state.transplant_id,
        request.preview_id,
        receipt,
        unified_diff(plan.files),
        brain.app.generation(),
        warnings,
    )


def _same_plan(brain: Brain, made: Preview) -> MovePlan:
    """Today's plan for the previewed request; a different one means that something it rests on has changed."""
    again = PreviewRequest(
        made.request.symbol, made.request.source_file, made.request.dest_file, made.request.allow_protected
    )
    snapshot = brain.graph.rust()
    for file in made.files:
        text = snapshot.sources.get(file.file_path)
        if text is None or sha256(text) != file.base_hash:
            _modified(file.file_path, made)
    try:
        plan, _ = _plan(brain, again)
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
        hint=f"m1nd transplant preview {made.request.symbol} {made.request.source_file} {made.request.dest_file}",
        path=path,
        preview_id=made.preview_id,
    )


def _verified(
    brain: Brain, request: CommitRequest, plan: MovePlan, progress: Progress | None
) -> Verification:
    """The reverse gate (A4, D29, D31). Raises Refused(unresolved_references | verification_failed | …)."""
    mode = request.verify or ("check" if brain.verifier.available() else "none")
    unresolved = plan.receipt["refs_unresolved"]
    if mode == "none":
        if unresolved and not request.accept_unresolved:
            first = unresolved[0]
            refuse(
                "unresolved_references",
                f"{len(unresolved)} reference(s) cannot be proven; the first: {first['file']}:{first['line']} "
                f"`{first['text']}`, {first['reason']}",
                hint=f"m1nd transplant commit {request.preview_id} --yes --verify check",
                refs_unresolved=unresolved,
            )
        why = "asked for" if request.verify else "cargo is not present"
        return Verification("none", False, 0, 0, 0, 0, why)
    if mode != "check":
        refuse("usage", f"verify is check or none, not {mode!r}")
    if not brain.verifier.available():
        refuse("verification_unavailable", "cargo cannot be started here")
    outcome = brain.verifier.check(plan.files, progress)
    if outcome.new_errors:
        listed = [f"{e['file']}:{e['line']}: {e['message']}" for e in outcome.new_errors[:5]]
        refuse(
            "verification_failed",
            f"the planned tree has {len(outcome.new_errors)} new error(s); nothing was written:\n"
            + "\n".join(listed),
            new_errors=list(outcome.new_errors[:5]),
        )
    if unresolved and not outcome.verified and not request.accept_unresolved:
        refuse("unresolved_references", f"{len(unresolved)} reference(s) cannot be proven: {outcome.reason}")
    return outcome


def _wire(verification: Verification) -> dict[str, Any]:
    return {
        "mode": verification.mode,
        "verified": verification.verified,
        "errors_before": verification.errors_before,
        "errors_after": verification.errors_after,
        "warnings_added": verification.warnings_added,
        "ms": verification.ms,
        "reason": verification.reason,
    }


def _after_write(brain: Brain) -> tuple[str, ...]:
    """Bring the graph's cache up to date; a failure here is a warning, the cache is derived (seed 002 §7.6)."""
    try:
        brain.graph.refresh()
    except Refused as refused:
        return (f"the graph could not be refreshed after the write: {refused.refusal.message}",)
    return ()


# -- shared -----------------------------------------------------------------------------------------------------------


def address_of(workspace: Workspace, definition: Definition) -> Address:
    """The address of an item for its `symbol_id` (D30)."""
    crate = workspace.target(definition.crate)
    module = "::".join((crate.name, *definition.path[:-1]))
    return Address(kind=definition.item_kind, module=module, name=definition.name, ordinal=definition.ordinal)


def _moves(plan: MovePlan, table: SymbolTable) -> list[SymbolMove]:
    """One step per moved item, the asked-for one first."""
    workspace = plan.move.workspace
    root = workspace.definition(plan.move.source.definition, plan.move.root)
    steps: list[SymbolMove] = []
    for old, new in sorted(plan.moved.items(), key=lambda pair: (pair[0] != root, pair[0].path)):
        source = address_of(workspace, old)
        steps.append(
            SymbolMove(symbol_id=table.id_at(source), source=source, target=address_of(workspace, new))
        )
    return steps


def _file_change(file: FilePlan) -> FileChange:
    return FileChange(path=file.path, sha256=sha256(file.after or b""), before=sha256(file.before or b""))


def _written_file(file: FilePlan) -> WrittenFile:
    return WrittenFile(
        file_path=file.path,
        before_hash=sha256(file.before) if file.before is not None else "",
        after_hash=sha256(file.after) if file.after is not None else "",
    )


def _arguments(request: PreviewRequest) -> dict[str, Any]:
    return {
        "symbol": request.symbol,
        "source_file": request.source_file,
        "dest_file": request.dest_file,
        "allow_protected": request.allow_protected,
    }


def _command(brain: Brain, verb: str, arguments: Mapping[str, Any]) -> Command:
    id = f"cmd_{brain.ids.hex(16)}"
    return Command.of(verb, arguments, id=id, at=brain.clock.now(), actor=brain.actor)


def _sweep(brain: Brain) -> None:
    """Record the end of previews whose time is over (D28)."""
    now = brain.clock.now()
    due = brain.views.due_previews(now)
    if due:
        brain.app.expire(due, now, _command(brain, "transplant_expire", {"preview_ids": list(due)}))


def _answered(brain: Brain, verb: str, arguments: Mapping[str, Any], work: Callable[[], T]) -> T:
    """Do the work; a refusal is recorded as a fact of its own, without its content, and goes on (D34)."""
    try:
        return work()
    except Refused as refused:
        if not brain.read_only:
            brain.app.record_refusal(
                refused.refusal,
                verb=verb,
                request_digest=request_digest(verb, arguments),
                command=_command(brain, verb, arguments),
            )
        raise
