"""What a name of the old surroundings needs, seen from the module's new home: nothing, a wider modifier, or another path.

A module sees what is private to the modules around it. From elsewhere it sees less: an item there can be raised, what
an import there brings must be spelled by another path.
"""

from collections.abc import Iterator, Sequence
from enum import Enum

from m1nd.domain.move.reach import path_to
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.macros import is_always_exported
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.workspace import Workspace

Leaf = tuple[str, int]


class Sight(Enum):
    SEEN = "seen"
    RAISE = "raise"
    """It is an item there, and private to it."""
    RESPELL = "respell"
    """An import there brings it, and that one is private."""


def is_outside(move: Move, definition: Definition) -> bool:
    """A module of this crate that does not move."""
    known = definition.kind is DefinitionKind.MODULE and definition in move.workspace.modules
    return known and definition not in move.renamed


def sight(
    move: Move, module: Definition, name: str, meant: Sequence[Definition]
) -> tuple[Sight, tuple[Leaf, ...]]:
    """How the moved files see `meant`, which `module` (it stays) calls `name`; and the private imports that they lose."""
    workspace, home = move.workspace, move.home.definition
    mine = [b for b in workspace.scope(module).spelled(name) if b.definition in meant]
    lost = [b for b in mine if not _is_seen(workspace, home, b)]
    if not lost:
        return Sight.SEEN, ()
    if all(b.origin == "item" for b in lost):
        return Sight.RAISE, ()
    return Sight.RESPELL, tuple(b.via for b in lost if b.via is not None)


def _is_seen(workspace: Workspace, home: Definition, binding: Binding) -> bool:
    return binding.origin == "macro_export" or workspace.can_see(home, binding.visibility)


def way_to(module: Definition) -> Iterator[Definition]:
    """The modules of the declared path that leads to `module`, itself included, without the root."""
    for length in range(1, len(module.path) + 1):
        yield Definition(DefinitionKind.MODULE, module.crate, module.path[:length])


def spelled_from_home(
    move: Move, arrival: Workspace, definition: Definition, viewer: Definition
) -> tuple[tuple[str, ...], tuple[Definition, ...]]:
    """A path by which `viewer`, a module at the new home, spells `definition`, and what must be visible there for it.

    Raises Refused(textual_macro_scope | not_movable).
    """
    after = move.after(definition)
    if definition.item_kind == "macro_rules":
        way = _way_to_macro(arrival, after, viewer)
        if way is not None:
            return way
        refuse(
            "textual_macro_scope",
            f"the module needs `{definition.name}!`, which has no path from {move.dest_file}",
            hint=f"write `pub(crate) use {definition.name};` below the macro first",
            name=definition.name,
        )
    found = path_to(arrival, after, viewer, frozenset((after, arrival.bearer_of(after))))
    if found is not None and _leads_back(move, arrival, viewer, found):
        found = None
    if found is None and after in arrival.modules:
        return ("crate", *after.path), tuple(way_to(after))
    home = arrival.module_of(after) if found is None else None
    if home is not None and after.crate == viewer.crate:
        return ("crate", *after.path), (after, *way_to(home))
    if found is None:
        name = "::".join(definition.path)
        refuse(
            "not_movable",
            f"the module needs `{name}`, which it has no path to from {move.dest_file}",
            hint=f"make `{name}` visible from {move.dest_file} first, or choose another destination",
            name=name,
        )
    return found, (after,)


def _way_to_macro(
    arrival: Workspace, macro: Definition, viewer: Definition
) -> tuple[tuple[str, ...], tuple[Definition, ...]] | None:
    """The path that an import below the macro gives it, or its export, and the modules on it."""
    item, module = arrival.item(macro), arrival.module_of(macro)
    if item is not None and is_always_exported(item):
        return ("crate", macro.name), ()
    for binding in arrival.scope(module).get(Namespace.MACRO, macro.name) if module is not None else ():
        shown = binding.origin == "import" and arrival.can_see(viewer, binding.visibility)
        if module is not None and binding.definition == macro and shown:
            return ("crate", *module.path, macro.name), tuple(way_to(module))
    return None


def _leads_back(move: Move, arrival: Workspace, viewer: Definition, spelled: tuple[str, ...]) -> bool:
    """The path goes by way of an import of the moved files, which may be the very one that is written anew."""
    denotes = arrival.resolve(viewer, spelled[:-1], (Namespace.TYPE,))
    moved = set(move.renamed.values())
    return any(d in moved for definitions in denotes for d in definitions)
