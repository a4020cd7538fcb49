"""One changed file in a linked repository: its items, scopes and names of now, and which items have other edges for it.

What was linked stays as it is: only tokens with a name that means something else are looked up again. A change that
reaches further (`reserved.py`, `matching.py`) is not followed, and what was half followed is good for nothing.
"""

from array import array
from bisect import insort
from collections.abc import Iterable

from attrs import Factory, frozen

from m1nd.domain.index.codes import EXTERNAL
from m1nd.domain.index.headers import is_test
from m1nd.domain.index.link import Linker
from m1nd.domain.index.matching import UNNAMED, Matched, matched
from m1nd.domain.index.mentions import mentions_of
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.reserved import Reserved
from m1nd.domain.index.scopes import TYPE, VALUE, Scope

NOBODY = "-"
"""Kind of a number that no item bears."""


@frozen
class Touched:
    """Items whose edges are to be looked up again, files whose text outside items is, items that are gone or stand elsewhere."""

    items: set[int] = Factory(set)
    files: set[int] = Factory(set)
    gone: tuple[int, ...] = ()
    moved: frozenset[int] = frozenset()


class Follower:
    """Brings a `Linker` up to date with one file after the other."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self.columns = columns = linker.columns
        self.names = linker.names
        self.tree = linker.tree
        self._reserved: Reserved | None = None
        self.file = array("I", columns.file)
        self.place = array("I")
        """Where every number stands: its file, and its place there."""
        for number in range(len(columns.paths)):
            self.place.extend(range(columns.first[number + 1] - columns.first[number]))
        self._leave_room()
        self._texts: dict[int, set[int]] = {}
        """The files that each module's items are in."""
        for number, module in linker.modules.mounts:
            self._texts.setdefault(module, set()).add(number)
        for (item, _), module in linker.modules.inline.items():
            self._texts.setdefault(module, set()).add(columns.file[item])

    def _leave_room(self) -> None:
        """Numbers between the items and the new ones belong to the modules."""
        columns = self.columns
        modules = len(self.linker.modules.paths)
        columns.kinds = [*columns.kinds, *NOBODY * modules]
        columns.names += [""] * modules
        columns.visibility += [""] * modules
        columns.parent.extend([-1] * modules)
        columns.file.extend([len(columns.paths)] * modules)
        self.names.scope_of += [None] * modules
        self.file.extend([len(columns.paths)] * modules)
        self.place.extend(range(modules))

    def follow(self, number: int, packed: PackedFacts) -> Touched | None:
        """Take the new text of a file; None where everything must be linked again."""
        columns = self.columns
        old = columns.facts[number]
        before = columns.items_of(number)
        found = matched(old, before, packed, len(columns))
        if found is None:
            return None
        touched = Touched(
            {
                item
                for item, was, tokens in zip(found.items, found.was, packed.tokens, strict=False)
                if was < 0 or tokens != old.tokens[was]
            },
            {number} if old.tokens[-1] != packed.tokens[-1] else set(),
            tuple(found.gone),
            found.moved,
        )
        if not (found.fresh or found.gone or found.moved or found.altered or found.tested):
            columns.facts[number] = packed
            return touched
        if not self._is_alone(number) or self._reserved_words().holds(found.named, found.members):
            return None
        again = _Change(self, number, found, packed).make()
        if again is None:
            return None
        touched.items.update(again)
        self._look_up_again(found, touched)
        return touched

    def _reserved_words(self) -> Reserved:
        """What reaches further. With the first change of a name begins the record of who mentions one: until then nobody asks."""
        if self._reserved is None:
            linker = self.linker
            linker.mentions = mentions_of(self.columns, linker.names)
            self._reserved = Reserved(self.columns, linker.names, linker.members.headers.values())
        return self._reserved

    def _is_alone(self, number: int) -> bool:
        """Whether a file is one module, and all its modules are in it alone."""
        mine = [module for module, files in self._texts.items() if number in files]
        mounts = sum(1 for file, _ in self.linker.modules.mounts if file == number)
        return mounts == 1 and all(len(self._texts[module]) == 1 for module in mine)

    # ---- who is concerned

    def _look_up_again(self, found: Matched, touched: Touched) -> None:
        """Look up every token with a name that changed; those that lead elsewhere concern the items that have them."""
        mentions = self.linker.mentions
        assert mentions is not None
        columns = self.columns
        names = {columns.names[item] for item in found.moved if columns.kinds[item] not in UNNAMED}
        names |= found.named | found.members | found.tested
        elsewhere: dict[Scope, set[str]] = {}
        for scope, token in mentions.tokens(names):
            crate = self.linker.modules.crates[scope.module]
            hit = self.linker.references.look_up(token, scope, crate, None)
            if hit != scope.memo[token] or found.tested:
                scope.memo[token] = hit
                elsewhere.setdefault(scope, set()).add(token)
        for scope, tokens in elsewhere.items():
            for number in self._texts[scope.module]:
                self._with_tokens(number, scope, tokens, touched)
        touched.items.update(item for item in mentions.items(names) if columns.kinds[item] != NOBODY)

    def _with_tokens(self, number: int, scope: Scope, tokens: set[str], touched: Touched) -> None:
        """The items of a file that look one of these tokens up in that scope."""
        texts = self.columns.facts[number].tokens
        for item, joined in zip(self.columns.items_of(number), texts, strict=False):
            if any(token in joined for token in tokens) and self.linker.scope_inside(item) is scope:
                touched.items.add(item)
        home = self.linker.modules.home[number]
        if self.tree.scopes[home] is scope and not tokens.isdisjoint(texts[-1].split(" ")):
            touched.files.add(number)


class _Change:
    """The items of one file that came, went, or mean something else: entered into the tables of the linker."""

    def __init__(self, follower: Follower, number: int, found: Matched, packed: PackedFacts) -> None:
        self.follower = follower
        self.linker = follower.linker
        self.columns = follower.columns
        self.names = follower.names
        self.tree = follower.tree
        self.number = number
        self.found = found
        self.packed = packed

    def make(self) -> set[int] | None:
        """The items of the file whose own tokens are to be looked up again; None where everything is to be linked again."""
        found, columns, references = self.found, self.columns, self.linker.references
        scopes = self._scopes_of_bearers()
        holders = self._holders_of_members()
        for item in (*found.gone, *found.moved):
            table = references.bearers(item)
            if table is not None:
                table[columns.names[item]].remove(item)
        self._forget_gone()
        self._enter_items()
        blocks = self._enter_scopes()
        for item in (*found.moved, *(found.items[place] for place in found.fresh)):
            table = references.bearers(item)
            if table is not None:
                insort(table.setdefault(columns.names[item], []), item, key=self._position)
        self._define_again(scopes | self._scopes_of_bearers())
        self._list_children()
        if not self._remake(holders | self._holders_of_members()):
            return None
        return blocks | {found.items[place] for place in found.altered}

    def _position(self, item: int) -> tuple[int, int]:
        return self.follower.file[item], self.follower.place[item]

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
            self.follower.file.append(self.number)
            self.follower.place.append(place)
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
            self.follower.place[item] = place

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
