"""The plan of a move, pure: reads like the verb, one rule a module (TRANSPLANT.md, The plan).

Nothing is written and nothing is read here but the workspace that is handed in.
"""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from m1nd.domain.edits import FilePlan, OverlappingEdits
from m1nd.domain.move.arrival import arrival_world, put_in, take_out
from m1nd.domain.move.boundaries import (
    check_conditions,
    check_frontiers,
    check_manifests,
    check_request,
    find_modules,
)
from m1nd.domain.move.certificate import certify, check_parse
from m1nd.domain.move.collisions import check_collisions
from m1nd.domain.move.compose import Change, Composition, compose, written
from m1nd.domain.move.dependencies import Needs, needs_of
from m1nd.domain.move.extent import Extent, extent_of
from m1nd.domain.move.imports import UseStatement, after_use, at_head, remove_leaves, use_extent
from m1nd.domain.move.item import find_item
from m1nd.domain.move.links import mend_links
from m1nd.domain.move.lints import check_lints
from m1nd.domain.move.locations import relocated_macros
from m1nd.domain.move.members import members_needed
from m1nd.domain.move.members_at_home import member_changes
from m1nd.domain.move.pruning import Leaf, Pruned, prune
from m1nd.domain.move.reach import Raised
from m1nd.domain.move.receipt import receipt
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.references import requalify
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.move.standing import Standing, raises, standing_of
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.touched import touched_names, whole_files
from m1nd.domain.move.traits import TraitNeeds, traits_for
from m1nd.domain.move.travel import travelling_set
from m1nd.domain.move.unseen import unseen_references
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Occurrence
from m1nd.domain.rust.workspace import Workspace


@frozen
class MovePlan:
    """A move ready to be written. `new` holds the byte ranges of written text per planned file (for the formatter).

    `moved` maps today's definition of every moved top-level item to its definition at the new home.
    """

    move: Move
    files: tuple[FilePlan, ...]
    new: Mapping[str, tuple[tuple[int, int], ...]]
    receipt: dict[str, Any]
    moved: Mapping[Definition, Definition]


def plan_move(
    request: MoveRequest, workspace: Workspace, files: frozenset[str], unreadable: Mapping[str, Unreadable]
) -> MovePlan:
    """Plan the move of one item; touch nothing.

    `files`: every file of the repository; `unreadable`: `.rs` files without facts.
    Raises Refused with a code of PORTS.md. Source: seed 002 §2, §7; TRANSPLANT.md.
    """
    move = resolve(request, workspace, files, unreadable)
    check_collisions(move)
    arrival, offset = arrival_world(move)
    needs = needs_of(move, arrival, offset)
    requalified = requalify(move, arrival)
    unseen = tuple(unseen_references(move, unreadable))
    requalified = evolve(requalified, unresolved=(*requalified.unresolved, *unseen))
    bound = [s.alias or s.path[-1] for s in needs.statements]
    traits = traits_for(move, arrival, bound, needs.leaves)
    standing = standing_of(move, move.root, requalified.viewers)
    viewed = needs.viewed | traits.viewed | members_needed(move)
    raised = raises(move, viewed, standing.region, requalified.opened)
    carried_attributes = check_lints(move, standing, arrival, bool(requalified.viewers))
    pruned = _pruned(move, needs, traits, requalified)
    statements = [*needs.statements, *traits.statements]
    elsewhere = [*requalified.changes, *mend_links(move, arrival, requalified), *(r.change for r in raised)]
    inside = [c for c in elsewhere if move.moves(c.path, c.start)]
    changes = [
        *_imports(move, needs, statements, requalified, pruned),
        *_text_of_moved(
            move, [*needs.inner, *standing.changes, *member_changes(move), *inside], carried_attributes
        ),
        *(c for c in elsewhere if c not in inside),
    ]
    composition = _compose(move, changes)
    planned = workspace.with_files(composition.texts)
    check_parse(move, planned, composition)
    names = touched_names(move, statements, requalified, raised, pruned.leaves)
    certify(move, planned, composition, names, whole_files(move, pruned.leaves))
    return _finished(move, composition, standing, raised, requalified, statements, pruned)


def resolve(
    request: MoveRequest, workspace: Workspace, files: frozenset[str], unreadable: Mapping[str, Unreadable]
) -> Move:
    """Turn the request into a resolved question, inside every boundary (D26)."""
    check_request(request, files, unreadable, workspace)
    check_manifests(workspace, request)
    source, home = find_modules(workspace, request)
    root = find_item(workspace, request, source)
    check_frontiers(source, home)
    check_conditions(source, home)
    items = travelling_set(workspace, source, root)
    text = workspace.sources[source.file]
    facts = workspace.facts[source.file]
    extents = tuple(extent_of(text, i, facts.items[i]) for i in items)
    return Move(
        workspace, request, source, home, root, items, extents, _renamed(workspace, source, home, items)
    )


def _renamed(
    workspace: Workspace, source: Module, home: Module, items: tuple[int, ...]
) -> Mapping[Definition, Definition]:
    """Today's definition of each moved item, nested ones included, to that at the new home."""
    facts = workspace.facts[source.file]
    inside = set(items)
    for index, item in enumerate(facts.items):
        if item.parent in inside:
            inside.add(index)
    table: dict[Definition, Definition] = {}
    depth = len(source.definition.path)
    for index in sorted(inside):
        if facts.items[index].kind in (ItemKind.USE, ItemKind.IMPL, ItemKind.MACRO_CALL, ItemKind.UNPARSED):
            continue
        old = workspace.definition(source.definition, index)
        table[old] = Definition(
            old.kind,
            home.definition.crate,
            (*home.definition.path, *old.path[depth:]),
            old.item_kind,
            old.ordinal,
        )
    return table


