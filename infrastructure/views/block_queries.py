"""The questions about the map, as SQL. Rows in, frozen rows out; no decision is taken here."""

import sqlite3

import orjson

from m1nd.application.map_views import BlockRow, MapRows, SkeletonRow
from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, Drift, Lifecycle
from m1nd.domain.blocks.membership import ResolvedMember
from m1nd.domain.blocks.proposal import Proposal, Ratification, SkeletonStage
from m1nd.domain.blocks.residue import Residue
from m1nd.domain.blocks.signatures import PARTS
from m1nd.infrastructure.views.times import time_of


def map_rows(c: sqlite3.Connection) -> MapRows | None:
    """None where there is no map."""
    head = c.execute("SELECT store_version, residue FROM map_head").fetchone()
    skeleton = c.execute(
        "SELECT skeleton_id, proposal_version, version, repo_id, source_commit, report, ratification, revision_id, "
        "revision FROM skeleton"
    ).fetchone()
    if head is None or skeleton is None:
        return None
    candidates = tuple(
        CandidateBlock.model_validate_json(text)
        for (text,) in c.execute("SELECT block FROM candidates ORDER BY block_id")
    )
    signed: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    for part, block_id, digest in c.execute("SELECT part, block_id, digest FROM signatures"):
        signed[part][block_id] = digest
    blocks = tuple(_blocks(c))
    curator = c.execute("SELECT holder, until FROM curator").fetchone() or ("", None)
    return MapRows(
        int(head[0]),
        None if head[1] is None else Residue.model_validate_json(head[1]),
        _skeleton(skeleton, bool(blocks), bool(candidates)),
        candidates,
        signed,
        blocks,
        str(curator[0]),
        None if curator[1] is None else time_of(curator[1]),
    )


def _skeleton(row: tuple[object, ...], ratified: bool, candidates: bool) -> SkeletonRow:
    id, proposal_version, version, repo, commit, report, ratification, revision_id, revision = row
    stage: SkeletonStage = "candidate" if candidates else "absent"
    if ratified:
        stage = "partially_ratified" if candidates else "ratified"
    return SkeletonRow(
        str(id),
        int(str(version)) or int(str(proposal_version)),
        stage,
        str(repo),
        str(commit),
        orjson.loads(str(report)),
        Ratification.model_validate_json(str(ratification)),
        str(revision_id),
        None if revision is None else Proposal.model_validate_json(str(revision)),
    )


def _blocks(c: sqlite3.Connection) -> list[BlockRow]:
    members: dict[str, list[ResolvedMember]] = {}
    for block_id, path, role in c.execute(
        "SELECT block_id, path, role FROM block_members ORDER BY block_id, path"
    ):
        members.setdefault(block_id, []).append(ResolvedMember.model_construct(path=path, role=role))
    broken: dict[str, dict[str, int]] = {}
    for block_id, target, position in c.execute(
        "SELECT block_id, target, position FROM broken_sockets ORDER BY block_id, target"
    ):
        broken.setdefault(block_id, {})[target] = position
    query = (
        "SELECT block_id, draft, lifecycle, boundary_version, contract_version, boundary_signed, resolution_hash, "
        "content_hash, generation, drift, dismissed, snoozed_until, missing, version, position FROM blocks "
        "ORDER BY block_id"
    )
    return [_block(row, tuple(members.get(row[0], ())), broken.get(row[0], {})) for row in c.execute(query)]


def _block(row: tuple[str, ...], members: tuple[ResolvedMember, ...], broken: dict[str, int]) -> BlockRow:
    id, draft, lifecycle, boundary, contract, boundary_signed, resolution, content, generation, *rest = row
    drift, dismissed, snoozed, missing, version, position = rest
    return BlockRow(
        id,
        BlockDraft.model_validate_json(draft),
        Lifecycle(lifecycle),
        int(boundary),
        int(contract),
        int(boundary_signed),
        resolution,
        content,
        int(generation),
        Drift() if drift == dismissed else Drift.model_validate_json(drift),
        None if snoozed is None else time_of(snoozed),
        tuple(orjson.loads(missing)),
        broken,
        members,
        int(version),
        int(position),
    )
