"""Types that the moved text has in its hands without naming them: results of calls, fields, payloads of variants.

rustc refuses a value whose type is private where it is used, named or not ("type `X` is private"), so these types must
become visible to the new home like any dependency.
"""

import re
from collections.abc import Iterable, Iterator

from m1nd.domain.move.fields import type_of_field
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition, DefinitionKind, Role

TYPES = ("struct", "enum", "union", "type")
WITH_TRAITS = (*TYPES, "trait")
OBJECT = re.compile(rb"\b(?:dyn|impl)\s+(?:for\s*<[^>]*>\s*)?(?:[\w:']+(?:<[^<>]*>)?\s*\+\s*)*\Z")
"""What stands before the name of a trait where the trait is a part of the type itself, and no bound."""
CONSTRUCTS = (Role.CALL, Role.EXPRESSION, Role.PATTERN, Role.STRUCT)
ALIASES = 4
"""How many aliases of aliases are followed."""

Span = tuple[str, int, int]


def types_in_hand(move: Move, members: Iterable[Definition]) -> frozenset[Definition]:
    """Types of the crate that values in the moved text have and that the new home may not see.

    `members`: private members that the moved text uses, those included that only their name tells.
    """
    found: set[Definition] = set()
    spans = list(dict.fromkeys(_mentioned_spans(move)))
    spans += [span for member in members for span in _telling(move, member)]
    for _ in range(ALIASES):
        new = {d for span in spans for d in _types_in(move, span)} - found
        found |= new
        spans = [span for d in new if d.item_kind == "type" for span in _whole(move, d)]
        if not spans:
            break
    return frozenset(d for d in found if _hidden(move, d))


def _hidden(move: Move, definition: Definition) -> bool:
    crates = (move.source.definition.crate, move.home.definition.crate)
    if move.after(definition) != definition or definition.crate not in crates:
        return False
    visibility = move.workspace.visibility_of(definition)
    return not move.workspace.can_see(move.home.definition, visibility)


def _mentioned_spans(move: Move) -> Iterator[Span]:
    """The text that tells the type of each thing the moved text uses."""
    for occurrence in moved_occurrences(move):
        if occurrence.role is Role.DOC:
            continue
        for definition in occurrence.target:
            if definition.kind is not DefinitionKind.ITEM or definition in move.renamed:
                continue
            if (
                definition.item_kind in TYPES
                and occurrence.role not in CONSTRUCTS
                and definition.item_kind != "type"
            ):
                continue
            yield from _telling(move, definition)


def _telling(move: Move, definition: Definition) -> Iterator[Span]:
    """The part of an item's text that tells its type: a signature, a field's type, a payload."""
    place = move.workspace.locate(definition)
    if place is None:
        return
    path, index = place
    item = move.workspace.facts[path].items[index]
    if definition.item_kind == "field":
        yield from type_of_field(move.workspace, definition, path, item)
    elif definition.item_kind == "fn" and item.has_body:
        yield path, item.start, item.body_start
    else:
        yield from _whole(move, definition)


def _whole(move: Move, definition: Definition) -> Iterator[Span]:
    place = move.workspace.locate(definition)
    if place is not None:
        item = move.workspace.facts[place[0]].items[place[1]]
        yield place[0], item.start, item.end


def _types_in(move: Move, span: Span) -> Iterator[Definition]:
    path, start, end = span
    source = move.workspace.sources[path]
    for occurrence in move.workspace.occurrences_between(path, start, end, move.source.definition.crate):
        if occurrence.role is Role.TYPE:
            kinds = WITH_TRAITS if OBJECT.search(source, start, occurrence.start) else TYPES
            yield from (d for d in occurrence.target if d.item_kind in kinds)
