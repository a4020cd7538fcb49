"""What the moved text needs at its new home: paths re-expressed, imports carried, dependencies made visible.

Every path of the moved text is resolved at home first; only what would mean something else there is touched. An
import keeps the spelling of the text; where the name is taken at home the path is written out instead.
Source: TRANSPLANT.md plan 2 and 4; W1, W13, W25, W36; D37.
"""

from attrs import evolve

from m1nd.domain.move.anchored import anchor, mend_link
from m1nd.domain.move.arrival import Arrival
from m1nd.domain.move.at_home import (
    comes_by_a_conditional_glob,
    is_conditional_at_home,
    is_internal,
    is_preluded,
    means_the_same,
    resolve_at_home,
    rests_on_std,
)
from m1nd.domain.move.carried import provide, statement_for, taken_at_home, write_out
from m1nd.domain.move.imports.held import held_by_path
from m1nd.domain.move.imports.inner import split_out
from m1nd.domain.move.macros.needs import names_left_to
from m1nd.domain.move.macros.textual import is_left_to_callers
from m1nd.domain.move.needs import ANCHORS, Collector, Needs, moved_occurrences
from m1nd.domain.move.reach import is_shown_on_the_way
from m1nd.domain.move.spelling import prefix_definitions
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.names import Definition, Namespace, Occurrence, Role

NAMES_ONLY = (Role.METHOD, Role.FIELD, Role.VISIBILITY)


def needs_of(move: Move, arrived: Arrival) -> Needs:
    """Everything the moved text needs. Raises Refused: `textual_macro_scope`, `import_conflict`, `not_movable`."""
    collector = Collector(move, arrived.world, arrived.offset, arrived.span)
    for occurrence in moved_occurrences(move):
        if occurrence.role not in NAMES_ONLY and occurrence.segments:
            _consider(collector, occurrence)
    for name, occurrences in collector.wanted.items():
        provide(collector, name, occurrences)
    _provide_for_macros(collector)
    collector.inner += split_out(move, collector.split)
    return Needs(
        tuple(collector.inner),
        tuple(collector.statements),
        frozenset(collector.viewed),
        frozenset(collector.leaves),
        frozenset(collector.held),
        tuple(dict.fromkeys(collector.exported)),
    )


def _provide_for_macros(collector: Collector) -> None:
    """Bind at home what macros called in the moved text leave to their caller. Raises Refused(import_conflict)."""
    move, arrival = collector.move, collector.arrival
    for name, call in names_left_to(move.workspace, moved_occurrences(move)).items():
        for namespace in Namespace:
            found = [
                b
                for b in move.workspace.lookup(move.source.definition, name, namespace, call.start)
                if b.origin in ("import", "glob", "item") and b.definition.item_kind != "macro_rules"
            ]
            wanted = {move.after(b.definition) for b in found}
            there = {
                b.definition for b in arrival.lookup(move.home.definition, name, namespace, collector.offset)
            }
            if (
                not found
                or wanted <= there
                or any((s.alias or s.path[-1]) == name for s in collector.statements)
            ):
                continue
            if taken_at_home(collector, name, found):
                refuse(
                    "import_conflict",
                    f"the macro `{call.segments[-1].name}!` takes `{name}` from where it is called; in {move.dest_place} "
                    "that name means something else",
                    name=name,
                )
            there_is = evolve(call, denotes=((found[0].definition,),))
            collector.statements[statement_for(collector, name, found, [there_is])] = None
            collector.viewed.update(prefix_definitions(arrival, move.after(found[0].definition)))
            collector.leaves.update(b.via for b in found if b.via is not None)


def _consider(collector: Collector, occurrence: Occurrence) -> None:
    """Sort one path: right as it is, to be anchored anew, or needing a name at home."""
    move = collector.move
    if is_doctest(occurrence) or is_internal(move, occurrence) or is_preluded(occurrence):
        return
    if is_left_to_callers(move, occurrence):
        return
    in_code = occurrence.role is not Role.DOC
    if occurrence.via is not None and occurrence.via[0] == move.source_file and in_code:
        collector.leaves.add(occurrence.via)
    at_home = resolve_at_home(collector.arrival, move, occurrence, _seen_from(collector, occurrence))
    names = [s.name for s in occurrence.segments]
    shown = is_shown_on_the_way(collector.arrival, move.home.definition, names, at_home)
    same = means_the_same(move, occurrence, at_home)
    if same and (not in_code or (shown and not rests_on_std(move, collector.arrival, occurrence))):
        if is_conditional_at_home(collector, occurrence):
            write_out(collector, [occurrence])
            return
        if not comes_by_a_conditional_glob(collector, occurrence, at_home):
            if in_code:
                _seen_at_home(collector, names, at_home)
            return
    if not in_code:
        mend_link(collector, occurrence)
    elif (
        occurrence.segments[0].name in ANCHORS
        or occurrence.absolute
        or occurrence.role is Role.USE
        or not shown
    ):
        anchor(collector, occurrence)
    else:
        collector.wanted.setdefault(occurrence.segments[0].name, []).append(occurrence)


def _seen_at_home(
    collector: Collector, names: list[str], at_home: tuple[tuple[Definition, ...], ...]
) -> None:
    """The path is right as it is: what it leads through must stay visible, and the imports that it goes through stay."""
    home = collector.move.home.definition
    collector.viewed.update(d for ds in at_home for d in ds)
    collector.held.update(held_by_path(collector.arrival, home, names, at_home, collector.offset))


def _seen_from(collector: Collector, occurrence: Occurrence) -> int:
    """Where textual scope is asked: at the start of the moved text, for a macro that moves too at its end.

    A macro stands before its uses, and moved text keeps its order.
    """
    moves = occurrence.role is Role.MACRO and any(d in collector.move.renamed for d in occurrence.target)
    return collector.span[1] if moves else collector.offset
