"""Facts of an edited text are those of the full walk, whatever the edit took away, put in or moved together."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from m1nd.domain.rust.facts_after import Stay, facts_after
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

PARSER = TreeSitterParser()
TEXTS = {
    "head": b"// Copyright of somebody\n//! About the file.\n#![allow(dead_code)]\n\nuse a::{b, c as d};\nuse e::*;\n\nfn f() {}\n",
    "trivia": b"/// A.\n#[cfg(x)]\nfn a() {} // of a\n\n// alone\n\n// of b\nfn b() {}\n// =====\n\n/* of c */ struct C;\n#[d]\n\nenum D { One, Two }\n",
    "nested": b"mod m {\n    #![allow(x)]\n    use super::*;\n    fn g() { use q::r; fn h() {} }\n}\nimpl T for S {\n    fn k(&self) {}\n    const L: u8 = 1;\n}\ntrait T { fn k(&self); type A; }\n",
    "one line": b"fn a(){} fn b(){} // both\nfn c(){}\nstruct D;struct E;\n",
    "macros": b'macro_rules! m { () => {} }\nm! { struct S; use a::b; }\nm!();\nthread_local! { static X: u8 = 1 }\nextern crate q as r;\nextern "C" { fn s(); }\nstatic Y: u8 = 1;\n',
    "licence in the middle": b"fn a() {}\n\n// SPDX-License-Identifier: MIT\n// of b\nfn b() {}\n\n// licence\nfn c() {}\n",
    "byte order mark": b"\xef\xbb\xbfuse a::b;\r\n\r\n/// Doc.\r\nfn f() {}\r\nfn g() {}\r\n",
    "inner attribute late": b"fn a() {}\n#![b]\nfn c() {}\n",
}
WRITTEN = (
    b"\npub fn new() {}\n",
    b"// a remark\n",
    b"use n::o;\n",
    b"/// Of what follows.\n",
    b"pub(crate) ",
    b"",
)


def edits(text: bytes) -> Iterator[tuple[bytes, list[Stay]]]:
    """Every item cut out by its extent or its line; and something put in before, after and instead of it."""
    items = [i for i in file_facts(text, PARSER).items if i.parent == -1]
    ranges = [(i.extent_start, i.end) for i in items] + [
        (i.start, text.find(b"\n", i.end) + 1) for i in items
    ]
    ranges += [(p, p) for i in items for p in (i.extent_start, i.start, i.end, i.name_start)] + [
        (len(text), len(text))
    ]
    ranges += [(a, d) for (a, _), (_, d) in pairwise(ranges) if a < d]
    for start, end in ranges:
        for written in WRITTEN:
            yield (
                text[:start] + written + text[end:],
                [(0, start, 0), (end, len(text), start + len(written))],
            )


def exchanges(text: bytes) -> Iterator[tuple[bytes, list[Stay]]]:
    """Two neighbours change places, as where an item moves inside its file."""
    tops = [i for i in file_facts(text, PARSER).items if i.parent == -1]
    for a, b in pairwise(tops):
        start, middle, end = a.extent_start, b.extent_start, b.end
        first = start + end - middle
        yield (
            text[:start] + text[middle:end] + text[start:middle] + text[end:],
            [(0, start, 0), (start, middle, first), (middle, end, start), (end, len(text), end)],
        )


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_facts_after_an_edit_are_those_of_the_full_walk(text: bytes) -> None:
    before = file_facts(text, PARSER)
    assert not before.has_error
    for edited, stays in (*edits(text), *exchanges(text)):
        assert facts_after(edited, stays, text, before, PARSER) == file_facts(edited, PARSER), edited


def test_an_edit_reads_the_sections_that_it_changed_and_no_others() -> None:
    text = b"".join(b"/// Doc.\nfn f%d() { let x = 1; }\n\n" % n for n in range(40))
    read: list[int] = []

    class Listening:
        def parse(self, source: bytes, /) -> object:
            read.append(len(source))
            return PARSER.parse(source)

    start = text.find(b"fn f20")
    edited = text[:start] + b"pub " + text[start:]
    stays = [(0, start, 0), (start, len(text), start + 4)]
    found = facts_after(edited, stays, text, file_facts(text, PARSER), Listening())  # type: ignore[arg-type]
    assert found == file_facts(edited, PARSER)
    assert sum(read) < 100
