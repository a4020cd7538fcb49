"""Whether a receipt still counts, and the first reason why not (BLOCKS.md, `receipt_recompute`)."""

from datetime import datetime

from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.receipts.receipt import ReceiptState


def staleness(receipt: ReceiptState, current: BlockScope | None, as_of: datetime) -> str:
    """Empty for a fresh receipt; else the first of block, boundary, contract, resolution, content, …, expired.

    `current` is the scope of its block now, None when that is gone. What the log recorded comes after what the versions
    themselves say, so that the two are held against each other here.
    """
    if current is None:
        return "block"
    for part in receipt.body.scope.block_scope.differences(current):
        return part
    if not receipt.is_live:
        return receipt.reason
    return "" if receipt.is_fresh(as_of) else "expired"
