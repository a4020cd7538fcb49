"""What the moved text needs at its new home: paths re-expressed, imports carried, dependencies made visible.

Every path of the moved text is resolved at home first; only what would mean something else there is touched. An
import keeps the spelling of the text; where the name is taken at home the path is written out instead.
Source: TRANSPLANT.md plan 2 and 4; W1, W13, W25, W36; D37.
"""

from collections.abc import Iterable
from typing import Never

from attrs import evolve, field, frozen, mutable

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.gates import TEST, conditions_of, gates_of
from m1nd.domain.move.held import Held, held_by_path
from m1nd.domain.move.imports import UseStatement, kept_attributes
from m1nd.domain.move.inner_uses import Leaf, is_whole, own_declaration, split_out
from m1nd.domain.move.links import link_change
from m1nd.domain.move.macro_needs import names_left_to
from m1nd.domain.move.reach import crate_prefix, module_of, path_to
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.prelude import PRIMITIVES
from m1nd.domain.rust.scope import Binding
from m1nd.domain.rust.visibility import can_see
from m1nd.domain.rust.workspace import Workspace

ANCHORS = ("crate", "self", "super", "$crate")
NAMES_ONLY = (Role.METHOD, Role.FIELD, Role.VISIBILITY)
STANDARD_CRATES = ("std", "core", "alloc")
BINDS_PATTERNS = ("const", "static", "struct", "variant", "union", "fn")


@frozen
class Needs:
    """`inner` changes lie inside the moved extents; `statements` are imports for the new home."""

    inner: tuple[Change, ...] = ()
    statements: tuple[UseStatement, ...] = ()
    viewed: frozenset[Definition] = frozenset()
    """Definitions that the new home must be able to see."""
    leaves: frozenset[tuple[str, int]] = frozenset()
    """Import leaves of the source file that the moved text went through."""
    held: frozenset[Held] = frozenset()
    """Imports at home, or on the way there, that the moved text goes on to use."""


@mutable
class _Collector:
    move: Move
    arrival: Workspace
    offset: int
    """Where the moved text stands in the destination of the arrival world (for textual macros)."""
    inner: list[Change] = field(factory=list)
    statements: dict[UseStatement, None] = field(factory=dict)
    viewed: set[Definition] = field(factory=set)
    leaves: set[tuple[str, int]] = field(factory=set)
    wanted: dict[str, list[Occurrence]] = field(factory=dict)
    split: list[Leaf] = field(factory=list)
    """Leaves of groups inside the moved text that get a declaration of their own."""
    held: set[Held] = field(factory=set)


def needs_of(move: Move, arrival: Workspace, offset: int) -> Needs:
    """Everything the moved text needs. Raises Refused: `textual_macro_scope`, `import_conflict`, `not_movable`."""
    collector = _Collector(move, arrival, offset)
    for occurrence in moved_occurrences(move):
        if occurrence.role not in NAMES_ONLY and occurrence.segments:
            _consider(collector, occurrence)
    for name, occurrences in collector.wanted.items():
        _provide(collector, name, occurrences)
    _provide_for_macros(collector)
    collector.inner += split_out(move, collector.split)
    return Needs(
        tuple(collector.inner),
        tuple(collector.statements),
        frozenset(collector.viewed),
        frozenset(collector.leaves),
        frozenset(collector.held),
    )


def _provide_for_macros(collector: _Collector) -> None:
    """Bind at home what macros called in the moved text leave to their caller. Raises Refused(import_conflict)."""
    move, arrival = collector.move, collector.arrival
    for name, call in names_left_to(move.workspace, moved_occurrences(move)).items():
        for namespace in Namespace:
            found = [
                b
                for b in move.workspace.lookup(move.source.definition, name, namespace, call.start)
                if b.origin in ("import", "glob", "item") and b.definition.item_kind != "macro_rules"
            ]
            wanted = {move.after(b.definition) for b in found}
            there = {
                b.definition for b in arrival.lookup(move.home.definition, name, namespace, collector.offset)
            }
            if (
                not found
                or wanted <= there
                or any((s.alias or s.path[-1]) == name for s in collector.statements)
            ):
                continue
            if _taken_at_home(collector, name, found):
                refuse(
                    "import_conflict",
                    f"the macro `{call.segments[-1].name}!` takes `{name}` from where it is called; in {move.dest_file} "
                    "that name means something else",
                    name=name,
                )
            there_is = evolve(call, denotes=((found[0].definition,),))
            collector.statements[_statement(collector, name, found, [there_is])] = None
            collector.viewed.update(_prefix_definitions(arrival, move.after(found[0].definition)))
            collector.leaves.update(b.via for b in found if b.via is not None)


