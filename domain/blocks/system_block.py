"""The SystemBlock aggregate: one ratified part of the repository and what became of it (BLOCKS.md, D16 to D22).

It begins with its ratification; a candidate is a draft in the skeleton. ratified ⇄ archived → tombstoned. Its versions
only rise. It knows which receipts may be live on it; the receipts themselves are aggregates of their own.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import ClassVar, Literal, Self

from pydantic import AwareDatetime, Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.blocks.block_state import (
    Baseline,
    BlockDraft,
    BlockState,
    BumpCause,
    Drift,
    Lifecycle,
    stream_name,
)
from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.layout import Layout
from m1nd.domain.blocks.membership import Member, ResolvedMember, declaration_digest, resolution_hash
from m1nd.domain.blocks.sockets import Sockets
from m1nd.domain.refusal import refuse

LISTED_PATHS = 500
"""An event that names files for its reader alone names at most so many; the count beside them is whole."""


class SystemBlock(Aggregate):
    TOPIC = "system_block"

    class BlockOpened(CreatedEvent):
        """The stream begins, in the append of the block's first ratification."""

        TOPIC: ClassVar[str] = "block_opened"
        block_id: str

    class BlockRatified(Event):
        """What was signed. Again where a revision or a seed replaces the whole block; its versions then only rise."""

        TOPIC: ClassVar[str] = "block_ratified"
        block_id: str
        draft: BlockDraft
        boundary_version: int = Field(ge=1)
        contract_version: int = Field(ge=1)
        declaration_digest: str
        source: Literal["session", "seed", "revision"]
        stamp_id: str = ""

    class BoundaryBaselined(Event):
        """These are the block's files, as a person signed them at `boundary_version`."""

        TOPIC: ClassVar[str] = "boundary_baselined"
        boundary_version: int
        baseline: Baseline
        resolution_hash: str

    class BoundaryBumped(Event):
        """The boundary is another one; every live receipt of the older one goes stale in this append (D16).

        `membership` where the declaration itself changed. `touched` are the files that a move or an edit wrote.
        """

        TOPIC: ClassVar[str] = "boundary_bumped"
        block_id: str
        from_version: int = Field(alias="from")
        to_version: int = Field(alias="to")
        cause: BumpCause
        added: tuple[ResolvedMember, ...] = ()
        removed: tuple[str, ...] = ()
        touched: tuple[str, ...] = ()
        membership: tuple[Member, ...] | None = None
        resolution_hash: str
        content_hash: str
        generation: int

    class ContractBumped(Event):
        TOPIC: ClassVar[str] = "contract_bumped"
        block_id: str
        from_version: int = Field(alias="from")
        to_version: int = Field(alias="to")
        contract: Contract
        reason: str
        stamp_id: str = ""

    class MemberMissing(Event):
        """Declared exact paths that hold no file; empty when all are there again."""

        TOPIC: ClassVar[str] = "member_missing"
        paths: tuple[str, ...]

    class MemberContentChanged(Event):
        """Bytes of member files changed; no bump (D17). `receipts` are those that go stale by it, in this append."""

        TOPIC: ClassVar[str] = "member_content_changed"
        block_id: str
        paths: tuple[str, ...]
        count: int
        content_hash: str
        generation: int
        receipts: tuple[str, ...] = ()

    class DriftDetected(Event):
        """The files no longer fit the baseline; empty lists when they fit again. Nothing is remapped (D40)."""

        TOPIC: ClassVar[str] = "drift_detected"
        block_id: str
        kinds: tuple[str, ...]
        drift: Drift
        generation: int

    class DriftSnoozed(Event):
        TOPIC: ClassVar[str] = "drift_snoozed"
        until: AwareDatetime

    class DriftDismissed(Event):
        """This drift is not to be shown again; another one is."""

        TOPIC: ClassVar[str] = "drift_dismissed"
        reason: str = Field(min_length=1, max_length=400)

    class SocketBroken(Event):
        TOPIC: ClassVar[str] = "socket_broken"
        target: str

    class SocketRepaired(Event):
        TOPIC: ClassVar[str] = "socket_repaired"
        target: str

    class SocketsAmended(Event):
        TOPIC: ClassVar[str] = "sockets_amended"
        block_id: str
        sockets: Sockets

    class LayoutPinned(Event):
        TOPIC: ClassVar[str] = "layout_pinned"
        layout: Layout

    class ReceiptRegistered(Event):
        """A receipt was imported in this append; one of the same type before it is superseded."""

        TOPIC: ClassVar[str] = "receipt_registered"
        receipt_id: str
        receipt_type: str

    class BlockArchived(Event):
        """Its files are nobody's; its history stays (D22)."""

        TOPIC: ClassVar[str] = "block_archived"
        block_id: str
        released: tuple[str, ...]
        stamp_id: str = ""

    class BlockRestored(Event):
        """It reclaims the files that are still free; `conflicts` have another primary owner by now (D22)."""

        TOPIC: ClassVar[str] = "block_restored"
        block_id: str
        reclaimed: tuple[str, ...]
        conflicts: tuple[str, ...]
        resolution_hash: str
        stamp_id: str = ""

    class BlockTombstoned(Event):
        TOPIC: ClassVar[str] = "block_tombstoned"
        block_id: str
        stamp_id: str = ""

    @event(BlockOpened)
    def __init__(self, block_id: str) -> None:
        self.block_id = block_id
        self.draft = BlockDraft(name="", purpose="")
        self.lifecycle = Lifecycle.RATIFIED
        self.boundary_version = self.contract_version = self.boundary_signed = 0
        self.baseline = Baseline(members=(), content_hash="", generation=0)
        self.receipts: dict[str, str] = {}
        self.drift = self.dismissed = Drift()
        self.snoozed_until: datetime | None = None
        self.broken_sockets: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()

    @classmethod
    def open(cls, block_id: str, command: Command) -> Self:
        return cls._begin(cls.BlockOpened, command, stream_name(block_id), block_id=block_id)

    @property
    def state(self) -> BlockState:
        shown = Drift() if self.drift == self.dismissed else self.drift
        return BlockState(
            self.block_id,
            self.draft,
            self.lifecycle,
            self.boundary_version,
            self.contract_version,
            self.baseline,
            self.boundary_signed,
            dict(self.receipts),
            shown,
            self.snoozed_until,
            self.broken_sockets,
            self.missing,
            self.version + 1,
        )

    # Ratification

    def ratify(
        self,
        draft: BlockDraft,
        baseline: Baseline,
        source: Literal["session", "seed", "revision"],
        command: Command,
        *,
        versions: tuple[int, int] = (1, 1),
        stamp_id: str = "",
    ) -> Event:
        """Take what was signed, with its files as the baseline; answers the event that receipts of before go stale by.

        `versions` are the least boundary and contract versions. A block that was ratified before gets higher ones where
        its boundary or its terms differ: versions never go back (D15).
        """
        known = self.boundary_version > 0
        same_boundary = (
            known
            and self.draft.membership == draft.membership
            and self.baseline.members == baseline.members
            and self.lifecycle is Lifecycle.RATIFIED
        )
        same_terms = known and self.draft.contract.same_terms(draft.contract)
        ratified = self._record(
            SystemBlock.BlockRatified,
            command,
            block_id=self.block_id,
            draft=draft,
            boundary_version=max(versions[0], self.boundary_version + (0 if same_boundary else 1)),
            contract_version=max(versions[1], self.contract_version + (0 if same_terms else 1)),
            declaration_digest=declaration_digest(draft.membership),
            source=source,
            stamp_id=stamp_id,
        )
        self.sign_boundary(baseline, command.caused_by(ratified))
        return ratified

    def sign_boundary(self, baseline: Baseline, command: Command) -> None:
        """The files of `baseline` are the boundary that a person signed just now (D40)."""
        self._record(
            SystemBlock.BoundaryBaselined,
            command,
            boundary_version=self.boundary_version,
            baseline=baseline,
            resolution_hash=baseline.resolution_hash,
        )

    # Boundary and contract

    def bump_boundary(
        self,
        cause: BumpCause,
        baseline: Baseline,
        command: Command,
        *,
        touched: Sequence[str] = (),
        membership: tuple[Member, ...] | None = None,
    ) -> Event:
        """Another boundary: versions rise by one, receipts of the older one are no longer live."""
        before, after = set(self.baseline.members), set(baseline.members)
        kept = {member.path for member in after}
        return self._record(
            SystemBlock.BoundaryBumped,
            command,
            block_id=self.block_id,
            from_version=self.boundary_version,
            to_version=self.boundary_version + 1,
            cause=cause,
            added=tuple(sorted(after - before, key=lambda member: member.path)),
            removed=tuple(sorted(member.path for member in before if member.path not in kept)),
            touched=tuple(sorted(touched))[:LISTED_PATHS],
            membership=membership,
            resolution_hash=baseline.resolution_hash,
            content_hash=baseline.content_hash,
            generation=baseline.generation,
        )

    def bump_contract(self, contract: Contract, reason: str, stamp_id: str, command: Command) -> Event:
        return self._record(
            SystemBlock.ContractBumped,
            command,
            block_id=self.block_id,
            from_version=self.contract_version,
            to_version=self.contract_version + 1,
            contract=contract,
            reason=reason,
            stamp_id=stamp_id,
        )

    def amend_sockets(self, sockets: Sockets, command: Command) -> bool:
        """Answers False when nothing differs."""
        if sockets == self.draft.sockets:
            return False
        self._record(SystemBlock.SocketsAmended, command, block_id=self.block_id, sockets=sockets)
        return True

    # What the files did

    def change_content(
        self,
        paths: Sequence[str],
        content_hash: str,
        generation: int,
        receipts: Iterable[str],
        command: Command,
    ) -> Event | None:
        """Member files have other bytes. None when the content is the known one."""
        if content_hash == self.baseline.content_hash:
            return None
        return self._record(
            SystemBlock.MemberContentChanged,
            command,
            block_id=self.block_id,
            paths=tuple(sorted(paths))[:LISTED_PATHS],
            count=len(paths),
            content_hash=content_hash,
            generation=generation,
            receipts=tuple(sorted(receipts)),
        )

    def note_missing(self, paths: tuple[str, ...], command: Command) -> bool:
        if paths == self.missing:
            return False
        self._record(SystemBlock.MemberMissing, command, paths=paths)
        return True

    def detect_drift(self, drift: Drift, generation: int, command: Command) -> bool:
        """Record how the files differ from the baseline, if that is news; answers whether it was."""
        if drift == self.drift:
            return False
        self._record(
            SystemBlock.DriftDetected,
            command,
            block_id=self.block_id,
            kinds=drift.kinds,
            drift=drift,
            generation=generation,
        )
        return True

    def snooze_drift(self, until: datetime, command: Command) -> None:
        """Raises Refused(no_drift) where there is none."""
        self._require_drift()
        self._record(SystemBlock.DriftSnoozed, command, until=until)

    def dismiss_drift(self, reason: str, command: Command) -> None:
        """Raises Refused(no_drift) where there is none."""
        self._require_drift()
        self._record(SystemBlock.DriftDismissed, command, reason=reason)

    def _require_drift(self) -> None:
        if self.drift.is_empty or self.drift == self.dismissed:
            refuse("no_drift", f"{self.block_id} has no drift to put off", block_id=self.block_id)

    def watch_sockets(self, live: Iterable[str], command: Command) -> bool:
        """Record the sockets that lead to no live block, and those that do again; answers whether any changed."""
        known = set(live)
        broken = {target for target in self.draft.sockets.targets if target not in known}
        before = set(self.broken_sockets)
        for target in sorted(broken - before):
            self._record(SystemBlock.SocketBroken, command, target=target)
        for target in sorted(before - broken):
            self._record(SystemBlock.SocketRepaired, command, target=target)
        return broken != before

    # Receipts

    def register_receipt(self, receipt_id: str, receipt_type: str, command: Command) -> None:
        """A receipt was imported on the block's present scope. Raises Refused(block_archived | unknown_block)."""
        self.state.require_live()
        self._record(SystemBlock.ReceiptRegistered, command, receipt_id=receipt_id, receipt_type=receipt_type)

    # Life

    def pin_layout(self, layout: Layout, command: Command) -> bool:
        if layout == self.draft.layout:
            return False
        self._record(SystemBlock.LayoutPinned, command, layout=layout)
        return True

    def archive(self, stamp_id: str, command: Command) -> Event | None:
        """Release the files, keep the history. None when it is archived already."""
        if self.lifecycle is Lifecycle.ARCHIVED:
            return None
        self.state.require_live()
        released = tuple(member.path for member in self.baseline.members)
        return self._record(
            SystemBlock.BlockArchived,
            command,
            block_id=self.block_id,
            released=released,
            stamp_id=stamp_id,
        )

    def restore(self, conflicts: Iterable[str], stamp_id: str, command: Command) -> Event | None:
        """Live again, without the files that have another primary owner by now. None when it is live already."""
        if self.lifecycle is Lifecycle.RATIFIED:
            return None
        if self.lifecycle is Lifecycle.TOMBSTONED:
            refuse("unknown_block", f"{self.block_id} was deleted", block_id=self.block_id)
        taken = set(conflicts)
        members = self.baseline.members
        free = tuple(member for member in members if member.path not in taken)
        return self._record(
            SystemBlock.BlockRestored,
            command,
            block_id=self.block_id,
            reclaimed=tuple(member.path for member in free),
            conflicts=tuple(member.path for member in members if member.path in taken),
            resolution_hash=resolution_hash(free),
            stamp_id=stamp_id,
        )

    def tombstone(self, stamp_id: str, command: Command) -> None:
        """Gone from the map; the log keeps everything. Only an archived block (`delete_unsafe` is judged by the caller)."""
        self._record(SystemBlock.BlockTombstoned, command, block_id=self.block_id, stamp_id=stamp_id)

    # Applying

    @event(BlockRatified)
    def _ratified(self, draft: BlockDraft, boundary_version: int, contract_version: int) -> None:
        if (boundary_version, contract_version) != (self.boundary_version, self.contract_version):
            self.receipts = {}
        self.draft = draft
        self.boundary_version, self.contract_version = boundary_version, contract_version
        self.lifecycle = Lifecycle.RATIFIED

    @event(BoundaryBaselined)
    def _baselined(self, baseline: Baseline) -> None:
        if baseline.members != self.baseline.members:
            self.receipts = {}
        self.baseline = baseline
        self.boundary_signed = self.boundary_version
        self.drift = self.dismissed = Drift()
        self.snoozed_until = None

    @event(BoundaryBumped)
    def _bumped(
        self,
        to_version: int,
        membership: tuple[Member, ...] | None,
        added: tuple[ResolvedMember, ...],
        removed: tuple[str, ...],
        content_hash: str,
        generation: int,
    ) -> None:
        self.boundary_version = to_version
        self.baseline = self.baseline.after(added, removed, content_hash, generation)
        self.receipts = {}
        self.drift = self.dismissed = Drift()
        self.snoozed_until = None
        if membership is not None:
            self.draft = self.draft.model_copy(update={"membership": membership})

    @event(ContractBumped)
    def _contract_bumped(self, to_version: int, contract: Contract) -> None:
        self.contract_version = to_version
        self.receipts = {}
        self.draft = self.draft.model_copy(update={"contract": contract})

    @event(MemberMissing)
    def _missing(self, paths: tuple[str, ...]) -> None:
        self.missing = paths

    @event(MemberContentChanged)
    def _content_changed(self, content_hash: str, generation: int, receipts: tuple[str, ...]) -> None:
        self.baseline = self.baseline.model_copy(
            update={"content_hash": content_hash, "generation": generation}
        )
        self.receipts = {id: kind for id, kind in self.receipts.items() if id not in receipts}

    @event(DriftDetected)
    def _drifted(self, drift: Drift) -> None:
        self.drift = drift

    @event(DriftSnoozed)
    def _snoozed(self, until: datetime) -> None:
        self.snoozed_until = until

    @event(DriftDismissed)
    def _dismissed(self) -> None:
        self.dismissed = self.drift

    @event(SocketBroken)
    def _socket_broken(self, target: str) -> None:
        self.broken_sockets = tuple(sorted({*self.broken_sockets, target}))

    @event(SocketRepaired)
    def _socket_repaired(self, target: str) -> None:
        self.broken_sockets = tuple(t for t in self.broken_sockets if t != target)

    @event(SocketsAmended)
    def _sockets_amended(self, sockets: Sockets) -> None:
        self.draft = self.draft.model_copy(update={"sockets": sockets})

    @event(LayoutPinned)
    def _layout_pinned(self, layout: Layout) -> None:
        self.draft = self.draft.model_copy(update={"layout": layout})

    @event(ReceiptRegistered)
    def _registered(self, receipt_id: str, receipt_type: str) -> None:
        self.receipts = {id: kind for id, kind in self.receipts.items() if kind != receipt_type}
        self.receipts[receipt_id] = receipt_type

    @event(BlockArchived)
    def _archived(self) -> None:
        self.lifecycle = Lifecycle.ARCHIVED
        self.receipts = {}

    @event(BlockRestored)
    def _restored(self, conflicts: tuple[str, ...]) -> None:
        self.lifecycle = Lifecycle.RATIFIED
        kept = tuple(member for member in self.baseline.members if member.path not in conflicts)
        self.baseline = self.baseline.model_copy(update={"members": kept})

    @event(BlockTombstoned)
    def _tombstoned(self) -> None:
        self.lifecycle = Lifecycle.TOMBSTONED
        self.receipts = {}
