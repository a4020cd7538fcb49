"""The map: store version, skeleton, candidates with their signatures, blocks with their files, and the curator."""

import sqlite3
from collections.abc import Iterable
from typing import Any

import orjson

from m1nd.domain.base import Event, Value
from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, Drift, Lifecycle
from m1nd.domain.blocks.lease import Lease
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.membership import ResolvedMember
from m1nd.domain.blocks.proposal import Proposal, Ratification
from m1nd.domain.blocks.skeleton import SignatureEvent, Skeleton
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.infrastructure.views.projection import Projection
from m1nd.infrastructure.views.times import text_of
from m1nd.infrastructure.views.versions import VERSIONS

BLOCKS = Projection(
    "blocks",
    VERSIONS["blocks"],
    {
        "map_head": (
            "one INTEGER NOT NULL PRIMARY KEY, store_version INTEGER NOT NULL, cause TEXT NOT NULL, residue TEXT, "
            "position INTEGER NOT NULL"
        ),
        "skeleton": (
            "one INTEGER NOT NULL PRIMARY KEY, skeleton_id TEXT NOT NULL, proposal_version INTEGER NOT NULL, "
            "version INTEGER NOT NULL, repo_id TEXT NOT NULL, "
            "source_commit TEXT NOT NULL, report TEXT NOT NULL, ratification TEXT NOT NULL, revision_id TEXT NOT NULL, "
            "revision TEXT"
        ),
        "candidates": "block_id TEXT NOT NULL PRIMARY KEY, block TEXT NOT NULL",
        "signatures": (
            "part TEXT NOT NULL, block_id TEXT NOT NULL, digest TEXT NOT NULL, position INTEGER NOT NULL, "
            "PRIMARY KEY (part, block_id)"
        ),
        "blocks": (
            "block_id TEXT NOT NULL PRIMARY KEY, stream_id TEXT NOT NULL UNIQUE, draft TEXT NOT NULL, lifecycle TEXT NOT NULL, "
            "boundary_version INTEGER NOT NULL, contract_version INTEGER NOT NULL, boundary_signed INTEGER NOT NULL, "
            "resolution_hash TEXT NOT NULL, content_hash TEXT NOT NULL, generation INTEGER NOT NULL, drift TEXT NOT NULL, "
            "dismissed TEXT NOT NULL, snoozed_until TEXT, missing TEXT NOT NULL, version INTEGER NOT NULL, "
            "position INTEGER NOT NULL"
        ),
        "block_members": (
            "block_id TEXT NOT NULL, path TEXT NOT NULL, role TEXT NOT NULL, PRIMARY KEY (block_id, path)"
        ),
        "broken_sockets": (
            "block_id TEXT NOT NULL, target TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (block_id, target)"
        ),
        "curator": "one INTEGER NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until TEXT",
    },
    ("CREATE INDEX block_members_by_path ON block_members (path)",),
)

NO_DRIFT = Drift().model_dump_json()


def _text(value: Value) -> str:
    return value.model_dump_json(by_alias=True)


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


# Head


@BLOCKS.on(MapHead.MapAdvanced)
def advanced(cursor: sqlite3.Cursor, event: MapHead.MapAdvanced, position: int) -> None:
    residue = None if event.residue is None else _text(event.residue)
    cursor.execute(
        "INSERT INTO map_head VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (one) DO UPDATE SET store_version = ?1, cause = ?2, "
        "residue = coalesce(?3, residue), position = ?4",
        (event.store_version, event.cause, residue, position),
    )


# Skeleton


@BLOCKS.on(Skeleton.SkeletonProposed, Skeleton.CandidateReplaced)
def proposed(
    cursor: sqlite3.Cursor, event: Skeleton.SkeletonProposed | Skeleton.CandidateReplaced, position: int
) -> None:
    _take(cursor, event.proposal)


@BLOCKS.on(Skeleton.SeedImported)
def imported(cursor: sqlite3.Cursor, event: Skeleton.SeedImported, position: int) -> None:
    _take(cursor, event.proposal)
    cursor.execute(
        "UPDATE skeleton SET ratification = ?, revision_id = '', revision = NULL",
        (_text(event.ratification),),
    )


