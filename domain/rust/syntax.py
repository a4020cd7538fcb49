"""What the domain needs from a parser, and nothing more.

The shapes are those of tree-sitter's Python binding, so its nodes fit as they are; the domain itself
imports no parser (invariant: the domain is pure). Offsets are byte offsets into the parsed source.
"""

from typing import Protocol


class SyntaxNode(Protocol):
    """One node of a concrete syntax tree of tree-sitter-rust's grammar."""

    @property
    def id(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def is_named(self) -> bool: ...
    @property
    def has_error(self) -> bool: ...
    @property
    def is_missing(self) -> bool: ...
    @property
    def start_byte(self) -> int: ...
    @property
    def end_byte(self) -> int: ...
    @property
    def children(self) -> "list[SyntaxNode]": ...
    @property
    def named_children(self) -> "list[SyntaxNode]": ...
    def child_by_field_name(self, name: str, /) -> "SyntaxNode | None": ...
    def children_by_field_name(self, name: str, /) -> "list[SyntaxNode]": ...


class Parser(Protocol):
    """Parses Rust source text; never fails, errors are nodes of the tree."""

    def parse(self, source: bytes, /) -> SyntaxNode:
        """The root node (`source_file`) of the tree of `source`."""
        ...
