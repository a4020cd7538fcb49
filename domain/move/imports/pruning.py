"""Imports that the move leaves without use: pruned by resolution, never by a search for the name (W18, W31, W32).

A leaf is a candidate only when moved or rewritten text went through it; it goes when nobody else does. Re-exports
never go. An import that only tests still use is gated with `#[cfg(test)]`.
"""

from collections.abc import Callable, Iterable

from attrs import frozen

from m1nd.domain.move.gates import gates_of
from m1nd.domain.move.imports.chains import glob_target, import_chain
from m1nd.domain.move.imports.held import Held, held
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.macros.needs import macro_names, methods_called, serves_macros
from m1nd.domain.move.traits.knowledge import (
    glob_methods,
    may_be_trait,
    methods_made_for,
    methods_of,
    trait_of_leaf,
)
from m1nd.domain.move.traits.own_methods import is_own_method, writes_to_a_formatter
from m1nd.domain.move.world import (
    GLOB,
    Move,
    is_doctest,
    may_have_imports_of,
    occurrences_called,
    occurrences_in,
)
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.paths import EXTERNAL_GLOB
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

Leaf = tuple[str, int]
WRITERS = frozenset(("write", "writeln"))


@frozen
class Pruned:
    """Leaves to remove, and `use` declarations that get a gate in front."""

    leaves: frozenset[Leaf] = frozenset()
    gated: tuple[tuple[str, int, str], ...] = ()
    """`(file, item index of the use declaration, attribute text)`."""
    split: tuple[tuple[str, int, UseStatement], ...] = ()
    """Leaves (also among `leaves`) that go on in a gated declaration of their own, behind the one they stood in."""


def prune(
    move: Move,
    candidates: Iterable[Leaf],
    kept: frozenset[Held],
    rewritten: Callable[[str, Occurrence, Leaf], bool],
) -> Pruned:
    """Which candidates are unused once the moved text is gone and `rewritten` occurrences no longer go through them.

    `kept`: what the moved text uses at its new home.
    """
    leaves: set[Leaf] = set()
    gated: list[tuple[str, int, str]] = []
    split: list[tuple[str, int, UseStatement]] = []
    for leaf in sorted(set(candidates)):
        said = held(move.workspace, leaf[0], move.workspace.facts[leaf[0]].uses[leaf[1]])
        if said in kept or not _is_plain(move, leaf):
            continue
        in_doubt = _serves_methods(move, leaf)
        if _serves_macros(move, leaf) or (in_doubt and not _must_be_used(move, leaf)):
            continue
        stay = [
            (p, o)
            for p, o in users_of(move.workspace, leaf)
            # A doc test is another crate, which sees no private import.
            if not (is_doctest(o) or move.moves(p, o.start) or rewritten(p, o, leaf))
        ]
        if in_doubt:
            if not stay:
                leaves.add(leaf)
                split.append((leaf[0], _item_of(move, leaf), _tolerated(move, leaf)))
        elif not stay:
            leaves.add(leaf)
        elif all("cfg(test)" in test_gates(move.workspace, p, o) for p, o in stay):
            path, index = leaf
            facts = move.workspace.facts[path]
            item = facts.uses[index].item
            alone = sum(u.item == item for u in facts.uses) == 1
            test_module = "cfg(test)" in _module_gates(move.workspace, path, facts.uses[index].start)
            conditional = any(a.startswith("cfg(") for a in facts.items[item].attributes)
            if test_module or conditional:
                continue
            if alone:
                gated.append((path, item, "cfg(test)"))
            elif not facts.uses[index].glob:
                leaves.add(leaf)
                split.append((path, item, _in_tests(facts, index)))
    return Pruned(frozenset(leaves), tuple(gated), tuple(split))


def _item_of(move: Move, leaf: Leaf) -> int:
    facts = move.workspace.facts[leaf[0]]
    return facts.uses[leaf[1]].item


