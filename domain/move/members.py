"""Private fields, constructors, methods and associated items that the moved text touches (cases 16, 18, 20).

Where the receiver's type is plain the resolver names the member; elsewhere a private member of that name counts when
its type is within reach of what the moved text mentions. Raising one too many is visible in the receipt, never silent.
"""

from collections.abc import Iterator
from functools import cache

from attrs import evolve

from m1nd.domain.move.fields import fields_of
from m1nd.domain.move.macros.needs import fields_named, methods_called
from m1nd.domain.move.macros.order import MACRO_BODY
from m1nd.domain.move.near_types import Reach
from m1nd.domain.move.needs import moved_occurrences, moved_places
from m1nd.domain.move.world import Move
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Occurrence, Role

WITH_FIELDS = ("struct", "union", "variant")


def members_needed(move: Move) -> frozenset[Definition]:
    """Members that the moved text uses and that the new home may not see."""
    found: set[Definition] = set()
    unknown: set[tuple[Role, str]] = set()
    for path, occurrence in moved_places(move):
        if occurrence.role in (Role.METHOD, Role.FIELD):
            if occurrence.target:
                found.update(d for d in occurrence.target if d.kind is DefinitionKind.ITEM)
            elif occurrence.segments:
                unknown.add((occurrence.role, occurrence.segments[-1].name))
        else:
            unknown |= {(Role.METHOD, name) for name in _handed_to_macros(move, occurrence)}
            unknown |= {(Role.FIELD, name) for name in _read_by_macros(move, occurrence)}
            found |= _constructor_fields(move, path, occurrence)
    if unknown:
        found |= _by_name(move, unknown)
    found |= {twin for d in found if d.item_kind == "field" for twin in _twins(move, d)}
    return frozenset(d for d in found if _hidden(move, d))


def _twins(move: Move, field: Definition) -> Iterator[Definition]:
    """The field in every struct that conditions choose from."""
    ordinal = 0
    while move.workspace.locate(twin := evolve(field, ordinal=ordinal)) is not None:
        yield twin
        ordinal += 1


def _handed_to_macros(move: Move, occurrence: Occurrence) -> frozenset[str]:
    """Names that a macro may put a dot before: a token it is given (`parse!(self, name)`), and those of its body."""
    if occurrence.role is Role.MACRO:
        bodies = (methods_called(move.workspace, macro) for macro in occurrence.target)
        return frozenset(name for names in bodies for name in names)
    token = occurrence.in_macro and not occurrence.target and len(occurrence.segments) == 1
    return frozenset((occurrence.segments[0].name,)) if token else frozenset()


def _read_by_macros(move: Move, occurrence: Occurrence) -> frozenset[str]:
    """Fields that the body of a called macro names: `$stack.start` is private where the macro is called, not where it stands."""
    macros = occurrence.target if occurrence.role is Role.MACRO else ()
    return frozenset(name for macro in macros for name in fields_named(move.workspace, macro))


def _hidden(move: Move, definition: Definition) -> bool:
    if definition in move.renamed or move.after(definition) != definition:
        return False
    visibility = move.workspace.visibility_of(definition)
    return not move.workspace.can_see(move.home.definition, visibility)


def _constructor_fields(move: Move, path: str, occurrence: Occurrence) -> set[Definition]:
    """A tuple struct's constructor (or pattern) needs all of its fields; so does a literal with `..base`."""
    found: set[Definition] = set()
    for definition in occurrence.target:
        if definition.item_kind != "struct":
            continue
        tuple_use = occurrence.role in (Role.CALL, Role.EXPRESSION, Role.PATTERN)
        rest = takes_rest(move, path, occurrence)
        if tuple_use or rest:
            for field in fields_of(move.workspace, definition):
                if rest or field.name.isdigit():
                    found.add(field_definition(definition, field.name))
    return found


def field_definition(owner: Definition, name: str) -> Definition:
    return Definition(DefinitionKind.ITEM, owner.crate, (*owner.path, name), "field", owner.ordinal)


