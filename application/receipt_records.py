"""The part of the application that records receipts: imported, staled, expired, superseded, withdrawn (`domain/receipts/`)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from m1nd.application.block_records import BlockRecords
from m1nd.application.map_change import Aged, Receipts, Staled, Touched
from m1nd.application.stamp_records import StampRecords, Used
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.blocks.block_state import stream_name as block_stream
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.receipts.checks import Circumstances, check_import
from m1nd.domain.receipts.emitters import spec_receipt
from m1nd.domain.receipts.evidence import ReceiptBody, read_receipt
from m1nd.domain.receipts.receipt import Receipt, ReceiptState, StaleReason, stream_name
from m1nd.domain.refusal import refuse


@frozen
class Landing:
    """How a receipt comes in: by whose leave, what the caller believes of the map, and the stamp to use up."""

    landed_by: str = ""
    expected: Expected = field(factory=Expected)
    stamp: Used | None = None
    emitters: frozenset[str] | None = None
    """Kinds of emitter that this leave is for; None for all."""


class ReceiptRecords(BlockRecords, StampRecords):
    """Every method may raise Refused of the groups log and store."""

    def import_receipt(self, body: ReceiptBody, landing: Landing, command: Command) -> ReceiptState:
        """Record evidence that passes every check; the same evidence a second time changes nothing.

        Raises Refused as `check_import`, and human_gesture_required.
        """

        self._append(command, lambda: self._imported(body, landing, command))
        return self._receipt(body.receipt_id).state

    def receipt(self, receipt_id: str) -> ReceiptState | None:
        """A receipt as its stream tells it; None if there is none."""
        found = self._load(Receipt, stream_name(receipt_id))
        return None if found is None else found.state

    def ageing_of(self, command: Command) -> dict[str, list[dict[str, Any]]]:
        """`blocks_touched` and `receipts_staled` of the append that this command made; empty lists where it made none."""
        appended = self._earlier(command)
        events = () if appended is None else appended.events
        bumped = [event for event in events if isinstance(event, SystemBlock.BoundaryBumped)]
        staled = [event for event in events if isinstance(event, Receipt.ReceiptStaled)]
        return Aged(
            touched=tuple(Touched(e.block_id, e.from_version, e.to_version) for e in bumped),
            staled=tuple(
                Staled(e.receipt_id, e.block_id, self._receipt(e.receipt_id).body.type, e.reason)
                for e in staled
            ),
        ).receipt_fields()

    def expire_receipts(self, receipt_ids: Iterable[str], command: Command) -> tuple[str, ...]:
        """End those whose time is over at the command's time; answers which."""
        ids = tuple(receipt_ids)

        def work() -> list[Aggregate]:
            return [receipt for receipt in map(self._receipt, ids) if receipt.expire(command.at, command)]

        if not ids:
            return ()
        events = self._append(command, work).events
        return tuple(event.receipt_id for event in events if isinstance(event, Receipt.ReceiptExpired))

    def withdraw_receipt(self, receipt_id: str, reason: str, stamp: Used, command: Command) -> None:
        """Raises Refused(not_found | receipt_ended | human_gesture_required)."""

        def work() -> list[Aggregate]:
            receipt = self._receipt(receipt_id)
            receipt.withdraw(reason, stamp.gesture.challenge_id, command)
            head = self._map(command)
            head.advance("receipt_withdraw", command)
            return [receipt, head, *self._spend(stamp, command)]

        self._append(command, work)

    # For the records of the map, inside their own appends

    def _imported(self, body: ReceiptBody, landing: Landing, command: Command) -> list[Aggregate]:
        """All that an import changes, checked against the log as it is now; nothing for evidence that is there already."""
        block = self._load(SystemBlock, block_stream(body.scope.block_id))
        around = Circumstances(
            store_version=self.store_version(),
            expected=landing.expected,
            block=None if block is None else block.state,
            candidates=self._candidates() if block is None else frozenset(),
            now=command.at,
            emitters=landing.emitters,
        )
        check_import(body, around)
        if block is None or self._load(Receipt, stream_name(body.receipt_id)) is not None:
            return []
        landed = self._land(body, block, landing.landed_by, command)
        head = self._map(command)
        head.advance("receipt_import", command)
        return [*landed, block, head, *self._spend(landing.stamp, command)]

    def _land(
        self,
        body: ReceiptBody,
        block: SystemBlock,
        landed_by: str,
        command: Command,
        beside: Sequence[Receipt] = (),
    ) -> list[Receipt]:
        """The receipt of checked evidence, registered on `block` (which the caller saves), and the one that it replaces.

        Of two of one type the later evidence speaks: one that was earned before the live one is superseded at once.
        `beside` are receipts of the same append.
        """
        slot = block.state.contract.slot(body.type)
        tags = tuple(sorted({*body.validity.stales_on, *(slot.stales_on if slot else ())}))
        receipt = Receipt.import_body(body, tags, slot is not None, landed_by, command)
        older = self._live_of_type(block, body.type, beside)
        if older is None:
            block.register_receipt(receipt.receipt_id, body.type, command)
            return [receipt]
        if older.state.is_fresh(command.at) and receipt.state.earned_at < older.state.earned_at:
            receipt.supersede(older.receipt_id, command)
            return [receipt]
        older.supersede(receipt.receipt_id, command)
        block.register_receipt(receipt.receipt_id, body.type, command)
        return [receipt, older]

    def _earn_spec(
        self, block: SystemBlock, evidence_refs: Sequence[str], landed_by: str, command: Command
    ) -> list[Receipt]:
        """The `spec` receipt of a block whose contract was signed just now, registered on it (seed 001 §3, D19).

        `evidence_refs` name what was signed (the stamps). Nothing where this version has it already.
        """
        state = block.state
        body = spec_receipt(state.scope, state.contract, tuple(evidence_refs))
        if self._load(Receipt, stream_name(body.receipt_id)) is not None:
            return []
        return self._land(body, block, landed_by, command)

    def _bring(
        self, block: SystemBlock, receipts: Sequence[Mapping[str, Any]], stamp_id: str, command: Command
    ) -> list[Aggregate]:
        """The receipts that a seed brings for a block that it ratifies: by the checks of every import."""
        landed: list[Receipt] = []
        for raw in receipts:
            body = read_receipt(raw)
            check_import(body, Circumstances(1, Expected(), block.state, frozenset(), command.at))
            known = any(receipt.receipt_id == body.receipt_id for receipt in landed)
            if known or self._load(Receipt, stream_name(body.receipt_id)) is not None:
                continue
            for receipt in self._land(body, block, stamp_id, command, landed):
                if receipt not in landed:
                    landed.append(receipt)
        return [*landed]

    def _receipts(self) -> Receipts:
        return Receipts(
            stale=lambda ids, reason, cause, scope, command: {
                receipt.receipt_id: receipt
                for receipt in self._stale_receipts(ids, reason, cause, scope, command)
            },
            spec=lambda block, stamp_id, command: self._earn_spec(
                block, (f"stamp:{stamp_id}",), stamp_id, command
            ),
            sensitive=lambda ids: self._sensitive_to(ids, "member_change"),
            bring=self._bring,
        )

    def _stale_receipts(
        self,
        receipt_ids: Iterable[str],
        reason: StaleReason,
        cause: Event,
        current: BlockScope,
        command: Command,
    ) -> list[Receipt]:
        """Those of the receipts that were live, each staled by `cause`: to be saved in the append of the cause."""
        found = (self._receipt(id) for id in sorted(receipt_ids))
        return [receipt for receipt in found if receipt.stale(reason, cause, current, command)]

    def _stale_repainted(self, files: Collection[str], cause: Event, command: Command) -> list[Receipt]:
        """The live receipts that list `repaint`, of every live block that one of these files belongs to, staled."""
        skeleton = self.skeleton() if files else None
        staled: list[Receipt] = []
        for id in () if skeleton is None else skeleton.ratified:
            block = self._block(id).state
            if block.is_live and any(member.path in files for member in block.baseline.members):
                sensitive = self._sensitive_to(block.receipts, "repaint")
                staled += self._stale_receipts(sensitive, "repaint", cause, block.scope, command)
        return staled

    def _sensitive_to(self, receipt_ids: Iterable[str], tag: str) -> tuple[str, ...]:
        """Those of the receipts that are live and stale by `tag` (`member_change`, `repaint`), sorted."""
        found = (self._receipt(id).state for id in receipt_ids)
        return tuple(sorted(state.receipt_id for state in found if state.is_live and tag in state.stales_on))

    def _live_of_type(self, block: SystemBlock, type: str, beside: Sequence[Receipt]) -> Receipt | None:
        pending = {receipt.receipt_id: receipt for receipt in beside}
        for id, kind in block.state.receipts.items():
            if kind == type and (receipt := pending.get(id) or self._receipt(id)).state.is_live:
                return receipt
        return None

    def _candidates(self) -> frozenset[str]:
        """Ids of blocks that are drafts only."""
        skeleton = self.skeleton()
        return frozenset() if skeleton is None else frozenset(skeleton.candidates)

    def _receipt(self, receipt_id: str) -> Receipt:
        found = self._load(Receipt, stream_name(receipt_id))
        if found is None:
            refuse("not_found", f"there is no receipt {receipt_id}", "m1nd receipts list", id=receipt_id)
        return found
