"""A move to where fewer builds look (`#[cfg(test)] mod tests`): it changes nothing where the other builds never use the item."""

import re
from collections.abc import Collection, Iterator

from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.pruning import test_gates
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.world import is_doctest, occurrences_naming
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

NAMED = (
    ItemKind.FN,
    ItemKind.CONST,
    ItemKind.STATIC,
    ItemKind.TYPE,
    ItemKind.STRUCT,
    ItemKind.ENUM,
    ItemKind.UNION,
)
"""Kinds that nobody can use without their name, or the name of one that has it in its signature."""
LINKED = ("no_mangle", "export_name", "link_section", "used", "unsafe(")
"""Attributes by which the linker sees an item."""


def is_used_only_under(
    workspace: Workspace, source: Module, items: Collection[int], conditions: set[str]
) -> bool:
    """Every item that moves stands under the conditions by itself, or is used by nothing but text that does."""
    facts = workspace.facts[source.file]
    spans = [(facts.items[i].extent_start, facts.items[i].end) for i in items]
    for index in items:
        item = facts.items[index]
        if conditions <= set(conditions_of(item)) or item.kind is ItemKind.IMPL:
            continue  # an impl goes with its type
        definition = workspace.definition(source.definition, index)
        if _has_other_users(item) or is_public(workspace, definition) or _in_macros(workspace, definition):
            return False
        for path, occurrence in _uses(workspace, definition):
            moves = path == source.file and any(a <= occurrence.start < b for a, b in spans)
            gates = () if is_doctest(occurrence) else test_gates(workspace, path, occurrence)
            if not moves and not conditions <= set(gates):
                return False
    return True


def _has_other_users(item: ItemFact) -> bool:
    return item.kind not in NAMED or any(a.startswith(LINKED) for a in item.attributes)


def _in_macros(workspace: Workspace, definition: Definition) -> bool:
    """Some macro's body spells the name: who calls it may use the item."""
    word = re.compile(rb"(?<!\w)" + re.escape(definition.name.encode()) + rb"(?!\w)")
    return any(
        item.kind is ItemKind.MACRO_RULES and word.search(workspace.sources[path], item.name_end, item.end)
        for path, facts in workspace.facts.items()
        if workspace.spells(path, (definition.name,))
        for item in facts.items
    )


def _uses(workspace: Workspace, definition: Definition) -> Iterator[tuple[str, Occurrence]]:
    for path, occurrence in occurrences_naming(workspace, frozenset((definition.name,)), definition.crate):
        if occurrence.role is not Role.DOC and any(definition in ds for ds in occurrence.denotes):
            yield path, occurrence
