"""Imports that the moved text may need although nothing here can resolve them: cfg twins, and names of generated code.

A name with two gated imports means one thing here and another elsewhere; a name whose module is made by the build means
something that no file tells. Both are carried as they are written.
"""

from collections.abc import Iterator

from attrs import evolve, frozen

from m1nd.domain.move.imports.pruning import files_inside
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.macros.textual import is_left_to_callers
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.spelling import spell
from m1nd.domain.move.traits.knowledge import looks_like_a_trait
from m1nd.domain.move.world import Move, is_doctest, occurrences_called, own_uses
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind, UseFact
from m1nd.domain.rust.names import DefinitionKind, Namespace, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

ANCHORS = ("crate", "self", "super", "$crate", "Self")
UNREAD = (Role.METHOD, Role.FIELD, Role.VISIBILITY, Role.DOC)
ALL = tuple(Namespace)


@frozen
class Twins:
    statements: tuple[UseStatement, ...] = ()
    leaves: frozenset[tuple[str, int]] = frozenset()
    """Leaves of the source file that were carried and that no text that stays names."""


def import_twins(move: Move, arrival: Workspace) -> Twins:
    """The imports to carry as written. Raises Refused(import_conflict | not_movable)."""
    statements: list[UseStatement] = []
    leaves: set[tuple[str, int]] = set()
    at_home = {(u.path, u.bound_name) for _, u in own_uses(move.workspace, move.home)}
    for name in dict.fromkeys(_names(move)):
        mine = list(_leaves_of_name(move, name))
        for index in mine:
            leaf = move.facts.uses[index]
            if not _is_doubtful(move, name, leaf, len(mine)):
                continue
            way = _through_source(move, arrival, name, leaf)
            if way is not None:
                if _has_the_same(move, arrival, name):
                    continue
                _check_free(move, arrival, name)
                statements.append(_beside_conditional(move, way))
                continue
            if _is_unnamed(move, name, mine) and (_explained(move, leaf) or not looks_like_a_trait(name)):
                leaves.add((move.source_file, index))
            path = _path(move, arrival, leaf)
            if (path, name) in at_home or _is_home_itself(move, leaf) or _has_the_same(move, arrival, name):
                continue
            _check_free(move, arrival, name)
            statements.append(UseStatement(path, name, gates=kept_attributes(move.facts, leaf.item)))
    return Twins(tuple(dict.fromkeys(statements)), frozenset(leaves))


def _names(move: Move) -> Iterator[str]:
    """Unqualified first names of the moved text that are no locals."""
    for occurrence in moved_occurrences(move):
        if (
            occurrence.role in UNREAD
            or occurrence.absolute
            or is_doctest(occurrence)
            or is_left_to_callers(move, occurrence)
            or not occurrence.segments
        ):
            continue
        first = occurrence.denotes[0] if occurrence.denotes else ()
        local = first and all(d.kind is DefinitionKind.LOCAL for d in first)
        inside = occurrence.via is not None and move.moves(
            occurrence.via[0], move.workspace.facts[occurrence.via[0]].uses[occurrence.via[1]].start
        )
        name = occurrence.segments[0].name
        if not local and not inside and name not in ANCHORS:
            yield name


def _leaves_of_name(move: Move, name: str) -> Iterator[int]:
    """Imports of the source module itself that bind `name`."""
    return (index for index, leaf in own_uses(move.workspace, move.source) if leaf.bound_name == name)


def _is_doubtful(move: Move, name: str, leaf: UseFact, count: int) -> bool:
    """Nothing tells what it imports, or it is one of several that conditions choose from."""
    if not _explained(move, leaf):
        return True
    gated = any(a.startswith("cfg(") for a in move.facts.items[leaf.item].attributes)
    textual = name in move.workspace.macro_scope(move.source.definition, move.root_item.start)
    here = move.source.scope_item
    own = any(i.parent == here and i.name == name and i.kind is not ItemKind.USE for i in move.facts.items)
    return gated and (count > 1 or textual or own)


def _through_source(move: Move, arrival: Workspace, name: str, leaf: UseFact) -> UseStatement | None:
    """Where an item of the source is the import's twin, a home below the source imports the name from there: it is either."""
    gated = any(a.startswith("cfg(") for a in move.facts.items[leaf.item].attributes)
    if not gated or not _has_item(move, name) or not is_inside(move.home.definition, move.source.definition):
        return None
    source = spell(arrival, move, move.source.definition)
    return UseStatement((*source, name), name) if source is not None else None


