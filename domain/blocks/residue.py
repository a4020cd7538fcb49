"""What a look at the whole repository found: which files no block owns (BLOCKS.md, invariant 8)."""

from pydantic import Field

from m1nd.domain.values import Value

LISTED_UNMAPPED = 500
"""At most so many unmapped files are named; the total is honest."""


class Residue(Value):
    """What a look at the whole repository found: every file is owned by a block, or unmapped (invariant 8).

    `generation` is the graph's. `unmapped` is sorted and may be shorter than `unmapped_total`.
    """

    generation: int
    scanned: int
    owned: int
    unmapped_total: int
    unmapped: tuple[str, ...] = Field(default=(), max_length=LISTED_UNMAPPED)
