"""What the map tells the packet and the card: how many blocks are ratified, which receipts went stale, whether it is ours."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from m1nd.application.brain import Brain
from m1nd.application.map_views import BlockRow, MapRows
from m1nd.application.receipt_views import ReceiptRow
from m1nd.domain.blocks.coherence import coherence
from m1nd.domain.card.deep import MapLine
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.north.inputs import MapInputs, StaleBlock
from m1nd.domain.receipts.rollup import RollUp, Standing, roll_up

MADE_OF = re.compile(r"sb_[^_]+_(?P<slug>.+?)(?:_[0-9a-f]{8})?")
"""Ids of blocks: `sb_<repo>_<slug>_<8 hex>`; a line of the card shows the slug."""
ENDED = ("staled", "expired")
WORDS = {
    Standing.BROKEN: "broken",
    Standing.UNKNOWN: "unknown",
    Standing.EVIDENCE_BACKED: "ok",
}


def map_inputs(brain: Brain, rows: MapRows, as_of: datetime) -> tuple[MapInputs, tuple[MapLine, ...]]:
    """The store of blocks as it stands at `as_of`, and one line for each ratified block.

    A block is stale where the newest receipt of a required type has ended as stale or expired: it had evidence, and that is
    no longer current. One that never had any only lacks it.
    """
    live = sorted((block for block in rows.blocks if block.is_live), key=lambda block: block.block_id)
    outcomes = brain.views.live_outcomes(as_of)
    standings = {
        block.block_id: roll_up(
            block.draft.contract.required_types, outcomes.get(block.block_id, {}), block.broken_sockets
        )
        for block in live
    }
    stale = {
        id: reason
        for id, standing in standings.items()
        if standing.missing and (reason := _ended(brain.views.receipts(id), standing.missing, as_of))
    }
    ids = [*(block.block_id for block in live), *(block.block_id for block in rows.candidates)]
    slugs = coherence(brain.project_name, rows.skeleton.skeleton_id, ids)
    inputs = MapInputs(
        ratified=len(live),
        stale=len(stale),
        evidence_backed=sum(s.standing is Standing.EVIDENCE_BACKED for s in standings.values()),
        first_stale=_first(stale, standings),
        expected_slug=slugs.expected_slug,
        found_slug=slugs.found_slug or slugs.expected_slug,
    )
    return inputs, tuple(_line(block, standings[block.block_id], block.block_id in stale) for block in live)


def _ended(receipts: Sequence[ReceiptRow], types: Sequence[str], as_of: datetime) -> str:
    """Why the newest receipt of one of these types is no longer current; empty where none of them ended so."""
    for type in types:
        newest = next((receipt for receipt in receipts if receipt.type == type), None)
        if newest is None:
            continue
        if newest.stage in ENDED:
            return newest.reason or newest.stage
        if newest.expires_at is not None and newest.expires_at <= as_of:
            return "expired"
    return ""


def _first(stale: Mapping[str, str], standings: Mapping[str, RollUp]) -> StaleBlock | None:
    for id, reason in stale.items():
        return StaleBlock(id, reason, standings[id].have, standings[id].need)
    return None


def _line(block: BlockRow, standing: RollUp, is_stale: bool) -> MapLine:
    made = MADE_OF.fullmatch(block.block_id)
    word = "stale" if is_stale else WORDS.get(standing.standing, f"{standing.have}/{standing.need}")
    return MapLine(sanitised(made["slug"] if made else block.block_id), word)
