"""`system_blocks_reconcile`, `_amend`, `_archive`, `_restore`, `_delete`, `_layout`: what is done to ratified blocks."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from attrs import frozen
from pydantic import ValidationError

from m1nd.application.boundary_records import Reconciliation, check_terms
from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.map_reading import expect, look, require_map
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.domain.blocks.block_state import BlockState, Lifecycle
from m1nd.domain.blocks.candidate_ops import read_ops
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.layout import FIELD, Layout, first_layout
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.membership import Member
from m1nd.domain.blocks.sockets import Sockets
from m1nd.domain.blocks.templates import template
from m1nd.domain.commands import request_digest
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown

Versions = Mapping[str, int] | None


@frozen
class Amendment:
    """What is asked for: one part, or drift put off. Entries of `add` replace those of the same path."""

    add: Sequence[Mapping[str, Any]] = ()
    remove: Sequence[str] = ()
    contract: Mapping[str, Any] | None = None
    template: str = ""
    sockets: Mapping[str, Any] | None = None
    snooze_until: str = ""
    dismiss: str = ""
    reason: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        given = {
            "boundary": bool(self.add or self.remove),
            "contract": self.contract is not None or bool(self.template),
            "sockets": self.sockets is not None,
            "snooze": bool(self.snooze_until),
            "dismiss": bool(self.dismiss),
        }
        return tuple(name for name, is_given in given.items() if is_given)


@frozen
class Amended:
    block: BlockState
    part: str
    store_version: int


def reconcile(
    brain: Brain,
    expected_store_version: int | None = None,
    expected_versions: Versions = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Take the files as they are: another set of members bumps its block alone (D16).

    Only the scan of the repository says which files there are. Raises Refused(no_store | store_conflict | read_only).
    """
    brain.deny_if_read_only("system_blocks_reconcile")
    arguments = {
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }

    def work() -> Reconciliation:
        require_map(brain)
        expected = expect(brain, "system_blocks_reconcile", expected_store_version, expected_versions)
        tree = look(brain, progress)
        return brain.app.record_reconcile(
            expected, tree, new_command(brain, "system_blocks_reconcile", arguments)
        )

    return answered(brain, "system_blocks_reconcile", arguments, work)


def amend(
    brain: Brain,
    block_id: str,
    amendment: Amendment,
    expected_store_version: int | None = None,
    expected_versions: Versions = None,
    progress: Progress | None = None,
) -> Amended:
    """Change one part of a live block. A boundary then waits for a signature; a contract needs a stamp.

    Raises Refused(usage | unknown_block | block_not_ratified | block_archived | primary_conflict | block_empty |
    contract_broken | contract_empty | socket_leak | socket_dangling | no_drift | human_gesture_required | store_conflict).
    """
    brain.deny_if_read_only("system_blocks_amend")
    arguments = {
        "block_id": block_id,
        "parts": [
            str(part) for part in (amendment.add, amendment.remove, amendment.contract, amendment.sockets)
        ],
        "others": [amendment.template, amendment.snooze_until, amendment.dismiss, amendment.reason],
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }

    def work() -> Amended:
        require_map(brain)
        expected = expect(brain, "system_blocks_amend", expected_store_version, expected_versions)
        part = _one_part(amendment)
        version = _amend(brain, block_id, part, amendment, expected, arguments, progress)
        block = brain.app.block(block_id)
        assert block is not None
        return Amended(block, part, version)

    return answered(brain, "system_blocks_amend", arguments, work)


def _one_part(amendment: Amendment) -> str:
    if len(amendment.parts) != 1:
        refuse(
            "usage",
            f"an amendment changes one part, not {len(amendment.parts)}: boundary (add, remove), contract (template), "
            "sockets, or drift (snooze, dismiss)",
            "m1nd blocks amend --help",
        )
    return amendment.parts[0]


def _amend(
    brain: Brain,
    block_id: str,
    part: str,
    amendment: Amendment,
    expected: Expected,
    arguments: Mapping[str, Any],
    progress: Progress | None,
) -> int:
    tree = look(brain, progress)
    command = new_command(brain, "system_blocks_amend", arguments)
    block = _live(brain, block_id)
    match part:
        case "boundary":
            membership = _membership(block, amendment)
            return brain.app.record_boundary(block_id, membership, expected, tree, command)
        case "contract":
            contract = _contract(block, amendment, brain.actor.id, command.at)
            check_terms(block_id, contract)
            if contract.same_terms(block.contract):
                return brain.app.store_version()
            stamp = _contract_stamp(brain, block, contract, amendment.reason)
            return brain.app.record_contract(
                block_id, contract, amendment.reason, expected, stamp, tree, command
            )
        case "sockets":
            sockets = _read(Sockets, amendment.sockets or {}, "sockets")
            return brain.app.record_sockets(block_id, sockets, expected, tree, command)
        case "snooze":
            until = _time(amendment.snooze_until)
            return brain.app.record_drift(block_id, expected, tree, command, snooze_until=until)
        case _:
            return brain.app.record_drift(block_id, expected, tree, command, dismiss=amendment.dismiss[:400])


