"""Calls of macros whose body names a moved item: the names of a body mean what they mean where the macro is called.

So such a call is a reference of the calling module, though the name stands in another file. Nothing is rewritten in
the body; the calling module goes on to bind the name.
"""

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from m1nd.domain.move.macros.needs import body_of, expands_in_place
from m1nd.domain.move.world import Move, is_doctest, occurrences_called
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Namespace, Occurrence, Role, Segment

DEPTH = 8
"""How many macros deep a body may stand."""


@frozen
class MacroCalls:
    """`calls`: `(file, a bare use of the item where the macro is called)`.

    `bodies`: `(file, start, end)` of the macros that somebody calls and that hand no tokens on: those are accounted for.
    """

    calls: tuple[tuple[str, Occurrence, Definition], ...] = ()
    bodies: tuple[tuple[str, int, int], ...] = ()

    def holds(self, path: str, position: int) -> bool:
        return any(p == path and start <= position < end for p, start, end in self.bodies)


def calls_naming(move: Move, moved: frozenset[Definition]) -> MacroCalls:
    """Where macros are called, outside the moved text, whose bodies name one of the `moved` items."""
    calls: dict[tuple[str, Occurrence, Definition], None] = {}
    bodies: dict[tuple[str, int, int], None] = {}
    for definition in sorted((d for d in moved if d.item_kind != ItemKind.MACRO_RULES), key=lambda d: d.path):
        leads_on = definition.kind is DefinitionKind.MODULE
        macros = dict(_macros_naming(move, definition.name, rb"\s*::" if leads_on else rb"(?!\s*:[^:])"))
        if not macros:
            continue
        reached = _with_callers(move, frozenset(macros))
        names = frozenset(m.name for m in reached)
        plain = all(expands_in_place(move.workspace, m) for m in reached)
        for path in move.workspace.files_around(definition.crate):
            for call in occurrences_called(move.workspace, path, names):
                if call.role is not Role.MACRO or reached.isdisjoint(call.target):
                    continue
                if plain:
                    bodies.update(dict.fromkeys(macros.values()))
                if not move.moves(path, call.start) and not is_doctest(call):
                    calls.update(
                        dict.fromkeys((path, o, definition) for o in _uses(move, path, call, definition))
                    )
    return MacroCalls(tuple(calls), tuple(bodies))


def _uses(move: Move, path: str, call: Occurrence, definition: Definition) -> Iterator[Occurrence]:
    """The item under its own name in the scope of the call, as if it were written there."""
    spelled = (Segment(definition.name, call.start, call.end),)
    for namespace in Namespace:
        for binding in move.workspace.names_beside(path, call, definition.name, namespace):
            if binding.definition == definition:
                yield evolve(
                    call,
                    role=Role.CALL,
                    segments=spelled,
                    denotes=((definition,),),
                    via=binding.via,
                    namespaces=(namespace,),
                )


def _macros_naming(move: Move, name: str, behind: bytes) -> Iterator[tuple[Definition, tuple[str, int, int]]]:
    """The macros whose body holds the word outside of a path and declares nothing by it, with the place of each.

    `behind`: the pattern of what must follow the word; a module's name begins a path.
    """
    word = re.compile(rb"(?<![\w$:.'])(?<!\bfn )" + re.escape(name.encode()) + rb"(?!\w)" + behind)
    for macro, place in _macros(move):
        if name in move.workspace.names_in(place[0]) and word.search(body_of(move.workspace, macro)):
            yield macro, place


def _macros(move: Move) -> Iterator[tuple[Definition, tuple[str, int, int]]]:
    for module in move.workspace.modules.values():
        if module.inline or module.definition.crate != move.source.definition.crate:
            continue
        for index, item in enumerate(move.workspace.facts[module.file].items):
            if item.kind is ItemKind.MACRO_RULES:
                inner = move.workspace.module_at(module.file, item.start, module.definition.crate)
                owner = (inner or module).definition
                yield move.workspace.definition(owner, index), (module.file, item.start, item.end)


def _with_callers(move: Move, macros: frozenset[Definition]) -> frozenset[Definition]:
    """The macros, and those whose bodies call one of them."""
    reached = set(macros)
    every = [(macro, body_of(move.workspace, macro)) for macro, _ in _macros(move)]
    for _ in range(DEPTH):
        names = b"|".join(re.escape(m.name.encode()) for m in sorted(reached, key=lambda d: d.path))
        called = re.compile(rb"(?<!\w)(?:" + names + rb")\s*!")
        found = {macro for macro, body in every if macro not in reached and called.search(body)}
        if not found:
            break
        reached |= found
    return frozenset(reached)
