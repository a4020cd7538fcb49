"""tree-sitter behind the domain's `Parser`. It parses and decides nothing."""

import re

import tree_sitter
import tree_sitter_rust

from m1nd.domain.rust.syntax import SyntaxNode

SPACED = re.compile(rb"\bmacro_rules(\s+)!")
"""Generated text may say `macro_rules ! name`, which the grammar takes for the call of a macro; rustc does not."""
LANGUAGE = tree_sitter.Language(tree_sitter_rust.language())


class TreeSitterParser:
    """`m1nd.domain.rust.syntax.Parser` over tree-sitter-rust; one instance per thread."""

    def __init__(self) -> None:
        self._parser = tree_sitter.Parser(LANGUAGE)

    def parse(self, source: bytes, /) -> SyntaxNode:
        if b"macro_rules" in source:
            source = SPACED.sub(rb"macro_rules!\1", source)
        return self._parser.parse(source).root_node  # type: ignore[return-value]
