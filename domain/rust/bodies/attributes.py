"""Attributes: derives, attribute macros, and the paths that known attributes take as strings or tokens.

What an unknown attribute does with its arguments is its own affair: words in it count only where they resolve.
"""

import re
from collections.abc import Sequence

from m1nd.domain.rust.bodies.macro_arguments import STRINGS, arguments
from m1nd.domain.rust.bodies.model import Raw, Typed
from m1nd.domain.rust.bodies.state import MACRO, TYPE, VALUE, Walk
from m1nd.domain.rust.bodies.tokens import flat, is_name, scan_tokens
from m1nd.domain.rust.names import Namespace, Role
from m1nd.domain.rust.prelude import BUILTIN_ATTRIBUTES, TOOL_ATTRIBUTES, words
from m1nd.domain.rust.syntax import SyntaxNode
from m1nd.domain.rust.walk import identifier

VALUE_KEYS = words(
    """default serialize_with deserialize_with skip_serializing_if getter parse try_from_str from_str value_parser
    default_value_t default_with validate custom function schema_with"""
)
TYPE_KEYS = words("with remote from into try_from try_into as crate schema")
BOUND_KEYS = frozenset(["bound", "serialize", "deserialize"])
PATH = re.compile(rb"\s*(?:::\s*)?\w+(?:\s*::\s*\w+)*\s*$")
WORD = re.compile(rb"[^\s:]+")


def attribute(walk: Walk, node: SyntaxNode) -> Typed:
    """An outer or inner attribute item."""
    inner = next((c for c in node.named_children if c.type == "attribute"), None)
    if inner is not None:
        one(walk, flat(inner))
    return None


def one(walk: Walk, tokens: Sequence[SyntaxNode]) -> None:
    """One attribute: its path, then its arguments."""
    names, rest, absolute = head(walk, tokens)
    if not names:
        return
    name = names[-1][0]
    if len(names) == 1 and name in BUILTIN_ATTRIBUTES:
        if name == "derive":
            derive(walk, rest)
        elif name == "cfg_attr":
            conditional(walk, rest)
        return
    if names[0][0] in TOOL_ATTRIBUTES:
        return
    walk.write(Role.ATTRIBUTE, names, MACRO, names[0][1], absolute)
    inputs(walk, rest)


def head(
    walk: Walk, tokens: Sequence[SyntaxNode]
) -> tuple[list[tuple[str, int, int]], Sequence[SyntaxNode], bool]:
    """`(segments, tokens after the path, leading ::)`."""
    absolute = bool(tokens) and tokens[0].type == "::"
    index = 1 if absolute else 0
    names = []
    while index < len(tokens) and is_name(walk, tokens[index]):
        names.append((walk.name(tokens[index]), *walk.span(tokens[index])))
        index += 1
        if index + 1 >= len(tokens) or tokens[index].type != "::":
            break
        index += 1
    return names, tokens[index:], absolute


def split(tokens: Sequence[SyntaxNode]) -> list[list[SyntaxNode]]:
    """Tokens between top-level commas, brackets left out."""
    parts: list[list[SyntaxNode]] = [[]]
    for token in tokens:
        if token.type == ",":
            parts.append([])
        elif token.type not in ("(", ")", "[", "]", "{", "}"):
            parts[-1].append(token)
    return [p for p in parts if p]


def derive(walk: Walk, rest: Sequence[SyntaxNode]) -> None:
    for tree in rest:
        if tree.type == "token_tree":
            for part in split(flat(tree)):
                names, _, absolute = head(walk, part)
                if names:
                    walk.write(Role.ATTRIBUTE, names, MACRO, names[0][1], absolute)


def conditional(walk: Walk, rest: Sequence[SyntaxNode]) -> None:
    """`cfg_attr(predicate, attribute, …)`."""
    for tree in rest:
        if tree.type == "token_tree":
            for part in split(flat(tree))[1:]:
                one(walk, part)


def inputs(walk: Walk, tokens: Sequence[SyntaxNode]) -> None:
    """Arguments of an attribute that is no built-in: string paths by key, words where they mean something."""
    key = ""
    for index, token in enumerate(tokens):
        if token.type == "=" and index:
            key = walk.name(tokens[index - 1]) if is_name(walk, tokens[index - 1]) else ""
        elif token.type in STRINGS and index and tokens[index - 1].type == "=":
            string_path(walk, token, key)
    kept = walk.certain, walk.quiet
    walk.certain, walk.quiet = False, True
    named = [t for i, t in enumerate(tokens) if i + 1 >= len(tokens) or tokens[i + 1].type != "="]
    trees = scan_tokens(walk, named, arguments, Role.ATTRIBUTE)
    walk.certain, walk.quiet = kept
    for tree in trees:
        inputs(walk, flat(tree))


def string_path(walk: Walk, literal: SyntaxNode, key: str) -> None:
    """`key = "path"` where the key is known to take a path, a type or bounds."""
    text = walk.text(literal)
    begin = text.find(b'"') + 1
    inner = text[begin : text.rfind(b'"')]
    start = literal.start_byte + begin
    if key in VALUE_KEYS or key in TYPE_KEYS:
        if PATH.match(inner):
            write_path(walk, inner, start, VALUE if key in VALUE_KEYS else TYPE)
        elif key in TYPE_KEYS:
            parse_as(walk, start, b"type T = ", inner, b";")
    elif key in BOUND_KEYS:
        if PATH.match(inner):
            write_path(walk, inner, start, VALUE)
        else:
            parse_as(walk, start, b"fn f() where ", inner, b" {}")


def write_path(walk: Walk, text: bytes, start: int, namespaces: tuple[Namespace, ...]) -> Raw:
    """Write down a path that stands in a string or comment at `start` of the walked text."""
    segments = []
    for match in WORD.finditer(text):
        begin = walk.at(start + match.start())
        segments.append((identifier(match.group()), begin, begin + len(match.group())))
    lead = text.lstrip().startswith(b"::")
    begin = walk.at(start + len(text) - len(text.lstrip()))
    return walk.write(Role.ATTRIBUTE, segments, namespaces, begin, lead)


def parse_as(walk: Walk, start: int, prefix: bytes, inner: bytes, suffix: bytes) -> None:
    """Types or bounds in a string: their paths are attribute occurrences."""
    text = prefix + inner + suffix
    root = walk.parser.parse(text)
    if root.has_error:
        return
    before = len(walk.raws)
    with walk.inside(text, start - len(prefix)), walk.scoped():
        declaration = root.named_children[0]
        part = declaration.child_by_field_name("type") or next(
            (c for c in declaration.named_children if c.type == "where_clause"), None
        )
        if part is not None:
            walk.visit(part)
    for raw in walk.raws[before:]:
        raw.role = Role.ATTRIBUTE


HANDLERS = {"trivia": attribute, "attribute_item": attribute, "inner_attribute_item": attribute}
