"""A moved `macro_rules` and the textual order: who still sees it from its new place, and who would lose it.

The names in a macro's body mean what they mean where it is called. So the body of a moved macro needs nothing at its new
home, and a macro that stays and calls the moved one needs it at every place where it is called itself.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve

from m1nd.domain.move.arrival import put_in, take_out
from m1nd.domain.move.compose import Composition, compose
from m1nd.domain.move.macros.order import MACRO_BODY, Place, calls_of_others, macro_use_lines
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.names import Definition, Namespace, Occurrence, Segment
from m1nd.domain.rust.workspace import Workspace


def out_of_sight(
    move: Move, arrival: Workspace, places: Iterable[Place], definition: Definition
) -> list[Place]:
    """Those of `places` that do not find the item once it has arrived, with nothing else done; only macros can be found."""
    if definition.item_kind != "macro_rules":
        return list(places)
    moved = _arrived(move)
    left: list[Place] = []
    for path, occurrence in places:
        stands = moved.find(path, occurrence.start)
        seen = arrival.macro_scope(occurrence.module, stands[1]) if stands is not None else {}
        if seen.get(definition.name, ()) != (move.after(definition),):
            left.append((path, occurrence))
    return left


def _arrived(move: Move) -> Composition:
    return compose([*take_out(move, {}), *macro_use_lines(move), put_in(move, ())], move.workspace.sources)


def is_at_the_root(move: Move, definition: Definition) -> bool:
    """A macro that `#[macro_export]` shows at the root of its crate, wherever it stands."""
    item = move.workspace.item(definition) if definition.item_kind == "macro_rules" else None
    return item is not None and is_exported(item)


def is_left_to_callers(move: Move, occurrence: Occurrence) -> bool:
    """A name in the body of a macro that was asked for, which is looked up where the macro is called."""
    body = occurrence.item in move.roots and move.facts.items[occurrence.item].kind is ItemKind.MACRO_RULES
    return body and not any(d in move.renamed for ds in occurrence.denotes for d in ds)


def is_in_a_macro_body(occurrence: Occurrence, definition: Definition) -> bool:
    """A macro that another one's body calls by its name alone: it is looked up where that one is called, not here."""
    called = definition.item_kind == "macro_rules" and occurrence.via is None
    return called and occurrence.in_macro == MACRO_BODY and len(occurrence.segments) == 1


def uses_through_macros(move: Move) -> Iterator[tuple[str, Occurrence, Definition]]:
    """Calls of macros that stay and whose bodies call a moved macro: each is a use of that one, as if it were written there."""
    workspace = move.workspace
    for index in move.items:
        if move.facts.items[index].kind is not ItemKind.MACRO_RULES:
            continue
        macro = workspace.definition(move.source.definition, index)
        for path, call in calls_of_others(move, macro):
            named = evolve(
                call, segments=(Segment(macro.name, call.start, call.end),), denotes=((macro,),), via=None
            )
            if macro in workspace.macro_scope(call.module, call.start).get(macro.name, ()):
                yield path, named, macro
                continue
            for binding in workspace.names_beside(path, call, macro.name, Namespace.MACRO):
                if binding.definition == macro:
                    yield path, evolve(named, via=binding.via), macro
