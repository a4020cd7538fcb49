"""Fills the scopes: definitions first, then `use` declarations to a fixpoint.

What an import binds is looked up in all three namespaces; an import that still finds nothing at the end is open, with
the reason. It never reads a token.
"""

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL, Open
from m1nd.domain.index.columns import Columns
from m1nd.domain.index.modules import ModuleTree
from m1nd.domain.index.packed import ABSOLUTE, GLOB, IS_SELF
from m1nd.domain.index.scopes import MACRO, TYPE, VALUE, Scope
from m1nd.domain.rust.cargo import CargoWorkspace, Package, Target, TargetKind

SYSROOT = frozenset(("std", "core", "alloc", "proc_macro", "test"))
ROUNDS = 16
TYPES = frozenset("sentyx")
VALUES = frozenset("fck")
MEMBERS = frozenset("fcyl")


class Import:
    """One leaf of a `use` tree in one scope."""

    __slots__ = ("code", "flags", "item", "name", "path", "public", "scope")

    def __init__(
        self, scope: Scope, item: int, path: list[str], name: str | None, flags: int, public: bool
    ) -> None:
        self.scope = scope
        self.item = item
        self.path = path
        self.name = name
        self.flags = flags
        self.public = public
        self.code: tuple[int, ...] = ()
        """What it brings in, at the end."""


def bound_name(flags: int, alias: str, path: list[str]) -> str | None:
    """The name that an import binds; None for a glob and for `_`."""
    return None if flags & GLOB or alias == "_" else (alias or (path[-1] if path else None))


