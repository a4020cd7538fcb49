"""Paths in the files of a module that moves: what led out of the module, or to it from outside, leads there again.

A path inside the module stays as it is. `super::` that leaves it is written from the crate's root; a path to the module by
way of its old parent is written to the new one. What the old surroundings showed only to their descendants is raised or
spelled another way (`names.py`); what came through a glob of theirs gets an import of its own (`glob_names.py`).
"""

from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen, mutable

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.imports.leaves import leaf_of, repoint_import
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.links import link_change
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.modules.names import Leaf, Sight, is_outside, sight, spelled_from_home, way_to
from m1nd.domain.move.modules.reexports import widened
from m1nd.domain.move.qualify import qualify
from m1nd.domain.move.raw_names import raw_segment
from m1nd.domain.move.reach import Raised, path_to
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role

UNSPELLED = (Role.METHOD, Role.FIELD, Role.VISIBILITY)
UPWARD = ("self", "super")


@frozen
class Inside:
    """What the moved files need of what stays."""

    viewed: frozenset[Definition]
    """Definitions that the new home must be able to see."""
    passed: frozenset[Leaf]
    """Imports of the old surroundings that the moved files went through."""
    exported: tuple[Raised, ...]


@mutable
class Collector:
    """Filled while the moved files are read; changes, statements and counts go to `notes`."""

    notes: Notes
    top: Definition
    viewed: set[Definition] = field(factory=set)
    passed: set[Leaf] = field(factory=set)
    served: set[Leaf] = field(factory=set)
    """Globs that lead out of the moved files and go on to bring something."""
    respelled: set[Leaf] = field(factory=set)
    """Globs of which something gets an import of its own."""
    exported: list[Raised] = field(factory=list)
    """Paths that macros get below themselves, and re-exports that show more."""

    @property
    def move(self) -> Move:
        return self.notes.move

    def done(self) -> Inside:
        return Inside(frozenset(self.viewed), frozenset(self.passed), tuple(self.exported))


def rewrite_inside(collector: Collector) -> None:
    """Note every change that a path in the moved files needs. Raises Refused(not_movable)."""
    move = collector.move
    for path in move.files:
        for occurrence in move.workspace.occurrences(path, move.source.definition.crate):
            if not occurrence.segments or is_doctest(occurrence):
                continue
            if occurrence.based:
                collector.viewed.update(_hidden(move, occurrence))
            elif occurrence.role not in UNSPELLED:
                _one(collector, path, occurrence)


def _one(collector: Collector, path: str, occurrence: Occurrence) -> None:
    move, notes = collector.move, collector.notes
    there = evolve(occurrence, module=move.after(occurrence.module))
    if occurrence.role is not Role.DOC:
        collector.viewed.update(_hidden(move, occurrence))
    index = _comes_back(collector, occurrence)
    if occurrence.role is Role.DOC:
        notes.changes += _link(collector, path, occurrence, there, index)
    elif index is not None:
        if occurrence.role is Role.USE:
            repoint_import(notes, path, there, index, collector.top)
        else:
            qualify(notes, path, there, index, collector.top)
    elif not _respelled(collector, path, occurrence, there):
        _upward(collector, path, occurrence)


def _hidden(move: Move, occurrence: Occurrence) -> Iterator[Definition]:
    """Items that stay and that the path names, private to the old surroundings: also of types (`State::new`)."""
    for definitions in occurrence.denotes:
        for definition in definitions:
            stays = definition.kind is DefinitionKind.ITEM and definition not in move.renamed
            if not stays or definition.crate != move.home.definition.crate:
                continue
            seen = move.workspace.visibility_of(definition)
            if not move.workspace.can_see(move.home.definition, seen):
                yield definition


def _comes_back(collector: Collector, occurrence: Occurrence) -> int | None:
    """Index of the segment that names the module, in a path that comes from outside of it."""
    move = collector.move
    for index, definitions in enumerate(occurrence.denotes):
        if collector.top not in definitions or occurrence.segments[index].name in UPWARD:
            continue
        if index and occurrence.segments[index].name != collector.top.name:
            return None  # an import gives it that name, and goes on to lead to it
        if index:
            return index if any(is_outside(move, d) for d in occurrence.denotes[index - 1]) else None
        old = move.workspace.edition(move.source.definition.crate) < 2018
        rooted = occurrence.absolute or occurrence.role is Role.USE
        at_root = not move.source.definition.path and old and rooted and occurrence.via is None
        return 0 if at_root else None
    return None


