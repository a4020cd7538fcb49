"""Names that a derive or attribute macro on a moved item may have made beside it: they move with it, unseen (D31).

snafu makes a struct for each variant, a builder derive makes `ThingBuilder`. No text declares such a name; where one is
used that nobody declares and that could come from the item, only a compiler can tell.
"""

import re
from collections.abc import Iterator

from m1nd.domain.move.macros.name_makers import has_foreign_macro
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, occurrences_called
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Occurrence, Role

READ = frozenset((Role.EXPRESSION, Role.CALL, Role.TYPE, Role.STRUCT, Role.PATTERN, Role.USE))
SHORTEST = 3
"""Shorter names begin too many others."""


def made_by_derives(move: Move) -> Iterator[dict[str, object]]:
    """`{file, line, text, reason}` per use of a name that nobody declares and that a macro on a moved item may make."""
    makers = [i for i in move.items if has_foreign_macro(move.facts.items[i])]
    if not makers:
        return
    beginnings = tuple(n for i in makers for n in _names(move, i) if len(n) >= SHORTEST)
    for path in sorted(
        {
            m.file
            for m in move.workspace.modules.values()
            if m.definition.crate == move.source.definition.crate
        }
    ):
        for occurrence in _unknown(move, path, beginnings):
            source = move.workspace.sources[path]
            yield {
                "file": path,
                "line": line_number(source, occurrence.start),
                "text": source[occurrence.start : occurrence.end].decode("utf-8", "replace"),
                "reason": "nobody declares this name; a derive of the moved item may make it, and it would move along",
            }


def _names(move: Move, index: int) -> Iterator[str]:
    """The item's name and those of its variants: what is made of it is called after them, as a rule."""
    yield move.facts.items[index].name
    for item in move.facts.items:
        if item.parent == index and item.kind is ItemKind.VARIANT:
            yield item.name


def _unknown(move: Move, path: str, beginnings: tuple[str, ...]) -> Iterator[Occurrence]:
    """Uses of names that nobody declares: behind the source module's name, or beginning like the item in sight of it."""
    workspace, source = move.workspace, move.source.definition
    words = frozenset(n for n in workspace.names_in(path) if n.startswith(beginnings))
    around = frozenset((source.name, "self", "super", "crate")) - {""}
    for occurrence in occurrences_called(workspace, path, words | around):
        unread = occurrence.role not in READ or is_doctest(occurrence) or occurrence.in_macro
        if unread or move.moves(path, occurrence.start):
            continue
        known = occurrence.denotes
        first = next((i for i in range(len(occurrence.segments)) if i >= len(known) or not known[i]), -1)
        name = occurrence.segments[first].name if first >= 0 else ""
        behind = first > 0 and source in known[first - 1]
        alone = first == 0 and name in words and _sees_source(move, path, occurrence)
        if (behind or alone) and not _in_a_call(move, name):
            yield occurrence


def _in_a_call(move: Move, name: str) -> bool:
    """A macro call of the source module is given the name: it is made there, and stays."""
    word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    text = move.workspace.sources[move.source_file]
    calls = (i for i in move.facts.items if i.kind is ItemKind.MACRO_CALL)
    return any(word.search(text, call.start, call.end) for call in calls)


def _sees_source(move: Move, path: str, occurrence: Occurrence) -> bool:
    """The name is written in the source module, or where a glob may bring what that holds."""
    globs = any(use.glob for use in move.workspace.facts[path].uses)
    return occurrence.module == move.source.definition or globs
