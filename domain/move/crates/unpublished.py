"""A refusal that a wider visibility would lift: what another crate would have to see, and what it would have to name.

`crates/publishing.py` reads it where the caller asked for that; to anybody else it is a refusal like any other (frontier 2c).
"""

from collections.abc import Iterable
from typing import Any, Never

from attrs import evolve, frozen

from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.reach import anchor_of, module_of
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import Refusal, Refused
from m1nd.domain.rust.names import Definition

OFFER = ", or let the move make it so (--publish, `publish: true`)"


@frozen
class Shown:
    """A path that is wanted: code of the crate of `viewer` is to name `name`, which `module` holds, or will hold."""

    module: Definition
    name: str
    viewer: Definition
    arrives: bool = False
    """It is the moved item that `module` will hold."""
    gates: tuple[str, ...] = ()
    """The conditions that the item stands under, as attributes tell them."""


class Unpublished(Refused):
    """Raised with the items and members that must be `pub`, and the paths that must lead somewhere."""

    def __init__(
        self, refusal: Refusal, seen: frozenset[Definition], named: frozenset[Shown] = frozenset()
    ) -> None:
        super().__init__(refusal)
        self.seen = seen
        self.named = named


def without_offer(lacking: Unpublished) -> Refused:
    """The refusal as it stands where publishing was asked for and does not help."""
    refusal = lacking.refusal
    return Refused(evolve(refusal, hint=refusal.hint.removesuffix(OFFER)))


def refuse_unpublished(
    message: str,
    hint: str,
    seen: Iterable[Definition] = (),
    named: Iterable[Shown] = (),
    **details: Any,
) -> Never:
    """Refuse with `not_movable`; the hint goes on to say that the move can do it itself."""
    refusal = Refusal("not_movable", message, hint + OFFER, details)
    raise Unpublished(refusal, frozenset(seen), frozenset(named))


def path_wanted(move: Move, definition: Definition) -> Shown:
    """The path from the new home to an item of another crate."""
    workspace = move.workspace
    module = module_of(workspace, definition)
    anchor = anchor_of(workspace, definition, len(module.path) + 1)
    item = workspace.item(anchor)
    gates = conditions_of(item) if item is not None else ()
    return Shown(
        module, anchor.name, move.home.definition, gates=tuple(g for g in gates if g.startswith("cfg"))
    )
