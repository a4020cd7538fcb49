"""What a path of the moved text means where it stands, and what it would mean at the new home. Answers only."""

from m1nd.domain.move.gates import conditions_on, gates_of
from m1nd.domain.move.imports.chains import import_chain
from m1nd.domain.move.needs import ANCHORS, Collector
from m1nd.domain.move.world import Move, own_uses
from m1nd.domain.rust.crate_names import STANDARD_CRATES, of_any_standard
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.prelude import NOT_IN_CORE, PRIMITIVES
from m1nd.domain.rust.workspace import Workspace

UNNAMED = (Role.USE, Role.DOC, Role.TOKEN, Role.FORMAT)
"""Roles of what no condition of home's imports is looked at for: it is anchored, is no code, or may be no path."""
OF_STR_MODULE = ("pattern", "from_utf8", "from_utf8_mut", "from_utf8_unchecked", "from_utf8_unchecked_mut")


def is_preluded(occurrence: Occurrence) -> bool:
    """The name means the same without the import that it seems to come through.

    `Err(…)` beside `use outside::Err;` (the value is the prelude's), `usize::MAX` beside `use core::usize;`.
    """
    first = occurrence.denotes[0] if occurrence.denotes else ()
    if not first or any(d.kind is not DefinitionKind.EXTERNAL for d in first):
        return False
    name = occurrence.segments[0].name
    standard = [d.crate in STANDARD_CRATES for d in first]
    if name in PRIMITIVES:
        in_module = len(occurrence.segments) > 1 and _is_in_module(name, occurrence.segments[1].name)
        return not in_module and all(standard) and all(d.path == (name,) for d in first)
    alone = len(occurrence.segments) == 1 and name in ("Ok", "Err", "Some", "None")
    return alone and not any(standard) and occurrence.role in (Role.CALL, Role.EXPRESSION, Role.PATTERN)


def _is_in_module(primitive: str, name: str) -> bool:
    """The standard module of that name has it, the primitive type has not: `f64::consts`, `str::FromStr`."""
    if primitive in ("str", "char"):
        return not name.isupper() and (name[:1].isupper() or name in OF_STR_MODULE)
    return name == "consts"


def is_internal(move: Move, occurrence: Occurrence) -> bool:
    """The first segment is bound inside the moved text (locals, generics, block-level items and imports), is of a type, or unknown."""
    first = occurrence.denotes[0] if occurrence.denotes else ()
    if not first or occurrence.based:
        return True
    if all(d.kind is DefinitionKind.LOCAL for d in first):
        return True
    if occurrence.via is not None:
        path, leaf = occurrence.via
        return move.moves(path, move.workspace.facts[path].uses[leaf].start)
    for definition in first:
        place = move.workspace.locate(definition) if definition.kind is DefinitionKind.ITEM else None
        if place and place[0] == move.source_file and occurrence.segments[0].name not in ANCHORS:
            item = move.facts.items[place[1]]
            if item.parent != move.source.scope_item and move.moves(place[0], item.start):
                return True
    return False


def resolve_at_home(
    arrival: Workspace, move: Move, occurrence: Occurrence, offset: int
) -> tuple[tuple[Definition, ...], ...]:
    """What the path, spelled as it is, denotes at the new home."""
    names = [s.name for s in occurrence.segments]
    if occurrence.role is Role.USE:
        return arrival.resolve_import(
            move.home.definition, names, occurrence.namespaces or tuple(Namespace), occurrence.absolute
        )
    found = arrival.resolve(
        move.home.definition, names, occurrence.namespaces or tuple(Namespace), occurrence.absolute, offset
    )
    if occurrence.in_macro and occurrence.target and (not found or not found[-1]):
        return arrival.resolve(move.home.definition, names, tuple(Namespace), occurrence.absolute, offset)
    return found


def means_the_same(move: Move, occurrence: Occurrence, at_home: tuple[tuple[Definition, ...], ...]) -> bool:
    """The item that the path leads to is the same thing there (under its name after the move).

    What hangs on that item (an associated fn, a variant) goes by the item, not by the scope: it is not compared, for its
    impl may stand in a file whose own imports of a moved type are not rewritten yet.
    """
    depth = anchor_depth(occurrence)
    if not any(occurrence.denotes) or depth >= len(at_home):
        return not any(occurrence.denotes)
    wanted = {of_any_standard(move.after(d)) for d in occurrence.denotes[depth]}
    found = {of_any_standard(d) for d in at_home[depth]}
    if depth < len(occurrence.denotes) - 1:
        return bool(wanted) and wanted <= found  # of twins on the way an occurrence tells the first alone
    return wanted == found


def anchor_depth(occurrence: Occurrence) -> int:
    """Index of the first segment that is no module (the item the path leads to), else of the last resolved one."""
    depth = 0
    for index, definitions in enumerate(occurrence.denotes):
        if definitions:
            depth = index
        if definitions and all(d.kind is not DefinitionKind.MODULE for d in definitions):
            return index
    return depth


def rests_on_std(move: Move, arrival: Workspace, occurrence: Occurrence) -> bool:
    """An import brings the name here, at home the prelude of `std` alone would, and the crate may leave `std` out."""
    name = occurrence.segments[0].name
    if occurrence.via is None or name not in NOT_IN_CORE or arrival.scope(move.home.definition).spelled(name):
        return False
    return arrival.linker.outside.std_crate(move.home.definition.crate) == "core"


def comes_by_a_conditional_glob(
    collector: Collector, occurrence: Occurrence, at_home: tuple[tuple[Definition, ...], ...]
) -> bool:
    """Only globs bring the name at home, from imports under conditions that the moved text does not stand under (`#[cfg(doc)] use …`)."""
    move, arrival = collector.move, collector.arrival
    name = occurrence.segments[0].name
    if name in ANCHORS or occurrence.absolute or occurrence.role in UNNAMED or not at_home:
        return False
    ways = [
        import_chain(arrival, b.via, name) if b.via is not None else ()
        for b in arrival.scope(move.home.definition).spelled(name)
        if b.definition in at_home[0]
    ]
    if not ways or any(len(way) < 2 for way in ways):
        return False
    given = {*move.home.cfg, *gates_of(move.workspace, move.source_file, occurrence)}
    if occurrence.via is not None:
        given.update(conditions_on(move.workspace, import_chain(move.workspace, occurrence.via, name)))
    return not any(given.issuperset(conditions_on(arrival, way)) for way in ways)


def is_conditional_at_home(collector: Collector, occurrence: Occurrence) -> bool:
    """Home imports the name only under a condition that the moved text does not stand under."""
    move, arrival = collector.move, collector.arrival
    home, facts = arrival.modules[move.home.definition], arrival.facts[move.dest_file]
    name = occurrence.segments[0].name
    if name in ANCHORS or occurrence.absolute or occurrence.role in UNNAMED:
        return False
    leaves = [u for _, u in own_uses(arrival, home) if u.bound_name == name]
    bound = arrival.scope(move.home.definition).spelled(name)
    if len(leaves) != 1 or any(
        b.via is None or facts.uses[b.via[1]].glob
        for b in bound
        if b.via is None or b.via[0] == move.dest_file
    ):
        return False
    there = {a for a in facts.items[leaves[0].item].attributes if a.startswith("cfg(")}
    here = set(gates_of(move.workspace, move.source_file, occurrence))
    if occurrence.via is not None and occurrence.via[0] == move.source_file:
        own = move.facts.items[move.facts.uses[occurrence.via[1]].item]
        here |= {a for a in own.attributes if a.startswith("cfg(")}
    return not there <= here | set(move.home.cfg)
