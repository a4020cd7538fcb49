"""The map on the wire: the object of `system_blocks_snapshot`. Holds no rule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from m1nd.domain.blocks.seed import block_wire
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.application.map_views import BlockRow
    from m1nd.application.receipt_views import ReceiptRow
    from m1nd.application.use_cases.map_reading import Snapshot
    from m1nd.domain.blocks.block_state import CandidateBlock

STORE = "m1nd-system-block-store-v0"
HONEST = "no system-block store here yet: import a seed or make a candidate"
RUNTIME = "no runtime signal"
STANDINGS = ("evidence_backed", "needs_evidence", "broken", "unknown")


def snapshot_object(found: Snapshot | None, block_id: str = "") -> dict[str, Any]:
    if found is None:
        if block_id:
            refuse("no_store", HONEST)
        return {
            "present": False,
            "honest": HONEST,
            "store_version": 0,
            "block_count": 0,
            "skeleton_coherence": None,
            "rollup": None,
            "store": None,
        }
    store = _store(found)
    if block_id:
        store["blocks"] = [block for block in store["blocks"] if block["block_id"] == block_id]
        if not store["blocks"]:
            refuse("unknown_block", f"unknown block_id {block_id}", "m1nd blocks show", block_id=block_id)
    return {
        "present": True,
        "honest": None,
        "store_version": found.rows.store_version,
        "block_count": len(found.live) + len(found.rows.candidates),
        "skeleton_coherence": found.coherence.wire(),
        "rollup": rollup_counts(found),
        "store": store,
    }


def rollup_counts(found: Snapshot) -> dict[str, int]:
    """Blocks by evidence; archived and planned ones and candidates are counted apart (BLOCKS.md, roll-up)."""
    scanned = [block for block in found.live if block.draft.kind == "scanned"]
    standings = Counter(found.evidence[block.block_id].standing.value for block in scanned)
    return {
        **{name: standings[name] for name in STANDINGS},
        "planned": len(found.live) - len(scanned),
        "candidates": len(found.rows.candidates),
        "archived": sum(block.lifecycle.value == "archived" for block in found.rows.blocks),
    }


def _store(found: Snapshot) -> dict[str, Any]:
    rows = found.rows
    skeleton = rows.skeleton
    shown = [block for block in rows.blocks if block.lifecycle.value != "tombstoned"]
    store: dict[str, Any] = {
        "schema": STORE,
        "store_version": rows.store_version,
        "skeleton": {
            "skeleton_id": skeleton.skeleton_id,
            "version": skeleton.version,
            "state": skeleton.stage,
            "ratification": skeleton.ratification.model_dump(),
            "signed": {part: sorted(ids) for part, ids in rows.signed.items()},
        },
        "blocks": [
            *(_block(found, block) for block in shown),
            *(_candidate(found, block) for block in rows.candidates),
        ],
        "unmapped_policy": {"visible": True, "default_action": "leave_unmapped_until_ratified"},
        "unmapped_files": list(found.residue.unmapped),
        "unmapped_total": found.residue.unmapped_total,
        "contested": [{"path": p, "block_ids": list(ids)} for p, ids in found.contested.items()],
    }
    if skeleton.revision is not None:
        store["candidate_revision"] = {
            "revision_id": skeleton.revision_id,
            "block_ids": [block.block_id for block in skeleton.revision.blocks],
            "report": skeleton.revision.report,
        }
    if rows.curating_by and rows.curating_until is not None and found.as_of < rows.curating_until:
        store |= {"curating_by": rows.curating_by, "curating_until": rows.curating_until.isoformat()}
    return store


def _block(found: Snapshot, block: BlockRow) -> dict[str, Any]:
    state = "ratified" if block.is_live else block.lifecycle.value
    wire = block_wire(block.block_id, block.draft, state, (block.boundary_version, block.contract_version))
    evidence = found.evidence.get(block.block_id)
    return {
        **wire,
        "layout": block.layout.wire(),
        "receipts": [_receipt(row) for row in found.receipts.get(block.block_id, ())],
        "resolved": {
            "external_ids": [member.external_id for member in block.members],
            "member_paths": [member.path for member in block.members],
            "resolution_hash": block.resolution_hash,
            "content_hash": block.content_hash,
            "resolved_at_scan": block.generation,
        },
        "version": block.version,
        "evidence": None
        if evidence is None
        else {
            "standing": evidence.standing.value,
            "have": evidence.have,
            "need": evidence.need,
            "missing": list(evidence.missing),
            "reasons": list(evidence.reasons),
            "runtime": RUNTIME,
        },
        "signed": {"boundary": block.boundary_signed, "needs_signature": needs_signature(block)},
        "drift": {"added": list(block.drift.added), "vanished": list(block.drift.vanished)},
        "missing": list(block.missing),
        "broken_sockets": sorted(block.broken_sockets),
    }


def _candidate(found: Snapshot, block: CandidateBlock) -> dict[str, Any]:
    wire = block_wire(
        block.block_id, block.draft, "candidate", (block.boundary_version, block.contract_version)
    )
    signed = [part for part, ids in found.rows.signed.items() if block.block_id in ids]
    return {
        **wire,
        "resolved": None,
        "version": 0,
        "evidence": None,
        "signed": {part: part in signed for part in found.rows.signed},
        "drift": {"added": [], "vanished": []},
        "missing": [],
        "broken_sockets": [],
    }


def _receipt(row: ReceiptRow) -> dict[str, Any]:
    return {
        "receipt_id": row.receipt_id,
        "type": row.type,
        "outcome": row.outcome,
        "stage": row.stage,
        "reason": row.reason,
        "emitter": row.emitter,
        "solicited": row.solicited,
        "imported_at": row.imported_at.isoformat(),
    }


def needs_signature(block: BlockRow) -> bool:
    return block.is_live and block.boundary_signed < block.boundary_version
