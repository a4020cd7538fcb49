"""`system_blocks_snapshot`, and what every verb of the map begins with: the files as they are, the expected version.

The snapshot reads the views; what time or files decide (expiry, unmapped, coherence) is worked out here, from them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.map_views import BlockRow, MapRows
from m1nd.application.ports import Progress
from m1nd.application.receipt_views import ReceiptRow
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.domain.blocks.coherence import Coherence, coherence
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.blocks.ownership import settle
from m1nd.domain.blocks.residue import Residue
from m1nd.domain.blocks.tree import Tree
from m1nd.domain.receipts.rollup import RollUp, roll_up
from m1nd.domain.refusal import refuse


@frozen
class Snapshot:
    """The map with what the files of now make of it. `residue` is over all live blocks and candidates.

    `evidence` by id of each live block, as of `as_of`; `receipts` by block id, newest first.
    """

    rows: MapRows
    tree: Tree
    residue: Residue
    contested: Mapping[str, tuple[str, ...]]
    coherence: Coherence
    evidence: Mapping[str, RollUp]
    receipts: Mapping[str, tuple[ReceiptRow, ...]]
    as_of: datetime

    @property
    def live(self) -> tuple[BlockRow, ...]:
        return tuple(block for block in self.rows.blocks if block.is_live)

    def shown_drift(self, block: BlockRow) -> bool:
        """Whether the block's drift is to be shown: there is one, and nobody put it off."""
        snoozed = block.snoozed_until is not None and self.as_of < block.snoozed_until
        return not block.drift.is_empty and not snoozed


def look(brain: Brain, progress: Progress | None = None) -> Tree:
    """The files of the repository, as they are now (D41)."""
    bring_up_to_date(brain, progress)
    return Tree(dict(brain.graph.hashes()), brain.log.generation())


def expect(
    brain: Brain,
    verb: str,
    store_version: int | None,
    versions: Mapping[str, Any] | None = None,
) -> Expected:
    """What the caller believes the map to be (D15). The owner at the command line who names nothing means the map of now.

    Raises Refused(expected_version_required | usage).
    """
    if versions is not None and any(type(number) is not int for number in versions.values()):
        refuse("usage", "expected_versions maps block ids to whole numbers")
    expected = Expected(store_version, versions)
    if brain.actor.kind == "owner" and store_version is None and versions is None:
        return Expected(brain.app.store_version())
    expected.require_one(verb)
    return expected


def require_map(brain: Brain) -> None:
    """Raises Refused(no_store)."""
    if brain.app.store_version() == 0:
        refuse("no_store", "no system-block store here yet; import a seed or make a candidate")


def snapshot(brain: Brain, as_of: str = "", progress: Progress | None = None) -> Snapshot | None:
    """The map as it stands, its evidence judged at `as_of` (now where it is empty); None where there is none.

    Raises Refused(usage) for a time that is none.
    """
    at = _time(as_of) if as_of else brain.clock.now()
    if brain.views.blocks_map() is None:
        return None
    tree = look(brain, progress)
    rows = brain.views.blocks_map()
    assert rows is not None
    live = [block for block in rows.blocks if block.is_live]
    standing = {block.block_id: block.draft.membership for block in live}
    declared = standing | {block.block_id: block.draft.membership for block in rows.candidates}
    owners = {m.path: b.block_id for b in live for m in b.members if m.role == "primary"}
    settled = settle(declared, tree.files, owners)
    ids = [*(block.block_id for block in live), *(block.block_id for block in rows.candidates)]
    outcomes = brain.views.live_outcomes(at)
    return Snapshot(
        rows,
        tree,
        tree.residue(settled.owned | settle(standing, tree.files, owners).owned),
        settled.contested,
        coherence(brain.project_name, rows.skeleton.skeleton_id, ids),
        {
            b.block_id: roll_up(
                b.draft.contract.required_types, outcomes.get(b.block_id, {}), b.broken_sockets
            )
            for b in live
        },
        _by_block(brain.views.receipts()),
        at,
    )


def _by_block(receipts: Sequence[ReceiptRow]) -> dict[str, tuple[ReceiptRow, ...]]:
    found: dict[str, list[ReceiptRow]] = {}
    for receipt in receipts:
        found.setdefault(receipt.block_id, []).append(receipt)
    return {id: tuple(rows) for id, rows in found.items()}


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        refuse("usage", f"{text!r} is no time with a zone (2026-05-01T12:00:00+00:00)")
    return time
