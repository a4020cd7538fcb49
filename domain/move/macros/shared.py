"""A `macro_rules!` in textual scope that the moved text calls and others keep: shared by path, like any other dependency.

`pub(super) use name;` below the macro gives it a path, and the new home imports that. The macros that its body calls
are needed where it is called, so they are shared with it. Case 032; W26.
"""

from attrs import evolve

from m1nd.domain.move.compose import written
from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.macros.moved import MAYBE
from m1nd.domain.move.macros.needs import macros_called_by
from m1nd.domain.move.needs import Collector
from m1nd.domain.move.reach import Raised, common_module, module_of, visibility_text
from m1nd.domain.move.spelling import prefix_definitions
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.rust.names import Definition, Namespace
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES


def share(collector: Collector, macro: Definition, shared: tuple[str, ...] = ()) -> bool:
    """Give the macro, and those that it calls, a path and home an import of it; False, and nothing done, where that cannot be.

    `shared`: the conditions that all calls in the moved text stand under beyond those of the new home.
    """
    wanted = [
        m for m in (macro, *macros_called_by(collector.move.workspace, macro)) if not _seen(collector, m)
    ]
    if not all(_can_have_a_path(collector, m) for m in wanted):
        return False
    for one in wanted:
        _share(collector, one, shared)
    return True


def _seen(collector: Collector, macro: Definition) -> bool:
    """Home sees the macro as it is: by textual order, or by a path of its own."""
    move = collector.move
    found = collector.arrival.lookup(move.home.definition, macro.name, Namespace.MACRO, collector.offset)
    return [b.definition for b in found] == [move.after(macro)]


def _can_have_a_path(collector: Collector, macro: Definition) -> bool:
    """It stays, stands in a module (not in a body), and its name means nothing else there or at home."""
    move, workspace = collector.move, collector.move.workspace
    place = workspace.locate(macro)
    if place is None or macro in move.renamed or workspace.edition(macro.crate) < 2018:
        return False
    if macro.name in BUILTIN_ATTRIBUTES:
        return False  # an import of the name could mean the attribute (E0659)
    module = module_of(workspace, macro)
    if workspace.facts[place[0]].items[place[1]].parent != workspace.modules[module].scope_item:
        return False
    others = (Namespace.TYPE, Namespace.VALUE)
    if any(b.origin != MAYBE for n in others for b in workspace.lookup(module, macro.name, n)):
        return False
    home = move.home.definition
    found = collector.arrival.lookup(home, macro.name, Namespace.MACRO, collector.offset)
    return all(b.origin == MAYBE for b in found)


def _share(collector: Collector, macro: Definition, shared: tuple[str, ...]) -> None:
    move, workspace = collector.move, collector.move.workspace
    module = module_of(workspace, macro)
    place = workspace.locate(macro)
    assert place is not None
    path, index = place
    item, source = workspace.facts[path].items[index], workspace.sources[path]
    visibility = visibility_text(module, common_module((module, move.home.definition)))
    of_callers = (g for g in (*move.home.cfg, *shared) if g not in workspace.modules[module].cfg)
    gates = tuple(dict.fromkeys((*conditions_of(item), *of_callers)))
    export = UseStatement((macro.name,), visibility=visibility, gates=gates)
    newline, indent = newline_of(source), indentation(source, item.start)
    text = newline + export.text(newline, indent).removesuffix(newline)
    change = written(path, item.end, item.end, text)
    collector.exported.append(Raised(macro, macro.name, "", visibility or "private", change))
    statement = UseStatement(("crate", *module.path, macro.name), gates=gates)
    collector.statements[evolve(statement, gates=tuple(g for g in gates if g not in move.home.cfg))] = None
    collector.viewed.update(prefix_definitions(collector.arrival, module))
