"""The part of the application that records what happens to ratified blocks: reconciling, amending, archiving, pinning."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from attrs import frozen

from m1nd.application.block_records import BlockRecords
from m1nd.application.map_change import MapChange
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.layout import Layout
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.membership import Member, Resolution
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.residue import Residue
from m1nd.domain.blocks.sockets import Sockets
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.refusal import refuse


@frozen
class Reconciled:
    """What a look at the repository made of one block; `outcome` is `unchanged` or `bumped`."""

    block_id: str
    outcome: str
    boundary_version: int
    resolved_count: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    missing: tuple[str, ...]


@frozen
class Reconciliation:
    """`dirty` where anything was recorded; `contested` are files that several blocks claim alike."""

    dirty: bool
    blocks: tuple[Reconciled, ...]
    residue: Residue
    contested: Mapping[str, tuple[str, ...]]
    store_version: int


class BoundaryRecords(BlockRecords):
    """Every method may raise Refused of the groups log and store."""

    def record_reconcile(self, expected: Expected, tree: Tree, command: Command) -> Reconciliation:
        """Take the files as they are: another set of members bumps its block alone, the same set bumps nothing (D16).

        Raises Refused(no_store | store_conflict).
        """
        rows: list[Reconciled] = []
        contested: Mapping[str, tuple[str, ...]] = {}
        residue = tree.residue(())

        def work() -> list[Aggregate]:
            nonlocal contested, residue
            rows.clear()
            change = self._map_change(command, tree)
            require_store(change)
            now = change.now()
            expected.check_store(change.head.store_version)
            for id in sorted(now.live):
                resolution = now.live_settled.blocks[id]
                rows.append(_reconciled(change, change.blocks[id], resolution, expected))
            contested = now.settled.contested
            residue = tree.residue(now.settled.owned | now.live_settled.owned)
            dirty = any(block.pending_events for block in change.blocks.values())
            return change.finish("system_blocks_reconcile") if dirty else []

        appended = self._append(command, work)
        return Reconciliation(bool(appended.events), tuple(rows), residue, contested, self.store_version())

    def record_boundary(
        self,
        block_id: str,
        membership: tuple[Member, ...],
        expected: Expected,
        tree: Tree,
        command: Command,
    ) -> int:
        """Another declaration for a live block; its boundary rises and waits for a signature (D16, D40).

        Raises Refused(unknown_block | block_archived | store_conflict | primary_conflict | block_empty | outside_root).
        """

        def step(change: MapChange, block: SystemBlock) -> None:
            for member in membership:
                member.check(block_id)
            now = change.now()
            declared = {id: other.membership for id, other in now.live.items()} | {block_id: membership}
            settled = settle(declared, tree.files, now.owners)
            resolution = settled.blocks[block_id]
            lost = {
                member.path: now.owners[member.path]
                for member in membership
                if member.role == "primary" and now.owners.get(member.path, block_id) != block_id
            }
            lost |= {path: ids[0] for path, ids in settled.contested.items() if block_id in ids}
            if lost:
                path, owner = next(iter(sorted(lost.items())))
                refuse(
                    "primary_conflict",
                    f"{len(lost)} file(s) would have two primary owners, first {path}: {owner}",
                    f"m1nd blocks amend {owner} lets go of it first, or declare it shared",
                    files=dict(sorted(lost.items())[:100]),
                )
            if block.draft.kind == "scanned" and not resolution.members:
                refuse("block_empty", f"no file would lie in {block_id}", block_ids=[block_id])
            if membership != block.draft.membership:
                baseline = tree.baseline(resolution)
                change.bump(block, "declaration", baseline, command, membership=membership)
                block.note_missing(resolution.missing, command)

        return self._on_block(block_id, expected, tree, command, "system_blocks_amend", step)

    def record_contract(
        self,
        block_id: str,
        contract: Contract,
        reason: str,
        expected: Expected,
        stamp: Used,
        tree: Tree,
        command: Command,
    ) -> int:
        """Other terms for a live block, signed with the stamp; live receipts go stale (D16).

        Raises Refused(unknown_block | block_archived | contract_broken | contract_empty | human_gesture_required | …).
        """

        def step(change: MapChange, block: SystemBlock) -> None:
            check_terms(block_id, contract)
            if not contract.same_terms(block.draft.contract):
                change.others += self._spend(stamp, command)
                change.bump_contract(block, contract, reason, stamp.gesture.challenge_id)

        return self._on_block(block_id, expected, tree, command, "system_blocks_amend", step)

    def record_sockets(
        self, block_id: str, sockets: Sockets, expected: Expected, tree: Tree, command: Command
    ) -> int:
        """Raises Refused(unknown_block | block_archived | socket_leak | socket_dangling | store_conflict)."""

        def step(change: MapChange, block: SystemBlock) -> None:
            sockets.check(block_id)
            known = change.now().socket_targets
            if lost := [target for target in sockets.targets if target not in known]:
                refuse("socket_dangling", f"there is no block {lost[0]}", block_id=block_id, targets=lost)
            block.amend_sockets(sockets, command)

        return self._on_block(block_id, expected, tree, command, "system_blocks_amend", step)

    def record_drift(
        self,
        block_id: str,
        expected: Expected,
        tree: Tree,
        command: Command,
        *,
        snooze_until: datetime | None = None,
        dismiss: str = "",
    ) -> int:
        """Put the drift of a block off, or dismiss it. Raises Refused(no_drift | unknown_block | store_conflict)."""

        def step(change: MapChange, block: SystemBlock) -> None:
            if snooze_until is not None:
                block.snooze_drift(snooze_until, command)
            else:
                block.dismiss_drift(dismiss, command)

        return self._on_block(block_id, expected, tree, command, "system_blocks_amend", step)

    def record_layout(
        self, block_id: str, layout: Layout, expected: Expected, tree: Tree, command: Command
    ) -> int:
        """Pin a block to its place. Raises Refused(unknown_block | block_archived | store_conflict)."""

        def step(change: MapChange, block: SystemBlock) -> None:
            block.pin_layout(layout, command)

        return self._on_block(block_id, expected, tree, command, "system_blocks_layout", step)

    def record_archive(
        self,
        block_ids: Sequence[str],
        expected: Expected,
        stamp: Used | None,
        tree: Tree,
        command: Command,
    ) -> tuple[str, ...]:
        """Release the files of these blocks, keep their history; answers those that changed (D22).

        Raises Refused(unknown_block | block_not_ratified | store_conflict | human_gesture_required).
        """

        def step(change: MapChange, block: SystemBlock) -> bool:
            return change.archive(block, "" if stamp is None else stamp.gesture.challenge_id)

        return self._on_blocks(block_ids, expected, stamp, tree, command, "system_blocks_archive", step)

    def record_restore(
        self,
        block_ids: Sequence[str],
        expected: Expected,
        stamp: Used | None,
        tree: Tree,
        command: Command,
    ) -> tuple[str, ...]:
        """Bring archived blocks back with the files that are still free; answers those that changed (D22).

        Files that came or went meanwhile raise the boundary. Raises Refused as `record_archive`.
        """

        def step(change: MapChange, block: SystemBlock) -> bool:
            owners = change.now().owners
            conflicts = [m.path for m in block.baseline.members if m.path in owners]
            stamp_id = "" if stamp is None else stamp.gesture.challenge_id
            if block.restore(conflicts, stamp_id, command) is None:
                return False
            resolution = change.now().live_settled.blocks[block.block_id]
            if resolution.members != block.baseline.members:
                change.bump(block, "reconcile", tree.baseline(resolution), command)
            return True

        return self._on_blocks(block_ids, expected, stamp, tree, command, "system_blocks_archive", step)

    def record_delete(
        self,
        block_id: str,
        expected: Expected,
        stamp: Used,
        open_missions: Sequence[str],
        tree: Tree,
        command: Command,
    ) -> int:
        """Take an archived block off the map; the log keeps it (D22). Raises Refused(delete_unsafe | unknown_block | …)."""

        def work() -> list[Aggregate]:
            change = self._map_change(command, tree)
            block = change.block(block_id)
            change.expect(expected, (block_id,))
            check_delete(change, block, open_missions)
            change.others += self._spend(stamp, command)
            block.tombstone(stamp.gesture.challenge_id, command)
            return change.finish("system_blocks_delete")

        self._append(command, work)
        return self.store_version()

    def require_deletable(
        self, block_id: str, open_missions: Sequence[str], tree: Tree, command: Command
    ) -> None:
        """Raises Refused(delete_unsafe | unknown_block | block_not_ratified) as `record_delete` would; appends nothing."""
        change = self._map_change(command, tree)
        check_delete(change, change.block(block_id), open_missions)

    # Inside

    def _on_block(
        self,
        block_id: str,
        expected: Expected,
        tree: Tree,
        command: Command,
        verb: str,
        step: Callable[[MapChange, SystemBlock], None],
    ) -> int:
        """One step on one live block; answers the store version, which stays where the step changed nothing."""

        def work() -> list[Aggregate]:
            change = self._map_change(command, tree)
            block = change.block(block_id)
            block.state.require_live()
            change.expect(expected, (block_id,))
            step(change, block)
            return change.finish(verb) if block.pending_events else []

        self._append(command, work)
        return self.store_version()

    def _on_blocks(
        self,
        block_ids: Sequence[str],
        expected: Expected,
        stamp: Used | None,
        tree: Tree,
        command: Command,
        verb: str,
        step: Callable[[MapChange, SystemBlock], bool],
    ) -> tuple[str, ...]:
        """One step on each of several blocks, all or none; answers those that it changed."""
        changed: list[str] = []

        def work() -> list[Aggregate]:
            changed.clear()
            change = self._map_change(command, tree)
            blocks = [change.block(id) for id in sorted(set(block_ids))]
            change.expect(expected, (block.block_id for block in blocks))
            changed.extend(block.block_id for block in blocks if step(change, block))
            if not changed:
                return []
            change.others += self._spend(stamp, command)
            return change.finish(verb)

        self._append(command, work)
        return tuple(changed)


def require_store(change: MapChange) -> None:
    """Raises Refused(no_store)."""
    if change.head.store_version == 0:
        refuse("no_store", "no system-block store here yet; import a seed or make a candidate")


def check_terms(block_id: str, contract: Contract) -> None:
    """Raises Refused(contract_broken | contract_empty)."""
    contract.check(block_id)
    if not contract.required and not contract.waiver:
        refuse(
            "contract_empty",
            f"the contract of {block_id} would require nothing, and nobody waives that",
            block_ids=[block_id],
        )


def check_delete(change: MapChange, block: SystemBlock, open_missions: Sequence[str]) -> None:
    """Raises Refused(delete_unsafe), naming every reason at once; Refused(unknown_block) for a deleted one."""
    state = block.state
    if not state.is_live and block.lifecycle.value == "tombstoned":
        state.require_live()
    incoming = [
        id
        for id, other in change.now().live.items()
        if block.block_id in other.draft.sockets.targets and id != block.block_id
    ]
    reasons = {
        "not_archived": [block.block_id] if state.is_live else [],
        "live_receipts": sorted(state.receipts),
        "open_missions": sorted(open_missions),
        "incoming_sockets": incoming,
    }
    found = {name: ids for name, ids in reasons.items() if ids}
    if found:
        words = "; ".join(f"{name.replace('_', ' ')}: {', '.join(ids)}" for name, ids in found.items())
        refuse(
            "delete_unsafe",
            f"{block.block_id} is not deleted: {words}",
            f"m1nd blocks archive {block.block_id}" if "not_archived" in found else "",
            block_id=block.block_id,
            reasons=found,
        )


def _reconciled(
    change: MapChange, block: SystemBlock, resolution: Resolution, expected: Expected
) -> Reconciled:
    before = {member.path for member in block.baseline.members}
    after = set(resolution.paths)
    bumped = resolution.members != block.baseline.members
    if bumped:
        expected.check_block(block.block_id, block.version + 1)
        change.bump(block, "reconcile", change.tree.baseline(resolution), change.command)
    block.note_missing(resolution.missing, change.command)
    return Reconciled(
        block.block_id,
        "bumped" if bumped else "unchanged",
        block.boundary_version,
        len(after),
        tuple(sorted(after - before)),
        tuple(sorted(before - after)),
        resolution.missing,
    )
