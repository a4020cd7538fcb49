"""Names that a macro call of the source module declares in its own tokens: `bitflags! { pub struct Flags: u8 { … } }`.

Nobody can tell what the macro makes of them, so a use of one stays reported (`unseen.py`); but where the tokens
declare it for others to see, the new home imports it, and a compiler can say whether that is right.
"""

import re
from collections.abc import Iterable, Iterator

from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.spelling import spell
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.workspace import Workspace

DECLARED = rb"\bpub\s*(?:\(\s*crate\s*\)\s*)?\s(?:(?:unsafe|const|async)\s+)*(?:struct|enum|union|trait|type|fn|const|static)\s+(\w+)"
SHOWN = re.compile(DECLARED)
SPELLED = frozenset((Role.EXPRESSION, Role.CALL, Role.TYPE, Role.STRUCT, Role.PATTERN))


def imports_of_made(move: Move, arrival: Workspace, bound: Iterable[str]) -> tuple[UseStatement, ...]:
    """Imports of what macro calls of the source module declare and the moved text names. `bound`: what home will bind."""
    made = dict(_declared(move))
    home = arrival.scope(move.home.definition)
    taken = {*bound, *_imported(move)}
    source = spell(arrival, move, move.source.definition)
    if not made or source is None:
        return ()
    names = dict.fromkeys(n for n in _unknown(move) if n in made and n not in taken and not home.spelled(n))
    return tuple(UseStatement((*source, name), gates=made[name]) for name in names)


def _declared(move: Move) -> Iterator[tuple[str, tuple[str, ...]]]:
    """`(name, conditions)` of what the module's macro calls declare as `pub` or `pub(crate)`."""
    text = move.workspace.sources[move.source_file]
    for item in move.facts.items:
        if item.kind is ItemKind.MACRO_CALL and item.parent == move.source.scope_item:
            for match in SHOWN.finditer(text, item.start, item.end):
                yield match[1].decode("utf-8", "replace"), tuple(conditions_of(item))


def _imported(move: Move) -> Iterator[str]:
    """Names that the source module imports: those are carried as they are written."""
    for use in move.facts.uses:
        if move.facts.items[use.item].parent == move.source.scope_item and use.bound_name:
            yield use.bound_name


def _unknown(move: Move) -> Iterator[str]:
    """First names in the moved text that nobody declares."""
    for occurrence in moved_occurrences(move):
        unknown = bool(occurrence.segments) and not any(occurrence.denotes) and not occurrence.based
        if unknown and occurrence.role in SPELLED and not is_doctest(occurrence):
            yield occurrence.segments[0].name