def _take(cursor: sqlite3.Cursor, proposal: Proposal) -> None:
    cursor.execute("DELETE FROM candidates")
    cursor.execute("DELETE FROM signatures")
    cursor.execute(
        "INSERT INTO skeleton VALUES (1, ?1, ?2, 0, ?3, ?4, ?5, ?6, '', NULL) ON CONFLICT (one) DO UPDATE SET "
        "skeleton_id = ?1, proposal_version = ?2, repo_id = ?3, source_commit = ?4, report = ?5",
        (
            proposal.skeleton_id,
            proposal.version,
            proposal.repo_id,
            proposal.source_commit,
            _json(proposal.report),
            _text(Ratification()),
        ),
    )
    _put(cursor, proposal.blocks)


def _put(cursor: sqlite3.Cursor, blocks: Iterable[CandidateBlock]) -> None:
    cursor.executemany(
        "INSERT OR REPLACE INTO candidates VALUES (?, ?)",
        [(block.block_id, _text(block)) for block in blocks],
    )


def _drop(cursor: sqlite3.Cursor, block_ids: Iterable[str]) -> None:
    ids = [(id,) for id in block_ids]
    cursor.executemany("DELETE FROM candidates WHERE block_id = ?", ids)
    cursor.executemany("DELETE FROM signatures WHERE block_id = ?", ids)


@BLOCKS.on(Skeleton.CandidateEdited)
def edited(cursor: sqlite3.Cursor, event: Skeleton.CandidateEdited, position: int) -> None:
    _drop(cursor, event.removed)
    _put(cursor, event.changed)


PARTS_OF = {"names_signed": "names", "boundaries_signed": "boundaries", "contract_signed": "contract"}


@BLOCKS.on(Skeleton.NamesSigned, Skeleton.BoundariesSigned, Skeleton.ContractSigned)
def signed(cursor: sqlite3.Cursor, event: SignatureEvent, position: int) -> None:
    """Of candidates; a signature of a ratified block shows in its `boundary_signed`."""
    cursor.executemany(
        "INSERT OR REPLACE INTO signatures SELECT ?, block_id, ?, ? FROM candidates WHERE block_id = ?",
        [(PARTS_OF[event.TOPIC], digest, position, id) for id, digest in event.blocks.items()],
    )


@BLOCKS.on(Skeleton.SignatureVoided)
def voided(cursor: sqlite3.Cursor, event: Skeleton.SignatureVoided, position: int) -> None:
    cursor.executemany(
        "DELETE FROM signatures WHERE part = ? AND block_id = ?", [(event.part, id) for id in event.block_ids]
    )


@BLOCKS.on(Skeleton.SkeletonRatified)
def skeleton_ratified(cursor: sqlite3.Cursor, event: Skeleton.SkeletonRatified, position: int) -> None:
    _drop(cursor, event.block_ids)
    cursor.execute(
        "UPDATE skeleton SET version = ?, ratification = ?", (event.version, _text(event.ratification))
    )


@BLOCKS.on(Skeleton.RevisionProposed)
def revision_proposed(cursor: sqlite3.Cursor, event: Skeleton.RevisionProposed, position: int) -> None:
    cursor.execute(
        "UPDATE skeleton SET revision_id = ?, revision = ?", (event.revision_id, _text(event.proposal))
    )


@BLOCKS.on(Skeleton.RevisionPromoted)
def promoted(cursor: sqlite3.Cursor, event: Skeleton.RevisionPromoted, position: int) -> None:
    _put(cursor, event.blocks)
    cursor.execute("UPDATE skeleton SET revision_id = '', revision = NULL")


@BLOCKS.on(Skeleton.RevisionDiscarded)
def discarded(cursor: sqlite3.Cursor, event: Skeleton.RevisionDiscarded, position: int) -> None:
    cursor.execute("UPDATE skeleton SET revision_id = '', revision = NULL")


# Blocks


