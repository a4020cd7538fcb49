"""The dependency trichotomy: which private items travel with the moved one (seed 002 §2.5, W4, W7, W16, W27, W49).

An item travels when it is private, of a kind that can travel, and every one of its users travels too. All other
dependencies stay; what is private among them is shared (`reach.py` gives it the least visibility).
"""

import re
from collections.abc import Collection

from m1nd.domain.move.exposure import interface
from m1nd.domain.move.world import item_of, occurrences_called, with_aliases
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

TRAVELLING_KINDS = {
    ItemKind.FN,
    ItemKind.CONST,
    ItemKind.STATIC,
    ItemKind.TYPE,
    ItemKind.STRUCT,
    ItemKind.ENUM,
    ItemKind.UNION,
    ItemKind.MACRO_RULES,
}
WITH_IMPLS = (ItemKind.STRUCT, ItemKind.ENUM, ItemKind.UNION)
WITH_FIELDS = (ItemKind.STRUCT, ItemKind.UNION, ItemKind.VARIANT)
PRIVATE = ("", "pub(self)")
OUTSIDE = -1
"""The user of an item that stands in another module or file, or in no item."""


def travelling_set(workspace: Workspace, source: Module, roots: Collection[int]) -> tuple[int, ...]:
    """Indices of the top-level items that move: the roots, what travels with them, and the impls of every moved type.

    In source order. An impl block of the source module goes where its self type goes.
    """
    facts = workspace.facts[source.file]
    impls = _impls(workspace, source, facts)
    owner = {block: item for item, blocks in impls.items() for block in blocks}
    uses: dict[int, set[int]] = {}
    todo = list(roots)
    while todo:
        item = todo.pop()
        left_to_callers = item in roots and facts.items[item].kind is ItemKind.MACRO_RULES
        named = set() if left_to_callers else _used_by(workspace, source, facts, item)
        used = named | impls.get(item, set())
        uses[item] = {i for i in used if i in roots or i in owner or _may_travel(facts, i, source)}
        todo += uses[item] - uses.keys()
    users = _users_of(workspace, source, facts, frozenset(uses))
    for root in roots:
        blocks = impls.get(root, set())
        if users.get(root, set()) - {root, *roots} - blocks:
            for item in _in_interface(workspace, source, facts, root, blocks):
                users.setdefault(item, set()).add(OUTSIDE)
    users |= {block: {item} for block, item in owner.items()}
    for item, blocks in impls.items():
        users[item] = users.get(item, set()) - blocks
    moved = set(uses)
    while True:
        stay = {i for i in moved if i not in roots and not users.get(i, set()) <= moved}
        if not stay:
            return tuple(sorted(_reachable(roots, uses, moved)))
        moved = moved - stay


def held_by_others(workspace: Workspace, source: Module, roots: Collection[int]) -> frozenset[int]:
    """Those of several roots that others have in their hands without naming them: what the interface of a root tells them.

    Asked for alone such an item would stay where its users are; here it moves, and must be visible to them.
    """
    if len(roots) < 2:
        return frozenset()
    facts = workspace.facts[source.file]
    impls = _impls(workspace, source, facts)
    users = _users_of(workspace, source, facts, frozenset(roots))
    mine = {*roots, *(block for root in roots for block in impls.get(root, ()))}
    used = [root for root in roots if users.get(root, set()) - mine]
    held: set[int] = set()
    while used:
        root = used.pop()
        told = _in_interface(workspace, source, facts, root, impls.get(root, set())) & {*roots} - held
        held |= told
        used += told
    return frozenset(held)


def _in_interface(
    workspace: Workspace, source: Module, facts: FileFacts, root: int, impls: set[int]
) -> set[int]:
    """Items of the source file in what others may take from the root: whoever uses it has such values in his hands."""
    return {
        item
        for start, end in interface(workspace, source, root, sorted(impls))
        for occurrence in workspace.occurrences_between(source.file, start, end, source.definition.crate)
        for definition in occurrence.target
        if (item := _own_item(workspace, source, facts, definition)) is not None and item != root
    }


def _impls(workspace: Workspace, source: Module, facts: FileFacts) -> dict[int, set[int]]:
    """The top-level impl blocks of each type of the source file."""
    found: dict[int, set[int]] = {}
    for index, item in enumerate(facts.items):
        if item.parent == source.scope_item and item.kind in WITH_IMPLS:
            definition = workspace.definition(source.definition, index)
            for module, block in workspace.impls_of(definition):
                if module == source.definition and facts.items[block].parent == source.scope_item:
                    found.setdefault(index, set()).add(block)
    return found


