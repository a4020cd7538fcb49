"""From the bytes of a file to its sketch: the full walk with lexical scopes. Never fails; broken text is doubt.

The walk is done section by section (`sections.py`), each when something in it is asked for: most questions name a few
words, and most sections spell none of them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from m1nd.domain.rust.bodies import (
    attributes,
    documentation,
    expressions,
    items,
    macro_arguments,
    macro_rules,
    written_paths,
)
from m1nd.domain.rust.bodies.model import FieldSketch, Raw, Typed
from m1nd.domain.rust.bodies.state import Handler, Walk, without_built_in_attributes
from m1nd.domain.rust.bodies.tokens import BOTH
from m1nd.domain.rust.facts import FileFacts
from m1nd.domain.rust.names import Role
from m1nd.domain.rust.sections import Section, Sections
from m1nd.domain.rust.spelled import FEW, names_spelled
from m1nd.domain.rust.syntax import Parser, SyntaxNode
from m1nd.domain.rust.walk import COMMENTS, identifier

HANDLERS: dict[str, Handler] = {
    **written_paths.HANDLERS,
    **expressions.HANDLERS,
    **items.HANDLERS,
    **macro_arguments.HANDLERS,
    **macro_rules.HANDLERS,
    **attributes.HANDLERS,
}
WORDS = re.compile(rb"(?:::)?[A-Za-z_\x80-\xff][\w\x80-\xff]*(?:::[A-Za-z_\x80-\xff][\w\x80-\xff]*)*")
WORD = re.compile(rb"[^:]+")


class Sketch:
    """Every path of a file with its scopes, in textual order: a pure function of its bytes and facts.

    It knows no other file, no crate and no meaning, so it is kept while the rest of the workspace changes.
    `occurrences.py` turns it into `Occurrence`s.
    """

    def __init__(self, source: bytes, facts: FileFacts, parser: Parser) -> None:
        self._source = source
        self._sections = Sections(facts, len(source))
        self._walk = Walk(source, facts, parser, HANDLERS, documentation.documentation)
        self._module = self._walk.rib
        self._made: dict[int, tuple[Raw, ...]] = {}
        self._spelled: dict[int, frozenset[str]] = {}
        self._whole: tuple[Raw, ...] | None = None
        self.walked = 0
        """Bytes of the sections that were walked."""

    # Questions

    def raws(self) -> tuple[Raw, ...]:
        """All paths of the file."""
        if self._whole is None:
            self._whole = tuple(raw for number in range(len(self._sections)) for raw in self._paths(number))
        return self._whole

    def between(self, start: int, end: int) -> Iterator[Raw]:
        """The paths that start in bytes `start..end`."""
        number = self._sections.at(start)
        while number < len(self._sections) and self._sections[number].start < end:
            found = self._paths(number)
            for index in range(bisect_left(found, start, key=lambda r: r.start), len(found)):
                if found[index].start >= end:
                    return
                yield found[index]
            number += 1

    def first_at(self, start: int) -> Raw | None:
        """The first of the paths that start at a byte."""
        return next(self.between(start, start + 1), None)

    def called(self, names: frozenset[str]) -> Iterator[Raw]:
        """The paths that have a segment called by one of `names`."""
        for number in range(len(self._sections)):
            if self._may_spell(number, names):
                for raw in self._paths(number):
                    if any(segment[0] in names for segment in raw.segments):
                        yield raw

    def fields(self, item: int) -> tuple[FieldSketch, ...]:
        """The fields of a struct, union or variant; none for any other item."""
        self._paths(self._sections.of_item(item))
        return self._walk.fields.get(item, ())

    def result(self, item: int) -> Typed:
        """The result type of a fn, where one is written."""
        self._paths(self._sections.of_item(item))
        return self._walk.results.get(item)

    def type(self, item: int) -> Typed:
        """The written type of a const or static; what a type alias stands for."""
        self._paths(self._sections.of_item(item))
        return self._walk.types.get(item)

    # Walking

    def _may_spell(self, number: int, names: frozenset[str]) -> bool:
        """No where a section surely spells none of `names`."""
        if number in self._made:
            return True
        section = self._sections[number]
        if len(names) <= FEW and all(n.isascii() for n in names):
            return any(self._source.find(n.encode(), section.start, section.end) >= 0 for n in names)
        known = self._spelled.get(number)
        if known is None:
            known = self._spelled[number] = names_spelled(self._source[section.start : section.end])
        if not known.isdisjoint(names):
            return True
        # `$crate`, and the number that a tuple's field is called by.
        others = [n.encode() for n in names if not n.isidentifier()]
        return any(self._source.find(n, section.start, section.end) >= 0 for n in others)

    def _paths(self, number: int) -> tuple[Raw, ...]:
        found = self._made.get(number)
        if found is None:
            found = self._made[number] = self._walked(self._sections[number])
        return found

    def _walked(self, section: Section) -> tuple[Raw, ...]:
        walk = self._walk
        text = self._source[section.start : section.end]
        root = walk.parser.parse(text)
        if root.has_error:
            text = without_built_in_attributes(text)
            root = walk.parser.parse(text)
        walk.raws, walk.rib, walk.item = [], self._module, -1
        with walk.inside(text, section.start):
            _visit_all(walk, root)
        self.walked += len(text)
        return tuple(sorted(walk.raws, key=lambda r: (r.start, r.end)))


def _visit_all(walk: Walk, root: SyntaxNode) -> None:
    """The items of a text, each with the trivia before it."""
    trivia: list[SyntaxNode] = []
    for child in root.named_children:
        if child.type in COMMENTS or child.type == "attribute_item":
            trivia.append(child)
            continue
        known = len(walk.raws)
        state = (walk.source, walk.shift, walk.lines, walk.macros, walk.in_macro, walk.certain, walk.quiet)
        rib, item = walk.rib, walk.item
        try:
            walk.trivia(trivia, walk.starts.get(walk.at(child.start_byte), -1))
            walk.visit(child)
        except RecursionError:
            del walk.raws[known:]
            walk.source, walk.shift, walk.lines, walk.macros, walk.in_macro, walk.certain, walk.quiet = state
            walk.rib, walk.item = rib, item
            words(walk, child)
        trivia = []
    walk.trivia(trivia, -1)


def words(walk: Walk, node: SyntaxNode) -> None:
    """Text nested too deeply to walk: every word may be a path."""
    kept, walk.certain = walk.certain, False
    for match in WORDS.finditer(walk.source, node.start_byte, node.end_byte):
        segments = [
            (identifier(w.group()), walk.at(match.start() + w.start()), walk.at(match.start() + w.end()))
            for w in WORD.finditer(match.group())
        ]
        walk.write(Role.TOKEN, segments, BOTH, walk.at(match.start()), match.group().startswith(b"::"))
    walk.certain = kept
