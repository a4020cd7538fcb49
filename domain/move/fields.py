"""Fields of structs, unions and variants: their names and where their visibility is written. Reads one item's text."""

from collections.abc import Iterator

from attrs import frozen

from m1nd.domain.rust.facts import ItemFact
from m1nd.domain.rust.names import Definition
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.walk import identifier
from m1nd.domain.rust.workspace import Workspace


@frozen
class Field:
    """`start` is where a visibility modifier is or would be written; tuple fields are named `0`, `1`, …"""

    name: str
    start: int
    visibility: str


def fields_of(workspace: Workspace, owner: Definition) -> tuple[Field, ...]:
    """The fields of a struct, union or variant of the workspace, in order; empty for anything else."""
    place = workspace.locate(owner)
    if place is None:
        return ()
    path, index = place
    item = workspace.facts[path].items[index]
    return fields_in(workspace, path, item.body_start, item.body_end) if item.has_body else ()


def field_of(workspace: Workspace, field: Definition, item: ItemFact) -> Field | None:
    """A field by its definition; `item`: the struct, union or variant that holds it."""
    return next((f for f in fields_of(workspace, _owner(field, item)) if f.name == field.path[-1]), None)


def type_of_field(
    workspace: Workspace, field: Definition, path: str, item: ItemFact
) -> Iterator[tuple[str, int, int]]:
    """`(path, start, end)` of the text of a field's type; `item`: what holds the field, a fact of the file `path`."""
    for definition, sketch in workspace.fields_of(_owner(field, item)):
        if definition.path == field.path:
            yield path, sketch.start, sketch.end


def _owner(field: Definition, item: ItemFact) -> Definition:
    return Definition(field.kind, field.crate, field.path[:-1], item.kind.value, field.ordinal)


def fields_in(workspace: Workspace, path: str, start: int, end: int) -> tuple[Field, ...]:
    """The fields of the field list at bytes `start..end` of a file."""
    head = b"struct A"
    tail = b";" if workspace.sources[path][start : start + 1] == b"(" else b""
    text = head + workspace.sources[path][start:end] + tail
    root = workspace.parser.parse(text)
    shift = start - len(head)
    found: list[Field] = []
    for item in root.named_children[:1]:
        body = item.child_by_field_name("body")
        if body is not None and body.type == "field_declaration_list":
            found += [_named(c, text, shift) for c in body.named_children if c.type == "field_declaration"]
        elif body is not None and body.type == "ordered_field_declaration_list":
            found += _ordered(body, text, shift)
    return tuple(found)


def _named(node: SyntaxNode, text: bytes, shift: int) -> Field:
    name = node.child_by_field_name("name")
    modifier = next((c for c in node.children if c.type == "visibility_modifier"), None)
    spelled = identifier(text[name.start_byte : name.end_byte]) if name is not None else ""
    written = text[modifier.start_byte : modifier.end_byte].decode() if modifier is not None else ""
    return Field(spelled, node.start_byte + shift, written)


def _ordered(body: SyntaxNode, text: bytes, shift: int) -> list[Field]:
    """Tuple fields: a type with an optional modifier before it, attributes and comments apart."""
    found: list[Field] = []
    modifier: SyntaxNode | None = None
    for child in body.named_children:
        if child.type == "visibility_modifier":
            modifier = child
        elif child.type not in ("attribute_item", "line_comment", "block_comment"):
            start = modifier.start_byte if modifier is not None else child.start_byte
            written = text[modifier.start_byte : modifier.end_byte].decode() if modifier is not None else ""
            found.append(Field(str(len(found)), start + shift, written))
            modifier = None
    return found
