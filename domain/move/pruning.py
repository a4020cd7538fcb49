"""Imports that the move leaves without use: pruned by resolution, never by a search for the name (W18, W31, W32).

A leaf is a candidate only when moved or rewritten text went through it; it goes when nobody else does. Re-exports
never go. An import that only tests still use is gated with `#[cfg(test)]`.
"""

from collections.abc import Callable, Iterable

from attrs import frozen

from m1nd.domain.move.gates import gates_of
from m1nd.domain.move.glob_imports import glob_target, import_chain
from m1nd.domain.move.traits import methods_of, trait_of_leaf
from m1nd.domain.move.world import Move, occurrences_in
from m1nd.domain.rust.names import Definition, Namespace, Occurrence, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

Leaf = tuple[str, int]


@frozen
class Pruned:
    """Leaves to remove, and `use` declarations that get a gate in front."""

    leaves: frozenset[Leaf] = frozenset()
    gated: tuple[tuple[str, int, str], ...] = ()
    """`(file, item index of the use declaration, attribute text)`."""


def prune(
    move: Move, candidates: Iterable[Leaf], rewritten: Callable[[str, Occurrence, Leaf], bool]
) -> Pruned:
    """Which candidates are unused once the moved text is gone and `rewritten` occurrences no longer go through them."""
    leaves: set[Leaf] = set()
    gated: list[tuple[str, int, str]] = []
    for leaf in sorted(set(candidates)):
        if not _may_go(move, leaf):
            continue
        stay = [
            (p, o)
            for p, o in users_of(move.workspace, leaf)
            if not move.moves(p, o.start) and not rewritten(p, o, leaf)
        ]
        if not stay:
            leaves.add(leaf)
        elif all("cfg(test)" in test_gates(move.workspace, p, o) for p, o in stay):
            path, index = leaf
            facts = move.workspace.facts[path]
            item = facts.uses[index].item
            alone = sum(u.item == item for u in facts.uses) == 1
            test_module = "cfg(test)" in _module_gates(move.workspace, path, facts.uses[index].start)
            if (
                alone
                and not test_module
                and not any(a.startswith("cfg(") for a in facts.items[item].attributes)
            ):
                gated.append((path, item, "cfg(test)"))
    return Pruned(frozenset(leaves), tuple(gated))


def _may_go(move: Move, leaf: Leaf) -> bool:
    """A private import outside the moved text, not kept on purpose by an attribute, not serving methods of the rest."""
    path, index = leaf
    facts = move.workspace.facts[path]
    use = facts.uses[index]
    item = facts.items[use.item]
    if item.visibility not in ("", "pub(self)") or move.moves(path, use.start):
        return False
    if any(a.split("(")[0] in ("allow", "expect", "macro_use") and "unused" in a for a in item.attributes):
        return False
    return not _serves_methods(move, leaf)


def _serves_methods(move: Move, leaf: Leaf) -> bool:
    """The import may be a trait that a remaining method call, or a macro that hides one, needs."""
    path, index = leaf
    workspace = move.workspace
    use = workspace.facts[path].uses[index]
    if use.glob:
        return _glob_serves_methods(move, leaf)
    trait = trait_of_leaf(workspace, path, index)
    if trait is None:
        return False
    methods = methods_of(workspace, trait)
    for place, occurrence in _near(workspace, path, use.start):
        if occurrence.role is Role.METHOD and not move.moves(place, occurrence.start):
            if methods is None or occurrence.segments[-1].name in methods:
                return True
        elif occurrence.role is Role.MACRO and not move.moves(place, occurrence.start):
            name = occurrence.segments[-1].name
            if name in ("write", "writeln") and (methods is None or "write_fmt" in methods):
                return True
    return False


def _glob_serves_methods(move: Move, leaf: Leaf) -> bool:
    """Some workspace trait comes through the glob and its methods are called beside it; unknown modules may hold any."""
    path, index = leaf
    workspace = move.workspace
    target = glob_target(workspace, path, index)
    if target is None or target not in workspace.modules:
        return True
    traits = [
        b.definition
        for (namespace, _), bindings in workspace.scope(target).names.items()
        if namespace is Namespace.TYPE
        for b in bindings
        if b.definition.item_kind == "trait" or b.definition.kind.value == "external"
    ]
    start = workspace.facts[path].uses[index].start
    called = {
        o.segments[-1].name
        for p, o in _near(workspace, path, start)
        if o.role is Role.METHOD and not move.moves(p, o.start)
    }
    for trait in traits:
        methods = methods_of(workspace, trait)
        if (methods is None and called) or (methods and methods & called):
            return True
    return False


def _near(workspace: Workspace, path: str, offset: int) -> Iterable[tuple[str, Occurrence]]:
    """The occurrences of the module at `offset` and of its descendants (they may see its imports through a glob)."""
    module = workspace.module_at(path, offset)
    if module is None:
        return
    files = {m.file for m in workspace.modules.values() if is_inside(m.definition, module.definition)}
    for file in sorted(files):
        for occurrence in occurrences_in(workspace, file):
            if is_inside(occurrence.module, module.definition):
                yield file, occurrence


def users_of(workspace: Workspace, leaf: Leaf) -> list[tuple[str, Occurrence]]:
    """Every occurrence that goes through a private import leaf: bare, by path through its module, or through globs of it."""
    path, index = leaf
    use = workspace.facts[path].uses[index]
    module = workspace.module_at(path, use.start)
    if module is None:
        return []
    name = use.bound_name
    found: list[tuple[str, Occurrence]] = []
    for file in _files_inside(workspace, module.definition):
        if name is not None and name not in workspace.names_in(file):
            continue
        for occurrence in occurrences_in(workspace, file):
            if occurrence.role is not Role.DOC and _goes_through(
                workspace, occurrence, leaf, module.definition
            ):
                found.append((file, occurrence))
    return found


def _files_inside(workspace: Workspace, module: Definition) -> list[str]:
    """The files of a module and of its descendants: a private import is visible nowhere else."""
    return sorted({m.file for m in workspace.modules.values() if is_inside(m.definition, module)})


def _goes_through(workspace: Workspace, occurrence: Occurrence, leaf: Leaf, module: Definition) -> bool:
    if not occurrence.segments:
        return False
    names = [s.name for s in occurrence.segments]
    if occurrence.via is not None and leaf in import_chain(workspace, occurrence.via, names[0]):
        return True
    for index in range(1, len(names)):
        if module in occurrence.denotes[index - 1]:
            bindings = workspace.scope(module).spelled(names[index])
            return any(
                b.via is not None and leaf in import_chain(workspace, b.via, names[index]) for b in bindings
            )
    return False


def test_gates(workspace: Workspace, path: str, occurrence: Occurrence) -> tuple[str, ...]:
    """All cfg conditions around an occurrence, those of its module included."""
    return (*gates_of(workspace, path, occurrence), *workspace.modules[occurrence.module].cfg)


def _module_gates(workspace: Workspace, path: str, offset: int) -> tuple[str, ...]:
    module = workspace.module_at(path, offset)
    return module.cfg if module is not None else ()
