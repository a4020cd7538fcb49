"""Where a block is drawn: the same block in the same place (seed 001 §7). Positions come from the block's id alone."""

from typing import Any

from m1nd.domain.digests import sha256
from m1nd.domain.values import Value

FIELD = 1000
"""Positions lie in 0 ≤ x, y < FIELD; the unit is the drawer's."""


class Layout(Value):
    """Wire as here, nulls included. A pinned (`locked`) block never moves by itself."""

    x: int | None = None
    y: int | None = None
    locked: bool = False
    algorithm_seed: str | None = None
    version: int = 1

    def wire(self) -> dict[str, Any]:
        return self.model_dump()


def first_layout(block_id: str) -> Layout:
    """The first position of a block, the same on every machine."""
    digest = sha256(block_id.encode())
    x, y = (int(digest[at : at + 8], 16) % FIELD for at in (0, 8))
    return Layout(x=x, y=y, algorithm_seed=digest[:16])