def _upward(collector: Collector, path: str, occurrence: Occurrence) -> None:
    """`self::super::` and `super::` that leave the module: from the crate's root, where they would lead elsewhere."""
    found = landing(collector.move, occurrence) if occurrence.in_macro != MACRO_BODY else None
    if found is None:
        return
    last, module = found
    first, end = occurrence.segments[0], occurrence.segments[last].end
    collector.viewed.update(way_to(module))
    text = "::".join(("crate", *map(raw_segment, module.path)))
    collector.notes.changes.append(written(path, first.start, end, text.encode()))


def landing(move: Move, occurrence: Occurrence) -> tuple[int, Definition] | None:
    """`(index of the last word of the way up, the module outside that it leads to)`, where it leads elsewhere at home."""
    count = 0
    for segment in occurrence.segments:
        if segment.name not in UPWARD:
            break
        count += 1
    if not count or not occurrence.denotes[count - 1]:
        return None
    module = occurrence.denotes[count - 1][0]
    if not is_outside(move, module):
        return None
    steps = sum(s.name == "super" for s in occurrence.segments[:count])
    again = move.after(occurrence.module).path
    return None if again[: len(again) - steps] == module.path else (count - 1, module)


def _respelled(collector: Collector, path: str, occurrence: Occurrence, there: Occurrence) -> bool:
    """The path went through what the old surroundings show to their descendants alone: another path is written.

    An item that is private there is to be raised, and the path stays.
    """
    move = collector.move
    for index in range(1, len(occurrence.segments)):
        module = next((d for d in occurrence.denotes[index - 1] if is_outside(move, d)), None)
        meant = occurrence.denotes[index]
        if module is None or not meant:
            continue
        seen, leaves = sight(move, module, occurrence.segments[index].name, meant)
        if seen is Sight.RAISE or (seen is Sight.RESPELL and widen(collector, leaves, meant)):
            collector.viewed.update(meant)
            continue
        collector.passed.update(leaves)
        if seen is Sight.RESPELL:
            spelled, needed = spelled_from_home(move, collector.notes.arrival, meant[0], there.module)
            collector.viewed.update((*meant, *needed))
            _respell(collector, path, occurrence, index, spelled)
            return True
    return False


def widen(collector: Collector, leaves: tuple[Leaf, ...], meant: Sequence[Definition]) -> bool:
    """Show what restricted re-exports bring to the new home too; False, and nothing done, where they cannot."""
    raised = widened(collector.move, leaves, meant)
    if raised is None:
        return False
    collector.exported += [r for r in raised if r not in collector.exported]
    return True


def _respell(
    collector: Collector, path: str, occurrence: Occurrence, index: int, spelled: tuple[str, ...]
) -> None:
    """Write `spelled` in place of the path up to segment `index`; a leaf of a group gets a declaration of its own."""
    notes, facts = collector.notes, collector.move.workspace.facts[path]
    words = tuple(raw_segment(s) if i else s for i, s in enumerate(spelled))
    leaf = leaf_of(facts, occurrence) if occurrence.role is Role.USE else None
    if leaf is None:
        start, end = occurrence.start, occurrence.segments[index].end
        notes.changes.append(written(path, start, end, "::".join(words).encode()))
        return
    use = facts.uses[leaf]
    rest = [raw_segment(s.name) for s in occurrence.segments[index + 1 :]] + (["*"] if use.glob else [])
    name = use.alias or (occurrence.segments[index].name if not rest else None)
    alias = name if name != words[-1] else use.alias
    item = facts.items[use.item]
    statement = UseStatement((*words, *rest), alias, item.visibility, kept_attributes(facts, use.item))
    notes.removed.add((path, leaf))
    notes.behind[path, use.item, statement] = None


def _link(
    collector: Collector, path: str, occurrence: Occurrence, there: Occurrence, index: int | None
) -> Iterator[Change]:
    """A doc link that leads out of the module, or to it by way of its old parent."""
    move = collector.move
    if index is not None:
        after = move.renamed[collector.top]
        spelled = path_to(collector.notes.arrival, after, there.module, frozenset((after,)))
        if spelled is not None:
            yield from link_change(move.workspace, path, occurrence, index, spelled)
        return
    found = landing(move, occurrence)
    if found is not None:
        last, module = found
        yield from link_change(move.workspace, path, occurrence, last, ("crate", *module.path))
