"""Other names that the source's own imports give to a moved item. Answers only."""

from m1nd.domain.move.imports.leaves import leaf_of
from m1nd.domain.move.world import Move
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role


def is_alias_of_the_source(move: Move, path: str, occurrence: Occurrence, index: int) -> bool:
    """`alpha::again` beside `pub use self::f as again` in alpha: that import is led to the new home, and the name stays.

    Not where the new home imports it under the item's own name: that import must go (E0255).
    """
    names = {d.name for d in occurrence.denotes[index]}
    if not index or occurrence.segments[index].name in names:
        return False
    if move.source.definition not in occurrence.denotes[index - 1]:
        return False
    if occurrence.role is not Role.USE or occurrence.module != move.home.definition:
        return True
    facts = move.workspace.facts[path]
    position = leaf_of(facts, occurrence)
    return position is not None and facts.uses[position].alias not in names


def shows_on(move: Move, path: str, occurrence: Occurrence, definition: Definition) -> bool:
    """`pub use f as again` beside `f`: a private import of `f` in its stead could not be shown on (E0364)."""
    own = (
        occurrence.role is Role.USE and occurrence.via is None and occurrence.module == move.source.definition
    )
    if not own or definition.kind is DefinitionKind.MODULE or definition.item_kind == "macro_rules":
        return False
    facts = move.workspace.facts[path]
    position = leaf_of(facts, occurrence)
    return position is not None and facts.items[facts.uses[position].item].visibility not in ("", "pub(self)")