def _live(brain: Brain, block_id: str) -> BlockState:
    block = brain.app.block(block_id)
    if block is None:
        skeleton = brain.app.skeleton()
        candidate = skeleton is not None and block_id in skeleton.candidates
        refuse(
            "block_not_ratified" if candidate else "unknown_block",
            f"{block_id} is a candidate" if candidate else f"unknown block_id {block_id}",
            "m1nd blocks edit" if candidate else "m1nd blocks show",
            block_id=block_id,
        )
    block.require_live()
    return block


def _membership(block: BlockState, amendment: Amendment) -> tuple[Member, ...]:
    added = tuple(_read(Member, row, "add") for row in amendment.add)
    gone = {*amendment.remove, *(member.path for member in added)}
    declared = {member.path for member in block.membership}
    if strange := [path for path in amendment.remove if path not in declared]:
        refuse("usage", f"{block.block_id} declares no {strange[0]!r}", "m1nd blocks show", path=strange[0])
    return (*(member for member in block.membership if member.path not in gone), *added)


def _contract(block: BlockState, amendment: Amendment, by: str, at: datetime) -> Contract:
    row = {"op": "set_contract", "block_id": block.block_id, **(amendment.contract or {})}
    if amendment.template:
        row["template"] = amendment.template
    asked = read_ops([row])[0].model_dump()
    base = template(asked["template"]) if asked["template"] else block.contract
    parts = {name: asked[name] for name in ("required", "optional", "waived") if asked[name] is not None}
    terms = {"required": base.required, "optional": base.optional, "waived": base.waived}
    made = Contract.model_validate({**terms, **parts, "waiver": asked["waiver"]})
    return made.model_copy(update={"declared_by": by, "declared_at": at.isoformat()})


def _contract_stamp(brain: Brain, block: BlockState, contract: Contract, reason: str) -> Used:
    digest = request_digest(
        "amend_contract", {"block_id": block.block_id, "version": block.version, "terms": contract.terms()}
    )
    terms = contract.terms()
    lines = [
        f"{block.block_id} ({block.name}), contract {block.contract_version} > {block.contract_version + 1}",
        *(
            f"{name}: {', '.join(entry['type'] for entry in terms[name]) or 'nothing'}"
            for name in ("required", "optional", "waived")
        ),
        *([f"requires nothing, by waiver: {contract.waiver}"] if contract.waiver else []),
        f"reason: {reason or 'none given'}",
        "every live receipt of the block goes stale",
    ]
    needed = Used(Gesture(action="amend_contract", target=block.block_id, digest=digest), shown(lines))
    require_stamp(brain, needed)
    return needed


def change_life(
    brain: Brain,
    mode: Literal["archive", "restore"],
    block_ids: Sequence[str],
    expected_store_version: int | None = None,
    expected_versions: Versions = None,
    progress: Progress | None = None,
) -> tuple[tuple[str, ...], int]:
    """Archive blocks or bring them back, all or none; answers those that changed, and the store version (D22).

    Blocks that are already so are left alone. Raises Refused(usage | unknown_block | block_not_ratified |
    human_gesture_required | store_conflict | read_only).
    """
    verb = f"system_blocks_{mode}"
    brain.deny_if_read_only(verb)
    arguments = {
        "mode": mode,
        "block_ids": list(block_ids),
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }

    def work() -> tuple[tuple[str, ...], int]:
        require_map(brain)
        if not block_ids:
            refuse("usage", f"name the blocks to {mode}", "m1nd blocks show")
        expected = expect(brain, verb, expected_store_version, expected_versions)
        tree = look(brain, progress)
        stamp = _life_stamp(brain, mode, block_ids)
        command = new_command(brain, verb, arguments)
        record = brain.app.record_archive if mode == "archive" else brain.app.record_restore
        changed = record(block_ids, expected, stamp, tree, command)
        return changed, brain.app.store_version()

    return answered(brain, verb, arguments, work)


def _life_stamp(brain: Brain, mode: Literal["archive", "restore"], block_ids: Sequence[str]) -> Used | None:
    """The stamp for those blocks that would change; None where none would."""
    blocks = [_known(brain, id) for id in sorted(set(block_ids))]
    wanted = Lifecycle.RATIFIED if mode == "archive" else Lifecycle.ARCHIVED
    concerned = [block for block in blocks if block.lifecycle is wanted]
    if not concerned:
        return None
    digest = request_digest(mode, {block.block_id: block.version for block in concerned})
    verb = "releases" if mode == "archive" else "reclaims, where still free,"
    lines = [
        f"{block.block_id} ({block.name}) {verb} {len(block.baseline.members)} file(s)" for block in concerned
    ]
    target = concerned[0].block_id if len(concerned) == 1 else f"{len(concerned)} blocks"
    needed = Used(Gesture(action=f"{mode}_blocks", target=target, digest=digest), shown(lines))
    require_stamp(brain, needed)
    return needed


