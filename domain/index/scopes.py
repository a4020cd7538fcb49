"""Modules and blocks as scopes: which name means what there. Three namespaces, globs, private names.

A code is an item's number, `~m` for module m, EXTERNAL, or AMBIGUOUS. Nothing here guesses: a name that two globs
provide is AMBIGUOUS.
"""

from typing import Final

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL

TYPE: Final = 0
VALUE: Final = 1
MACRO: Final = 2


class Scope:
    """Names of a module (`module` is its number), or of a block inside one (`outer` is the scope around it)."""

    __slots__ = ("globs", "memo", "module", "outer", "pending", "private", "tables")

    def __init__(self, module: int, outer: "Scope | None" = None) -> None:
        self.module = module
        self.outer = outer
        self.tables: tuple[dict[str, int], dict[str, int], dict[str, int]] = ({}, {}, {})
        self.private: set[str] = set()
        """Names that only this module and those inside it see."""
        self.globs: list[tuple[int, bool]] = []
        """Codes of what is imported whole, and whether it is imported for this module only."""
        self.pending: set[str] = set()
        """Names that imports of this scope may still bind."""
        self.memo: dict[str, tuple[int, tuple[int, ...]] | None] = {}


class ScopeTree:
    """All scopes of the repository, and lookups in them."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.parents: list[int] = []
        """Parent module of each module, -1 for a crate root."""
        self.roots: list[int] = []
        """Root module of each module's crate."""
        self.members: dict[int, dict[str, int]] = {}
        """Associated items and variants of a type or trait, by its item number."""
        self.variants: dict[int, dict[str, int]] = {}
        """Variants of an enum: the names that `use Enum::*` brings."""

    def add_module(self, parent: int) -> int:
        number = len(self.scopes)
        self.scopes.append(Scope(number))
        self.parents.append(parent)
        self.roots.append(self.roots[parent] if parent >= 0 else number)
        return number

    def sees_inside(self, asker: int, module: int) -> bool:
        """Whether `asker` is `module` or lies in it, so that private names are open to it."""
        while asker >= 0:
            if asker == module:
                return True
            asker = self.parents[asker]
        return False

    def get(
        self, scope: Scope, name: str, space: int, asker: int, seen: set[int] | None = None
    ) -> int | None:
        """What `name` is in one scope, globs included, for code in module `asker`."""
        code = scope.tables[space].get(name)
        if code is not None:
            return code
        if not scope.globs:
            return None
        seen = seen if seen is not None else set()
        if id(scope) in seen:
            return None
        seen.add(id(scope))
        found: int | None = None
        for target, private in scope.globs:
            if private and not self.sees_inside(asker, scope.module):
                continue
            code = self._through_glob(target, name, space, scope.module, seen)
            if code is None or code == found:
                continue
            if found is not None and EXTERNAL not in (found, code):
                return AMBIGUOUS
            if found is None or found == EXTERNAL:
                found = code
        return found

    def _through_glob(self, target: int, name: str, space: int, module: int, seen: set[int]) -> int | None:
        if target == EXTERNAL:
            return None
        if target >= 0:
            return self.variants.get(target, {}).get(name) if space != MACRO else None
        scope = self.scopes[~target]
        if name in scope.private and not self.sees_inside(module, scope.module):
            return None
        return self.get(scope, name, space, module, seen)

    def find(self, scope: Scope, name: str, space: int) -> int | None:
        """What `name` is for code in `scope`: block by block outwards, then the module."""
        here: Scope | None = scope
        while here is not None:
            code = self.get(here, name, space, scope.module)
            if code is not None:
                return code
            here = here.outer
        return None

    def member(self, code: int, name: str, space: int, asker: int) -> int | None:
        """`X::name` for a module, type, trait or outside X."""
        if code == EXTERNAL:
            return EXTERNAL
        if code == AMBIGUOUS:
            return AMBIGUOUS
        if code < 0:
            return self.get(self.scopes[~code], name, space, asker)
        return self.members.get(code, {}).get(name) if space != MACRO else None
