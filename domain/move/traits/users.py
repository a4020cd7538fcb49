"""Who needs a moved trait without naming it: method calls and paths of types, which want the trait in scope (cycle d).

An import that names the trait is rewritten like any reference. Where the trait was in scope because it stood in the
module, or through a glob, nobody wrote its name: each such use is noted as if it had. The reverse too: a module that
gains the trait must not call another trait's method of that name (E0034).
"""

from collections.abc import Iterator

from attrs import evolve

from m1nd.domain.move.imports.chains import glob_target
from m1nd.domain.move.macros.needs import methods_called
from m1nd.domain.move.text import line_number
from m1nd.domain.move.traits.in_scope import is_call_of_inherent, may_be_of_a_trait
from m1nd.domain.move.traits.knowledge import methods_of
from m1nd.domain.move.world import Move, is_doctest, occurrences_called, occurrences_in
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Confidence, Definition, DefinitionKind, Occurrence, Role, Segment
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

MEMBERS = (ItemKind.FN, ItemKind.CONST)
Via = tuple[str, int] | None


def unnamed_uses(move: Move) -> Iterator[tuple[str, Occurrence, Definition]]:
    """`(file, use, trait)` of each use of a moved trait that has it in scope unnamed; the use is spelled as the trait.

    `via` of the use is the glob that brings the trait, None where the trait stands in the same module. A call whose receiver
    is of unknown type is a use that is not certain.
    """
    for index in move.items:
        if move.facts.items[index].kind is ItemKind.TRAIT:
            trait = move.workspace.definition(move.source.definition, index)
            for path, occurrence in _uses(move, _members(move, index)):
                for via in _ways(move, path, occurrence, trait):
                    yield path, _as_name(occurrence, trait, via), trait


def _members(move: Move, trait: int) -> frozenset[str]:
    return frozenset(i.name for i in move.facts.items if i.parent == trait and i.kind in MEMBERS)


def _uses(move: Move, names: frozenset[str]) -> Iterator[tuple[str, Occurrence]]:
    """Occurrences outside the moved text that may call one of the members."""
    workspace = move.workspace
    for path in workspace.files_around(move.source.definition.crate):
        for occurrence in occurrences_called(workspace, path, names):
            called = occurrence.segments[-1].name in names and _may_call(workspace, occurrence)
            if called and not move.moves(path, occurrence.start):
                yield path, occurrence
        for occurrence in occurrences_in(workspace, path):
            stays = not move.moves(path, occurrence.start) and not is_doctest(occurrence)
            if occurrence.role is Role.MACRO and stays:
                bodies = (methods_called(workspace, macro) for macro in occurrence.target)
                if any(not names.isdisjoint(methods) for methods in bodies):
                    yield path, occurrence


def _may_call(workspace: Workspace, occurrence: Occurrence) -> bool:
    if is_doctest(occurrence) or is_call_of_inherent(workspace, occurrence):
        return False
    if occurrence.role is Role.METHOD:
        return True
    path = occurrence.role in (Role.EXPRESSION, Role.CALL, Role.PATTERN) and len(occurrence.segments) > 1
    return (path and may_be_of_a_trait(occurrence)) or occurrence.based or occurrence.role is Role.TOKEN


def _ways(move: Move, path: str, occurrence: Occurrence, trait: Definition) -> list[Via]:
    """How the trait comes into scope there unnamed: it stands there (None), or through these globs."""
    workspace = move.workspace
    found: list[Via] = []
    for known, via in workspace.traits_in_scope(occurrence.module):
        if known == trait and (via is None or workspace.facts[via[0]].uses[via[1]].glob):
            found.append(via)
    facts = workspace.facts[path]
    around = occurrence.item
    while around >= 0 and facts.items[around].kind is not ItemKind.MOD:
        globs = [n for n, u in enumerate(facts.uses) if u.glob and facts.items[u.item].parent == around]
        found += [(path, n) for n in globs if glob_target(workspace, path, n) == move.source.definition]
        around = facts.items[around].parent
    return found


def _as_name(occurrence: Occurrence, trait: Definition, via: Via) -> Occurrence:
    segment = Segment(trait.name, occurrence.start, occurrence.start)
    known = Confidence.EXACT if occurrence.target else Confidence.MAYBE
    return evolve(
        occurrence, role=Role.TYPE, segments=(segment,), denotes=((trait,),), via=via, confidence=known
    )


