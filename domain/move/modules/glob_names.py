"""Names and traits that came into the moved files through a glob of the old surroundings (`use super::*`).

The glob goes on to lead to the same module, but from elsewhere it brings only what is visible there. An item is raised;
what an import brought gets an import of its own beside the glob.
"""

from collections.abc import Iterator, Sequence

from m1nd.domain.move.imports.chains import glob_target, import_chain
from m1nd.domain.move.imports.statements import UseStatement, leaves_of
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.macros.needs import free_names, methods_called
from m1nd.domain.move.modules.inside import UNSPELLED, Collector, widen
from m1nd.domain.move.modules.names import Leaf, Sight, is_outside, sight, spelled_from_home
from m1nd.domain.move.traits.knowledge import glob_methods, may_be_trait, methods_of
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import is_inside, parse_visibility

ALLOWED = "allow(unused_imports)"


def serve_globs(collector: Collector) -> None:
    """Note what each glob that leads out of the moved files no longer brings. Raises Refused(not_movable)."""
    move = collector.move
    for path in move.files:
        for occurrence in move.workspace.occurrences(path, move.source.definition.crate):
            if not occurrence.segments or is_doctest(occurrence) or occurrence.role is Role.DOC:
                continue
            if occurrence.role not in UNSPELLED and occurrence.via is not None and occurrence.denotes[0]:
                name = occurrence.segments[0].name
                _serve(collector, occurrence.via, name, occurrence.denotes[0])
            for via, name, meant in _through_moved(move, occurrence):
                _serve(collector, via, name, meant)
            if occurrence.role is Role.MACRO:
                _serve_body(collector, occurrence)
    for path in move.files:
        for index, module in _globs_outward(collector, path):
            _serve_traits(collector, (path, index), module)
    for glob in sorted(collector.respelled - collector.served):
        _drop(collector, glob)


def _through_moved(move: Move, occurrence: Occurrence) -> Iterator[tuple[Leaf, str, tuple[Definition, ...]]]:
    """Steps of a path that an import of a moved module serves: `self::inner::X`, where `use super::*` brings `inner`."""
    for index in range(1, len(occurrence.segments)):
        name, meant = occurrence.segments[index].name, occurrence.denotes[index]
        for module in occurrence.denotes[index - 1]:
            if module in move.renamed and module in move.workspace.modules:
                for binding in move.workspace.scope(module).spelled(name):
                    if binding.via is not None and binding.definition in meant:
                        yield binding.via, name, meant


def _drop(collector: Collector, glob: Leaf) -> None:
    """A private glob that brings nothing any more, where it is a declaration of its own."""
    path, index = glob
    facts, notes = collector.move.workspace.facts[path], collector.notes
    item = facts.items[facts.uses[index].item]
    alone = leaves_of(facts, facts.uses[index].item) == [index] and not item.visibility
    if alone and not _may_serve_macros(collector, path):
        notes.changes[:] = [
            c for c in notes.changes if c.path != path or not item.start <= c.start < item.end
        ]
        notes.removed.add(glob)


def _may_serve_macros(collector: Collector, path: str) -> bool:
    """Some name of the file is not known: a glob may bring it."""
    return any(
        o.segments and not o.denotes[0] and o.role not in (*UNSPELLED, Role.DOC)
        for o in collector.move.workspace.occurrences(path, collector.move.source.definition.crate)
    )


def _serve_body(collector: Collector, call: Occurrence) -> None:
    """The names that a macro's body leaves to its caller."""
    workspace = collector.move.workspace
    for macro in call.target:
        for name in sorted(free_names(workspace, macro)):
            for binding in workspace.scope(call.module).spelled(name):
                if binding.via is not None:
                    _serve(collector, binding.via, name, (binding.definition,))


def _serve(collector: Collector, via: Leaf, name: str, meant: Sequence[Definition]) -> None:
    """`name` came through import `via`, perhaps by way of globs: the first that leads out of the module is looked at."""
    move = collector.move
    for path, index in import_chain(move.workspace, via, name):
        if path not in move.files or not move.workspace.facts[path].uses[index].glob:
            continue
        target = glob_target(move.workspace, path, index)
        if target is None or not is_outside(move, target):
            continue
        if collector.top in meant:
            _import(collector, (path, index), collector.top, name)
            return
        if _serve_outside(collector, (path, index), target, meant):
            return
        seen, leaves = sight(move, target, name, meant)
        if seen is Sight.RESPELL and widen(collector, leaves, meant):
            seen = Sight.RAISE
        else:
            collector.passed.update(leaves)
        if seen is Sight.RAISE:
            collector.viewed.update(meant)
        elif seen is Sight.RESPELL:
            collector.respelled.add((path, index))
            collector.viewed.update(meant)
            for definition in meant[:1]:
                _import(collector, (path, index), definition, name)
        if seen is not Sight.RESPELL:
            collector.served.add((path, index))
        return


