"""Restricted re-exports (`pub(super) use`) that the moved files go through and would not see any more: they are widened.

The path stays as it is. Spelling another one would leave the re-export without use where nobody else takes it.
"""

from collections.abc import Sequence

from m1nd.domain.move.compose import written
from m1nd.domain.move.imports.chains import glob_target
from m1nd.domain.move.imports.statements import leaves_of
from m1nd.domain.move.modules.names import Leaf
from m1nd.domain.move.reach import MODIFIER, Raised, common_module, module_of, visibility_text
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.visibility import is_inside, parse_visibility

PRIVATE = ("", "pub(self)")


def widened(move: Move, leaves: Sequence[Leaf], meant: Sequence[Definition]) -> tuple[Raised, ...] | None:
    """The modifiers with which home sees through `leaves`; None where one is private, or could not show all it brings.

    `meant`: definitions that are raised to home's sight anyway.
    """
    found = [_widened(move, leaf, meant) for leaf in leaves]
    raised = tuple(r for r in found if r is not None)
    return raised if raised and len(raised) == len(found) else None


def _widened(move: Move, leaf: Leaf, meant: Sequence[Definition]) -> Raised | None:
    workspace, (path, index) = move.workspace, leaf
    use = workspace.facts[path].uses[index]
    item, module = workspace.facts[path].items[use.item], workspace.module_at(path, use.start)
    if item.visibility in PRIVATE or module is None or module.definition in move.renamed:
        return None
    seen = parse_visibility(item.visibility, module.definition).scope
    if seen is None:
        return None
    region = common_module((module.definition, seen, move.home.definition))
    brought = [d for i in leaves_of(workspace.facts[path], use.item) for d in _brought(move, (path, i))]
    if not all(_may_be_shown(move, d, region, meant) for d in brought):
        return None
    if use.glob and _is_handed_on(move, module.definition, seen):
        return None
    after = visibility_text(module.definition, region)
    modifier = MODIFIER.match(workspace.sources[path], item.start)
    assert modifier is not None
    change = written(path, item.start, modifier.end(), f"{after} ".encode())
    name = "::".join((*use.path, "*")) if use.glob else use.bound_name or use.path[-1]
    return Raised(module.definition, name, item.visibility, after, change)


def _is_handed_on(move: Move, module: Definition, seen: Definition) -> bool:
    """A glob brings on what `module` shows, to where it was not seen so far: nobody here tells what it would meet there."""
    workspace = move.workspace
    for path in workspace.files_around(module.crate):
        facts = workspace.facts[path]
        for index, use in enumerate(facts.uses):
            around = workspace.module_at(path, use.start) if use.glob and path not in move.files else None
            if around is None or glob_target(workspace, path, index) != module:
                continue
            if facts.items[use.item].visibility not in PRIVATE or not is_inside(around.definition, seen):
                return True
    return False


def _brought(move: Move, leaf: Leaf) -> Sequence[Definition]:
    """What a leaf brings; a glob brings only what it may."""
    workspace, (path, index) = move.workspace, leaf
    use = workspace.facts[path].uses[index]
    module = workspace.module_at(path, use.start)
    if use.glob or module is None:
        return ()
    found = workspace.resolve_import(module.definition, use.path, tuple(Namespace), use.absolute)
    return found[-1] if found else ()


def _may_be_shown(
    move: Move, definition: Definition, region: Definition, meant: Sequence[Definition]
) -> bool:
    """A re-export seen in `region` may name the definition (E0364), raised or not."""
    workspace = move.workspace
    if definition.kind not in (DefinitionKind.ITEM, DefinitionKind.MODULE):
        return definition.kind is DefinitionKind.EXTERNAL
    scope = workspace.visibility_of(definition).scope
    if scope is None or is_inside(region, scope):
        return True
    raised = common_module((module_of(workspace, definition), scope, move.home.definition))
    return definition in meant and is_inside(region, raised)
