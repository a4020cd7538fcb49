"""Edition 2015 has no path to a `macro_rules` that is not exported: there the order of the text alone decides who sees it.

So a macro that moves arrives above what calls it, and the modules between it and its callers show their macros to what
follows them (`#[macro_use]`). Where the order of the `mod` lines does not allow it, the move is refused as before.
"""

from collections.abc import Iterator

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.macros.needs import free_names, macro_names
from m1nd.domain.move.reach import common_module, parent_of
from m1nd.domain.move.text import indentation, newline_of
from m1nd.domain.move.world import Move, occurrences_called
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.macros import is_exported
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.visibility import is_inside

MACRO_BODY = "macro_rules"
"""`Occurrence.in_macro` inside the definition of a macro."""
Place = tuple[str, Occurrence]
"""A file, and an occurrence in it."""


def goes_by_order(move: Move) -> bool:
    """Macros move, other items beside them or not, and no path leads to one of them."""
    items = [move.facts.items[i] for i in _macros(move)]
    plain = bool(items) and not any(is_exported(i) for i in items)
    return plain and not move.crosses and move.workspace.edition(move.source.definition.crate) < 2018


def _macros(move: Move) -> list[int]:
    """The macros among the items that move."""
    return [i for i in move.items if move.facts.items[i].kind is ItemKind.MACRO_RULES]


def first_caller_at_home(move: Move) -> int | None:
    """The first item of home, behind its imports, that calls a moved macro or holds a module that may."""
    if not goes_by_order(move) or not any(is_inside(m, move.home.definition) for m in _callers(move)):
        return None
    facts = move.workspace.facts[move.dest_file]
    called = frozenset(move.facts.items[i].name for i in _macros(move))
    starts = [
        o.start
        for o in occurrences_called(move.workspace, move.dest_file, called | macro_names(move.workspace))
    ]
    for index in facts.children(move.home.scope_item):
        item = facts.items[index]
        calls = any(item.start <= start < item.end for start in starts)
        if item.kind is ItemKind.MOD or (calls and item.kind is not ItemKind.MACRO_RULES):
            return index
    return None


def macro_use_lines(move: Move) -> list[Change]:
    """`#[macro_use]` for each module between the new home and the callers that does not have it."""
    if not goes_by_order(move):
        return []
    callers = _callers(move)
    if not callers:
        return []
    shared = common_module([move.home.definition, *callers])
    changes: list[Change] = []
    here = move.home.definition
    while here != shared:
        module = move.workspace.modules[here]
        if not module.macro_use:
            if _shows_more(move, module) or module.declared_in is None:
                return []
            file, index = module.declared_in
            start, source = move.workspace.facts[file].items[index].start, move.workspace.sources[file]
            text = b"#[macro_use]" + newline_of(source) + indentation(source, start)
            changes.append(written(file, start, start, text))
        here = parent_of(here)
    return changes


def _shows_more(move: Move, module: Module) -> bool:
    """The module has macros of its own, which would be seen behind it too."""
    facts = move.workspace.facts[module.file]
    return any(
        facts.items[i].kind is ItemKind.MACRO_RULES
        and not (module.file == move.source_file and i in move.items)
        for i in facts.children(module.scope_item)
    )


def _callers(move: Move) -> set[Definition]:
    """The modules that call a moved macro, or one whose body does."""
    workspace = move.workspace
    macros = [workspace.definition(move.source.definition, i) for i in _macros(move)]
    names = frozenset(m.name for m in macros)
    found = {
        o.module
        for path in workspace.files_around(move.source.definition.crate)
        for o in occurrences_called(workspace, path, names)
        if o.role is Role.MACRO and not move.moves(path, o.start) and not set(macros).isdisjoint(o.target)
    }
    found |= {o.module for macro in macros for _, o in calls_of_others(move, macro)}
    return {m for m in found if m.crate == move.source.definition.crate}


def calls_of_others(move: Move, macro: Definition) -> Iterator[Place]:
    """Calls, outside macro bodies and the moved text, of other macros whose bodies call `macro`."""
    workspace = move.workspace
    names = macro_names(workspace)
    for path in workspace.files_around(macro.crate):
        for occurrence in occurrences_called(workspace, path, names):
            if (
                occurrence.role is Role.MACRO
                and occurrence.in_macro != MACRO_BODY
                and macro not in occurrence.target
                and not move.moves(path, occurrence.start)
                and any(macro.name in free_names(workspace, other) for other in occurrence.target)
            ):
                yield path, occurrence
