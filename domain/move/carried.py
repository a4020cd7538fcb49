"""Names that the new home must get for the moved text: by an import, or by the path written out where the name is taken.

An import keeps the spelling and the conditions that it had at the source. W1, W13, W25, W36; D37.
"""

from collections.abc import Iterator
from typing import Never

from attrs import evolve

from m1nd.domain.move.anchored import rewrite
from m1nd.domain.move.compose import written as written_text
from m1nd.domain.move.crates.past_modules import is_closed, write_past_modules
from m1nd.domain.move.gates import TEST, conditions_of, conditions_of_leaf, gates_of
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.macros.shared import share
from m1nd.domain.move.needs import Collector
from m1nd.domain.move.raw_names import raw_path
from m1nd.domain.move.reach import is_shown_on_the_way, module_of
from m1nd.domain.move.spelling import (
    all_seen,
    is_detour,
    path_to_declared,
    prefix_definitions,
    refuse_unspeakable,
    spell,
)
from m1nd.domain.move.traits.knowledge import hides_a_trait, may_be_trait
from m1nd.domain.move.traits.users import calls_for_others
from m1nd.domain.move.world import Move, may_have_imports_of, names_within
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.crate_names import of_any_standard
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.workspace import Workspace

BINDS_PATTERNS = ("const", "static", "struct", "variant", "union", "fn")


def provide(collector: Collector, name: str, occurrences: list[Occurrence]) -> None:
    """Give the new home a name: by an import, or by writing the path out where the name is taken."""
    move = collector.move
    bindings = [
        b
        for namespace in Namespace
        for b in move.workspace.lookup(move.source.definition, name, namespace, occurrences[0].start)
    ]
    definitions = {d for o in occurrences for d in o.denotes[0]}
    if all(is_closed(collector, d) for d in definitions):
        write_past_modules(collector, occurrences)
        return
    imported = any(b.origin == "import" and b.definition in definitions for b in bindings)
    outside = [b for b in bindings if b.definition in definitions and b.origin == "external_glob"]
    if len(definitions) > 1 and {b.definition for b in outside} == definitions:
        _carry_outside_globs(collector, name, outside)
        return
    textual = all(d.item_kind == "macro_rules" for d in definitions) and not imported
    if textual and len(definitions) > 1:
        _refuse_twin_macros(move, name)
    if textual and all(_shares(collector, d, occurrences) for d in definitions):
        return
    if textual or definitions == {move.home.definition}:
        write_out(collector, occurrences)
        return
    extern = next((b for b in bindings if b.origin == "extern_crate" and b.definition in definitions), None)
    if extern is not None and not taken_at_home(collector, name, bindings):
        _carry_extern(collector, name, occurrences)
        return
    if any(
        b.origin in ("prelude", "extern_prelude", "builtin") and b.definition in definitions for b in bindings
    ):
        write_out(collector, occurrences)
        return
    if taken_at_home(collector, name, bindings) or _would_confuse(collector, definitions):
        write_out(collector, occurrences)
        return
    vias = {b.via for b in bindings if b.definition in definitions}
    if len(vias) == 1 and _has_one_of_them(collector, name, definitions, occurrences[0].start):
        return
    at_home = {b.definition for b in collector.arrival.scope(move.home.definition).spelled(name)}
    mine = [b for b in bindings if b.definition in definitions]
    mine = [b for b in mine if move.after(b.definition) not in at_home] or mine
    written = [statement_for(collector, name, part, occurrences) for part in _by_condition(mine)]
    collector.statements.update(dict.fromkeys(written))
    for other in _other_imports(collector, name, mine):
        second = statement_for(collector, name, other, occurrences)
        collector.statements[evolve(second, gates=(*second.gates, "allow(unused_imports)"))] = None
    for definition in definitions:
        after = move.after(definition)
        declared = path_to_declared(collector.arrival, move, after)
        if any(s.path[-1] == after.name and s.path == declared for s in written):
            collector.viewed.update(prefix_definitions(collector.arrival, after))
    for occurrence in occurrences:
        collector.viewed.update(move.after(d) for ds in occurrence.denotes[1:] for d in ds)


