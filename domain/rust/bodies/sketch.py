"""From the bytes of a file to its sketch: the full walk with lexical scopes. Never fails; broken text is doubt."""

import re

from m1nd.domain.rust.bodies import (
    attributes,
    documentation,
    expressions,
    items,
    macro_arguments,
    macro_rules,
    written_paths,
)
from m1nd.domain.rust.bodies.model import Sketch
from m1nd.domain.rust.bodies.state import Handler, Walk, without_built_in_attributes
from m1nd.domain.rust.bodies.tokens import BOTH
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.syntax import Parser, SyntaxNode
from m1nd.domain.rust.walk import COMMENTS, identifier

HANDLERS: dict[str, Handler] = {
    **written_paths.HANDLERS,
    **expressions.HANDLERS,
    **items.HANDLERS,
    **macro_arguments.HANDLERS,
    **macro_rules.HANDLERS,
    **attributes.HANDLERS,
}
WORDS = re.compile(rb"(?:::)?[A-Za-z_\x80-\xff][\w\x80-\xff]*(?:::[A-Za-z_\x80-\xff][\w\x80-\xff]*)*")
WORD = re.compile(rb"[^:]+")


def sketch(source: bytes, facts: FileFacts, parser: Parser) -> Sketch:
    """Every path of the file with its scopes; a pure function of its arguments."""
    root = parser.parse(source)
    if root.has_error:
        source = without_built_in_attributes(source)
        root = parser.parse(source)
    walk = Walk(source, facts, parser, HANDLERS, documentation.documentation)
    too_deep: list[int] = []
    trivia: list[SyntaxNode] = []
    for child in root.named_children:
        if child.type in COMMENTS or child.type == "attribute_item":
            trivia.append(child)
            continue
        known = len(walk.raws)
        state = (walk.source, walk.shift, walk.lines, walk.macros, walk.in_macro, walk.certain, walk.quiet)
        rib, item = walk.rib, walk.item
        try:
            walk.trivia(trivia, walk.starts.get(child.start_byte, -1))
            walk.visit(child)
        except RecursionError:
            too_deep.append(child.start_byte)
            del walk.raws[known:]
            walk.source, walk.shift, walk.lines, walk.macros, walk.in_macro, walk.certain, walk.quiet = state
            walk.rib, walk.item = rib, item
            words(walk, child)
        trivia = []
    walk.trivia(trivia, -1)
    walk.raws.sort(key=lambda r: (r.start, r.end))
    return Sketch(tuple(walk.raws), walk.fields, walk.results, walk.types, tuple(too_deep))


def words(walk: Walk, node: SyntaxNode) -> None:
    """Text nested too deeply to walk: every word may be a path."""
    kept, walk.certain = walk.certain, False
    for match in WORDS.finditer(walk.source, node.start_byte, node.end_byte):
        segments = [
            (identifier(w.group()), match.start() + w.start(), match.start() + w.end())
            for w in WORD.finditer(match.group())
        ]
        walk.write(Role.TOKEN, segments, BOTH, match.start(), match.group().startswith(b"::"))
    walk.certain = kept
