"""Who can see what, by which path: spelled paths to definitions, and the least visibility that works.

Seed 002 §3 (E0603), D37: `pub(super)`, `pub(in …)`, `pub(crate)` in that order, never more than is needed.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.fields import field_of
from m1nd.domain.rust.cargo import Package, TargetKind
from m1nd.domain.rust.crate_names import KINDS, crate_of_text
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

MODIFIER = re.compile(rb"pub(?:\s*\((?:\s*(?:crate|self|super)\s*|\s*in\s[^)]*)\))?\s*")


def module_of(workspace: Workspace, definition: Definition) -> Definition:
    """The module that `definition` is, or stands in."""
    for length in range(len(definition.path), -1, -1):
        module = Definition(DefinitionKind.MODULE, definition.crate, definition.path[:length])
        if module in workspace.modules and (
            definition.kind is DefinitionKind.MODULE or length < len(definition.path)
        ):
            return module
    raise KeyError(definition)


def parent_of(module: Definition) -> Definition:
    """The enclosing module; the root is its own."""
    return Definition(DefinitionKind.MODULE, module.crate, module.path[:-1])


def root_of(module: Definition) -> Definition:
    """The crate root above a module."""
    return Definition(DefinitionKind.MODULE, module.crate, ())


def common_module(modules: Iterable[Definition]) -> Definition:
    """The deepest module of one crate that holds all of `modules`."""
    first, *rest = modules
    path = first.path
    for module in rest:
        shared = 0
        while shared < min(len(path), len(module.path)) and path[shared] == module.path[shared]:
            shared += 1
        path = path[:shared]
    return Definition(DefinitionKind.MODULE, first.crate, path)


def visibility_text(module: Definition, region: Definition) -> str:
    """How an item of `module` is made visible in `region` and nowhere else; empty when it is so anyway."""
    if is_inside(region, module):
        return ""
    if region == parent_of(module):
        return "pub(super)"
    if not region.path:
        return "pub(crate)"
    return f"pub(in {'::'.join(('crate', *region.path))})"


def nameable(workspace: Workspace, module: Definition, viewer: Definition) -> bool:
    """`viewer` may spell the declared path of `module`."""
    chain = [
        Definition(DefinitionKind.MODULE, module.crate, module.path[:i])
        for i in range(1, len(module.path) + 1)
    ]
    return all(
        m in workspace.modules and workspace.can_see(viewer, workspace.modules[m].visibility) for m in chain
    )


def is_shown_on_the_way(
    workspace: Workspace, viewer: Definition, names: Sequence[str], denotes: Sequence[Sequence[Definition]]
) -> bool:
    """No re-export on a path hides from `viewer` what it brings. Items on it do not count: they can be raised."""
    for index in range(1, min(len(names), len(denotes))):
        for module in denotes[index - 1]:
            if module not in workspace.modules:
                continue
            mine = [
                b for b in workspace.scope(module).spelled(names[index]) if b.definition in denotes[index]
            ]
            if mine and not any(b.origin == "item" or workspace.can_see(viewer, b.visibility) for b in mine):
                return False
    return True


def crate_prefix(workspace: Workspace, crate: str, viewer: Definition) -> str | None:
    """The name by which code in `viewer`'s crate spells `crate`: `crate`, or a dependency's name."""
    if crate == viewer.crate:
        return "crate"
    wanted, mine = workspace.target(crate), workspace.target(crate_of_text(viewer.crate))
    if wanted.kind is not TargetKind.LIB:
        return None
    if wanted.package == mine.package:
        return wanted.name
    package = workspace.cargo.package_at(mine.package)
    found = [d for d in (package.dependencies if package else ()) if d.directory == wanted.package]
    kinds = KINDS[mine.kind]
    found.sort(key=lambda d: (d.kind not in kinds, d.conditional))
    return found[0].name if found else None


def from_outside(workspace: Workspace, viewer: Definition, path: tuple[str, ...]) -> tuple[str, ...]:
    """A path that starts at another crate, with `::` before it where a module or item of `viewer` bears the crate's name."""
    bound = workspace.scope(viewer).get(Namespace.TYPE, path[0]) if viewer in workspace.modules else ()
    crate = all(b.definition.kind is DefinitionKind.EXTERNAL or not b.definition.path for b in bound)
    return path if crate else ("", *path)


def path_to(
    workspace: Workspace,
    definition: Definition,
    viewer: Definition,
    assume: frozenset[Definition] = frozenset(),
) -> tuple[str, ...] | None:
    """The segments by which `viewer` can spell `definition`: the declared path, else the shortest re-export; None if none.

    Definitions in `assume` (and modules in it) count as visible: they are about to be raised.
    """
    if definition.kind is DefinitionKind.EXTERNAL:
        return _outside_path(workspace, definition, viewer)
    if definition.kind not in (DefinitionKind.MODULE, DefinitionKind.ITEM):
        return definition.path
    prefix = crate_prefix(workspace, definition.crate, viewer)
    if prefix is None:
        return None
    home = module_of(workspace, definition)
    if definition.kind is DefinitionKind.MODULE:
        if nameable(workspace, home, viewer) or (
            definition in assume and _is_led_to(workspace, definition, viewer, assume)
        ):
            return (prefix, *definition.path)
        anchor = definition
        rest: tuple[str, ...] = ()
    else:
        depth = len(home.path) + 1
        anchor = anchor_of(workspace, definition, depth)
        rest = definition.path[depth:]
        visible = anchor in assume or workspace.can_see(viewer, workspace.visibility_of(anchor))
        if visible and (nameable(workspace, home, viewer) or home in assume):
            return (prefix, *definition.path)
    found = _reexport(workspace, definition.crate, anchor, viewer, prefix)
    return None if found is None else (*found, *rest)


