"""The certificate: in the planned tree every name means what it meant before (TRANSPLANT.md plan 7).

The planned text is parsed and resolved again, and every occurrence of today's tree that the plan keeps is looked up at
its new place. This catches what a compiler accepts: a pattern that became a binding, a call that means another fn.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Never

from attrs import frozen

from m1nd.domain.move.at_home import is_preluded
from m1nd.domain.move.compose import Composition
from m1nd.domain.move.gates import conditions_of_leaf
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.macros.textual import is_in_a_macro_body, is_left_to_callers
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, occurrences_called, occurrences_in, with_aliases
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.crate_names import STANDARD_CRATES
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.paths import EXTERNAL_GLOB
from m1nd.domain.rust.workspace import Workspace

Key = tuple[str, str, int]
"""(crate, planned file, offset of the last segment, or of the end of a leaf)."""
UNREAD = (Role.DOC,)
"""Roles the compiler does not read."""
BESIDE_A_LOCAL = (DefinitionKind.MODULE, DefinitionKind.LOCAL)
BY_TYPE = (Role.METHOD, Role.FIELD)
"""Roles whose meaning hangs on a type, not on a scope."""


def certify(
    move: Move,
    planned: Workspace,
    composition: Composition,
    names: frozenset[str],
    whole: frozenset[str] = frozenset(),
) -> None:
    """Compare every kept occurrence of the moved text, of the files in `whole`, and all that spell one of `names`.

    `names`: whatever the plan binds, unbinds or makes visible; an occurrence that spells none of them, in text that stays
    where it is, means what it meant. Raises Refused with a code of group "meaning", naming the place.
    """
    names = frozenset(n for c in _crates(move) for n in with_aliases(move.workspace, names, c))
    after = _index(move, planned, composition, names, whole)
    expected: set[Key] = set()
    for path, occurrence in _before(move, names, whole):
        if path == move.source_file and is_left_to_callers(move, occurrence):
            continue
        if occurrence.role is Role.VISIBILITY and path in move.files:
            continue  # `pub(super)` may mean another module there: `modules/modifiers.py` sees to it
        key = _key(move, composition, path, occurrence)
        if key is not None:
            expected.add(key)
            _compare(move, planned, path, occurrence, after.get(key, ()))
    _no_newcomers(move, planned, composition, after, expected)


def _crates(move: Move) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.definition.crate for m in (move.source, move.home)))


def _files(move: Move, workspace: Workspace) -> tuple[str, ...]:
    """The files around both crates."""
    return tuple(dict.fromkeys(path for crate in _crates(move) for path in workspace.files_around(crate)))


def _before(move: Move, names: frozenset[str], whole: frozenset[str]) -> Iterator[tuple[str, Occurrence]]:
    """Today's occurrences to compare; some may come twice."""
    workspace = move.workspace
    for extent in move.extents:
        for occurrence in workspace.occurrences_between(move.source_file, extent.start, extent.end):
            yield move.source_file, occurrence
    for path in _files(move, workspace):
        found = (
            occurrences_in(workspace, path) if path in whole else occurrences_called(workspace, path, names)
        )
        for occurrence in found:
            yield path, occurrence


def _key(move: Move, composition: Composition, path: str, occurrence: Occurrence) -> Key | None:
    if not occurrence.segments or occurrence.role in UNREAD:
        return None
    if move.crosses and occurrence.role is Role.VISIBILITY:
        return None  # `pub(in crate::a)` means another crate there: `crates/moved_types.py` sees to members
    found = composition.find(path, _position(occurrence))
    crate, _, doctest = occurrence.module.crate.partition("#")
    if move.moves(path, occurrence.start):
        crate = move.home.definition.crate
    return (f"{crate}#{doctest}" if doctest else crate, *found) if found else None


def _position(occurrence: Occurrence) -> int:
    """Where an occurrence is looked for: its last segment; of a `use` its leaf (`self` and `*` share a segment)."""
    return occurrence.end - 1 if occurrence.role is Role.USE else occurrence.segments[-1].start


def _index(
    move: Move, planned: Workspace, composition: Composition, names: frozenset[str], whole: frozenset[str]
) -> dict[Key, tuple[Occurrence, ...]]:
    """The planned tree's occurrences to compare with."""
    table: dict[Key, dict[Occurrence, None]] = {}
    for path, occurrence in _after(move, planned, composition, names, whole):
        if occurrence.segments and occurrence.role not in UNREAD:
            key = (occurrence.module.crate, path, _position(occurrence))
            table.setdefault(key, {})[occurrence] = None
    return {key: tuple(found) for key, found in table.items()}


