"""Imports at the new home, or on the way there, that the moved text goes on to use: they must not be pruned.

Everything is looked up in the arrival world, where positions differ from today's; an import is known by what it says.
"""

from collections.abc import Iterator, Sequence

from m1nd.domain.move.imports.chains import import_chain
from m1nd.domain.rust.facts import UseFact
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.workspace import Workspace

Held = tuple[str, tuple[str, ...], tuple[str, ...], str | None, bool]
"""`(file, path of its module, path, alias, is a glob)` of an import leaf."""


def held(workspace: Workspace, path: str, use: UseFact) -> Held:
    module = workspace.module_at(path, use.start)
    return path, module.definition.path if module is not None else (), use.path, use.alias, use.glob


def held_by_path(
    arrival: Workspace,
    module: Definition,
    names: Sequence[str],
    denotes: Sequence[Sequence[Definition]],
    offset: int,
) -> Iterator[Held]:
    """The import leaves that a path, written in `module` at `offset` of the arrival world, goes through."""
    for index, definitions in enumerate(denotes):
        if index == 0:
            bindings = [b for n in Namespace for b in arrival.lookup(module, names[0], n, offset)]
        else:
            modules = [d for d in denotes[index - 1] if d.kind is DefinitionKind.MODULE]
            bindings = [b for m in modules for b in arrival.scope(m).spelled(names[index])]
        yield from held_by_bindings(
            arrival, names[index], [b for b in bindings if b.definition in definitions]
        )


def held_by_bindings(arrival: Workspace, name: str, bindings: Sequence[Binding]) -> Iterator[Held]:
    for binding in bindings:
        if binding.via is not None:
            for path, index in import_chain(arrival, binding.via, name):
                yield held(arrival, path, arrival.facts[path].uses[index])
