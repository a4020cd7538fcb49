"""The state of one walk over a file's tree: where we are, and what has been written down. It decides nothing."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from m1nd.domain.rust.bodies.model import FieldSketch, Local, Raw, Rib, RibKind, Typed
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.names import Namespace, Role
from m1nd.domain.rust.syntax import Parser, SyntaxNode
from m1nd.domain.rust.walk import COMMENTS, identifier

TYPE = (Namespace.TYPE,)
VALUE = (Namespace.VALUE,)
MACRO = (Namespace.MACRO,)
ANY = (Namespace.TYPE, Namespace.VALUE, Namespace.MACRO)

Handler = Callable[["Walk", SyntaxNode], Typed]


@frozen
class LineMap:
    """Offsets of a text put together from pieces of the file (doc comment lines): ascending `(here, in the file)`."""

    pieces: tuple[tuple[int, int], ...]

    def __call__(self, offset: int) -> int:
        index = max(bisect_right(self.pieces, (offset, 1 << 62)) - 1, 0)
        here, there = self.pieces[index]
        return there + offset - here


class Walk:
    """`handlers[node type]` visit a node and say where its type comes from; unknown nodes visit their children.

    `handlers["trivia"]` visits an attribute, `document` doc comments that stand together.
    """

    def __init__(
        self,
        source: bytes,
        facts: FileFacts,
        parser: Parser,
        handlers: dict[str, Handler],
        document: "Callable[[Walk, list[SyntaxNode]], None]",
    ) -> None:
        self.source = source
        self.facts = facts
        self.parser = parser
        self.handlers = handlers
        self.document = document
        self.shift = 0
        self.lines: LineMap | None = None
        self.starts = {item.start: i for i, item in enumerate(facts.items)}
        self.uses: dict[int, list[int]] = {}
        for position, use in enumerate(facts.uses):
            self.uses.setdefault(use.item, []).append(position)
        self.raws: list[Raw] = []
        self.fields: dict[int, tuple[FieldSketch, ...]] = {}
        self.results: dict[int, Typed] = {}
        self.types: dict[int, Typed] = {}
        self.item = -1
        self.macros: tuple[Raw, ...] = ()
        self.in_macro = ""
        self.certain = True
        self.quiet = False
        self._serial = 0
        self._counts: dict[tuple[int, str], int] = {}
        self.rib = Rib(RibKind.MODULE, None, 0)

    # Walking

    def visit(self, node: SyntaxNode) -> Typed:
        handler = self.handlers.get(node.type)
        if handler is not None:
            return handler(self, node)
        self.children(node)
        return None

    def children(self, node: SyntaxNode, skip: Sequence[SyntaxNode | None] = ()) -> None:
        """Visit every named child; comments and attributes are seen together with the node they stand before."""
        skipped = {n.id for n in skip if n is not None}
        trivia: list[SyntaxNode] = []
        for child in node.named_children:
            kind = child.type
            if kind in COMMENTS or kind == "attribute_item":
                trivia.append(child)
                continue
            if trivia:
                self.trivia(trivia, self.starts.get(self.at(child.start_byte), self.item))
                trivia = []
            if child.id not in skipped:
                self.visit(child)
        if trivia:
            self.trivia(trivia, self.item)

    def trivia(self, nodes: list[SyntaxNode], item: int) -> None:
        """Attributes and doc comments that belong to an item (or to something inside it)."""
        outer, self.item = self.item, item
        handler = self.handlers["trivia"]
        for node in nodes:
            if node.type == "attribute_item":
                handler(self, node)
        comments = [n for n in nodes if n.type != "attribute_item" and n.child_by_field_name("doc")]
        if comments:
            self.document(self, comments)
        self.item = outer

    # Ribs

    def push(self, kind: RibKind, item: int = -1) -> Rib:
        self._serial += 1
        outer = self.rib
        self.rib = Rib(kind, outer, self._serial, item, root=outer.root or outer)
        return self.rib

    def root(self, kind: RibKind, item: int = -1) -> Rib:
        """A rib without surroundings."""
        self._serial += 1
        self.rib = Rib(kind, None, self._serial, item)
        return self.rib

    @contextmanager
    def scoped(self) -> Iterator[None]:
        """Whatever ribs are pushed inside are gone afterwards."""
        rib, item = self.rib, self.item
        try:
            yield
        finally:
            self.rib, self.item = rib, item

    def bind(self, names: dict[str, Local], name: str, candidate: bool = False, typed: Typed = None) -> Local:
        """Add a binding to `names`; both sides of an or-pattern bind one local."""
        known = names.get(name)
        if known is not None:
            return known
        ordinal = self._counts.get((self.item, name), 0)
        self._counts[self.item, name] = ordinal + 1
        local = names[name] = Local(name, ordinal, candidate, typed)
        return local

    # Positions

    def at(self, offset: int) -> int:
        """The offset in the file of an offset in the text being walked."""
        shifted = offset + self.shift
        return self.lines(shifted) if self.lines is not None else shifted

    def span(self, node: SyntaxNode) -> tuple[int, int]:
        if self.lines is None:
            return node.start_byte + self.shift, node.end_byte + self.shift
        start = self.at(node.start_byte)
        return start, start + node.end_byte - node.start_byte

    def text(self, node: SyntaxNode) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def name(self, node: SyntaxNode) -> str:
        return identifier(self.source[node.start_byte : node.end_byte])

    @contextmanager
    def inside(self, source: bytes, start: int) -> Iterator[None]:
        """Walk another text: its offset 0 lies at `start` of the text walked so far (negative past a prefix)."""
        kept = self.source, self.shift
        self.source, self.shift = source, self.shift + start
        try:
            yield
        finally:
            self.source, self.shift = kept

    @contextmanager
    def pieced(self, source: bytes, lines: LineMap) -> Iterator[None]:
        """Walk a text put together from pieces of the file."""
        kept = self.source, self.shift, self.lines
        self.source, self.shift, self.lines = source, 0, lines
        try:
            yield
        finally:
            self.source, self.shift, self.lines = kept

    @contextmanager
    def in_arguments(self, macro: Raw | None, name: str, certain: bool = True) -> Iterator[None]:
        kept = self.macros, self.in_macro, self.certain
        self.macros = (*self.macros, macro) if macro is not None else self.macros
        self.in_macro = name
        self.certain = self.certain and certain
        try:
            yield
        finally:
            self.macros, self.in_macro, self.certain = kept

    # Writing down

    def write(
        self,
        role: Role,
        segments: Sequence[tuple[str, int, int]],
        namespaces: tuple[Namespace, ...],
        start: int | None = None,
        absolute: bool = False,
    ) -> Raw:
        """Write down one path; `start` where something stands before its first segment."""
        raw = Raw(
            role=role,
            segments=tuple(segments),
            start=segments[0][1] if start is None else start,
            end=segments[-1][2],
            rib=self.rib,
            item=self.item,
            namespaces=namespaces,
            absolute=absolute,
            macros=self.macros,
            in_macro=self.in_macro,
            certain=self.certain,
            quiet=self.quiet,
        )
        self.raws.append(raw)
        return raw


BUILT_IN = re.compile(
    rb"#\s*\[\s*(?:cfg|allow|expect|warn|deny|rustfmt::skip|inline|cold)\b"
    rb"(?:[^\[\]()\"]|\"[^\"\\]*\"|\((?:[^()\"]|\"[^\"\\]*\"|\((?:[^()\"]|\"[^\"\\]*\"|\([^()]*\))*\))*\))*\]"
)


def without_built_in_attributes(text: bytes) -> bytes:
    """The text with attributes that name nothing blanked: the grammar does not know them in every place."""
    return BUILT_IN.sub(lambda m: re.sub(rb"[^\n]", b" ", m.group()), text) if b"#" in text else text


def meaningful(node: SyntaxNode) -> list[SyntaxNode]:
    """Named children that are no comments."""
    return [c for c in node.named_children if c.type not in COMMENTS]
