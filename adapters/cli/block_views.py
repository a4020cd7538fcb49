"""How the map looks: the tables that a person reads. Holds no rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from m1nd.adapters.cli.block_wire import HONEST, RUNTIME, needs_signature, rollup_counts
from m1nd.adapters.cli.context import Answer
from m1nd.adapters.cli.text import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from m1nd.application.boundary_records import Reconciliation
    from m1nd.application.map_views import BlockRow
    from m1nd.application.use_cases.map_reading import Snapshot
    from m1nd.application.use_cases.ratifying import Ratified

STYLES = {"evidence_backed": "good", "needs_evidence": "warn", "broken": "bad", "unknown": "quiet"}
SHOWN_UNMAPPED = 8
BUMP_NOTE = (
    "receipts earned against the older boundary are out of scope; sign: m1nd blocks ratify --sign boundaries"
)


def show_none(console: Console) -> None:
    console.print(HONEST)
    console.print("\npropose one with: m1nd blocks candidate; or take a seed with: m1nd blocks import FILE")


def show_map(console: Console, found: Snapshot) -> None:
    """The head, one line a block, what needs somebody, and what no block owns."""
    from m1nd.adapters.cli.render import facts

    skeleton = found.rows.skeleton
    console.print(
        facts(
            [
                ("map", f"{skeleton.skeleton_id}, {skeleton.stage.replace('_', ' ')}"),
                ("version", str(found.rows.store_version)),
                ("blocks", _counts(found)),
                ("coherence", _coherence(found)),
                ("runtime", RUNTIME),
            ]
        )
    )
    if found.live:
        console.print()
        _show_live(console, found)
    if found.rows.candidates:
        console.print()
        _show_candidates(console, found)
    _show_archived(console, found)
    _show_unmapped(console, found)
    _show_steps(console, found)


def _counts(found: Snapshot) -> str:
    counts = rollup_counts(found)
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in counts.items() if n) or "none"


def _coherence(found: Snapshot) -> str:
    c = found.coherence
    return "ok" if c.is_ok else f"mismatch: the folder says {c.expected_slug}, the map {c.found_slug}"


def _show_live(console: Console, found: Snapshot) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.render import table

    rows = table("block", "name", "evidence", "", "files", "versions", "stale or open", right=(4,))
    for block in found.live:
        evidence = found.evidence[block.block_id]
        words = "planned" if block.draft.kind == "planned" else evidence.standing.value.replace("_", "-")
        rows.add_row(
            block.block_id,
            block.draft.name,
            Text(words, STYLES[evidence.standing.value]),
            f"{evidence.have}/{evidence.need}",
            f"{len(block.members):,}",
            f"b{block.boundary_version} c{block.contract_version}",
            _trouble(found, block),
        )
    console.print(rows)


def _trouble(found: Snapshot, block: BlockRow) -> Text:
    """Why a block is not at rest: what is stale and why, drift, signatures, sockets."""
    from rich.text import Text

    evidence = found.evidence[block.block_id]
    newest = {row.type: row for row in reversed(found.receipts.get(block.block_id, ()))}
    stale = [
        f"{type} stale ({newest[type].reason})" if type in newest and newest[type].reason else f"no {type}"
        for type in evidence.missing
    ]
    parts = [
        *(f"{reason}" for reason in evidence.reasons),
        *(["boundary unsigned"] if needs_signature(block) else []),
        *(
            [f"drift +{len(block.drift.added)} -{len(block.drift.vanished)}"]
            if found.shown_drift(block)
            else []
        ),
        *([f"{len(block.missing)} missing"] if block.missing else []),
        *stale,
    ]
    return Text("; ".join(parts) or "-", "quiet" if not parts else "default")


def _show_candidates(console: Console, found: Snapshot) -> None:
    from m1nd.adapters.cli.render import table

    rows = table("candidate", "name", "named by", "entries", "signed", right=(3,))
    for block in found.rows.candidates:
        meta = block.draft.candidate_meta
        signed = [part for part, ids in found.rows.signed.items() if block.block_id in ids]
        named = "-" if meta is None else f"{meta.named_by}{' (needs you)' if meta.needs_owner_naming else ''}"
        rows.add_row(
            block.block_id,
            block.draft.name,
            named,
            str(len(block.draft.membership)),
            ", ".join(signed) or "-",
        )
    console.print(rows)


def _show_archived(console: Console, found: Snapshot) -> None:
    archived = [block.block_id for block in found.rows.blocks if block.lifecycle.value == "archived"]
    if archived:
        console.print(f"\narchived: {', '.join(archived)}", style="quiet")


def _show_unmapped(console: Console, found: Snapshot) -> None:
    residue = found.residue
    console.print(
        f"\nunmapped: {residue.unmapped_total:,} of {counted(residue.scanned, 'file')}; "
        "they stay so until a person assigns them"
    )
    for path in residue.unmapped[:SHOWN_UNMAPPED]:
        console.print(f"  {path}", style="path")
    if residue.unmapped_total > SHOWN_UNMAPPED:
        console.print(
            f"  and {residue.unmapped_total - SHOWN_UNMAPPED:,} more (--json names 500)", style="quiet"
        )
    for path, ids in found.contested.items():
        console.print(f"  contested: {path} between {' and '.join(ids)}", style="warn")


def _show_steps(console: Console, found: Snapshot) -> None:
    """The next thing that somebody would do."""
    skeleton = found.rows.skeleton
    if skeleton.revision is not None:
        console.print(
            f"\na revision of {counted(len(skeleton.revision.blocks), 'block')} lies beside the map: "
            "m1nd blocks candidate --promote, or --discard"
        )
    if found.rows.candidates:
        console.print("\nratify with: m1nd blocks ratify")
    elif any(map(needs_signature, found.live)):
        console.print("\nsign what moved with: m1nd blocks ratify --sign boundaries")
    elif any(map(found.shown_drift, found.live)):
        console.print("\ntake the files as they are with: m1nd blocks reconcile")


def show_block(console: Console, block: Mapping[str, Any]) -> None:
    """One block with all its parts."""
    from m1nd.adapters.cli.render import facts

    contract = block["receipt_contract"]
    evidence = block["evidence"]
    console.print(f"{block['block_id']}: {block['name']}", style="name")
    console.print(block["purpose"])
    console.print(
        facts(
            [
                ("state", f"{block['state']}, {block['kind']}"),
                ("versions", f"boundary {block['boundary_version']}, contract {block['contract_version']}"),
                (
                    "evidence",
                    "-"
                    if evidence is None
                    else f"{evidence['standing'].replace('_', '-')} {evidence['have']}/{evidence['need']}",
                ),
                *(
                    (name, ", ".join(entry["type"] for entry in contract[name]) or "none")
                    for name in ("required", "optional", "waived")
                ),
                ("files", str(len((block["resolved"] or {}).get("member_paths", ())))),
                ("place", f"{block['layout']['x']}, {block['layout']['y']}"),
            ]
        )
    )
    console.print("\nboundary")
    for entry in block["membership"]:
        console.print(
            f"  {entry['role']:<15} {entry['path']}{' (optional)' if entry.get('optional') else ''}"
        )
    _show_list(console, "sockets", (_socket(*pair) for pair in _sockets(block["sockets"])))
    _show_list(console, "missing", block["missing"])
    drift = block["drift"]
    _show_list(
        console, "drift", [*(f"+ {p}" for p in drift["added"]), *(f"- {p}" for p in drift["vanished"])]
    )
    _show_list(
        console,
        "receipts",
        (
            f"{r['type']:<11} {r['outcome']:<5} {r['stage']}{' (' + r['reason'] + ')' if r['reason'] else ''}  "
            f"{r['receipt_id']}"
            for r in block["receipts"]
        ),
    )


def _sockets(sockets: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterable[tuple[str, Mapping[str, str]]]:
    return ((kind, socket) for kind in ("inputs", "outputs", "external") for socket in sockets[kind])


def _socket(kind: str, socket: Mapping[str, str]) -> str:
    return f"{kind.removesuffix('s'):<9} {' '.join(f'{k}={v}' for k, v in sorted(socket.items()))}"


def _show_list(console: Console, heading: str, lines: Iterable[str]) -> None:
    shown = list(lines)
    if shown:
        console.print(f"\n{heading}")
        for line in shown[:50]:
            console.print(f"  {line}", soft_wrap=True)
        if len(shown) > 50:
            console.print(f"  and {len(shown) - 50:,} more", style="quiet")


def ratified_answer(done: Sequence[Ratified]) -> Answer:
    """The answer of one signature, or of the last of several."""
    last = done[-1]
    ratified = sorted({id for step in done for id in step.signed.ratified})
    record = next((step.ratification for step in reversed(done) if step.signed.ratified), None)
    data = {
        "store_version": last.signed.store_version,
        "sign": last.signed.part,
        "signed_block_ids": list(last.signed.signed),
        "ratified_block_ids": ratified,
        "voided": [{"part": part, "block_ids": list(ids)} for part, ids in last.signed.voided],
        "skeleton_state": last.skeleton_state,
        "ratifier": None if record is None else record.ratifier,
        "ratified_at": None if record is None else record.ratified_at,
    }

    def show(console: Console) -> None:
        for step in done:
            console.print(f"signed: {step.signed.part} of {counted(len(step.signed.signed), 'block')}")
            for part, ids in step.signed.voided:
                console.print(f"void: {part} of {', '.join(ids)}; the files changed since", style="warn")
        if ratified:
            console.print(f"ratified: {', '.join(ratified)}", style="good")

    return Answer(data, show)


def reconciled_answer(done: Reconciliation) -> Answer:
    bumped = [row for row in done.blocks if row.outcome == "bumped"]
    data = {
        "dirty": done.dirty,
        "blocks": [
            {
                "block_id": row.block_id,
                "outcome": row.outcome,
                "boundary_version": row.boundary_version,
                "resolved_count": row.resolved_count,
                "added": list(row.added),
                "removed": list(row.removed),
                "missing": list(row.missing),
            }
            for row in done.blocks
        ],
        "bumped_block_ids": [row.block_id for row in bumped],
        "unmapped_total": done.residue.unmapped_total,
        "unmapped": list(done.residue.unmapped),
        "contested": [{"path": p, "block_ids": list(ids)} for p, ids in done.contested.items()],
        "note": BUMP_NOTE if bumped else None,
        "store_version": done.store_version,
        "file_count": done.residue.scanned,
    }

    def show(console: Console) -> None:
        for row in bumped:
            console.print(
                f"{row.block_id}: boundary {row.boundary_version}, +{len(row.added)} -{len(row.removed)} file(s)"
            )
        if bumped:
            console.print(BUMP_NOTE, style="warn")
        else:
            console.print("no boundary moved")
        console.print(f"unmapped: {done.residue.unmapped_total:,} of {counted(done.residue.scanned, 'file')}")

    return Answer(data, show)