def moved_occurrences(move: Move) -> list[Occurrence]:
    """The occurrences inside the moved extents, in textual order."""
    crate = move.source.definition.crate
    return [
        occurrence
        for extent in sorted(move.extents, key=lambda e: e.start)
        for occurrence in move.workspace.occurrences_between(
            move.source_file, extent.start, extent.end, crate
        )
    ]


def _consider(collector: _Collector, occurrence: Occurrence) -> None:
    """Sort one path: right as it is, to be anchored anew, or needing a name at home."""
    move = collector.move
    if is_doctest(occurrence) or _is_internal(move, occurrence) or is_preluded(occurrence):
        return
    if (
        occurrence.via is not None
        and occurrence.via[0] == move.source_file
        and occurrence.role is not Role.DOC
    ):
        collector.leaves.add(occurrence.via)
    at_home = resolve_at_home(collector.arrival, move, occurrence, collector.offset)
    if means_the_same(move, occurrence, at_home):
        if _is_conditional_at_home(collector, occurrence):
            _write_out(collector, [occurrence])
            return
        if occurrence.role is not Role.DOC:
            collector.viewed.update(d for ds in at_home for d in ds)
            names = [s.name for s in occurrence.segments]
            collector.held.update(
                held_by_path(collector.arrival, move.home.definition, names, at_home, collector.offset)
            )
        return
    if occurrence.role is Role.DOC:
        _mend_link(collector, occurrence)
    elif occurrence.segments[0].name in ANCHORS or occurrence.absolute or occurrence.role is Role.USE:
        _anchor(collector, occurrence)
    else:
        collector.wanted.setdefault(occurrence.segments[0].name, []).append(occurrence)


def is_preluded(occurrence: Occurrence) -> bool:
    """The name means the same without the import that it seems to come through.

    `Err(…)` beside `use outside::Err;` (the value is the prelude's), `usize::MAX` beside `use core::usize;`.
    """
    first = occurrence.denotes[0] if occurrence.denotes else ()
    if not first or any(d.kind is not DefinitionKind.EXTERNAL for d in first):
        return False
    name = occurrence.segments[0].name
    standard = [d.crate in STANDARD_CRATES for d in first]
    if name in PRIMITIVES:
        return all(standard) and all(d.path == (name,) for d in first)
    alone = len(occurrence.segments) == 1 and name in ("Ok", "Err", "Some", "None")
    return alone and not any(standard) and occurrence.role in (Role.CALL, Role.EXPRESSION, Role.PATTERN)


def _is_conditional_at_home(collector: _Collector, occurrence: Occurrence) -> bool:
    """Home imports the name only under a condition that the moved text does not stand under."""
    move, facts = collector.move, collector.move.workspace.facts[collector.move.dest_file]
    name = occurrence.segments[0].name
    if (
        name in ANCHORS
        or occurrence.absolute
        or occurrence.role in (Role.USE, Role.DOC, Role.TOKEN, Role.FORMAT)
    ):
        return False
    leaves = [u for u in facts.uses if u.bound_name == name and facts.items[u.item].parent == -1]
    bound = collector.arrival.scope(move.home.definition).spelled(name)
    if len(leaves) != 1 or any(
        b.via is None or facts.uses[b.via[1]].glob
        for b in bound
        if b.via is None or b.via[0] == move.dest_file
    ):
        return False
    there = {a for a in facts.items[leaves[0].item].attributes if a.startswith("cfg(")}
    here = set(gates_of(move.workspace, move.source_file, occurrence))
    if occurrence.via is not None and occurrence.via[0] == move.source_file:
        own = move.facts.items[move.facts.uses[occurrence.via[1]].item]
        here |= {a for a in own.attributes if a.startswith("cfg(")}
    return not there <= here | set(move.home.cfg)


