"""The text of a module that stands inline in a file: how deep its items stand, where it ends, what it says of itself."""

import re
from collections.abc import Iterable

from m1nd.domain.move.text import indentation, line_start, only_blank
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.workspace import Workspace

TABBED = re.compile(rb"^\t", re.MULTILINE)


def inner_attributes(workspace: Workspace, module: Module) -> tuple[str, ...]:
    """The text inside each `#![…]` of a module, in order."""
    if not module.inline:
        return workspace.facts[module.file].inner_attributes
    body = workspace.sources[module.file][slice(*module.body)]
    if b"#![" not in body:
        return ()
    found = workspace.parser.parse(body).named_children
    texts = (body[n.start_byte : n.end_byte] for n in found if n.type == "inner_attribute_item")
    return tuple(
        text.decode("utf-8", "replace").removeprefix("#![").removesuffix("]").strip() for text in texts
    )


def body_indent(source: bytes, facts: FileFacts, module: Module) -> bytes:
    """The blanks before an item of the module: those of its first item that begins a line, else one step from its own."""
    if not module.inline:
        return b""
    for index in facts.children(module.scope_item):
        start = facts.items[index].extent_start
        if only_blank(source[line_start(source, start) : start]):
            return indentation(source, start)
    step = b"\t" if TABBED.search(source) else b"    "
    return own_indent(source, facts, module) + step


def own_indent(source: bytes, facts: FileFacts, module: Module) -> bytes:
    """The blanks at the start of the line that an inline module begins on."""
    return indentation(source, facts.items[module.item].start)


def closing_line(source: bytes, module: Module) -> int | None:
    """Where the line of an inline module's closing brace begins; None where text of the module stands before it."""
    position = line_start(source, module.body[1])
    alone = position > module.body[0] and only_blank(source[position : module.body[1]])
    return position if alone else None


def left_of(source: bytes, facts: FileFacts, span: tuple[int, int], gone: Iterable[int]) -> bytes:
    """What is left of a stretch of text when the items `gone` are taken away with all that belongs to them."""
    parts, position = [], span[0]
    for index in sorted(gone):
        item = facts.items[index]
        if span[0] <= item.extent_start < span[1]:
            parts.append(source[position : item.extent_start])
            position = max(position, item.end)
    return b"".join([*parts, source[position : span[1]]])
