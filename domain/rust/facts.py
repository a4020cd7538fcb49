"""Facts of one Rust file: a pure function of its bytes.

Both tiers read the same facts (GRAPH.md, edges in two tiers): the fast extractor and the full walk must
give equal `FileFacts` for every file; the full walk (`walk.py`) is the oracle. Facts hold no file path, no
crate and no resolution, so they can be cached by the sha256 of the bytes.
"""

from enum import StrEnum

from attrs import field, frozen


class ItemKind(StrEnum):
    """Kinds of items, named as GRAPH.md names them. `macro_call` is a macro invocation in item position."""

    FN = "fn"
    STRUCT = "struct"
    ENUM = "enum"
    VARIANT = "variant"
    UNION = "union"
    TRAIT = "trait"
    IMPL = "impl"
    CONST = "const"
    STATIC = "static"
    TYPE = "type"
    MACRO_RULES = "macro_rules"
    MOD = "mod"
    USE = "use"
    EXTERN_CRATE = "extern_crate"
    FOREIGN_MOD = "foreign_mod"
    MACRO_CALL = "macro_call"
    UNPARSED = "unparsed"


@frozen
class ItemFact:
    """One item. Byte ranges are half open, offsets into the file's bytes.

    `start..end` is the item's own node (visibility modifier first, attributes not included);
    `extent_start` is where its trivia begins: outer doc comments, outer attributes and the comment block
    glued to it (no blank line between), never an inner doc comment (seed 002 §2.4, W28, W29).
    `parent` indexes the enclosing item in the same file, -1 at file level; items inside function bodies
    have that function as their parent.
    """

    kind: ItemKind
    name: str
    """Without `r#`; empty for `impl`, `use`, `foreign_mod`; the macro's path for `macro_call`; the bound name for `extern crate`."""
    parent: int
    start: int
    end: int
    extent_start: int
    name_start: int
    """Byte offset of the name token (of `r#` where written); `start` where there is no name."""
    name_end: int
    visibility: str = ""
    """As written, white space collapsed: empty, `pub`, `pub(crate)`, `pub(super)`, `pub(in crate::a)`, …"""
    attributes: tuple[str, ...] = ()
    """Text inside each outer `#[…]`, in order, doc comments left out: `cfg(test)`, `path = "x.rs"`."""
    body_start: int = 0
    """Range of the braces' node (block, declaration list, field list, token tree); both 0 when there is none."""
    body_end: int = 0
    detail: str = ""
    """`impl`: the header between `impl` and the body, white space collapsed; `extern_crate`: the crate's own name."""

    @property
    def has_body(self) -> bool:
        return self.body_end > 0


@frozen
class UseFact:
    """One leaf of a `use` tree.

    `path` is the full path, prefix included, without `r#` and without a leading `::` (`absolute`). A glob's
    path is that of its module. `self` in a group gives the prefix as path with `is_self` (it binds the type
    namespace only). `segments` are the byte ranges of the path's segments where each was written (shared
    prefix segments are those of the group's prefix); the word `self` of an `is_self` leaf is `start..end` alone.
    """

    item: int
    """Index of the `use` declaration (ItemKind.USE) in `FileFacts.items`."""
    path: tuple[str, ...]
    segments: tuple[tuple[int, int], ...]
    start: int
    """Range of the leaf itself inside the tree, alias included: `b as c`, `*`, `self`, `a::b`."""
    end: int
    alias: str | None = None
    alias_start: int = 0
    alias_end: int = 0
    glob: bool = False
    is_self: bool = False
    absolute: bool = False

    @property
    def bound_name(self) -> str | None:
        """The name the leaf brings into scope; None for a glob and for `as _`."""
        if self.glob or self.alias == "_":
            return None
        return self.alias or self.path[-1]


@frozen
class FileFacts:
    """All facts of one file; `tokens[i]` are the distinct reference tokens of item i, `tokens[-1]` those outside any item.

    A token is `name`, `path::name`, with a mark of its role: `name(` call, `.name(` method call, `.name` field,
    `name!` macro; keywords, literals and comments are left out. Distinct and sorted.
    """

    items: tuple[ItemFact, ...]
    uses: tuple[UseFact, ...]
    tokens: tuple[tuple[str, ...], ...] = field(default=(), eq=False)
    inner_attributes: tuple[str, ...] = ()
    """Text inside each `#![…]` at file level, in order."""
    has_error: bool = False
    """The parse of the file holds an error node (the item it spoils is ItemKind.UNPARSED where it can be told)."""

    def children(self, parent: int) -> list[int]:
        """Indices of the items directly inside item `parent` (-1: file level), in textual order."""
        return [i for i, item in enumerate(self.items) if item.parent == parent]