def _is_internal(move: Move, occurrence: Occurrence) -> bool:
    """The first segment is bound inside the moved text (locals, generics, block-level items and imports), is of a type, or unknown."""
    first = occurrence.denotes[0] if occurrence.denotes else ()
    if not first or occurrence.based:
        return True
    if all(d.kind is DefinitionKind.LOCAL for d in first):
        return True
    if occurrence.via is not None:
        path, leaf = occurrence.via
        return move.moves(path, move.workspace.facts[path].uses[leaf].start)
    for definition in first:
        place = move.workspace.locate(definition) if definition.kind is DefinitionKind.ITEM else None
        if place and place[0] == move.source_file and occurrence.segments[0].name not in ANCHORS:
            item = move.facts.items[place[1]]
            if item.parent >= 0 and move.moves(place[0], item.start):
                return True
    return False


def resolve_at_home(
    arrival: Workspace, move: Move, occurrence: Occurrence, offset: int
) -> tuple[tuple[Definition, ...], ...]:
    """What the path, spelled as it is, denotes at the new home."""
    names = [s.name for s in occurrence.segments]
    if occurrence.role is Role.USE:
        return arrival.resolve_import(
            move.home.definition, names, occurrence.namespaces or tuple(Namespace), occurrence.absolute
        )
    return arrival.resolve(
        move.home.definition, names, occurrence.namespaces or tuple(Namespace), occurrence.absolute, offset
    )


def means_the_same(move: Move, occurrence: Occurrence, at_home: tuple[tuple[Definition, ...], ...]) -> bool:
    """The deepest resolved prefix denotes the same thing (under its name after the move)."""
    depth = max((i for i, ds in enumerate(occurrence.denotes) if ds), default=-1)
    if depth < 0 or depth >= len(at_home):
        return depth < 0
    return {move.after(d) for d in occurrence.denotes[depth]} == set(at_home[depth])


def anchor_depth(occurrence: Occurrence) -> int:
    """Index of the first segment that is no module (the item the path leads to), else of the last resolved one."""
    depth = 0
    for index, definitions in enumerate(occurrence.denotes):
        if definitions:
            depth = index
        if definitions and all(d.kind is not DefinitionKind.MODULE for d in definitions):
            return index
    return depth


def spell(workspace: Workspace, move: Move, definition: Definition) -> tuple[str, ...] | None:
    """The path by which the new home spells `definition`; `self` for the home itself."""
    if definition == move.home.definition:
        return ("self",)
    if definition.item_kind == "macro_rules":
        return _macro_path(workspace, move, definition)
    assumed = frozenset((definition, workspace.bearer_of(definition), _module(workspace, definition)))
    path = path_to(workspace, definition, move.home.definition, assumed)
    if path and definition.kind is DefinitionKind.EXTERNAL and _is_taken(workspace, move, definition):
        return ("", *path)
    return path


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
    if any(a.startswith("macro_export") for a in item.attributes):
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


def _anchor(collector: _Collector, occurrence: Occurrence) -> None:
    """Re-express a path that starts at an anchor, or a `use` inside the moved text."""
    move = collector.move
    depths = [anchor_depth(occurrence)]
    if occurrence.role is Role.USE:
        depths = [d for d in range(_leading(occurrence), depths[0] + 1) if occurrence.denotes[d]]
    for depth in depths:
        definition = move.after(occurrence.denotes[depth][0])
        path = spell(collector.arrival, move, definition)
        if path is not None and (depth == depths[-1] or _leads_on(collector, occurrence, depth, path)):
            leaf = None
            if depth > _leading(occurrence) and not is_whole(move, occurrence, depth):
                leaf = own_declaration(move, occurrence, depth, path)
            if leaf is not None:
                collector.split.append(leaf)
            else:
                _rewrite(collector, occurrence, depth, path)
            collector.viewed.update(_prefix_definitions(collector.arrival, definition))
            collector.viewed.update(move.after(d) for ds in occurrence.denotes[depth:] for d in ds)
            return
    _refuse_unspeakable(move, occurrence, move.after(occurrence.denotes[depths[-1]][0]))


