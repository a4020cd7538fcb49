"""A moved type that is `#[non_exhaustive]`: from the other crate nobody builds it, matches it whole or casts it any more.

Source: the Rust Reference (The non_exhaustive attribute): E0004, E0638, E0639, and E0606 for `as`.
"""

import re

from m1nd.domain.move.crossing import refuse_crossing
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, occurrences_naming
from m1nd.domain.rust.crate_names import crate_of_text
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, Role

BUILDS = (Role.PATTERN, Role.STRUCT, Role.CALL, Role.EXPRESSION)
CAST = re.compile(rb"\bas\s+[iu](?:8|16|32|64|128|size)\b")
ATTRIBUTE = "non_exhaustive"


def check_exhaustive_types(move: Move) -> None:
    """Refuse with the closed boundary where text of another crate than the new one builds, matches or may cast such a type."""
    told = frozenset(_told(move))
    if not told:
        return
    for path, occurrence in occurrences_naming(
        move.workspace, frozenset(d.name for d in told), move.source.definition.crate
    ):
        stays = not move.moves(path, occurrence.start) and not is_doctest(occurrence)
        outside = crate_of_text(occurrence.module.crate) != move.home.definition.crate
        if stays and outside and occurrence.role in BUILDS:
            found = next((d for ds in occurrence.denotes for d in ds if d in told), None)
            if found is not None:
                _refuse(move, found, path, occurrence.start)
    for path in sorted(
        {
            m.file
            for m in move.workspace.modules.values()
            if m.definition.crate == move.source.definition.crate
        }
    ):
        for cast in CAST.finditer(move.workspace.sources[path]):
            bare = next((d for d in told if _is_bare_enum(move, d)), None)
            if bare is not None and not move.moves(path, cast.start()):
                _refuse(move, bare, path, cast.start())


def _told(move: Move) -> list[Definition]:
    """The moved types and variants with the attribute, and the variants of such enums."""
    found: list[Definition] = []
    for definition in move.renamed:
        item = move.workspace.item(definition)
        if item is None:
            continue
        around = move.facts.items[item.parent] if item.parent >= 0 else item
        mine = any(ATTRIBUTE in a for a in item.attributes)
        if mine or (item.kind is ItemKind.VARIANT and any(ATTRIBUTE in a for a in around.attributes)):
            found.append(definition)
    return found


def _is_bare_enum(move: Move, definition: Definition) -> bool:
    """An enum whose variants carry nothing can be cast to a number."""
    place = move.workspace.locate(definition)
    if definition.item_kind != "enum" or place is None:
        return False
    variants = [i for i in move.workspace.facts[place[0]].items if i.parent == place[1]]
    return not any(i.has_body for i in variants)


def _refuse(move: Move, definition: Definition, path: str, position: int) -> None:
    line = line_number(move.workspace.sources[path], position)
    refuse_crossing(
        move.workspace,
        move.source.definition.crate,
        move.home.definition.crate,
        f"`{definition.name}` is `#[non_exhaustive]`, and {path}:{line} may build it, match it whole or cast it",
        hint=f"give the type a fn for what {path}:{line} does first, or choose a destination in the crate",
    )
