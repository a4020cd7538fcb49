"""What text may have in its hands: the types that signatures and fields lead to from what it mentions.

Where the type of a receiver is not plain, a member counts as used when its type is within reach.
"""

from collections.abc import Iterable, Iterator

from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.workspace import Workspace

STEPS = 4
"""How many steps of signatures and field types lead from a mentioned item to the type of a receiver."""
TYPES = ("struct", "enum", "union", "type", "trait")


class Reach:
    """The steps from item to item inside one crate; each item is read once."""

    def __init__(self, workspace: Workspace, crate: str) -> None:
        self.workspace = workspace
        self.crate = crate
        self._known: dict[Definition, frozenset[Definition]] = {}

    def of(self, mentioned: Iterable[Definition]) -> frozenset[Definition]:
        """Mentioned, returned, or field types of those."""
        seen: set[Definition] = set()
        frontier = {d for d in mentioned if d.kind is DefinitionKind.ITEM}
        for _ in range(STEPS):
            seen |= frontier
            frontier = {d for f in frontier for d in self._next(f)} - seen
        return frozenset(seen)

    def _next(self, definition: Definition) -> frozenset[Definition]:
        if definition not in self._known:
            self._known[definition] = frozenset(self._mentioned_by(definition))
        return self._known[definition]

    def _mentioned_by(self, definition: Definition) -> Iterator[Definition]:
        """What an item's signature (or its fields) mentions, and for a type what its impls' signatures mention."""
        workspace = self.workspace
        place = workspace.locate(definition)
        if place is None or definition.crate != self.crate:
            return
        spans = [place]
        if definition.item_kind in TYPES:
            for module, index in workspace.impls_of(definition):
                file = workspace.modules[module].file
                spans += [
                    (file, i) for i, item in enumerate(workspace.facts[file].items) if item.parent == index
                ]
        for file, index in spans:
            item = workspace.facts[file].items[index]
            end = item.body_start if item.kind is ItemKind.FN and item.has_body else item.end
            for occurrence in workspace.occurrences_between(file, item.start, end, definition.crate):
                for definitions in occurrence.denotes:
                    yield from (d for d in definitions if d.kind is DefinitionKind.ITEM)