def _must_be_used(move: Move, leaf: Leaf) -> bool:
    """An unused import is an error there; a glob cannot be told apart from what else it brings."""
    path, index = leaf
    use = move.workspace.facts[path].uses[index]
    module = move.workspace.module_at(path, use.start)
    return not use.glob and module is not None and is_denied(move.workspace, module, "unused_imports")


def _tolerated(move: Move, leaf: Leaf) -> UseStatement:
    """A trait that calls which stay may need, or may not: nobody can tell from text (D59)."""
    facts = move.workspace.facts[leaf[0]]
    use = facts.uses[leaf[1]]
    path = ("", *use.path) if use.absolute else use.path
    return UseStatement(path, use.alias, gates=(*kept_attributes(facts, use.item), "allow(unused_imports)"))


def _in_tests(facts: FileFacts, index: int) -> UseStatement:
    """A leaf as a declaration for tests only."""
    use = facts.uses[index]
    path = ("", *use.path) if use.absolute else use.path
    return UseStatement(path, use.alias, gates=(*kept_attributes(facts, use.item), "cfg(test)"))


def _is_plain(move: Move, leaf: Leaf) -> bool:
    """A private import outside the moved text, not kept on purpose by an attribute."""
    path, index = leaf
    facts = move.workspace.facts[path]
    use = facts.uses[index]
    item = facts.items[use.item]
    if item.visibility not in ("", "pub(self)") or move.moves(path, use.start):
        return False
    return not any(
        a.split("(")[0] in ("allow", "expect", "macro_use") and "unused" in a for a in item.attributes
    )


def _serves_macros(move: Move, leaf: Leaf) -> bool:
    """A macro that text beside the import calls takes the name from there."""
    path, index = leaf
    use = move.workspace.facts[path].uses[index]
    module = move.workspace.module_at(path, use.start)
    if use.bound_name in (None, "_") or module is None:
        return False
    return serves_macros(move, use.bound_name, module.definition)


def _serves_methods(move: Move, leaf: Leaf) -> bool:
    """The import may be a trait that a remaining method call, or a macro that hides one, needs."""
    path, index = leaf
    workspace = move.workspace
    use = workspace.facts[path].uses[index]
    if use.glob:
        return _glob_serves_methods(move, leaf)
    trait = trait_of_leaf(workspace, path, index)
    methods = methods_of(workspace, trait) if trait is not None else methods_made_for(workspace, path, index)
    if methods == frozenset():
        return False
    called = _called_near(move, path, use.start)
    return bool(called) if methods is None else not called.isdisjoint(methods)


def _glob_serves_methods(move: Move, leaf: Leaf) -> bool:
    """Some trait comes through the glob and its methods are called beside it; modules of other crates may hold any."""
    path, index = leaf
    workspace = move.workspace
    target = glob_target(workspace, path, index)
    if target is None:
        return True
    if target.kind is DefinitionKind.ITEM:
        return False  # the variants of an enum
    called = _called_near(move, path, workspace.facts[path].uses[index].start)
    if target not in workspace.modules:
        brought = glob_methods(workspace, target)
        return brought is None or not brought.isdisjoint(called) or _may_bring(move, path, index, target)
    for trait, _ in workspace.traits_in_scope(target):
        methods = methods_of(workspace, trait) if may_be_trait(workspace, trait) else frozenset()
        if (methods is None and called) or (methods and methods & called):
            return True
    return False


def _may_bring(move: Move, path: str, index: int, target: Definition) -> bool:
    """Some name of the text that stays may come from the outside module (several globs may each bring it)."""
    workspace = move.workspace
    module = workspace.module_at(path, workspace.facts[path].uses[index].start)
    files = files_inside(workspace, module.definition) if module is not None else []
    return any(
        d.kind is DefinitionKind.EXTERNAL and d.crate == target.crate and d.path[:-1] == target.path
        for file in files
        for occurrence in occurrences_in(workspace, file)
        if occurrence.denotes and not move.moves(file, occurrence.start)
        for d in occurrence.denotes[0]
        if occurrence.reason == EXTERNAL_GLOB
    )


