"""What a library shows to the outside, and how a move leaves that alone.

A path that leads to the item from outside the crate today must lead to it afterwards (TRANSPLANT.md plan 5), and an
item that nobody outside can reach does not become public because its new home is.
"""

from m1nd.domain.move.world import Move
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.workspace import Workspace


def keeps_public_path(move: Move) -> bool:
    """The item can be named from outside where it stands and could not at home: the source must re-export it."""
    target = move.workspace.target(move.source.definition.crate)
    if target.kind is not TargetKind.LIB or target.proc_macro or move.root_item.visibility != "pub":
        return False
    return is_open(move.workspace, move.source) and not is_open(move.workspace, move.home)


def is_open(workspace: Workspace, module: Module) -> bool:
    """Every module on the declared path is `pub`."""
    path = module.definition.path
    chain = [
        Definition(DefinitionKind.MODULE, module.definition.crate, path[:i]) for i in range(1, len(path) + 1)
    ]
    return all(workspace.visibility_of(m).public for m in chain)


def is_shown(workspace: Workspace, module: Module) -> bool:
    """Outside code sees every `pub` item of the module: by its path, or through a public glob of an open module."""
    if is_open(workspace, module):
        return True
    for other in workspace.modules.values():
        if other.definition.crate != module.definition.crate or not is_open(workspace, other):
            continue
        facts = workspace.facts[other.file]
        for use in facts.uses:
            item = facts.items[use.item]
            if use.glob and use.path and item.visibility == "pub" and item.parent == other.scope_item:
                found = workspace.resolve_import(other.definition, use.path, (Namespace.TYPE,), use.absolute)
                if found and module.definition in found[-1]:
                    return True
    return False


def is_public(workspace: Workspace, definition: Definition) -> bool:
    """Some path of public modules and re-exports leads to the item from outside the crate."""
    if workspace.target(definition.crate).kind is not TargetKind.LIB:
        return False
    root = Definition(DefinitionKind.MODULE, definition.crate, ())
    todo, seen = [root], {root}
    while todo:
        module = todo.pop()
        for (namespace, _), bindings in workspace.scope(module).names.items():
            for binding in bindings:
                if not binding.visibility.public:
                    continue
                if binding.definition == definition:
                    return True
                child = binding.definition
                if namespace is Namespace.TYPE and child.kind is DefinitionKind.MODULE and child not in seen:
                    seen.add(child)
                    if child.crate == definition.crate:
                        todo.append(child)
    return False