@BLOCKS.on(SystemBlock.BlockOpened)
def opened(cursor: sqlite3.Cursor, event: SystemBlock.BlockOpened, position: int) -> None:
    cursor.execute(
        "INSERT INTO blocks VALUES (?, ?, '{}', ?, 0, 0, 0, '', '', 0, ?, ?, NULL, '[]', ?, ?)",
        (
            event.block_id,
            event.originator_id.hex,
            Lifecycle.RATIFIED,
            NO_DRIFT,
            NO_DRIFT,
            event.originator_version + 1,
            position,
        ),
    )


def _update(cursor: sqlite3.Cursor, event: Event, position: int, **columns: Any) -> None:
    """Set columns of the event's block; `version` counts its events, as the aggregate does."""
    columns |= {"version": event.originator_version + 1, "position": position}
    names = ", ".join(f"{name} = ?" for name in columns)
    cursor.execute(
        f"UPDATE blocks SET {names} WHERE stream_id = ?", (*columns.values(), event.originator_id.hex)
    )


def _column(cursor: sqlite3.Cursor, event: Event, name: str) -> Any:
    query = f"SELECT {name} FROM blocks WHERE stream_id = ?"
    return cursor.execute(query, (event.originator_id.hex,)).fetchone()[0]


def _draft(cursor: sqlite3.Cursor, event: Event, **parts: Value | tuple[Value, ...]) -> str:
    """The block's draft with other parts."""
    draft = BlockDraft.model_validate_json(_column(cursor, event, "draft"))
    return _text(draft.model_copy(update=parts))


def _add_members(cursor: sqlite3.Cursor, event: Event, members: Iterable[ResolvedMember]) -> None:
    id = _column(cursor, event, "block_id")
    cursor.executemany(
        "INSERT OR REPLACE INTO block_members VALUES (?, ?, ?)", [(id, m.path, m.role) for m in members]
    )


def _take_members(cursor: sqlite3.Cursor, event: Event, paths: Iterable[str]) -> None:
    id = _column(cursor, event, "block_id")
    cursor.executemany(
        "DELETE FROM block_members WHERE block_id = ? AND path = ?", [(id, path) for path in paths]
    )


@BLOCKS.on(SystemBlock.BlockRatified)
def ratified(cursor: sqlite3.Cursor, event: SystemBlock.BlockRatified, position: int) -> None:
    _update(
        cursor,
        event,
        position,
        draft=_text(event.draft),
        lifecycle=Lifecycle.RATIFIED,
        boundary_version=event.boundary_version,
        contract_version=event.contract_version,
    )


@BLOCKS.on(SystemBlock.BoundaryBaselined)
def baselined(cursor: sqlite3.Cursor, event: SystemBlock.BoundaryBaselined, position: int) -> None:
    cursor.execute("DELETE FROM block_members WHERE block_id = ?", (_column(cursor, event, "block_id"),))
    _add_members(cursor, event, event.baseline.members)
    _update(
        cursor,
        event,
        position,
        boundary_signed=event.boundary_version,
        resolution_hash=event.resolution_hash,
        content_hash=event.baseline.content_hash,
        generation=event.baseline.generation,
        drift=NO_DRIFT,
        dismissed=NO_DRIFT,
        snoozed_until=None,
    )


@BLOCKS.on(SystemBlock.BoundaryBumped)
def bumped(cursor: sqlite3.Cursor, event: SystemBlock.BoundaryBumped, position: int) -> None:
    _take_members(cursor, event, event.removed)
    _add_members(cursor, event, event.added)
    declared = (
        {} if event.membership is None else {"draft": _draft(cursor, event, membership=event.membership)}
    )
    _update(
        cursor,
        event,
        position,
        boundary_version=event.to_version,
        resolution_hash=event.resolution_hash,
        content_hash=event.content_hash,
        generation=event.generation,
        drift=NO_DRIFT,
        dismissed=NO_DRIFT,
        snoozed_until=None,
        **declared,
    )


@BLOCKS.on(SystemBlock.ContractBumped)
def contract_bumped(cursor: sqlite3.Cursor, event: SystemBlock.ContractBumped, position: int) -> None:
    draft = _draft(cursor, event, contract=event.contract)
    _update(cursor, event, position, contract_version=event.to_version, draft=draft)


@BLOCKS.on(SystemBlock.MemberMissing)
def missing(cursor: sqlite3.Cursor, event: SystemBlock.MemberMissing, position: int) -> None:
    _update(cursor, event, position, missing=_json(event.paths))


