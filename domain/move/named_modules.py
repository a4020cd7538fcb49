"""Attributes that name a module and mean fns in it: `#[serde(with = "stamp")]` calls `stamp::serialize` (found in real crates)."""

from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.globs import at_module
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.qualify import spell_for
from m1nd.domain.move.reach import common_module, visibility_text
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.world import occurrences_naming
from m1nd.domain.rust.names import Definition, Role

MEANT = ("serialize", "deserialize", "schema", "json_schema")
"""The fns that attributes look for in a module by these very names."""


def stay_in_named_modules(notes: Notes) -> None:
    """The source goes on to show such a fn to whoever names the source in an attribute."""
    source = notes.move.source
    roots = [r for r in notes.roots if r.name in MEANT and r.item_kind == "fn" and r not in notes.kept]
    if not roots or not source.definition.path:
        return
    viewers = _who_names(notes, source.definition)
    for root in roots if viewers else ():
        spelled = spell_for(notes, source.file, at_module(source), root)
        item = notes.move.workspace.item(root)
        gates = tuple(conditions_of(item)) if item is not None else ()
        statement = UseStatement(spelled, None, _shown_to(source.definition, viewers), gates)
        notes.heads[(source.definition, statement)] = None
        notes.led_on.add((source.definition, root))
        notes.back_imported = True
        for viewer in viewers | {source.definition}:
            notes.seen_from(root, viewer)


def _who_names(notes: Notes, source: Definition) -> set[Definition]:
    """The modules in which an attribute names the source."""
    return {
        o.module
        for _, o in occurrences_naming(notes.move.workspace, frozenset((source.name,)), source.crate)
        if o.role is Role.ATTRIBUTE and source in o.target
    }


def _shown_to(source: Definition, viewers: set[Definition]) -> str:
    if any(v.crate != source.crate for v in viewers):
        return "pub"
    return visibility_text(source, common_module((source, *viewers)))
