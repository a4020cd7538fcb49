"""Modifiers in the files of a module that moves, which reach out of it: `pub(super)`, `pub(in …)`.

Each holds, after the move, wherever it is needed: who saw the thing before sees it still. `pub(super)` and its like stay
as written where nobody outside the module spells anything of it; one that names the module's old place, or a module
that is around it no more, is always written anew. `pub` and `pub(crate)` stay (decision 32).
"""

from collections.abc import Iterator

from attrs import frozen

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.fields import fields_in
from m1nd.domain.move.reach import MODIFIER, common_module, parent_of, visibility_text
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.visibility import is_inside, parse_visibility

AS_WRITTEN = ("", "pub", "pub(crate)", "pub(self)", "crate")
WITH_FIELDS = (ItemKind.STRUCT, ItemKind.UNION)
UP = "super"


@frozen
class Modifier:
    """A modifier as written at `start`, in `module`, on something called `name` (empty where nobody can tell)."""

    path: str
    start: int
    text: str
    module: Definition
    name: str


def modifiers(move: Move) -> list[Change]:
    """The modifiers that are written anew."""
    found = list(_restricted(move))
    widened = {m.text for m in found if _is_missed(move, m)}
    changes: list[Change] = []
    for one in found:
        text = _again(move, one, one.text in widened)
        if text != one.text:
            match = MODIFIER.match(move.workspace.sources[one.path], one.start)
            end = match.end() if match else one.start
            changes.append(written(one.path, one.start, end, f"{text} ".encode() if text else b""))
    return changes


def _restricted(move: Move) -> Iterator[Modifier]:
    workspace, crate = move.workspace, move.source.definition.crate
    for path in move.files:
        facts = workspace.facts[path]
        names = {use.item: use.bound_name or "" for use in facts.uses}
        for index, item in enumerate(facts.items):
            module = workspace.module_at(path, item.start, crate)
            if module is None:
                continue
            if item.visibility not in AS_WRITTEN:
                name = names.get(index, "") if item.kind is ItemKind.USE else item.name
                around = module.definition
                if item.kind is ItemKind.MOD and item.has_body and module.item == index:
                    around = parent_of(around)
                yield Modifier(path, item.start, item.visibility, around, name)
            if item.kind in WITH_FIELDS and item.has_body:
                for field in fields_in(workspace, path, item.body_start, item.body_end):
                    if field.visibility not in AS_WRITTEN:
                        yield Modifier(path, field.start, field.visibility, module.definition, field.name)


def _scope(move: Move, one: Modifier) -> Definition:
    """The module inside which the thing is visible today."""
    scope = parse_visibility(one.text, one.module).scope
    assert scope is not None
    return scope


def _is_missed(move: Move, one: Modifier) -> bool:
    """It reaches out of the module, and a file outside of it, where the thing can be seen, spells the name."""
    scope = _scope(move, one)
    if scope in move.renamed:
        return False
    for module in move.workspace.modules.values():
        if module.definition in move.renamed or not is_inside(module.definition, scope):
            continue
        unnamed = not one.name or one.name == "_" or one.name.isdigit()
        if unnamed or move.workspace.spells(module.file, (one.name,)):
            return True
    return False


def _again(move: Move, one: Modifier, widened: bool) -> str:
    """How the modifier is written after the move."""
    scope, around = _scope(move, one), move.after(one.module)
    meant = parse_visibility(one.text, around).scope
    if meant == move.after(scope) and is_inside(around, meant):
        return one.text
    if scope in move.renamed:
        return visibility_text(around, move.after(scope)) or "pub(self)"
    if UP in one.text and not widened:
        return one.text if one.text.count(UP) <= len(around.path) else "pub(crate)"
    return visibility_text(around, common_module((around, scope)))
