"""The last look at a plan that crosses crates: every path that was written, or arrived, is open to its crate (E0603).

The certificate has shown that each leads where it led; this shows that each step of it may be taken from where it
stands now (frontier 2c).
"""

from collections.abc import Iterator, Mapping

from m1nd.domain.move.certificate import was_seen
from m1nd.domain.move.crates.crossing import may_name, refuse_unnamed
from m1nd.domain.move.crates.unpublished import path_wanted, refuse_unpublished
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.rust.crate_names import crate_of_text
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

Ranges = Mapping[str, tuple[tuple[int, int], ...]]
"""Per planned file the byte ranges of written text."""


def check_paths(move: Move, planned: Workspace, new: Ranges) -> None:
    """Refuse a path of the plan that its crate may not take: `not_movable`, `dependency_missing` and its like."""
    for path, occurrence in _written(move, planned, new):
        if occurrence.role is Role.DOC or is_doctest(occurrence) or not occurrence.segments:
            continue
        _check_named(move, planned, path, occurrence)
        hidden = next(
            (d for ds in occurrence.denotes for d in ds if _is_hidden(planned, occurrence, d)), None
        )
        if hidden is not None or not was_seen(planned, occurrence):
            line = line_number(planned.sources[path], occurrence.start)
            spelled = "::".join(s.name for s in occurrence.segments)
            target = hidden or next((d for d in occurrence.target if d.kind is DefinitionKind.ITEM), None)
            known = target is not None and move.workspace.locate(target) is not None
            refuse_unpublished(
                f"after the move {path}:{line} would say `{spelled}`, and some step of that path is not public",
                hint=f"make the way to it public first, name a destination that {path} can reach",
                seen=(target,) if known and target is not None else (),
                named=(path_wanted(move, target),) if known and target is not None else (),
                file=path,
                name=spelled,
            )


def _is_hidden(planned: Workspace, occurrence: Occurrence, definition: Definition) -> bool:
    """An item of another crate that is not visible where the path stands (modules are judged by the steps of the path)."""
    if definition.kind is not DefinitionKind.ITEM or definition.crate == crate_of_text(
        occurrence.module.crate
    ):
        return False
    return not planned.can_see(occurrence.module, planned.visibility_of(definition))


def _check_named(move: Move, planned: Workspace, path: str, occurrence: Occurrence) -> None:
    """The first segment that is a crate of the workspace is one that the code may name in every build."""
    here = crate_of_text(occurrence.module.crate)
    first = occurrence.denotes[0] if occurrence.denotes else ()
    for definition in first:
        other = definition.crate
        if definition.kind is DefinitionKind.MODULE and other != here and not may_name(planned, here, other):
            line = line_number(planned.sources[path], occurrence.start)
            refuse_unnamed(
                move.workspace, here, other, f"{path}:{line} would name `{occurrence.segments[0].name}`"
            )


def _written(move: Move, planned: Workspace, new: Ranges) -> Iterator[tuple[str, Occurrence]]:
    """The occurrences that written text touches, and those of all items that arrived."""
    for path, ranges in new.items():
        for module in planned.mounts(path):
            for occurrence in planned.occurrences(path, module.definition.crate):
                if any(a < occurrence.end and occurrence.start < b for a, b in ranges):
                    yield path, occurrence
    for definition in sorted(set(move.renamed.values()), key=lambda d: d.path):
        place = planned.locate(definition)
        if place is not None and place[0] == move.dest_file:
            item = planned.facts[place[0]].items[place[1]]
            for occurrence in planned.occurrences_between(place[0], item.start, item.end, definition.crate):
                yield place[0], occurrence
