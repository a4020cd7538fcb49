"""Items in the moved one's interface: whoever uses it outside has such values in his hands, so they must stay visible there.

rustc refuses a value whose type is private where it is used, named or not. An item of the interface therefore does not
travel as a private part: it stays, and is shown to the new home (`reach.py`).
"""

from collections.abc import Iterable, Iterator

from m1nd.domain.move.fields import fields_of
from m1nd.domain.move.macros.needs import fields_named, methods_called
from m1nd.domain.move.world import item_of, occurrences_in
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.names import Occurrence, Role
from m1nd.domain.rust.visibility import is_inside
from m1nd.domain.rust.workspace import Workspace

PRIVATE = ("", "pub(self)")
MEMBER_ROLES = (Role.METHOD, Role.FIELD)
Span = tuple[int, int]


def interface(workspace: Workspace, source: Module, root: int, impls: Iterable[int]) -> Iterator[Span]:
    """The byte ranges of the source file that tell the types of what others may take from item `root` and its `impls`.

    A fn: its head. A const, static: its type. A type alias: all of it. A trait: the heads of its items. A struct, union:
    the fields that others may name. An enum: its payloads. An impl: the heads of the members that others may name, and
    the types that an impl of a trait binds.
    """
    facts = workspace.facts[source.file]
    fact = facts.items[root]
    blocks = tuple(impls)
    has_members = bool(blocks) or fact.kind in (ItemKind.STRUCT, ItemKind.UNION)
    # Resolving all that is written around the source is the dearest step of a plan, and only members ask for it.
    spelled = _spelled_elsewhere(workspace, source, {root, *blocks}) if has_members else frozenset()
    if fact.kind in (ItemKind.STRUCT, ItemKind.UNION):
        yield from _fields(workspace, source, root, spelled)
    elif fact.kind is ItemKind.TRAIT:
        yield fact.start, fact.body_start
        yield from (head(workspace, source.file, i) for i in facts.items if i.parent == root)
    else:
        yield head(workspace, source.file, fact)
    for impl in blocks:
        of_trait = " for " in facts.items[impl].detail.split(" where ")[0]
        for member in facts.items:
            if member.parent == impl and (
                of_trait or member.visibility not in PRIVATE or member.name in spelled
            ):
                yield head(workspace, source.file, member)


def _fields(workspace: Workspace, source: Module, root: int, spelled: frozenset[str]) -> Iterator[Span]:
    fact = workspace.facts[source.file].items[root]
    yield fact.start, fact.body_start or fact.end
    definition = workspace.definition(source.definition, root)
    private = {f.name for f in fields_of(workspace, definition) if f.visibility in PRIVATE}
    for field, text in workspace.fields_of(definition):
        if field.name not in private or field.name in spelled or field.name.isdigit():
            yield text.start, text.end


def head(workspace: Workspace, path: str, fact: ItemFact) -> Span:
    """From the item's start to its body, or to the `=` of a value; whole where it has neither."""
    if fact.kind is ItemKind.FN and fact.has_body:
        return fact.start, fact.body_start
    if fact.kind in (ItemKind.CONST, ItemKind.STATIC):
        equals = workspace.sources[path].find(b"=", fact.name_end, fact.end)
        return fact.start, equals if equals >= 0 else fact.end
    return fact.start, fact.end


def _spelled_elsewhere(workspace: Workspace, source: Module, mine: set[int]) -> frozenset[str]:
    """Names of fields and associated items that code outside `mine` spells where private members can be seen."""
    facts = workspace.facts[source.file]
    files = sorted({m.file for m in workspace.modules.values() if is_inside(m.definition, source.definition)})
    outside = [
        occurrence
        for path in files
        for occurrence in occurrences_in(workspace, path)
        if not (path == source.file and item_of(facts, occurrence.item, source.scope_item) in mine)
    ]
    macros = {d for o in outside if o.role is Role.MACRO for d in o.target}
    in_bodies = {
        name for m in macros for name in (*methods_called(workspace, m), *fields_named(workspace, m))
    }
    return frozenset(in_bodies | {o.segments[-1].name for o in outside if o.segments and _may_be_a_member(o)})


def _may_be_a_member(occurrence: Occurrence) -> bool:
    """Behind a dot or `::`, or a token of a macro, which may put a dot before it (`parse!(self, ident)`)."""
    return occurrence.role in MEMBER_ROLES or len(occurrence.segments) > 1 or bool(occurrence.in_macro)
