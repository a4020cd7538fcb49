"""Imports of a moved item: re-pointed in place, split out of a group, or dropped at the new home (W10, W20, W21, W35)."""

import re

from m1nd.domain.move.compose import written
from m1nd.domain.move.imports import UseStatement, kept_attributes, leaf_text, leaves_of
from m1nd.domain.move.qualify import count_site, qualify, raw_name, raw_segment, sibling_of, spell_for
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.text import line_start, newline_of
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition, Occurrence
from m1nd.domain.rust.workspace import Workspace

RAW_ALIAS = re.compile(rb"\s+as\s+\w+")
COMMA_AFTER = re.compile(rb"\s*,[ \t]*")
COMMA_BEFORE = re.compile(rb",\s*\Z")


def repoint_import(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> None:
    """An import of the item: re-pointed in place, split out of its group, or (at home) dropped."""
    move = notes.move
    facts = move.workspace.facts[path]
    spans = tuple((s.start, s.end) for s in occurrence.segments)
    index = next((i for i, u in enumerate(facts.uses) if u.segments == spans), None)
    if index is None:
        _raw_leaf(notes, path, occurrence, definition)
        return
    leaf = facts.uses[index]
    count_site(notes, path, occurrence)
    if occurrence.via is not None:
        notes.passed.add(occurrence.via)
    shares = any(d not in notes.moved_top for d in occurrence.target)
    block_level = (
        facts.items[leaf.item].parent >= 0 and facts.items[facts.items[leaf.item].parent].kind.value != "mod"
    )
    if occurrence.module == move.home.definition and not block_level:
        _drop_at_home(notes, path, index, definition, shares)
        return
    spelled = _leaf_path(notes, path, occurrence, definition)
    statement = UseStatement(
        spelled, leaf.alias, facts.items[leaf.item].visibility, kept_attributes(facts, leaf.item)
    )
    siblings = leaves_of(facts, leaf.item)
    if shares:
        notes.behind[(path, leaf.item, statement)] = None
    elif len(siblings) == 1:
        start, end = _tree_range(move.workspace, path, leaf.item)
        notes.changes.append(
            written(path, start, end, leaf_text_of(leaf.alias, spelled, occurrence, move, path))
        )
    elif _inside_leaf(occurrence, leaf.start):
        _rewrite_in_group(notes, path, occurrence, index, definition, statement)
    else:
        notes.removed.add((path, index))
        notes.behind[(path, leaf.item, statement)] = None


def _raw_leaf(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> None:
    """A `use` that is no item of the file: inside a `macro_rules!` body or a doc test. Worked on as text."""
    source = notes.move.workspace.sources[path]
    last = len(occurrence.segments) - 1
    if b"{" not in source[occurrence.segments[last - 1].end : occurrence.segments[last].start]:
        qualify(notes, path, occurrence, last, definition)
        return
    count_site(notes, path, occurrence)
    alias = RAW_ALIAS.match(source, occurrence.segments[last].end)
    start, end = occurrence.segments[last].start, alias.end() if alias else occurrence.segments[last].end
    after, before = COMMA_AFTER.match(source, end), COMMA_BEFORE.search(source[:start])
    if after:
        end = after.end()
    elif before:
        start = before.start()
    notes.changes.append(written(path, start, end, b""))
    stop = source.find(b";", end) + 1
    line = line_start(source, occurrence.start)
    lead = source[line : source.rfind(b"use", line, occurrence.start)]
    spelled = "::".join(_leaf_path(notes, path, occurrence, definition)).encode()
    if occurrence.segments[0].name == "$crate" and spelled.startswith(b"crate"):
        spelled = b"$" + spelled
    statement = b"use " + spelled + (alias[0] if alias else b"") + b";"
    gap = newline_of(source) + lead if not lead.strip(b" \t/!*#") else b" "
    notes.changes.append(written(path, stop, stop, gap + statement))


def leaf_text_of(
    alias: str | None, spelled: tuple[str, ...], occurrence: Occurrence, move: Move, path: str
) -> bytes:
    """The new tree of a declaration with one leaf; the last segment keeps its spelling (`r#area`)."""
    last = occurrence.segments[-1]
    typed = move.workspace.sources[path][last.start : last.end]
    head = "::".join(spelled[:-1]).encode()
    name = typed if spelled[-1].removeprefix("r#") == last.name else spelled[-1].encode()
    return (head + b"::" if head else b"") + name + (f" as {alias}".encode() if alias else b"")


def _tree_range(workspace: Workspace, path: str, item: int) -> tuple[int, int]:
    """The range of a declaration's whole use tree."""
    fact = workspace.facts[path].items[item]
    source = workspace.sources[path]
    root = workspace.parser.parse(source[fact.start : fact.end])
    argument = root.named_children[0].child_by_field_name("argument")
    if argument is None:
        return fact.start, fact.end
    return fact.start + argument.start_byte, fact.start + argument.end_byte


def _inside_leaf(occurrence: Occurrence, leaf_start: int) -> bool:
    """The segment that names the source module is written inside the leaf itself."""
    return len(occurrence.segments) > 1 and occurrence.segments[-2].start >= leaf_start


def _rewrite_in_group(
    notes: Notes,
    path: str,
    occurrence: Occurrence,
    index: int,
    definition: Definition,
    statement: UseStatement,
) -> None:
    """A leaf of a group that names its module itself: `{a::x, b::y}`."""
    facts = notes.move.workspace.facts[path]
    last = len(occurrence.segments) - 1
    sibling = sibling_of(notes, path, occurrence, last)
    if sibling:
        segment = occurrence.segments[last - 1]
        notes.changes.append(written(path, segment.start, segment.end, sibling.encode()))
    elif occurrence.segments[0].start >= facts.uses[index].start:
        leaf = facts.uses[index]
        notes.changes.append(written(path, leaf.start, leaf.end, leaf_text(leaf, statement.path)))
    else:
        notes.removed.add((path, index))
        notes.behind[(path, facts.uses[index].item, statement)] = None


def _leaf_path(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> tuple[str, ...]:
    """The path of a re-pointed import: the old one with the module's name exchanged where that leads home."""
    last = len(occurrence.segments) - 1
    sibling = sibling_of(notes, path, occurrence, last)
    if sibling:
        head = [raw_segment(s.name) for s in occurrence.segments[: last - 1]]
        lead = [""] if occurrence.absolute else []
        return (*lead, *head, sibling, raw_name(occurrence.segments[last].name))
    return spell_for(notes, path, occurrence, definition)


def _drop_at_home(notes: Notes, path: str, index: int, definition: Definition, shares: bool) -> None:
    """The destination imported the item: the import goes; an alias stays as `use self::name as alias`."""
    facts = notes.move.workspace.facts[path]
    leaf = facts.uses[index]
    if shares:
        return
    notes.removed.add((path, index))
    if leaf.alias and leaf.alias != definition.name:
        item = facts.items[leaf.item]
        statement = UseStatement(
            ("self", definition.name), leaf.alias, item.visibility, kept_attributes(facts, leaf.item)
        )
        notes.behind[(path, leaf.item, statement)] = None
