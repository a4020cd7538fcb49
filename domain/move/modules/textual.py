"""Macros in textual order that a call sees no more once the module's line has moved: they get a path (edition 2018 on).

Two ways lead out of sight: a file that moves calls a macro of the text above its old line, or the module is
`#[macro_use]` and the text behind its old line calls a macro of it. `pub(super) use name;` below the macro gives it a path,
and the calling module imports that. What the body of a called macro calls is looked up at the call, so it is called there.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Never

from m1nd.domain.move.compose import written
from m1nd.domain.move.gates import conditions_of, gates_of, gates_of_statement, is_conditional
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.macros.moved import MAYBE
from m1nd.domain.move.macros.needs import body_of, macro_names
from m1nd.domain.move.macros.order import MACRO_BODY, Place
from m1nd.domain.move.modules.glob_names import ALLOWED
from m1nd.domain.move.modules.inside import Collector
from m1nd.domain.move.modules.line import Arrived
from m1nd.domain.move.modules.names import way_to
from m1nd.domain.move.reach import Raised, common_module, module_of, visibility_text
from m1nd.domain.move.text import indentation, line_number, newline_of
from m1nd.domain.move.world import Move, occurrences_called
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.macros import is_always_exported, is_exported
from m1nd.domain.rust.names import Definition, Namespace, Occurrence, Role
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES
from m1nd.domain.rust.scope import Binding

CALLED = re.compile(rb"(?<![$\w:.])([A-Za-z_]\w*)\s*!\s*[(\[{]")
"""A macro call in a body, but by a path."""
Calls = Mapping[Definition, Mapping[Definition, list[Place]]]
"""By macro and calling module, both of today: the calls that see the macro no more."""


def serve_textual_macros(collector: Collector, arrived: Arrived) -> None:
    """Note the paths and the imports. Raises Refused(textual_macro_scope) for a macro that can have no path."""
    move = collector.move
    for macro, callers in _out_of_sight(move, arrived).items():
        item = move.workspace.item(macro)
        free = all(_is_free(move, arrived, macro, p) for places in callers.values() for p in places)
        if item is None or not free or not _has_a_path(collector, macro, item, callers):
            _refuse(move, macro, next(iter(callers.values()))[0])
        _import(collector, macro, item, callers)


def _out_of_sight(move: Move, arrived: Arrived) -> Calls:
    found: dict[Definition, dict[Definition, list[Place]]] = {}
    for path, call in _calls(move):
        for macro in _called(move, call):
            if not _is_seen(move, arrived, macro, (path, call)):
                found.setdefault(macro, {}).setdefault(call.module, []).append((path, call))
    return found


def _calls(move: Move) -> Iterator[Place]:
    """Calls outside of macro bodies in the files that move, and, where these show their macros, in all files around."""
    workspace, crate = move.workspace, move.source.definition.crate
    names = macro_names(workspace)
    shows = any(workspace.modules[d].macro_use for d in move.renamed if d in workspace.modules)
    for path in workspace.files_around(crate) if shows else move.files:
        for call in occurrences_called(workspace, path, names):
            plain = call.role is Role.MACRO and call.in_macro != MACRO_BODY
            if plain and call.module.crate == crate and call.module in workspace.modules:
                yield path, call


def _called(move: Move, call: Occurrence) -> Iterator[Definition]:
    """The macros that a call needs in textual order: the one it names, and those that the bodies call."""
    workspace = move.workspace
    seen = workspace.macro_scope(call.module, call.start)
    todo = list(call.target)
    known = set(todo)
    while todo:
        macro = todo.pop()
        if macro not in call.target or _names(call, macro):
            yield from (m for m in (macro,) if m in seen.get(m.name, ()))
        for name in CALLED.findall(body_of(workspace, macro)):
            new = [m for m in seen.get(name.decode("utf-8", "replace"), ()) if m not in known]
            known.update(new)
            todo += new


def _names(call: Occurrence, macro: Definition) -> bool:
    """The call names the macro by textual order, and not by a path."""
    return macro in call.target and len(call.segments) == 1 and call.via is None


def _is_seen(move: Move, arrived: Arrived, macro: Definition, place: Place) -> bool:
    return move.after(macro) in _seen_at(move, arrived, macro.name, place)


def _is_free(move: Move, arrived: Arrived, macro: Definition, place: Place) -> bool:
    """Nothing else bears the macro's name where it is called."""
    twins = {move.after(t) for t in _twins(move, macro)}
    return twins.issuperset(_seen_at(move, arrived, macro.name, place))


def _twins(move: Move, macro: Definition) -> Iterator[Definition]:
    """The macro, and those of its name and module that other conditions choose."""
    table = move.workspace.forest.table(module_of(move.workspace, macro)).values()
    yield from (d for d in table if d.item_kind == macro.item_kind and d.name == macro.name)


def _seen_at(move: Move, arrived: Arrived, name: str, place: Place) -> set[Definition]:
    """What a call finds once the line and the files have arrived, with nothing else done."""
    path, call = place
    stands = arrived.composition.find(path, call.start)
    module = move.after(call.module)
    if stands is None:
        return set()
    found = arrived.world.lookup(module, name, Namespace.MACRO, stands[1])
    return {b.definition for b in found if b.origin != MAYBE}


