"""Links facts into edges: every reference token of every item is looked up in the item's scope.

`link` is a pure function of manifests and facts. An edge says how it was found; a reference that finds nothing in the
repository and is not plainly foreign (a local, the prelude, another crate) is kept open with the reason.
"""

from array import array
from collections.abc import Mapping

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL, SURETY_SHIFT, Edge, Open, edge_byte
from m1nd.domain.index.columns import Columns
from m1nd.domain.index.edges import FileEdges, Linked
from m1nd.domain.index.headers import derived, impl_header, is_test
from m1nd.domain.index.imports import Names
from m1nd.domain.index.modules import build_modules
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.references import CALL, REFERENCE, References, reach_of_crates
from m1nd.domain.index.scopes import MACRO, TYPE, Scope
from m1nd.domain.rust.cargo import CargoWorkspace


def link(cargo: CargoWorkspace, facts: Mapping[str, PackedFacts]) -> "Linker":
    """The graph of a repository's Rust files (`.linked`), with what is needed to link one file again."""
    columns = Columns(facts)
    modules = build_modules(cargo, columns)
    names = Names(cargo, columns, modules)
    linked = Linked(columns, modules, names)
    linker = Linker(linked, cargo)
    linker.link_all()
    return linker


def relink_file(linker: "Linker", number: int, packed: PackedFacts) -> None:
    """Take the new text of one file whose shape is as before: only its own edges change."""
    linked = linker.linked
    linked.columns.replace_positions(number, packed)
    fresh = linker.edges_of(number)
    start, end = linked.edge_start[number], linked.edge_start[number + 1]
    linked.sources[start:end] = fresh.sources
    linked.targets[start:end] = fresh.targets
    linked.kinds[start:end] = fresh.kinds
    _shift(linked.edge_start, number + 1, len(fresh.sources) - (end - start))
    start, end = linked.open_start[number], linked.open_start[number + 1]
    linked.open_items[start:end] = fresh.open_items
    linked.open_reasons[start:end] = fresh.open_reasons
    linked.open_texts[start:end] = fresh.open_texts
    _shift(linked.open_start, number + 1, len(fresh.open_items) - (end - start))


def _shift(starts: "array[int]", since: int, by: int) -> None:
    if by:
        for index in range(since, len(starts)):
            starts[index] += by


