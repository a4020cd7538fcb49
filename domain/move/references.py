"""Every reference to a moved item, outside the moved text, rewritten in its own style.

A reference is an occurrence that resolves to a moved item (never a match of text). Paths that reach the item
through a re-export are left alone: the re-export itself is rewritten. TRANSPLANT.md plan 5; W5, W6, W10, W11, W14,
W15, W20, W21, W22, W35.
"""

from collections.abc import Callable
from typing import Never

from m1nd.domain.move.bound_on import import_back, stay_bound
from m1nd.domain.move.crates.crossing import may_name, refuse_crossing, refuse_unnamed
from m1nd.domain.move.imports.chains import glob_target, import_chain
from m1nd.domain.move.imports.doctest_globs import beside_doctest_glob
from m1nd.domain.move.imports.globs import (
    beside_globs,
    drop_dead_globs,
    served_by_source,
)
from m1nd.domain.move.imports.leaves import leaf_of, repoint_import
from m1nd.domain.move.imports.source_aliases import is_alias_of_the_source, shows_on
from m1nd.domain.move.macros.callers import calls_naming
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.macros.suspects import suspect
from m1nd.domain.move.macros.textual import (
    is_at_the_root,
    is_in_a_macro_body,
    out_of_sight,
    uses_through_macros,
)
from m1nd.domain.move.named_modules import stay_in_named_modules
from m1nd.domain.move.qualify import qualify
from m1nd.domain.move.reach import root_of
from m1nd.domain.move.reference_notes import Notes, Requalified
from m1nd.domain.move.surface import keeps_public_path
from m1nd.domain.move.text import line_number
from m1nd.domain.move.traits.users import unnamed_uses
from m1nd.domain.move.world import Move, is_doctest, occurrences_naming
from m1nd.domain.rust.crate_names import crate_of_text
from m1nd.domain.rust.facts import ItemKind, UseFact
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.names import Confidence, Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.visibility import parse_visibility
from m1nd.domain.rust.workspace import Workspace


def requalify(move: Move, arrival: Workspace, inside: Callable[[Notes], None] | None = None) -> Requalified:
    """Rewrite every reference. Raises Refused: `not_movable` where no path leads to the new home.

    `inside` notes what the moved text itself needs, where whole files move.
    """
    roots = {move.workspace.definition(move.source.definition, i): i for i in move.roots}
    kept = frozenset(d for d, i in roots.items() if keeps_public_path(move, i))
    notes = Notes(move, arrival, moved_top(move), tuple(roots), kept)
    names = frozenset(d.name for d in notes.moved_top)
    found = [
        (p, o)
        for p, o in occurrences_naming(move.workspace, names, move.source.definition.crate)
        if is_doctest(o) or not move.moves(p, o.start)
    ]
    called = calls_naming(move, notes.moved_top)
    for path, occurrence in found:
        index = _concerned(notes, occurrence)
        if index is not None:
            _site(notes, path, occurrence, index)
        elif not called.holds(path, occurrence.start):
            suspect(notes, path, occurrence, names)
    if inside is not None:
        inside(notes)
    _note_unnamed(notes)
    _macro_paths(notes)
    for path, occurrence, definition in (*called.calls, *uses_through_macros(move)):
        notes.files[path] = None
        _bare_use(notes, path, occurrence, definition)
    for occurrence, definition in notes.imported:
        _through_globs(notes, occurrence, definition)
    beside_globs(notes)
    drop_dead_globs(notes)
    stay_in_named_modules(notes)
    import_back(notes)
    stay_bound(notes)
    return Requalified(
        changes=tuple(notes.changes),
        removed=frozenset(notes.removed),
        behind=tuple(notes.behind),
        heads=tuple((move.workspace.modules[m], s) for m, s in notes.heads),
        viewers={item: frozenset(modules) for item, modules in notes.viewers.items()},
        files=tuple(notes.files),
        rewritten=len(notes.sites),
        passed=frozenset(notes.passed),
        serving=frozenset(notes.serving),
        unresolved=tuple(notes.unresolved),
        back_imported=notes.back_imported,
        opened={module: frozenset(viewers) for module, viewers in notes.opened.items()},
        links=tuple(notes.links),
    )


def _note_unnamed(notes: Notes) -> None:
    """Uses of a moved trait by its methods alone."""
    for path, occurrence, trait in unnamed_uses(notes.move):
        if occurrence.module == notes.move.home.definition:
            continue
        notes.files[path] = None
        _bare_use(notes, path, occurrence, trait)


