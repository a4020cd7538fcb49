"""The full walk: every fact of a file from its whole syntax tree.

This is the oracle for the fast extractor and the reading of the precise tier. It never fails: text that the
grammar cannot parse spoils only its own item (GRAPH.md). It computes no reference tokens.
"""

import re
import unicodedata

from attrs import evolve

from m1nd.domain.rust.facts import FileFacts, ItemFact, ItemKind, UseFact
from m1nd.domain.rust.syntax import Parser, SyntaxNode

KIND_OF_NODE = {
    "function_item": ItemKind.FN,
    "function_signature_item": ItemKind.FN,
    "struct_item": ItemKind.STRUCT,
    "enum_item": ItemKind.ENUM,
    "enum_variant": ItemKind.VARIANT,
    "union_item": ItemKind.UNION,
    "trait_item": ItemKind.TRAIT,
    "impl_item": ItemKind.IMPL,
    "const_item": ItemKind.CONST,
    "static_item": ItemKind.STATIC,
    "type_item": ItemKind.TYPE,
    "associated_type": ItemKind.TYPE,
    "macro_definition": ItemKind.MACRO_RULES,
    "mod_item": ItemKind.MOD,
    "use_declaration": ItemKind.USE,
    "extern_crate_declaration": ItemKind.EXTERN_CRATE,
    "foreign_mod_item": ItemKind.FOREIGN_MOD,
    "macro_invocation": ItemKind.MACRO_CALL,
    "ERROR": ItemKind.UNPARSED,
}
CONTAINERS = {ItemKind.MOD, ItemKind.IMPL, ItemKind.TRAIT, ItemKind.FOREIGN_MOD, ItemKind.ENUM}
NOT_NESTED = {"macro_invocation", "ERROR", "enum_variant"}
"""Inside a body these are expressions, broken text, or parts of an item that is read as a whole."""
COMMENTS = {"line_comment", "block_comment"}
BRANCHING = ("cfg_if", "cfg_select", "cfg_match")
"""Macros whose brace groups hold items, each under a cfg of its own."""
THREAD_LOCAL = "thread_local"
"""Macros so called take statics whose last semicolon may be left out."""
BITFLAGS = "bitflags"
"""The macro that takes `struct Name: Bits { const … }`, of the crate of that name."""
FLAGS = re.compile(rb"(\bstruct\s+\w+)(\s*:[^{]*)\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
MACRO_TEXT = {*KIND_OF_NODE, *COMMENTS, "attribute_item", "inner_attribute_item"}
WHITE = re.compile(rb"\s+")
WHITE_OUT = re.compile(rb"[^\n]")
LICENCE = re.compile(rb"copyright|licen[sc]e|spdx-", re.IGNORECASE)
BANNER = re.compile(rb"[-=*#~/]{5,}")


def _without_flags(declared: "re.Match[bytes]") -> bytes:
    """A `bitflags!` struct as a struct without fields, of the same length: what its flags are is not known here."""
    return declared[1] + b" " * len(declared[2]) + b"{" + WHITE_OUT.sub(b" ", declared[3]) + b"}"


def file_facts(source: bytes, parser: Parser) -> FileFacts:
    """All facts of one file but its tokens, by a walk over the whole tree."""
    root = parser.parse(source)
    walk = _Walk(source, parser, base=0)
    walk.container(root, parent=-1)
    return FileFacts(
        items=tuple(walk.items),
        uses=tuple(walk.uses),
        inner_attributes=tuple(walk.inner_attributes),
        has_error=root.has_error,
    )


def use_leaves(
    source: bytes, argument: SyntaxNode, parser: Parser, base: int = 0, item: int = -1
) -> tuple[UseFact, ...]:
    """The leaves of one use tree; `argument` is the node after `use`, `base` is added to every offset."""
    walk = _Walk(source, parser, base)
    walk.use_tree(argument, item, (), (), absolute=False)
    return tuple(walk.uses)


def is_macro_text(node: SyntaxNode) -> bool:
    """An item, what may stand before one, or a macro call as a statement."""
    if node.type == "expression_statement":
        return bool(node.named_children) and node.named_children[0].type == "macro_invocation"
    return node.type in MACRO_TEXT


def brace_groups(text: bytes, parser: Parser) -> list[tuple[int, int]]:
    """Ranges between the outermost braces of a token stream."""
    prefix = b"m!{"
    call = next(iter(parser.parse(prefix + text + b"}").named_children), None)
    while call is not None and call.type != "token_tree":
        call = next((c for c in call.named_children if c.type in ("macro_invocation", "token_tree")), None)
    return [
        (c.start_byte + 1 - len(prefix), c.end_byte - 1 - len(prefix))
        for c in (call.children if call is not None else ())
        if c.type == "token_tree"
        and text[c.start_byte - len(prefix) : c.start_byte + 1 - len(prefix)] == b"{"
    ]


class _Walk:
    """Collects items and use leaves; `base` is added to every offset (the text may be a part of the file)."""

    def __init__(self, source: bytes, parser: Parser, base: int) -> None:
        self.source = source
        self.parser = parser
        self.base = base
        self.items: list[ItemFact] = []
        self.uses: list[UseFact] = []
        self.inner_attributes: list[str] = []

    def container(self, node: SyntaxNode, parent: int) -> None:
        """Items that are direct children of a file, module, impl, trait, extern block or enum body."""
        trivia: list[SyntaxNode] = []
        for child in node.named_children:
            kind = child.type
            if kind in COMMENTS or kind == "attribute_item":
                trivia.append(child)
                continue
            if kind == "inner_attribute_item":
                if parent == -1:
                    self.inner_attributes.append(self.attribute_text(child))
            elif (
                kind == "expression_statement"
                and child.named_children
                and child.named_children[0].type == "macro_invocation"
            ):
                self.item(child.named_children[0], child, trivia, parent)
            elif kind in KIND_OF_NODE:
                self.item(child, child, trivia, parent)
            elif child.has_error:
                self.item(child, child, trivia, parent, ItemKind.UNPARSED)
            trivia = []

    def item(
        self,
        node: SyntaxNode,
        whole: SyntaxNode,
        trivia: list[SyntaxNode],
        parent: int,
        kind: ItemKind | None = None,
    ) -> None:
        """Record one item (its node, and the statement around it when that is wider) and what lies inside."""
        kind = kind or KIND_OF_NODE[node.type]
        name = name_node(node, kind)
        body = node.child_by_field_name("body") or token_tree(node, kind)
        index = len(self.items)
        self.items.append(
            ItemFact(
                kind=kind,
                name=identifier(self.text(name)) if name is not None else "",
                parent=parent,
                start=whole.start_byte + self.base,
                end=whole.end_byte + self.base,
                extent_start=self.extent_start(whole, trivia) + self.base,
                name_start=(name or whole).start_byte + self.base,
                name_end=(name.end_byte if name is not None else whole.start_byte) + self.base,
                visibility=self.visibility(node),
                attributes=tuple(self.attribute_text(t) for t in trivia if t.type == "attribute_item"),
                body_start=body.start_byte + self.base if body is not None else 0,
                body_end=body.end_byte + self.base if body is not None else 0,
                detail=self.detail(node, kind, body),
            )
        )
        if kind is ItemKind.USE:
            argument = node.child_by_field_name("argument")
            if argument is not None:
                self.use_tree(argument, index, (), (), absolute=False)
        elif kind in CONTAINERS:
            if body is not None:
                self.container(body, index)
        elif kind is ItemKind.MACRO_CALL:
            if body is not None:
                self.macro_items(body, index)
        elif kind is not ItemKind.MACRO_RULES:
            self.nested(node, index)

    def nested(self, node: SyntaxNode, parent: int) -> None:
        """Items inside a body: block-level items and use declarations, at any depth of expressions."""
        todo: list[tuple[SyntaxNode, list[SyntaxNode]]] = [(node, [])]
        while todo:
            current, above = todo.pop()
            kind = current.type
            if current is not node and kind in KIND_OF_NODE and kind not in NOT_NESTED:
                self.item(current, current, above, parent)
                continue
            trivia: list[SyntaxNode] = []
            below: list[tuple[SyntaxNode, list[SyntaxNode]]] = []
            for child in current.named_children:
                kind = child.type
                if kind in COMMENTS or kind == "attribute_item":
                    trivia.append(child)
                    continue
                if kind != "token_tree":
                    below.append((child, trivia))
                trivia = []
            todo += reversed(below)

    def macro_items(self, body: SyntaxNode, parent: int) -> None:
        """Items written inside a brace macro in item position (`cfg_rt! { mod x; }`), when its tokens parse as items."""
        inner = self.source[body.start_byte + 1 : body.end_byte - 1]
        self.macro_text(inner, self.base + body.start_byte + 1, parent)

    def macro_text(self, inner: bytes, base: int, parent: int) -> None:
        """Items of the text between a macro's braces, which begins at `base` in the file."""
        if not inner.strip():
            return
        name = self.items[parent].name.rpartition("::")[2].strip()
        if name in BRANCHING:
            for start, end in brace_groups(inner, self.parser):
                self.item_text(inner[start:end], base + start, parent, name)
        else:
            self.item_text(inner, base, parent, name)

    def item_text(self, inner: bytes, base: int, parent: int, name: str) -> None:
        """Items of a text in the arguments of a macro called `name`, if it consists of items."""
        if THREAD_LOCAL not in name and b";" not in inner and b"}" not in inner:
            return  # arguments, as in `include!(concat!(…))`
        text = inner.replace(b"static ref ", b"static     ")
        if name == BITFLAGS:
            text = FLAGS.sub(_without_flags, text)
        if THREAD_LOCAL in name and not text.rstrip().endswith(b";"):
            text += b";"
        root = self.parser.parse(text)
        if root.has_error or not all(is_macro_text(c) for c in root.named_children):
            return
        part = _Walk(text, self.parser, base)
        part.items = self.items
        part.uses = self.uses
        known = len(self.items)
        part.container(root, parent)
        last = base + len(inner)
        self.items[known:] = [i if i.end <= last else evolve(i, end=last) for i in self.items[known:]]

    def extent_start(self, whole: SyntaxNode, trivia: list[SyntaxNode]) -> int:
        """Where the trivia that belongs to an item begins (W28, W29: detached comments and file headers stay)."""
        start = whole.start_byte
        glued = True
        candidate = start
        for node in reversed(trivia):
            if node.type == "attribute_item" or is_outer_doc(node):
                start = candidate = node.start_byte
                glued = True
                continue
            if is_inner_doc(node):
                break
            gap = self.source[node.end_byte : candidate]
            newlines = gap.count(b"\n") + (
                1 if self.source[node.start_byte : node.end_byte].endswith(b"\n") else 0
            )
            glued = glued and newlines <= 1 and self.starts_its_line(node)
            candidate = node.start_byte
            if glued and not BANNER.search(self.text(node)):
                start = candidate
            else:
                glued = False
        return self.without_licence(start, whole.start_byte)

    def without_licence(self, start: int, item_start: int) -> int:
        """A licence comment at the head of the file belongs to the file, not to its first item."""
        if self.base or self.source[:start].strip(b"\xef\xbb\xbf \t\r\n"):
            return start
        position = start
        for line in self.source[start:item_start].splitlines(keepends=True):
            if not line.lstrip().startswith(b"//") or line.lstrip().startswith((b"///", b"//!")):
                break
            position += len(line)
        return position if LICENCE.search(self.source[start:position]) else start

    def starts_its_line(self, node: SyntaxNode) -> bool:
        line = self.source.rfind(b"\n", 0, node.start_byte) + 1
        if self.base and not line:
            return False  # the line of a macro's opening brace
        return not self.source[line : node.start_byte].strip(b" \t\xef\xbb\xbf")

    def use_tree(
        self,
        node: SyntaxNode,
        item: int,
        prefix: tuple[str, ...],
        ranges: tuple[tuple[int, int], ...],
        absolute: bool,
        alias: SyntaxNode | None = None,
        whole: SyntaxNode | None = None,
    ) -> None:
        """Expand a use tree into its leaves."""
        leaf = whole or node
        match node.type:
            case "use_list":
                for child in node.named_children:
                    if child.type not in COMMENTS:
                        self.use_tree(child, item, prefix, ranges, absolute)
            case "scoped_use_list":
                path = node.child_by_field_name("path")
                lead = absolute or (not prefix and self.is_absolute(node, path))
                names, spans = self.path(path)
                inner = node.child_by_field_name("list")
                if inner is not None:
                    self.use_tree(inner, item, prefix + names, ranges + spans, lead)
            case "use_as_clause":
                path = node.child_by_field_name("path")
                if path is not None:
                    self.use_tree(
                        path, item, prefix, ranges, absolute, node.child_by_field_name("alias"), node
                    )
            case "use_wildcard":
                path = next((c for c in node.named_children if c.type not in COMMENTS), None)
                names, spans = self.path(path)
                lead = absolute or (not prefix and self.is_absolute(node, path))
                self.leaf(item, prefix + names, ranges + spans, leaf, None, lead, glob=True)
            case "self" if prefix:
                self.leaf(item, prefix, ranges, leaf, alias, absolute, is_self=True)
            case _:
                names, spans = self.path(node)
                lead = absolute or (not prefix and self.is_absolute(node, node))
                if names:
                    self.leaf(item, prefix + names, ranges + spans, leaf, alias, lead)

    def leaf(
        self,
        item: int,
        path: tuple[str, ...],
        spans: tuple[tuple[int, int], ...],
        node: SyntaxNode,
        alias: SyntaxNode | None,
        absolute: bool,
        glob: bool = False,
        is_self: bool = False,
    ) -> None:
        self.uses.append(
            UseFact(
                item=item,
                path=path,
                segments=spans,
                start=node.start_byte + self.base,
                end=node.end_byte + self.base,
                alias=identifier(self.text(alias)) if alias is not None else None,
                alias_start=alias.start_byte + self.base if alias is not None else 0,
                alias_end=alias.end_byte + self.base if alias is not None else 0,
                glob=glob,
                is_self=is_self,
                absolute=absolute,
            )
        )

    def path(self, node: SyntaxNode | None) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
        """Names and ranges of the segments of a path node."""
        segments: list[SyntaxNode] = []
        current = node
        while current is not None and current.type in ("scoped_identifier", "scoped_type_identifier"):
            name = current.child_by_field_name("name")
            if name is not None:
                segments.append(name)
            current = current.child_by_field_name("path")
        if current is not None:
            segments.append(current)
        segments.reverse()
        return (
            tuple(identifier(self.text(s)) for s in segments),
            tuple((s.start_byte + self.base, s.end_byte + self.base) for s in segments),
        )

    def is_absolute(self, node: SyntaxNode, path: SyntaxNode | None) -> bool:
        """A leading `::` before the first segment."""
        start = node.start_byte
        first = path
        while first is not None and first.type in ("scoped_identifier", "scoped_type_identifier"):
            inner = first.child_by_field_name("path")
            if inner is None:
                return self.source[first.start_byte : first.start_byte + 2] == b"::"
            first = inner
        end = first.start_byte if first is not None else start
        return self.source[start:end].lstrip().startswith(b"::") or (
            first is None and self.source[start : start + 2] == b"::"
        )

    def visibility(self, node: SyntaxNode) -> str:
        for child in node.children:
            if child.type == "visibility_modifier":
                return (
                    WHITE.sub(b" ", self.text(child))
                    .replace(b"( ", b"(")
                    .replace(b" )", b")")
                    .decode("utf-8", "replace")
                )
            if child.is_named and child.type not in COMMENTS:
                break
        return ""

    def attribute_text(self, node: SyntaxNode) -> str:
        text = self.text(node)
        start = text.find(b"[") + 1
        return text[start : text.rfind(b"]")].strip().decode("utf-8", "replace")

    def detail(self, node: SyntaxNode, kind: ItemKind, body: SyntaxNode | None) -> str:
        if kind is ItemKind.IMPL:
            end = body.start_byte if body is not None else node.end_byte
            text = self.source[node.start_byte : end]
            return WHITE.sub(b" ", text[text.find(b"impl") + 4 :]).strip().decode("utf-8", "replace")
        if kind is ItemKind.EXTERN_CRATE:
            name = node.child_by_field_name("name")
            return identifier(self.text(name)) if name is not None else ""
        return ""

    def text(self, node: SyntaxNode) -> bytes:
        return self.source[node.start_byte : node.end_byte]


def name_node(node: SyntaxNode, kind: ItemKind) -> SyntaxNode | None:
    """The node that holds an item's name (alias of an `extern crate`, path of a macro call)."""
    if kind is ItemKind.EXTERN_CRATE:
        return node.child_by_field_name("alias") or node.child_by_field_name("name")
    if kind is ItemKind.MACRO_CALL:
        return node.child_by_field_name("macro")
    if kind in (ItemKind.IMPL, ItemKind.USE, ItemKind.FOREIGN_MOD, ItemKind.UNPARSED):
        return None
    return node.child_by_field_name("name")


def token_tree(node: SyntaxNode, kind: ItemKind) -> SyntaxNode | None:
    if kind is not ItemKind.MACRO_CALL:
        return None
    return next((c for c in node.named_children if c.type == "token_tree"), None)


def is_outer_doc(node: SyntaxNode) -> bool:
    return node.type in COMMENTS and node.child_by_field_name("outer") is not None


def is_inner_doc(node: SyntaxNode) -> bool:
    return node.type in COMMENTS and node.child_by_field_name("inner") is not None


def identifier(text: bytes) -> str:
    """An identifier's name: without `r#`, in NFC as rustc compares them."""
    name = text.decode("utf-8", "replace")
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    return name.removeprefix("r#")
