"""What a library shows to the outside, and how a move leaves that alone.

A path that leads to the item from outside the crate today must lead to it afterwards (TRANSPLANT.md plan 5), and an
item that nobody outside can reach does not become public because its new home is.
"""

from collections.abc import Iterator

from m1nd.domain.move.crates.crossing import may_name
from m1nd.domain.move.world import Move
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.workspace import Workspace


def keeps_public_path(move: Move, item: int) -> bool:
    """The item can be named from outside where it stands and could not at home: the source must re-export it."""
    target = move.workspace.target(move.source.definition.crate)
    if target.kind is not TargetKind.LIB or target.proc_macro or move.facts.items[item].visibility != "pub":
        return False
    if move.crosses:
        crates = move.source.definition.crate, move.home.definition.crate
        return is_open(move.workspace, move.source) and may_name(move.workspace, *crates)
    return is_open(move.workspace, move.source) and not is_open(move.workspace, move.home)


def is_open(workspace: Workspace, module: Module) -> bool:
    """Every module on the declared path is `pub`."""
    path = module.definition.path
    chain = [
        Definition(DefinitionKind.MODULE, module.definition.crate, path[:i]) for i in range(1, len(path) + 1)
    ]
    return all(workspace.visibility_of(m).public for m in chain)


def is_shown(workspace: Workspace, module: Module) -> bool:
    """Outside code sees every `pub` item of the module: by its path, by a re-export of it, or through a public glob of a shown one."""
    root = Definition(DefinitionKind.MODULE, module.definition.crate, ())
    shown = {m.definition for m in _modules(workspace, module) if is_open(workspace, m)}
    shown |= set(_led_to(workspace, root)) if workspace.target(root.crate).kind is TargetKind.LIB else set()
    edges = [(m.definition, g) for m in _modules(workspace, module) for g in _public_globs(workspace, m)]
    while module.definition not in shown:
        further = {target for viewer, target in edges if viewer in shown} - shown
        if not further:
            return False
        shown |= further
    return True


def _modules(workspace: Workspace, module: Module) -> Iterator[Module]:
    """The modules of one crate."""
    return (m for m in workspace.modules.values() if m.definition.crate == module.definition.crate)


def _public_globs(workspace: Workspace, module: Module) -> Iterator[Definition]:
    """What the `pub use …::*` of a module itself bring the items of."""
    facts = workspace.facts[module.file]
    for use in facts.uses:
        item = facts.items[use.item]
        if use.glob and use.path and item.visibility == "pub" and item.parent == module.scope_item:
            found = workspace.resolve_import(module.definition, use.path, (Namespace.TYPE,), use.absolute)
            yield from found[-1] if found else ()


def is_public(workspace: Workspace, definition: Definition) -> bool:
    """Some path of public modules and re-exports leads to the item from outside the crate."""
    if workspace.target(definition.crate).kind is not TargetKind.LIB:
        return False
    root = Definition(DefinitionKind.MODULE, definition.crate, ())
    names = workspace.names_of(definition)
    return any(
        b.visibility.public and b.definition == definition
        for module in _led_to(workspace, root)
        for n in names
        for b in workspace.scope(module).spelled(n)
    )


def _led_to(workspace: Workspace, root: Definition) -> Iterator[Definition]:
    """The modules of a crate that public names lead to from its root, which comes first."""
    todo, seen = [root], {root}
    while todo:
        module = todo.pop()
        yield module
        scope = workspace.scope(module)
        for name in sorted(workspace.names_of_shown_modules(module)):
            for binding in scope.get(Namespace.TYPE, name):
                child = binding.definition
                if binding.visibility.public and child.kind is DefinitionKind.MODULE and child not in seen:
                    seen.add(child)
                    if child.crate == root.crate:
                        todo.append(child)
