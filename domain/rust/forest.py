"""The module trees of all crates and the definitions of all items: where a definition is written and back.

Holds positions and names only; resolves nothing. Immutable from outside; tables are filled on first use.
"""

from collections.abc import Iterator, Mapping

from m1nd.domain.rust.cargo import CargoWorkspace, Target
from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind
from m1nd.domain.rust.file_items import TRANSPARENT, FileItems
from m1nd.domain.rust.module_tree import CrateTree, Module, build_tree, mod_signature, moved_tree
from m1nd.domain.rust.names import Definition, DefinitionKind

FIELD = "field"
"""`Definition.item_kind` of a field of a struct, union or variant; it has no item of its own."""


class Forest:
    def __init__(
        self,
        cargo: CargoWorkspace,
        facts: Mapping[str, FileFacts],
        items: "ItemTables",
        trees: Mapping[str, CrateTree],
    ) -> None:
        self.cargo = cargo
        self.facts = facts
        self.items = items
        self.trees = trees
        self.targets: dict[str, Target] = {key: tree.target for key, tree in trees.items()}
        self.modules: dict[Definition, Module] = {}
        self._mounts: dict[str, list[Module]] = {}
        for tree in trees.values():
            self.modules.update(tree.modules)
            for module in tree.modules.values():
                if not module.inline:
                    self._mounts.setdefault(module.file, []).append(module)
        self._tables: dict[Definition, dict[int, Definition]] = {}
        self._counters: dict[Definition, dict[tuple[tuple[str, ...], str], int]] = {}
        self._indices: dict[Definition, dict[Definition, int]] = {}
        self._places: dict[Definition, tuple[str, int] | None] = {}

    @classmethod
    def plant(cls, cargo: CargoWorkspace, facts: Mapping[str, FileFacts]) -> "Forest":
        items = ItemTables(facts)
        trees = {t.key: build_tree(t, facts, items) for t in cargo.targets()}
        return cls(cargo, facts, items, trees)

    def replanted(self, facts: Mapping[str, FileFacts], changed: Mapping[str, FileFacts | None]) -> "Forest":
        """The forest after `changed` files; trees whose `mod` declarations stayed are only renumbered."""
        items = self.items.replaced(facts, changed)
        same_shape = all(
            new is not None and path in self.facts and mod_signature(self.facts[path]) == mod_signature(new)
            for path, new in changed.items()
        )
        if not same_shape:
            trees = {t.key: build_tree(t, facts, items) for t in self.cargo.targets()}
            return Forest(self.cargo, facts, items, trees)
        numbers: dict[str, dict[int, int]] = {}
        renumbered: dict[str, dict[int, ItemFact]] = {}
        for path in changed:
            before = [i for i, item in enumerate(self.facts[path].items) if item.kind is ItemKind.MOD]
            after = [i for i, item in enumerate(facts[path].items) if item.kind is ItemKind.MOD]
            numbers[path] = dict(zip(before, after, strict=True))
            renumbered[path] = {i: facts[path].items[i] for i in after}
        crates = {mount.definition.crate for path in changed for mount in self.mounts(path)}
        trees = {
            key: moved_tree(tree, renumbered, numbers) if key in crates else tree
            for key, tree in self.trees.items()
        }
        forest = Forest(self.cargo, facts, items, trees)
        forest._take_tables(self, changed)
        return forest

    def _take_tables(self, other: "Forest", changed: Mapping[str, object]) -> None:
        """Keep the tables of modules whose files stayed; twins of one path depend on each other, so none of them."""
        for module, table in other._tables.items():
            known = self.modules.get(module)
            twin = module.ordinal > 0 or self._next(module) in self.modules
            if known is not None and known.file not in changed and not twin:
                self._tables[module] = table
                self._indices[module] = other._indices[module]
                self._counters[module] = other._counters[module]

    def mounts(self, path: str) -> tuple[Module, ...]:
        return tuple(self._mounts.get(path, ()))

    def orphans(self) -> tuple[str, ...]:
        return tuple(sorted(p for p in self.facts if p.endswith(".rs") and p not in self._mounts))

    def module_inside(self, mount: Module, offset: int) -> Module:
        """The innermost inline module of a mounted file around a byte offset."""
        items = self.items[mount.file]
        tree = self.trees[mount.definition.crate]
        current = mount
        moved = True
        while moved:
            moved = False
            for index in items.modules.get(current.scope_item, ()):
                item = self.facts[mount.file].items[index]
                inside = item.has_body and item.body_start < offset < item.body_end
                children = tree.children.get((current.definition, index), ()) if inside else ()
                if children and children[0] in self.modules:
                    current = self.modules[children[0]]
                    moved = True
                    break
        return current

    def module_of_item(self, mount: Module, scope_item: int) -> Module:
        """The module that the inline `mod` item `scope_item` of a mounted file is (-1: the file itself)."""
        if scope_item < 0:
            return mount
        outer = self.module_of_item(mount, self.items[mount.file].module[scope_item])
        children = self.trees[mount.definition.crate].children.get((outer.definition, scope_item), ())
        return self.modules.get(children[0], outer) if children else outer

    def parent(self, module: Definition) -> Definition:
        """The parent module; a root is its own (so that too many `super` stay inside the crate)."""
        found = self.modules.get(module)
        return found.parent if found is not None and found.parent is not None else module

    def source_of(self, module: Definition) -> tuple[str, int] | None:
        """`(file, scope item)` of a module of the trees."""
        found = self.modules.get(module)
        return (found.file, found.scope_item) if found is not None else None

    def table(self, module: Definition) -> dict[int, Definition]:
        """Definitions of every item in a module, those inside functions and impls included, by item index."""
        table = self._tables.get(module)
        if table is None:
            table = self._tables[module] = self._make_table(module)
        return table

    def definitions(self, module: Definition, index: int) -> tuple[Definition, ...]:
        """What an item declares: one definition, several for a `mod` with several files.

        None where broken text makes facts and tree disagree about the module around the item.
        """
        place = self.source_of(module)
        if place is None:
            return ()
        if self.facts[place[0]].items[index].kind is ItemKind.MOD:
            return self.trees[module.crate].children.get((module, index), ())
        found = self.table(module).get(index)
        return (found,) if found is not None else ()

    def locate(self, definition: Definition) -> tuple[str, int] | None:
        if definition.kind is DefinitionKind.MODULE:
            found = self.modules.get(definition)
            return (found.declared_in or (found.file, -1)) if found is not None else None
        if definition.kind is not DefinitionKind.ITEM:
            return None
        if definition not in self._places:
            self._places[definition] = self._look_up(definition)
        return self._places[definition]

    def _look_up(self, definition: Definition) -> tuple[str, int] | None:
        wanted = [definition]
        if definition.item_kind == FIELD:
            owner = definition.path[:-1]
            wanted = [
                Definition(definition.kind, definition.crate, owner, kind, definition.ordinal)
                for kind in ("struct", "variant", "union")
            ]
        for module in self._candidates(definition):
            self.table(module)
            for known in wanted:
                index = self._indices.get(module, {}).get(known)
                if index is not None:
                    return self.modules[module].file, index
        return None

    def module_of(self, definition: Definition) -> Definition | None:
        """The module that declares an item (of a module: itself)."""
        if definition.kind is DefinitionKind.MODULE:
            return definition
        place = self.locate(definition)
        if place is None:
            return None
        file, index = place
        scope = self.items[file].module[index]
        for module in self._candidates(definition):
            if self.source_of(module) == (file, scope):
                return module
        return None

    def item(self, definition: Definition) -> ItemFact | None:
        place = self.locate(definition)
        return self.facts[place[0]].items[place[1]] if place is not None and place[1] >= 0 else None

    def owner_definition(self, definition: Definition) -> Definition | None:
        """The struct, union or variant of a field; the enum, trait or impl of a variant or associated item."""
        module = self.module_of(definition)
        place = self.locate(definition)
        if module is None or place is None:
            return None
        if definition.item_kind == FIELD:
            return self.table(module)[place[1]]
        items = self.facts[place[0]].items
        parent = items[place[1]].parent
        while parent >= 0 and items[parent].kind in TRANSPARENT:
            parent = items[parent].parent
        return self.table(module).get(parent)

    def in_macro_call(self, definition: Definition) -> bool:
        """The item stands inside the braces of a macro call: what the macro makes of it is not known."""
        place = self.locate(definition) if definition.kind is not DefinitionKind.LOCAL else None
        if place is None or place[1] < 0:
            return False
        items = self.facts[place[0]].items
        parent = items[place[1]].parent
        while parent >= 0:
            if items[parent].kind is ItemKind.MACRO_CALL:
                return True
            parent = items[parent].parent
        return False

    def _candidates(self, definition: Definition) -> list[Definition]:
        """Modules that may hold an item, longest path first, twins included."""
        path = definition.path
        for length in range(len(path) - 1, -1, -1):
            first = Definition(DefinitionKind.MODULE, definition.crate, path[:length])
            if first not in self.modules:
                continue
            found = [first]
            while (twin := self._next(found[-1])) in self.modules:
                found.append(twin)
            return found
        return []

    @staticmethod
    def _next(module: Definition) -> Definition:
        return Definition(module.kind, module.crate, module.path, "", module.ordinal + 1)

    def _make_table(self, module: Definition) -> dict[int, Definition]:
        place = self.source_of(module)
        if place is None:
            return {}
        counters: dict[tuple[tuple[str, ...], str], int] = {}
        if module.ordinal:
            twin = Definition(module.kind, module.crate, module.path, "", module.ordinal - 1)
            self.table(twin)
            counters = dict(self._counters.get(twin, {}))
        file, scope = place
        items = self.items[file]
        facts = self.facts[file].items
        table: dict[int, Definition] = {}
        for index in items.content(scope):
            names, kind = items.names[index], facts[index].kind.value
            if kind == "mod":
                continue
            key = (names, kind)
            ordinal = counters.get(key, 0)
            counters[key] = ordinal + 1
            definition = Definition(DefinitionKind.ITEM, module.crate, module.path + names, kind, ordinal)
            table[index] = definition
        self._counters[module] = counters
        self._indices[module] = {definition: index for index, definition in table.items()}
        return table


class ItemTables(Mapping[str, FileItems]):
    """`FileItems` of each file, made on first use."""

    def __init__(self, facts: Mapping[str, FileFacts], made: dict[str, FileItems] | None = None) -> None:
        self._facts = facts
        self._made = made if made is not None else {}

    def replaced(self, facts: Mapping[str, FileFacts], changed: Mapping[str, object]) -> "ItemTables":
        return ItemTables(facts, {p: t for p, t in self._made.items() if p not in changed})

    def __getitem__(self, path: str) -> FileItems:
        table = self._made.get(path)
        if table is None:
            table = self._made[path] = FileItems(self._facts[path])
        return table

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)