def _leads_on(collector: _Collector, occurrence: Occurrence, depth: int, path: tuple[str, ...]) -> bool:
    """With `path` for its segments up to `depth`, the rest of the path still leads where it led."""
    move = collector.move
    names = [*path, *(s.name for s in occurrence.segments[depth + 1 :])]
    absolute = names[0] == ""
    found = collector.arrival.resolve(
        move.home.definition, names[1:] if absolute else names, tuple(Namespace), absolute
    )
    deepest = max(i for i, ds in enumerate(occurrence.denotes) if ds)
    wanted = {move.after(d) for d in occurrence.denotes[deepest]}
    position = deepest - len(occurrence.segments)
    return -position <= len(found) and wanted <= set(found[position])


def _leading(occurrence: Occurrence) -> int:
    """Index of the last of the leading anchors (`super::super`), which all leaves of a group share; 0 without any."""
    depth = 0
    for index, segment in enumerate(occurrence.segments):
        if segment.name not in ANCHORS:
            break
        depth = index
    return depth


def _rewrite(collector: _Collector, occurrence: Occurrence, depth: int, path: tuple[str, ...]) -> None:
    """Write `path` over the segments up to `depth`; a last segment of the same name stays as it was typed."""
    keep = occurrence.segments[depth].name == path[-1] and len(path) > 1
    start = occurrence.start if not occurrence.role is Role.USE else occurrence.segments[0].start
    end = occurrence.segments[depth].start if keep else occurrence.segments[depth].end
    text = "::".join(path[:-1]) + "::" if keep else "::".join(path)
    if any(s.name == "$crate" for s in occurrence.segments[:1]) and path[0] == "crate":
        text = "$" + text
    collector.inner.append(written(collector.move.source_file, start, end, text.encode()))


def _prefix_definitions(workspace: Workspace, definition: Definition) -> Iterable[Definition]:
    """A definition with the modules of its declared path."""
    yield definition
    if definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE):
        module = module_of(workspace, definition)
        for length in range(1, len(module.path) + 1):
            yield Definition(DefinitionKind.MODULE, module.crate, module.path[:length])


def _provide(collector: _Collector, name: str, occurrences: list[Occurrence]) -> None:
    """Give the new home a name: by an import, or by writing the path out where the name is taken."""
    move = collector.move
    bindings = [
        b
        for namespace in Namespace
        for b in move.workspace.lookup(move.source.definition, name, namespace, occurrences[0].start)
    ]
    definitions = {d for o in occurrences for d in o.denotes[0]}
    imported = any(b.origin == "import" and b.definition in definitions for b in bindings)
    outside = [b for b in bindings if b.definition in definitions and b.origin == "external_glob"]
    if len(definitions) > 1 and {b.definition for b in outside} == definitions:
        _carry_outside_globs(collector, name, outside)
        return
    textual = all(d.item_kind == "macro_rules" for d in definitions) and not imported
    if textual or definitions == {move.home.definition}:
        _write_out(collector, occurrences)
        return
    extern = next((b for b in bindings if b.origin == "extern_crate" and b.definition in definitions), None)
    if extern is not None and not _taken_at_home(collector, name, bindings):
        _carry_extern(collector, name, occurrences)
        return
    if any(
        b.origin in ("prelude", "extern_prelude", "builtin") and b.definition in definitions for b in bindings
    ):
        _write_out(collector, occurrences)
        return
    if _taken_at_home(collector, name, bindings):
        _write_out(collector, occurrences)
        return
    statement = _statement(collector, name, [b for b in bindings if b.definition in definitions], occurrences)
    collector.statements[statement] = None
    for definition in definitions:
        after = move.after(definition)
        if statement.path[-1] == after.name and statement.path == path_to_declared(
            collector.arrival, move, after
        ):
            collector.viewed.update(_prefix_definitions(collector.arrival, after))
    for occurrence in occurrences:
        collector.viewed.update(move.after(d) for ds in occurrence.denotes[1:] for d in ds)


