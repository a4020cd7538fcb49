"""What a move between crates makes public where the caller asks for it, as a careful human would before the move.

The items and members that the other crate must see become `pub`, with what their interface speaks of; where no path
leads there, the nearest module that the other crate can name shows them on by `pub use`. The move is then planned on
that tree, by the same rules as if its owner had written it so (frontier 2c).
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from attrs import evolve, frozen

from m1nd.domain.edits import FilePlan
from m1nd.domain.move.certificate import certify
from m1nd.domain.move.compose import compose
from m1nd.domain.move.crates.publicity import Published, interface_closed, made_public
from m1nd.domain.move.crates.publishing_checks import check_published
from m1nd.domain.move.crates.shown_paths import shown_on
from m1nd.domain.move.crates.unpublished import Shown, Unpublished, without_offer
from m1nd.domain.move.question import resolve
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace

ROUNDS = 8
"""How often what was published may call for more (a path for what became visible, a type of what is named now)."""
Planned = TypeVar("Planned")


@frozen
class PublishedTree:
    """`world`: today's tree with what became public. `promised`: items that a `pub use` waits for: `(module, name)`."""

    world: Workspace
    told: tuple[Published, ...] = ()
    promised: frozenset[tuple[Definition, str]] = frozenset()


def published_for(
    request: MoveRequest, today: Workspace, plan_on: Callable[[PublishedTree], Planned]
) -> tuple[Planned, PublishedTree]:
    """Plan on today's tree, and again with what that lacked made public. Raises what the plan does, and Refused(not_movable)."""
    tree = PublishedTree(today)
    for _ in range(ROUNDS):
        try:
            return plan_on(tree), tree
        except Unpublished as lacking:
            if not request.publish:
                raise
            further = _further(request, tree, lacking)
            if further is None:
                raise without_offer(lacking) from lacking
            tree = further
    return plan_on(tree), tree


def _further(request: MoveRequest, tree: PublishedTree, lacking: Unpublished) -> PublishedTree | None:
    """The tree with what was lacking; None where that is no help."""
    world = tree.world
    wanted = interface_closed(world, lacking.seen | _declared(world, lacking.named))
    told = [*made_public(world, wanted)]
    named = [s for s in lacking.named if (s.module, s.name) not in tree.promised]
    paths = [p for s in sorted(named, key=lambda s: (s.module.path, s.name)) for p in shown_on(world, s)]
    if not told and not paths:
        return None
    move = resolve(request, world)
    told = check_published(move, told, lacking.named)
    changes = [change for one in (*told, *paths) for change in one.changes]
    composition = compose(changes, world.sources)
    after = world.with_files(composition.texts, composition.stays)
    still = evolve(move, roots=(), items=(), extents=(), renamed={})
    certify(still, after, composition, frozenset(_names((*told, *paths))))
    promised = {(s.module, s.name) for s in lacking.named if s.arrives}
    return PublishedTree(after, (*tree.told, *told, *paths), tree.promised | promised)


def _declared(world: Workspace, named: Iterable[Shown]) -> frozenset[Definition]:
    """The items behind the paths that are wanted, but for those that have yet to arrive."""
    return frozenset(
        binding.definition
        for shown in named
        if not shown.arrives
        for binding in world.scope(shown.module).spelled(shown.name)
        if binding.origin == "item"
    )


def _names(told: Iterable[Published]) -> Iterable[str]:
    """What code elsewhere may come to mean: the names, and for a field its struct's, whose constructor it may show."""
    for one in told:
        yield one.definition.name
        if one.definition.item_kind == "field":
            yield one.definition.path[-2]


def with_published(
    files: Iterable[FilePlan], receipt: Mapping[str, Any], today: Workspace, tree: PublishedTree
) -> tuple[tuple[FilePlan, ...], dict[str, Any]]:
    """The planned files as seen from today's tree, and the receipt that tells what became public."""
    planned = {file.path: file for file in files}
    order = list(dict.fromkeys((*planned, *sorted({one.path for one in tree.told}))))
    found = []
    for path in order:
        file = planned.get(path, FilePlan(path, today.sources[path], tree.world.sources[path]))
        if file.before is not None and path in today.sources:
            file = evolve(file, before=today.sources[path])
        if file.before != file.after:
            found.append(file)
    told = {
        "files_changed": [file.path for file in found],
        "published": [one.told() for one in tree.told],
    }
    return tuple(found), {**receipt, **told}
