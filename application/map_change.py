"""One change of the map on its way into one append: the aggregates that it touches, and what follows from each step.

A bump lets receipts go stale, a ratification writes its `spec` receipt, a vanished target breaks sockets: all of it is
decided here, so that no record method can forget a part. It appends nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from attrs import define, field, frozen

from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.blocks.block_state import Baseline, BlockDraft, BumpCause, Drift
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.map_head import Expected, MapHead
from m1nd.domain.blocks.membership import Member, Resolution, content_hash, weighs_in
from m1nd.domain.blocks.ratification import MapNow
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.blocks.skeleton import Skeleton
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.receipts.receipt import StaleReason
from m1nd.domain.refusal import refuse


@frozen
class Staled:
    """A receipt that went stale; what the receipt of a move lists."""

    receipt_id: str
    block_id: str
    type: str
    reason: StaleReason

    def wire(self) -> dict[str, Any]:
        return {
            "receipt_id": self.receipt_id,
            "block_id": self.block_id,
            "type": self.type,
            "reason": self.reason,
        }


@frozen
class Touched:
    """A block whose boundary rose; what the receipt of a move lists."""

    block_id: str
    before: int
    after: int

    def wire(self) -> dict[str, Any]:
        return {"block_id": self.block_id, "from": self.before, "to": self.after}


@frozen
class Aged:
    """What a write or an ingest made of the blocks: aggregates to be saved with it, and what its receipt says of them."""

    aggregates: tuple[Aggregate, ...] = ()
    touched: tuple[Touched, ...] = ()
    staled: tuple[Staled, ...] = ()

    def receipt_fields(self) -> dict[str, list[dict[str, Any]]]:
        """`blocks_touched[{block_id, from, to}]`, `receipts_staled[{receipt_id, block_id, type, reason}]`."""
        return {
            "blocks_touched": [touched.wire() for touched in self.touched],
            "receipts_staled": [staled.wire() for staled in self.staled],
        }


@frozen
class Receipts:
    """What the map asks of the receipts: that they go stale, and that a signature is evidence.

    `stale(ids, reason, cause, scope, command)` answers by id those that were live, to be saved with the cause.
    `spec(block, stamp_id, command)` answers what the signed contract is as evidence. `sensitive(ids)`: those of the live
    ones that a changed member makes stale. `bring(block, receipts, stamp_id, command)` lands those that a seed brings.
    """

    stale: Callable[[Iterable[str], StaleReason, Event, BlockScope, Command], Mapping[str, Aggregate]]
    spec: Callable[[SystemBlock, str, Command], Sequence[Aggregate]]
    sensitive: Callable[[Iterable[str]], Collection[str]]
    bring: Callable[[SystemBlock, Sequence[Mapping[str, Any]], str, Command], Sequence[Aggregate]]


@define(slots=False)
class MapChange:
    command: Command
    tree: Tree
    head: MapHead
    skeleton: Skeleton
    blocks: dict[str, SystemBlock]
    receipts: Receipts
    others: list[Aggregate] = field(factory=list)
    """Stamps and receipts that go into the same append."""
    staled: list[Staled] = field(factory=list)
    touched: list[Touched] = field(factory=list)

    def now(self) -> MapNow:
        """The map as it stands after the steps so far."""
        return MapNow(self.skeleton.state, {id: block.state for id, block in self.blocks.items()}, self.tree)

    def expect(self, expected: Expected, block_ids: Iterable[str] = ()) -> None:
        """Raises Refused(store_conflict | expected_version_required)."""
        expected.check_store(self.head.store_version)
        for id in block_ids:
            block = self.blocks.get(id)
            expected.check_block(id, 0 if block is None else block.version + 1)

    def block(self, block_id: str) -> SystemBlock:
        """Raises Refused(unknown_block)."""
        if block_id not in self.blocks:
            refuse(
                "block_not_ratified" if block_id in self.skeleton.candidates else "unknown_block",
                f"{block_id} is a candidate"
                if block_id in self.skeleton.candidates
                else f"unknown block_id {block_id}: no ratified block bears it",
                block_id=block_id,
            )
        return self.blocks[block_id]

    # Steps

    def bump(
        self,
        block: SystemBlock,
        cause: BumpCause,
        baseline: Baseline,
        command: Command,
        touched: Sequence[str] = (),
        membership: tuple[Member, ...] | None = None,
    ) -> None:
        """Raise a boundary; its live receipts go stale."""
        held = dict(block.receipts)
        before = block.boundary_version
        event = block.bump_boundary(cause, baseline, command, touched=touched, membership=membership)
        self.touched.append(Touched(block.block_id, before, block.boundary_version))
        self._stale(block, held, "boundary", event)

    def bump_contract(self, block: SystemBlock, contract: Contract, reason: str, stamp_id: str) -> None:
        """Raise a contract; its live receipts go stale, and the signed terms are a `spec` receipt.

        Not while the boundary waits for a signature: then that signature earns it (D40).
        """
        held = dict(block.receipts)
        event = block.bump_contract(contract, reason, stamp_id, self.command)
        self._stale(block, held, "contract", event)
        if not block.state.needs_signature:
            self._spec(block, stamp_id, self.command.caused_by(event))

    def ratify(
        self,
        block_id: str,
        draft: BlockDraft,
        baseline: Baseline,
        source: Literal["session", "seed", "revision"],
        versions: tuple[int, int],
        stamp_id: str,
        command: Command,
        *,
        with_spec: bool = True,
    ) -> SystemBlock:
        """Make a candidate a block, or replace the block of its id whole."""
        block = self.blocks.get(block_id)
        if block is None:
            block = self.blocks[block_id] = SystemBlock.open(block_id, command)
        held, contract_version = dict(block.receipts), block.contract_version
        event = block.ratify(draft, baseline, source, command, versions=versions, stamp_id=stamp_id)
        reason: StaleReason = "contract" if block.contract_version != contract_version else "boundary"
        gone = {id: type for id, type in held.items() if id not in block.receipts}
        self._stale(block, gone, reason, event)
        if with_spec:
            self._spec(block, stamp_id, command.caused_by(event))
        return block

    def sign_boundary(self, block: SystemBlock, baseline: Baseline, stamp_id: str, command: Command) -> None:
        """The boundary as a person signed it just now; a moved one is raised first (D16, D40)."""
        if baseline.members != block.baseline.members:
            self.bump(block, "reconcile", baseline, command)
        block.sign_boundary(baseline, command)
        self._spec(block, stamp_id, command)

    def archive(self, block: SystemBlock, stamp_id: str) -> bool:
        held = dict(block.receipts)
        event = block.archive(stamp_id, self.command)
        if event is None:
            return False
        self._stale(block, held, "archived", event)
        return True

    def change_content(self, block: SystemBlock, paths: Mapping[str, str]) -> None:
        """Bytes of members changed: receipts that list `member_change` go stale. `paths`: role by path (D17)."""
        concerned = [
            id for id, type in block.receipts.items() if any(weighs_in(role, type) for role in paths.values())
        ]
        held = {id: block.receipts[id] for id in self.receipts.sensitive(concerned)}
        event = block.change_content(
            tuple(paths),
            content_hash(block.baseline.members, self.tree.hashes),
            self.tree.generation,
            held,
            self.command,
        )
        if event is not None:
            self._stale(block, held, "content", event)

    def note_drift(self, block: SystemBlock, added: Iterable[str], vanished: Iterable[str]) -> None:
        drift = Drift(added=tuple(sorted(added)), vanished=tuple(sorted(vanished)))
        block.detect_drift(drift, self.tree.generation, self.command)

    def bring(
        self, block: SystemBlock, receipts: Sequence[Mapping[str, Any]], stamp_id: str, command: Command
    ) -> None:
        """Land the receipts that a seed brings for a block. Raises Refused as every import of one does."""
        self.others += self.receipts.bring(block, receipts, stamp_id, command)

    # Follow-ups

    def _stale(
        self, block: SystemBlock, receipts: Mapping[str, str], reason: StaleReason, cause: Event
    ) -> None:
        ended = self.receipts.stale(receipts, reason, cause, block.state.scope, self.command)
        self.others += ended.values()
        self.staled += [Staled(id, block.block_id, receipts[id], reason) for id in sorted(ended)]

    def _spec(self, block: SystemBlock, stamp_id: str, command: Command) -> None:
        self.others += self.receipts.spec(block, stamp_id, command)

    def finish(self, verb: str, *, looked: bool = True) -> list[Aggregate]:
        """All that is to be saved, counted as one change of the map. `looked`: the whole repository was seen."""
        now = self.now()
        for id in now.live:
            self.blocks[id].watch_sockets(now.socket_targets, self.command)
            if looked:
                self._watch_files(self.blocks[id], now.live_settled.blocks[id])
        residue = self.tree.residue(now.settled.owned) if looked else None
        self.head.advance(verb, self.command, residue)
        return [self.head, self.skeleton, *self.blocks.values(), *self.others]

    def _watch_files(self, block: SystemBlock, resolution: Resolution) -> None:
        """How the files differ from the baseline after this change; another block may have let go of some."""
        here, known = set(resolution.paths), {member.path for member in block.baseline.members}
        self.note_drift(block, here - known, known - here)

    def aged(self) -> Aged:
        """What a write or an ingest made of the blocks; nothing where it touched none."""
        if not any(block.pending_events for block in self.blocks.values()):
            return Aged()
        self.head.advance("ageing", self.command)
        return Aged((self.head, *self.blocks.values(), *self.others), tuple(self.touched), tuple(self.staled))
