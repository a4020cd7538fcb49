"""The plan of a move, pure: reads like the verb, one rule a module (TRANSPLANT.md, The plan).

Nothing is written and nothing is read here but the workspace that is handed in.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from m1nd.domain.edits import FilePlan
from m1nd.domain.move.arrival import arrival_world, put_in
from m1nd.domain.move.assembling import composed, pruned_imports, spelled_leaves
from m1nd.domain.move.boundaries import check_request
from m1nd.domain.move.certificate import certify
from m1nd.domain.move.collisions import check_collisions
from m1nd.domain.move.compose import Change, Composition, written
from m1nd.domain.move.crates.checks import check_needs, check_result, check_start
from m1nd.domain.move.crates.lints import impl_allowances
from m1nd.domain.move.crates.publishing import PublishedTree, published_for, with_published
from m1nd.domain.move.dependencies import needs_of
from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.edits import import_edits
from m1nd.domain.move.imports.new import check_new_imports
from m1nd.domain.move.imports.pruning import Pruned
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.imports.twins import import_twins
from m1nd.domain.move.inline_modules import located
from m1nd.domain.move.links import mend_links
from m1nd.domain.move.lints import check_lints
from m1nd.domain.move.locations import relocated_macros
from m1nd.domain.move.macros.made import imports_of_made
from m1nd.domain.move.macros.moved import paths_of_moved
from m1nd.domain.move.macros.order import macro_use_lines
from m1nd.domain.move.members import members_needed
from m1nd.domain.move.members_at_home import members_raised
from m1nd.domain.move.modules.plan import plan_module
from m1nd.domain.move.new_home import NewHome, line_of_module, new_home
from m1nd.domain.move.parses import check_parse
from m1nd.domain.move.question import resolve
from m1nd.domain.move.reach import Raised
from m1nd.domain.move.receipt import receipt
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.references import requalify
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.move.standing import Standing, raises, standing_of
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.touched import touched_names, whole_files
from m1nd.domain.move.traits.at_home import check_home_traits
from m1nd.domain.move.traits.in_scope import traits_for
from m1nd.domain.move.traits.users import check_newly_seen
from m1nd.domain.move.travel import held_by_others
from m1nd.domain.move.type_privacy import types_in_hand
from m1nd.domain.move.unseen import unseen_references
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace


@frozen
class MovePlan:
    """A move ready to be written. `new` holds the byte ranges of written text per planned file (for the formatter).

    `moved` maps today's definition of every moved item, variants and members too, to its definition at the new home.
    """

    move: Move
    files: tuple[FilePlan, ...]
    new: Mapping[str, tuple[tuple[int, int], ...]]
    receipt: dict[str, Any]
    moved: Mapping[Definition, Definition]


def plan_move(
    request: MoveRequest, workspace: Workspace, files: frozenset[str], unreadable: Mapping[str, Unreadable]
) -> MovePlan:
    """Plan the move of an item, or of a whole module; touch nothing.

    `files`: every file of the repository; `unreadable`: `.rs` files without facts.
    Raises Refused with a code of PORTS.md. Source: seed 002 §2, §7; TRANSPLANT.md.
    """
    request = located(request)
    check_request(request, unreadable, workspace)
    if request.dest_file in files or request.dest_file in workspace.facts:
        return _plan_of(request, workspace, files, unreadable)
    home = new_home(request, workspace, files)
    plan = _plan_of(request, home.world, files | {home.path}, unreadable)
    return _with_new_home(plan, home, workspace)


def _plan_of(
    request: MoveRequest, workspace: Workspace, files: frozenset[str], unreadable: Mapping[str, Unreadable]
) -> MovePlan:
    """The plan on a tree that has the destination, with what it lacks made public where that is asked for."""
    plan, tree = published_for(request, workspace, lambda tree: _plan_on(request, tree, files, unreadable))
    if not tree.told:
        return plan
    planned, told = with_published(plan.files, plan.receipt, workspace, tree)
    return evolve(plan, files=planned, receipt=told)


def _plan_on(
    request: MoveRequest, tree: PublishedTree, files: frozenset[str], unreadable: Mapping[str, Unreadable]
) -> MovePlan:
    move = evolve(resolve(request, tree.world), promised=tree.promised)
    if not move.files:
        return _planned(move, unreadable)
    found = plan_module(move, files, unreadable)
    return MovePlan(move, found.files, found.new, found.receipt, move.renamed)


def _planned(move: Move, unreadable: Mapping[str, Unreadable]) -> MovePlan:
    check_start(move)
    check_collisions(move)
    arrived = arrival_world(move)
    arrival = arrived.world
    needs = needs_of(move, arrived)
    requalified = requalify(move, arrival)
    unseen = tuple(
        unseen_references(move, unreadable, frozenset(s.alias or s.path[-1] for s in needs.statements))
    )
    requalified = evolve(requalified, unresolved=(*requalified.unresolved, *unseen))
    bound = [s.alias or s.path[-1] for s in needs.statements]
    twins = import_twins(move, arrival)
    traits = traits_for(move, arrival, bound, needs.leaves)
    check_home_traits(move, arrival)
    standings = _standings(move, requalified)
    needed = members_needed(move)
    viewed = needs.viewed | traits.viewed | needed | types_in_hand(move, needed)
    check_needs(move, arrival, viewed, (*twins.statements, *needs.statements, *traits.statements))
    raised = (
        *raises(move, viewed, {i: s.region for i, s in standings.items()}, requalified.opened),
        *needs.exported,
    )
    attributes = {
        i: check_lints(move, i, s, arrival, bool(requalified.viewers.get(_defined(move, i))))
        for i, s in standings.items()
    } | dict(impl_allowances(move, standings))
    pruned = pruned_imports(
        move, needs.leaves | traits.leaves | twins.leaves, needs.held | traits.held, requalified
    )
    named = {s.alias for s in twins.statements}
    plain = [*twins.statements, *(s for s in needs.statements if s.alias not in named)]
    plain += imports_of_made(move, arrival, [s.alias or s.path[-1] for s in plain])
    statements = [*plain, *_unless_named(move, traits.statements, plain)]
    kept = _outside_leaves(move, requalified.changes, pruned.leaves)
    elsewhere = [*(r.change for r in raised), *kept, *mend_links(move, arrival, requalified)]
    inside = [c for c in elsewhere if move.moves(c.path, c.start)]
    members = (*members_raised(move), *paths_of_moved(move, requalified))
    changes = [
        *macro_use_lines(move),
        *import_edits(move, statements, requalified, pruned),
        *_text_of_moved(
            move,
            [
                *(c for s in standings.values() for c in s.changes),
                *(m.change for m in members),
                *inside,
                *needs.inner,
            ],
            attributes,
        ),
        *(c for c in elsewhere if c not in inside),
    ]
    composition = composed(move, changes)
    planned = move.workspace.with_files(composition.texts, composition.stays)
    check_parse(move, planned, composition)
    names = touched_names(move, statements, requalified, raised, pruned.leaves)
    certify(move, planned, composition, names, whole_files(move, pruned.leaves))
    check_newly_seen(move, planned)
    check_new_imports(move, planned, composition.new)
    check_result(move, planned, composition.new)
    shown = (*raised, *members, *_others_raised(move, standings))
    return _finished(move, composition, standings[move.root], shown, requalified, statements, pruned)


def _defined(move: Move, item: int) -> Definition:
    return move.workspace.definition(move.source.definition, item)


def _standings(move: Move, requalified: Requalified) -> Mapping[int, Standing]:
    """The visibility of each item that was asked for, by what views it; whoever holds it views it too."""
    held = held_by_others(move.workspace, move.source, move.roots)
    found: dict[int, Standing] = {}
    for item in move.roots:
        viewers = requalified.viewers.get(_defined(move, item), frozenset())
        around = {move.source.definition} if item in held else set()
        found[item] = standing_of(move, item, {*viewers, *around})
    return found


def _others_raised(move: Move, standings: Mapping[int, Standing]) -> tuple[Raised, ...]:
    """What the receipt says of the items that were asked for beside the first; their changes are written already."""
    return tuple(
        Raised(_defined(move, i), move.facts.items[i].name, s.before, s.after or "private", s.changes[0])
        for i, s in standings.items()
        if i != move.root and s.changes
    )


def _text_of_moved(
    move: Move, changes: list[Change], attributes: Mapping[int, tuple[str, ...]]
) -> list[Change]:
    """The moved text at its new home, with everything that changes inside it.

    At one place attributes come first, then modifiers, then what a path begins with (`struct S(pub(super) crate::T)`).
    """
    source = move.workspace.sources[move.source_file]
    newline = newline_of(source)
    above: list[Change] = []
    for item, texts in attributes.items():
        if texts:
            start = move.facts.items[item].start
            gap = newline + (indentation(source, start) if move.source.inline else b"")
            text = b"".join(f"#[{a}]".encode() + gap for a in texts)
            above.append(written(move.source_file, start, start, text))
    return [put_in(move, [*above, *changes, *relocated_macros(move)])]


def _outside_leaves(
    move: Move, changes: Iterable[Change], gone: Collection[tuple[str, int]]
) -> Iterator[Change]:
    """The changes but those inside an import that goes: the path of a glob that would have led to the new home."""
    spans = [(path, move.workspace.facts[path].uses[index]) for path, index in gone]
    for change in changes:
        if not any(
            path == change.path and u.start <= change.start and change.end <= u.end for path, u in spans
        ):
            yield change


def _unless_named(
    move: Move, traits: Iterable[UseStatement], named: Collection[UseStatement]
) -> Iterator[UseStatement]:
    """The imports of traits, but those of a trait that is imported by its name wherever the moved text is compiled."""
    given = set.intersection(*(set(conditions_of(move.facts.items[i])) for i in move.items))
    for trait in traits:
        if not any(n.path == trait.path and _conditions(n) <= _conditions(trait) | given for n in named):
            yield trait


def _conditions(statement: UseStatement) -> set[str]:
    return {g for g in statement.gates if g.startswith("cfg")}


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
    order = list(dict.fromkeys([*first, *sorted(changed)]))
    files = tuple(FilePlan(p, sources[p], composition.texts[p]) for p in order)
    lost = spelled_leaves(move, pruned)
    candidate = receipt(move, order, standing, raised, requalified, statements, lost)
    return MovePlan(move, files, composition.new, candidate, move.renamed)


def _with_new_home(plan: MovePlan, home: NewHome, today: Workspace) -> MovePlan:
    """The plan as seen from today's tree: the new file is created, and its parent holds its `mod` line."""
    planned = {file.path: file.after for file in plan.files}
    planned.setdefault(home.parent, home.world.sources[home.parent])
    planned.setdefault(home.path, home.world.sources[home.path])
    order = [*(f.path for f in plan.files), home.parent]
    came_from = {f.path: f.came_from for f in plan.files}
    files = tuple(
        FilePlan(path, today.sources.get(path), planned[path], came_from.get(path, ""))
        for path in dict.fromkeys(order)
        if today.sources.get(path) != planned[path]
    )
    new = dict(plan.new)
    if home.world.sources[home.parent] != today.sources[home.parent]:
        line = line_of_module(home, planned[home.parent] or b"")
        new[home.parent] = (*new.get(home.parent, ()), *line)
    told = {
        "files_changed": [f.path for f in files],
        "files_created": [home.path, *plan.receipt["files_created"]],
    }
    return evolve(plan, files=files, new=new, receipt={**plan.receipt, **told})