@BLOCKS.on(SystemBlock.MemberContentChanged)
def content_changed(cursor: sqlite3.Cursor, event: SystemBlock.MemberContentChanged, position: int) -> None:
    _update(cursor, event, position, content_hash=event.content_hash, generation=event.generation)


@BLOCKS.on(SystemBlock.DriftDetected)
def drifted(cursor: sqlite3.Cursor, event: SystemBlock.DriftDetected, position: int) -> None:
    _update(cursor, event, position, drift=_text(event.drift))


@BLOCKS.on(SystemBlock.DriftSnoozed)
def snoozed(cursor: sqlite3.Cursor, event: SystemBlock.DriftSnoozed, position: int) -> None:
    _update(cursor, event, position, snoozed_until=text_of(event.until))


@BLOCKS.on(SystemBlock.DriftDismissed)
def dismissed(cursor: sqlite3.Cursor, event: SystemBlock.DriftDismissed, position: int) -> None:
    _update(cursor, event, position, dismissed=_column(cursor, event, "drift"))


@BLOCKS.on(SystemBlock.SocketBroken)
def socket_broken(cursor: sqlite3.Cursor, event: SystemBlock.SocketBroken, position: int) -> None:
    id = _column(cursor, event, "block_id")
    cursor.execute("INSERT OR REPLACE INTO broken_sockets VALUES (?, ?, ?)", (id, event.target, position))
    _update(cursor, event, position)


@BLOCKS.on(SystemBlock.SocketRepaired)
def socket_repaired(cursor: sqlite3.Cursor, event: SystemBlock.SocketRepaired, position: int) -> None:
    id = _column(cursor, event, "block_id")
    cursor.execute("DELETE FROM broken_sockets WHERE block_id = ? AND target = ?", (id, event.target))
    _update(cursor, event, position)


@BLOCKS.on(SystemBlock.SocketsAmended)
def sockets_amended(cursor: sqlite3.Cursor, event: SystemBlock.SocketsAmended, position: int) -> None:
    _update(cursor, event, position, draft=_draft(cursor, event, sockets=event.sockets))


@BLOCKS.on(SystemBlock.LayoutPinned)
def layout_pinned(cursor: sqlite3.Cursor, event: SystemBlock.LayoutPinned, position: int) -> None:
    _update(cursor, event, position, draft=_draft(cursor, event, layout=event.layout))


@BLOCKS.on(SystemBlock.ReceiptRegistered)
def registered(cursor: sqlite3.Cursor, event: SystemBlock.ReceiptRegistered, position: int) -> None:
    _update(cursor, event, position)


@BLOCKS.on(SystemBlock.BlockArchived)
def archived(cursor: sqlite3.Cursor, event: SystemBlock.BlockArchived, position: int) -> None:
    _update(cursor, event, position, lifecycle=Lifecycle.ARCHIVED)


@BLOCKS.on(SystemBlock.BlockRestored)
def restored(cursor: sqlite3.Cursor, event: SystemBlock.BlockRestored, position: int) -> None:
    _take_members(cursor, event, event.conflicts)
    _update(cursor, event, position, lifecycle=Lifecycle.RATIFIED, resolution_hash=event.resolution_hash)


@BLOCKS.on(SystemBlock.BlockTombstoned)
def tombstoned(cursor: sqlite3.Cursor, event: SystemBlock.BlockTombstoned, position: int) -> None:
    _update(cursor, event, position, lifecycle=Lifecycle.TOMBSTONED)


# The curator


@BLOCKS.on(Lease.LeaseAcquired, Lease.LeaseRefreshed)
def curating(
    cursor: sqlite3.Cursor, event: Lease.LeaseAcquired | Lease.LeaseRefreshed, position: int
) -> None:
    cursor.execute("INSERT OR REPLACE INTO curator VALUES (1, ?, ?)", (event.holder, text_of(event.until)))


@BLOCKS.on(Lease.LeaseReleased, Lease.LeaseLapsed)
def curated(cursor: sqlite3.Cursor, event: Event, position: int) -> None:
    cursor.execute("DELETE FROM curator")