def _import(
    collector: Collector, macro: Definition, item: ItemFact, callers: Mapping[Definition, list[Place]]
) -> None:
    """The import in each calling module, under what all its calls stand under."""
    move, workspace = collector.move, collector.move.workspace
    module = module_of(workspace, macro)
    head = ("crate",) if is_always_exported(item) else ("crate", *move.after(module).path)
    for caller, places in callers.items():
        gates = dict.fromkeys((*conditions_of(item), *_shared_gates(move, places)))
        here = workspace.modules[caller]
        kept = [g for g in gates if g not in here.cfg]
        # What a body calls may not be called in this expansion of it.
        if not any(_names(call, macro) for _, call in places) and is_denied(
            workspace, here, "unused_imports"
        ):
            kept.append(ALLOWED)
        collector.notes.heads[caller, UseStatement((*head, macro.name), gates=tuple(kept))] = None
        if caller not in move.renamed:
            collector.notes.files[here.file] = None
            collector.notes.sites.update((path, call.start) for path, call in places)


def _shared_gates(move: Move, places: list[Place]) -> list[str]:
    """Conditions of every call."""
    workspace = move.workspace
    first, *rest = [
        (*gates_of(workspace, path, call), *gates_of_statement(workspace, path, call))
        for path, call in places
    ]
    return [g for g in first if all(g in gates for gates in rest)]


def _has_a_path(
    collector: Collector, macro: Definition, item: ItemFact, callers: Mapping[Definition, list[Place]]
) -> bool:
    """The macro has a path that every caller sees, or is given one: False where its name means something else there."""
    move, workspace = collector.move, collector.move.workspace
    module = module_of(workspace, macro)
    if workspace.edition(macro.crate) < 2018 or macro.name in BUILTIN_ATTRIBUTES:
        return False  # of a built-in attribute's name an import could mean that one (E0659)
    if is_exported(item):
        return is_always_exported(item)
    viewers = [move.after(m) for m in callers]
    if module in move.renamed:
        for viewer in viewers:
            collector.notes.seen_from(collector.top, viewer)
            for around in way_to(move.home.definition):
                collector.notes.opened.setdefault(around, set()).add(viewer)
    else:
        collector.viewed.update(way_to(module))
    if module in move.renamed and module != collector.top:
        return False
    bound = workspace.scope(module).spelled(macro.name)
    imports = [b for b in bound if b.definition == macro and b.origin == "import"]
    if imports:
        plain = [b for b in imports if not _is_conditional(move, b)]
        return module not in move.renamed and all(
            any(workspace.can_see(viewer, b.visibility) for b in plain) for viewer in viewers
        )
    if any(b.origin != MAYBE and b.definition.item_kind != macro.item_kind for b in bound):
        return False
    return _give_a_path(collector, macro, item, callers)


def _is_conditional(move: Move, binding: Binding) -> bool:
    if binding.via is None:
        return True
    facts = move.workspace.facts[binding.via[0]]
    return is_conditional(facts.items[facts.uses[binding.via[1]].item])


def _give_a_path(
    collector: Collector, macro: Definition, item: ItemFact, callers: Mapping[Definition, list[Place]]
) -> bool:
    """`pub(super) use name;` below a macro that stands directly in its module, under what all callers stand under."""
    move, workspace = collector.move, collector.move.workspace
    module, place = module_of(workspace, macro), workspace.locate(macro)
    if (
        place is None
        or workspace.facts[place[0]].items[place[1]].parent != workspace.modules[module].scope_item
    ):
        return False
    path, source, home = place[0], workspace.sources[place[0]], move.after(module)
    visibility = visibility_text(home, common_module((home, *(move.after(m) for m in callers))))
    under = [{*workspace.modules[m].cfg, *_shared_gates(move, places)} for m, places in callers.items()]
    shared = sorted(set.intersection(*under) - set(workspace.modules[module].cfg))
    gates = tuple(dict.fromkeys((*conditions_of(item), *shared)))
    export = UseStatement((macro.name,), visibility=visibility, gates=gates)
    newline, indent = newline_of(source), indentation(source, item.start)
    text = newline + export.text(newline, indent).removesuffix(newline)
    change = written(path, item.end, item.end, text)
    collector.exported.append(Raised(macro, macro.name, "", visibility or "private", change))
    return True


def _refuse(move: Move, macro: Definition, place: Place) -> Never:
    path, call = place
    line = line_number(move.workspace.sources[path], call.start)
    refuse(
        "textual_macro_scope",
        f"{path}:{line} calls `{macro.name}!` by the order of the text, which the move changes, and no path can lead to it there",
        hint=f"make `{macro.name}!` reachable by a path first (from edition 2018 on: `pub(crate) use {macro.name};` below it)",
        name=macro.name,
        file=path,
    )


def shown_macros(move: Move) -> frozenset[str]:
    """Names of macros that the text behind the line sees today, or behind the new one: a `#[macro_use]` module's."""
    workspace = move.workspace
    return frozenset(
        item.name
        for module in workspace.modules.values()
        if module.definition in move.renamed and module.macro_use
        for item in workspace.facts[module.file].items
        if item.kind is ItemKind.MACRO_RULES
    )
