"""What stands behind `Type::`: associated items of types and traits, and what `Self` is in an impl.

A type's table is made in a fixed order: variants, inherent impls, impls of traits, provided items of these traits; the
first of a name wins. Impls are taken in the order of the files' paths.
"""

from collections.abc import Mapping
from functools import cached_property

from m1nd.domain.index.codes import AMBIGUOUS, EXTERNAL
from m1nd.domain.index.edges import Linked
from m1nd.domain.index.headers import ImplHeader, impl_header
from m1nd.domain.index.scopes import TYPE, Scope

HOLDERS = "itl"
"""Kinds that associated items stand in: impls, traits, macro calls inside them."""


class Members:
    """Fills `tree.members`, and makes the table of one type again."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.columns = linked.columns
        self.names = linked.names
        self.tree = linked.names.tree
        self.self_type: dict[int, int | None] = {}
        """What `Self` is in an impl or trait item."""
        self.impls: dict[int, tuple[int | None, int | None]] = {}
        """By impl item: its type's code, its trait's code."""
        self.headers: dict[int, ImplHeader] = {}
        self.inherent: dict[int, list[int]] = {}
        self.of_traits: dict[int, list[int]] = {}
        """Impl items of each type, without and with a trait in their header."""
        self.children: dict[int, list[int]] = {}
        """What stands directly in an impl, a trait or a macro call."""
        self._associate()

    def scope(self, item: int) -> Scope:
        scope = self.names.scope_of[item]
        return (
            scope if scope is not None else self.tree.scopes[self.names.modules.home[self.columns.file[item]]]
        )

    def is_flat(self, type_code: int) -> bool:
        """Whether the table of a type gives nothing to another type's and takes nothing that depends on the order of impls."""
        if self.columns.kinds[type_code] == "t" or type_code in self._traits:
            return False
        taken = (self.impls[item][1] for item in self.of_traits.get(type_code, ()))
        return not any(code in self._traits and code in self.of_traits for code in taken)

    def remake(self, type_code: int) -> None:
        """Make the table of a flat type (`is_flat`) again from its variants and impls."""
        table = dict(self.tree.variants.get(type_code, {}))
        for impls in (self.inherent, self.of_traits):
            for item in impls.get(type_code, ()):
                self._put(table, item)
        for item in self.of_traits.get(type_code, ()):
            trait = self.impls[item][1]
            if trait is not None and 0 <= trait < EXTERNAL:
                for name, child in self.tree.members.get(trait, {}).items():
                    table.setdefault(name, child)
        self.tree.members[type_code] = table

    def _put(self, table: dict[str, int], holder: int) -> None:
        names = self.columns.names
        for child in self._flat(self.children, holder):
            table.setdefault(names[child], child)

    @cached_property
    def _traits(self) -> set[int | None]:
        """What impls name as their trait: no change that is followed changes a header."""
        return {trait for _, trait in self.impls.values()}

    # ---- the first time

    def _associate(self) -> None:
        """Hang associated items on the types and traits that they belong to."""
        columns = self.columns
        members = self.tree.members
        for item, above in enumerate(columns.parent):
            if above >= 0 and columns.kinds[above] in HOLDERS:
                self.children.setdefault(above, []).append(item)
        for item, code in enumerate(columns.kinds):
            if code == "t":
                self.self_type[item] = item
                self._put(members.setdefault(item, {}), item)
        for item, code in enumerate(columns.kinds):
            if code == "i":
                self._impl(item)
        for type_code, items in self.of_traits.items():
            for item in items:
                self._put(members.setdefault(type_code, {}), item)
        self._inherit(members)

    def _impl(self, item: int) -> None:
        """Read an impl's header; its items if it is inherent."""
        header = self.headers[item] = impl_header(self.columns.details.get(item, ""))
        if header.type:
            self.linked.impl_labels[item] = header.type[-1]
        scope = self.scope(item)
        type_code = self.names.path(scope, list(header.type), TYPE) if header.type else None
        trait_code = self.names.path(scope, list(header.trait), TYPE) if header.trait else None
        self.self_type[item] = type_code
        self.impls[item] = type_code, trait_code
        if type_code is None or not 0 <= type_code < EXTERNAL:
            return
        if header.trait:
            self.of_traits.setdefault(type_code, []).append(item)
        else:
            self.inherent.setdefault(type_code, []).append(item)
            self._put(self.tree.members.setdefault(type_code, {}), item)

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
        for type_code, trait_code in self.impls.values():
            if type_code is None or trait_code is None or type_code in (EXTERNAL, AMBIGUOUS):
                continue
            if type_code >= 0 and 0 <= trait_code < EXTERNAL:
                table = members.setdefault(type_code, {})
                for name, child in members.get(trait_code, {}).items():
                    table.setdefault(name, child)
