"""Paths upward in the bodies of macros that move with a module: `super::z` means the module around the one that calls.

Where every call means the same module by it, and that one stays, the path is written from `$crate`, which means it anywhere.
"""

from collections.abc import Iterator
from typing import Never

from m1nd.domain.move.compose import written
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.modules.inside import UPWARD, Collector, landing
from m1nd.domain.move.modules.names import is_outside, way_to
from m1nd.domain.move.raw_names import raw_path
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, occurrences_naming
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role


def serve_bodies(collector: Collector) -> None:
    """Note the paths upward of all macro bodies in the moved files. Raises Refused(not_movable)."""
    move = collector.move
    for path in move.files:
        for occurrence in move.workspace.occurrences(path, move.source.definition.crate):
            if occurrence.in_macro == MACRO_BODY and len(occurrence.segments) > 1:
                steps = _steps(occurrence)
                if steps:
                    _one(collector, path, occurrence, steps)


def _steps(occurrence: Occurrence) -> int:
    """How many words of the path lead upward, or stay."""
    names = [s.name for s in occurrence.segments]
    return next((i for i, name in enumerate(names) if name not in UPWARD), len(names))


def _one(collector: Collector, path: str, occurrence: Occurrence, steps: int) -> None:
    move = collector.move
    callers = set(_callers(move, path, occurrence)) or {occurrence.module}
    means = {_above(caller, occurrence, steps) for caller in callers}
    if means <= set(move.renamed) or (None in means and landing(move, occurrence) is None):
        return
    module = next(iter(means))
    if len(means) > 1 or module is None or not is_outside(move, module):
        _refuse(move, path, occurrence)
    first, end = occurrence.segments[0], occurrence.segments[steps - 1].end
    collector.viewed.update(way_to(module))
    text = raw_path(("$crate", *module.path))
    collector.notes.changes.append(written(path, first.start, end, text.encode()))


def _callers(move: Move, path: str, occurrence: Occurrence) -> Iterator[Definition | None]:
    """The modules that call the macro; None for a place that nobody knows."""
    item = move.workspace.facts[path].items[occurrence.item]
    macro = move.workspace.definition(occurrence.module, occurrence.item)
    if item.kind is not ItemKind.MACRO_RULES or is_exported(item):
        yield None
    for _, call in occurrences_naming(move.workspace, frozenset((macro.name,)), macro.crate):
        if macro in call.target and call.role is not Role.USE:
            yield None if call.in_macro == MACRO_BODY else call.module


def _above(caller: Definition | None, occurrence: Occurrence, steps: int) -> Definition | None:
    """The module that the words upward mean in `caller`."""
    up = sum(s.name == "super" for s in occurrence.segments[:steps])
    if caller is None or up > len(caller.path):
        return None
    return Definition(DefinitionKind.MODULE, caller.crate, caller.path[: len(caller.path) - up])


def _refuse(move: Move, path: str, occurrence: Occurrence) -> Never:
    source = move.workspace.sources[path]
    line = line_number(source, occurrence.start)
    spelled = "::".join(s.name for s in occurrence.segments)
    meant = next(iter(occurrence.target), None)
    written_out = f"`{raw_path(('$crate', *meant.path))}`" if meant is not None else "a path from `$crate`"
    refuse(
        "not_movable",
        f"{path}:{line}: the body of a macro says `{spelled}`, which means something else in every module that calls it",
        hint=f"write {written_out} in the macro at {path}:{line} first",
        file=path,
        line=line,
        name=spelled,
    )
