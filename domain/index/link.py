"""Links facts into edges: every reference token of every item is looked up in the item's scope.

`link` is a pure function of manifests and facts. An edge says how it was found; a reference that finds nothing in the
repository and is not plainly foreign (a local, the prelude, another crate) is kept open with the reason.
"""

from collections.abc import Mapping, Sequence

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL, SURETY_SHIFT, Edge, Open, edge_byte
from m1nd.domain.index.columns import Columns
from m1nd.domain.index.edges import FileEdges, Linked
from m1nd.domain.index.headers import derived, is_test
from m1nd.domain.index.imports import Import, Names
from m1nd.domain.index.members import Members
from m1nd.domain.index.mentions import Mentions
from m1nd.domain.index.modules import build_modules
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.references import CALL, REFERENCE, References, reach_of_crates
from m1nd.domain.index.scopes import MACRO, TYPE, Scope
from m1nd.domain.rust.cargo import CargoWorkspace


def link(cargo: CargoWorkspace, facts: Mapping[str, PackedFacts]) -> "Linker":
    """The graph of a repository's Rust files (`.linked`), with what is needed to follow a change of one file."""
    columns = Columns(facts)
    modules = build_modules(cargo, columns)
    names = Names(cargo, columns, modules)
    linked = Linked(columns, modules, names)
    linker = Linker(linked, cargo)
    linker.link_all()
    return linker


class Linker:
    """Looks tokens up; holds what is needed to link one item again."""

    def __init__(self, linked: Linked, cargo: CargoWorkspace) -> None:
        self.linked = linked
        self.columns = linked.columns
        self.modules = linked.modules
        self.names = linked.names
        self.tree = linked.names.tree
        self.twins = linked.names.twins
        self.members = Members(linked)
        self.mentions: Mentions | None = None
        """Who mentions a name, once a change was followed; kept up to date with every token that is looked up."""
        self.crate_of_file = [
            self.modules.crates[self.modules.home[f]] for f in range(len(self.columns.paths))
        ]
        self.references = References(linked, self.crate_of_file, reach_of_crates(cargo, self.modules))
        self.imports_of: dict[int, list[Import]] = {}
        """The imports of each `use` item."""
        for leaf in self.names.imports:
            self.imports_of.setdefault(leaf.item, []).append(leaf)
        self._declared: dict[int, list[int]] = {}
        for item, module in self.modules.declared:
            self._declared.setdefault(item, []).append(module)
        self._missing = set(self.modules.missing)

    def link_all(self) -> None:
        linked = self.linked
        linked.tests = {
            item
            for item, texts in self.columns.attributes.items()
            if self.columns.kinds[item] == "f" and is_test(list(texts))
        }
        for number in range(len(self.columns.paths)):
            linked.open_start.append(len(linked.edges.open_items))
            self._file(number, linked.edges)
        linked.open_start.append(len(linked.edges.open_items))
        self._crate_edges()

    def _crate_edges(self) -> None:
        out = self.linked.edges
        for crate, names in enumerate(self.names.crate_names):
            root = self.modules.roots.get(self.modules.targets[crate].key)
            if root is None:
                continue
            for code in sorted({c for c in names.values() if c != EXTERNAL and c != ~root}):
                out.add(self.linked.node(~root), self.linked.node(code), edge_byte(Edge.DEPENDS_ON))

    def _file(self, number: int, out: FileEdges) -> None:
        """All edges whose source lies in one file."""
        packed = self.columns.facts[number]
        attributes = {row[0]: row[1:] for row in packed.attributes}
        for place, item in enumerate(self.columns.items_of(number)):
            self.item(item, packed.tokens[place], attributes.get(place, ()), out)
        self.outside(number, out)

    def item(self, item: int, tokens: str, attributes: Sequence[str], out: FileEdges) -> None:
        """All edges of one item: what it declares, then what its tokens (joined by a blank) refer to."""
        code = self.columns.kinds[item]
        if code == "u":
            self._import(item, out)
        elif code == "m":
            self._module(item, out)
        elif code == "i":
            for end, edge in zip(
                self.members.impls[item], (Edge.IMPLEMENTS, Edge.IMPLEMENTS_TRAIT), strict=True
            ):
                if end is not None and 0 <= end < EXTERNAL:
                    out.add(item, end, edge_byte(edge))
        if attributes:
            self._derives(item, attributes, out)
        if tokens:
            scope = self.scope_inside(item)
            self._tokens(item, tokens.split(" "), scope, self.crate_of_file[self.columns.file[item]], out)

    def scope_inside(self, item: int) -> Scope:
        """The scope in which an item's tokens are looked up."""
        return self.names.blocks.get(item) or self.members.scope(item)

    def outside(self, number: int, out: FileEdges) -> None:
        """Edges of a file's own module: what is written outside every item."""
        tokens = self.columns.facts[number].tokens[-1]
        if tokens:
            home = self.modules.home[number]
            scope = self.tree.scopes[home]
            self._tokens(self.linked.node(~home), tokens.split(" "), scope, self.crate_of_file[number], out)

    def _module(self, item: int, out: FileEdges) -> None:
        for module in dict.fromkeys(self._declared.get(item, ())):
            out.add(item, self.linked.node(~module), edge_byte(Edge.DECLARES_MODULE))
        if item in self._missing:
            out.keep_open(item, f"mod {self.columns.names[item]}", Open.MISSING_MODULE)

    def _import(self, item: int, out: FileEdges) -> None:
        seen: set[int] = set()
        for leaf in self.imports_of.get(item, ()):
            kind = edge_byte(Edge.REEXPORTS if leaf.public else Edge.IMPORTS)
            if not leaf.code:
                outside = self.crate_of_file[self.columns.file[item]] < 0
                reason = Open.NO_TARGET if outside else self.names.open_reason(leaf)
                out.keep_open(item, "::".join(leaf.path), reason)
            for code in leaf.code:
                if code != EXTERNAL and code not in seen:
                    seen.add(code)
                    for target in (code, *self.twins.get(code, ())):
                        out.add(item, self.linked.node(target), kind)

    def _derives(self, item: int, attributes: Sequence[str], out: FileEdges) -> None:
        for path in derived(attributes):
            scope = self.members.scope(item)
            if self.mentions is not None:
                self.mentions.add_derived(path, item)
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
                if self.mentions is not None:
                    self.mentions.add_own(token, item)
            else:
                hit = memo[token] = self.references.look_up(token, scope, crate, None)
                if self.mentions is not None:
                    self.mentions.add(token, scope)
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
        base = self.columns.base
        if base <= item < self.linked.node_count:
            return None
        while item >= 0:
            if item in self.members.self_type:
                return self.members.self_type[item]
            if self.columns.kinds[item] in "sen":
                return item
            item = self.columns.parent[item]
        return None


def _strength(kind: int) -> int:
    """Calls beat references, and a sure edge beats a guess by name."""
    return -(kind >> SURETY_SHIFT) * 4 + (1 if kind & 15 == Edge.CALLS else 0)
