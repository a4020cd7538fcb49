"""What one changed file does to the tables of a linked repository: columns, scopes, members of types, imports."""

from array import array
from bisect import insort
from collections.abc import Iterable
from typing import Any

from m1nd.domain.index.codes import EXTERNAL
from m1nd.domain.index.following_imports import ImportChange, Spelled
from m1nd.domain.index.headers import is_test
from m1nd.domain.index.imports import Import, bound_name
from m1nd.domain.index.link import Linker
from m1nd.domain.index.matching import Matched
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.scopes import TYPE, VALUE, Scope

NOBODY = "-"
"""Kind of a number that no item bears."""


class FileChange:
    """The items of one file that came, went, or mean something else: entered into the tables of the linker."""

    def __init__(
        self,
        linker: Linker,
        places: "array[int]",
        spelled: Spelled,
        number: int,
        found: Matched,
        packed: PackedFacts,
    ) -> None:
        """`places` say where every number stands in its file."""
        self.linker = linker
        self.columns = linker.columns
        self.names = linker.names
        self.tree = linker.tree
        self.places = places
        self.spelled = spelled
        self.number = number
        self.found = found
        self.packed = packed
        self.items: set[int] = set()
        """Items of the file whose own tokens are to be looked up again."""
        self.names_imported: set[str] = set()
        """Names that imports bring or brought."""

    def make(self) -> bool:
        """Enter everything; false where everything is to be linked again."""
        found, columns, references = self.found, self.columns, self.linker.references
        gone = [leaf for item in found.gone for leaf in self.linker.imports_of.pop(item, ())]
        scopes = self._scopes_of_bearers()
        holders = self._holders_of_members()
        for item in (*found.gone, *found.moved):
            table = references.bearers(item)
            if table is not None:
                table[columns.names[item]].remove(item)
        self._forget_gone()
        self._enter_items()
        self.items = self._enter_scopes() | {found.items[place] for place in found.altered}
        for item in (*found.moved, *(found.items[place] for place in found.fresh)):
            table = references.bearers(item)
            if table is not None:
                insort(table.setdefault(columns.names[item], []), item, key=self._position)
        self._define_again(scopes | self._scopes_of_bearers())
        self._list_children()
        return self._remake(holders | self._holders_of_members()) and self._change_imports(gone)

    def _position(self, item: int) -> tuple[int, int]:
        return self.columns.file[item], self.places[item]

    # ---- columns

    def _forget_gone(self) -> None:
        columns = self.columns
        for item in self.found.gone:
            columns.kinds[item] = NOBODY  # type: ignore[index]
            columns.names[item] = ""
            columns.parent[item] = -1
            columns.attributes.pop(item, None)
            self.names.scope_of[item] = None
            self.names.blocks.pop(item, None)
            self.names.twins.pop(item, None)
            self.linker.linked.tests.discard(item)
            self.tree.variants.pop(item, None)
            self.tree.members.pop(item, None)

    def _enter_items(self) -> None:
        found, packed, columns = self.found, self.packed, self.columns
        attributes = {row[0]: row[1:] for row in packed.attributes}
        tests = self.linker.linked.tests
        columns.facts[self.number] = packed
        columns.orders[self.number] = found.items
        for place in found.fresh:
            parent = packed.parents[place]
            columns.kinds.append(packed.kinds[place])  # type: ignore[attr-defined]
            columns.names.append(packed.names[place])
            columns.parent.append(found.items[parent] if parent >= 0 else -1)
            columns.file.append(self.number)
            columns.visibility.append("")
            self.names.scope_of.append(None)
            self.places.append(place)
        for place in (*found.fresh, *found.altered):
            item = found.items[place]
            columns.visibility[item] = packed.visibility[place]
            columns.attributes.pop(item, None)
            tests.discard(item)
            texts = attributes.get(place)
            if texts is not None:
                columns.attributes[item] = texts
                if packed.kinds[place] == "f" and is_test(texts):
                    tests.add(item)
        for place, item in enumerate(found.items):
            self.places[item] = place

    # ---- scopes

    def _enter_scopes(self) -> set[int]:
        """Give each new item its scope; the items whose bodies became scopes. (One that is empty again only leads outwards.)"""
        names, columns = self.names, self.columns
        made: set[int] = set()
        for place in self.found.fresh:
            item = self.found.items[place]
            parent = columns.parent[item]
            if parent < 0:
                names.scope_of[item] = self.tree.scopes[self.linker.modules.home[self.number]]
                continue
            around = self.linker.members.scope(parent)
            outer = columns.kinds[parent]
            if outer == "m":
                around = names.inside_module(parent, around)
            elif outer not in "litoe":
                if parent not in names.blocks:
                    names.blocks[parent] = Scope(around.module, around)
                    made.add(parent)
                around = names.blocks[parent]
            names.scope_of[item] = around
        return made

    def _bearers(self, names: Iterable[str]) -> list[int]:
        """Items of the file, as the columns have it now, with one of these names."""
        wanted = set(names)
        return [item for item in self.columns.items_of(self.number) if self.columns.names[item] in wanted]

    def _scopes_of_bearers(self) -> set[Scope]:
        return {
            self.linker.members.scope(item)
            for item in self._bearers(self.found.named)
            if self._stands_in_scope(item)
        }

    def _stands_in_scope(self, item: int) -> bool:
        parent = self.columns.parent[item]
        return parent < 0 or self.columns.kinds[parent] not in "ite"

    def _define_again(self, scopes: Iterable[Scope]) -> None:
        """Enter the changed names of these scopes anew: nothing but this file's items gives them a meaning."""
        columns, names = self.columns, self.names
        wanted = set(scopes)
        for scope in wanted:
            for name in self.found.named:
                scope.tables[TYPE].pop(name, None)
                scope.tables[VALUE].pop(name, None)
                scope.private.discard(name)
        for item in self._bearers(self.found.named):
            code = columns.kinds[item]
            if code in "ruliop" or not self._stands_in_scope(item):
                continue
            scope = self.linker.members.scope(item)
            if scope in wanted:
                names.twins.pop(item, None)
                names.define(scope, item, code, columns.names[item], columns.visibility[item])

    # ---- imports

    def _change_imports(self, gone: list[Import]) -> bool:
        """Take out imports that are gone, put in those that came; false where that is not certain."""
        come: list[Import] = []
        fresh = {place: self.found.items[place] for place in self.found.fresh}
        for use in self.packed.uses:
            item = fresh.get(use[0])
            if item is not None:
                leaf = self._leaf(use, item, gone)
                if leaf.item != item:
                    leaf.item = item
                else:
                    come.append(leaf)
                self.linker.imports_of.setdefault(item, []).append(leaf)
        if not gone and not come:
            return True
        change = ImportChange(self.names, gone, come)
        self.names_imported = change.bound
        if any(self._stands_in_scope(item) for item in self._bearers(change.bound)):
            return False
        new = {id(leaf) for leaf in come}
        others = [leaf for leaf in self.spelled.by(change.bound) if id(leaf) not in new]
        for leaf in come:
            self.names.imports.append(leaf)
            self.spelled.enter(leaf)
        members = self.linker.members
        headers = (
            (members.scope(item), header)
            for item, header in members.headers.items()
            if not change.bound.isdisjoint((*header.type, *header.trait))
        )
        return change.make(others, headers)

    def _leaf(self, use: list[Any], item: int, gone: list[Import]) -> Import:
        """A gone import that another item now makes just so, or a new one."""
        flags, path = use[1], use[7]
        name = bound_name(flags, use[4], path)
        scope = self.linker.members.scope(item)
        public = bool(self.packed.visibility[use[0]])
        for leaf in gone:
            same = leaf.scope is scope and leaf.path == path and leaf.flags == flags
            if same and leaf.name == name and leaf.public == public:
                gone.remove(leaf)
                return leaf
        return Import(scope, item, path, name, flags, public)

    # ---- behind types

    def _holders_of_members(self) -> set[int]:
        """What the changed names of members stand in, macro calls left out."""
        columns = self.columns
        found: set[int] = set()
        for item in self._bearers(self.found.members):
            above = columns.parent[item]
            while above >= 0 and columns.kinds[above] == "l":
                above = columns.parent[above]
            if above >= 0 and columns.kinds[above] in "ie":
                found.add(above)
        return found

    def _list_children(self) -> None:
        children: dict[int, list[int]] = {}
        columns, known = self.columns, self.linker.members.children
        for item in self.found.items:
            above = columns.parent[item]
            if above >= 0 and columns.kinds[above] in "itl":
                children.setdefault(above, []).append(item)
        for item in self.found.items:
            if columns.kinds[item] in "itl":
                known[item] = children.get(item, [])

    def _remake(self, holders: Iterable[int]) -> bool:
        """Make the tables behind the types of these impls and enums again; false where they reach other types."""
        members = self.linker.members
        types: set[int] = set()
        for holder in holders:
            code = self.columns.kinds[holder]
            if code == "e":
                types.add(holder)
                self.tree.variants[holder] = self._variants(holder)
            elif code == "i":
                own = members.self_type[holder]
                if own is not None and 0 <= own < EXTERNAL:
                    types.add(own)
        if not all(members.is_flat(item) for item in types):
            return False
        for item in types:
            members.remake(item)
        return True

    def _variants(self, item: int) -> dict[str, int]:
        columns = self.columns
        found: dict[str, int] = {}
        for inner in self.found.items:
            if columns.parent[inner] == item:
                found.setdefault(columns.names[inner], inner)
        return found
