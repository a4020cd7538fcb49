"""What a system block is as a value: its signed parts, its files as of one look, where it stands (BLOCKS.md, Block)."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from attrs import frozen
from pydantic import Field

from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.layout import Layout
from m1nd.domain.blocks.membership import Member, ResolvedMember, resolution_hash
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.blocks.sockets import Sockets
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

BlockKind = Literal["scanned", "planned"]
MembershipSource = Literal["ratified", "proposed", "manual"]
BLOCK_ID = re.compile(r"^sb_[a-z0-9][a-z0-9_-]*$")
BumpCause = Literal["reconcile", "transplant", "rollback", "declaration"]


class Lifecycle(StrEnum):
    RATIFIED = "ratified"
    ARCHIVED = "archived"
    TOMBSTONED = "tombstoned"


class CandidateMeta(Value):
    """How a candidate came to be. `cohesion`: share of its sampled edges that stay inside; None below five edges.

    `coverage_ratio`: share of its folder's files that it claims.
    """

    named_by: Literal["owner", "runner", "heuristic"]
    needs_owner_naming: bool
    cohesion: float | None = None
    coverage_ratio: float = 0.0

    def wire(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class BlockDraft(Value):
    """What a ratification makes a block of: the parts that are signed, and what came with them."""

    name: str
    purpose: str
    kind: BlockKind = "scanned"
    membership: tuple[Member, ...] = ()
    sockets: Sockets = Field(default_factory=Sockets)
    contract: Contract = Field(default_factory=Contract)
    layout: Layout = Field(default_factory=Layout)
    membership_source: MembershipSource = "proposed"
    unmapped_residue: tuple[str, ...] = ()
    candidate_meta: CandidateMeta | None = None

    def check(self, block_id: str) -> None:
        """Raises Refused(outside_root | usage | contract_broken | socket_leak) for what no block may hold."""
        for member in self.membership:
            member.check(block_id)
        self.contract.check(block_id)
        self.sockets.check(block_id)

    def ratified(self, by: str, at: datetime) -> "BlockDraft":
        """The same as a person signed it: its membership is no proposal any more, its contract has who declared it."""
        contract = self.contract
        if not contract.declared_by:
            contract = contract.model_copy(update={"declared_by": by, "declared_at": at.isoformat()})
        source = "ratified" if self.membership_source == "proposed" else self.membership_source
        parts = {"contract": contract, "membership_source": source, "candidate_meta": None}
        return self.model_copy(update=parts)


class CandidateBlock(Value):
    """A block before its ratification. The versions are those that it begins with (a seed may bring higher ones)."""

    block_id: str = Field(pattern=BLOCK_ID.pattern, max_length=160)
    draft: BlockDraft
    boundary_version: int = Field(default=1, ge=1)
    contract_version: int = Field(default=1, ge=1)


class Baseline(Value):
    """The files of a block as of one look at the repository. `content_hash` is over their bytes (D17)."""

    members: tuple[ResolvedMember, ...]
    content_hash: str
    generation: int = Field(ge=0)

    @property
    def resolution_hash(self) -> str:
        return resolution_hash(self.members)

    def after(
        self,
        added: tuple[ResolvedMember, ...],
        removed: tuple[str, ...],
        content_hash: str,
        generation: int,
    ) -> "Baseline":
        """With some files more (or in another role) and some less."""
        roles = {member.path: member for member in self.members}
        for path in removed:
            roles.pop(path, None)
        roles.update((member.path, member) for member in added)
        members = tuple(roles[path] for path in sorted(roles))
        return Baseline(members=members, content_hash=content_hash, generation=generation)


class Drift(Value):
    """The files as found do not fit the baseline. `added` fit a glob and are new, `vanished` were members."""

    added: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.vanished)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind for kind in ("added", "vanished") if getattr(self, kind))


@frozen
class BlockState:
    """A block as its stream tells it. `version` counts its events: the fine key of `expected_versions` (D15).

    `receipts` maps the id of each receipt that may be live to its type: whether it is, the receipt knows.
    """

    block_id: str
    draft: BlockDraft
    lifecycle: Lifecycle
    boundary_version: int
    contract_version: int
    baseline: Baseline
    boundary_signed: int
    """The newest `boundary_version` that a person signed (D40)."""
    receipts: Mapping[str, str]
    drift: Drift
    snoozed_until: datetime | None
    broken_sockets: tuple[str, ...]
    missing: tuple[str, ...]
    version: int

    @property
    def scope(self) -> BlockScope:
        return BlockScope(
            self.block_id, self.boundary_version, self.contract_version, self.baseline.resolution_hash
        )

    @property
    def name(self) -> str:
        return self.draft.name

    @property
    def contract(self) -> Contract:
        return self.draft.contract

    @property
    def membership(self) -> tuple[Member, ...]:
        return self.draft.membership

    @property
    def is_live(self) -> bool:
        return self.lifecycle is Lifecycle.RATIFIED

    @property
    def needs_signature(self) -> bool:
        """Its boundary moved since a person last signed it."""
        return self.boundary_signed < self.boundary_version

    def require_live(self) -> None:
        """Raises Refused(block_archived | unknown_block)."""
        if self.lifecycle is Lifecycle.TOMBSTONED:
            refuse("unknown_block", f"{self.block_id} was deleted", block_id=self.block_id)
        if self.lifecycle is Lifecycle.ARCHIVED:
            refuse("block_archived", f"{self.block_id} is archived", block_id=self.block_id)


def stream_name(block_id: str) -> str:
    return f"block:{block_id}"
