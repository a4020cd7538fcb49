"""Facts of one file at less than the cost of parsing it: what `walk.file_facts` says, and the tokens, as columns.

Function, struct and macro bodies and all comments are cut out before the parser sees the text; positions are mapped
back. When the short text does not lex or parse cleanly, the whole file is walked instead. It never fails.
"""

from typing import Any

import tree_sitter

from m1nd.domain.index.packed import PackedFacts, pack
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.lexer import NotSure, find_cuts, marks_of, references, tidy
from m1nd.infrastructure.rust_source.parser import LANGUAGE, TreeSitterParser
from m1nd.infrastructure.rust_source.skeleton import Skeleton

OWN_NAME_IS_REFERENCE = frozenset("iolp")
"""Kinds whose tokens begin at the item's start, because they have no name that they define."""
WITHOUT_TOKENS = frozenset("ux")


class Extractor:
    """Extracts facts; one instance per thread (it holds a parser)."""

    def __init__(self) -> None:
        self._parser = tree_sitter.Parser(LANGUAGE)
        self._whole = TreeSitterParser()

    def extract(self, source: bytes) -> PackedFacts:
        """Facts of a file's bytes (valid UTF-8)."""
        try:
            cuts, comments = find_cuts(source)
        except NotSure:
            return self.walk(source)
        short, at, shift = _cut(source, cuts)
        root = self._parser.parse(short).root_node
        if root.has_error:
            return self.walk(source)
        skeleton = Skeleton(source, short, at, shift, comments, self._parser)
        skeleton.container(root.named_children, -1, 0, len(short), 0)
        return skeleton.packed(cuts)

    def walk(self, source: bytes) -> PackedFacts:
        """The same facts by a walk over the whole tree: the fallback, and the oracle of the tests."""
        facts = file_facts(source, self._whole)
        packed = pack(facts)
        packed.tokens = whole_tokens(source, facts)
        return packed


def whole_tokens(source: bytes, facts: FileFacts) -> list[str]:
    """Tokens of every item (and, last, of what lies outside), lexed from the whole text by the items' ranges."""
    packed = pack(facts)
    found: list[set[bytes]] = [set() for _ in range(len(facts.items) + 1)]
    children: list[list[int]] = [[] for _ in found]
    for index, fact in enumerate(facts.items):
        children[fact.parent].append(index)
    for index in range(-1, len(facts.items)):
        code = packed.kinds[index] if index >= 0 else ""
        if code in WITHOUT_TOKENS and code:
            continue
        item = facts.items[index] if index >= 0 else None
        if item is None:
            position, end = 0, len(source)
        else:
            position = item.start if code in OWN_NAME_IS_REFERENCE else item.name_end
            end = item.end
        for child in children[index]:
            inner = facts.items[child]
            if inner.extent_start > position:
                found[index] |= references(source, position, inner.extent_start)
            position = max(position, inner.end)
        if end > position:
            found[index] |= references(source, position, end)
    marks = marks_of(source)
    return [tidy(tokens, marks) for tokens in found]


def _cut(source: bytes, cuts: list[Any]) -> tuple[bytes, list[int], list[int]]:
    """The text without the cuts; positions in it where a cut was, and the distance to the original after each."""
    parts: list[bytes] = []
    at = [0]
    shift = [0]
    position = length = total = 0
    for start, end, _ in cuts:
        parts.append(source[position:start])
        length += start - position
        total += end - start
        at.append(length)
        shift.append(total)
        position = end
    parts.append(source[position:])
    return b"".join(parts), at, shift
