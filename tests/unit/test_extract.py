"""The fast extractor says what the full walk says (facts.py), item by item, and never fails."""

import pytest
from tests.support.nasty import NASTY

from m1nd.domain.index.packed import pack, unpack
from m1nd.domain.rust.facts import ItemKind
from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.extract import Extractor, whole_tokens
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

EXTRACTOR = Extractor()
PARSER = TreeSitterParser()


@pytest.mark.parametrize("name", NASTY)
def test_extraction_equals_the_walk(name: str) -> None:
    source = NASTY[name]
    walked = file_facts(source, PARSER)
    packed = EXTRACTOR.extract(source)
    if walked.has_error:
        # A body that does not parse spoils nothing around it; the walk may lose more.
        assert len(packed.tokens) == len(packed.kinds) + 1
        return
    assert unpack(packed) == walked
    assert [set(t.split()) for t in packed.tokens] == [set(t.split()) for t in whole_tokens(source, walked)]


@pytest.mark.parametrize("name", NASTY)
def test_columns_and_facts_hold_the_same(name: str) -> None:
    facts = file_facts(NASTY[name], PARSER)
    assert unpack(pack(facts)) == facts


def tokens_of(source: bytes, name: str) -> set[str]:
    packed = EXTRACTOR.extract(source)
    return set(packed.tokens[packed.names.index(name)].split())


def test_tokens_carry_their_role() -> None:
    source = b"fn f(x: Ty) -> u8 { a(x); b::c(1); y.m(); y.field; mac!(z); p::q::R }\n"
    assert tokens_of(source, "f") == {
        "x", "Ty", "u8", "a(", "b::c(", "y", ".m(", ".field", "mac!", "z", "p::q::R",
    }  # fmt: skip


def test_tokens_leave_out_texts_comments_keywords_numbers_and_attributes() -> None:
    source = b'fn f() { "in_text"; // in_comment\n /* in_block */ 1u8; 0x1F; #[attr(inner)] let v = r#"raw_text"#; if v {} }\n'
    assert tokens_of(source, "f") == {"v"}


def test_turbofish_calls_are_calls_and_names_after_generics_are_methods() -> None:
    source = b"fn f() { x.collect::<Vec<_>>(); Set::<u8>::new(); size_of::<T>(); <T as Tr>::go(1) }\n"
    assert tokens_of(source, "f") == {
        "x",
        ".collect(",
        "Vec",
        "Set",
        "u8",
        ".new(",
        "size_of(",
        "T",
        "Tr",
        ".go(",
    }


def test_an_item_does_not_mention_itself_or_what_its_inner_items_mention() -> None:
    source = b"fn outer() { fn inner() { deep() } inner(); }\n"
    assert tokens_of(source, "outer") == {"inner("}
    assert tokens_of(source, "inner") == {"deep("}


def test_tokens_outside_any_item_come_last() -> None:
    packed = EXTRACTOR.extract(b"m! { }\n")
    assert packed.kinds == "l"
    assert packed.tokens == ["m!", ""]


def test_a_broken_body_spoils_only_its_own_item() -> None:
    facts = unpack(EXTRACTOR.extract(b"/// d\nfn a() { let = = ; }\npub fn b() { fine() }\n"))
    assert [(i.kind, i.name) for i in facts.items] == [(ItemKind.FN, "a"), (ItemKind.FN, "b")]


@pytest.mark.parametrize(
    "source",
    [
        b"\xff\xfe\x00f\x00n",
        bytes(range(256)) * 20,
        b"fn " * 5000,
        b"{" * 3000,
        b"(" * 3000,
        b"/*" * 3000,
        b'"' * 3001,
        b"'" * 3001,
        b"r#" * 3001,
        b"#[" * 3001,
        b"impl " * 3000,
        b"a" * 200_000,
        b"fn f() { x(" + b"[" * 2000 + b") }",
    ],
    ids=range(13),
)
def test_no_text_makes_it_fail(source: bytes) -> None:
    packed = EXTRACTOR.extract(source)
    assert len(packed.tokens) == len(packed.kinds) + 1
