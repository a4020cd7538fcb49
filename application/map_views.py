"""The map as the views tell it: frozen rows (a part of the port `Views`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from m1nd.domain.blocks.block_state import BlockDraft, CandidateBlock, Drift, Lifecycle
    from m1nd.domain.blocks.layout import Layout
    from m1nd.domain.blocks.membership import ResolvedMember
    from m1nd.domain.blocks.proposal import Proposal, Ratification, SkeletonStage
    from m1nd.domain.blocks.residue import Residue


@frozen
class SkeletonRow:
    skeleton_id: str
    version: int
    stage: SkeletonStage
    repo_id: str
    source_commit: str
    report: Mapping[str, Any]
    ratification: Ratification
    revision_id: str
    revision: Proposal | None


@frozen
class BlockRow:
    """A block that was ratified, deleted ones too. `version` is the fine key of `expected_versions`.

    `broken_sockets` maps the target of each broken socket to the log position of the break; `drift` is what is shown.
    """

    block_id: str
    draft: BlockDraft
    lifecycle: Lifecycle
    boundary_version: int
    contract_version: int
    boundary_signed: int
    resolution_hash: str
    content_hash: str
    generation: int
    drift: Drift
    snoozed_until: datetime | None
    missing: tuple[str, ...]
    broken_sockets: Mapping[str, int]
    members: tuple[ResolvedMember, ...]
    version: int
    position: int

    @property
    def is_live(self) -> bool:
        return self.lifecycle == "ratified"

    @property
    def layout(self) -> Layout:
        """Where it is drawn: pinned, or from its id."""
        from m1nd.domain.blocks.layout import first_layout

        layout = self.draft.layout
        return first_layout(self.block_id) if layout.x is None or layout.y is None else layout


@frozen
class MapRows:
    """The whole map at one moment of the log. `signed` are digests by part and block id, of candidates."""

    store_version: int
    residue: Residue | None
    skeleton: SkeletonRow
    candidates: tuple[CandidateBlock, ...]
    signed: Mapping[str, Mapping[str, str]]
    blocks: tuple[BlockRow, ...]
    curating_by: str
    curating_until: datetime | None
