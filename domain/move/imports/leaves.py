"""Imports of a moved item: re-pointed in place, split out of a group, or dropped at the new home (W10, W20, W21, W35)."""

import re

from attrs import evolve

from m1nd.domain.move.compose import written
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes, leaves_of
from m1nd.domain.move.namesakes import is_meant, shown_at_most
from m1nd.domain.move.qualify import count_site, qualify, sibling_of, spell_for, spell_shown
from m1nd.domain.move.raw_names import raw_name, raw_segment
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.text import line_start, newline_of
from m1nd.domain.move.world import Move, occurrences_in
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import FileFacts, ItemKind, UseFact
from m1nd.domain.rust.names import Definition, Occurrence
from m1nd.domain.rust.workspace import Workspace

RAW_ALIAS = re.compile(rb"\s+as\s+\w+")
COMMA_AFTER = re.compile(rb"\s*,[ \t]*")
COMMA_BEFORE = re.compile(rb",\s*\Z")


def repoint_import(
    notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition
) -> None:
    """An import that leads to the item (`index` is its segment): changed in place, split out of its group, or dropped."""
    move = notes.move
    facts = move.workspace.facts[path]
    position = leaf_of(facts, occurrence)
    if position is None:
        _raw_leaf(notes, path, occurrence, index, definition)
        return
    leaf = facts.uses[position]
    count_site(notes, path, occurrence, definition)
    if occurrence.via is not None:
        notes.passed.add(occurrence.via)
    names_it = index == len(occurrence.segments) - 1 and not leaf.glob
    shares = names_it and any(d not in notes.moved_top for d in occurrence.target)
    if names_it and occurrence.module == move.home.definition and not _in_a_body(facts, leaf):
        if not shares or not _leads_elsewhere(notes, path, position, occurrence, index):
            _drop_at_home(notes, path, position, definition)
        return
    if shares and move.files and not is_meant(move, (path, position), definition):
        return
    statement = _statement(notes, path, occurrence, index, definition, leaf)
    if shares and move.files:
        statement = evolve(statement, visibility=shown_at_most(move, (path, position), definition))
    if shares:
        notes.behind[(path, leaf.item, statement)] = None
    elif len(leaves_of(facts, leaf.item)) == 1:
        start, end = _tree_range(move.workspace, path, leaf.item)
        notes.changes.append(written(path, start, end, _tree_text(move, path, occurrence, statement)))
    elif _may_change_in_place(notes, path, occurrence, index, leaf):
        qualify(notes, path, occurrence, index, definition)
    else:
        notes.removed.add((path, position))
        notes.behind[(path, leaf.item, statement)] = None


def _leads_elsewhere(notes: Notes, path: str, position: int, occurrence: Occurrence, index: int) -> bool:
    """An import at home that binds more than the item: what else it binds is left to it, unless nobody uses that.

    By way of a re-export it would go on to bind the item too (E0255). Raises Refused(import_conflict) where home uses
    both.
    """
    move = notes.move
    if move.source.definition in occurrence.denotes[index - 1]:
        return True
    for other in occurrences_in(move.workspace, path):
        if other.via == (path, position) and not any(d in notes.moved_top for d in other.denotes[0]):
            refuse(
                "import_conflict",
                f"{path} imports `{occurrence.segments[-1].name}` for two things, and the newcomer is one of them",
                hint=f"write the other one's path out in {path} first",
                name=occurrence.segments[-1].name,
            )
    return False


def leaf_of(facts: FileFacts, occurrence: Occurrence) -> int | None:
    """The leaf that an occurrence of role `use` was read from."""
    spans = tuple((s.start, s.end) for s in occurrence.segments)
    found = [i for i, u in enumerate(facts.uses) if u.segments == spans]
    if len(found) < 2:
        return found[0] if found else None
    return next((i for i in found if _read_to(facts.uses[i]) == occurrence.end), found[0])


def _read_to(leaf: UseFact) -> int:
    """Where an occurrence of the leaf ends; tells the leaves `self` and `*` of one group apart."""
    return leaf.end if leaf.glob else max(leaf.segments[-1][1], leaf.start)


def _in_a_body(facts: FileFacts, leaf: UseFact) -> bool:
    """The declaration stands in a function's body."""
    parent = facts.items[leaf.item].parent
    return parent >= 0 and facts.items[parent].kind is not ItemKind.MOD


def _statement(
    notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition, leaf: UseFact
) -> UseStatement:
    """A declaration of its own for one leaf, with the group's visibility and conditions."""
    facts = notes.move.workspace.facts[path]
    rest = [raw_segment(s.name) for s in occurrence.segments[index + 1 :]] + (["*"] if leaf.glob else [])
    spelled = (*_leaf_path(notes, path, occurrence, index, definition), *rest)
    visibility = facts.items[leaf.item].visibility
    return UseStatement(spelled, leaf.alias, visibility, kept_attributes(facts, leaf.item))


def _may_change_in_place(notes: Notes, path: str, occurrence: Occurrence, index: int, leaf: UseFact) -> bool:
    """Every leaf that shares the module's segment leads to the item too, and the path to it is written in one piece."""
    workspace = notes.move.workspace
    if index == 0 and len(occurrence.segments) == 1:
        return False
    if index == 0:
        first = (occurrence.segments[0].start, occurrence.segments[0].end)
        shares = [u for u in workspace.facts[path].uses if u.item == leaf.item and first in u.segments]
        return all(u.segments[0] == first for u in shares) and not leaf.absolute
    module = occurrence.segments[index - 1]
    name = occurrence.segments[index].name
    sharing = [
        u
        for u in workspace.facts[path].uses
        if u.item == leaf.item and (module.start, module.end) in u.segments
    ]
    if not all(len(u.path) > index and u.path[index] == name for u in sharing):
        return False
    whole = (
        b"{" not in workspace.sources[path][occurrence.segments[0].start : occurrence.segments[index].start]
    )
    return whole or sibling_of(notes, path, occurrence, index) is not None


