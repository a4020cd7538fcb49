"""Imports that come and go in one file, where what they bring is certain and nobody else builds on their names.

The linker binds imports round by round, and an early round may see what a later one does not. An import is followed only
where no round could see anything else: its path leads over names that items define, and no other import looks its name
up in the scope that it stands in.
"""

from collections.abc import Iterable, Iterator, Sequence

from m1nd.domain.index.codes import EXTERNAL
from m1nd.domain.index.columns import Columns
from m1nd.domain.index.headers import ImplHeader
from m1nd.domain.index.imports import Import, Names
from m1nd.domain.index.packed import ABSOLUTE, GLOB, IS_SELF
from m1nd.domain.index.scopes import MACRO, TYPE, VALUE, Scope

KEYWORDS = frozenset(("crate", "$crate", "self", "super"))
SPACES = (TYPE, VALUE, MACRO)


class Uncertain(Exception):
    """A name whose meaning may depend on the order in which imports were bound."""


class Spelled:
    """Imports by the names that they spell or bind."""

    def __init__(self, names: Names, columns: Columns) -> None:
        self._names = names
        self._columns = columns
        self._by_name: dict[str, list[Import]] | None = None

    def by(self, names: Iterable[str]) -> list[Import]:
        """Imports with one of these names that are still there."""
        if self._by_name is None:
            self._by_name = {}
            for leaf in self._names.imports:
                self.enter(leaf)
        found = {id(leaf): leaf for name in names for leaf in self._by_name.get(name, ())}
        return [leaf for leaf in found.values() if self._columns.kinds[leaf.item] == "u"]

    def enter(self, leaf: Import) -> None:
        """Know a new import, where any is known."""
        for name in {*leaf.path, leaf.name}:
            if name is not None and self._by_name is not None:
                self._by_name.setdefault(name, []).append(leaf)


