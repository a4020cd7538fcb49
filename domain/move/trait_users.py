"""Who needs a moved trait without naming it: method calls and paths of types, which want the trait in scope (cycle d).

An import that names the trait is rewritten like any reference. Where the trait was in scope because it stood in the
module, or through a glob, nobody wrote its name: each such use is noted as if it had. The reverse too: a module that
gains the trait must not call another trait's method of that name (E0034).
"""

from collections.abc import Iterator

from attrs import evolve

from m1nd.domain.move.glob_imports import glob_target
from m1nd.domain.move.macro_needs import methods_called
from m1nd.domain.move.text import line_number
from m1nd.domain.move.trait_knowledge import methods_of
from m1nd.domain.move.traits import is_call_of_inherent, may_be_of_a_trait
from m1nd.domain.move.world import Move, is_doctest, occurrences_called, occurrences_in
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Confidence, Definition, Occurrence, Role, Segment
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
    for path in workspace.facts:
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
            if trait in there and rivals:
                line = line_number(move.workspace.sources[path], occurrence.start)
                refuse(
                    "trait_method_ambiguity",
                    f"`.{name}()` at {path}:{line} means {rivals[0].name}::{name}; after the move {trait.name} is in scope "
                    "there with a method of that name",
                    hint=f"write the call as {rivals[0].name}::{name}(…) first",
                    method=name,
                    line=line,
                )