def path_to_declared(workspace: Workspace, move: Move, definition: Definition) -> tuple[str, ...]:
    """The declared path inside the crate, visible or not; empty for what is not of this crate."""
    if (
        definition.kind in (DefinitionKind.ITEM, DefinitionKind.MODULE)
        and definition.crate == move.home.definition.crate
    ):
        return ("crate", *definition.path)
    return ()


def _taken_at_home(collector: _Collector, name: str, bindings: list[Binding]) -> bool:
    """An import of `name` would collide at home, or change what other text there means by it."""
    move, arrival = collector.move, collector.arrival
    mine = {move.after(b.definition) for b in bindings}
    for binding in arrival.scope(move.home.definition).spelled(name):
        if binding.definition not in mine:
            return True
    patterns = any(
        b.definition.item_kind in BINDS_PATTERNS and b.definition.item_kind != "fn" for b in bindings
    )
    for occurrence in arrival.occurrences_of(move.dest_file, frozenset((name,)), move.home.definition.crate):
        if occurrence.segments and occurrence.segments[0].name == name and _reads_scope(occurrence):
            inside = collector.offset <= occurrence.start
            if (
                not inside
                and occurrence.denotes[0]
                and not set(occurrence.denotes[0]) & mine
                and not _is_local(occurrence)
            ):
                return True
    return patterns and name in _names_outside_moved(collector)


def _names_outside_moved(collector: _Collector) -> frozenset[str]:
    """The names that today's destination spells."""
    return collector.move.workspace.names_in(collector.move.dest_file)


def _reads_scope(occurrence: Occurrence) -> bool:
    return not occurrence.absolute and occurrence.role not in (Role.METHOD, Role.FIELD, Role.USE, Role.DOC)


def _is_local(occurrence: Occurrence) -> bool:
    return all(d.kind is DefinitionKind.LOCAL for d in occurrence.denotes[0])