def _macro_paths(notes: Notes) -> None:
    """Imports below macros that lead to no macro any more: they lead on where somebody still comes by, else they go."""
    workspace = notes.move.workspace
    for path, occurrence, definition in notes.macro_paths:
        leaf = leaf_of(workspace.facts[path], occurrence)
        bare = any(d == definition for _, _, d in notes.bare.get(occurrence.module, ()))
        through = any(
            o.via is not None and (path, leaf) in import_chain(workspace, o.via, definition.name)
            for o, d in notes.imported
            if d == definition
        )
        if leaf is not None and not bare and not through:
            notes.removed.add((path, leaf))
            continue
        repoint_import(notes, path, occurrence, 0, definition)
        notes.led_on.add((occurrence.module, definition))
        written = workspace.facts[path].items[occurrence.item].visibility
        shown = parse_visibility(written, occurrence.module).scope
        notes.seen_from(definition, shown or root_of(occurrence.module))


def moved_top(move: Move) -> frozenset[Definition]:
    return frozenset(move.workspace.definition(move.source.definition, i) for i in move.items)


def _concerned(notes: Notes, occurrence: Occurrence) -> int | None:
    """Index of the segment that denotes a moved top-level item."""
    for index, definitions in enumerate(occurrence.denotes):
        if any(d in notes.moved_top for d in definitions):
            return index
    return None


def _site(notes: Notes, path: str, occurrence: Occurrence, index: int) -> None:
    """Sort one reference by how it reaches the item."""
    move = notes.move
    definition = next(d for d in occurrence.denotes[index] if d in notes.moved_top)
    if occurrence.role is Role.DOC:
        notes.links.append((path, occurrence))
        return
    if _is_a_word_alone(occurrence, definition) or _is_another_name(occurrence, index, definition):
        return
    if is_alias_of_the_source(move, path, occurrence, index):
        return
    notes.files[path] = None
    if definition in notes.kept and _from_outside(move, path, occurrence):
        return
    if move.crosses and occurrence.in_macro == MACRO_BODY and _is_called_from_outside(move, path, occurrence):
        _refuse_in_macro(move, path, occurrence)
    if index == 0 and _from_the_root(move, occurrence):
        if occurrence.role is Role.USE:
            repoint_import(notes, path, occurrence, index, definition)
        else:
            qualify(notes, path, occurrence, index, definition)
        return
    if index == 0 and _begins_with_a_module(occurrence, definition):
        repoint_import(notes, path, occurrence, index, definition)
        return
    if index == 0 and _by_way_of_the_root(move, occurrence):
        root = root_of(occurrence.module)
        notes.through.add((root, definition))
        if _imported_at_home(move, occurrence, index):
            repoint_import(notes, path, occurrence, index, definition)
        return
    if index == 0 and shows_on(move, path, occurrence, definition):
        repoint_import(notes, path, occurrence, index, definition)
        return
    if index == 0:
        if is_doctest(occurrence):
            beside_doctest_glob(notes, path, occurrence, definition)
        else:
            _bare_use(notes, path, occurrence, definition)
        return
    parent = occurrence.denotes[index - 1]
    if is_at_the_root(move, definition) and any(d in move.workspace.modules and not d.path for d in parent):
        return
    notes.through.update((d, definition) for d in parent if d.kind is DefinitionKind.MODULE)
    if move.source.definition not in parent and not _imported_at_home(move, occurrence, index):
        return
    if occurrence.role is Role.USE:
        repoint_import(notes, path, occurrence, index, definition)
    else:
        qualify(notes, path, occurrence, index, definition)


def _is_a_word_alone(occurrence: Occurrence, definition: Definition) -> bool:
    """A name in a macro's body that is a module's too: what stands there alone is no module."""
    word = len(occurrence.segments) == 1 and occurrence.in_macro == MACRO_BODY
    return word and definition.kind is DefinitionKind.MODULE and occurrence.role is not Role.USE


def _is_another_name(occurrence: Occurrence, index: int, definition: Definition) -> bool:
    """A name that an import gives to the module: the import is led to the new home, and the name stays."""
    other = definition.kind is DefinitionKind.MODULE and occurrence.segments[index].name != definition.name
    return other and (index > 0 or occurrence.via is None)


def _begins_with_a_module(occurrence: Occurrence, definition: Definition) -> bool:
    """`use name::x;` beside `mod name;`: the import itself leads to the new home."""
    named = definition.kind is DefinitionKind.MODULE and occurrence.segments[0].name == definition.name
    return named and occurrence.role is Role.USE and occurrence.via is None