def _by_condition(bindings: list[Binding]) -> list[list[Binding]]:
    """The bindings that one import serves each: where conditions choose among globs, one for what each glob brings."""
    by_definition: dict[Definition, list[Binding]] = {}
    for binding in bindings:
        by_definition.setdefault(binding.definition, []).append(binding)
    by_globs = all(b.origin == "glob" for b in bindings)
    return list(by_definition.values()) if by_globs and len(by_definition) > 1 else [bindings]


def _has_one_of_them(collector: Collector, name: str, definitions: set[Definition], start: int) -> bool:
    """Conditions choose what one import means, and home imports one of these unconditionally: a second import would collide."""
    move, arrival = collector.move, collector.arrival
    for namespace in Namespace:
        mine = {b.definition for b in move.workspace.lookup(move.source.definition, name, namespace, start)}
        mine = {of_any_standard(move.after(d)) for d in mine & definitions}
        there = arrival.lookup(move.home.definition, name, namespace, collector.offset)
        if mine and not any(
            of_any_standard(b.definition) in mine and _is_unconditional(arrival, b) for b in there
        ):
            return False
    return True


def _is_unconditional(workspace: Workspace, binding: Binding) -> bool:
    if binding.origin != "import" or binding.via is None:
        return False
    return not conditions_of_leaf(workspace, binding.via)


def _refuse_twin_macros(move: Move, name: str) -> Never:
    """One path cannot lead to whichever of several macros the conditions choose."""
    refuse(
        "textual_macro_scope",
        f"conditions choose among several `{name}!` in textual scope in {move.source_place}; no path leads to whichever it is",
        hint=f"write `pub(crate) use {name};` below each of them under its condition, and import that",
        name=name,
    )


def _shares(collector: Collector, macro: Definition, calls: list[Occurrence]) -> bool:
    """The macro has no path at home yet, and gets one."""
    move = collector.move
    return spell(collector.arrival, move, move.after(macro)) is None and share(
        collector, macro, _gates(move, (), calls)
    )


def _other_imports(collector: Collector, name: str, bindings: list[Binding]) -> Iterator[list[Binding]]:
    """Further imports that bind the same name, for a namespace that nobody can tell (a trait, and a derive macro).

    Both are of other crates; they stand beside each other in the source, so they do at home, which may have one already.
    """
    at_home = {b.definition for b in collector.arrival.scope(collector.move.home.definition).spelled(name)}
    imported = [b for b in bindings if b.origin == "import" and b.definition not in at_home]
    if all(b.definition.kind is DefinitionKind.EXTERNAL for b in imported):
        for via in list(dict.fromkeys(b.via for b in imported))[1:]:
            yield [b for b in imported if b.via == via]


def write_out(collector: Collector, occurrences: list[Occurrence]) -> None:
    """Write the whole path at every place that uses the name."""
    move = collector.move
    for occurrence in occurrences:
        definition = move.after(occurrence.denotes[0][0])
        path = spell(collector.arrival, move, definition)
        if path is None and definition.item_kind == "macro_rules":
            refuse(
                "textual_macro_scope",
                f"`{definition.name}!` is a macro_rules of {move.source_place} in textual scope; {move.dest_place} does not see it",
                hint=f"export it by path first: write `pub(crate) use {definition.name};` below the macro",
                name=definition.name,
            )
        if path is None:
            refuse_unspeakable(move, occurrence, definition)
        if occurrence.shorthand or occurrence.role in (Role.TOKEN, Role.FORMAT):
            refuse(
                "import_conflict",
                f"`{occurrence.segments[0].name}` means something else in {move.dest_place}, and the place that uses it "
                "cannot take a path",
                hint=f"rename `{occurrence.segments[0].name}` in one of the two files first, then preview again",
                name=occurrence.segments[0].name,
            )
        home = definition == move.home.definition
        spelled = ("self",) if home and len(occurrence.segments) > 1 else path
        if occurrence.role is Role.TYPE and occurrence.namespaces == (Namespace.VALUE,):
            text = "{ " + raw_path(spelled) + " }"  # a generic argument: rustc takes a longer path for a type
            collector.inner.append(
                written_text(move.source_file, occurrence.start, occurrence.end, text.encode())
            )
        else:
            rewrite(collector, occurrence, 0, spelled)
        collector.viewed.update(prefix_definitions(collector.arrival, definition))
        collector.viewed.update(move.after(d) for ds in occurrence.denotes[1:] for d in ds)