def _serve_outside(collector: Collector, glob: Leaf, target: Definition, meant: Sequence[Definition]) -> bool:
    """What globs of other crates brought there, which nobody here can list: the private ones are written here too."""
    move = collector.move
    found = False
    for outer in move.workspace.scope(target).external_globs:
        crate, way = outer.definition.crate, outer.definition.path
        brings = any(d.crate == crate and d.path[: len(way)] == way and len(d.path) > len(way) for d in meant)
        if outer.definition.kind is not DefinitionKind.EXTERNAL or not brings:
            continue
        if any(d.kind is not DefinitionKind.EXTERNAL for d in meant):
            continue
        found = True
        _write_outer(collector, glob, outer)
    return found


def _write_outer(collector: Collector, glob: Leaf, outer: Binding) -> None:
    """A private glob of another crate, written beside the glob through which its names came."""
    move, (path, index) = collector.move, glob
    if move.workspace.can_see(move.home.definition, outer.visibility):
        collector.served.add(glob)
        return
    statement = UseStatement((outer.definition.crate, *outer.definition.path, "*"))
    collector.notes.behind[path, move.workspace.facts[path].uses[index].item, statement] = None
    collector.respelled.add(glob)
    if outer.via is not None:
        collector.passed.add(outer.via)


def _import(
    collector: Collector, glob: Leaf, definition: Definition, name: str, gates: tuple[str, ...] = ()
) -> None:
    """An import of its own beside a glob, under the name that the glob brought."""
    move, (path, index) = collector.move, glob
    module = move.workspace.module_at(path, move.workspace.facts[path].uses[index].start)
    if module is None:
        return
    viewer = move.after(module.definition)
    spelled, needed = spelled_from_home(move, collector.notes.arrival, definition, viewer)
    collector.viewed.update(needed)
    facts, behind = move.workspace.facts[path], collector.notes.behind
    named = UseStatement(spelled, None, "", ())
    if name == "_" and (path, facts.uses[index].item, named) in behind:
        return
    alias = name if name != spelled[-1] else None
    statement = UseStatement(spelled, alias, "", gates)
    collector.notes.behind[path, facts.uses[index].item, statement] = None


def _globs_outward(collector: Collector, path: str) -> Iterator[tuple[int, Module]]:
    """The glob leaves of a moved file that lead to a module outside, each with the module that it stands in."""
    move = collector.move
    for index, use in enumerate(move.workspace.facts[path].uses):
        target = glob_target(move.workspace, path, index) if use.glob else None
        module = move.workspace.module_at(path, use.start)
        if target is not None and module is not None and is_outside(move, target):
            yield index, module


def _serve_traits(collector: Collector, glob: Leaf, module: Module) -> None:
    """Traits that the glob brought unnamed, for method calls in the module and below it."""
    move, workspace = collector.move, collector.move.workspace
    target = glob_target(workspace, *glob)
    called = _called(collector, module.definition)
    if target is None or not called:
        return
    for outer in workspace.scope(target).external_globs:
        brought = glob_methods(workspace, outer.definition)
        if not workspace.can_see(module.definition, outer.visibility):
            continue
        if brought is None or not brought.isdisjoint(called):
            _write_outer(collector, glob, outer)
    for trait, via in workspace.traits_in_scope(target):
        if trait in move.renamed or not may_be_trait(workspace, trait):
            continue
        methods = methods_of(workspace, trait)
        if methods is not None and methods.isdisjoint(called):
            continue
        if via is None and not workspace.can_see(module.definition, workspace.visibility_of(trait)):
            continue
        if via is None:
            collector.served.add(glob)
            if not workspace.can_see(move.home.definition, workspace.visibility_of(trait)):
                collector.viewed.add(trait)
            continue
        facts = workspace.facts[via[0]]
        written = facts.items[facts.uses[via[1]].item].visibility
        shown = parse_visibility(written, target)
        if not workspace.can_see(module.definition, shown):
            continue
        if workspace.can_see(move.home.definition, shown):
            collector.served.add(glob)
            continue
        collector.passed.add(via)
        collector.respelled.add(glob)
        collector.viewed.add(trait)
        denied = is_denied(workspace, move.home, "unused_imports")
        _import(collector, glob, trait, "_", (ALLOWED,) if denied else ())


def _called(collector: Collector, module: Definition) -> frozenset[str]:
    """The methods that the module and those below it call, macros' bodies included."""
    move, workspace = collector.move, collector.move.workspace
    found: set[str] = set()
    for path in move.files:
        found |= {name for name, _, here in workspace.method_calls(path) if is_inside(here, module)}
        for call in workspace.occurrences(path, module.crate):
            if call.role is Role.MACRO and is_inside(call.module, module):
                found |= {m for macro in call.target for m in methods_called(workspace, macro)}
                found |= {"write_fmt"} if call.segments[-1].name in ("write", "writeln") else set()
    return frozenset(found)
