"""Imports that bring a module and something else of its name: `use crate::wrap;` where the root shows a fn `wrap` too.

Where the module moves, such an import stays for its namesake; one of the module's own stands beside it if it was meant.
"""

from m1nd.domain.move.imports.chains import import_chain
from m1nd.domain.move.reach import common_module, visibility_text
from m1nd.domain.move.world import Move, is_doctest, occurrences_naming
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.visibility import is_inside, parse_visibility
from m1nd.domain.rust.workspace import Workspace

Leaf = tuple[str, int]


def is_meant(move: Move, leaf: Leaf, definition: Definition, seen: frozenset[Leaf] = frozenset()) -> bool:
    """Somebody comes to `definition` by way of the import, or may: from outside of the crate.

    `seen`: imports on the way to this question, which do not count.
    """
    workspace, (path, index) = move.workspace, leaf
    use = workspace.facts[path].uses[index]
    module, name = workspace.module_at(path, use.start), use.bound_name
    if module is None or name is None:
        return True
    shown = workspace.facts[path].items[use.item].visibility == "pub"
    if shown and workspace.visibility_of(definition).scope is None:
        return True
    for file, occurrence in occurrences_naming(workspace, frozenset((name,)), module.definition.crate):
        if occurrence.role is Role.DOC or is_doctest(occurrence):
            continue
        if not any(
            _comes_by(workspace, occurrence, i, definition, leaf, module) for i in _named(occurrence, name)
        ):
            continue
        next_leaf = _leaf_of(workspace.facts[file], occurrence, definition)
        if next_leaf is None:
            return True
        if (file, next_leaf) not in seen and is_meant(move, (file, next_leaf), definition, seen | {leaf}):
            return True
    return False


def _named(occurrence: Occurrence, name: str) -> list[int]:
    return [i for i, segment in enumerate(occurrence.segments) if segment.name == name]


def _comes_by(
    workspace: Workspace,
    occurrence: Occurrence,
    index: int,
    definition: Definition,
    leaf: Leaf,
    module: Module,
) -> bool:
    """Segment `index` denotes the definition, and the import brought it there."""
    if definition not in occurrence.denotes[index]:
        return False
    if index:
        return module.definition in occurrence.denotes[index - 1]
    via = occurrence.via
    return via is not None and leaf in import_chain(workspace, via, occurrence.segments[0].name)


def _leaf_of(facts: FileFacts, occurrence: Occurrence, definition: Definition) -> int | None:
    """The import that hands the definition on together with its namesake; None for any other use of it."""
    if (
        occurrence.role is not Role.USE
        or set(occurrence.target) <= {definition}
        or definition not in occurrence.target
    ):
        return None
    spans = tuple((s.start, s.end) for s in occurrence.segments)
    return next((i for i, use in enumerate(facts.uses) if use.segments == spans and not use.glob), None)


def shown_at_most(move: Move, leaf: Leaf, definition: Definition) -> str:
    """The modifier of an import that brings `definition` alone: the declaration's own, but not more than that one shows."""
    workspace, (path, index) = move.workspace, leaf
    use = workspace.facts[path].uses[index]
    written, module = workspace.facts[path].items[use.item].visibility, workspace.module_at(path, use.start)
    seen = workspace.visibility_of(definition).scope
    if module is None or seen is None or not written:
        return written
    shown = parse_visibility(written, module.definition).scope
    if shown is not None and is_inside(shown, seen):
        return written
    return visibility_text(module.definition, common_module((module.definition, seen)))