def _known(brain: Brain, block_id: str) -> BlockState:
    """A ratified or archived block. Raises Refused(unknown_block | block_not_ratified)."""
    block = brain.app.block(block_id)
    if block is None or block.lifecycle is Lifecycle.TOMBSTONED:
        skeleton = brain.app.skeleton()
        if skeleton is not None and block_id in skeleton.candidates:
            refuse("block_not_ratified", f"{block_id} is a candidate", "m1nd blocks edit", block_id=block_id)
        refuse("unknown_block", f"unknown block_id {block_id}; nothing was changed", block_id=block_id)
    return block


def delete(
    brain: Brain,
    block_id: str,
    expected_store_version: int | None = None,
    expected_versions: Versions = None,
    progress: Progress | None = None,
) -> int:
    """Take an archived block off the map; answers the store version (D22).

    Raises Refused(delete_unsafe | unknown_block | block_not_ratified | human_gesture_required | store_conflict).
    """
    brain.deny_if_read_only("system_blocks_delete")
    arguments = {
        "block_id": block_id,
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }

    def work() -> int:
        require_map(brain)
        expected = expect(brain, "system_blocks_delete", expected_store_version, expected_versions)
        tree = look(brain, progress)
        block = _known(brain, block_id)
        missions = _open_missions(brain, block_id)
        brain.app.require_deletable(block_id, missions, tree, new_command(brain, "check", arguments))
        digest = request_digest("delete", {block_id: block.version})
        needed = Used(
            Gesture(action="delete_block", target=block_id, digest=digest),
            shown([f"{block_id} ({block.name}) leaves the map for good; the log keeps its history"]),
        )
        require_stamp(brain, needed)
        command = new_command(brain, "system_blocks_delete", arguments)
        return brain.app.record_delete(block_id, expected, needed, missions, tree, command)

    return answered(brain, "system_blocks_delete", arguments, work)


def _open_missions(brain: Brain, block_id: str) -> tuple[str, ...]:
    standing = tuple(state for state in State if not state.is_terminal)
    return tuple(row.mission_id for row in brain.views.missions(standing, block_id, 1000))


def pin(
    brain: Brain,
    block_id: str,
    x: int | None,
    y: int | None,
    locked: bool,
    expected_store_version: int | None = None,
    expected_versions: Versions = None,
) -> tuple[Layout, int]:
    """Pin a block to its place, or let it go back to its first one; answers the layout and the store version.

    Raises Refused(usage | unknown_block | block_not_ratified | block_archived | store_conflict | read_only).
    """
    brain.deny_if_read_only("system_blocks_layout")
    arguments = {
        "block_id": block_id,
        "x": x,
        "y": y,
        "locked": locked,
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }

    def work() -> tuple[Layout, int]:
        require_map(brain)
        expected = expect(brain, "system_blocks_layout", expected_store_version, expected_versions)
        before = _live(brain, block_id).draft.layout
        layout = _placed(block_id, before, x, y, locked)
        command = new_command(brain, "system_blocks_layout", arguments)
        return layout, brain.app.record_layout(block_id, layout, expected, look(brain), command)

    return answered(brain, "system_blocks_layout", arguments, work)


def _placed(block_id: str, before: Layout, x: int | None, y: int | None, locked: bool) -> Layout:
    if (x is None) is not (y is None) or any(not 0 <= at < FIELD for at in (x, y) if at is not None):
        refuse("usage", f"a place is x and y, both from 0 to {FIELD - 1}", "m1nd blocks layout --help")
    first = first_layout(block_id)
    place = {"x": x, "y": y} if x is not None else {"x": before.x, "y": before.y}
    if not locked and x is None:
        place = {"x": first.x, "y": first.y}
    if place["x"] is None:
        place = {"x": first.x, "y": first.y}
    seed = before.algorithm_seed or first.algorithm_seed
    made = Layout(**place, locked=locked, algorithm_seed=seed, version=before.version)
    return made if made == before else made.model_copy(update={"version": before.version + 1})


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        refuse("usage", f"{text!r} is no time with a zone (2026-05-01T12:00:00+00:00)")
    return time


def _read(kind: Any, row: Mapping[str, Any], field: str) -> Any:
    try:
        return kind.model_validate(dict(row))
    except (ValidationError, ValueError, TypeError) as error:
        what = error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)
        refuse("usage", f"{field}: {what}", "m1nd blocks amend --help", field=field)
