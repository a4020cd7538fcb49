"""One path to a moved item, rewritten in its own style (W6, W21, W22). Pure text from resolved occurrences."""

from typing import Never

from attrs import evolve

from m1nd.domain.move.compose import written
from m1nd.domain.move.crates.crossing import may_name, refuse_unnamed
from m1nd.domain.move.crates.unpublished import Shown, refuse_unpublished
from m1nd.domain.move.facades import facade_of
from m1nd.domain.move.gates import conditions_of
from m1nd.domain.move.imports.chains import imports_of_name
from m1nd.domain.move.macros.textual import is_at_the_root
from m1nd.domain.move.raw_names import raw_name
from m1nd.domain.move.reach import from_outside, parent_of, path_to
from m1nd.domain.move.reference_notes import Notes
from m1nd.domain.move.text import line_number
from m1nd.domain.move.world import Move, is_doctest, occurrences_called
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.crate_names import DOCTEST
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.visibility import PUBLIC


def qualify(notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition) -> None:
    """Rewrite the module part of a path expression, type, macro or `use` prefix."""
    if occurrence.via is not None:
        notes.passed.add(occurrence.via)
    start, end, text = _new_prefix(notes, path, occurrence, index, definition)
    notes.changes.append(written(path, start, end, text.encode()))
    count_site(notes, path, occurrence, definition)


def _new_prefix(
    notes: Notes, path: str, occurrence: Occurrence, index: int, definition: Definition
) -> tuple[int, int, str]:
    """`(start, end, text)`: the range of the module segments and what to write there."""
    sibling = sibling_of(notes, path, occurrence, index)
    if sibling:
        if index == 1:
            name = notes.move.home.definition.path[-1]
            notes.serving |= imports_of_name(notes.move.workspace, notes.arrival, occurrence.module, name)
        segment = occurrence.segments[index - 1]
        return segment.start, segment.end, sibling
    spelled = spell_for(notes, path, occurrence, definition)
    end = occurrence.segments[index].start
    start = path_start(notes.move.workspace.sources[path], occurrence)
    head, last = spelled[:-1], spelled[-1]
    if last != definition.name:
        end, head = occurrence.segments[index].end, spelled
        return start, end, "::".join(head)
    if not head:
        return start, end, ""
    text = "::".join(head)
    if occurrence.segments[0].name == "$crate" and text.startswith("crate"):
        text = "$" + text
    return start, end, text + "::"


def path_start(source: bytes, occurrence: Occurrence) -> int:
    """Where the path begins, its leading `::` included; an import's occurrence may begin at its leaf, inside a group."""
    first = occurrence.segments[0].start
    if occurrence.start <= first:
        return occurrence.start
    return first - 2 if occurrence.absolute and source[first - 2 : first] == b"::" else first


def sibling_of(notes: Notes, path: str, occurrence: Occurrence, index: int) -> str | None:
    """The destination's own name in place of the source's, when the path before it leads to their common parent."""
    move = notes.move
    home = move.home.definition
    if not index or not home.path or parent_of(home) != parent_of(move.source.definition):
        return None
    if occurrence.segments[index - 1].name in ("self", "super", "crate", "$crate"):
        return None
    names = [s.name for s in occurrence.segments[: index - 1]] + [home.path[-1]]
    if index - 1 > 0 and parent_of(home) not in occurrence.denotes[index - 2]:
        return None
    if names[0] == "$crate":
        names[0] = "crate"
    resolve = notes.arrival.resolve_import if occurrence.role is Role.USE else notes.arrival.resolve
    found = resolve(occurrence.module, names, (Namespace.TYPE,), occurrence.absolute)
    seen = notes.arrival.can_see(occurrence.module, notes.arrival.modules[home].visibility)
    if seen and found and found[-1] == (home,) and not _shadowed(notes, path, occurrence, names[0], index):
        return raw_name(home.path[-1])
    return None


def _shadowed(notes: Notes, path: str, occurrence: Occurrence, name: str, index: int) -> bool:
    """A bare first segment may be hidden by a block-level item, import or generic: then no short path."""
    if index - 1 > 0 or occurrence.role is Role.USE:
        return False
    for other in occurrences_called(notes.move.workspace, path, frozenset((name,))):
        if other.segments and other.segments[0].name == name and other.item == occurrence.item:
            local = other.denotes[0] and other.denotes[0][0].kind is DefinitionKind.LOCAL
            if local:
                return True
    return False


