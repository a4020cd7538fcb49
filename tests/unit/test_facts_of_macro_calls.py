"""Items inside the braces of macro calls: which texts are items."""

import pytest

from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

TEXTS = {
    "cfg_if! { if #[cfg(unix)] { mod a; pub use a::*; } else if #[cfg(any(x, y))] { mod b; p!(); } else { fn c() {} } }": [
        ("macro_call", "cfg_if", -1),
        ("mod", "a", 0),
        ("use", "", 0),
        ("mod", "b", 0),
        ("macro_call", "p", 0),
        ("fn", "c", 0),
    ],
    "cfg_select! { all(unix) => { mod d; } _ => { mod e; } }": [
        ("macro_call", "cfg_select", -1),
        ("mod", "d", 0),
        ("mod", "e", 0),
    ],
    'feature! { #![unix] mod s; compile_error!("x"); }': [
        ("macro_call", "feature", -1),
        ("mod", "s", 0),
        ("macro_call", "compile_error", 0),
    ],
    "thread_local! { static A: u8 = const { 1 } }": [("macro_call", "thread_local", -1), ("static", "A", 0)],
    "lazy_static! { static ref A: u8 = 1; pub static ref B: u8 = 2; }": [
        ("macro_call", "lazy_static", -1),
        ("static", "A", 0),
        ("static", "B", 0),
    ],
    "other! { a => b; }": [("macro_call", "other", -1)],
    "json! { { mod x; } }": [("macro_call", "json", -1)],
}


@pytest.mark.parametrize("text", TEXTS)
def test_items_inside_macro_calls(text: str) -> None:
    source = text.encode()
    facts = file_facts(source, TreeSitterParser())
    assert [(i.kind, i.name, i.parent) for i in facts.items] == TEXTS[text]
    assert all(i.end <= len(source) - (i.parent >= 0) for i in facts.items)
    assert all(source[i.name_start : i.name_end].decode() == i.name for i in facts.items)