def _after(
    move: Move, planned: Workspace, composition: Composition, names: frozenset[str], whole: frozenset[str]
) -> Iterator[tuple[str, Occurrence]]:
    for extent in move.extents:
        arrived = [
            k for k in composition.kept if k.path == move.source_file and extent.start <= k.start < extent.end
        ]
        start = min(k.new_start for k in arrived)
        end = max(k.new_start + k.end - k.start for k in arrived)
        for occurrence in planned.occurrences_between(move.dest_file, start, end):
            yield move.dest_file, occurrence
    for path in _files(move, planned):
        found = occurrences_in(planned, path) if path in whole else occurrences_called(planned, path, names)
        for occurrence in found:
            yield path, occurrence


Meaning = tuple[str, str, tuple[str, ...], str]


def _meaning(definition: Definition) -> Meaning:
    """What is compared: everything but ordinals, which a move may shift; `core` and `alloc` are parts of `std`."""
    crate = "std" if definition.crate in STANDARD_CRATES else definition.crate
    return (definition.kind.value, crate, definition.path, definition.item_kind)


def _compare(
    move: Move, planned: Workspace, path: str, old: Occurrence, found: tuple[Occurrence, ...]
) -> None:
    if is_preluded(old) or any(d in move.renamed and is_in_a_macro_body(old, d) for d in old.target):
        return
    new = next((o for o in found if o.role is old.role), found[0] if found else None)
    before = {_meaning(move.after(d)) for d in old.target}
    if new is None:
        if before and old.role not in BY_TYPE and old.role is not Role.TOKEN:
            _refuse(move, path, old, None)
        return
    if old.in_macro and _is_no_change(move, old, new):
        return
    if _meets_on_the_way(move, old, new):
        _refuse(move, path, old, new)
    now = {_meaning(d) for d in new.target}
    if old.role in BY_TYPE:
        if before and now and before != now:
            _refuse(move, path, old, new)
        return
    if not before:
        if old.in_macro != MACRO_BODY and any(
            d in move.renamed.values() and not _is_promised(move, old, d) for d in new.target
        ):
            _refuse(move, path, old, new)
        return
    changed = before != now and not _stand_together(move, old, new)
    if old.role is Role.USE and now and _import_still_fits(move, planned, new, before, now):
        changed = False
    if changed or was_seen(move.workspace, old) and not was_seen(planned, new):
        _refuse(move, path, old, new)


def _is_promised(move: Move, old: Occurrence, arrived: Definition) -> bool:
    """An import that was written ahead, for the moved item to be shown by."""
    module = (arrived.crate, arrived.path[:-1])
    return old.role is Role.USE and any(
        (home.crate, home.path) == module and name == arrived.name for home, name in move.promised
    )


def _meets_on_the_way(move: Move, old: Occurrence, new: Occurrence) -> bool:
    """A step that is spelled as before may mean what moved too, by another glob (E0659): whatever the path ends in."""
    arrived = set(move.renamed.values())
    steps = zip(old.segments[:-1], new.segments[:-1], old.denotes, new.denotes, strict=False)
    for before, now, was, means in steps:
        if before.name != now.name:
            return False
        if arrived.intersection(means) - {move.after(d) for d in was} and was:
            return True
    return False


def _stand_together(move: Move, old: Occurrence, new: Occurrence) -> bool:
    """A name of other crates gained a namespace: two imports of it stand beside each other in the source too."""
    if len(new.segments) > 1 or not set(old.target) < set(new.target):
        return False
    source = move.workspace.scope(move.source.definition).spelled(new.segments[0].name)
    known = {b.definition for b in source if b.origin == "import"}
    return known.issuperset(new.target) and all(d.kind is DefinitionKind.EXTERNAL for d in new.target)


def _is_no_change(move: Move, old: Occurrence, new: Occurrence) -> bool:
    """A token that only a glob of another crate may have brought, or a local beside which a module of that name is seen now.

    A module cannot stand alone where a local can.
    """
    arrived = any(d in move.renamed.values() for d in new.target)
    local = bool(old.target) and all(d.kind is DefinitionKind.LOCAL for d in old.target)
    beside = len(old.segments) == 1 and all(d.kind in BESIDE_A_LOCAL for d in new.target)
    unseen = old.role is Role.TOKEN and old.reason == EXTERNAL_GLOB
    return not arrived and (unseen or (local and beside))


def _import_still_fits(
    move: Move, planned: Workspace, new: Occurrence, before: set[Meaning], now: set[Meaning]
) -> bool:
    """An import may bring less (a namesake moved away) or more (a module was made visible), if the names still fit together.

    Twins that other conditions choose may part only where an import brings the moved one under its condition.
    """
    if now < before:
        namesakes = {_namespace(m) for m in before - now}.isdisjoint(map(_namespace, now))
        return namesakes or _is_brought_under_a_condition(move, planned, new)
    names = planned.scope(new.module)
    spelled = new.segments[-1].name
    single = all(
        len({b.definition for b in names.get(n, spelled) if b.origin in ("item", "import")}) <= 1
        for n in Namespace
    )
    return before < now and single and all(m[0] == DefinitionKind.MODULE.value for m in now - before)


