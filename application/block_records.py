"""The part of the application that records the map: what is read of it, and how files age it (BLOCKS.md, D16, D17).

Every method is one append; what follows from a change of the map is `map_change.MapChange`.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from m1nd.application.map_change import Aged, MapChange, Receipts
from m1nd.application.stamp_records import StampRecords
from m1nd.domain.blocks.block_state import BlockState, BumpCause, stream_name
from m1nd.domain.blocks.lease import STREAM as LEASE
from m1nd.domain.blocks.lease import Lease, LeaseState
from m1nd.domain.blocks.map_head import MAP_ID, MapHead
from m1nd.domain.blocks.membership import Resolution, ResolvedMember
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.ratification import MapNow
from m1nd.domain.blocks.skeleton import STREAM as SKELETON
from m1nd.domain.blocks.skeleton import Skeleton, SkeletonState
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.commands import Command
from m1nd.domain.graph import GraphChange
from m1nd.domain.refusal import refuse


class BlockRecords(StampRecords):
    """Every method may raise Refused of the groups log and store."""

    # Reading

    def store_version(self) -> int:
        """How many changes the map has accepted; 0 where there is no map."""
        last = self._last_event(MAP_ID)
        return 0 if last is None else MapHead.resume(last).store_version

    def block(self, block_id: str) -> BlockState | None:
        """A block as its stream tells it, archived and deleted ones too; None for one that was never ratified."""
        found = self._load(SystemBlock, stream_name(block_id))
        return None if found is None else found.state

    def skeleton(self) -> SkeletonState | None:
        """The skeleton; None where nothing was ever proposed."""
        found = self._load(Skeleton, SKELETON)
        return None if found is None else found.state

    def lease(self) -> LeaseState:
        """Who is curating; nobody where nobody ever asked."""
        found = self._load(Lease, LEASE)
        return LeaseState("", None) if found is None else found.state

    def map_now(self, tree: Tree) -> MapNow | None:
        """The whole map over these files; None where there is none."""
        skeleton = self.skeleton()
        if skeleton is None:
            return None
        return MapNow(skeleton, {id: self._block(id).state for id in skeleton.ratified}, tree)

    def foresee_ageing(
        self, change: GraphChange, hashes: Mapping[str, str], command: Command
    ) -> dict[str, list[dict[str, Any]]]:
        """The fields `blocks_touched` and `receipts_staled` that this write would have now; appends nothing."""
        return self._age_by_write(change, "transplant", hashes, command).receipt_fields()

    # Inside

    def _map(self, command: Command) -> MapHead:
        last = self._last_event(MAP_ID)
        return MapHead.open(command) if last is None else MapHead.resume(last)

    def _block(self, block_id: str) -> SystemBlock:
        """Raises Refused(unknown_block)."""
        found = self._load(SystemBlock, stream_name(block_id))
        if found is None:
            refuse(
                "unknown_block",
                f"unknown block_id {block_id}: no ratified block bears it",
                "m1nd blocks show",
                block_id=block_id,
            )
        return found

    def _receipts(self) -> Receipts:
        """How the map reaches the receipts; where nothing records any, none goes stale and none is earned."""
        return Receipts(
            stale=lambda ids, reason, cause, scope, command: {},
            spec=lambda block, stamp_id, command: (),
            sensitive=lambda ids: (),
            bring=lambda block, receipts, stamp_id, command: (),
        )

    def _map_change(self, command: Command, tree: Tree) -> MapChange:
        """The map, freshly loaded, to be changed by `command`. The head comes first: who changes it meanwhile is noticed."""
        head = self._map(command)
        skeleton = self._load(Skeleton, SKELETON) or Skeleton.open(command)
        blocks = {id: self._block(id) for id in skeleton.ratified}
        return MapChange(command, tree, head, skeleton, blocks, self._receipts())

    # How files age the map

    def _age_by_write(
        self, change: GraphChange, cause: BumpCause, hashes: Mapping[str, str], command: Command
    ) -> Aged:
        """What a committed write, or its undo, does to the blocks whose files it touched (D16, seed 002 D5b).

        `hashes` are those of the files before the write.
        """
        if self._last_event(MAP_ID) is None:
            return Aged()
        written = {file.path: file.sha256 for file in (*change.added, *change.changed)}
        gone = {file.path for file in change.removed}
        after = {path: digest for path, digest in {**hashes, **written}.items() if path not in gone}
        work = self._map_change(command, Tree(after, self.generation() + 1))
        for block, arrived in _arrivals(work, written):
            members = {member.path: member for member in block.baseline.members}
            new = {member.path: member for member in arrived if member.path not in members}
            touched = {*written, *gone} & {*members, *new}
            if touched:
                kept = {path: member for path, member in {**members, **new}.items() if path not in gone}
                files = Resolution(tuple(kept[path] for path in sorted(kept)), ())
                work.bump(block, cause, work.tree.baseline(files), command, touched=tuple(touched))
        return work.aged()

    def _age_by_ingest(self, change: GraphChange, hashes: Mapping[str, str], command: Command) -> Aged:
        """What an ingest found of the blocks' files: other bytes, new files, vanished ones. It bumps nothing (D17, D40)."""
        if change.is_empty or self._last_event(MAP_ID) is None:
            return Aged()
        work = self._map_change(command, Tree(hashes, self.generation() + 1))
        changed, added, removed = (
            {file.path for file in files} for files in (change.changed, change.added, change.removed)
        )
        for block, arrived in _arrivals(work, added):
            roles = {member.path: member.role for member in block.baseline.members}
            if touched := {path: roles[path] for path in sorted((changed | added) & set(roles))}:
                work.change_content(block, touched)
            new = {member.path for member in arrived} - set(roles)
            drift = block.drift
            work.note_drift(
                block,
                {*drift.added, *new} - removed,
                {*drift.vanished, *(removed & set(roles))} - added,
            )
        return work.aged()


def _arrivals(
    work: MapChange, paths: Collection[str]
) -> Iterator[tuple[SystemBlock, tuple[ResolvedMember, ...]]]:
    """Every live block, by id, with those of `paths` that its declaration claims."""
    live = work.now().live
    settled = settle({id: block.membership for id, block in live.items()}, paths, work.now().owners)
    for id in sorted(live):
        yield work.blocks[id], settled.blocks[id].members
