"""What is known of the traits of crates outside the repository: a port, and the answer where nothing is known.

Only names cross it: which methods a trait has, and which traits a glob import brings. It resolves nothing.
"""

from collections.abc import Mapping
from typing import Protocol


class OutsideTraits(Protocol):
    def methods(self, package: str, name: str) -> frozenset[str] | None:
        """Associated functions of the traits called `name` that the package defines or re-exports.

        Empty for what is no trait; None when the package's sources are not at hand or do not tell.
        """
        ...

    def of_glob(self, package: str, path: tuple[str, ...]) -> Mapping[str, frozenset[str]] | None:
        """Trait name to associated functions of what `use package::path::*` may bring; None when unknown."""
        ...


class NoOutsideTraits:
    """Nothing is known of any crate outside."""

    def methods(self, package: str, name: str) -> frozenset[str] | None:
        return None

    def of_glob(self, package: str, path: tuple[str, ...]) -> Mapping[str, frozenset[str]] | None:
        return None
