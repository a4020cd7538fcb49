"""What the certificate must look at: the names whose meaning a plan can change, and the files it can change unseen.

A name is touched when the plan binds it, unbinds it, moves it or makes it visible. Nothing is compared here.
"""

from collections.abc import Iterable

from m1nd.domain.move.imports.statements import UseStatement
from m1nd.domain.move.reach import Raised
from m1nd.domain.move.reference_notes import Requalified
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.visibility import is_inside


def touched_names(
    move: Move,
    statements: Iterable[UseStatement],
    requalified: Requalified,
    raised: Iterable[Raised],
    pruned: Iterable[tuple[str, int]],
) -> frozenset[str]:
    """Every name that means something else, or can be seen from elsewhere, once the plan is carried out."""
    items = move.facts.items
    moved = set(move.items)
    names = {items[i].name for i in moved}
    names |= {i.name for i in items if i.kind is ItemKind.VARIANT and i.parent in moved}
    written = [*statements, *(s for _, _, s in requalified.behind), *(s for _, s in requalified.heads)]
    names |= {s.alias or s.path[-1] for s in written}
    for path, index in {*pruned, *requalified.removed}:
        names.add(move.workspace.facts[path].uses[index].bound_name or "")
    names |= {one.name for one in raised if one.definition.item_kind != "field"}
    return frozenset(name.removeprefix("r#") for name in names if name not in ("", "_"))


def whole_files(move: Move, pruned: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Files where a glob goes: whoever sees its module may have had any name through it."""
    found: set[str] = set()
    for path, index in pruned:
        module = move.workspace.module_at(path, move.workspace.facts[path].uses[index].start)
        if move.workspace.facts[path].uses[index].glob and module is not None:
            found.update(
                m.file for m in move.workspace.modules.values() if is_inside(m.definition, module.definition)
            )
    return frozenset(found)