class Names:
    """Scopes of all modules and blocks, and the questions that linking asks of them."""

    def __init__(self, cargo: CargoWorkspace, columns: Columns, modules: ModuleTree) -> None:
        self.columns = columns
        self.modules = modules
        self.tree = modules.tree
        self.scope_of: list[Scope | None] = [None] * len(columns)
        """The scope that each item stands in (through its file's home)."""
        self.blocks: dict[int, Scope] = {}
        """The scope inside an item with items of its own in its body."""
        self.imports: list[Import] = []
        self.twins: dict[int, list[int]] = {}
        """Items that share scope, name and namespace with an earlier one (cfg twins)."""
        self.crate_names: list[dict[str, int]] = [self._crates(cargo, target) for target in modules.targets]
        self.editions = [target.edition for target in modules.targets]
        self.exported_macros: dict[int, dict[str, int]] = {}
        self._define_all()
        self._resolve_imports()

    # ---- crates

    def _crates(self, cargo: CargoWorkspace, target: Target) -> dict[str, int]:
        """Crates that code of a target can name."""
        package = cargo.package_at(target.package)
        names: dict[str, int] = {}
        if package is None:
            return names
        if target.kind is not TargetKind.LIB:
            self._add_library(names, package, "")
        for dependency in package.dependencies:
            if (dependency.kind == "build") != (target.kind is TargetKind.BUILD):
                continue
            held = cargo.package_at(dependency.directory) if dependency.directory is not None else None
            if held is None or not self._add_library(names, held, dependency.name):
                names.setdefault(dependency.name, EXTERNAL)
        return names

    def _add_library(self, names: dict[str, int], package: Package, name: str) -> bool:
        for target in package.targets:
            root = self.modules.roots.get(target.key)
            if target.kind is TargetKind.LIB and root is not None:
                names[name or target.name] = ~root
                return True
        return False

    def crate(self, scope: Scope, name: str) -> int | None:
        """A crate by the name that the code of `scope` gives it."""
        number = self.modules.crates[scope.module]
        if number >= 0:
            code = self.crate_names[number].get(name)
            if code is not None:
                return code
        return EXTERNAL if name in SYSROOT else None

    def edition(self, scope: Scope) -> int:
        number = self.modules.crates[scope.module]
        return self.editions[number] if number >= 0 else 2021

    # ---- definitions

    def _define_all(self) -> None:
        for file, module in self.modules.mounts:
            self._define(file, module, self.modules.home[file] == module)
        for item, module in self.modules.declared:
            holder = self.tree.parents[module]
            if holder >= 0:
                scope = self.tree.scopes[holder]
                name = self.columns.names[item]
                scope.tables[TYPE].setdefault(name, ~module)
                if not self.columns.visibility[item]:
                    scope.private.add(name)

    def _define(self, file: int, module: int, is_home: bool) -> None:
        """Names of one file's items in the scopes of one of its modules."""
        columns = self.columns
        packed = columns.facts[file]
        base = columns.first[file]
        scopes: list[Scope] = []
        own = self.tree.scopes[module]
        blocks: dict[int, Scope] = {}
        for index, code in enumerate(packed.kinds):
            parent = packed.parents[index]
            outer = "" if parent < 0 else packed.kinds[parent]
            if parent < 0:
                scope = own
            elif outer in "mlito":
                scope = scopes[parent] if outer != "m" else self.inside_module(base + parent, scopes[parent])
            elif outer == "e":
                scope = scopes[parent]
            else:
                scope = blocks.get(parent) or blocks.setdefault(
                    parent, Scope(scopes[parent].module, scopes[parent])
                )
            scopes.append(scope)
            if is_home:
                self.scope_of[base + index] = scope
            if outer == "e":
                names = self.tree.variants.setdefault(base + parent, {})
                names.setdefault(packed.names[index], base + index)
                self.tree.members.setdefault(base + parent, {}).setdefault(packed.names[index], base + index)
            if code == "u" or (outer and outer in "ite"):
                continue
            self.define(scope, base + index, code, packed.names[index], packed.visibility[index])
        if is_home:
            for index, scope in blocks.items():
                self.blocks[base + index] = scope
        self._uses(file, scopes)

    def inside_module(self, item: int, holder: Scope) -> Scope:
        """The scope of an inline module's items; `holder` is the scope that its `mod` item stands in."""
        module = self.modules.inline.get((item, holder.module))
        return self.tree.scopes[module] if module is not None and holder.outer is None else holder

    def define(self, scope: Scope, item: int, code: str, name: str, visibility: str) -> None:
        """Enter the name of an item that stands in a scope."""
        if code in TYPES:
            if code == "x":
                self._extern_crate(scope, item, name)
            else:
                self._put(scope, TYPE, name, item)
                if code in "sn":
                    scope.tables[VALUE].setdefault(name, item)
        elif code in VALUES:
            self._put(scope, VALUE, name, item)
        elif code == "r":
            self._put(scope, MACRO, name, item)
            crate = self.tree.roots[scope.module]
            self.exported_macros.setdefault(crate, {}).setdefault(name, item)
            if any(text.startswith("macro_export") for text in self.columns.attributes.get(item, ())):
                self.tree.scopes[crate].tables[MACRO].setdefault(name, item)
            return
        else:
            return
        if not visibility:
            scope.private.add(name)

    def _put(self, scope: Scope, space: int, name: str, item: int) -> None:
        if name == "_":
            return
        first = scope.tables[space].setdefault(name, item)
        if first != item and first >= 0:
            twins = self.twins.setdefault(first, [])
            if item not in twins:
                twins.append(item)

    def _extern_crate(self, scope: Scope, item: int, name: str) -> None:
        original = self.columns.details.get(item, name)
        if original == "self":
            code: int | None = ~self.tree.roots[scope.module]
        else:
            code = self.crate(scope, original)
        if name != "_":
            scope.tables[TYPE][name] = EXTERNAL if code is None else code

    def _uses(self, file: int, scopes: list[Scope]) -> None:
        columns = self.columns
        base = columns.first[file]
        packed = columns.facts[file]
        for row in packed.uses:
            index, flags, alias, path = row[0], row[1], row[4], row[7]
            name = bound_name(flags, alias, path)
            scope = scopes[index]
            leaf = Import(scope, base + index, path, name, flags, bool(packed.visibility[index]))
            self.imports.append(leaf)
            if name is not None:
                scope.pending.add(name)
                if not leaf.public:
                    scope.private.add(name)

    # ---- imports

    def _resolve_imports(self) -> None:
        """Rounds over what is not settled, until a round binds nothing new."""
        waiting = self.imports
        for _ in range(ROUNDS):
            still: list[Import] = []
            moved = False
            for leaf in waiting:
                before = leaf.code
                settled = self._glob(leaf) if leaf.flags & GLOB else self._bind(leaf)
                moved = moved or leaf.code != before
                if not settled:
                    still.append(leaf)
            waiting = still
            if not moved or not waiting:
                break

    def _glob(self, leaf: Import) -> bool:
        code = self.import_path(leaf.scope, leaf.path, leaf.flags, TYPE)
        if code is None or code == AMBIGUOUS:
            return False
        if not leaf.code:
            leaf.code = (code,)
            leaf.scope.globs.append((code, not leaf.public))
        return True

    def _bind(self, leaf: Import) -> bool:
        """Bind what the path denotes now; settled when nothing more can come."""
        holder = self._holder(leaf)
        if holder is None:
            return False
        found: list[int] = []
        last = leaf.path[-1]
        spaces = (TYPE,) if leaf.flags & IS_SELF else (TYPE, VALUE, MACRO)
        for space in spaces:
            code = self._last(leaf, holder, last, space)
            if code is None or code == AMBIGUOUS:
                continue
            found.append(code)
            if leaf.name is not None:
                table = leaf.scope.tables[space]
                if table.get(leaf.name) == EXTERNAL and code != EXTERNAL:
                    table[leaf.name] = code
                else:
                    table.setdefault(leaf.name, code)
        leaf.code = tuple(dict.fromkeys(found))
        if not found:
            return False
        if holder == EXTERNAL or leaf.flags & IS_SELF:
            return True
        if holder < 0:
            scope = self.tree.scopes[~holder]
            return last not in scope.pending and not scope.globs
        return True

    def _holder(self, leaf: Import) -> int | None:
        """Code of what the path's last segment is looked up in; the scope's own module for a single segment."""
        path = leaf.path
        if not path:
            return None
        if leaf.flags & IS_SELF:
            return self.import_path(leaf.scope, path, leaf.flags, TYPE)
        if len(path) == 1:
            return ~leaf.scope.module
        code = self.import_path(leaf.scope, path[:-1], leaf.flags, TYPE)
        return None if code == AMBIGUOUS else code

    def _last(self, leaf: Import, holder: int, last: str, space: int) -> int | None:
        if leaf.flags & IS_SELF:
            return holder
        if len(leaf.path) > 1:
            return self.tree.member(holder, last, space, leaf.scope.module)
        if last in ("crate", "self", "super"):
            return self.import_path(leaf.scope, leaf.path, leaf.flags, TYPE) if space == TYPE else None
        code = None
        if not leaf.flags & ABSOLUTE:
            start = (
                self.tree.scopes[self.tree.roots[leaf.scope.module]]
                if self.edition(leaf.scope) < 2018
                else leaf.scope
            )
            if leaf.name != last or start is not leaf.scope:
                code = self.tree.find(start, last, space)
        if code is None and space == TYPE:
            code = self.crate(leaf.scope, last)
        return code

    def import_path(self, scope: Scope, path: list[str], flags: int, space: int) -> int | None:
        """What a path of a `use` declaration denotes."""
        root = self.tree.roots[scope.module]
        start = path[0] if path else ""
        if not path:
            return ~root if self.edition(scope) < 2018 else None
        index = 1
        code: int | None
        if start in ("crate", "$crate"):
            code = ~root
        elif start == "self":
            code = ~scope.module
        elif start == "super":
            code, index = self.supers(scope, path)
        elif flags & ABSOLUTE and self.edition(scope) >= 2018:
            code = self.crate(scope, start)
        elif self.edition(scope) < 2018:
            code = self.tree.get(self.tree.scopes[root], start, TYPE, scope.module)
            if code is None:
                code = self.crate(scope, start)
        else:
            code = self.tree.find(scope, start, TYPE)
            if code is None:
                code = self.crate(scope, start)
        return self._walk(code, path, index, scope, space)

    def path(self, scope: Scope, path: list[str], space: int, own: int | None = None) -> int | None:
        """What a path in code denotes; `own` is what `Self` is there."""
        start = path[0]
        index = 1
        code: int | None
        if start in ("crate", "$crate"):
            code = ~self.tree.roots[scope.module]
        elif start == "self":
            code = ~scope.module
        elif start == "super":
            code, index = self.supers(scope, path)
        elif start == "Self":
            code = own
        elif len(path) == 1:
            code = self.tree.find(scope, start, space)
            return self.crate(scope, start) if code is None and space == TYPE else code
        else:
            code = self.tree.find(scope, start, TYPE)
            if code is None and self.edition(scope) < 2018:
                # `::b::two` of that edition; a token does not keep its leading `::`.
                code = self.tree.get(
                    self.tree.scopes[self.tree.roots[scope.module]], start, TYPE, scope.module
                )
            if code is None:
                code = self.crate(scope, start)
        return self._walk(code, path, index, scope, space)

    def supers(self, scope: Scope, path: list[str]) -> tuple[int | None, int]:
        """The module that a path's leading `super`s lead to, and how many there are."""
        module = scope.module
        index = 0
        while index < len(path) and path[index] == "super":
            module = self.tree.parents[module]
            if module < 0:
                return None, index + 1
            index += 1
        return ~module, index

    def _walk(self, code: int | None, path: list[str], index: int, scope: Scope, space: int) -> int | None:
        last = len(path) - 1
        while index <= last:
            if code is None or code in (EXTERNAL, AMBIGUOUS):
                return code
            name = path[index]
            if name == "super" and code < 0:
                above = self.tree.parents[~code]
                code = ~above if above >= 0 else None
            elif name != "self" or index != last:
                code = self.tree.member(code, name, TYPE if index < last else space, scope.module)
            index += 1
        return code

    def open_reason(self, leaf: Import) -> Open:
        code = self.import_path(leaf.scope, leaf.path, leaf.flags, TYPE) if leaf.path else None
        return Open.AMBIGUOUS_GLOB if code == AMBIGUOUS else Open.UNKNOWN_IMPORT