def _bare_use(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> None:
    """The item by its name alone: it stood in the same module, or an import brings it.

    `pub(crate) use name;` below a macro is a path to it, not a use: it leads to the new home where it sees the macro no more.
    """
    names_macro = occurrence.role is Role.USE and definition.item_kind == "macro_rules"
    if is_in_a_macro_body(occurrence, definition):
        return
    if names_macro and occurrence.via is None:
        if out_of_sight(notes.move, notes.arrival, [(path, occurrence)], definition):
            notes.macro_paths.append((path, occurrence, definition))
    elif occurrence.via is not None:
        notes.imported.append((occurrence, definition))
    else:
        notes.bare.setdefault(occurrence.module, []).append((path, occurrence, definition))


def _imported_at_home(move: Move, occurrence: Occurrence, index: int) -> bool:
    """The new home imports the item by way of a re-export: the import must go all the same (E0255)."""
    last = index == len(occurrence.segments) - 1
    return occurrence.role is Role.USE and last and occurrence.module == move.home.definition


def _from_outside(move: Move, path: str, occurrence: Occurrence) -> bool:
    """Another crate names the item, or a macro does that another crate may use.

    Where the item leaves its crate: whoever cannot name the new one, and the doc tests that stay, which speak to users.
    """
    if occurrence.segments[0].name == "$crate":
        return True
    if not move.crosses:
        return occurrence.module.crate != move.home.definition.crate
    if move.moves(path, occurrence.start):
        return False
    named = may_name(move.workspace, occurrence.module.crate, move.home.definition.crate)
    return is_doctest(occurrence) or not named


def _is_called_from_outside(move: Move, path: str, occurrence: Occurrence) -> bool:
    """The macro around it is exported, or its crate cannot name the new home."""
    items, index = move.workspace.facts[path].items, occurrence.item
    while index >= 0 and items[index].kind is not ItemKind.MACRO_RULES:
        index = items[index].parent
    named = may_name(move.workspace, crate_of_text(occurrence.module.crate), move.home.definition.crate)
    return index < 0 or is_exported(items[index]) or not named


def _refuse_in_macro(move: Move, path: str, occurrence: Occurrence) -> Never:
    """The body of a macro is read wherever it is called, where nobody may be able to name the new crate."""
    line = line_number(move.workspace.sources[path], occurrence.start)
    viewer, home = crate_of_text(occurrence.module.crate), move.home.definition.crate
    if viewer != home and not may_name(move.workspace, viewer, home):
        refuse_unnamed(move.workspace, viewer, home, f"the body of a macro ({path}:{line}) needs it")
    refuse_crossing(
        move.workspace,
        move.source.definition.crate,
        move.home.definition.crate,
        f"the body of a macro names `{occurrence.segments[-1].name}` ({path}:{line})",
        hint=f"give the macro at {path}:{line} a path that stays, then preview again",
    )


def _from_the_root(move: Move, occurrence: Occurrence) -> bool:
    """Edition 2015: the path starts at the crate root without saying so (`use f`, `::f`), and the root is the source."""
    return not move.source.definition.path and _starts_at_the_root(move, occurrence)


def _by_way_of_the_root(move: Move, occurrence: Occurrence) -> bool:
    """Edition 2015: `use ::f;` where the root imports the item. The root's import is rewritten and serves on."""
    return bool(move.source.definition.path) and _starts_at_the_root(move, occurrence)


def _starts_at_the_root(move: Move, occurrence: Occurrence) -> bool:
    old = move.workspace.edition(move.source.definition.crate) < 2018
    if not old or is_doctest(occurrence):
        return False
    return occurrence.absolute or (occurrence.role is Role.USE and occurrence.via is None)


def _through_globs(notes: Notes, occurrence: Occurrence, definition: Definition) -> None:
    """A bare use that globs serve: they get company where they serve no more. A plain import is rewritten and serves on."""
    assert occurrence.via is not None
    if occurrence.confidence is Confidence.EXACT:
        notes.certain.add((occurrence.module, definition))
    if served_by_source(notes, definition, occurrence.module):
        return
    workspace, name = notes.move.workspace, occurrence.segments[0].name
    chain = import_chain(workspace, occurrence.via, name)
    if not _leaf(workspace, chain[-1]).glob:
        return
    still = _serving_at_home(notes, occurrence, definition)
    for path, index in chain:
        if (path, _leaf(workspace, (path, index)).path) not in still:
            target = glob_target(workspace, path, index)
            if target is not None:
                notes.through.add((target, definition))
            notes.passed.add((path, index))
            notes.by_glob.add((path, index, definition))


def _leaf(workspace: Workspace, place: tuple[str, int]) -> UseFact:
    return workspace.facts[place[0]].uses[place[1]]


def _serving_at_home(
    notes: Notes, occurrence: Occurrence, definition: Definition
) -> set[tuple[str, tuple[str, ...]]]:
    """`(file, path)` of the globs through which the occurrence finds the item once it has arrived, with nothing else done."""
    arrival, name, after = notes.arrival, occurrence.segments[0].name, notes.move.after(definition)
    bindings = arrival.scope(occurrence.module).spelled(name)
    vias = [b.via for b in bindings if b.definition == after and b.via is not None]
    leaves = [leaf for via in vias for leaf in import_chain(arrival, via, name)]
    return {(path, arrival.facts[path].uses[index].path) for path, index in leaves}