def _statement(
    collector: _Collector, name: str, bindings: list[Binding], occurrences: list[Occurrence]
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
            if stable and _all_seen(arrival, move, found):
                spelled = ("", *leaf.path) if leaf.absolute else leaf.path
                return UseStatement(tuple(spelled), alias, gates=_gates(move, gates, occurrences))
            break
    definition = move.after(bindings[0].definition if bindings else occurrences[0].denotes[0][0])
    spelled_path = spell(arrival, move, definition)
    if spelled_path is None:
        _refuse_unspeakable(move, occurrences[0], definition)
    gates = ()
    if bindings and bindings[0].via is not None and bindings[0].origin == "import":
        path, index = bindings[0].via
        gates = kept_attributes(move.workspace.facts[path], move.workspace.facts[path].uses[index].item)
    else:
        gates = _own_conditions(arrival, move, [b.definition for b in bindings] or [definition])
    return UseStatement(spelled_path, alias, gates=_gates(move, gates, occurrences))


def is_detour(first: str, found: tuple[tuple[Definition, ...], ...]) -> bool:
    """A path to another crate's item that starts in a module of ours: `core::cmp` beside a `mod core` of its own."""
    return (
        any(d.kind is DefinitionKind.EXTERNAL for d in found[-1])
        and any(d.kind is DefinitionKind.MODULE for d in found[0])
        and len(found) > 1
        and first != "crate"
    )


def _own_conditions(workspace: Workspace, move: Move, definitions: list[Definition]) -> tuple[str, ...]:
    """The conditions under which the one thing that a name stands for exists at all, beyond those of the new home."""
    if len(set(definitions)) != 1:
        return ()
    definition = move.after(definitions[0])
    if definition in workspace.modules:
        found: tuple[str, ...] = workspace.modules[definition].cfg
    else:
        item = workspace.item(definition)
        found = tuple(conditions_of(item)) if item is not None else ()
    return tuple(dict.fromkeys(c for c in found if c not in move.home.cfg))


def _all_seen(workspace: Workspace, move: Move, found: tuple[tuple[Definition, ...], ...]) -> bool:
    return all(
        d.kind not in (DefinitionKind.ITEM, DefinitionKind.MODULE)
        or can_see(move.home.definition, workspace.visibility_of(d))
        for ds in found
        for d in ds
    )


def _gates(move: Move, gates: tuple[str, ...], occurrences: list[Occurrence]) -> tuple[str, ...]:
    """The import's own conditions, and those that every moved item that needs it stands under."""
    shared: set[str] | None = None
    for occurrence in occurrences:
        item = next((i for i in move.items if _inside(move, i, occurrence)), None)
        mine = set(conditions_of(move.facts.items[item])) if item is not None else set()
        shared = mine if shared is None else shared & mine
    given = {*gates, *move.home.cfg}
    if move.workspace.target(move.home.definition.crate).kind is TargetKind.TEST:
        given.add(TEST)
    extra = tuple(sorted(g for g in (shared or set()) if g not in given))
    return (*gates, *extra)


def _inside(move: Move, item: int, occurrence: Occurrence) -> bool:
    fact = move.facts.items[item]
    return fact.extent_start <= occurrence.start < fact.end


def _write_out(collector: _Collector, occurrences: list[Occurrence]) -> None:
    """Write the whole path at every place that uses the name."""
    move = collector.move
    for occurrence in occurrences:
        definition = move.after(occurrence.denotes[0][0])
        path = spell(collector.arrival, move, definition)
        if path is None and definition.item_kind == "macro_rules":
            refuse(
                "textual_macro_scope",
                f"`{definition.name}!` is a macro_rules of {move.source_file} in textual scope; {move.dest_file} does not see it",
                hint=f"export it by path first: write `pub(crate) use {definition.name};` below the macro",
                name=definition.name,
            )
        if path is None:
            _refuse_unspeakable(move, occurrence, definition)
        if occurrence.shorthand or occurrence.role in (Role.TOKEN, Role.FORMAT):
            refuse(
                "import_conflict",
                f"`{occurrence.segments[0].name}` means something else in {move.dest_file}, and the place that uses it "
                "cannot take a path",
                hint=f"rename `{occurrence.segments[0].name}` in one of the two files first, then preview again",
                name=occurrence.segments[0].name,
            )
        home = definition == move.home.definition
        spelled = ("self",) if home and len(occurrence.segments) > 1 else path
        edited = evolve(occurrence, segments=occurrence.segments)
        _rewrite(collector, edited, 0, spelled)
        collector.viewed.update(_prefix_definitions(collector.arrival, definition))
        collector.viewed.update(move.after(d) for ds in occurrence.denotes[1:] for d in ds)


def _carry_outside_globs(collector: _Collector, name: str, bindings: list[Binding]) -> None:
    """Several globs of other crates may bring the name, and nobody here can tell which: all of them come along."""
    move, arrival = collector.move, collector.arrival
    if _taken_at_home(collector, name, bindings):
        refuse(
            "import_conflict",
            f"`{name}` comes from a glob import of another crate and means something else in {move.dest_file}",
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


def _carry_extern(collector: _Collector, name: str, occurrences: list[Occurrence]) -> None:
    """An `extern crate` item of the source module is carried as it is written."""
    move = collector.move
    for item in move.facts.items:
        if item.parent == -1 and item.kind.value == "extern_crate" and item.name == name:
            gates = tuple(a for a in item.attributes if a.startswith("cfg"))
            statement = UseStatement((item.detail or name,), name, gates=gates, extern=True)
            collector.statements[statement] = None
            return
    _write_out(collector, occurrences)


def _mend_link(collector: _Collector, occurrence: Occurrence) -> None:
    """A doc link keeps its target: the declared path is written into it."""
    move = collector.move
    depth = anchor_depth(occurrence)
    if not occurrence.denotes[depth]:
        return
    definition = move.after(occurrence.denotes[depth][0])
    path = spell(collector.arrival, move, definition)
    if path is not None and not path[0].startswith("$"):
        collector.inner += link_change(move.workspace, move.source_file, occurrence, depth, path)


def _refuse_unspeakable(move: Move, occurrence: Occurrence, definition: Definition) -> Never:
    refuse(
        "not_movable",
        f"the moved text needs `{'::'.join(definition.path)}`, which {move.dest_file} has no path to",
        hint=f"make `{'::'.join(definition.path)}` visible from {move.dest_file} first, or choose another destination",
        name="::".join(definition.path),
        spelled="::".join(s.name for s in occurrence.segments),
    )
