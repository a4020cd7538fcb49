"""Lints that ask something of public items, when an item becomes one of another crate (frontier 2c)."""

from m1nd.domain.move.lint_levels import is_denied, level_of
from m1nd.domain.move.standing import Standing, is_documented
from m1nd.domain.move.surface import is_public
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse

OF_TYPES = ("missing_docs", "missing_debug_implementations", "missing_copy_implementations")
TYPES = ("struct", "enum", "union")


def allowances_across(move: Move, root: int, standing: Standing) -> tuple[str, ...]:
    """Attribute texts that the moved item `root` must carry to be public at home. Raises Refused(not_movable), naming the lint.

    A type with its fields, variants and methods would need many: it moves only from where the same was asked of it.
    """
    workspace, item = move.workspace, move.facts.items[root]
    if standing.after != "pub":
        return ()
    if item.kind.value in TYPES:
        shown = is_public(workspace, workspace.definition(move.source.definition, root))
        for lint in OF_TYPES:
            if is_denied(workspace, move.home, lint) and not (
                shown and is_denied(workspace, move.source, lint)
            ):
                _refuse(move, root, lint)
        return ()
    if not is_denied(workspace, move.home, "missing_docs") or is_documented(move, root):
        return ()
    if level_of(workspace, move.home, "missing_docs") == "forbid":
        _refuse(move, root, "missing_docs")
    return ("allow(missing_docs)",)


def _refuse(move: Move, root: int, lint: str) -> None:
    item = move.facts.items[root]
    line = line_number(move.workspace.sources[move.source_file], item.start)
    refuse(
        "not_movable",
        f"the lint `{lint}` is denied in {move.dest_file}, where `{item.name}` ({move.source_file}:{line}) becomes public",
        hint=f"meet `{lint}` for `{item.name}` first, or choose another destination",
        lint=lint,
    )
