"""`#[non_exhaustive]` and another crate: there nobody builds or takes apart such a struct or variant, and a match of such an
enum wants an arm for all the rest.

Source: the Rust Reference (The non_exhaustive attribute): E0004, E0005, E0638, E0639, and E0606 for casts of an enum that
has such a variant.
"""

import re
from collections.abc import Iterator
from typing import Never

from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, occurrences_naming
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.crate_names import crate_of_text
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.syntax import SyntaxNode

BUILDS = (Role.PATTERN, Role.STRUCT, Role.CALL, Role.EXPRESSION)
CAST = re.compile(rb"\bas\s+[iu](?:8|16|32|64|128|size)\b")
CATCHES_ALL = re.compile(rb"(?:_|(?:ref\s+)?(?:mut\s+)?[a-z_][a-z0-9_]*)\Z")
ATTRIBUTE = "non_exhaustive"
REFUTABLE = ("let_condition", "let_chain")
IRREFUTABLE = ("let_declaration", "parameter", "closure_parameters", "for_expression")


def check_exhaustive(move: Move) -> None:
    """Refuse with `non_exhaustive` what the attribute keeps for the crate of its type, of what stays and of what moves."""
    for occurrence in moved_occurrences(move):
        if occurrence.segments and not is_doctest(occurrence):
            strangers = (d for ds in occurrence.denotes for d in ds if _is_strange(move, d))
            _check(move, move.source_file, occurrence, strangers)
    mine = frozenset(d for d in move.renamed if _bears(move, d) or _owner_bears(move, d))
    if not mine:
        return
    names = frozenset(d.name for d in mine)
    for path, occurrence in occurrences_naming(move.workspace, names, move.source.definition.crate):
        outside = crate_of_text(occurrence.module.crate) != move.home.definition.crate
        if outside and not move.moves(path, occurrence.start) and not is_doctest(occurrence):
            _check(move, path, occurrence, (d for ds in occurrence.denotes for d in ds if d in mine))
    if any(d.item_kind == "variant" and _bears(move, d) for d in mine):
        _check_casts(move)


def _is_strange(move: Move, definition: Definition) -> bool:
    """Of another crate than the new home, and staying there."""
    ours = definition.kind is DefinitionKind.ITEM and definition not in move.renamed
    return ours and definition.crate != move.home.definition.crate


def _bears(move: Move, definition: Definition) -> bool:
    item = move.workspace.item(definition)
    return item is not None and any(ATTRIBUTE in a for a in item.attributes)


def _owner_bears(move: Move, definition: Definition) -> bool:
    """A variant of an enum with the attribute."""
    owner = move.workspace.forest.owner_definition(definition) if definition.item_kind == "variant" else None
    return owner is not None and _bears(move, owner)


def _check(move: Move, path: str, occurrence: Occurrence, named: Iterator[Definition]) -> None:
    if occurrence.role not in BUILDS:
        return
    for definition in named:
        whole = definition.item_kind in ("struct", "variant") and _bears(move, definition)
        if whole or (_owner_bears(move, definition) and not _leaves_the_rest(move, path, occurrence)):
            _refuse(move, definition, path, occurrence.start)


def _leaves_the_rest(move: Move, path: str, occurrence: Occurrence) -> bool:
    """It builds the variant; or what matches it has an arm for the rest, or may fail to match."""
    if occurrence.in_macro:
        return occurrence.in_macro == "matches"
    source = move.workspace.sources[path]
    for node in reversed(list(_around(move.workspace.parser.parse(source), occurrence.start))):
        pattern = node.child_by_field_name("pattern")
        if pattern is None or not pattern.start_byte <= occurrence.start < pattern.end_byte:
            if node.type == "closure_parameters":
                return False
            continue
        if node.type == "match_arm":
            return _has_arm_for_the_rest(move, source, occurrence.start)
        if node.type in IRREFUTABLE:
            return node.child_by_field_name("alternative") is not None
        if node.type in REFUTABLE:
            return True
    return occurrence.role is not Role.PATTERN


def _around(root: SyntaxNode, position: int) -> Iterator[SyntaxNode]:
    """The nodes around a byte, the outermost first."""
    node: SyntaxNode | None = root
    while node is not None:
        yield node
        node = next((c for c in node.children if c.start_byte <= position < c.end_byte), None)


def _has_arm_for_the_rest(move: Move, source: bytes, position: int) -> bool:
    """The innermost match around the byte has an arm without a condition that takes anything."""
    blocks = [n for n in _around(move.workspace.parser.parse(source), position) if n.type == "match_block"]
    patterns = (arm.child_by_field_name("pattern") for arm in blocks[-1].named_children)
    return any(p is not None and CATCHES_ALL.match(source[p.start_byte : p.end_byte]) for p in patterns)


def _check_casts(move: Move) -> None:
    """Casts to a number in the old crate: nobody here can tell of what."""
    crate = move.source.definition.crate
    bare = next((d for d in move.renamed if _is_bare_enum(move, d)), None)
    if bare is None:
        return
    for path in sorted({m.file for m in move.workspace.modules.values() if m.definition.crate == crate}):
        for cast in CAST.finditer(move.workspace.sources[path]):
            if not move.moves(path, cast.start()):
                _refuse(move, bare, path, cast.start())


def _is_bare_enum(move: Move, definition: Definition) -> bool:
    """An enum whose variants carry nothing can be cast to a number."""
    place = move.workspace.locate(definition)
    if definition.item_kind != "enum" or place is None:
        return False
    variants = [i for i in move.workspace.facts[place[0]].items if i.parent == place[1]]
    return not any(i.kind is ItemKind.VARIANT and i.has_body for i in variants)


def _refuse(move: Move, definition: Definition, path: str, position: int) -> Never:
    line = line_number(move.workspace.sources[path], position)
    refuse(
        "non_exhaustive",
        f"`{'::'.join(definition.path)}` is `#[non_exhaustive]`, and {path}:{line} builds it, matches it whole or may cast it; "
        "after the move the two would be of different crates",
        hint=f"give the type a fn for what {path}:{line} does, or the match an arm `_`, then preview again",
        path=path,
        line=line,
    )
