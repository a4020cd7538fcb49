"""The path by which the new home spells something: declared, re-exported, or none. Answers only."""

from collections.abc import Iterable
from typing import Never

from m1nd.domain.move.crates.unpublished import path_wanted, refuse_unpublished
from m1nd.domain.move.reach import crate_prefix, from_outside, module_of, path_to
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.macros import is_always_exported
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import can_see
from m1nd.domain.rust.workspace import Workspace

OURS = (DefinitionKind.ITEM, DefinitionKind.MODULE)


def spell(workspace: Workspace, move: Move, definition: Definition) -> tuple[str, ...] | None:
    """The path by which the new home spells `definition`; `self` for the home itself."""
    if definition == move.home.definition:
        return ("self",)
    if definition.item_kind == "macro_rules":
        return _macro_path(workspace, move, definition)
    assumed = frozenset((definition, workspace.bearer_of(definition), _module(workspace, definition)))
    if definition.crate != move.home.definition.crate:
        assumed = frozenset()  # nothing of another crate is made visible
    path = path_to(workspace, definition, move.home.definition, assumed)
    if path and move.crosses and path[0] == "alloc" and not _knows_alloc(workspace, move):
        path = ("std", *path[1:])  # all of `alloc` stands in `std` under the same path
    if path and definition.kind is DefinitionKind.EXTERNAL and _is_taken(workspace, move, definition):
        return ("", *path)
    if path and definition.kind in OURS and definition.crate != move.home.definition.crate:
        return from_outside(workspace, move.home.definition, path)
    return path


def _knows_alloc(workspace: Workspace, move: Move) -> bool:
    """The new crate says `extern crate alloc`, or has no `std` to take its things from."""
    target = workspace.target(move.home.definition.crate)
    root = workspace.facts[target.root_file]
    declared = any(i.kind is ItemKind.EXTERN_CRATE and "alloc" in (i.name, i.detail) for i in root.items)
    return declared or any("no_std" in a for a in root.inner_attributes)


def _module(workspace: Workspace, definition: Definition) -> Definition:
    if definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE):
        return module_of(workspace, definition)
    return definition


def _is_taken(workspace: Workspace, move: Move, definition: Definition) -> bool:
    """A module or item at home bears the name of the external crate."""
    bound = workspace.scope(move.home.definition).get(Namespace.TYPE, definition.crate)
    return any(b.definition.kind is not DefinitionKind.EXTERNAL for b in bound)


def _macro_path(workspace: Workspace, move: Move, definition: Definition) -> tuple[str, ...] | None:
    """A `macro_rules!` has a path only when it is exported or re-exported."""
    home = move.home.definition
    prefix = crate_prefix(workspace, definition.crate, home)
    place = workspace.locate(definition)
    if prefix is None or place is None:
        return None
    item = workspace.facts[place[0]].items[place[1]]
    if is_always_exported(item):
        return (prefix, definition.name)
    for module in workspace.modules.values():
        if module.definition.crate == definition.crate:
            for binding in workspace.scope(module.definition).get(Namespace.MACRO, definition.name):
                if (
                    binding.definition == definition
                    and binding.origin == "import"
                    and _sees(workspace, move, binding)
                ):
                    return (prefix, *module.definition.path, definition.name)
    return None


def _sees(workspace: Workspace, move: Move, binding: Binding) -> bool:
    return workspace.can_see(move.home.definition, binding.visibility)


def path_to_declared(workspace: Workspace, move: Move, definition: Definition) -> tuple[str, ...]:
    """The declared path inside the crate, visible or not; empty for what is not of this crate."""
    if (
        definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE)
        and definition.crate == move.home.definition.crate
    ):
        return ("crate", *definition.path)
    return ()


def prefix_definitions(workspace: Workspace, definition: Definition) -> Iterable[Definition]:
    """A definition with the modules of its declared path."""
    yield definition
    if definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE):
        module = module_of(workspace, definition)
        for length in range(1, len(module.path) + 1):
            yield Definition(DefinitionKind.MODULE, module.crate, module.path[:length])


def is_detour(first: str, found: tuple[tuple[Definition, ...], ...]) -> bool:
    """A path to another crate's item that starts in a module of ours: `core::cmp` beside a `mod core` of its own.

    A path through another crate of the workspace is none: what that one shows may be of a crate that ours does not know.
    """
    return (
        any(d.kind is DefinitionKind.EXTERNAL for d in found[-1])
        and any(d.kind is DefinitionKind.MODULE and d.path for d in found[0])
        and len(found) > 1
        and first != "crate"
    )


def all_seen(workspace: Workspace, move: Move, found: tuple[tuple[Definition, ...], ...]) -> bool:
    return all(
        d.kind not in (DefinitionKind.ITEM, DefinitionKind.MODULE)
        or can_see(move.home.definition, workspace.visibility_of(d))
        for ds in found
        for d in ds
    )


def refuse_unspeakable(move: Move, occurrence: Occurrence, definition: Definition) -> Never:
    if (
        move.crosses
        and definition.kind is DefinitionKind.ITEM
        and move.workspace.locate(definition) is not None
    ):
        refuse_unpublished(
            f"the moved text needs `{'::'.join(definition.path)}`, which {move.dest_place} has no path to",
            hint=f"make a public path to `{'::'.join(definition.path)}` first, choose another destination",
            named=(path_wanted(move, definition),),
            name="::".join(definition.path),
            spelled="::".join(s.name for s in occurrence.segments),
        )
    refuse(
        "not_movable",
        f"the moved text needs `{'::'.join(definition.path)}`, which {move.dest_place} has no path to",
        hint=f"make `{'::'.join(definition.path)}` visible from {move.dest_place} first, or choose another destination",
        name="::".join(definition.path),
        spelled="::".join(s.name for s in occurrence.segments),
    )
