"""Moved text at another depth: there and back is the same text, literals never change, and lines keep their form."""

from hypothesis import given
from hypothesis import strategies as st

from m1nd.domain.move.compose import Change as Edit
from m1nd.domain.move.compose import Verbatim, compose
from m1nd.domain.move.depth import Depth, fixed_spans, shifted
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

PARSER = TreeSitterParser()
BLANKS = st.sampled_from([b"", b"    ", b"\t", b"  ", b"        "])
INSIDE = st.text(st.sampled_from(" \tab}{\\n"), max_size=12).map(lambda s: s.replace("\\", "").encode())
LINES = st.one_of(
    st.sampled_from([b"let a = 1;", b"if a { b() }", b"// words", b"", b"#[cfg(test)] let c = 2;"]),
    INSIDE.map(lambda s: b'let s = r#"' + s + b'\n  x\n"#;'),
    INSIDE.map(lambda s: b'let s = "' + s + b"\n" + s + b'";'),
    st.just(b"/* one\n  two\n\t*/"),
)


def body(lines: list[tuple[bytes, bytes]], old: bytes) -> bytes:
    """A fn at depth `old`, its first line without blanks; a blank line holds nothing."""
    inner = b"".join((old + b"    " + deep + text if text else b"") + b"\n" for deep, text in lines)
    return b"fn f() {\n" + inner + old + b"}"


def at(text: bytes, old: bytes, new: bytes) -> bytes:
    fixed = fixed_spans(PARSER, text, 0, len(text))
    pieces = shifted([Verbatim("a.rs", 0, len(text))], text, Depth(old, new, fixed))
    edit = Edit("b.rs", 0, 0, pieces)
    return compose([edit], {"a.rs": text, "b.rs": b""}).texts["b.rs"]


def literals(text: bytes) -> list[bytes]:
    return [text[a:b] for a, b in fixed_spans(PARSER, text, 0, len(text))]


@given(st.lists(st.tuples(BLANKS, LINES), max_size=8), BLANKS, BLANKS)
def test_there_and_back_is_the_same_text(lines: list[tuple[bytes, bytes]], old: bytes, new: bytes) -> None:
    text = body(lines, old)
    there = at(text, old, new)
    assert there == body(lines, new)
    assert literals(there) == literals(text)
    assert at(there, new, old) == text


@given(st.lists(st.tuples(BLANKS, LINES), max_size=8), BLANKS)
def test_the_same_depth_changes_nothing(lines: list[tuple[bytes, bytes]], old: bytes) -> None:
    text = body(lines, b"")
    assert at(text, old, old) == text
