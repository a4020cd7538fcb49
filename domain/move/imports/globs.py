"""Glob imports that brought a moved item: an explicit import beside each that somebody needs (W11, W15)."""

from m1nd.domain.move.gates import conditions_of, gates_of
from m1nd.domain.move.imports.chains import glob_target
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.qualify import spell_for
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Namespace, Occurrence, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

PRIVATE = ("", "pub(self)")


def beside_globs(notes: Notes) -> None:
    """Glob imports that brought the item: an explicit import beside each that somebody needs (W11, W15)."""
    move, workspace = notes.move, notes.move.workspace
    for path in workspace.files_around(move.source.definition.crate):
        for index, leaf in enumerate(workspace.facts[path].uses):
            if leaf.glob and not move.moves(path, leaf.start) and _imports_source(notes, path, index):
                for definition in notes.moved_top:
                    _beside_glob(notes, path, index, definition)


def drop_dead_globs(notes: Notes) -> None:
    """Globs of a source that is left without anything to show: they bring nothing, and rustc says so."""
    move = notes.move
    items = (move.facts.items[i] for i in move.facts.children(move.source.scope_item) if i not in move.items)
    if notes.kept or not all(i.kind is ItemKind.USE and i.visibility in PRIVATE for i in items):
        return
    for path in move.workspace.files_around(move.source.definition.crate):
        for index, leaf in enumerate(move.workspace.facts[path].uses):
            if leaf.glob and not move.moves(path, leaf.start) and _imports_source(notes, path, index):
                notes.removed.add((path, index))
                notes.files[path] = None


def _imports_source(notes: Notes, path: str, index: int) -> bool:
    leaf = notes.move.workspace.facts[path].uses[index]
    names = {notes.move.source.definition.name, "self", "super", "crate"}
    likely = (
        not leaf.path or leaf.path[-1] in names or len(leaf.path) == 1 or _may_be_alias(notes, leaf.path[-1])
    )
    return likely and glob_target(notes.move.workspace, path, index) == notes.move.source.definition


def _may_be_alias(notes: Notes, name: str) -> bool:
    """Some import calls the source module `name`."""
    return name in notes.module_aliases


def _beside_glob(notes: Notes, path: str, index: int, definition: Definition) -> None:
    move, workspace, arrival = notes.move, notes.move.workspace, notes.arrival
    facts = workspace.facts[path]
    leaf = facts.uses[index]
    item = facts.items[leaf.item]
    module = workspace.module_at(path, leaf.start)
    if module is None or module.definition == move.home.definition:
        return
    after = move.after(definition)
    namespace = Namespace.MACRO if definition.item_kind == "macro_rules" else Namespace.VALUE
    spaces = (namespace,) if definition.item_kind == "fn" else tuple(Namespace)
    if any(
        b.definition == after for n in spaces for b in arrival.scope(module.definition).get(n, after.name)
    ):
        return
    brings = any(
        b.definition == definition
        for n in spaces
        for b in workspace.scope(move.source.definition).get(n, definition.name)
    )
    visible = brings and workspace.can_see(module.definition, workspace.visibility_of(definition))
    used = (path, index, definition) in notes.by_glob or (module.definition, definition) in notes.through
    shown = bool(item.visibility) and item.visibility != "pub(self)"
    public = workspace.visibility_of(definition).public
    if not visible or not (used or (shown and public)):
        return
    if served_by_source(notes, definition, module.definition):
        return
    spelled = spell_for(notes, path, at_module(module), definition)
    visibility = ""
    if shown and _shows(workspace, definition, item.visibility):
        visibility = item.visibility if public else "pub(crate)"
    gates = dict.fromkeys(
        (
            *kept_attributes(facts, leaf.item),
            *_own_conditions(workspace, definition),
            *leave(notes, definition, module.definition),
        )
    )
    statement = UseStatement(spelled, None, visibility, tuple(gates))
    notes.behind[(path, leaf.item, statement)] = None
    notes.files[path] = None
    notes.seen_from(definition, module.definition)
    notes.sites.add((path, leaf.start))


def leave(notes: Notes, definition: Definition, module: Definition) -> tuple[str, ...]:
    """The attribute for an import of a trait that nobody there may need in the end, where an unused import is an error."""
    if definition.item_kind != "trait" or (module, definition) in notes.certain:
        return ()
    known = notes.move.workspace.modules.get(module)
    denied = known is not None and is_denied(notes.move.workspace, known, "unused_imports")
    return ("allow(unused_imports)",) if denied else ()


def _own_conditions(workspace: Workspace, definition: Definition) -> tuple[str, ...]:
    item = workspace.item(definition)
    return tuple(conditions_of(item)) if item is not None else ()


def _shows(workspace: Workspace, definition: Definition, visibility: str) -> bool:
    """A glob re-export of that visibility really re-exports the item (it shows only what is visible enough)."""
    mine = workspace.visibility_of(definition)
    return mine.public or (visibility not in ("", "pub(self)") and bool(mine.scope and not mine.scope.path))


def served_by_source(notes: Notes, definition: Definition, module: Definition) -> bool:
    """A child of the source with `use super::*` sees what the source itself imports, and the source will import it."""
    source = notes.move.source.definition
    if definition in notes.kept:
        return True
    here = notes.bare.get(source, [])
    ungated = any(not gates_of(notes.move.workspace, p, o) for p, o, d in here if d == definition)
    return ungated and is_inside(module, source)


def at_module(module: Module) -> Occurrence:
    """A place in `module` to spell a path from."""
    return Occurrence(Role.USE, (), 0, 0, False, module.definition, -1, ())
