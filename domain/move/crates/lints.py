"""Lints that ask something of public items, when an item becomes one of another crate (frontier 2c)."""

from collections.abc import Iterator, Mapping

from m1nd.domain.move.lint_levels import is_denied, level_of
from m1nd.domain.move.standing import Standing, is_documented
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind

OF_TYPES = ("missing_docs", "missing_debug_implementations", "missing_copy_implementations")
TYPES = ("struct", "enum", "union")


def allowances_across(move: Move, root: int, standing: Standing) -> tuple[str, ...]:
    """Attribute texts that the moved item `root` must carry to be public at home. Raises Refused(not_movable), naming the lint.

    Those of a type cover its fields and variants; its impl blocks get their own (`impl_allowances`).
    """
    workspace, item = move.workspace, move.facts.items[root]
    if standing.after != "pub":
        return ()
    if item.kind.value in TYPES:
        unmet = tuple(_unmet_by(move, root))
        for lint in unmet:
            if level_of(workspace, move.home, lint) == "forbid":
                _refuse(move, root, lint)
        return tuple(f"allow({lint})" for lint in unmet)
    if not is_denied(workspace, move.home, "missing_docs") or is_documented(move, root):
        return ()
    if level_of(workspace, move.home, "missing_docs") == "forbid":
        _refuse(move, root, "missing_docs")
    return ("allow(missing_docs)",)


def _unmet_by(move: Move, root: int) -> Iterator[str]:
    """Lints that the new home denies and that were not asked of the type where it stands."""
    workspace = move.workspace
    shown = is_public(workspace, workspace.definition(move.source.definition, root))
    for lint in OF_TYPES:
        asked = shown and is_denied(workspace, move.source, lint)
        if is_denied(workspace, move.home, lint) and not asked:
            yield lint


def impl_allowances(move: Move, standings: Mapping[int, Standing]) -> Mapping[int, tuple[str, ...]]:
    """Per moved impl block that shows methods of a moved public type, the attribute that a denied `missing_docs` asks for."""
    types = {
        move.facts.items[i].name
        for i, standing in standings.items()
        if move.crosses
        and standing.after == "pub"
        and move.facts.items[i].kind.value in TYPES
        and "missing_docs" in _unmet_by(move, i)
    }
    items = move.facts.items
    blocks = (i for i in move.items if types and items[i].kind is ItemKind.IMPL)
    shown = (b for b in blocks if any(m.parent == b and m.visibility == "pub" for m in items))
    return dict.fromkeys(shown, ("allow(missing_docs)",))


def _refuse(move: Move, root: int, lint: str) -> None:
    item = move.facts.items[root]
    line = line_number(move.workspace.sources[move.source_file], item.start)
    refuse(
        "not_movable",
        f"the lint `{lint}` is denied in {move.dest_file}, where `{item.name}` ({move.source_file}:{line}) becomes public",
        hint=f"meet `{lint}` for `{item.name}` first, or choose another destination",
        lint=lint,
    )