class ImportChange:
    """Imports `gone` from and `come` to scopes, in a repository whose tables still hold the gone ones."""

    def __init__(self, names: Names, gone: Sequence[Import], come: Sequence[Import]) -> None:
        self.names = names
        self.tree = names.tree
        self.gone = gone
        self.come = come
        self.bound = {leaf.name for leaf in (*gone, *come) if leaf.name is not None}
        """The names that mean something else now."""
        self._lookers: dict[int, list[Scope]] | None = None

    def make(self, others: Sequence[Import], headers: Iterable[tuple[Scope, ImplHeader]]) -> bool:
        """Change the tables; false where the change is not certain, and they are good for nothing. `others` are the imports
        that stay and spell one of the names, `headers` those of impls."""
        if any(leaf.flags & GLOB or not leaf.path for leaf in (*self.gone, *self.come)):
            return False
        asked = [(scope, path) for scope, header in headers for path in (header.type, header.trait) if path]
        before = [self.names.path(scope, list(path), TYPE) for scope, path in asked]
        self._take_out()
        try:
            found = [self._brings(leaf) for leaf in self.come]
            self._check(others)
        except Uncertain:
            return False
        for leaf, codes in zip(self.come, found, strict=True):
            self._put_in(leaf, codes)
        return before == [self.names.path(scope, list(path), TYPE) for scope, path in asked]

    def _take_out(self) -> None:
        for leaf in self.gone:
            if leaf.name is not None:
                for table in leaf.scope.tables:
                    table.pop(leaf.name, None)
                leaf.scope.pending.discard(leaf.name)
                leaf.scope.private.discard(leaf.name)

    def _put_in(self, leaf: Import, codes: Sequence[int | None]) -> None:
        leaf.code = tuple(dict.fromkeys(code for code in codes if code is not None))
        if leaf.name is None:
            return
        leaf.scope.pending.add(leaf.name)
        if not leaf.public:
            leaf.scope.private.add(leaf.name)
        for table, code in zip(leaf.scope.tables, codes, strict=False):
            if code is not None:
                table[leaf.name] = code

    # ---- who else looks

    def _check(self, others: Sequence[Import]) -> None:
        """Raises Uncertain where a name has another meaning in its scope, or an import may look it up there."""
        places: dict[str, set[Scope]] = {}
        for leaf in (*self.gone, *self.come):
            if leaf.name is None:
                continue
            scope = leaf.scope
            if any(self.tree.get(scope, leaf.name, space, scope.module) is not None for space in SPACES):
                raise Uncertain(leaf.name)
            if leaf.name in self.names.exported_macros.get(self.tree.roots[scope.module], ()):
                raise Uncertain(leaf.name)
            places.setdefault(leaf.name, set()).update(self._around(scope))
        stay = [*others, *self.come]
        for leaf in self.come:
            if any(o is not leaf and o.scope is leaf.scope and o.name == leaf.name is not None for o in stay):
                raise Uncertain(leaf.name)
        for leaf in self.gone:
            if any(o.scope is leaf.scope and o.name == leaf.name is not None for o in others):
                raise Uncertain(leaf.name)
        for leaf in stay:
            for at, name in enumerate(leaf.path):
                if name in places and not places[name].isdisjoint(self._looks_in(leaf, at)):
                    raise Uncertain(name)

    def _around(self, scope: Scope) -> set[Scope]:
        """A scope and those that see its names through globs."""
        if self._lookers is None:
            self._lookers = {}
            for other in (*self.tree.scopes, *self.names.blocks.values()):
                for code, _ in other.globs:
                    if code < 0:
                        self._lookers.setdefault(~code, []).append(other)
        found = {scope}
        todo = [scope]
        while todo:
            here = todo.pop()
            if here.outer is None:
                fresh = [s for s in self._lookers.get(here.module, ()) if s not in found]
                found.update(fresh)
                todo += fresh
        return found

    def _looks_in(self, leaf: Import, at: int) -> Iterator[Scope]:
        """The scopes in which a segment of an import's path is looked up."""
        if at == 0:
            here: Scope | None = leaf.scope
            while here is not None:
                yield here
                here = here.outer
            yield self.tree.scopes[self.tree.roots[leaf.scope.module]]
            return
        code = self._path(leaf.scope, leaf.path[:at], leaf.flags)
        if code is not None and code < 0:
            yield self.tree.scopes[~code]

    # ---- what is certain

    def _brings(self, leaf: Import) -> list[int | None]:
        """What an import binds, space by space, as any round would find it."""
        path, last = leaf.path, leaf.path[-1]
        if leaf.flags & IS_SELF:
            return [self._path(leaf.scope, path, leaf.flags)]
        if len(path) == 1:
            return [self._single(leaf, last, space) for space in SPACES]
        holder = self._path(leaf.scope, path[:-1], leaf.flags)
        if holder is None:
            return []
        if last in KEYWORDS:
            raise Uncertain(last)
        return [self._member(holder, last, space) for space in SPACES]

    def _single(self, leaf: Import, name: str, space: int) -> int | None:
        if name in KEYWORDS or self.names.edition(leaf.scope) < 2018:
            raise Uncertain(name)
        code = None
        if not leaf.flags & ABSOLUTE and leaf.name != name:
            code = self._find(leaf.scope, name, space)
        return self.names.crate(leaf.scope, name) if code is None and space == TYPE else code

    def _path(self, scope: Scope, path: Sequence[str], flags: int) -> int | None:
        """What a path of an import denotes (`Names.import_path`)."""
        if self.names.edition(scope) < 2018:
            raise Uncertain(path[0])
        start, index = path[0], 1
        code: int | None
        if start in ("crate", "$crate"):
            code = ~self.tree.roots[scope.module]
        elif start == "self":
            code = ~scope.module
        elif start == "super":
            code, index = self.names.supers(scope, list(path))
        else:
            code = None if flags & ABSOLUTE else self._find(scope, start, TYPE)
            if code is None:
                code = self.names.crate(scope, start)
        for name in path[index:]:
            if code is None or code == EXTERNAL:
                break
            if name in KEYWORDS:
                raise Uncertain(name)
            code = self._member(code, name, TYPE)
        return code

    def _find(self, scope: Scope, name: str, space: int) -> int | None:
        here: Scope | None = scope
        while here is not None:
            code = self._get(here, name, space)
            if code is not None:
                return code
            here = here.outer
        return None

    def _member(self, code: int, name: str, space: int) -> int | None:
        if code == EXTERNAL:
            return EXTERNAL
        if code >= 0:
            # What stands behind a type is not known yet while imports are bound.
            raise Uncertain(name)
        return self._get(self.tree.scopes[~code], name, space)

    def _get(self, scope: Scope, name: str, space: int) -> int | None:
        """What a scope's own items make of a name; what is found nowhere in the end was never found."""
        code = scope.tables[space].get(name)
        if code is not None:
            if name in scope.pending:
                raise Uncertain(name)
            return code
        if self.tree.get(scope, name, space, scope.module) is not None:
            raise Uncertain(name)
        return None
