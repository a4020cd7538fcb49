"""By which imports a name comes into a module: leaves of `use` declarations, one behind another where they are globs. Answers only."""

from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.workspace import Workspace


def glob_target(workspace: Workspace, path: str, index: int) -> Definition | None:
    """The module (or enum) that a glob leaf imports from."""
    leaf = workspace.facts[path].uses[index]
    module = workspace.module_at(path, leaf.start)
    if module is None:
        return None
    if not leaf.path:
        return Definition(DefinitionKind.MODULE, module.definition.crate, ())
    found = workspace.resolve_import(module.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
    return found[-1][0] if found and found[-1] else None


def import_chain(workspace: Workspace, leaf: tuple[str, int], name: str) -> tuple[tuple[str, int], ...]:
    """The import leaves through which `name` came: `leaf`, and where that is a glob, what brought the name there."""
    chain = [leaf]
    while workspace.facts[chain[-1][0]].uses[chain[-1][1]].glob:
        target = glob_target(workspace, *chain[-1])
        if target is None or target not in workspace.modules:
            break
        vias = [
            b.via for b in workspace.scope(target).spelled(name) if b.via is not None and b.via not in chain
        ]
        if not vias:
            break
        chain.append(vias[0])
    return tuple(chain)


def imports_of_name(
    today: Workspace, arrival: Workspace, module: Definition, name: str
) -> set[tuple[str, int]]:
    """The import leaves, as they stand `today`, through which `module` sees a `name` on `arrival`."""
    found: set[tuple[str, int]] = set()
    for binding in arrival.scope(module).spelled(name):
        for path, index in import_chain(arrival, binding.via, name) if binding.via is not None else ():
            leaf, place = arrival.facts[path].uses[index], _module_around(arrival, path, index)
            found |= {
                (path, i)
                for i, use in enumerate(today.facts[path].uses)
                if (use.path, use.glob, use.alias) == (leaf.path, leaf.glob, leaf.alias)
                and _module_around(today, path, i) == place
            }
    return found


def _module_around(workspace: Workspace, path: str, index: int) -> Definition | None:
    module = workspace.module_at(path, workspace.facts[path].uses[index].start)
    return None if module is None else module.definition
