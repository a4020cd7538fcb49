"""Lint levels that a module loses or meets with its new surroundings.

What the modules around it allowed goes along, as an attribute of its line; what those around its new home deny, and its
old surroundings did not, refuses: only a compiler knows what would trip.
"""

from collections.abc import Iterator

from m1nd.domain.move.lint_levels import DENIED, LEVEL, is_denied, level_texts
from m1nd.domain.move.reach import common_module
from m1nd.domain.move.world import Move
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.module_tree import Module

ALLOWING = ("allow", "expect")


def levels_carried(move: Move) -> tuple[str, ...]:
    """Attribute texts (`allow(dead_code)`) for the module's line. Raises Refused(not_movable), naming the lint."""
    here, there = _own(move, move.source), _own(move, move.home)
    for level, lint in there:
        if level in DENIED and (level, lint) not in here and not is_denied(move.workspace, move.source, lint):
            refuse(
                "not_movable",
                f"the lint `{lint}` is denied around {move.dest_file}, and was not around the module so far",
                hint=f"change the level of `{lint}` there, or choose another destination",
                lint=lint,
            )
    known = {lint for level, lint in there if level in ALLOWING}
    lints = [lint for level, lint in here if level in ALLOWING and lint not in known]
    return (f"allow({', '.join(dict.fromkeys(lints))})",) if lints else ()


def _own(move: Move, module: Module) -> list[tuple[str, str]]:
    """`(level, lint)` that the modules around say, up to the one that old and new place share (left out)."""
    shared = common_module((move.source.definition, move.home.definition))
    found: list[tuple[str, str]] = []
    here: Module | None = module
    while here is not None and here.definition != shared:
        for text in level_texts(move.workspace, here):
            found += _levels(text)
        here = move.workspace.modules.get(here.parent) if here.parent is not None else None
    return found


def _levels(text: str) -> Iterator[tuple[str, str]]:
    if text.startswith("cfg_attr"):
        return
    for match in LEVEL.finditer(text):
        for part in match[2].split(","):
            lint = part.strip()
            if lint and "=" not in lint:
                yield match[1], lint
