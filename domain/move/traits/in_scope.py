"""Traits in scope: a method call means what it meant only where the same traits are in scope (W17, W18, cases 8, 10, 44).

Which methods a trait has is known from `traits/knowledge.py`; what may be a trait of a crate that nobody can read is
carried rather than lost.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, frozen

from m1nd.domain.move.crates.moved_text import check_trait
from m1nd.domain.move.gates import TEST, conditions_of, conditions_on
from m1nd.domain.move.imports.chains import import_chain
from m1nd.domain.move.imports.held import Held, held
from m1nd.domain.move.imports.statements import UseStatement, kept_attributes
from m1nd.domain.move.lint_levels import is_denied
from m1nd.domain.move.macros.name_makers import modules_behind
from m1nd.domain.move.macros.needs import methods_called
from m1nd.domain.move.needs import moved_occurrences
from m1nd.domain.move.reach import is_shown_on_the_way, module_of
from m1nd.domain.move.spelling import is_detour, spell
from m1nd.domain.move.text import line_number
from m1nd.domain.move.traits.knowledge import (
    glob_methods,
    hides_a_trait,
    made_trait_methods,
    may_be_trait,
    methods_of,
    traits_brought,
)
from m1nd.domain.move.traits.own_methods import is_own_method, type_written_to, writes_to_a_formatter
from m1nd.domain.move.world import Move, is_doctest, item_of, occurrences_called, own_uses
from m1nd.domain.refusal import refuse
from m1nd.domain.rust.cargo import TargetKind
from m1nd.domain.rust.crate_names import of_any_standard
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role
from m1nd.domain.rust.visibility import parse_visibility
from m1nd.domain.rust.workspace import Workspace


@frozen
class TraitNeeds:
    """Imports that keep method calls meaning what they meant, and the source's leaves they came from."""

    statements: tuple[UseStatement, ...] = ()
    leaves: frozenset[tuple[str, int]] = frozenset()
    viewed: frozenset[Definition] = frozenset()
    held: frozenset[Held] = frozenset()
    """Imports at home that the moved calls go on to use."""


def traits_for(
    move: Move, arrival: Workspace, bound: Iterable[str], path_used: frozenset[tuple[str, int]]
) -> TraitNeeds:
    """The trait imports that the moved method calls need at home.

    `bound`: names that home's imports will bind already. `path_used`: leaves whose names the moved text spells (they
    are carried anyway). Raises Refused(trait_method_ambiguity).
    """
    workspace = move.workspace
    calls = called_methods(move)
    if not calls:
        return TraitNeeds()
    here = workspace.traits_in_scope(move.source.definition)
    at_home = arrival.traits_in_scope(move.home.definition)
    there = {d for d, _ in at_home}
    _check_ambiguity(move, calls, [d for d, _ in here], there)
    statements: list[UseStatement] = []
    leaves: set[tuple[str, int]] = set()
    viewed: set[Definition] = set()
    taken_by_imports = frozenset(bound)
    taken = taken_by_imports | {n for _, n in arrival.scope(move.home.definition).names}
    for trait, via in here:
        if trait in move.renamed or not may_be_trait(workspace, trait):
            continue
        if not _provides(workspace, trait, calls, via, move):
            continue
        if via in path_used and _comes_along(move, via, taken_by_imports):
            continue
        outside = _calls_outside_its_impls(move, trait)
        if not _provides(workspace, trait, outside, via, move):
            continue
        if trait in there and _always_there(move, arrival, trait, via, at_home):
            leaves.update([via] if via is not None else [])
            continue
        statement = _statement(move, arrival, trait, via, taken)
        if statement is None:
            check_trait(move, trait)
            continue
        if is_denied(workspace, move.home, "unused_imports") and not _is_called(
            move, trait, outside, (d for d, _ in here)
        ):
            statement = evolve(statement, gates=(*statement.gates, "allow(unused_imports)"))
        statements.append(statement)
        viewed.update(_viewed(arrival, trait, statement))
        if via is not None:
            leaves.add(via)
    for statement, via in _made_by_macros(move, calls):
        statements += [statement] if statement is not None else []
        leaves.add(via)
    for statement, via in _outside_globs(move, arrival, calls):
        statements += [statement] if statement is not None else []
        leaves.update([via] if via is not None else [])
    statements += _hidden_of_globs(move, arrival, calls, taken_by_imports)
    kept = frozenset(
        leaf
        for trait, via in at_home
        if via is not None and may_be_trait(arrival, trait) and _provides(arrival, trait, calls, via, move)
        for leaf in _held(arrival, trait, via)
    )
    return TraitNeeds(tuple(dict.fromkeys(statements)), frozenset(leaves), frozenset(viewed), kept)


