"""One changed file in a linked repository: its items, scopes and names of now, and which items have other edges for it.

What was linked stays as it is: only tokens with a name that means something else are looked up again. A change that
reaches further (`reserved.py`, `matching.py`) is not followed, and what was half followed is good for nothing.
"""

from array import array

from attrs import Factory, frozen

from m1nd.domain.index.file_change import NOBODY, FileChange
from m1nd.domain.index.following_imports import Spelled
from m1nd.domain.index.imports import bound_name
from m1nd.domain.index.link import Linker
from m1nd.domain.index.matching import UNNAMED, Matched, matched
from m1nd.domain.index.mentions import mentions_of
from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.index.reserved import Reserved
from m1nd.domain.index.scopes import Scope


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
        self._spelled = Spelled(linker.names, columns)
        self.place = array("I")
        """Where every number stands in its file."""
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
        if not self._is_alone(number) or not self._is_near(found, packed):
            return None
        again = FileChange(self.linker, self.place, self._spelled, number, found, packed)
        if not again.make():
            return None
        touched.items.update(again.items)
        self._look_up_again(found, touched, again.names_imported)
        return touched

    def _is_near(self, found: Matched, packed: PackedFacts) -> bool:
        """Whether the changed names are in no import, module or header, the new imports included."""
        reserved = self._reserved_words()
        fresh = set(found.fresh)
        taken = [
            reserved.take(use[7], bound_name(use[1], use[4], use[7]))
            for use in packed.uses
            if use[0] in fresh
        ]
        return all(taken) and not reserved.holds(found.named, found.members)

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

    def _look_up_again(self, found: Matched, touched: Touched, imported: set[str]) -> None:
        """Look up every token with a name that changed; those that lead elsewhere concern the items that have them."""
        mentions = self.linker.mentions
        assert mentions is not None
        columns = self.columns
        names = {columns.names[item] for item in found.moved if columns.kinds[item] not in UNNAMED}
        names |= found.named | found.members | found.tested | imported
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
