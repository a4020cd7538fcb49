"""What the source goes on to bind once the item has left: an import back for whoever stood beside it, and what it shows to the outside."""

from m1nd.domain.move.gates import conditions_of, gates_of, gates_of_statement
from m1nd.domain.move.imports.globs import at_module, leave
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.macros.textual import is_at_the_root, out_of_sight
from m1nd.domain.move.qualify import spell_for, spell_shown
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.world import Move, occurrences_in
from m1nd.domain.rust.names import Confidence, Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.prelude import STD_MACROS


def import_back(notes: Notes) -> None:
    """Bare uses that stood beside the item: the source imports it back (seed 002 §2.8), gated when all uses are."""
    for root in notes.roots:
        if root in notes.kept:
            _re_export(notes, root)
    for module, uses in notes.bare.items():
        by_definition: dict[Definition, list[tuple[str, Occurrence]]] = {}
        for path, occurrence, definition in uses:
            by_definition.setdefault(definition, []).append((path, occurrence))
        for definition, places in by_definition.items():
            if any(o.confidence is Confidence.EXACT for _, o in places):
                notes.certain.add((module, definition))
            if definition in notes.kept and module == notes.move.source.definition:
                continue
            places = out_of_sight(notes.move, notes.arrival, places, definition)
            if not places or (module, definition) in notes.led_on:
                continue
            if _serves_itself(notes, module, definition):
                notes.seen_from(definition, module)
                continue
            spelled = spell_for(notes, *places[0], definition)
            gates = dict.fromkeys(
                (
                    *_own_gates(notes, definition),
                    *_shared_gates(notes, places, module),
                    *leave(notes, definition, module),
                    *_leave_of_words(definition, places),
                    *_leave_of_bodies(notes, module, places),
                )
            )
            statement = UseStatement(spelled, None, "", tuple(gates))
            notes.heads[(module, statement)] = None
            notes.seen_from(definition, module)
            notes.sites.update((p, o.start) for p, o in places)
            notes.back_imported |= module == notes.move.source.definition


def _leave_of_words(definition: Definition, places: list[tuple[str, Occurrence]]) -> tuple[str, ...]:
    """A module's name alone among a macro's tokens, where it may be any word: the import may have no use."""
    module = definition.kind is DefinitionKind.MODULE
    words = all(o.role is Role.TOKEN and len(o.segments) == 1 for _, o in places)
    return ("allow(unused_imports)",) if module and words else ()


def _leave_of_bodies(
    notes: Notes, module: Definition, places: list[tuple[str, Occurrence]]
) -> tuple[str, ...]:
    """Only bodies of macros name the item: who calls them, and under which conditions, is not seen here."""
    workspace = notes.move.workspace
    bodies = all(o.in_macro == MACRO_BODY for _, o in places)
    must = is_denied(workspace, workspace.modules[module], "unused_imports")
    return ("allow(unused_imports)",) if bodies and must else ()


def _serves_itself(notes: Notes, module: Definition, definition: Definition) -> bool:
    """The path that a macro gets below itself serves its own module too."""
    macro = definition.item_kind == "macro_rules" and not is_at_the_root(notes.move, definition)
    return macro and module == notes.move.home.definition


def stay_bound(notes: Notes) -> None:
    """A macro may have a token for the item: the source goes on to bind the name where it calls macros itself."""
    for root in notes.roots:
        _stay_bound_to(notes, root)


def _stay_bound_to(notes: Notes, root: Definition) -> None:
    source = notes.move.source
    if root in notes.kept or not any(u["text"] == root.name for u in notes.unresolved):
        return
    bare = any(d == root for _, _, d in notes.bare.get(source.definition, ()))
    if bare or not _calls_macros(notes.move):
        return
    spelled = spell_for(notes, source.file, at_module(source), root)
    gates = (*_own_gates(notes, root), "allow(unused_imports)")
    notes.heads[(source.definition, UseStatement(spelled, None, "", gates))] = None
    notes.seen_from(root, source.definition)
    notes.back_imported = True


def _calls_macros(move: Move) -> bool:
    """Text of the source module that stays calls a macro that is not the standard library's."""
    return any(
        o.role is Role.MACRO
        and o.module == move.source.definition
        and o.segments[-1].name not in STD_MACROS
        and not move.moves(move.source_file, o.start)
        for o in occurrences_in(move.workspace, move.source_file)
    )


def _re_export(notes: Notes, root: Definition) -> None:
    """The source goes on to show the item to the outside, which cannot name the new home."""
    source = notes.move.source
    spelled = spell_shown(notes, source.file, at_module(source), root)
    notes.heads[(source.definition, UseStatement(spelled, None, "pub", _own_gates(notes, root)))] = None
    notes.seen_from(root, source.definition)
    notes.back_imported = True


def _own_gates(notes: Notes, definition: Definition) -> tuple[str, ...]:
    """The conditions of a moved item itself: where it is not, it cannot be imported either."""
    item = notes.move.workspace.item(definition)
    return tuple(conditions_of(item)) if item is not None else ()


def _shared_gates(notes: Notes, places: list[tuple[str, Occurrence]], module: Definition) -> tuple[str, ...]:
    """What every use stands under beyond the module that is to bind the name: a module below it may look there through a glob."""
    workspace = notes.move.workspace
    given = workspace.modules[module].cfg
    gates = [
        (
            *gates_of(workspace, path, occurrence),
            *gates_of_statement(workspace, path, occurrence),
            *(workspace.modules[occurrence.module].cfg if occurrence.module in workspace.modules else ()),
        )
        for path, occurrence in places
    ]
    shared = set.intersection(*(set(g) for g in gates)) if gates else set()
    return tuple(sorted(shared.difference(given)))