def _held(arrival: Workspace, trait: Definition, via: tuple[str, int]) -> Iterator[Held]:
    for path, index in import_chain(arrival, via, trait.name):
        yield held(arrival, path, arrival.facts[path].uses[index])


def _comes_along(move: Move, via: tuple[str, int] | None, bound: frozenset[str]) -> bool:
    """The moved text spells the trait's name, and home gets an import of it for that."""
    leaf = move.workspace.facts[via[0]].uses[via[1]] if via is not None else None
    return leaf is not None and not leaf.glob and leaf.bound_name in bound


def _made_by_macros(
    move: Move, calls: Mapping[str, Occurrence]
) -> Iterator[tuple[UseStatement | None, tuple[str, int]]]:
    """Imports of traits that only a macro call declares (`trait_template! { pub trait T { … } }`): `(statement, leaf)`."""
    workspace = move.workspace
    at_home = {u.path for m in modules_behind(workspace, move.home)[0] for _, u in own_uses(workspace, m)}
    for module in modules_behind(workspace, move.source)[0]:
        facts = workspace.facts[module.file]
        for index, leaf in own_uses(workspace, module):
            shown = parse_visibility(facts.items[leaf.item].visibility, module.definition)
            hidden = not workspace.can_see(move.source.definition, shown)
            if leaf.glob or not leaf.path or leaf.path[0] != "crate" or hidden:
                continue
            found = workspace.resolve_import(module.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
            if not found or found[-1] or made_trait_methods(workspace, leaf.path[-1]).isdisjoint(calls):
                continue
            statement = UseStatement(leaf.path, leaf.alias, gates=kept_attributes(facts, leaf.item))
            yield None if leaf.path in at_home else statement, (module.file, index)


def _outside_globs(
    move: Move, arrival: Workspace, calls: Mapping[str, Occurrence]
) -> Iterator[tuple[UseStatement | None, tuple[str, int] | None]]:
    """Globs of other crates' modules that may bring a trait of a called method: `(statement, leaf)` of each."""
    at_home = {b.definition for b in arrival.scope(move.home.definition).external_globs}
    for binding in move.workspace.scope(move.source.definition).external_globs:
        methods = glob_methods(move.workspace, binding.definition)
        if methods is not None and methods.isdisjoint(calls):
            continue
        if methods is None and all(o.role is Role.MACRO for o in calls.values()):
            continue
        if binding.definition in at_home:
            yield None, binding.via
            continue
        gates = _leaf_gates(move, binding.via)
        spelled = (binding.definition.crate, *binding.definition.path, "*")
        yield UseStatement(spelled, gates=gates), binding.via


def _hidden_of_globs(
    move: Move, arrival: Workspace, calls: Mapping[str, Occurrence], bound: frozenset[str]
) -> Iterator[UseStatement]:
    """Imports `as _` of traits that a glob brings at the source, and whose name home binds to something else.

    `use std::io::prelude::*;` beside `use std::fmt::Write;` does not bring `io::Write`.
    """
    here, there = move.workspace.scope(move.source.definition), arrival.scope(move.home.definition)
    for binding in here.external_globs:
        for path, methods in traits_brought(move.workspace, binding.definition).items():
            trait = Definition(DefinitionKind.EXTERNAL, binding.definition.crate, path)
            if methods is not None and methods.isdisjoint(calls):
                continue
            if here.get(Namespace.TYPE, trait.name):
                continue
            others = {of_any_standard(b.definition) for b in there.get(Namespace.TYPE, trait.name)}
            if trait.name in bound or others - {of_any_standard(trait)}:
                yield UseStatement((trait.crate, *path), "_", gates=_leaf_gates(move, binding.via))


def _leaf_gates(move: Move, via: tuple[str, int] | None) -> tuple[str, ...]:
    if via is None:
        return ()
    facts = move.workspace.facts[via[0]]
    return kept_attributes(facts, facts.uses[via[1]].item)


def called_methods(move: Move) -> dict[str, Occurrence]:
    """Method names that the moved text calls (those a formatting macro's expansion calls too), each with its first call.

    What the body of a moved `macro_rules!` calls is called where the macro is (D60).
    """
    calls: dict[str, Occurrence] = {}
    for name, occurrence in _calls(move):
        calls.setdefault(name, occurrence)
    return calls


def _calls(move: Move) -> Iterator[tuple[str, Occurrence]]:
    for occurrence in moved_occurrences(move):
        if is_doctest(occurrence) or _is_in_a_moved_macro(move, occurrence):
            continue
        name = occurrence.segments[-1].name if occurrence.segments else ""
        if occurrence.role is Role.METHOD:
            own = is_own_method(move.workspace, move.source_file, occurrence.start, name)
            if not own and not is_call_of_inherent(move.workspace, occurrence):
                yield name, occurrence
        elif occurrence.role is Role.MACRO and name in ("write", "writeln"):
            if not writes_to_a_formatter(move.workspace, move.source_file, occurrence.end):
                yield "write_fmt", occurrence
        elif occurrence.role is Role.MACRO:
            for macro in occurrence.target:
                yield from ((method, occurrence) for method in methods_called(move.workspace, macro))
        elif (
            occurrence.role in (Role.EXPRESSION, Role.CALL)
            and len(occurrence.segments) > 1
            and may_be_of_a_trait(occurrence)
            and not is_call_of_inherent(move.workspace, occurrence)
        ):
            yield name, occurrence


def _calls_outside_its_impls(move: Move, trait: Definition) -> Mapping[str, Occurrence]:
    """The calls of the moved text but those in moved impls of the trait, where it is in scope without an import."""
    trait_of, facts = move.workspace.linker.associated.trait_of, move.facts
    impls = [i for i in move.items if facts.items[i].kind is ItemKind.IMPL]
    mine = {i for i in impls if trait_of(move.source.definition, i) == trait}
    found: dict[str, Occurrence] = {}
    for name, occurrence in _calls(move):
        if item_of(facts, occurrence.item, move.source.scope_item) not in mine:
            found.setdefault(name, occurrence)
    return found


def _is_in_a_moved_macro(move: Move, occurrence: Occurrence) -> bool:
    return occurrence.item in move.items and move.facts.items[occurrence.item].kind is ItemKind.MACRO_RULES


def is_call_of_inherent(workspace: Workspace, occurrence: Occurrence) -> bool:
    """It is known to mean an associated item of an impl without a trait."""
    return bool(occurrence.target) and all(map(workspace.is_inherent, occurrence.target))


def may_be_of_a_trait(occurrence: Occurrence) -> bool:
    """`u8::checked(…)`: the path of a type may end in an associated item of a trait that is in scope.

    What an enum's path ends in is a variant, or it is such an item too.
    """
    if any(d.item_kind == "variant" for d in occurrence.target):
        return False
    owner = occurrence.denotes[-2] if len(occurrence.denotes) > 1 else ()
    return all(d.kind is not DefinitionKind.MODULE and d.item_kind != "trait" for d in owner)


def _provides(
    workspace: Workspace,
    trait: Definition,
    calls: Mapping[str, Occurrence],
    via: tuple[str, int] | None,
    move: Move,
) -> bool:
    methods = methods_of(workspace, trait)
    if methods is not None:
        return not methods.isdisjoint(calls)
    if via is None:
        return False
    return not _is_plainly_a_type(workspace, via)


def _is_plainly_a_type(workspace: Workspace, via: tuple[str, int]) -> bool:
    """The name is spelled as a type, constructor or macro somewhere: then the import does not stand there for methods.

    `Color::Red` is of a type too: what a trait's path leads to without a type before it are functions.
    """
    path, index = via
    if workspace.facts[path].uses[index].glob:
        return False
    name = workspace.facts[path].uses[index].bound_name or ""
    for occurrence in occurrences_called(workspace, path, frozenset((name,))):
        if occurrence.via == via and occurrence.role in (
            Role.EXPRESSION,
            Role.CALL,
            Role.PATTERN,
            Role.STRUCT,
            Role.MACRO,
        ):
            names = [s.name for s in occurrence.segments]
            return len(names) == 1 or (len(names) == 2 and names[1][:1].isupper())
    return False


def _is_called(
    move: Move, trait: Definition, calls: Mapping[str, Occurrence], rivals: Iterable[Definition]
) -> bool:
    """One of the calls is certain to need the trait; else nobody can tell from text (D59).

    Certain: it resolves to the trait's function, or its receiver is of a known type and no other trait in scope has the method.
    A type of another crate may have a method of that name itself (`Vec::capacity`), and a trait of ours too.
    """
    workspace = move.workspace
    mine = methods_of(workspace, trait) or frozenset()
    others = {m for r in rivals if r != trait for m in methods_of(workspace, r) or ()}
    members = {(trait.crate, (*trait.path, name)) for name in mine}
    for name, occurrence in calls.items():
        if any((d.crate, d.path) in members for d in occurrence.target):
            return True
        of = _receiver(move, occurrence) if name in mine and name not in others else None
        if of is not None and (of.kind is DefinitionKind.ITEM or trait.kind is not DefinitionKind.ITEM):
            return True
    return False


def _receiver(move: Move, occurrence: Occurrence) -> Definition | None:
    """The type that a method or `write!` is called on, where plain."""
    if occurrence.role is Role.METHOD:
        return move.workspace.type_before(move.source_file, occurrence.start)
    if occurrence.role is Role.MACRO and occurrence.segments[-1].name in ("write", "writeln"):
        return type_written_to(move.workspace, move.source_file, occurrence.end)
    return None


def _viewed(arrival: Workspace, trait: Definition, statement: UseStatement) -> Iterator[Definition]:
    """The trait, and the modules of its path where the import spells its declared path."""
    yield trait
    if trait.kind is DefinitionKind.ITEM and statement.path[1:] == trait.path:
        home = module_of(arrival, trait)
        for length in range(1, len(home.path) + 1):
            yield Definition(DefinitionKind.MODULE, home.crate, home.path[:length])


def _statement(
    move: Move, arrival: Workspace, trait: Definition, via: tuple[str, int] | None, taken: frozenset[str]
) -> UseStatement | None:
    """Import the trait; as `_` when its name is taken at home, or when the source did not name it either."""
    facts = move.facts
    path = spell(arrival, move, trait)
    gates: tuple[str, ...] = ()
    alias: str | None = None
    if via is not None and via[0] == move.source_file and not facts.uses[via[1]].glob:
        leaf = facts.uses[via[1]]
        gates = kept_attributes(facts, leaf.item)
        alias = leaf.alias
        found = arrival.resolve_import(move.home.definition, leaf.path, (Namespace.TYPE,), leaf.absolute)
        if (
            leaf.path[0] not in ("self", "super")
            and found
            and trait in found[-1]
            and not is_detour(leaf.path[0], found)
            and is_shown_on_the_way(arrival, move.home.definition, leaf.path, found)
        ):
            path = ("", *leaf.path) if leaf.absolute else leaf.path
    if path is None:
        return None
    item = arrival.item(trait) if trait.kind is DefinitionKind.ITEM else None
    behind = import_chain(move.workspace, via, trait.name)[1:] if via is not None else ()
    own = conditions_of(item) if item is not None else conditions_on(move.workspace, behind)
    needed = (c for c in (*own, *_of_every_caller(move)) if c not in move.home.cfg)
    gates = tuple(dict.fromkeys((*gates, *needed)))
    if (alias or path[-1]) in taken or hides_a_trait(arrival, move.home.definition, trait):
        alias = "_"
    return UseStatement(tuple(path), alias, gates=gates)


def _always_there(
    move: Move,
    arrival: Workspace,
    trait: Definition,
    via: tuple[str, int] | None,
    at_home: Iterable[tuple[Definition, tuple[str, int] | None]],
) -> bool:
    """Home has the trait wherever the moved text is compiled, or wherever the source had it."""
    given = {*move.home.cfg, *_of_all(move), *_conditions(move.workspace, trait, via)}
    return any(given.issuperset(_conditions(arrival, trait, v)) for d, v in at_home if d == trait)


def _of_every_caller(move: Move) -> list[str]:
    """The conditions that all moved text stands under: without them an import for it alone is unused."""
    shared = set.intersection(*(set(conditions_of(move.facts.items[i])) for i in move.items))
    if move.workspace.target(move.home.definition.crate).kind is TargetKind.TEST:
        shared.discard(TEST)
    return sorted(shared)


def _of_all(move: Move) -> set[str]:
    """The conditions that every item that was asked for stands under."""
    return set.intersection(*(set(conditions_of(move.facts.items[i])) for i in move.roots))


def _conditions(workspace: Workspace, trait: Definition, via: tuple[str, int] | None) -> Iterator[str]:
    """The conditions of all the imports by which a trait comes to a module."""
    chain = import_chain(workspace, via, trait.name) if via is not None else ()
    return conditions_on(workspace, chain)


def _check_ambiguity(
    move: Move, calls: dict[str, Occurrence], here: list[Definition], there: set[Definition]
) -> None:
    """Another workspace trait at home has a method of that name: the call could mean it (case 44)."""
    workspace = move.workspace
    for name, occurrence in calls.items():
        if occurrence.denotes and occurrence.target:
            continue
        mine = [t for t in here if name in (methods_of(workspace, t) or ())]
        others = [
            t
            for t in there
            if t not in here and t.kind is DefinitionKind.ITEM and name in workspace.trait_methods(t)
        ]
        if others and mine:
            line = line_number(workspace.sources[move.source_file], occurrence.start)
            refuse(
                "trait_method_ambiguity",
                f"`.{name}()` at {move.source_file}:{line} means {mine[0].name}::{name}; in {move.dest_place} "
                f"{others[0].name} is in scope with a method of that name",
                hint=f"write the call as {mine[0].name}::{name}(…) first",
                method=name,
                line=line,
            )
