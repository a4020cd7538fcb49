"""Who may see what: the modifier that decides for a definition, and whether its declared path is open. Answers only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.forest import FIELD
from m1nd.domain.rust.macros import is_always_exported
from m1nd.domain.rust.names import Definition, DefinitionKind
from m1nd.domain.rust.visibility import PUBLIC, Visibility, can_see, parse_visibility

if TYPE_CHECKING:
    from m1nd.domain.rust.workspace import Workspace


def visibility_of(workspace: Workspace, definition: Definition) -> Visibility:
    """See `Workspace.visibility_of`."""
    forest = workspace.forest
    if definition.kind is DefinitionKind.MODULE:
        known = forest.modules.get(definition)
        return known.visibility if known is not None else PUBLIC
    module = forest.module_of(definition)
    item = forest.item(definition)
    if module is None or item is None:
        return PUBLIC
    owner = forest.owner_definition(definition)
    if definition.item_kind == FIELD and owner is not None:
        return _visibility_of_field(workspace, definition, owner, module)
    bearer = bearer_of(workspace, definition)
    if bearer != definition:
        return visibility_of(workspace, bearer)
    if item.kind is ItemKind.MACRO_RULES and is_always_exported(item):
        return PUBLIC
    return parse_visibility(item.visibility, module)


def bearer_of(workspace: Workspace, definition: Definition) -> Definition:
    """See `Workspace.bearer_of`."""
    forest = workspace.forest
    if definition.kind is DefinitionKind.ITEM and definition.item_kind == FIELD:
        of = forest.owner_definition(definition)
        if of is not None and of.item_kind == ItemKind.VARIANT:
            return bearer_of(workspace, of)
        return definition
    alone = definition.kind is not DefinitionKind.ITEM
    owner = None if alone else forest.owner_definition(definition)
    if owner is None or owner.item_kind not in (ItemKind.ENUM, ItemKind.TRAIT, ItemKind.IMPL):
        return definition
    if owner.item_kind != ItemKind.IMPL:
        return owner
    module, place = forest.module_of(owner), forest.locate(owner)
    trait = workspace.linker.associated.trait_of(module, place[1]) if module and place else None
    return trait if trait is not None else definition


def _visibility_of_field(
    workspace: Workspace, definition: Definition, owner: Definition, module: Definition
) -> Visibility:
    if owner.item_kind == ItemKind.VARIANT:
        return visibility_of(workspace, owner)
    found = next((f for d, f in workspace.fields_of(owner) if d == definition), None)
    return parse_visibility(found.visibility if found is not None else "", module)


def reachable(workspace: Workspace, definition: Definition, from_module: Definition) -> bool:
    """See `Workspace.reachable`."""
    if definition.kind not in (DefinitionKind.MODULE, DefinitionKind.ITEM):
        return True
    if not can_see(from_module, visibility_of(workspace, definition)):
        return False
    module = workspace.forest.module_of(definition)
    if module is None:
        return False
    while module.path:
        if not can_see(from_module, visibility_of(workspace, module)):
            return False
        module = workspace.forest.parent(module)
    return True
