"""Doc comments: their links, and the code of their doc tests as a crate of its own."""

import re

from m1nd.domain.rust import doc_links
from m1nd.domain.rust.bodies.attributes import write_path
from m1nd.domain.rust.bodies.blocks import block
from m1nd.domain.rust.bodies.model import RibKind
from m1nd.domain.rust.bodies.state import LineMap, Walk
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.syntax import SyntaxNode

STAR = re.compile(rb"^[ \t]*\*(?!/)")
DOCTEST = "doctest"


def documentation(walk: Walk, comments: list[SyntaxNode]) -> None:
    """Doc comments that stand together; inner ones belong to the item around them."""
    for inner in (True, False):
        group = [c for c in comments if (c.child_by_field_name("inner") is not None) == inner]
        text, lines = assemble(walk, group)
        if b"[" not in text and b"```" not in text:
            continue
        write_links(walk, text, lines)
        if walk.lines is None:
            for code in doc_links.doctests(text):
                doctest(walk, code, lines)


def assemble(walk: Walk, comments: list[SyntaxNode]) -> tuple[bytes, LineMap]:
    """The text of doc comments, markers taken off, and where each line stands in the file."""
    parts: list[bytes] = []
    pieces: list[tuple[int, int]] = []
    here = 0
    for comment in comments:
        doc = comment.child_by_field_name("doc")
        if doc is None:
            continue
        start = walk.at(doc.start_byte)
        body = walk.text(doc)
        starred = comment.type == "block_comment"
        offset = 0
        for line in body.removesuffix(b"\n").split(b"\n"):
            cut = STAR.match(line) if starred and offset else None
            skip = cut.end() if cut is not None else 0
            skip += 1 if not starred and line[skip : skip + 1] == b" " else 0
            kept = line[skip:].removesuffix(b"\r")
            pieces.append((here, start + offset + skip))
            parts.append(kept)
            here += len(kept) + 1
            offset += len(line) + 1
    return b"\n".join(parts), LineMap(tuple(pieces) or ((0, 0),))


def write_links(walk: Walk, text: bytes, lines: LineMap) -> None:
    with walk.pieced(text, lines):
        for link in doc_links.links(text):
            raw = write_path(walk, link.text, link.start, link.namespaces)
            raw.role = Role.DOC
            raw.quiet = not link.sure


def doctest(walk: Walk, code: tuple[tuple[int, bytes], ...], lines: LineMap) -> None:
    """The code of a doc test, wrapped in a function as rustdoc does."""
    prefix = b"fn main(){"
    pieces = [(0, 0)]
    here = len(prefix)
    for offset, line in code:
        pieces.append((here, lines(offset)))
        here += len(line) + 1
    text = prefix + b"\n".join(line for _, line in code) + b"\n}"
    root = walk.parser.parse(text)
    body = root.named_children[0].child_by_field_name("body") if root.named_children else None
    if body is None:
        return
    with (
        walk.scoped(),
        walk.pieced(text, LineMap(tuple(pieces))),
        walk.in_arguments(None, DOCTEST),
    ):
        walk.root(RibKind.DOCTEST, walk.item)
        block(walk, body)