def check_newly_seen(move: Move, planned: Workspace) -> None:
    """Refuse with `trait_method_ambiguity` where a trait comes into scope that a call of today could mean instead."""
    _check_moved_traits(move, planned)
    _check_carried_traits(move, planned)


def _check_carried_traits(move: Move, planned: Workspace) -> None:
    """The new home imports a trait that types of other crates implement, and calls a method of that name on who knows what.

    `boxed.len()` means the trait's `len` for a box before it means the slice's inside the box.
    """
    workspace, home = move.workspace, move.home.definition
    known = {d for d, _ in workspace.traits_in_scope(home)}
    new = [d for d, _ in planned.traits_in_scope(home) if d not in known and d not in move.renamed.values()]
    for trait in new:
        for occurrence in calls_for_others(move, planned, trait):
            name = occurrence.segments[-1].name
            line = line_number(workspace.sources[move.dest_file], occurrence.start)
            refuse(
                "trait_method_ambiguity",
                f"the moved text needs {trait.name} in {move.dest_place}, and `.{name}()` at line {line} there could then mean "
                f"{trait.name}::{name}",
                hint=f"choose another destination, or write the call at {move.dest_file}:{line} with the type's path first",
                method=name,
                line=line,
            )


def calls_for_others(move: Move, planned: Workspace, trait: Definition) -> Iterator[Occurrence]:
    """Method calls of the new home on who knows what that could mean a trait, were it in scope: types of other crates have it."""
    if trait.kind is not DefinitionKind.ITEM or not _for_others(planned, trait):
        return
    methods, file = planned.trait_methods(trait), move.dest_file
    for occurrence in occurrences_called(move.workspace, file, methods):
        called = occurrence.role is Role.METHOD and occurrence.segments[-1].name in methods
        at_home = is_inside(occurrence.module, move.home.definition) and not move.moves(
            file, occurrence.start
        )
        if called and at_home and not occurrence.target:
            yield occurrence


def _for_others(workspace: Workspace, trait: Definition) -> bool:
    """Some impl of the trait is for a type of another crate, or for every type that fits."""
    for module in workspace.modules.values():
        if module.definition.crate != trait.crate or trait.name not in workspace.names_in(module.file):
            continue
        for scope, index, _ in workspace.forest.items[module.file].impls():
            if scope != module.scope_item:
                continue
            if workspace.linker.associated.trait_of(module.definition, index) == trait:
                of = workspace.self_type(module.definition, index)
                if of is None or of.kind is not DefinitionKind.ITEM:
                    return True
    return False


def _check_moved_traits(move: Move, planned: Workspace) -> None:
    """Refuse with `trait_method_ambiguity` where a module gains a moved trait and calls a method that another has too."""
    for index in move.items:
        if move.facts.items[index].kind is not ItemKind.TRAIT:
            continue
        before = move.workspace.definition(move.source.definition, index)
        trait = move.after(before)
        for path, occurrence in _uses(move, _members(move, index)):
            here = {d for d, _ in move.workspace.traits_in_scope(occurrence.module, occurrence.start)}
            if before in here or occurrence.target:
                continue
            there = [d for d, _ in planned.traits_in_scope(occurrence.module)]
            name = occurrence.segments[-1].name
            rivals = [d for d in there if d != trait and name in (methods_of(planned, d) or ())]
            if trait not in there:
                continue
            line = line_number(move.workspace.sources[path], occurrence.start)
            if rivals:
                refuse(
                    "trait_method_ambiguity",
                    f"`.{name}()` at {path}:{line} means {rivals[0].name}::{name}; after the move {trait.name} is in scope "
                    "there with a method of that name",
                    hint=f"write the call as {rivals[0].name}::{name}(…) first",
                    method=name,
                    line=line,
                )
            if occurrence.role is Role.METHOD and _for_others(planned, trait):
                refuse(
                    "trait_method_ambiguity",
                    f"after the move {trait.name} is in scope at {path}:{line}, and `.{name}()` there could then mean its method",
                    hint=f"write the call at {path}:{line} with the type's path first, or choose another destination",
                    method=name,
                    line=line,
                )
