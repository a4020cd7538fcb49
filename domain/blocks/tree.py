"""The repository's files as the map sees them: one look, and what it leaves unmapped."""

from collections.abc import Collection, Mapping
from functools import cached_property

from attrs import field, frozen

from m1nd.domain.blocks.block_state import Baseline
from m1nd.domain.blocks.membership import Resolution, content_hash
from m1nd.domain.blocks.residue import LISTED_UNMAPPED, Residue


@frozen(slots=False)
class Tree:
    """sha256 by path of every file that was scanned, at that generation of the graph."""

    hashes: Mapping[str, str] = field(factory=dict)
    generation: int = 0

    @cached_property
    def files(self) -> frozenset[str]:
        return frozenset(self.hashes)

    def baseline(self, resolution: Resolution) -> Baseline:
        """Those files as a block's baseline."""
        return Baseline(
            members=resolution.members,
            content_hash=content_hash(resolution.members, self.hashes),
            generation=self.generation,
        )

    def residue(self, owned: Collection[str]) -> Residue:
        """What no block owns; `owned` may name files that are gone."""
        unmapped = sorted(self.files.difference(owned))
        return Residue(
            generation=self.generation,
            scanned=len(self.files),
            owned=len(self.files) - len(unmapped),
            unmapped_total=len(unmapped),
            unmapped=tuple(unmapped[:LISTED_UNMAPPED]),
        )
