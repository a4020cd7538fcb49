"""How a place inside a file is named, and what is said where the name leads nowhere (frontiers 2e, 2f)."""

import pytest
from tests.support.before_after import refused
from tests.support.moves import encoded, plan, workspace_of

from m1nd.domain.move.plan import plan_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.places import Place, place_at
from m1nd.domain.refusal import Refused

FILES = {
    "src/lib.rs": "pub mod alpha;\npub mod beta;\npub mod twins;\n",
    "src/alpha.rs": (
        "pub fn outer() {}\npub struct Counter;\nimpl Counter {\n    pub fn bump() {}\n}\n"
        "pub mod inner {\n    pub fn f() {}\n    pub mod deep {\n        pub fn g() {}\n    }\n    pub mod inner {\n"
        "        pub fn h() {}\n    }\n}\n"
        "pub fn body() {\n    mod local {\n        pub fn f() {}\n    }\n    local::f()\n}\n"
    ),
    "src/beta.rs": "pub mod filed;\nmacro_rules! same {\n    ($($t:tt)*) => { $($t)* };\n}\nsame! {\n    pub mod made {\n        pub fn f() {}\n    }\n}\n",
    "src/beta/filed.rs": "",
    "src/twins.rs": "#[cfg(unix)]\npub mod imp {\n    pub fn f() {}\n}\n#[cfg(not(unix))]\npub mod imp {\n    pub fn f() {}\n}\n",
}


def test_a_place_is_read_and_written_alike() -> None:
    assert place_at("./src//a.rs::inner::r#type") == Place("src/a.rs", ("inner", "type"))
    assert str(place_at("src/a.rs::inner::deep")) == "src/a.rs::inner::deep"
    assert place_at("src/a.rs") == Place("src/a.rs")


@pytest.mark.parametrize("text", ["src/a.rs::", "src/a.rs::1a", "src/a.rs::a b", "src/a.rs::a::"])
def test_a_way_that_is_none_refuses(text: str) -> None:
    with pytest.raises(Refused) as found:
        place_at(text)
    assert found.value.refusal.code == "usage"


@pytest.mark.parametrize(
    ("symbol", "source", "module"),
    [
        ("inner::f", "src/alpha.rs", "crate::alpha::inner"),
        ("f", "src/alpha.rs::inner", "crate::alpha::inner"),
        ("alpha::inner::f", "src/alpha.rs", "crate::alpha::inner"),
        ("crate::alpha::inner::f", "src/alpha.rs", "crate::alpha::inner"),
        ("crate::alpha::inner::f", "src/alpha.rs::inner", "crate::alpha::inner"),
        ("case::alpha::inner::f", "src/alpha.rs", "crate::alpha::inner"),
        ("self::inner::f", "src/alpha.rs", "crate::alpha::inner"),
        ("inner::deep::g", "src/alpha.rs", "crate::alpha::inner::deep"),
        ("deep::g", "src/alpha.rs::inner", "crate::alpha::inner::deep"),
        ("inner::h", "src/alpha.rs::inner", "crate::alpha::inner::inner"),
        ("src/alpha.rs:7", "src/alpha.rs", "crate::alpha::inner"),
        ("src/alpha.rs:9", "src/alpha.rs", "crate::alpha::inner::deep"),
        ("crate::alpha::outer", "src/alpha.rs", "crate::alpha"),
        ("alpha::outer", "src/alpha.rs", "crate::alpha"),
    ],
)
def test_the_way_before_a_name_leads_to_its_module(symbol: str, source: str, module: str) -> None:
    assert plan(FILES, symbol, source, "src/beta/filed.rs").receipt["source_module"] == module


@pytest.mark.parametrize(
    ("symbol", "source", "dest", "code", "words"),
    [
        ("outer", "src/alpha.rs", "src/beta/filed.rs::none", "module_not_found", "filed.rs are: none"),
        ("outer", "src/alpha.rs", "src/beta.rs::filed", "module_not_found", "src/beta/filed.rs"),
        (
            "outer",
            "src/alpha.rs",
            "src/beta.rs::made",
            "module_nested",
            "stands in the braces of a macro call",
        ),
        (
            "outer",
            "src/alpha.rs",
            "src/alpha.rs::local",
            "module_nested",
            "stands in the body of another item",
        ),
        ("f", "src/alpha.rs::iner", "src/beta.rs", "module_not_found", "src/alpha.rs::inner::deep"),
        ("iner::f", "src/alpha.rs", "src/beta.rs", "module_not_found", "src/alpha.rs::inner"),
        ("inner::gone", "src/alpha.rs", "src/beta.rs", "symbol_not_found", "src/alpha.rs::inner defines no"),
        ("f", "src/alpha.rs", "src/beta.rs", "not_top_level_fn", "`inner::f` is not a top-level item"),
        (
            "outer",
            "src/alpha.rs::inner",
            "src/beta.rs",
            "symbol_elsewhere",
            "it stands in src/alpha.rs itself",
        ),
        ("Counter::bump", "src/alpha.rs", "src/beta.rs", "not_top_level_fn", "`Counter::bump`"),
        ("imp::f", "src/twins.rs", "src/beta.rs", "ambiguous_symbol", "`mod imp` 2 times, at lines 2, 6"),
        ("outer", "src/alpha.rs", "src/twins.rs::imp", "ambiguous_symbol", "src/twins.rs holds"),
        ("outer", "src/alpha.rs", "src/alpha.rs", "same_file", "both src/alpha.rs"),
        ("inner::f", "src/alpha.rs", "src/alpha.rs::inner", "same_file", "both src/alpha.rs::inner"),
        (
            "src/alpha.rs:1",
            "src/alpha.rs::inner",
            "src/beta.rs",
            "symbol_elsewhere",
            "it stands in src/alpha.rs",
        ),
        ("outer", "src/alpha.rs", "src/new.rs::inner", "dest_missing", "holds no inline module"),
    ],
)
def test_a_place_that_leads_nowhere_says_what_there_is(
    symbol: str, source: str, dest: str, code: str, words: str
) -> None:
    found = refused(FILES, symbol, source, dest)
    assert found is not None and (found.refusal.code, words in found.refusal.message) == (code, True), (
        found.refusal if found else "planned"
    )


def test_an_item_of_an_inline_module_is_refused_with_the_line_that_moves_it() -> None:
    found = refused(FILES, "f", "src/alpha.rs", "src/beta.rs")
    assert found is not None
    assert found.refusal.hint == "m1nd transplant preview inner::f src/alpha.rs src/beta.rs"


def several(*symbols: str, source: str = "src/alpha.rs") -> list[str]:
    sources = encoded(
        {**FILES, "src/alpha.rs": FILES["src/alpha.rs"].replace("pub fn f", "pub fn e() {}\n    pub fn f", 1)}
    )
    request = MoveRequest(symbols[0], source, "src/beta/filed.rs", also=symbols[1:])
    return list(plan_move(request, workspace_of(sources), frozenset(sources), {}).receipt["moved_symbols"])


def test_the_others_of_one_plan_are_named_like_the_first_or_by_their_name_alone() -> None:
    assert several("inner::e", "inner::f") == ["e", "f"]
    assert several("inner::e", "f") == ["e", "f"]
    assert several("e", "crate::alpha::inner::f", source="src/alpha.rs::inner") == ["e", "f"]


def test_the_items_of_one_plan_stand_in_one_module() -> None:
    with pytest.raises(Refused) as found:
        several("inner::e", "inner::deep::g")
    assert found.value.refusal.code == "symbol_elsewhere"
    assert "`inner::deep::g` does not stand in src/alpha.rs::inner" in found.value.refusal.message
