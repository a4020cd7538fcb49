"""A path to an item through a module that shows all of its home: `mod core;` beside `pub use self::core::*;`.

Such a module is private by design. Nobody needs to open it for an item that is visible enough: the glob shows the item too.
"""

from collections.abc import Iterator

from m1nd.domain.move.gates import is_conditional
from m1nd.domain.move.imports.chains import glob_target
from m1nd.domain.move.reach import module_of, nameable
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.visibility import parse_visibility
from m1nd.domain.rust.workspace import Workspace

ANCHORS = ("self", "super", "crate")


def facade_of(workspace: Workspace, item: Definition, viewer: Definition) -> Definition | None:
    """The module nearest to the crate root that `viewer` may name and through whose globs it finds `item`; None without one.

    Every glob on the way stands under no condition, and the modules on it mean nothing else by the item's name. Where conditions
    choose which module is the item's home, there is none.
    """
    first = module_of(workspace, item)
    if any(m.path == first.path and m.crate == first.crate and m != first for m in workspace.modules):
        return None
    shown, found = [first], list[Definition]()
    for home in shown:
        for module in _showing(workspace, home, viewer):
            free = not workspace.scope(module.definition).spelled(item.name)
            if free and module.definition not in shown:
                shown.append(module.definition)
                found += [module.definition] if nameable(workspace, module.definition, viewer) else []
    return min(found, key=lambda m: (len(m.path), m.path)) if found else None


def _showing(workspace: Workspace, home: Definition, viewer: Definition) -> Iterator[Module]:
    """The module files with a glob of `home` that `viewer` may look through."""
    for module in workspace.modules.values():
        if module.inline or module.definition.crate != home.crate:
            continue
        facts = workspace.facts[module.file]
        for index, use in enumerate(facts.uses):
            item = facts.items[use.item]
            if not use.glob or not use.path or item.parent != -1 or item.visibility in ("", "pub(self)"):
                continue
            likely = use.path[-1] in (*home.path[-1:], *ANCHORS)
            gated = is_conditional(item)
            seen = workspace.can_see(viewer, parse_visibility(item.visibility, module.definition))
            if likely and seen and not gated and glob_target(workspace, module.file, index) == home:
                yield module
