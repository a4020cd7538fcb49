"""The plan of a whole module's move, pure: reads like the verb, one rule a module.

Everything is worked out on today's files and paths; at the end whole files get their new names.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from m1nd.domain.edits import FilePlan
from m1nd.domain.move.assembling import composed, pruned_imports, spelled_leaves
from m1nd.domain.move.certificate import certify
from m1nd.domain.move.collisions import check_collisions
from m1nd.domain.move.compose import Change, Composition, renamed, written
from m1nd.domain.move.imports.edits import import_edits
from m1nd.domain.move.imports.new import check_new_imports
from m1nd.domain.move.imports.pruning import Pruned
from m1nd.domain.move.links import link_change, mend_links
from m1nd.domain.move.locations import macros_in_files
from m1nd.domain.move.members import members_needed
from m1nd.domain.move.modules.bodies import serve_bodies
from m1nd.domain.move.modules.glob_names import serve_globs
from m1nd.domain.move.modules.inside import Collector, rewrite_inside
from m1nd.domain.move.modules.levels import levels_carried
from m1nd.domain.move.modules.line import Arrived, arrive, put_line
from m1nd.domain.move.modules.modifiers import modifiers
from m1nd.domain.move.modules.textual import serve_textual_macros, shown_macros
from m1nd.domain.move.new_home import check_new_file
from m1nd.domain.move.parses import check_parse
from m1nd.domain.move.reach import Raised, path_to
from m1nd.domain.move.receipt import receipt
from m1nd.domain.move.reference_notes import Notes, Requalified
from m1nd.domain.move.references import requalify
from m1nd.domain.move.request import Unreadable
from m1nd.domain.move.standing import Standing, raises, standing_of
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.touched import touched_names, whole_files
from m1nd.domain.move.type_privacy import types_in_hand
from m1nd.domain.move.unseen import unseen_of_module
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.workspace import Workspace


@frozen
class ModulePlan:
    """The planned files, the ranges of written text in them, and the candidate receipt."""

    files: tuple[FilePlan, ...]
    new: Mapping[str, tuple[tuple[int, int], ...]]
    receipt: dict[str, Any]


@frozen
class _Found:
    """What the rules answer: references, the line's visibility, what is raised, which imports go."""

    requalified: Requalified
    standing: Standing
    raised: tuple[Raised, ...]
    pruned: Pruned


def plan_module(move: Move, files: frozenset[str], unreadable: Mapping[str, Unreadable]) -> ModulePlan:
    """Plan the move of the module that `move` is about. Raises Refused with a code of PORTS.md.

    `files`: every file of the repository. Source: TRANSPLANT.md (Later cycles).
    """
    _check_names(move, files)
    check_collisions(move)
    levels = levels_carried(move)
    arrived = arrive(move)
    found = _found(move, arrived, unreadable)
    sources = move.workspace.sources
    composition = renamed(composed(move, _changes(move, arrived, found, levels)), move.files, sources)
    _check(move, found, composition)
    plans = tuple(_file_plans(move, composition))
    lost = spelled_leaves(move, found.pruned)
    paths = [p.path for p in plans]
    told = receipt(move, paths, found.standing, found.raised, found.requalified, [], lost)
    moved = [{"from": old, "to": new} for old, new in sorted(move.files.items()) if old != new]
    told |= {"files_moved": moved, "files_created": [row["to"] for row in moved]}
    return ModulePlan(plans, composition.new, told)


def _found(move: Move, arrived: Arrived, unreadable: Mapping[str, Unreadable]) -> _Found:
    """Ask every rule."""
    top = move.workspace.definition(move.source.definition, move.root)
    collected: list[Collector] = []

    def inside(notes: Notes) -> None:
        collected.append(Collector(notes, top))
        rewrite_inside(collected[0])
        serve_globs(collected[0])
        serve_bodies(collected[0])
        serve_textual_macros(collected[0], arrived)

    requalified = requalify(move, arrived.world, inside)
    within = collected[0].done()
    unseen = unseen_of_module(move, unreadable)
    requalified = evolve(requalified, unresolved=(*requalified.unresolved, *unseen))
    standing = standing_of(move, move.root, requalified.viewers.get(top, frozenset()))
    needed = members_needed(move)
    viewed = within.viewed | needed | types_in_hand(move, needed)
    raised = raises(move, viewed, {move.root: standing.region}, requalified.opened)
    pruned = pruned_imports(move, within.passed, frozenset(), requalified)
    return _Found(requalified, standing, (*raised, *within.exported), pruned)


