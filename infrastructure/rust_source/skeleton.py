"""Reads items and use trees from the tree of the shortened text and maps them back to the file.

It mirrors `m1nd.domain.rust.walk` rule by rule; the walk is right where the two differ, and a test compares them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

import tree_sitter
from tree_sitter import Node

from m1nd.domain.index.packed import PackedFacts, pack
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.syntax import Parser
from m1nd.domain.rust.walk import BANNER, LICENCE, WHITE, _Walk, identifier
from m1nd.infrastructure.rust_source import kinds
from m1nd.infrastructure.rust_source.lexer import Cut, may_nest, references, tidy
from m1nd.infrastructure.rust_source.parser import LANGUAGE
from m1nd.infrastructure.rust_source.use_tree import expand

NESTED = tree_sitter.Query(
    LANGUAGE,
    "[(function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (trait_item) (impl_item) (mod_item)"
    " (const_item) (static_item) (type_item) (associated_type) (macro_definition) (use_declaration)"
    " (extern_crate_declaration) (foreign_mod_item)] @item",
)
CONTAINERS = frozenset("mitoe")
OUTER_DOC = re.compile(rb"///(?!/)|/\*\*(?![*/])")
INNER_DOC = re.compile(rb"//!|/\*!")


class Skeleton:
    """Collects the columns of one file. `at` and `shift` map positions of `short` to those of `source`."""

    def __init__(
        self,
        source: bytes,
        short: bytes,
        at: list[int],
        shift: list[int],
        comments: list[tuple[int, int]],
        whole: Parser,
    ) -> None:
        self.source = source
        self.short = short
        self.at = at
        self.shift = shift
        self.comments = comments
        self.comment_starts = [start for start, _ in comments]
        self.whole = whole
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

    # ---- positions

    def start_of(self, position: int) -> int:
        """A start in the file: past a cut that lies right before it."""
        return position + self.shift[bisect_right(self.at, position) - 1]

    def end_of(self, position: int) -> int:
        """An end in the file: before a cut that lies right after it."""
        return position + self.shift[bisect_right(self.at, position - 1) - 1]

    # ---- items

    def container(self, node: Node, parent: int, start: int, end: int, began: int) -> None:
        """Items directly inside a file, module, impl, trait, extern block or enum.

        `start..end` is the container's range in the short text, of which the bytes outside its items are lexed for the
        container's own tokens; `began` is where its inside begins in the file (comments before it are not trivia).
        """
        pending: list[Node] = []
        before = began
        position = start
        for child in node.named_children:
            kind = child.kind_id
            if kind in kinds.ATTRIBUTES:
                pending.append(child)
                continue
            if kind in kinds.COMMENTS:
                continue
            code = kinds.CODE_OF_NODE.get(kind)
            whole = child
            if code is None:
                if kind in kinds.INNER_ATTRIBUTES:
                    if parent == -1:
                        self.inner.append(self.attribute(child))
                elif kind in kinds.STATEMENTS:
                    inner = child.named_children
                    if inner and inner[0].kind_id in kinds.MACRO_CALLS:
                        child = inner[0]
                        code = "l"
            if code is not None:
                first = self.item(child, whole, code, pending, parent, before)
                if first > position:
                    self.lex(position, first, parent)
                position = whole.end_byte
            before = self.end_of(whole.end_byte)
            if pending:
                pending = []
        if end > position:
            self.lex(position, end, parent)

    def item(
        self, node: Node, whole: Node, code: str, pending: Sequence[Node], parent: int, before: int
    ) -> int:
        """Record one item and what lies inside; gives where its extent begins in the short text."""
        index = len(self.codes)
        start = whole.start_byte
        end = whole.end_byte
        name: Node | None
        if code in "fstevcnykmr":
            name = node.child_by_field_id(kinds.NAME)
        elif code == "x":
            name = node.child_by_field_id(kinds.ALIAS) or node.child_by_field_id(kinds.NAME)
        elif code == "l":
            name = node.child_by_field_id(kinds.MACRO)
        else:
            name = None
        if code == "l":
            body = next((c for c in node.named_children if c.kind_id in kinds.TOKEN_TREES), None)
        elif code in "ckyurx":
            body = None
        else:
            body = node.child_by_field_id(kinds.BODY)
        file_start = self.start_of(start)
        file_end = self.end_of(end)
        if name is not None:
            name_start = name.start_byte
            name_end = name.end_byte
            self.names.append(identifier(self.short[name_start:name_end]))
        else:
            name_start = name_end = start
            self.names.append("")
        self.codes.append(code)
        self.parents.append(parent)
        self.tokens.append(set())
        extent, first = self.extent(start, file_start, pending, before)
        self.spans += (
            extent,
            file_start,
            file_end,
            self.start_of(name_start),
            self.end_of(name_end) if name is not None else file_start,
            self.start_of(body.start_byte) if body is not None else 0,
            self.end_of(body.end_byte) if body is not None else 0,
        )
        self.visibilities.append(self.visibility(node))
        if pending:
            self.attributes.append([index, *(self.attribute(a) for a in pending)])
        self.inside(node, code, index, start, end, name_end, body, file_start)
        return first

    def inside(
        self,
        node: Node,
        code: str,
        index: int,
        start: int,
        end: int,
        name_end: int,
        body: Node | None,
        file_start: int,
    ) -> None:
        """An item's details, its tokens and the items in it."""
        if code == "u":
            argument = node.child_by_field_id(kinds.ARGUMENT)
            if argument is not None:
                self.use(argument, index)
        elif code == "x":
            crate = node.child_by_field_id(kinds.NAME)
            if crate is not None:
                self.details.append([index, identifier(self.short[crate.start_byte : crate.end_byte])])
        elif code in CONTAINERS:
            if code == "i":
                header_end = self.start_of(body.start_byte) if body is not None else self.end_of(end)
                header = self.source[self.start_of(node.start_byte) : header_end]
                text = WHITE.sub(b" ", header[header.find(b"impl") + 4 :]).strip()
                if text:
                    self.details.append([index, text.decode("utf-8", "replace")])
            begin = start if code in "io" else name_end
            if body is None:
                self.lex(begin, end, index)
            else:
                inner = body.start_byte
                self.lex(begin, inner, index)
                self.container(body, index, inner + 1, body.end_byte - 1, self.end_of(inner + 1))
                if end > body.end_byte:
                    self.lex(body.end_byte, end, index)
        elif code == "l":
            first = len(self.codes)
            if body is not None:
                self.macro(body, index)
            if len(self.codes) == first:
                self.lex(start, end, index)
            else:
                self.lex_around(index, first)
        elif code == "r":
            self.lex(name_end, end, index)
        else:
            found = references(self.short, name_end, end)
            if may_nest(self.short, name_end, end, found) and self.nested(node, index, name_end, end):
                return
            self.tokens[index] |= found

    def nested(self, node: Node, parent: int, start: int, end: int) -> bool:
        """Items in a body that was kept, at any depth of its expressions; false when there are none."""
        captured = tree_sitter.QueryCursor(NESTED).captures(node).get("item", ())
        found = sorted((n for n in captured if n.id != node.id), key=lambda n: (n.start_byte, -n.end_byte))
        position = start
        for child in found:
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
            if first > position:
                self.lex(position, first, parent)
            position = child.end_byte
        if end > position:
            self.lex(position, end, parent)
        return bool(found)

    def macro(self, body: Node, parent: int) -> None:
        """Items written inside a macro in item position; rare, so the walk itself reads the original text."""
        start = self.start_of(body.start_byte)
        end = self.end_of(body.end_byte)
        inner = self.source[start + 1 : end - 1]
        if b";" not in inner and b"}" not in inner:
            return
        walk = _Walk(self.source, self.whole, 0)
        walk.macro_text(inner, start + 1, -1)
        if not walk.items:
            return
        base = len(self.codes)
        part = pack(FileFacts(tuple(walk.items), tuple(walk.uses)))
        self.codes += part.kinds
        self.names += part.names
        self.parents += [parent if p < 0 else p + base for p in part.parents]
        self.spans += part.spans
        self.visibilities += part.visibility
        self.attributes += [[row[0] + base, *row[1:]] for row in part.attributes]
        self.details += [[row[0] + base, *row[1:]] for row in part.details]
        self.uses += [[row[0] + base, *row[1:]] for row in part.uses]
        self.tokens += [set() for _ in part.kinds]

    def use(self, argument: Node, index: int) -> None:
        """The leaves of a use tree, by its text."""
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

    def extent(self, start: int, file_start: int, pending: Sequence[Node], before: int) -> tuple[int, int]:
        """Where an item's trivia begins: in the file, and (its attributes only) in the short text."""
        here = bisect_left(self.comment_starts, file_start)
        since = here
        while since and self.comment_starts[since - 1] >= before:
            since -= 1
        if since == here:
            if not pending:
                return file_start, start
            first = pending[0].start_byte
            return self.start_of(first), first
        trivia = [(s, e, None) for s, e in self.comments[since:here]]
        spans = [(self.start_of(a.start_byte), self.end_of(a.end_byte), a) for a in pending]
        trivia = [t for t in trivia if not any(s <= t[0] < e for s, e, _ in spans)]
        return self.glue(start, file_start, sorted([*trivia, *spans], key=lambda t: t[0]))

    def glue(
        self, start: int, file_start: int, trivia: Sequence[tuple[int, int, Node | None]]
    ) -> tuple[int, int]:
        """The walk's `extent_start`, over comments and attributes in the file's own positions."""
        source = self.source
        extent = candidate = file_start
        first = start
        glued = True
        for begin, end, attribute in reversed(trivia):
            if attribute is not None:
                extent = candidate = begin
                first = attribute.start_byte
                glued = True
                continue
            if OUTER_DOC.match(source, begin):
                extent = candidate = begin
                glued = True
                continue
            if INNER_DOC.match(source, begin):
                break
            line = source.rfind(b"\n", 0, begin) + 1
            starts_line = not source[line:begin].strip(b" \t\xef\xbb\xbf")
            glued = glued and source.count(b"\n", end, candidate) <= 1 and starts_line
            candidate = begin
            if glued and not BANNER.search(source[begin:end]):
                extent = candidate
            else:
                glued = False
        return self.without_licence(extent, file_start), first

    def without_licence(self, start: int, item_start: int) -> int:
        if self.source[:start].strip(b"\xef\xbb\xbf \t\r\n"):
            return start
        position = start
        for line in self.source[start:item_start].splitlines(keepends=True):
            if not line.lstrip().startswith(b"//") or line.lstrip().startswith((b"///", b"//!")):
                break
            position += len(line)
        return position if LICENCE.search(self.source[start:position]) else start

    def visibility(self, node: Node) -> str:
        start = node.start_byte
        short = self.short
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
        if end - start < 2:
            return
        found = references(self.short, start, end)
        if index < 0:
            self.outside |= found
        else:
            self.tokens[index] |= found

    def lex_around(self, index: int, first: int) -> None:
        """Tokens of a macro call that holds items, and of those items, from the original text."""
        source = self.source
        own = self.tokens
        for item in (index, *range(first, len(self.codes))):
            code = self.codes[item]
            if code in "ux":
                continue
            span = self.spans[7 * item : 7 * item + 7]
            position = span[1] if code in "iolp" or item == index else span[4]
            for child in range(item + 1, len(self.codes)):
                if self.parents[child] == item:
                    extent, end = self.spans[7 * child], self.spans[7 * child + 2]
                    if extent > position:
                        own[item] |= references(source, position, extent)
                    position = max(position, end)
            if span[2] > position:
                own[item] |= references(source, position, span[2])

    def packed(self, cuts: Sequence[Cut]) -> PackedFacts:
        """The columns; the names of each cut body go to the innermost item around it."""
        spans = self.spans
        order = sorted(range(len(self.codes)), key=lambda i: (spans[7 * i + 1], -spans[7 * i + 2]))
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
        tokens = [tidy(found) for found in self.tokens]
        tokens.append(tidy(self.outside))
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
