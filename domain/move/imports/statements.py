"""Import surgery: taking leaves out of use trees, and placing new `use` statements. Text in, changes out.

It knows use trees and lines, never what a name means (`dependencies.py`, `references.py`, `imports/pruning.py` decide that).
W2, W20, W30, W31, W35: groups, `self` in groups, headers, cfg attributes and neighbours on a line all survive.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from m1nd.domain.move.compose import Change, written
from m1nd.domain.move.extent import TRAILING_COMMENT, Extent
from m1nd.domain.move.module_text import body_indent, closing_line, left_of, own_indent
from m1nd.domain.move.raw_names import raw_name, raw_path
from m1nd.domain.move.text import head_end, indentation, line_end, line_start, newline_of, only_blank
from m1nd.domain.rust.facts import FileFacts, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.syntax import Parser, SyntaxNode
from m1nd.domain.rust.walk import COMMENTS
from m1nd.domain.rust.workspace import Workspace

KEPT_ATTRIBUTES = ("cfg", "cfg_attr", "allow", "expect")


@frozen
class UseStatement:
    """A `use` to write. `gates` are attribute texts (`cfg(test)`), `visibility` a modifier or empty.

    `extern`: an `extern crate` item instead; `path` is then the crate's name alone.
    """

    path: tuple[str, ...]
    alias: str | None = None
    visibility: str = ""
    gates: tuple[str, ...] = ()
    extern: bool = False

    def text(self, newline: bytes, indent: bytes = b"") -> bytes:
        lines = [f"#[{gate}]".encode() for gate in self.gates]
        keyword = "extern crate " if self.extern else "use "
        head = f"{self.visibility} {keyword}" if self.visibility else keyword
        tail = f" as {raw_name(self.alias)};" if self.alias and self.alias != self.path[-1] else ";"
        lines.append((head + raw_path(self.path) + tail).encode())
        return b"".join(indent + line + newline for line in lines)


def leaves_of(facts: FileFacts, item: int) -> list[int]:
    """Indices of the leaves of one `use` declaration."""
    return [i for i, leaf in enumerate(facts.uses) if leaf.item == item]


def kept_attributes(facts: FileFacts, item: int) -> tuple[str, ...]:
    """The attributes of a `use` that a split or carried import keeps: its conditions and its lint levels."""
    return tuple(a for a in facts.items[item].attributes if a.split("(")[0].strip() in KEPT_ATTRIBUTES)


def use_extent(source: bytes, facts: FileFacts, item: int) -> Extent:
    """What goes when a whole `use` declaration goes: its attributes, not the comments above it."""
    fact = facts.items[item]
    attribute = source.find(b"#[", fact.extent_start, fact.start) if fact.attributes else -1
    return Extent(item, attribute if attribute >= 0 else fact.start, fact.end)


@frozen
class Removal:
    """Leaves taken out of one file: parts of trees to delete, and whole declarations that have nothing left."""

    changes: tuple[Change, ...]
    emptied: tuple[int, ...]


def remove_leaves(
    parser: Parser, path: str, source: bytes, facts: FileFacts, leaves: Iterable[int]
) -> Removal:
    """Take the leaves with these indices out of their `use` trees; groups of one are unwrapped."""
    by_item: dict[int, set[int]] = {}
    for leaf in leaves:
        by_item.setdefault(facts.uses[leaf].item, set()).add(leaf)
    changes: list[Change] = []
    emptied: list[int] = []
    for item, gone in by_item.items():
        if gone >= set(leaves_of(facts, item)):
            emptied.append(item)
            continue
        start = facts.items[item].start
        root = parser.parse(source[start : facts.items[item].end])
        argument = root.named_children[0].child_by_field_name("argument")
        if argument is not None:
            text = source[start : facts.items[item].end]
            tree = _Tree(text, {(facts.uses[g].start - start, facts.uses[g].end - start) for g in gone})
            changes += [Change(path, a + start, b + start) for a, b in tree.deletions(argument)]
    return Removal(tuple(changes), tuple(emptied))


class _Tree:
    """Deletions inside one use tree; `gone` are the ranges of the leaves to remove. Comments are never deleted."""

    def __init__(self, text: bytes, gone: set[tuple[int, int]]) -> None:
        self.text = text
        self.gone = gone

    def alive(self, node: SyntaxNode) -> int:
        """How many leaves stay below `node`."""
        if node.type == "scoped_use_list":
            inner = node.child_by_field_name("list")
            return self.alive(inner) if inner is not None else 0
        if node.type == "use_list":
            return sum(self.alive(e) for e in entries(node))
        return 0 if (node.start_byte, node.end_byte) in self.gone else 1

    def deletions(self, node: SyntaxNode) -> list[tuple[int, int]]:
        if node.type == "scoped_use_list":
            inner = node.child_by_field_name("list")
            path = node.child_by_field_name("path")
            if inner is None:
                return []
            staying = [e for e in entries(inner) if self.alive(e)]
            alone = len(staying) == 1 and len(entries(inner)) > 1 and not comments_in(inner)
            if alone and path is not None:
                return self.unwrapped(path, inner, staying[0])
            return self.in_list(inner)
        if node.type == "use_list":
            return self.in_list(node)
        return []

    def unwrapped(self, path: SyntaxNode, inner: SyntaxNode, entry: SyntaxNode) -> list[tuple[int, int]]:
        """`a::{b}` becomes `a::b`, `a::{self}` becomes `a`."""
        start = entry
        if entry.type == "use_as_clause":
            start = entry.child_by_field_name("path") or entry
        if start.type == "self":
            return [(path.end_byte, start.end_byte), (entry.end_byte, inner.end_byte)]
        return [
            (inner.start_byte, entry.start_byte),
            *self.deletions(entry),
            (entry.end_byte, inner.end_byte),
        ]

    def in_list(self, node: SyntaxNode) -> list[tuple[int, int]]:
        """Delete the dead entries of a list with one comma each."""
        found: list[tuple[int, int]] = []
        children = node.children
        members = entries(node)
        if comments_in(node):
            return [
                d for e in members for d in (self.deletions(e) if self.alive(e) else [self.line_of(e, node)])
            ]
        last_alive = max((i for i, e in enumerate(members) if self.alive(e)), default=-1)
        for position, entry in enumerate(members):
            if self.alive(entry):
                found += self.deletions(entry)
            elif position < last_alive:
                found.append((entry.start_byte, members[position + 1].start_byte))
        if last_alive < len(members) - 1:
            end = members[-1].end_byte
            found.append((members[last_alive].end_byte, end))
            if any(c.type == "," and c.start_byte >= end for c in children):
                return found
        return found

    def line_of(self, entry: SyntaxNode, node: SyntaxNode) -> tuple[int, int]:
        """A dead entry with its comma, and with its line when nothing else stands there."""
        start, end = entry.start_byte, entry.end_byte
        comma = next((c for c in node.children if c.start_byte >= end and c.type not in COMMENTS), None)
        if comma is not None and comma.type == ",":
            end = comma.end_byte if only_blank(self.text[end : comma.start_byte]) else end
        while self.text[end : end + 1] in (b" ", b"\t"):
            end += 1
        first, last = line_start(self.text, start), line_end(self.text, end)
        if only_blank(self.text[first:start]) and only_blank(self.text[end:last]):
            return first, last
        return start, end


def comments_in(node: SyntaxNode) -> bool:
    return any(c.type in COMMENTS for c in node.named_children)


def entries(node: SyntaxNode) -> list[SyntaxNode]:
    """The members of a use list, comments left out."""
    return [c for c in node.named_children if c.type not in COMMENTS]


def after_use(
    path: str, source: bytes, facts: FileFacts, item: int, statements: Sequence[UseStatement]
) -> Change:
    """New statements right behind an existing `use`, in its indentation."""
    fact = facts.items[item]
    newline = newline_of(source)
    indent = indentation(source, line_start_of_item(source, fact.extent_start))
    end = line_end(source, fact.end)
    comment = TRAILING_COMMENT.match(source, fact.end)
    stop = comment.end(1) if comment else fact.end
    if only_blank(source[stop:end]) and source[:end].endswith(b"\n"):
        return written(path, end, end, b"".join(s.text(newline, indent) for s in statements))
    if only_blank(source[stop:end]):
        text = b"".join(newline + s.text(newline, indent).removesuffix(newline) for s in statements)
        return written(path, stop, stop, text)
    text = b"".join(b" " + s.text(b" ").strip() for s in statements)
    return written(path, fact.end, fact.end, text)


def line_start_of_item(source: bytes, position: int) -> int:
    """The first non-blank byte of the line that holds `position`."""
    start = line_start(source, position)
    while source[start : start + 1] in (b" ", b"\t"):
        start += 1
    return start


def at_head(
    workspace: Workspace, module: Module, statements: Sequence[UseStatement], gone: frozenset[int]
) -> Change:
    """New statements where the module keeps its imports: behind its first block of `use`s, else before its first item.

    `gone`: top-level items of the file that the plan takes away (they are no anchors).
    """
    path = module.file
    source, facts = workspace.sources[path], workspace.facts[path]
    items = [i for i in facts.children(module.scope_item) if facts.items[i].kind is not ItemKind.UNPARSED]
    newline = newline_of(source)
    block = _first_block(facts, items, gone)
    if block is not None:
        return after_use(path, source, facts, block, statements)
    indent = body_indent(source, facts, module)
    text = b"".join(s.text(newline, indent) for s in statements)
    first = next((i for i in items if i not in gone), None)
    if first is None and module.inline:
        return _into_empty_body(workspace, module, text, gone)
    if first is None:
        left = left_of(source, facts, (head_end(source), len(source)), gone)
        return _into_empty(path, source, text, newline, only_blank(left) and bool(gone))
    start = facts.items[first].extent_start
    position = _line_of(source, start)
    if module.inline and not only_blank(source[line_start(source, start) : start]):
        return written(path, start, start, b"".join(s.text(b" ") for s in statements))
    return written(path, position, position, text + newline)


def _first_block(facts: FileFacts, items: Sequence[int], gone: frozenset[int]) -> int | None:
    """The last `use` that stays of the first run of `use` and `extern crate` items."""
    last: int | None = None
    for index in items:
        if facts.items[index].kind in (ItemKind.USE, ItemKind.EXTERN_CRATE):
            last = index if index not in gone else last
        elif last is not None:
            break
    return last


def _line_of(source: bytes, position: int) -> int:
    """The start of the line when only blanks stand before `position`, else `position`."""
    start = line_start(source, position)
    return start if only_blank(source[start:position]) else position


def _into_empty_body(workspace: Workspace, module: Module, text: bytes, gone: frozenset[int]) -> Change:
    """An inline module without items (but perhaps with inner docs and attributes): behind what is left of its body."""
    path, (start, end) = module.file, module.body
    source, facts = workspace.sources[path], workspace.facts[path]
    newline, line = newline_of(source), closing_line(source, module)
    if only_blank(source[start:end]):
        return written(path, start, start, newline + text)
    if line is not None:
        gap = b"" if only_blank(left_of(source, facts, module.body, gone)) else newline
        return written(path, line, line, gap + text)
    return written(path, end, end, newline + text + own_indent(source, facts, module))


def _into_empty(path: str, source: bytes, text: bytes, newline: bytes, nothing_left: bool) -> Change:
    """A file without items (but perhaps with inner docs and attributes): at its end."""
    if nothing_left:
        return written(path, len(source), len(source), text)
    body = source[head_end(source) :]
    if only_blank(body):
        return written(path, len(source), len(source), text + newline)
    gap = newline if source.endswith(b"\n") else newline * 2
    return written(path, len(source), len(source), gap + text)