def _changes(move: Move, arrived: Arrived, found: _Found, levels: tuple[str, ...]) -> list[Change]:
    """All changes, at today's places."""
    elsewhere = [
        *(r.change for r in found.raised),
        *found.requalified.changes,
        *mend_links(move, arrived.world, found.requalified),
        *modifiers(move),
        *macros_in_files(move),
    ]
    in_line = [c for c in elsewhere if move.holds(c.path, c.start)]
    links = _links_of_line(move, arrived.world)
    line = [*_attributes(move, levels), *found.standing.changes, *in_line, *links]
    return [
        *import_edits(move, [], found.requalified, found.pruned),
        put_line(move, arrived.spot, line),
        *(c for c in elsewhere if c not in in_line),
    ]


def _check(move: Move, found: _Found, composition: Composition) -> None:
    """Parse, resolve and compare the planned tree. Raises Refused."""
    gone = dict.fromkeys(composition.gone)
    planned = move.workspace.with_files({**gone, **composition.texts}, composition.stays)
    check_parse(move, planned, composition)
    names = touched_names(move, [], found.requalified, found.raised, found.pruned.leaves)
    whole = whole_files(move, found.pruned.leaves) | frozenset((*move.files, *move.files.values()))
    certify(move, planned, composition, names | shown_macros(move), whole)
    check_new_imports(move, planned, composition.new)


def _check_names(move: Move, files: frozenset[str]) -> None:
    """No file stands where one of the module's would."""
    leaving = frozenset(old for old, new in move.files.items() if old != new)
    for old in sorted(leaving):
        check_new_file(move.workspace, move.files[old], files - leaving)


def _attributes(move: Move, levels: tuple[str, ...]) -> Iterator[Change]:
    """Attributes that the line gets."""
    source, start = move.workspace.sources[move.source_file], move.root_item.start
    for text in levels:
        gap = newline_of(source) + indentation(source, start)
        yield written(move.source_file, start, start, f"#[{text}]".encode() + gap)


def _links_of_line(move: Move, arrival: Workspace) -> Iterator[Change]:
    """Doc links above the line, which the old parent's names explain: the new one's may not."""
    extent, home = move.extents[0], move.home.definition
    crate = move.source.definition.crate
    for link in move.workspace.occurrences_between(move.source_file, extent.start, extent.end, crate):
        meant = {move.after(d) for d in link.target}
        if link.role is not Role.DOC or not meant:
            continue
        found = arrival.resolve(home, [s.name for s in link.segments], link.namespaces, link.absolute)
        if found and set(found[-1]) == meant:
            continue
        after = move.after(link.target[0])
        spelled = path_to(arrival, after, home, frozenset((after,)))
        if spelled is not None:
            yield from link_change(move.workspace, move.source_file, link, len(link.segments) - 1, spelled)


def _file_plans(move: Move, composition: Composition) -> Iterator[FilePlan]:
    """The two parents first, then the rest by path; a file that moves is one that goes and one that comes."""
    sources = move.workspace.sources
    changed = [p for p, text in composition.texts.items() if move.today(p) != p or text != sources[p]]
    first = [p for p in dict.fromkeys((move.source_file, move.dest_file)) if p in changed]
    rest = sorted(p for p in {*changed, *composition.gone} if p not in first)
    for path in (*first, *rest):
        before = None if move.today(path) != path else sources[path]
        came_from = move.today(path) if move.today(path) != path else ""
        yield FilePlan(path, before, composition.texts.get(path), came_from)