def _beside_conditional(move: Move, way: UseStatement) -> UseStatement:
    """Home has the same import under one condition: the new one is for where that does not hold."""
    facts = move.workspace.facts[move.dest_file]
    for use in facts.uses:
        conditions = [a for a in facts.items[use.item].attributes if a.startswith("cfg(")]
        if use.path == way.path and use.bound_name == way.alias and len(conditions) == 1:
            return evolve(way, gates=(f"cfg(not({conditions[0][4:-1].strip()}))",))
    return way


def _has_item(move: Move, name: str) -> bool:
    """An item of the source module, one that stays, is called by the name."""
    return any(
        item.parent == move.source.scope_item
        and item.name == name
        and item.kind is not ItemKind.USE
        and index not in move.items
        for index, item in enumerate(move.facts.items)
    )


def _is_unnamed(move: Move, name: str, leaves: list[int]) -> bool:
    """No text that stays in the module of the imports or below it spells `name`, but these imports themselves."""
    own = [move.facts.uses[index] for index in leaves]
    return not any(
        occurrence.role not in UNREAD
        and is_inside(occurrence.module, move.source.definition)
        and not move.moves(file, occurrence.start)
        and not (file == move.source_file and any(u.start <= occurrence.start < u.end for u in own))
        for file in files_inside(move.workspace, move.source.definition)
        for occurrence in occurrences_called(move.workspace, file, frozenset((name,)))
    )


def _explained(move: Move, leaf: UseFact) -> bool:
    """Some text here, or a crate outside, declares what it imports."""
    found = move.workspace.resolve_import(move.source.definition, leaf.path, ALL, leaf.absolute)
    return bool(found) and bool(found[-1])


def _has_the_same(move: Move, arrival: Workspace, name: str) -> bool:
    """Home imports the name, by another path and unconditionally, for one of the things that it means at the source."""
    mine = {move.after(b.definition) for b in move.workspace.scope(move.source.definition).spelled(name)}
    for binding in arrival.scope(move.home.definition).spelled(name):
        if binding.definition in mine and binding.origin == "import" and binding.via is not None:
            path, index = binding.via
            facts = arrival.facts[path]
            if not any(a.startswith("cfg(") for a in facts.items[facts.uses[index].item].attributes):
                return True
    return False


def _is_home_itself(move: Move, leaf: UseFact) -> bool:
    """The name is the new home's own: text that it includes declares it."""
    module = move.workspace.resolve_import(
        move.source.definition, leaf.path[:-1], (Namespace.TYPE,), leaf.absolute
    )
    return bool(module) and move.home.definition in module[-1]


def _path(move: Move, arrival: Workspace, leaf: UseFact) -> tuple[str, ...]:
    """The path as written where it starts the same at home, else its module spelled anew."""
    lead = ("",) if leaf.absolute else ()
    here = move.workspace.resolve_import(
        move.source.definition, leaf.path[:1], (Namespace.TYPE,), leaf.absolute
    )
    there = arrival.resolve_import(move.home.definition, leaf.path[:1], (Namespace.TYPE,), leaf.absolute)
    if leaf.path[0] not in ("self", "super") and here == there:
        return (*lead, *leaf.path)
    module = move.workspace.resolve_import(
        move.source.definition, leaf.path[:-1], (Namespace.TYPE,), leaf.absolute
    )
    spelled = spell(arrival, move, move.after(module[-1][0])) if module and module[-1] else None
    if spelled is None:
        refuse(
            "not_movable",
            f"the moved text needs `{'::'.join(leaf.path)}`, which nothing in the repository explains",
            hint=f"spell the import of `{leaf.path[-1]}` in {move.source_place} from `crate::`, then preview again",
            name="::".join(leaf.path),
        )
    return (*spelled, leaf.path[-1])


def _check_free(move: Move, arrival: Workspace, name: str) -> None:
    for binding in arrival.scope(move.home.definition).spelled(name):
        if (
            binding.origin in ("item", "import")
            and move.after(binding.definition) not in move.renamed.values()
        ):
            mine = move.workspace.scope(move.source.definition).spelled(name)
            if binding.definition not in {move.after(b.definition) for b in mine}:
                refuse(
                    "import_conflict",
                    f"`{name}` is imported under conditions in {move.source_place} and means something else in {move.dest_place}",
                    hint=f"rename one of the two imports of `{name}` first",
                    name=name,
                )