def _carry_outside_globs(collector: Collector, name: str, bindings: list[Binding]) -> None:
    """Several globs of other crates may bring the name, and nobody here can tell which: all of them come along."""
    move, arrival = collector.move, collector.arrival
    if taken_at_home(collector, name, bindings):
        refuse(
            "import_conflict",
            f"`{name}` comes from a glob import of another crate and means something else in {move.dest_place}",
            hint=f"import `{name}` by its name first",
            name=name,
        )
    at_home = {b.definition for b in arrival.scope(move.home.definition).external_globs}
    for glob in move.workspace.scope(move.source.definition).external_globs:
        if glob.definition not in at_home:
            facts = move.workspace.facts[glob.via[0]] if glob.via is not None else None
            gates = kept_attributes(facts, facts.uses[glob.via[1]].item) if facts and glob.via else ()
            spelled = (glob.definition.crate, *glob.definition.path, "*")
            collector.statements[UseStatement(spelled, gates=gates)] = None
        collector.leaves.update([glob.via] if glob.via is not None else [])


def _carry_extern(collector: Collector, name: str, occurrences: list[Occurrence]) -> None:
    """An `extern crate` item of the source module is carried as it is written."""
    move = collector.move
    for item in move.facts.items:
        here = item.parent == move.source.scope_item
        if here and item.kind.value == "extern_crate" and item.name == name:
            gates = tuple(a for a in item.attributes if a.startswith("cfg"))
            statement = UseStatement((item.detail or name,), name, gates=gates, extern=True)
            collector.statements[statement] = None
            return
    write_out(collector, occurrences)


def statement_for(
    collector: Collector, name: str, bindings: list[Binding], occurrences: list[Occurrence]
) -> UseStatement:
    """The import that gives the new home what `name` denoted at the old one."""
    move, arrival = collector.move, collector.arrival
    alias = name
    for binding in bindings:
        if binding.origin == "import" and binding.via is not None:
            path, index = binding.via
            leaf = move.workspace.facts[path].uses[index]
            gates = kept_attributes(move.workspace.facts[path], leaf.item)
            found = arrival.resolve_import(move.home.definition, leaf.path, tuple(Namespace), leaf.absolute)
            stable = (
                leaf.path[0] not in ("self", "super")
                and found
                and binding.definition in set(map(move.after, found[-1]))
                and not is_detour(leaf.path[0], found)
            )
            shown = is_shown_on_the_way(arrival, move.home.definition, leaf.path, found)
            if stable and shown and all_seen(arrival, move, found):
                spelled = ("", *leaf.path) if leaf.absolute else leaf.path
                return UseStatement(tuple(spelled), alias, gates=_gates(move, gates, occurrences))
            break
    definition = move.after(bindings[0].definition if bindings else occurrences[0].denotes[0][0])
    spelled_path = spell(arrival, move, definition)
    if spelled_path is None:
        refuse_unspeakable(move, occurrences[0], definition)
    gates = ()
    if bindings and bindings[0].via is not None and bindings[0].origin == "import":
        path, index = bindings[0].via
        gates = kept_attributes(move.workspace.facts[path], move.workspace.facts[path].uses[index].item)
    else:
        own = _own_conditions(arrival, move, [b.definition for b in bindings] or [definition])
        gates = tuple(dict.fromkeys((*_of_glob(move, bindings), *own)))
    return UseStatement(spelled_path, alias, gates=_gates(move, gates, occurrences))


def _of_glob(move: Move, bindings: list[Binding]) -> Iterator[str]:
    """The conditions of the glob import that alone brings the name, beyond those of the new home."""
    vias = {b.via for b in bindings if b.origin == "glob"}
    via = next(iter(vias)) if len(vias) == 1 else None
    if via is not None:
        yield from (c for c in conditions_of_leaf(move.workspace, via) if c not in move.home.cfg)


