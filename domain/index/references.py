"""What one reference token means in a scope: the node it leads to, or why it leads nowhere. Looks up; never guesses.

Method names and bare names have candidates, which the edge says (`Surety`); more than `CANDIDATES` say too little.
"""

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL, Edge, Open, Surety, edge_byte
from m1nd.domain.index.edges import Linked
from m1nd.domain.index.modules import ModuleTree
from m1nd.domain.index.prelude import MACROS, PRELUDE, PRIMITIVES
from m1nd.domain.index.scopes import MACRO, TYPE, VALUE, Scope
from m1nd.domain.rust.cargo import CargoWorkspace, TargetKind

CANDIDATES = 8
"""A name with more bearers than this says too little to make edges of."""
CALL, REFERENCE = edge_byte(Edge.CALLS), edge_byte(Edge.REFERENCES)
METHOD = edge_byte(Edge.CALLS, Surety.METHOD)
Hit = tuple[int, tuple[int, ...]]
"""An edge byte and the nodes it leads to; the byte -1 - reason for a reference that stays open."""


class References:
    """Looks tokens up. `crate_of_file` numbers each file's crate, `reach` the crates that code of a crate may use."""

    def __init__(self, linked: Linked, crate_of_file: list[int], reach: dict[int, set[int]]) -> None:
        self.linked = linked
        self.columns = linked.columns
        self.names = linked.names
        self.tree = linked.names.tree
        self.twins = linked.names.twins
        self.crate_of_file = crate_of_file
        self.reach = reach
        self.methods: dict[str, list[int]] = {}
        self.by_name: dict[str, list[int]] = {}
        self.macros: dict[str, list[int]] = {}
        self._index_names()

    def _index_names(self) -> None:
        for item, name in enumerate(self.columns.names):
            table = self.bearers(item)
            if table is not None:
                table.setdefault(name, []).append(item)

    def bearers(self, item: int) -> dict[str, list[int]] | None:
        """The table that an item is found in by its bare name: methods, macros, or everything else that is used by name."""
        columns = self.columns
        code = columns.kinds[item]
        if code == "f":
            above = columns.parent[item]
            return self.methods if above >= 0 and columns.kinds[above] in "it" else self.by_name
        if code in "sentyck":
            return self.by_name
        return self.macros if code == "r" else None

    def look_up(self, token: str, scope: Scope, crate: int, own: int | None) -> Hit | None:
        """What a token means in a scope; None when it is foreign or no reference at all."""
        last = token[-1]
        if token[0] == ".":
            return self._method(token[1:-1], crate) if last == "(" else None
        if last == "!":
            return self._macro(token[:-1], scope, crate)
        if last == "(":
            return self._call(token[:-1], scope, crate, own)
        return self._reference(token, scope, own)

    def _method(self, name: str, crate: int) -> Hit | None:
        candidates = self._within_reach(self.methods.get(name, ()), crate)
        if not candidates:
            return None
        if len(candidates) > CANDIDATES:
            return -1 - Open.TOO_MANY_METHODS, ()
        return METHOD, candidates

    def _macro(self, text: str, scope: Scope, crate: int) -> Hit | None:
        path = text.split("::")
        code = self.names.path(scope, path, MACRO)
        if code is None and len(path) == 1:
            code = self._textual_macro(scope, text)
        if code is not None and code >= 0:
            return None if code in (EXTERNAL, AMBIGUOUS) else (CALL, self._with_twins(code))
        if len(path) == 1 and text in MACROS:
            return None
        candidates = self._within_reach(self.macros.get(path[-1], ()), crate)
        if candidates and len(candidates) <= CANDIDATES:
            return edge_byte(Edge.CALLS, Surety.NAME_ONLY), candidates
        return None if len(path) > 1 or self._has_foreign_glob(scope) else (-1 - Open.UNKNOWN_MACRO, ())

    def _textual_macro(self, scope: Scope, name: str) -> int | None:
        """A `macro_rules!` in textual scope: of a module around, else the only one of that name in the crate."""
        module = self.tree.parents[scope.module]
        while module >= 0:
            code = self.tree.scopes[module].tables[MACRO].get(name)
            if code is not None:
                return code
            module = self.tree.parents[module]
        return self.names.exported_macros.get(self.tree.roots[scope.module], {}).get(name)

    def _call(self, text: str, scope: Scope, crate: int, own: int | None) -> Hit | None:
        if "::" not in text:
            code = self.tree.find(scope, text, VALUE)
            if code is None:
                code = self.tree.find(scope, text, TYPE)
            if code is None and text not in PRELUDE:
                return self._by_name(text, crate, Edge.CALLS, scope)
            return self._hit(code, CALL)
        path = text.split("::")
        code = self.names.path(scope, path, VALUE, own)
        if code is None:
            code = self.names.path(scope, path, TYPE, own)
        if code is not None:
            return self._hit(code, CALL)
        return self._open_path(path, scope, crate, own, CALL)

    def _reference(self, text: str, scope: Scope, own: int | None) -> Hit | None:
        if "::" not in text:
            if text[0].islower():
                code = self.tree.find(scope, text, VALUE)
                if code is None or code < 0 or code >= EXTERNAL:
                    return None
                # A local may well bear that name: no scope of locals here.
                sure = self.columns.kinds[code] != "f"
                surety = Surety.RESOLVED if sure and text.isupper() else Surety.NAME_ONLY
                return edge_byte(Edge.REFERENCES, surety), self._with_twins(code)
            code = self.tree.find(scope, text, TYPE)
            if code is None:
                code = self.tree.find(scope, text, VALUE)
            return self._hit(code, REFERENCE)
        path = text.split("::")
        spaces = (VALUE, TYPE) if path[-1][0].islower() else (TYPE, VALUE)
        for space in spaces:
            code = self.names.path(scope, path, space, own)
            if code is not None:
                return self._hit(code, REFERENCE)
        return self._open_path(path, scope, -1, own, REFERENCE)

    def _hit(self, code: int | None, kind: int) -> Hit | None:
        if code is None or code == EXTERNAL:
            return None
        if code == AMBIGUOUS:
            return -1 - Open.AMBIGUOUS_GLOB, ()
        if code < 0:
            return kind, (self.linked.node(code),)
        return kind, self._with_twins(code)

    def _with_twins(self, code: int) -> tuple[int, ...]:
        twins = self.twins.get(code)
        return (code, *twins) if twins else (code,)

    def _open_path(self, path: list[str], scope: Scope, crate: int, own: int | None, kind: int) -> Hit | None:
        """A path whose end is not found: `T::new(`, `Type::from_a_macro(`, `module::macro_made`."""
        head = path[0]
        start = self.names.path(scope, [head], TYPE, own)
        if start is None and (head in PRELUDE or head in PRIMITIVES):
            return None
        if start is None and not self._is_generic(head):
            return None if self._has_foreign_glob(scope) else (-1 - Open.UNKNOWN_PATH, ())
        if start == AMBIGUOUS:
            return -1 - Open.AMBIGUOUS_GLOB, ()
        if kind == CALL:
            candidates = self._within_reach(self.methods.get(path[-1], ()), crate)
            if candidates and len(candidates) <= CANDIDATES:
                return edge_byte(Edge.CALLS, Surety.NAME_ONLY), candidates
        if start is None or start == EXTERNAL:
            return None
        return -1 - (Open.UNKNOWN_PATH if start < 0 else Open.UNKNOWN_MEMBER), ()

    @staticmethod
    def _is_generic(name: str) -> bool:
        return name == "Self" or (len(name) <= 2 and name[:1].isupper())

    def _by_name(self, name: str, crate: int, edge: Edge, scope: Scope) -> Hit | None:
        """Items of that bare name, when a lookup found nothing: macro-made scopes, includes."""
        if self._is_generic(name):
            return None
        candidates = self._within_reach(self.by_name.get(name, ()), crate, same_crate=True)
        if candidates and len(candidates) <= CANDIDATES:
            return edge_byte(edge, Surety.NAME_ONLY), candidates
        return None

    def _has_foreign_glob(self, scope: Scope) -> bool:
        here: Scope | None = scope
        while here is not None:
            if any(code == EXTERNAL for code, _ in here.globs):
                return True
            here = here.outer
        return False

    def _within_reach(
        self, items: list[int] | tuple[int, ...], crate: int, same_crate: bool = False
    ) -> tuple[int, ...]:
        """Those items that code of a crate can mean: its own and those of crates it depends on."""
        if not items:
            return ()
        reach = {crate} if same_crate else self.reach.get(crate, {crate})
        file = self.columns.file
        homes = self.crate_of_file
        return tuple(item for item in items if homes[file[item]] in reach)


def reach_of_crates(cargo: CargoWorkspace, modules: ModuleTree) -> dict[int, set[int]]:
    """For each crate, the crates of this repository whose items it may use, itself included."""
    libraries = {
        target.package: number
        for number, target in enumerate(modules.targets)
        if target.kind is TargetKind.LIB
    }
    depends = {
        package.directory: {d.directory for d in package.dependencies if d.directory is not None}
        for package in cargo.packages
    }
    reach: dict[int, set[int]] = {}
    for number, target in enumerate(modules.targets):
        seen: set[str] = set()
        todo = [target.package]
        while todo:
            directory = todo.pop()
            if directory not in seen:
                seen.add(directory)
                todo += depends.get(directory, ())
        reach[number] = {number} | {libraries[d] for d in seen if d in libraries}
    return reach