def _called_near(move: Move, path: str, offset: int) -> frozenset[str]:
    """The methods that text which stays calls in the module at `offset` and those of its descendants that hold a glob.

    A glob may show the module's imports to a descendant; `write!` and `writeln!` call `write_fmt`.
    """
    workspace = move.workspace
    module = workspace.module_at(path, offset)
    if module is None:
        return frozenset()
    called: set[str] = set()
    macros = macro_names(workspace)
    for file in files_inside(workspace, module.definition):
        near = _sharing(workspace, file, module.definition)
        called |= {
            name
            for name, start, here in workspace.method_calls(file)
            if here in near
            and not move.moves(file, start)
            and not is_own_method(workspace, file, start, name)
        }
        for occurrence in occurrences_called(workspace, file, WRITERS | macros):
            stays = occurrence.module in near and not move.moves(file, occurrence.start)
            if occurrence.role is Role.MACRO and stays:
                called |= _called_by_macro(workspace, file, occurrence)
    return frozenset(called)


def _sharing(workspace: Workspace, file: str, module: Definition) -> frozenset[Definition]:
    """The modules of a file that may have the imports of `module`: itself, and those below it that hold a glob."""
    globs = GLOB.search(workspace.sources[file]) is not None
    return frozenset(
        m.definition
        for m in workspace.modules.values()
        if m.file == file and is_inside(m.definition, module) and (m.definition == module or globs)
    )


def _called_by_macro(workspace: Workspace, file: str, occurrence: Occurrence) -> frozenset[str]:
    if occurrence.segments[-1].name in WRITERS:
        own = writes_to_a_formatter(workspace, file, occurrence.end)
        return frozenset() if own else frozenset(("write_fmt",))
    return frozenset(m for d in occurrence.target for m in methods_called(workspace, d))


def users_of(workspace: Workspace, leaf: Leaf) -> list[tuple[str, Occurrence]]:
    """Every occurrence that goes through a private import leaf: bare, by path through its module, or through globs of it."""
    path, index = leaf
    use = workspace.facts[path].uses[index]
    module = workspace.module_at(path, use.start)
    if module is None:
        return []
    name = use.bound_name
    found: list[tuple[str, Occurrence]] = []
    for file in files_inside(workspace, module.definition):
        found_here = (
            occurrences_called(workspace, file, frozenset((name,)))
            if name is not None
            else occurrences_in(workspace, file)
        )
        for occurrence in found_here:
            if occurrence.role is not Role.DOC and _goes_through(
                workspace, occurrence, leaf, module.definition
            ):
                found.append((file, occurrence))
    return found


def files_inside(workspace: Workspace, module: Definition) -> list[str]:
    """The files of a module and of its descendants: a private import is visible nowhere else."""
    return sorted({m.file for m in workspace.modules.values() if is_inside(m.definition, module)})


def _goes_through(workspace: Workspace, occurrence: Occurrence, leaf: Leaf, module: Definition) -> bool:
    if not occurrence.segments:
        return False
    names = [s.name for s in occurrence.segments]
    unknown = not any(occurrence.denotes) and occurrence.role not in (Role.METHOD, Role.FIELD)
    here = may_have_imports_of(workspace, occurrence.module, module)
    if unknown and here and names[0] == workspace.facts[leaf[0]].uses[leaf[1]].bound_name:
        return True
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
    """All cfg conditions around an occurrence that is in no doc test, those of its module included."""
    return (*gates_of(workspace, path, occurrence), *workspace.modules[occurrence.module].cfg)


def _module_gates(workspace: Workspace, path: str, offset: int) -> tuple[str, ...]:
    module = workspace.module_at(path, offset)
    return module.cfg if module is not None else ()
