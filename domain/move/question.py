"""The request turned into a resolved question, inside every boundary (D26): which item, from where, to where, with what."""

from collections.abc import Mapping

from m1nd.domain.move.boundaries import (
    check_conditions,
    check_conditions_kept,
    check_manifests,
    find_modules,
)
from m1nd.domain.move.extent import extent_of
from m1nd.domain.move.inline_modules import place_of, source_module, spells_a_way
from m1nd.domain.move.item import find_item
from m1nd.domain.move.modules.found import module_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.move.travel import travelling_set
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace


def resolve(request: MoveRequest, workspace: Workspace) -> Move:
    """The move that is asked for. Raises Refused with a code of the groups request, symbol, frontiers, or cfg_mismatch."""
    check_manifests(workspace, request)
    source, home = find_modules(workspace, request)
    for one in request.each()[1:]:
        _check_beside(workspace, one, source)
    roots = tuple(dict.fromkeys(find_item(workspace, one, source) for one in request.each()))
    if any(workspace.facts[source.file].items[i].kind is ItemKind.MOD for i in roots):
        check_conditions(workspace, source, home, ())
        return module_move(workspace, request, source, home, roots)
    check_conditions_kept(workspace, source, home)
    items = travelling_set(workspace, source, roots)
    check_conditions(workspace, source, home, items)
    text = workspace.sources[source.file]
    facts = workspace.facts[source.file]
    extents = tuple(extent_of(text, i, facts.items[i]) for i in items)
    return Move(
        workspace, request, source, home, roots, items, extents, _renamed(workspace, source, home, items)
    )


def _check_beside(workspace: Workspace, also: MoveRequest, source: Module) -> None:
    """The items of one plan stand in one module; a bare name is looked for where the first item stands."""
    mount = workspace.mounts(source.file)[0]
    if spells_a_way(also) and source_module(workspace, mount, also).definition != source.definition:
        refuse(
            "symbol_elsewhere",
            f"`{also.symbol}` does not stand in {place_of(workspace, source)}: the items of one plan stand in one module",
            hint=f"m1nd transplant preview {also.symbol} {also.source_file} {also.dest_file}",
            homes=[also.source_file],
        )


def _renamed(
    workspace: Workspace, source: Module, home: Module, items: tuple[int, ...]
) -> Mapping[Definition, Definition]:
    """Today's definition of each moved item, nested ones included, to that at the new home."""
    facts = workspace.facts[source.file]
    inside = set(items)
    for index, item in enumerate(facts.items):
        if item.parent in inside:
            inside.add(index)
    table: dict[Definition, Definition] = {}
    depth = len(source.definition.path)
    for index in sorted(inside):
        if facts.items[index].kind in (ItemKind.USE, ItemKind.IMPL, ItemKind.MACRO_CALL, ItemKind.UNPARSED):
            continue
        _refuse_module_in_body(source, facts, index)
        old = workspace.definition(source.definition, index)
        table[old] = Definition(
            old.kind,
            home.definition.crate,
            (*home.definition.path, *old.path[depth:]),
            old.item_kind,
            old.ordinal,
        )
    return table


def _refuse_module_in_body(source: Module, facts: FileFacts, index: int) -> None:
    """A module in the body of a function belongs to no tree: what its paths mean is not known (frontier 2f)."""
    item = facts.items[index]
    around = facts.items[item.parent] if item.parent >= 0 else None
    if item.kind is ItemKind.MOD and around is not None and around.kind is not ItemKind.MOD:
        refuse(
            "not_movable",
            f"the body of `{around.name}` in {source.file} holds the module `{item.name}`, whose paths are not followed",
            hint=f"move the module `{item.name}` out of the body first",
            name=item.name,
        )