class Linker:
    """Looks tokens up; holds what is needed to link one file again."""

    def __init__(self, linked: Linked, cargo: CargoWorkspace) -> None:
        self.linked = linked
        self.columns = linked.columns
        self.modules = linked.modules
        self.names = linked.names
        self.tree = linked.names.tree
        self.twins = linked.names.twins
        self.self_type: dict[int, int | None] = {}
        """What `Self` is in an impl or trait item."""
        self.impls: list[tuple[int, int | None, int | None]] = []
        """Impl item, its type's code, its trait's code."""
        self.imports_by_file: dict[int, list[int]] = {}
        self.crate_of_file = [
            self.modules.crates[self.modules.home[f]] for f in range(len(self.columns.paths))
        ]
        self.references = References(linked, self.crate_of_file, reach_of_crates(cargo, self.modules))
        for number, leaf in enumerate(self.names.imports):
            self.imports_by_file.setdefault(self.columns.file[leaf.item], []).append(number)
        self._associate()
        file = self.columns.file
        self._declared: dict[int, list[tuple[int, int]]] = {}
        for item, module in self.modules.declared:
            self._declared.setdefault(file[item], []).append((item, module))
        self._missing: dict[int, list[int]] = {}
        for item in self.modules.missing:
            self._missing.setdefault(file[item], []).append(item)
        self._impls: dict[int, list[tuple[int, int | None, int | None]]] = {}
        for impl in self.impls:
            self._impls.setdefault(file[impl[0]], []).append(impl)

    # ---- whole-repository tables

    def _associate(self) -> None:
        """Hang associated items on the types and traits that they belong to."""
        columns = self.columns
        members = self.tree.members
        children: dict[int, list[int]] = {}
        for item, above in enumerate(columns.parent):
            if above >= 0 and columns.kinds[above] in "itl":
                children.setdefault(above, []).append(item)
        for item, code in enumerate(columns.kinds):
            if code == "t":
                self.self_type[item] = item
                table = members.setdefault(item, {})
                for child in self._flat(children, item):
                    table.setdefault(columns.names[child], child)
        late: list[tuple[int, int]] = []
        for item, code in enumerate(columns.kinds):
            if code != "i":
                continue
            header = impl_header(columns.details.get(item, ""))
            if header.type:
                self.linked.impl_labels[item] = header.type[-1]
            scope = self._scope(item)
            type_code = self.names.path(scope, list(header.type), TYPE) if header.type else None
            trait_code = self.names.path(scope, list(header.trait), TYPE) if header.trait else None
            self.self_type[item] = type_code
            self.impls.append((item, type_code, trait_code))
            if type_code is not None and 0 <= type_code < EXTERNAL:
                if header.trait:
                    late.append((item, type_code))
                else:
                    table = members.setdefault(type_code, {})
                    for child in self._flat(children, item):
                        table.setdefault(columns.names[child], child)
        for item, type_code in late:
            table = members.setdefault(type_code, {})
            for child in self._flat(children, item):
                table.setdefault(columns.names[child], child)
        self._inherit(members)

    def _flat(self, children: Mapping[int, list[int]], item: int) -> list[int]:
        """Associated items of an impl or trait, those inside a macro call included."""
        found: list[int] = []
        for child in children.get(item, ()):
            if self.columns.kinds[child] == "l":
                found += self._flat(children, child)
            else:
                found.append(child)
        return found

    def _inherit(self, members: dict[int, dict[str, int]]) -> None:
        """Provided methods of a trait are names of the types that implement it."""
        for _, type_code, trait_code in self.impls:
            if type_code is None or trait_code is None or type_code in (EXTERNAL, AMBIGUOUS):
                continue
            if type_code >= 0 and 0 <= trait_code < EXTERNAL:
                table = members.setdefault(type_code, {})
                for name, child in members.get(trait_code, {}).items():
                    table.setdefault(name, child)

    def _scope(self, item: int) -> Scope:
        scope = self.names.scope_of[item]
        return scope if scope is not None else self.tree.scopes[self.modules.home[self.columns.file[item]]]

    # ---- edges

    def link_all(self) -> None:
        linked = self.linked
        linked.tests = {
            item
            for item, texts in self.columns.attributes.items()
            if self.columns.kinds[item] == "f" and is_test(list(texts))
        }
        for number in range(len(self.columns.paths)):
            linked.edge_start.append(len(linked.sources))
            linked.open_start.append(len(linked.open_items))
            fresh = self.edges_of(number)
            linked.sources += fresh.sources
            linked.targets += fresh.targets
            linked.kinds += fresh.kinds
            linked.open_items += fresh.open_items
            linked.open_reasons += fresh.open_reasons
            linked.open_texts += fresh.open_texts
        linked.edge_start.append(len(linked.sources))
        linked.open_start.append(len(linked.open_items))
        self._crate_edges()

    def _crate_edges(self) -> None:
        base = len(self.columns)
        for crate, names in enumerate(self.names.crate_names):
            root = self.modules.roots.get(self.modules.targets[crate].key)
            if root is None:
                continue
            for code in sorted({c for c in names.values() if c != EXTERNAL and c != ~root}):
                self.linked.sources.append(base + root)
                self.linked.targets.append(self.linked.node(code))
                self.linked.kinds.append(edge_byte(Edge.DEPENDS_ON))

    def edges_of(self, number: int) -> FileEdges:
        """All edges whose source lies in one file."""
        out = FileEdges()
        columns = self.columns
        packed = columns.facts[number]
        base = columns.first[number]
        home = self.modules.home[number]
        self._declarations(number, out)
        crate = self.crate_of_file[number]
        for index, joined in enumerate(packed.tokens):
            if not joined:
                continue
            if index == len(packed.kinds):
                item, scope = len(columns) + home, self.tree.scopes[home]
            else:
                item = base + index
                scope = self.names.blocks.get(item) or self._scope(item)
            self._tokens(item, joined.split(" "), scope, crate, out)
        return out

    def _declarations(self, number: int, out: FileEdges) -> None:
        """Edges that need no tokens: modules, imports, impls, derives."""
        columns = self.columns
        base = columns.first[number]
        packed = columns.facts[number]
        for item, module in dict.fromkeys(self._declared.get(number, ())):
            out.add(item, len(columns) + module, edge_byte(Edge.DECLARES_MODULE))
        for item in dict.fromkeys(self._missing.get(number, ())):
            out.keep_open(item, f"mod {columns.names[item]}", Open.MISSING_MODULE)
        seen: set[tuple[int, int]] = set()
        for position in self.imports_by_file.get(number, ()):
            leaf = self.names.imports[position]
            kind = edge_byte(Edge.REEXPORTS if leaf.public else Edge.IMPORTS)
            if not leaf.code:
                reason = Open.NO_TARGET if self.crate_of_file[number] < 0 else self.names.open_reason(leaf)
                out.keep_open(leaf.item, "::".join(leaf.path), reason)
            for code in leaf.code:
                if code != EXTERNAL and (leaf.item, code) not in seen:
                    seen.add((leaf.item, code))
                    for target in (code, *self.twins.get(code, ())):
                        out.add(leaf.item, self.linked.node(target), kind)
        for item, type_code, trait_code in self._impls.get(number, ()):
            for end, edge in ((type_code, Edge.IMPLEMENTS), (trait_code, Edge.IMPLEMENTS_TRAIT)):
                if end is not None and 0 <= end < EXTERNAL:
                    out.add(item, end, edge_byte(edge))
        for row in packed.attributes:
            item = base + int(row[0])
            for path in derived(row[1:]):
                scope = self._scope(item)
                trait = self.names.path(scope, list(path), TYPE)
                if trait is None or trait in (EXTERNAL, AMBIGUOUS):
                    trait = self.names.path(scope, list(path), MACRO)
                if trait is not None and 0 <= trait < EXTERNAL:
                    out.add(item, trait, REFERENCE)

    def _tokens(self, item: int, tokens: list[str], scope: Scope, crate: int, out: FileEdges) -> None:
        memo = scope.memo
        edges: dict[int, int] = {}
        own: int | None = None
        for token in tokens:
            if token in memo:
                hit = memo[token]
            elif token.startswith("Self::"):
                if own is None:
                    own = self._own_type(item)
                hit = self.references.look_up(token, scope, crate, own)
            else:
                hit = memo[token] = self.references.look_up(token, scope, crate, None)
            if hit is None:
                continue
            kind, targets = hit
            if kind < 0:
                out.keep_open(item, token, Open(-1 - kind))
                continue
            for target in targets:
                known = edges.get(target)
                if known is None or _strength(kind) > _strength(known):
                    edges[target] = kind
        edges.pop(item, None)
        if not edges:
            return
        is_test_item = item in self.linked.tests
        for target, kind in edges.items():
            out.add(item, target, kind)
            if is_test_item and kind == CALL and target not in self.linked.tests:
                out.add(item, target, edge_byte(Edge.TESTS))

    def _own_type(self, item: int) -> int | None:
        """What `Self` is for an item: the type of the impl, or the trait, around it."""
        while item >= 0 and item < len(self.columns):
            if item in self.self_type:
                return self.self_type[item]
            if self.columns.kinds[item] in "sen":
                return item
            item = self.columns.parent[item]
        return None


def _strength(kind: int) -> int:
    """Calls beat references, and a sure edge beats a guess by name."""
    return -(kind >> SURETY_SHIFT) * 4 + (1 if kind & 15 == Edge.CALLS else 0)