def _own_conditions(workspace: Workspace, move: Move, definitions: list[Definition]) -> tuple[str, ...]:
    """The conditions under which the one thing that a name stands for exists at all, beyond those of the new home."""
    if len(set(definitions)) != 1:
        return ()
    definition = move.after(definitions[0])
    item = workspace.item(definition) if definition not in workspace.modules else None
    found = tuple(conditions_of(item)) if item is not None else ()
    if (
        definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE)
        and definition.crate == move.home.definition.crate
    ):
        found = (*workspace.modules[module_of(workspace, definition)].cfg, *found)
    return tuple(dict.fromkeys(c for c in found if c not in move.home.cfg))


def _gates(move: Move, gates: tuple[str, ...], occurrences: list[Occurrence]) -> tuple[str, ...]:
    """The import's own conditions, and those that every piece of the moved text that needs it stands under."""
    shared: set[str] | None = None
    for occurrence in occurrences:
        item = next((i for i in move.items if _inside(move, i, occurrence)), None)
        mine = set(conditions_of(move.facts.items[item])) if item is not None else set()
        mine.update(gates_of(move.workspace, move.source_file, occurrence))
        shared = mine if shared is None else shared & mine
    given = {*gates, *move.home.cfg}
    if move.workspace.target(move.home.definition.crate).kind is TargetKind.TEST:
        given.add(TEST)
    extra = tuple(sorted(g for g in (shared or set()) if g not in given))
    return (*gates, *extra)


def _inside(move: Move, item: int, occurrence: Occurrence) -> bool:
    fact = move.facts.items[item]
    return fact.extent_start <= occurrence.start < fact.end


def taken_at_home(collector: Collector, name: str, bindings: list[Binding]) -> bool:
    """An import of `name` would collide at home, or change what other text there means by it."""
    move, arrival = collector.move, collector.arrival
    mine = {move.after(b.definition) for b in bindings}
    for binding in arrival.scope(move.home.definition).spelled(name):
        if binding.definition not in mine:
            return True
    values = {
        b.definition for b in move.workspace.lookup(move.source.definition, name, Namespace.VALUE)
    }  # a struct with named fields is none
    patterns = any(
        b.definition.item_kind in BINDS_PATTERNS and b.definition.item_kind != "fn"
        for b in bindings
        if b.definition in values
    )
    spelled = arrival.occurrences_of(move.dest_file, frozenset((name,)), move.home.definition.crate)
    if any(_means_another(collector, o, name, mine) for o in spelled):
        return True
    return patterns and name in _names_outside_moved(collector)


def _means_another(collector: Collector, occurrence: Occurrence, name: str, mine: set[Definition]) -> bool:
    """Text of the new home that was there before begins a path with the name, and means something else by it."""
    if (
        not may_have_imports_of(collector.arrival, occurrence.module, collector.move.home.definition)
        or not occurrence.segments
        or occurrence.segments[0].name != name
    ):
        return False
    if collector.holds(occurrence.start) or not _reads_scope(occurrence):
        return False
    return bool(occurrence.denotes[0]) and not set(occurrence.denotes[0]) & mine and not _is_local(occurrence)


def _would_confuse(collector: Collector, definitions: set[Definition]) -> bool:
    """It is a trait, and calls at home could mean its methods once it is in scope there: its path brings nothing into scope."""
    move, arrival = collector.move, collector.arrival
    traits = [d for d in definitions if may_be_trait(move.workspace, d)]
    if any(hides_a_trait(arrival, move.home.definition, d) for d in traits):
        return True
    known = {d for d, _ in arrival.traits_in_scope(move.home.definition)}
    new = [d for d in map(move.after, definitions) if d.item_kind == "trait" and d not in known]
    return any(True for d in new for _ in calls_for_others(move, arrival, d))


def _names_outside_moved(collector: Collector) -> frozenset[str]:
    """The names that today's destination spells."""
    move = collector.move
    here = move.source_file == move.dest_file
    moved = [(e.start, e.end) for e in move.extents] if here else []
    return names_within(move.workspace, move.home, moved)


def _reads_scope(occurrence: Occurrence) -> bool:
    return not occurrence.absolute and occurrence.role not in (Role.METHOD, Role.FIELD, Role.USE, Role.DOC)


def _is_local(occurrence: Occurrence) -> bool:
    return all(d.kind is DefinitionKind.LOCAL for d in occurrence.denotes[0])
