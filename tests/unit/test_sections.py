"""A file's sections: they cover it, and what is written in each is the same alone and in the file."""

import pytest
from attrs import evolve

from m1nd.domain.rust.bodies.model import Raw
from m1nd.domain.rust.bodies.sketch import Sketch
from m1nd.domain.rust.sections import Sections
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

PARSER = TreeSitterParser()
TEXTS = {
    "head": b"#!/usr/bin/env x\n//! See [`f`].\n#![allow(a)]\nuse a::{b, c as d};\n/// ```\n/// let x = f(b);\n/// ```\nfn f(q: b) -> d { q.g(|x| x) }\n",
    "types": b"#[derive(Clone)]\nstruct S<T: Tr>(pub T, u8);\nimpl<T: Tr> S<T> {\n    /// [`Self::n`]\n    fn n(&self) -> &u8 { &self.1 }\n}\nenum E { A, B { c: S<E> } }\nconst K: E = E::A;\ntype L = S<E>;\n",
    "macros": b"macro_rules! m { ($a:ident) => { $crate::f($a) } }\nm!(x);\nmod i { use super::*; fn f() { m!(f); } }\nstatic P: u8 = vec![1][0];\n",
    "broken body": b"fn a() { b(]; }\n#[cfg(x)]\nfn c() { d::e() }\n",
}


def written(raw: Raw) -> tuple[object, ...]:
    """A path with the scopes around it, as far as one value can tell."""
    ribs, rib = [], raw.rib
    while rib is not None:
        ribs.append((rib.kind, rib.item, sorted(rib.names), sorted(rib.items), [u.path for u, _ in rib.uses]))
        rib = rib.parent  # type: ignore[assignment]
    return raw.role, raw.segments, raw.start, raw.end, raw.item, raw.in_macro, raw.certain, raw.quiet, ribs


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_sketch_made_section_by_section_is_that_of_the_whole_file(text: bytes) -> None:
    facts = evolve(file_facts(text, PARSER), has_error=False)
    whole = Sketch(text, evolve(facts, has_error=True), PARSER)
    apart = Sketch(text, facts, PARSER)
    assert [written(r) for r in apart.raws()] == [written(r) for r in whole.raws()]
    for item in range(len(facts.items)):
        for question in (Sketch.fields, Sketch.result, Sketch.type):
            assert (question(apart, item) in ((), None)) == (question(whole, item) in ((), None))


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_question_for_a_name_finds_what_the_whole_file_holds_of_it(text: bytes) -> None:
    facts = evolve(file_facts(text, PARSER), has_error=False)
    every = Sketch(text, facts, PARSER).raws()
    many = frozenset(f"n{n}" for n in range(20))
    for name in {s[0] for raw in every for s in raw.segments}:
        expected = [written(r) for r in every if name in {s[0] for s in r.segments}]
        for names in (frozenset((name,)), many | {name}):
            assert [written(r) for r in Sketch(text, facts, PARSER).called(names)] == expected


def test_a_question_for_a_name_walks_the_sections_that_spell_it_and_no_others() -> None:
    text = b"".join(b"fn f%d() { g%d() }\n" % (n, n) for n in range(10, 60))
    sketch = Sketch(text, file_facts(text, PARSER), PARSER)
    assert [r.segments[0][0] for r in sketch.called(frozenset(("g33",)))] == ["g33"]
    assert sketch.walked == len(b"fn f33() { g33() }\n")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_sections_cover_the_file_and_all_its_items(text: bytes) -> None:
    facts = file_facts(text, PARSER)
    rows = list(Sections(facts, len(text)))
    assert [r.start for r in rows] == [0, *(r.end for r in rows[:-1])]
    assert rows[-1].end == len(text)
    assert [i for r in rows for i in range(r.first, r.last)] == list(range(len(facts.items)))
    assert [u for r in rows for u in range(r.first_use, r.last_use)] == list(range(len(facts.uses)))
    for number, row in enumerate(rows):
        assert all(facts.items[i].end <= row.end for i in range(row.first, row.last))
        assert {Sections(facts, len(text)).of_item(i) for i in range(row.first, row.last)} <= {number}
