"""Rust source text into facts: the tree-sitter parser and the fast extractor."""
