"""Steps that every plan takes once its rules have answered: which imports go, and the changes made one text."""

from m1nd.domain.edits import OverlappingEdits
from m1nd.domain.move.compose import Change, Composition, compose
from m1nd.domain.move.imports.held import Held
from m1nd.domain.move.imports.pruning import Leaf, Pruned, prune
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.names import Occurrence


def pruned_imports(
    move: Move, used: frozenset[Leaf], held: frozenset[Held], requalified: Requalified
) -> Pruned:
    """Imports nobody uses any more: those the moved text `used`, and those that rewritten references went through.

    `held`: imports that the moved text goes on to use.
    """
    gone = {(c.path, c.start) for c in requalified.changes}

    def rewritten(path: str, occurrence: Occurrence, leaf: Leaf) -> bool:
        if (path, occurrence.start) in gone:
            return True
        spans = {(s.start, s.end) for s in occurrence.segments[:-1]}
        replaced = any(c.path == path and (c.start, c.end) in spans for c in requalified.changes)
        return replaced or (_is_led_on(move, occurrence) and leaf in requalified.passed)

    candidates = (used | requalified.passed) - requalified.removed - requalified.serving
    return prune(move, candidates, held, rewritten)


def _is_led_on(move: Move, occurrence: Occurrence) -> bool:
    """It names what was asked for; of a module that moves, what a re-export shows of it stays spelled as it is."""
    if not move.files:
        return move.concerns(occurrence)
    top = move.workspace.definition(move.source.definition, move.root)
    return any(top in definitions for definitions in occurrence.denotes)


def composed(move: Move, changes: list[Change]) -> Composition:
    """All changes as one text a file. Raises Refused(import_conflict) where two rules want the same bytes."""
    try:
        return compose(changes, move.workspace.sources)
    except OverlappingEdits as overlap:
        refuse(
            "import_conflict",
            f"two rules of the move want to edit the same text ({overlap}); nothing was written",
            hint="move the item by hand, and report the case",
        )


def spelled_leaves(move: Move, pruned: Pruned) -> list[str]:
    """The imports that go, as the receipt shows them."""
    return [_spelled(move, path, leaf) for path, leaf in sorted(pruned.leaves)]


def _spelled(move: Move, path: str, leaf: int) -> str:
    use = move.workspace.facts[path].uses[leaf]
    tail = "::*" if use.glob else f" as {use.alias}" if use.alias else ""
    return f"{path}: use {'::'.join(use.path)}{tail};"
