"""Traits that are in scope at the new home and were not at the old one: a call must not come to mean theirs.

A trait's method that takes `self` is found before the type's own that takes `&self`. Source: the Rust Reference (Method-call
expressions): candidates by value come before those by reference, the type's own first in each step only.
"""

import re
from collections.abc import Iterator

from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.text import line_number
from m1nd.domain.move.traits.knowledge import methods_of
from m1nd.domain.move.world import Move, is_doctest
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.workspace import Workspace

TYPE_NAME = re.compile(r"[A-Za-z_]\w*")


def check_home_traits(move: Move, arrival: Workspace) -> None:
    """Refuse with `trait_method_ambiguity` a call of the moved text that a trait in scope at home could take over.

    Types count that have a method of that name themselves and an impl of the trait.
    """
    here = {d for d, _ in move.workspace.traits_in_scope(move.source.definition)}
    new = [
        d
        for d, _ in arrival.traits_in_scope(move.home.definition)
        if d not in here and d not in move.renamed.values()
    ]
    if not new:
        return
    calls: dict[str, Occurrence] = {}
    for occurrence in moved_occurrences(move):
        if occurrence.role is Role.METHOD and occurrence.segments and not is_doctest(occurrence):
            calls.setdefault(occurrence.segments[-1].name, occurrence)
    for name, occurrence in calls.items():
        for trait in new:
            if name in (methods_of(arrival, trait) or ()) and _has_rival(move.workspace, trait, name):
                line = line_number(move.workspace.sources[move.source_file], occurrence.start)
                refuse(
                    "trait_method_ambiguity",
                    f"`.{name}()` at {move.source_file}:{line} could mean {trait.name}::{name} in {move.dest_place}, where that "
                    "trait is in scope",
                    hint=f"write the call at {move.source_file}:{line} with the type's path first, or choose another destination",
                    method=name,
                    line=line,
                )


def _has_rival(workspace: Workspace, trait: Definition, name: str) -> bool:
    """Some type has a method of that name of its own, and an impl of the trait."""
    return not set(_with_own(workspace, name)).isdisjoint(_with_impl(workspace, trait.name))


def _with_own(workspace: Workspace, name: str) -> Iterator[str]:
    """Names of types with an inherent method called `name`."""
    for path, facts in workspace.facts.items():
        if name in workspace.names_in(path):
            for item in facts.items:
                around = facts.items[item.parent] if item.name == name and item.parent >= 0 else None
                if around is not None and around.kind is ItemKind.IMPL and " for " not in around.detail:
                    yield from TYPE_NAME.findall(around.detail)


def _with_impl(workspace: Workspace, trait: str) -> Iterator[str]:
    """Names in the type's place of what reads as an impl of the trait, in the bodies of macros too."""
    header = re.compile(rf"\bimpl\b[^{{}};]*\b{trait}\b[^{{}};]*?\bfor\b([^{{}};]*)".encode())
    for path in workspace.facts:
        if trait in workspace.names_in(path):
            for found in header.finditer(workspace.sources[path]):
                yield from TYPE_NAME.findall(found[1].decode("utf-8", "replace"))
