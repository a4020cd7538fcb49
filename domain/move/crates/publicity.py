"""`pub` for items and members, and for what their interface speaks of: which, and where the word is written.

A value whose type is private where it is used is an error, named or not, and so is an associated type that is more
private than the impl that binds it (E0446); the lints of private interfaces ask for the rest. Source: the Rust
Reference (Visibility and privacy).
"""

from collections.abc import Iterable, Iterator

from attrs import frozen

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.exposure import PRIVATE, head
from m1nd.domain.move.fields import Field, field_of, fields_of, type_of_field
from m1nd.domain.move.reach import MODIFIER
from m1nd.domain.move.standing import TYPES
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.names import Definition, DefinitionKind, Role
from m1nd.domain.rust.workspace import Workspace

NAMED_KINDS = (*TYPES, "type", "trait")
Span = tuple[str, int, int]


@frozen
class Published:
    """What became public: `before` and `after` as written, in the file `path` at byte `start`."""

    definition: Definition
    path: str
    start: int
    before: str
    after: str
    changes: tuple[Change, ...]

    def told(self) -> dict[str, str]:
        """The row of the receipt."""
        return {
            "name": "::".join(self.definition.path),
            "file": self.path,
            "visibility_before": self.before or "private",
            "visibility_after": self.after,
        }


def interface_closed(workspace: Workspace, wanted: Iterable[Definition]) -> frozenset[Definition]:
    """The definitions that bear a modifier for `wanted`, with all that is not public and that their interfaces name."""
    found: set[Definition] = set()
    todo = [workspace.bearer_of(d) for d in wanted]
    while todo:
        one = todo.pop()
        if one in found or workspace.locate(one) is None:
            continue
        found.add(one)
        todo += _spoken_of(workspace, one)
    return frozenset(found)


def _spoken_of(workspace: Workspace, definition: Definition) -> Iterator[Definition]:
    for path, start, end in _interface(workspace, definition):
        for occurrence in workspace.occurrences_between(path, start, end, definition.crate):
            if occurrence.role is not Role.TYPE:
                continue
            for named in occurrence.target:
                mine = named.kind is DefinitionKind.ITEM and named.crate == definition.crate
                if mine and named.item_kind in NAMED_KINDS and not workspace.visibility_of(named).public:
                    yield named


def _interface(workspace: Workspace, definition: Definition) -> Iterator[Span]:
    """The text that tells what others take from a definition."""
    place = workspace.locate(definition)
    if place is None:
        return
    path, index = place
    items = workspace.facts[path].items
    item = items[index]
    if definition.item_kind == "field":
        yield from type_of_field(workspace, definition, path, item)
        return
    if item.kind in (ItemKind.STRUCT, ItemKind.UNION):
        yield from _of_struct(workspace, definition, path, item)
    elif item.kind is ItemKind.TRAIT:
        yield path, item.start, item.body_start or item.end
        yield from ((path, *head(workspace, path, i)) for i in items if i.parent == index)
    else:
        yield (path, *head(workspace, path, item))
    if definition.item_kind in TYPES:
        yield from _of_impls(workspace, definition)


def _of_struct(workspace: Workspace, definition: Definition, path: str, item: ItemFact) -> Iterator[Span]:
    """The head, and the fields that are public."""
    yield path, item.start, item.body_start if item.has_body else item.end
    public = {f.name for f in fields_of(workspace, definition) if f.visibility == "pub"}
    for field, sketch in workspace.fields_of(definition):
        if field.name in public:
            yield path, sketch.start, sketch.end


def _of_impls(workspace: Workspace, definition: Definition) -> Iterator[Span]:
    """Of inherent impls the heads of public members, of those of traits the types that they bind."""
    for module, block in workspace.impls_of(definition):
        path = workspace.modules[module].file
        for item in workspace.facts[path].items:
            if item.parent == block and (item.visibility == "pub" or item.kind is ItemKind.TYPE):
                yield (path, *head(workspace, path, item))


def made_public(workspace: Workspace, definitions: Iterable[Definition]) -> Iterator[Published]:
    """`pub` for each that is not, where its modifier stands; a member of a trait's impl bears none."""
    for definition in sorted(definitions, key=lambda d: (d.crate, d.path, d.ordinal)):
        place = workspace.locate(definition)
        if place is None or definition.item_kind in ("macro_rules", "variant"):
            continue
        path, index = place
        found = _modifier(workspace, definition, path, index)
        if found is None or found.visibility == "pub":
            continue
        before = found.visibility
        match = MODIFIER.match(workspace.sources[path], found.start) if before else None
        end = match.end() if match else found.start
        change = written(path, found.start, end, b"pub ")
        yield Published(definition, path, found.start, "" if before in PRIVATE else before, "pub", (change,))


def _modifier(workspace: Workspace, definition: Definition, path: str, index: int) -> Field | None:
    item = workspace.facts[path].items[index]
    if definition.item_kind != "field":
        return Field(item.name, item.start, item.visibility)
    return field_of(workspace, definition, item)
