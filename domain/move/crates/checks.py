"""The rules of a move between two crates, in the order of the plan; each asks nothing of a move within one (frontier 2c)."""

from collections.abc import Iterable

from m1nd.domain.move.crates.crossing import check_crates, may_name, refuse_unnamed
from m1nd.domain.move.crates.moved_text import check_moved_text, check_statements, is_unseen, refuse_unseen
from m1nd.domain.move.crates.moved_types import check_types
from m1nd.domain.move.crates.result import Ranges, check_paths
from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.workspace import Workspace


def check_start(move: Move) -> None:
    """What today's tree tells: the moved text, its impls and members, and what the old crate shows."""
    if not move.crosses:
        return
    check_moved_text(move)
    check_types(move)
    for root in move.roots:
        _check_surface(move, move.workspace.definition(move.source.definition, root))


def check_needs(
    move: Move, arrival: Workspace, viewed: Iterable[Definition], statements: Iterable[UseStatement]
) -> None:
    """What the plan would ask for: nothing is made public but what moves, and imports mean the same at the new home."""
    if not move.crosses:
        return
    check_statements(move, arrival, statements)
    check_crates(move.workspace, move.source, move.home)
    unseen = (d for d in sorted(viewed, key=lambda d: d.path) if is_unseen(move, d))
    refuse_unseen(move, dict.fromkeys(unseen, "named, or by its values"))


def check_result(move: Move, planned: Workspace, new: Ranges) -> None:
    """What the planned tree says."""
    if move.crosses:
        check_paths(move, planned, new)


def _check_surface(move: Move, definition: Definition) -> None:
    """What a library shows to the outside it goes on to show, by `pub use`; only a package that is never published may not."""
    workspace = move.workspace
    source, home = move.source.definition.crate, move.home.definition.crate
    target = workspace.target(source)
    package = workspace.cargo.package_at(target.package)
    if target.proc_macro or may_name(workspace, source, home) or (package and not package.published):
        return
    if is_public(workspace, definition):
        why = f"the library `{target.name}` shows `{definition.name}` and must go on to (its package may be published)"
        refuse_unnamed(workspace, source, home, why)