def _used_by(workspace: Workspace, source: Module, facts: FileFacts, item: int) -> set[int]:
    """The top-level items of the source file that item `item` uses; doc links left out."""
    fact = facts.items[item]
    found = {
        used
        for occurrence in workspace.occurrences_between(
            source.file, fact.extent_start, fact.end, source.definition.crate
        )
        if occurrence.role is not Role.DOC
        for definitions in occurrence.denotes
        for definition in definitions
        if (used := _own_item(workspace, source, facts, definition)) is not None
    }
    return found - {item}


def _users_of(
    workspace: Workspace, source: Module, facts: FileFacts, items: frozenset[int]
) -> dict[int, set[int]]:
    """Who uses each of `items`: top-level items of the source file, or `OUTSIDE`; doc links left out."""
    users: dict[int, set[int]] = {}
    names = with_aliases(workspace, _spellings(workspace, source, facts, items), source.definition.crate)
    macros = frozenset(facts.items[i].name for i in items if facts.items[i].kind is ItemKind.MACRO_RULES)
    for path in _files_that_see(workspace, source, macros):
        for occurrence in occurrences_called(workspace, path, names):
            if occurrence.role is Role.DOC:
                continue
            inside = path == source.file
            user = item_of(facts, occurrence.item, source.scope_item) if inside else OUTSIDE
            for definitions in occurrence.denotes:
                for definition in definitions:
                    item = _own_item(workspace, source, facts, definition)
                    if item in items and item != user:
                        users.setdefault(item, set()).add(user)
    for item in items:
        if facts.items[item].kind is ItemKind.MACRO_RULES:
            callers = _macros_that_call(facts, workspace.sources[source.file], facts.items[item].name)
            users.setdefault(item, set()).update(
                item_of(facts, c, source.scope_item) for c in callers - {item}
            )
    return users


def _macros_that_call(facts: FileFacts, text: bytes, name: str) -> set[int]:
    """The macros of the source file in whose bodies `name!` is spelled: bodies resolve nowhere but at their calls."""
    call = re.compile(rb"(?<![\w$:])" + re.escape(name.encode()) + rb"\s*!")
    return {
        index
        for index, item in enumerate(facts.items)
        if item.kind is ItemKind.MACRO_RULES and call.search(text, item.name_end, item.end)
    }


def _spellings(
    workspace: Workspace, source: Module, facts: FileFacts, items: frozenset[int]
) -> frozenset[str]:
    """By which names somebody can use an item: its own, those of its variants, those of its fields."""
    names: set[str] = set()
    for index, item in enumerate(facts.items):
        if index in items or (item.kind is ItemKind.VARIANT and item.parent in items):
            names.add(item.name)
            if item.kind in WITH_FIELDS:
                definition = workspace.definition(source.definition, index)
                names.update(field.name for _, field in workspace.fields_of(definition))
    return frozenset(names - {""})


def _files_that_see(workspace: Workspace, source: Module, names: frozenset[str]) -> list[str]:
    """The source file and the files of its descendants; private items are visible nowhere else.

    By textual order a `macro_rules!` may be seen further down the crate: every file of the crate that spells one of
    `names` is asked.
    """
    files = {m.file for m in workspace.modules.values() if is_inside(m.definition, source.definition)}
    files |= {
        m.file
        for m in workspace.modules.values()
        if m.definition.crate == source.definition.crate and workspace.spells(m.file, names)
    }
    return sorted(files)


def _own_item(workspace: Workspace, source: Module, facts: FileFacts, definition: Definition) -> int | None:
    """The top-level item of the source file that `definition` is, or is part of."""
    if definition.kind not in (DefinitionKind.ITEM, DefinitionKind.MODULE):
        return None
    place = workspace.locate(definition)
    if place is None or place[0] != source.file or definition.crate != source.definition.crate:
        return None
    item = item_of(facts, place[1], source.scope_item)
    return item if item >= 0 else None


def _may_travel(facts: FileFacts, index: int, source: Module) -> bool:
    item = facts.items[index]
    exported = any(a.startswith(("macro_export", "no_mangle", "export_name")) for a in item.attributes)
    if item.kind is ItemKind.MACRO_RULES:
        return not exported and not source.macro_use
    return item.kind in TRAVELLING_KINDS and item.visibility in PRIVATE and not exported


def _reachable(roots: Collection[int], uses: dict[int, set[int]], allowed: set[int]) -> set[int]:
    found = set(roots)
    todo = list(roots)
    while todo:
        for item in uses.get(todo.pop(), set()) & allowed:
            if item not in found:
                found.add(item)
                todo.append(item)
    return found
