"""Reads items and use trees from the tree of the shortened text and maps them back to the file.

It mirrors `m1nd.domain.rust.walk` rule by rule; the walk is right where the two differ, and a test compares them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import tree_sitter
from tree_sitter import Node

from m1nd.domain.index.packed import PackedFacts
from m1nd.domain.rust.walk import BRANCHING, THREAD_LOCAL, WHITE, identifier
from m1nd.infrastructure.rust_source import kinds
from m1nd.infrastructure.rust_source.lexer import Cut, marks_of, may_nest, references, tidy
from m1nd.infrastructure.rust_source.parser import LANGUAGE
from m1nd.infrastructure.rust_source.short_text import ShortText
from m1nd.infrastructure.rust_source.use_tree import expand

NESTED = tree_sitter.Query(
    LANGUAGE,
    "[(function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (trait_item) (impl_item) (mod_item)"
    " (const_item) (static_item) (type_item) (associated_type) (macro_definition) (use_declaration)"
    " (extern_crate_declaration) (foreign_mod_item)] @item",
)
CONTAINERS = frozenset("mitoe")
NAMED = frozenset("fstevcnykmr")
WITH_BODY = frozenset("fstevnimo")
FAR = 1 << 62


class Skeleton(ShortText):
    """Collects the columns of one file."""

    def __init__(
        self,
        source: bytes,
        short: bytes,
        at: list[int],
        shift: list[int],
        comments: list[tuple[int, int]],
        parser: tree_sitter.Parser,
    ) -> None:
        super().__init__(source, short, at, shift, comments)
        self.parser = parser
        self.codes: list[str] = []
        self.names: list[str] = []
        self.parents: list[int] = []
        self.spans: list[int] = []
        self.visibilities: list[str] = []
        self.attributes: list[list[Any]] = []
        self.details: list[list[Any]] = []
        self.uses: list[list[Any]] = []
        self.inner: list[str] = []
        self.tokens: list[set[bytes]] = []
        self.outside: set[bytes] = set()

    # ---- items

    def container(self, children: Sequence[Node], parent: int, start: int, end: int, began: int) -> None:
        """Items directly inside a file, module, impl, trait, extern block or enum.

        `start..end` is the container's range in the short text, of which the bytes outside its items are lexed for the
        container's own tokens; `began` is where its inside begins in the file (comments before it are not trivia).
        """
        pending: list[Node] = []
        before = began
        position = start
        code_of = kinds.CODE_OF_NODE.get
        for child in children:
            kind = child.kind_id
            code = code_of(kind)
            node = child
            if code is None:
                if kind in kinds.ATTRIBUTES:
                    pending.append(child)
                    continue
                if kind in kinds.COMMENTS:
                    continue
                if kind in kinds.INNER_ATTRIBUTES:
                    if parent == -1:
                        self.inner.append(self.attribute(child))
                elif kind in kinds.STATEMENTS:
                    inside = child.named_children
                    if inside and inside[0].kind_id in kinds.MACRO_CALLS:
                        node = inside[0]
                        code = "l"
            if code is None:
                before = self.end_of(child.end_byte)
            else:
                index = len(self.codes)
                first = self.item(node, child, code, pending, parent, before)
                if first > position + 1:
                    self.lex(position, first, parent)
                position = child.end_byte
                before = self.spans[7 * index + 2]
            if pending:
                pending = []
        if end > position + 1:
            self.lex(position, end, parent)

    def item(
        self, node: Node, whole: Node, code: str, pending: Sequence[Node], parent: int, before: int
    ) -> int:
        """Record one item and what lies inside; gives where its extent begins in the short text."""
        short = self.short
        index = len(self.codes)
        start = whole.start_byte
        end = whole.end_byte
        # Positions before the next cut are all moved by one distance.
        cut = bisect_right(self.at, start)
        delta = self.shift[cut - 1]
        limit = self.at[cut] if cut < len(self.at) else FAR
        file_start = start + delta
        file_end = end + delta if end <= limit else self.end_of(end)
        name = self.name(node, code)
        if name is None:
            name_end = start
            spelled = ""
            name_span = (file_start, file_start)
        else:
            name_start = name.start_byte
            name_end = name.end_byte
            spelled = identifier(short[name_start:name_end])
            if name_end <= limit:
                name_span = (name_start + delta, name_end + delta)
            else:
                name_span = (self.start_of(name_start), self.end_of(name_end))
        body = self.body(node, code)
        body_span = (0, 0)
        last = end
        if body is not None:
            body_start = body.start_byte
            body_end = body.end_byte
            if body_end - body_start == 2:
                last = body_start
            body_span = (
                body_start + delta if body_start < limit else self.start_of(body_start),
                file_end if body_end == end else self.end_of(body_end),
            )
        extent = file_start
        first = start
        if pending or (self.comments and self.comment_since(before, file_start)):
            extent, first = self.extent(start, file_start, pending, before)
        self.codes.append(code)
        self.names.append(spelled)
        self.parents.append(parent)
        self.spans += (extent, file_start, file_end, *name_span, *body_span)
        self.visibilities.append(self.visibility(node, start))
        if pending:
            self.attributes.append([index, *map(self.attribute, pending)])
        found: set[bytes] = set()
        self.tokens.append(found)
        if code == "f":
            # Without a second brace there is no room for an item in a signature and a cut body.
            found |= references(short, name_end, last)
            if short.find(b"{", name_end, last) >= 0:
                self.nested(node, index, name_end, last, found)
        elif code == "u":
            self.use(node, index)
        elif code in CONTAINERS:
            self.inside(node, code, index, (start, name_end, end), body)
        elif code == "l":
            self.macro(body, index, start, end)
        elif code == "x":
            self.extern_crate(node, index)
        else:
            found |= references(short, name_end, end)
            if code != "r" and short.find(b"{", name_end, end) >= 0:
                self.nested(node, index, name_end, end, found)
        return first

    def name(self, node: Node, code: str) -> Node | None:
        if code in NAMED:
            return node.child_by_field_id(kinds.NAME)
        if code == "x":
            return node.child_by_field_id(kinds.ALIAS) or node.child_by_field_id(kinds.NAME)
        if code == "l":
            return node.child_by_field_id(kinds.MACRO)
        return None

    def body(self, node: Node, code: str) -> Node | None:
        if code in WITH_BODY:
            return node.child_by_field_id(kinds.BODY)
        if code == "l":
            return next((c for c in node.named_children if c.kind_id in kinds.TOKEN_TREES), None)
        return None

    def inside(
        self, node: Node, code: str, index: int, edges: tuple[int, int, int], body: Node | None
    ) -> None:
        """Header and members of a module, impl, trait, extern block or enum; `edges`: start, end of the name, end."""
        start, name_end, end = edges
        if code == "i":
            header_end = self.start_of(body.start_byte) if body is not None else self.end_of(end)
            header = self.source[self.start_of(node.start_byte) : header_end]
            text = WHITE.sub(b" ", header[header.find(b"impl") + 4 :]).strip()
            if text:
                self.details.append([index, text.decode("utf-8", "replace")])
        begin = start if code in "io" else name_end
        if body is None:
            self.lex(begin, end, index)
            return
        inner = body.start_byte
        last = body.end_byte
        self.lex(begin, inner, index)
        self.container(body.named_children, index, inner + 1, last - 1, self.end_of(inner + 1))
        if end > last + 1:
            self.lex(last, end, index)

    def extern_crate(self, node: Node, index: int) -> None:
        crate = node.child_by_field_id(kinds.NAME)
        if crate is not None:
            self.details.append([index, identifier(self.short[crate.start_byte : crate.end_byte])])

    def nested(self, node: Node, parent: int, start: int, end: int, found: set[bytes]) -> None:
        """Items in a body that was kept, at any depth of its expressions; `found`: the body's tokens, theirs included."""
        if not may_nest(self.short, start, end, found):
            return
        captured = tree_sitter.QueryCursor(NESTED).captures(node).get("item", ())
        inner = sorted((n for n in captured if n.id != node.id), key=lambda n: (n.start_byte, -n.end_byte))
        if not inner:
            return
        found.clear()
        position = start
        for child in inner:
            if child.start_byte < position:
                continue
            pending: list[Node] = []
            sibling = child.prev_named_sibling
            while sibling is not None and (
                sibling.kind_id in kinds.ATTRIBUTES or sibling.kind_id in kinds.COMMENTS
            ):
                if sibling.kind_id in kinds.ATTRIBUTES:
                    pending.append(sibling)
                sibling = sibling.prev_named_sibling
            pending.reverse()
            around = child.parent
            if sibling is not None:
                before = self.end_of(sibling.end_byte)
            else:
                before = self.start_of(around.start_byte) if around is not None else 0
            code = kinds.CODE_OF_NODE[child.kind_id]
            first = self.item(child, child, code, pending, parent, before)
            if first > position + 1:
                self.lex(position, first, parent)
            position = child.end_byte
        if end > position + 1:
            self.lex(position, end, parent)

    def macro(self, body: Node | None, index: int, start: int, end: int) -> None:
        """A macro call in item position; what stands in its braces are items when it parses as items."""
        position = start
        if body is not None:
            name = self.names[index].rpartition("::")[2].strip()
            groups = [body]
            if name in BRANCHING:
                groups = [c for c in body.children if c.kind_id in kinds.TOKEN_TREES and self.is_brace(c)]
            for group in groups:
                inner = group.start_byte + 1
                last = group.end_byte - 1
                members = self.members(inner, last, THREAD_LOCAL in name)
                if members:
                    self.lex(position, inner, index)
                    self.macro_members(members, index, inner, last)
                    position = last
        self.lex(position, end, index)

    def is_brace(self, group: Node) -> bool:
        return self.short[group.start_byte] == 0x7B

    def macro_members(self, members: list[Node], index: int, start: int, end: int) -> None:
        """Items of a macro's braces; one may have been parsed with a semicolon that is not there."""
        first = len(self.codes)
        self.container(members, index, start, end, self.end_of(start))
        last = self.end_of(end)
        for item in range(first, len(self.codes)):
            self.spans[7 * item + 2] = min(self.spans[7 * item + 2], last)

    def members(self, start: int, end: int, lenient: bool) -> list[Node]:
        """The items that a stretch of the short text consists of; none when it is anything else.

        `lenient`: the last semicolon may be missing, as in `thread_local!`.
        """
        text = self.short
        if not lenient and text.find(b";", start, end) < 0 and text.find(b"}", start, end) < 0:
            return []
        stop = end
        if text.find(b"static ref ", start, end) >= 0:
            text = text[:start] + text[start:end].replace(b"static ref ", b"static     ") + text[end:]
        if lenient and not text[start:end].rstrip().endswith(b";"):
            text = text[:end] + b";" + text[end + 1 :]
            stop = end + 1
        self.parser.included_ranges = [tree_sitter.Range((0, start), (0, stop), start, stop)]
        root = self.parser.parse(text).root_node
        self.parser.included_ranges = []
        if root.has_error:
            return []
        members = root.named_children
        return members if all(map(_is_macro_text, members)) else []

    def use(self, node: Node, index: int) -> None:
        """The leaves of a use tree, by its text."""
        argument = node.child_by_field_id(kinds.ARGUMENT)
        if argument is None:
            return
        start = argument.start_byte
        end = argument.end_byte
        file_start = self.start_of(start)
        delta = file_start - start
        if self.end_of(end) - end == delta:
            expand(self.source, file_start, end + delta, index, self.uses)
            return
        leaves: list[list[Any]] = []
        expand(self.short, start, end, index, leaves)
        for row in leaves:
            row[2] = self.start_of(row[2])
            row[3] = self.end_of(row[3])
            if row[4] is not None:
                row[5] = self.start_of(row[5])
                row[6] = self.end_of(row[6])
            row[8] = [self.end_of(p) if i & 1 else self.start_of(p) for i, p in enumerate(row[8])]
        self.uses += leaves

    # ---- parts of an item

    def visibility(self, node: Node, start: int) -> str:
        short = self.short
        letter = short[start]
        if letter != 0x70 and letter != 0x63:
            return ""
        if short.startswith(b"pub ", start) and short[start + 4] != 0x28:
            return "pub"
        if not short.startswith((b"pub", b"crate"), start):
            return ""
        first = node.child(0)
        if first is None or first.kind_id not in kinds.VISIBILITY:
            return ""
        text = self.source[self.start_of(first.start_byte) : self.end_of(first.end_byte)]
        return WHITE.sub(b" ", text).replace(b"( ", b"(").replace(b" )", b")").decode("utf-8", "replace")

    def attribute(self, node: Node) -> str:
        text = self.source[self.start_of(node.start_byte) : self.end_of(node.end_byte)]
        return text[text.find(b"[") + 1 : text.rfind(b"]")].strip().decode("utf-8", "replace")

    # ---- tokens

    def lex(self, start: int, end: int, index: int) -> None:
        """Add the names between two positions of the short text to an item's tokens (-1: outside any item)."""
        if end - start < 2 or self.short[start:end].isspace():
            return
        found = references(self.short, start, end)
        if index < 0:
            self.outside |= found
        else:
            self.tokens[index] |= found

    def packed(self, cuts: Sequence[Cut]) -> PackedFacts:
        """The columns; the names of each cut body go to the innermost item around it."""
        spans = self.spans
        order = range(len(self.codes))  # items are recorded in textual order, the outer before the inner
        stack: list[int] = []
        following = 0
        for start, _, names in cuts:
            if names is None:
                continue
            while following < len(order) and spans[7 * order[following] + 1] <= start:
                stack.append(order[following])
                following += 1
            while stack and spans[7 * stack[-1] + 2] <= start:
                stack.pop()
            if stack:
                self.tokens[stack[-1]] |= names
            else:
                self.outside |= names
        marks = marks_of(self.source)
        tokens = [tidy(found, marks) for found in self.tokens]
        tokens.append(tidy(self.outside, marks))
        return PackedFacts(
            "".join(self.codes),
            self.names,
            self.parents,
            spans,
            self.visibilities,
            self.attributes,
            self.details,
            self.uses,
            self.inner,
            False,
            tokens,
        )


def _is_macro_text(node: Node) -> bool:
    """`walk.is_macro_text` by numbers."""
    if node.kind_id in kinds.STATEMENTS:
        inside = node.named_children
        return bool(inside) and inside[0].kind_id in kinds.MACRO_CALLS
    return node.kind_id in kinds.MACRO_TEXT