def _raw_leaf(notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition) -> None:
    """A `use` that is no item of the file: inside a `macro_rules!` body or a doc test. Worked on as text."""
    source = notes.move.workspace.sources[path]
    last = len(occurrence.segments) - 1
    head = _first_in_group(source, occurrence)
    if notes.move.files and index == last and any(d not in notes.moved_top for d in occurrence.target):
        return  # the namesake of the module stays where it is; whether the module was meant, the certificate sees
    if not 0 < head <= index or (head < index and sibling_of(notes, path, occurrence, index)):
        qualify(notes, path, occurrence, index, definition)
        return
    count_site(notes, path, occurrence, definition)
    alias = RAW_ALIAS.match(source, occurrence.segments[last].end)
    start, end = occurrence.segments[head].start, alias.end() if alias else occurrence.segments[last].end
    after, before = COMMA_AFTER.match(source, end), COMMA_BEFORE.search(source[:start])
    if after:
        end = after.end()
    elif before:
        start = before.start()
    start, end = _clear_of_others(notes, path, start, end)
    notes.changes.append(written(path, start, end, b""))
    stop = source.find(b";", end) + 1
    line = line_start(source, occurrence.start)
    lead = source[line : source.rfind(b"use", line, occurrence.start)]
    rest = (raw_segment(s.name) for s in occurrence.segments[index + 1 :])
    spelled = "::".join((*_leaf_path(notes, path, occurrence, index, definition), *rest)).encode()
    if occurrence.segments[0].name == "$crate" and spelled.startswith(b"crate"):
        spelled = b"$" + spelled
    statement = b"use " + spelled + (alias[0] if alias else b"") + b";"
    gap = newline_of(source) + lead if not lead.strip(b" \t/!*#") else b" "
    notes.changes.append(written(path, stop, stop, gap + statement))


def _clear_of_others(notes: Notes, path: str, start: int, end: int) -> tuple[int, int]:
    """The range without the comma that a neighbour in the group has taken along already."""
    for other in notes.changes:
        if other.path == path and other.start < end and start < other.end:
            start, end = (other.end, end) if other.start <= start else (start, other.start)
    return start, end


def _first_in_group(source: bytes, occurrence: Occurrence) -> int:
    """Index of the segment that opens a leaf inside its innermost group; 0 outside of every group."""
    segments = occurrence.segments
    return max(
        (i for i in range(1, len(segments)) if b"{" in source[segments[i - 1].end : segments[i].start]),
        default=0,
    )


def _tree_text(move: Move, path: str, occurrence: Occurrence, statement: UseStatement) -> bytes:
    """The new tree of a declaration with one leaf; the last segment keeps its spelling (`r#area`)."""
    last = occurrence.segments[-1]
    typed = move.workspace.sources[path][last.start : last.end]
    *head, name = statement.path
    tail = typed if name.removeprefix("r#") == last.name else raw_segment(name).encode()
    alias = f" as {raw_name(statement.alias)}".encode() if statement.alias else b""
    return b"::".join([*(raw_segment(h).encode() for h in head), tail]) + alias


def _tree_range(workspace: Workspace, path: str, item: int) -> tuple[int, int]:
    """The range of a declaration's whole use tree."""
    fact = workspace.facts[path].items[item]
    source = workspace.sources[path]
    root = workspace.parser.parse(source[fact.start : fact.end])
    argument = root.named_children[0].child_by_field_name("argument")
    if argument is None:
        return fact.start, fact.end
    return fact.start + argument.start_byte, fact.start + argument.end_byte


def _leaf_path(
    notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition
) -> tuple[str, ...]:
    """The path of the item in a re-pointed import: the old one with the module's name exchanged where that leads home."""
    sibling = sibling_of(notes, path, occurrence, index)
    if sibling:
        head = [raw_segment(s.name) for s in occurrence.segments[: index - 1]]
        lead = [""] if occurrence.absolute else []
        return (*lead, *head, sibling, raw_name(occurrence.segments[index].name))
    facts = notes.move.workspace.facts[path]
    leaf = leaf_of(facts, occurrence)
    shows = leaf is not None and facts.items[facts.uses[leaf].item].visibility == "pub"
    return (spell_shown if shows else spell_for)(notes, path, occurrence, definition)


def _drop_at_home(notes: Notes, path: str, index: int, definition: Definition) -> None:
    """The destination imported the item: the import goes; an alias stays as `use self::name as alias`."""
    facts = notes.move.workspace.facts[path]
    leaf = facts.uses[index]
    notes.removed.add((path, index))
    item = facts.items[leaf.item]
    in_scope_anyway = leaf.alias == "_" and not item.visibility
    if leaf.alias and leaf.alias != definition.name and not in_scope_anyway:
        statement = UseStatement(
            ("self", definition.name), leaf.alias, item.visibility, kept_attributes(facts, leaf.item)
        )
        notes.behind[(path, leaf.item, statement)] = None