def takes_rest(move: Move, path: str, occurrence: Occurrence) -> bool:
    """`S { a, ..base }` after the path, in the body of a macro too: a functional update touches every field."""
    source = move.workspace.sources[path]
    in_body = occurrence.in_macro == MACRO_BODY and source[occurrence.end :].lstrip()[:1] == b"{"
    if occurrence.role is not Role.STRUCT and not in_body:
        return False
    position = source.find(b"{", occurrence.end)
    depth = 0
    while 0 <= position < len(source):
        byte = source[position : position + 1]
        if byte in (b"{", b"(", b"["):
            depth += 1
        elif byte in (b"}", b")", b"]"):
            depth -= 1
            if depth == 0:
                return False
        elif depth == 1 and source[position : position + 2] == b"..":
            return source[position + 2 :].lstrip()[:1] != b"}"
        position += 1
    return False


def _by_name(move: Move, unknown: set[tuple[Role, str]]) -> set[Definition]:
    """Private members of these names whose type the moved text can have in its hands."""
    workspace = move.workspace
    near = cache(lambda: _near_paths(move))
    names = {name for _, name in unknown}
    found: set[Definition] = set()
    for module in workspace.modules.values():
        if module.inline or module.definition.crate != move.source.definition.crate:
            continue
        if not workspace.spells(module.file, names) and not any(n.isdigit() for n in names):
            continue
        facts = workspace.facts[module.file]
        for index, item in enumerate(facts.items):
            if item.kind is ItemKind.FN and item.parent >= 0 and (Role.METHOD, item.name) in unknown:
                if facts.items[item.parent].kind is ItemKind.IMPL:
                    member = _member(move, module.definition, index)
                    if (
                        member is not None
                        and _type_of(move, module.definition, item.parent, member) in near()
                    ):
                        found.add(member)
            elif item.kind in (ItemKind.STRUCT, ItemKind.UNION) and item.has_body:
                if not _may_declare(workspace.sources[module.file][item.body_start : item.body_end], names):
                    continue
                owner = _member(move, module.definition, index)
                fields = fields_of(workspace, owner) if owner is not None else ()
                asked = [
                    f for f in fields if (Role.FIELD, f.name) in unknown or (Role.METHOD, f.name) in unknown
                ]
                if owner is not None and asked and owner.path in near():
                    found |= {field_definition(owner, f.name) for f in asked}
    return {
        d for d in found if move.workspace.can_see(move.source.definition, move.workspace.visibility_of(d))
    }


def _may_declare(body: bytes, names: set[str]) -> bool:
    """Whether the body of a struct may hold a field of one of these names; those of a tuple's fields are not written."""
    return any(not n.isascii() or n.isdigit() or n.encode() in body for n in names)


def _member(move: Move, file_module: Definition, index: int) -> Definition | None:
    """The definition of an item of a file, in the module that really holds it."""
    workspace = move.workspace
    path = workspace.modules[file_module].file
    inner = workspace.module_at(path, workspace.facts[path].items[index].start, file_module.crate)
    return workspace.definition(inner.definition, index) if inner is not None else None


def _type_of(move: Move, file_module: Definition, block: int, member: Definition) -> tuple[str, ...]:
    """The path of the type that the impl block is for, which may be declared in another module than the block."""
    workspace = move.workspace
    path = workspace.modules[file_module].file
    inner = workspace.module_at(path, workspace.facts[path].items[block].start, file_module.crate)
    found = workspace.self_type(inner.definition, block) if inner is not None else None
    return found.path if found is not None else member.path[:-1]


def _near_paths(move: Move) -> frozenset[tuple[str, ...]]:
    """Paths of the types within reach of the moved text."""
    mentioned = (d for o in moved_occurrences(move) for ds in o.denotes for d in ds)
    return frozenset(d.path for d in Reach(move.workspace, move.source.definition.crate).of(mentioned))