def spell_for(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> tuple[str, ...]:
    """A path to the item at its new home, for the occurrence's module."""
    after = notes.move.after(definition)
    if is_at_the_root(notes.move, definition) and occurrence.module.crate == after.crate:
        return ("crate", raw_name(after.name))
    if occurrence.module == notes.move.home.definition:
        return ("self", after.name)
    viewer = _viewer(notes.move, path, occurrence)
    if notes.move.crosses and not may_name(notes.arrival, viewer.crate, after.crate):
        line = line_number(notes.move.workspace.sources[path], occurrence.start)
        refuse_unnamed(notes.arrival, viewer.crate, after.crate, f"{path}:{line} uses `{after.name}`")
    found = path_to(notes.arrival, after, viewer, frozenset((after,)))
    if found is None:
        found = _facade_path(notes, viewer, definition) or _opened_path(notes, occurrence, after)
    if found is None:
        _refuse_unreachable(notes, path, occurrence, after)
    if notes.move.crosses and viewer.crate != after.crate:
        found = from_outside(notes.arrival, viewer, found)
    return tuple(raw_name(p) if i else p for i, p in enumerate(found))


def spell_shown(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> tuple[str, ...]:
    """The same for a `pub use`: an import that shows less than that is no way to the item (E0364, E0365)."""
    spelled = spell_for(notes, path, occurrence, definition)
    if _shows_all(notes, occurrence, spelled, definition):
        return spelled
    after = notes.move.after(definition)
    found = _opened_path(notes, occurrence, after)
    if found is None:
        _refuse_unreachable(notes, path, occurrence, after)
    return tuple(raw_name(p) if i else p for i, p in enumerate(found))


def _shows_all(
    notes: Notes, occurrence: Occurrence, spelled: tuple[str, ...], definition: Definition
) -> bool:
    """The last step of the path is the item's own declaration, or a `pub use`."""
    arrival, after = notes.arrival, notes.move.after(definition)
    found = arrival.resolve_import(occurrence.module, spelled[:-1], (Namespace.TYPE,), False)
    modules = [d for d in found[-1] if d in arrival.modules] if found else []
    ways = [b for m in modules for b in arrival.scope(m).spelled(after.name) if b.definition == after]
    return not ways or any(b.origin == "item" or b.visibility == PUBLIC for b in ways)


def _viewer(move: Move, path: str, occurrence: Occurrence) -> Definition:
    """The module that spells the path: of a doc test that moves along into another crate, that crate's doc tests."""
    if move.crosses and is_doctest(occurrence) and move.moves(path, occurrence.start):
        return evolve(occurrence.module, crate=move.home.definition.crate + DOCTEST)
    return occurrence.module


def _facade_path(notes: Notes, viewer: Definition, definition: Definition) -> tuple[str, ...] | None:
    """The path through a module that shows all of the new home; the item is then as visible as that asks for."""
    after = notes.move.after(definition)
    if viewer.crate != after.crate or after.item_kind == "macro_rules":
        return None
    facade = facade_of(notes.arrival, after, viewer)
    if facade is None:
        return None
    notes.seen_from(definition, facade)
    return ("crate", *facade.path, after.name)


def _opened_path(notes: Notes, occurrence: Occurrence, after: Definition) -> tuple[str, ...] | None:
    """The declared path, once the modules on it are made visible to the occurrence's module; None from another crate."""
    home = notes.move.home.definition
    if occurrence.module.crate != home.crate:
        return None
    found = path_to(notes.arrival, after, occurrence.module, frozenset((after, home)))
    if found is not None:
        for length in range(1, len(home.path) + 1):
            module = Definition(DefinitionKind.MODULE, home.crate, home.path[:length])
            notes.opened.setdefault(module, set()).add(occurrence.module)
    return found


def _refuse_unreachable(notes: Notes, file: str, occurrence: Occurrence, after: Definition) -> Never:
    move = notes.move
    line = line_number(move.workspace.sources[file], occurrence.start)
    home = move.home.definition
    twins = [m for m in move.workspace.modules if (m.crate, m.path) == (home.crate, home.path) and m != home]
    if twins:
        others = " and ".join(sorted(move.workspace.modules[m].file for m in twins))
        refuse(
            "not_movable",
            f"{file}:{line} uses `{after.name}`, but no path is sure to lead to {move.dest_file}: "
            f"`{'::'.join(('crate', *home.path))}` is {others} under other conditions",
            hint="move to a file whose module's name stands for that file alone",
            file=file,
            line=line,
        )
    if move.crosses:
        gates = tuple(g for g in conditions_of(move.root_item) if g.startswith("cfg"))
        refuse_unpublished(
            f"{file}:{line} uses `{after.name}`, but no path leads from there to "
            f"{'::'.join((move.workspace.target(home.crate).name, *after.path))}: {move.dest_place} is private to it",
            hint=f"make the module of {move.dest_place} visible to {file}, move to another file",
            named=(Shown(home, after.path[len(home.path)], occurrence.module, arrives=True, gates=gates),),
            file=file,
            line=line,
        )
    refuse(
        "not_movable",
        f"{file}:{line} uses `{after.name}`, but no path leads from there to {'::'.join(('crate', *after.path))}: "
        f"{move.dest_place} is private to it",
        hint=f"make the module of {move.dest_place} visible to {file}, or move to another file",
        file=file,
        line=line,
    )


def count_site(notes: Notes, path: str, occurrence: Occurrence, definition: Definition) -> None:
    notes.sites.add((path, occurrence.start))
    notes.seen_from(definition, occurrence.module)