def _is_brought_under_a_condition(move: Move, planned: Workspace, new: Occurrence) -> bool:
    """The name of the import's path is bound to the moved item by an import, and by one that stands under conditions."""
    way = new.denotes[-2] if len(new.denotes) > 1 else ()
    modules = [d for d in way if d.kind is DefinitionKind.MODULE] or [new.module]
    arrived = set(move.renamed.values())
    bindings = (b for m in modules for b in planned.scope(m).spelled(new.segments[-1].name))
    return any(
        conditions_of_leaf(planned, b.via)
        for b in bindings
        if b.definition in arrived and b.via is not None and b.origin == "import"
    )


def _namespace(meaning: Meaning) -> Namespace:
    kind = meaning[3]
    if kind in ("fn", "const", "static"):
        return Namespace.VALUE
    return Namespace.MACRO if kind == "macro_rules" else Namespace.TYPE


def was_seen(workspace: Workspace, occurrence: Occurrence) -> bool:
    """Every step of a qualified path is visible to its module."""
    for index in range(1, len(occurrence.segments)):
        parents, here = occurrence.denotes[index - 1], occurrence.denotes[index]
        module = next((d for d in parents if d.kind is DefinitionKind.MODULE), None)
        if not here or module is None:
            continue
        bindings = workspace.scope(module).spelled(occurrence.segments[index].name)
        mine = [b for b in bindings if b.definition in here]
        if mine and not any(workspace.can_see(occurrence.module, b.visibility) for b in mine):
            return False
    return True


@frozen
class _Taken:
    """Where kept text stands in the planned files."""

    starts: list[int]
    ends: list[int]

    def holds(self, position: int) -> bool:
        index = bisect_right(self.starts, position) - 1
        return index >= 0 and position < self.ends[index]


def _no_newcomers(
    move: Move,
    planned: Workspace,
    composition: Composition,
    after: dict[Key, tuple[Occurrence, ...]],
    expected: set[Key],
) -> None:
    """Text that was no reference must not have become one (a binding that now names a constant)."""
    taken: dict[str, _Taken] = {}
    for kept in sorted(composition.kept, key=lambda k: k.new_start):
        rows = taken.setdefault(kept.new_path, _Taken([], []))
        rows.starts.append(kept.new_start)
        rows.ends.append(kept.new_start + kept.end - kept.start)
    for key, occurrences in after.items():
        if key in expected or key[1] not in taken or not taken[key[1]].holds(key[2]):
            continue
        for occurrence in occurrences:
            if occurrence.role is Role.PATTERN and occurrence.target:
                _refuse(move, key[1], occurrence, occurrence)


def _refuse(move: Move, path: str, old: Occurrence, new: Occurrence | None) -> Never:
    """Name the place and what the move would change there."""
    path = move.today(path)
    source = move.workspace.sources[path]
    line = line_number(source, old.start) if old.start < len(source) else 0
    spelled = "::".join(s.name for s in old.segments)
    was = ", ".join(sorted({"::".join((*d.path,)) or "crate" for d in old.target})) or "nothing known"
    now = (
        ", ".join(sorted({"::".join((*d.path,)) or "crate" for d in new.target}))
        if new is not None and new.target
        else ""
    )
    code = _code(move, old, new)
    refuse(
        code,
        f"{path}:{line}: `{spelled}` means {was}; after the move it would mean {now or 'nothing'}",
        hint=HINTS[code].format(name=spelled, place=f"{path}:{line}", dest=move.dest_place),
        file=path,
        line=line,
        name=spelled,
        before=was,
        after=now,
    )


HINTS = {
    "textual_macro_scope": "make the macro reachable by a path first: `pub(crate) use {name};` below its definition",
    "glob_ambiguity": "at {place} import `{name}` by its full path first, then preview again",
    "shadows_prelude": "rename the item first, or write the full path of `{name}` at {place}",
    "shadows_glob_import": "import `{name}` by its full path in the file of {place} first, then preview again",
    "not_movable": "make what `{name}` at {place} needs visible from {dest} first, or choose another destination",
    "import_conflict": "write the full path of `{name}` at {place} first, then preview again",
}


def _code(move: Move, old: Occurrence, new: Occurrence | None) -> str:
    if old.role is Role.MACRO:
        return "textual_macro_scope"
    declared = any(d.kind is not DefinitionKind.EXTERNAL and d.path for d in old.denotes[0])
    if new is not None and ("ambiguous" in new.reason or (declared and _meets_on_the_way(move, old, new))):
        return "glob_ambiguity"
    arrived = new is not None and any(d in move.renamed.values() for d in new.target)
    if arrived and any(d.kind is DefinitionKind.EXTERNAL and d.crate in STANDARD_CRATES for d in old.target):
        return "shadows_prelude"
    if arrived:
        return "shadows_glob_import"
    if new is None or not new.target:
        return "not_movable"
    return "import_conflict"