def _text_of_moved(move: Move, changes: list[Change], attributes: tuple[str, ...]) -> list[Change]:
    """The moved text at its new home, with everything that changes inside it."""
    source = move.workspace.sources[move.source_file]
    inner = [*changes, *relocated_macros(move)]
    if attributes:
        newline = newline_of(source)
        text = b"".join(f"#[{a}]".encode() + newline for a in attributes)
        inner.append(written(move.source_file, move.root_item.start, move.root_item.start, text))
    return [put_in(move, inner)]


def _pruned(move: Move, needs: Needs, traits: TraitNeeds, requalified: Requalified) -> Pruned:
    """Imports nobody uses any more: those the moved text used, and those that rewritten references went through."""
    gone = {(c.path, c.start) for c in requalified.changes}

    def rewritten(path: str, occurrence: Occurrence, leaf: Leaf) -> bool:
        if (path, occurrence.start) in gone:
            return True
        spans = {(s.start, s.end) for s in occurrence.segments[:-1]}
        replaced = any(c.path == path and (c.start, c.end) in spans for c in requalified.changes)
        return replaced or (move.concerns(occurrence) and leaf in requalified.passed)

    candidates = (needs.leaves | traits.leaves | requalified.passed) - requalified.removed
    return prune(move, candidates, needs.held | traits.held, rewritten)


def _imports(
    move: Move, needs: Needs, statements: list[UseStatement], requalified: Requalified, pruned: Pruned
) -> list[Change]:
    """All import surgery: leaves out, declarations cut, statements in; moved extents are cut with them."""
    workspace = move.workspace
    by_file: dict[str, set[int]] = {}
    for path, leaf in requalified.removed | pruned.leaves:
        by_file.setdefault(path, set()).add(leaf)
    changes: list[Change] = []
    emptied: dict[str, list[Extent]] = {}
    gone: dict[str, set[int]] = {move.source_file: set(move.items)}
    for path, leaves in sorted(by_file.items()):
        removal = remove_leaves(
            workspace.parser, path, workspace.sources[path], workspace.facts[path], leaves
        )
        changes += removal.changes
        emptied[path] = [
            use_extent(workspace.sources[path], workspace.facts[path], i) for i in removal.emptied
        ]
        gone.setdefault(path, set()).update(removal.emptied)
    emptied_before = dict(emptied)
    behind: dict[tuple[str, int], list[UseStatement]] = {}
    for path, item, statement in requalified.behind:
        behind.setdefault((path, item), []).append(statement)
    for path, extents in emptied.items():
        changes += _replaced(move, path, extents, behind)
        emptied[path] = [e for e in extents if (path, e.item) not in behind]
    changes += take_out(move, emptied)
    for path, item, gate in pruned.gated:
        start = workspace.facts[path].items[item].start
        newline = newline_of(workspace.sources[path])
        changes.append(written(path, start, start, f"#[{gate}]".encode() + newline))
    for (path, item), mine in behind.items():
        if not any(e.item == item for e in emptied_before.get(path, ())):
            changes.append(after_use(path, workspace.sources[path], workspace.facts[path], item, mine))
    heads: dict[Definition, list[UseStatement]] = {}
    for module, statement in requalified.heads:
        heads.setdefault(module.definition, []).append(statement)
    if statements:
        heads.setdefault(move.home.definition, []).extend(statements)
    for definition, mine in heads.items():
        module = workspace.modules[definition]
        hidden = frozenset(gone.get(module.file, set()))
        changes.append(at_head(workspace, module, tuple(dict.fromkeys(mine)), hidden))
    return changes


def _replaced(
    move: Move, path: str, extents: list[Extent], behind: Mapping[tuple[str, int], list[UseStatement]]
) -> list[Change]:
    """A declaration that loses every leaf and has a successor is overwritten where it stands."""
    source = move.workspace.sources[path]
    newline = newline_of(source)
    changes: list[Change] = []
    for extent in extents:
        if (path, extent.item) in behind:
            indent = indentation(source, extent.start)
            text = b"".join(s.text(newline, indent) for s in behind[(path, extent.item)])
            changes.append(written(path, extent.start, extent.end, text.strip(b" \t\r\n")))
    return changes


def _compose(move: Move, changes: list[Change]) -> Composition:
    try:
        return compose(changes, move.workspace.sources)
    except OverlappingEdits as overlap:
        refuse(
            "import_conflict",
            f"two rules of the move want to edit the same text ({overlap}); nothing was written",
            hint="move the item by hand, and report the case",
        )


def _finished(
    move: Move,
    composition: Composition,
    standing: Standing,
    raised: tuple[Raised, ...],
    requalified: Requalified,
    statements: list[UseStatement],
    pruned: Pruned,
) -> MovePlan:
    sources = move.workspace.sources
    changed = [p for p in composition.texts if composition.texts[p] != sources[p]]
    first = [p for p in (move.source_file, move.dest_file) if p in changed]
    order = [*first, *sorted(p for p in changed if p not in first)]
    files = tuple(FilePlan(p, sources[p], composition.texts[p]) for p in order)
    lost = [_spelled(move, path, leaf) for path, leaf in sorted(pruned.leaves)]
    candidate = receipt(move, order, standing, raised, requalified, statements, lost)
    moved = {
        old: new for old, new in move.renamed.items() if len(old.path) == len(move.source.definition.path) + 1
    }
    return MovePlan(move, files, composition.new, candidate, moved)


def _spelled(move: Move, path: str, leaf: int) -> str:
    use = move.workspace.facts[path].uses[leaf]
    tail = "::*" if use.glob else f" as {use.alias}" if use.alias else ""
    return f"{path}: use {'::'.join(use.path)}{tail};"
