"""Names that reach further than the tokens with them: those that imports, headers of impls and modules are made of.

A change of such a name may change what any other name means, and is not followed; everything is linked again.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from m1nd.domain.index.columns import Columns
from m1nd.domain.index.headers import ImplHeader
from m1nd.domain.index.imports import SYSROOT, Names

ROOTS = SYSROOT | {"crate", "$crate", "self", "super"}


class Reserved:
    """`names`: what no item of a scope may begin or cease to mean; `members`: the same behind a type."""

    def __init__(self, columns: Columns, names: Names, headers: Iterable[ImplHeader]) -> None:
        self.names: set[str] = set()
        self.members: set[str] = set()
        modules = {name for code, name in zip(columns.kinds, columns.names, strict=True) if code == "m"}
        modules |= ROOTS.union(*names.crate_names)
        types = {name for code, name in zip(columns.kinds, columns.names, strict=True) if code in "senty"}
        types |= {
            leaf.name for leaf in names.imports if leaf.name and leaf.path and leaf.name != leaf.path[-1]
        }
        self._modules = modules - types
        """Names that can only be modules and crates: what stands behind them is no member of a type."""
        self.names |= modules
        for item, code in enumerate(columns.kinds):
            if code == "x":
                self.names |= {columns.names[item], columns.details.get(item, "")}
        self._read(names, headers)

    def _read(self, names: Names, headers: Iterable[ImplHeader]) -> None:
        for leaf in names.imports:
            self.take(leaf.path, leaf.name)
        for header in headers:
            self._path(header.type)
            self._path(header.trait)

    def take(self, path: Sequence[str], name: str | None) -> bool:
        """Add what an import is made of; false where its alias makes a module's name one that may be a type's."""
        self._path(path)
        if name is not None:
            self.names.add(name)
        return name is None or not path or name == path[-1] or name not in self._modules

    def _path(self, path: Sequence[str]) -> None:
        self.names.update(path)
        for before, name in pairwise(path):
            if before not in self._modules:
                self.members.add(name)

    def holds(self, named: Iterable[str], members: Iterable[str]) -> bool:
        """Whether one of the names reaches further."""
        return not (self.names.isdisjoint(named) and self.members.isdisjoint(members))
