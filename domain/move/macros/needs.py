"""Names that the bodies of `macro_rules!` leave to the place that calls them: `ptr` in `macro_rules! m { … ptr::null() … }`.

Such a name means what it means where the macro is called, so it must be bound there. Found by the words of the bodies;
nothing is resolved inside a body, because only its expansion has a meaning.
"""

import re
from collections.abc import Iterator

from m1nd.domain.move.world import GLOB, Move, may_have_imports_of, occurrences_called
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, Occurrence, Role
from m1nd.domain.rust.prelude import STD_MACROS
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

FREE_NAME = re.compile(rb"(?<![\w$:.'])(?!\d)(?:(\w+)(?=\s*(?:::|\(|!|\{))|([A-Z]\w+))")
"""A word that a path, a call or a macro call begins with, or that names a type or a constant; what follows `$`, `.` or `::` is bound elsewhere."""
METHOD_NAME = re.compile(rb"\.\s*([a-z_]\w*)\s*(?:::\s*<[^>()]*>\s*)?\(")
FIELD_NAME = re.compile(rb"(?<!\.)\.\s*([A-Za-z_]\w*)(?!\w|\s*(?:\(|::))")
DECLARED = re.compile(rb"\b(?:fn|let|let\s+mut|const|static|struct|enum|union|mod|type|trait)\s+(\w+)")
BLANKS = re.compile(rb"(\$)\s+(?=crate\b)|\s*(::)\s*")
"""What generated text has in its paths: `$ crate :: name`."""
QUIET = re.compile(rb'//[^\n]*|"(?:\\.|[^"\\])*"')
NEVER = frozenset(
    b"crate self super Self if match while for in return let fn move loop unsafe as ref mut".split()
)
DEPTH = 8
HANDED_ON = re.compile(rb"\$\w+\s*!|\bmacro_rules\s*!")
CALLED = re.compile(rb"(?<![$\w])([A-Za-z_]\w*)\s*!\s*[(\[{]")


def free_names(workspace: Workspace, macro: Definition) -> frozenset[str]:
    """What the body of a workspace macro, and those of the macros that it calls, leave to the caller."""
    return frozenset(name for body in _bodies(workspace, macro) for name in _words(body))


def methods_called(workspace: Workspace, macro: Definition) -> frozenset[str]:
    """The methods that the body of a workspace macro, and those of the macros that it calls, call."""
    return frozenset(
        name.decode("utf-8", "replace")
        for body in _bodies(workspace, macro)
        for name in METHOD_NAME.findall(body)
    )


def fields_named(workspace: Workspace, macro: Definition) -> frozenset[str]:
    """The names that stand behind a dot, uncalled, in the body of a workspace macro and in those of the macros that it calls."""
    return frozenset(
        name.decode("utf-8", "replace")
        for body in _bodies(workspace, macro)
        for name in FIELD_NAME.findall(body)
    )


def expands_in_place(workspace: Workspace, macro: Definition) -> bool:
    """What the macro's body says is said where the macro is called, and handed on to no macro that nobody knows."""
    known = macro_names(workspace) | STD_MACROS
    return all(
        not HANDED_ON.search(body)
        and known.issuperset(n.decode("utf-8", "replace") for n in CALLED.findall(body) if n not in NEVER)
        for body in _bodies(workspace, macro)
    )


def _bodies(workspace: Workspace, macro: Definition) -> list[bytes]:
    """The text of a macro and of those that it calls, without comments and strings."""
    found: list[bytes] = []
    todo, seen = [macro], {macro}
    for _ in range(DEPTH):
        following: list[Definition] = []
        for definition in todo:
            body = body_of(workspace, definition)
            found.append(body)
            for called in _macros_called(workspace, definition, _words(body)):
                if called not in seen:
                    seen.add(called)
                    following.append(called)
        todo = following
    return found


def body_of(workspace: Workspace, macro: Definition) -> bytes:
    """The text of a workspace macro without comments, strings and the blanks in paths; empty for what is none."""
    place = workspace.locate(macro)
    if macro.item_kind != ItemKind.MACRO_RULES or place is None:
        return b""
    item = workspace.facts[place[0]].items[place[1]]
    body = QUIET.sub(b"", workspace.sources[place[0]][item.name_end : item.end])
    return BLANKS.sub(lambda blank: blank[1] or blank[2], body)


def _words(body: bytes) -> frozenset[str]:
    found = {lower or upper for lower, upper in FREE_NAME.findall(body)}
    return frozenset(n.decode("utf-8", "replace") for n in found - NEVER - set(DECLARED.findall(body)))


def _macros_called(workspace: Workspace, macro: Definition, names: frozenset[str]) -> Iterator[Definition]:
    """Macros of the crate that one of `names` may call."""
    for module in workspace.modules.values():
        if module.inline or module.definition.crate != macro.crate:
            continue
        for index, item in enumerate(workspace.facts[module.file].items):
            if item.kind is ItemKind.MACRO_RULES and item.parent == -1 and item.name in names:
                yield workspace.definition(module.definition, index)


def macros_called_by(workspace: Workspace, macro: Definition) -> list[Definition]:
    """The macros of the crate that a macro's body calls, and those that theirs call."""
    found: dict[Definition, None] = {}
    todo = [macro]
    while todo:
        words = _words(body_of(workspace, todo.pop()))
        new = [m for m in _macros_called(workspace, macro, words) if m not in found and m != macro]
        found.update(dict.fromkeys(new))
        todo += new
    return list(found)


def names_left_to(workspace: Workspace, occurrences: list[Occurrence]) -> dict[str, Occurrence]:
    """Name to the first macro call, among `occurrences`, whose macro leaves that name to its caller.

    A call in a macro's body is made where that macro is called.
    """
    found: dict[str, Occurrence] = {}
    for occurrence in occurrences:
        if occurrence.role is Role.MACRO and occurrence.in_macro != ItemKind.MACRO_RULES.value:
            for macro in occurrence.target:
                for name in sorted(free_names(workspace, macro)):
                    found.setdefault(name, occurrence)
    return found


def serves_macros(move: Move, name: str, module: Definition) -> bool:
    """Some macro that text which stays in a module or below it calls leaves `name` to it."""
    workspace = move.workspace
    spelled = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    callers = {
        item.name
        for path, facts in workspace.facts.items()
        if workspace.spells(path, (name,))
        for item in facts.items
        if item.kind is ItemKind.MACRO_RULES
        and spelled.search(workspace.sources[path], item.name_end, item.end)
    }
    if not callers:
        return False
    macros = macro_names(workspace)
    for file in sorted({m.file for m in workspace.modules.values() if is_inside(m.definition, module)}):
        calls = [
            o
            for o in occurrences_called(workspace, file, macros)
            if o.role is Role.MACRO
            and is_inside(o.module, module)
            and not move.moves(file, o.start)
            and _may_share(workspace, o, module)
        ]
        if name in names_left_to(workspace, calls):
            return True
    return False


def _may_share(workspace: Workspace, call: Occurrence, module: Definition) -> bool:
    """The call stands in the module, or in one below it into which a glob, its own or the macro's, may bring private imports."""
    if may_have_imports_of(workspace, call.module, module):
        return True
    return any(GLOB.search(body) for macro in call.target for body in _bodies(workspace, macro))


def macro_names(workspace: Workspace) -> frozenset[str]:
    """The names of all `macro_rules!` of the workspace."""
    return workspace.macro_names()
