"""`system_blocks_ratify`: the three signatures, each with a stamp over what was shown (D19, D40, D44)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.skeleton_records import Signed
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.map_reading import expect, look
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.source_commit import source_commit
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.domain.blocks.proposal import Ratification
from m1nd.domain.blocks.ratification import MapNow, check_part, selected
from m1nd.domain.blocks.ratification import shown as shown_of
from m1nd.domain.blocks.signatures import PARTS, Part, Shown
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown

METHOD = "session"
"""How a ratification through the three signatures is recorded; a seed keeps its own word (`pr_merge`)."""


@frozen
class Ratified:
    """What one signature did; `ratifier` and `ratified_at` are empty where it completed no block."""

    signed: Signed
    skeleton_state: str
    ratification: Ratification


def sign(
    brain: Brain,
    part: str,
    block_ids: Sequence[str] | None = None,
    expected_store_version: int | None = None,
    expected_versions: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> Ratified:
    """Give one of the three signatures; the third one of a block ratifies it.

    Without `block_ids`: every candidate, and for boundaries every block whose boundary moved. Raises
    Refused(human_gesture_required | needs_owner_naming | primary_conflict | block_empty | contract_empty | no_store |
    unknown_block | block_not_candidate | nothing_to_sign | store_conflict | expected_version_required | read_only).
    """
    brain.deny_if_read_only("system_blocks_ratify")
    arguments = {
        "sign": part,
        "block_ids": None if block_ids is None else list(block_ids),
        "expected_store_version": expected_store_version,
        "expected_versions": expected_versions,
    }
    return answered(brain, "system_blocks_ratify", arguments, lambda: _sign(brain, arguments, progress))


def _sign(brain: Brain, arguments: Mapping[str, Any], progress: Progress | None) -> Ratified:
    part = part_of(arguments["sign"])
    expected = expect(
        brain, "system_blocks_ratify", arguments["expected_store_version"], arguments["expected_versions"]
    )
    tree = look(brain, progress)
    what, rows, now = what_is_signed(brain, part, arguments["block_ids"], tree)
    expected.check_store(brain.app.store_version())
    needed = needed_stamp(part, now.skeleton.skeleton_id, what, rows)
    require_stamp(brain, needed, f"{len(rows)} block(s)")
    command = new_command(brain, "system_blocks_ratify", arguments)
    # Whoever calls, it is the owner's stamp that ratifies.
    record = Ratification(
        method=METHOD,
        ratifier=brain.actor.id if brain.actor.kind == "owner" else "owner",
        ratified_at=command.at.isoformat(),
        commit=source_commit(brain),
    )
    signed = brain.app.record_signature(part, arguments["block_ids"], expected, needed, record, tree, command)
    state = brain.app.skeleton()
    assert state is not None
    return Ratified(signed, state.stage, record if signed.ratified else Ratification())


def part_of(text: str) -> Part:
    """Raises Refused(usage)."""
    for part in PARTS:
        if part == text:
            return part
    refuse(
        "usage", f"a signature is over {', '.join(PARTS)}, not {text!r}", "m1nd blocks ratify --sign names"
    )


def what_is_signed(
    brain: Brain, part: Part, block_ids: Sequence[str] | None, tree: Tree
) -> tuple[Shown, tuple[dict[str, Any], ...], MapNow]:
    """What a signature would be over now, checked as it will be. Raises as `sign`."""
    now = brain.app.map_now(tree)
    if now is None:
        refuse("no_store", "no system-block store here yet; import a seed or make a candidate")
    ids = selected(now, part, block_ids)
    check_part(now, part, ids)
    what, rows = shown_of(now, part, ids)
    return what, rows, now


def needed_stamp(part: Part, skeleton_id: str, what: Shown, rows: Iterable[Mapping[str, Any]]) -> Used:
    """The stamp of one signature: one for each of the three (D44)."""
    gesture = Gesture(action=f"sign_{part}", target=skeleton_id, digest=what.digest)
    return Used(gesture, shown(line for row in rows for line in lines_of(part, row)))


def lines_of(part: Part, row: Mapping[str, Any]) -> list[str]:
    """What a person reads of one block before the signature."""
    id = row["block_id"]
    if part == "names":
        return [f"{id}: {row['name']} ({row['kind']})", f"    {row['purpose']}"]
    if part == "boundaries":
        sockets = row["sockets"]
        return [
            f"{id}: {row['files']} file(s), resolution {row['resolution_hash'][:12]}",
            *(
                f"    {m['role']:<9} {m['path']}{' (optional)' if m.get('optional') else ''}"
                for m in row["membership"]
            ),
            *(f"    missing   {path}" for path in row["missing"]),
            *(
                f"    {kind.removesuffix('s'):<9} {_socket(socket)}"
                for kind in ("inputs", "outputs", "external")
                for socket in sockets[kind]
            ),
        ]
    lists = (
        f"    {name:<9} {', '.join(_entry(entry) for entry in row[name]) or 'nothing'}"
        for name in ("required", "optional", "waived")
    )
    waiver = [f"    requires nothing, by waiver: {row['waiver']}"] if row.get("waiver") else []
    return [f"{id}", *lists, *waiver]


def _entry(entry: Mapping[str, Any]) -> str:
    details = [*entry.get("stales_on", ()), *([entry["reason"]] if entry.get("reason") else [])]
    return f"{entry['type']} [{', '.join(details)}]" if details else str(entry["type"])


def _socket(socket: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(socket.items()))