def _is_led_to(
    workspace: Workspace, module: Definition, viewer: Definition, assume: frozenset[Definition]
) -> bool:
    """`viewer` may spell the declared path up to the module's parent."""
    above = parent_of(module)
    return above in assume or nameable(workspace, above, viewer)


def anchor_of(workspace: Workspace, definition: Definition, depth: int) -> Definition:
    """The module-level item that `definition` is part of (its enum, its impl's type, itself)."""
    if len(definition.path) <= depth:
        return definition
    module = Definition(DefinitionKind.MODULE, definition.crate, definition.path[: depth - 1])
    scope = workspace.scope(module)
    for namespace in (Namespace.TYPE, Namespace.VALUE):
        for binding in scope.get(namespace, definition.path[depth - 1]):
            if binding.origin == "item":
                return binding.definition
    return definition


def _outside_path(workspace: Workspace, definition: Definition, viewer: Definition) -> tuple[str, ...] | None:
    """From the outside crate's own name; where only another package depends on that crate, through what that one shows."""
    mine = workspace.cargo.package_at(workspace.target(crate_of_text(viewer.crate)).package)
    others = [p for p in workspace.cargo.packages if p != mine and _depends_on(p, definition.crate)]
    if mine is None or not others or _depends_on(mine, definition.crate):
        return (definition.crate, *definition.path)
    prefixes = (
        (crate, crate_prefix(workspace, crate, viewer)) for crate in {m.crate for m in workspace.modules}
    )
    ways = (_reexport(workspace, crate, definition, viewer, prefix) for crate, prefix in prefixes if prefix)
    return min((w for w in ways if w is not None), key=lambda w: (len(w), w), default=None)


def _depends_on(package: Package, crate: str) -> bool:
    return any(d.name == crate for d in package.dependencies)


def _reexport(
    workspace: Workspace, crate: str, anchor: Definition, viewer: Definition, prefix: str
) -> tuple[str, ...] | None:
    """The shortest visible path through a module of `crate` that shows `anchor` wherever `viewer` is compiled."""
    found: list[tuple[str, ...]] = []
    here = set(workspace.modules[viewer].cfg) if viewer in workspace.modules else set()
    names = workspace.names_of(anchor)
    for module, place in workspace.modules.items():
        if module.crate != crate or not nameable(workspace, module, viewer):
            continue
        if not here.issuperset(place.cfg):
            continue
        for name in workspace.imported_names(module, names):
            for binding in workspace.scope(module).spelled(name):
                if (
                    binding.definition == anchor
                    and binding.origin in ("import", "glob")
                    and workspace.can_see(viewer, binding.visibility)
                    and here.issuperset(_conditions(workspace, binding))
                ):
                    found.append((prefix, *module.path, name))
    return min(found, key=lambda p: (len(p), p)) if found else None


def _conditions(workspace: Workspace, binding: Binding) -> set[str]:
    """The cfg conditions of the import that a binding came through."""
    if binding.via is None:
        return set()
    path, index = binding.via
    facts = workspace.facts[path]
    return {a for a in facts.items[facts.uses[index].item].attributes if a.startswith("cfg(")}


@frozen
class Raised:
    """One visibility modifier to write: `before` and `after` as text, at the item or field `name`."""

    definition: Definition
    name: str
    before: str
    after: str
    change: Change


def raise_to(workspace: Workspace, definition: Definition, region: Definition) -> Raised | None:
    """Make `definition` visible in `region`; None when it is. A variant or trait item is raised by its enum or trait."""
    definition = workspace.bearer_of(definition)
    place = workspace.locate(definition)
    if place is None or definition.item_kind == "macro_rules":
        return None
    path, index = place
    item = workspace.facts[path].items[index]
    module = module_of(workspace, definition)
    if definition.kind is DefinitionKind.MODULE:
        module = parent_of(module)
    start, before = item.start, item.visibility
    if definition.item_kind == "field":
        found = field_of(workspace, definition, item)
        if found is None:
            return None
        start, before = found.start, found.visibility
    visible = workspace.visibility_of(definition)
    if visible.scope is None or is_inside(region, visible.scope):
        return None
    after = visibility_text(module, common_module((region, visible.scope)))
    source = workspace.sources[path]
    modifier = MODIFIER.match(source, start) if before else None
    end = modifier.end() if modifier else start
    change = written(path, start, end, after.encode() + b" ")
    return Raised(definition, definition.path[-1], before, after, change)


def least_region(workspace: Workspace, home: Definition, viewers: Iterable[Definition]) -> Definition:
    """The smallest module that holds `home` and every viewer of its crate."""
    return common_module([home, *(v for v in viewers if v.crate == home.crate)])
