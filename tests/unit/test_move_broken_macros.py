"""What only macros know: names that they complete, names that they make, files that they include. Found by use."""

import pytest
from tests.support.moves import encoded, moved, plan, refusal, workspace_of

from m1nd.domain.move.included import doctests_only, included_code

ITEM_MACRO = """
macro_rules! at { ($m:ident, $f:ident) => { crate::$m::$f() }; }
"""


def unresolved(files: dict[str, str], symbol: str = "go") -> list[tuple[object, object]]:
    found = plan(files, symbol, "src/a.rs", "src/b.rs").receipt["refs_unresolved"]
    return [(entry["file"], entry["text"]) for entry in found]


@pytest.mark.parametrize(
    "call",
    ["at!(a, go)", "at!(a, go) + at!(b, stay)", "at![a, go]", "at! { a, go }"],
)
def test_a_name_that_the_macro_puts_a_path_before_is_told(call: str) -> None:
    files = {
        "src/lib.rs": f"{ITEM_MACRO}pub mod a;\npub mod b;\npub fn user() -> u32 {{ {call} }}\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\n",
        "src/b.rs": "pub fn stay() -> u32 { 1 }\n",
    }
    assert unresolved(files) == [("src/lib.rs", "go")]


@pytest.mark.parametrize(
    "shown, told",
    [
        ("", []),
        ("pub(self) ", []),
        ("pub(super) ", [("src/lib.rs", "go")]),
        ("pub(crate) ", [("src/lib.rs", "go")]),
    ],
)
def test_a_name_that_the_caller_of_the_macro_cannot_see_is_not_told(
    shown: str, told: list[tuple[str, str]]
) -> None:
    """ron: `test_non_raw_value! { test_some => … }` names its own tests, and no private test of another module."""
    files = {
        "src/lib.rs": f"{ITEM_MACRO}pub mod a;\npub mod b;\npub fn user() -> u32 {{ at!(a, go) }}\n",
        "src/a.rs": f"{shown}fn go() -> u32 {{ 1 }}\npub mod inner {{}}\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == told


def test_a_private_name_is_told_where_a_macro_below_its_module_may_name_it() -> None:
    files = {
        "src/lib.rs": f"{ITEM_MACRO}pub mod a;\npub mod b;\n",
        "src/a.rs": "fn go() -> u32 { 1 }\npub mod inner { pub fn user() -> u32 { at!(a, go) } }\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == [("src/a.rs", "go")]


def test_a_name_in_a_macro_that_means_something_else_is_not_told() -> None:
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub fn user(go: u32) -> Vec<u32> { vec![go, 1] }\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == []


@pytest.mark.parametrize(
    "path, told", [("S::Error", []), ("s::Error", ["s::Error"]), ("Big::Error", ["Big::Error"])]
)
def test_a_name_that_hangs_on_a_type_is_not_told(path: str, told: list[str]) -> None:
    """ron: what an unknown type has by the name of the moved item is no item of a module (none is spelled like it)."""
    files = {
        "src/lib.rs": "#![allow(non_snake_case)]\npub mod a;\npub mod b;\npub mod Big {}\n"
        f"macro_rules! m {{ ($s:ident) => {{ fn f<S>() -> {path} {{}} }}; }}\n",
        "src/a.rs": "pub enum Error {}\n",
        "src/b.rs": "",
    }
    assert [text for _, text in unresolved(files, "Error")] == told


def test_a_name_in_a_macro_body_does_not_mean_what_comes_to_stand_beside_the_macro() -> None:
    """httparse: `Status::Partial` in a body is looked up where the macro is called, not where it stands."""
    files = {
        "src/lib.rs": "#[macro_use]\nmod b;\nmod a;\n",
        "src/a.rs": "pub enum Status { Partial }\n\npub fn f() -> Status { part!() }\n",
        "src/b.rs": "macro_rules! part { () => { Status::Partial }; }\n",
    }
    after = moved(files, "Status", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].endswith("pub enum Status { Partial }\n")
    assert after["src/a.rs"] == "use crate::b::Status;\n\npub fn f() -> Status { part!() }\n"


def test_a_name_that_a_macro_of_the_module_makes_is_told() -> None:
    files = {
        "src/lib.rs": "macro_rules! mk { ($n:ident) => { pub fn $n() -> u32 { 1 } }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "mk!(made);\npub fn go() -> u32 { made() + local() }\nfn local() -> u32 { 1 }\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == [("src/a.rs", "made")]


def test_a_name_that_a_macro_of_the_destination_may_make_refuses() -> None:
    files = {
        "src/lib.rs": "macro_rules! mk { ($n:ident) => { pub fn $n() -> u32 { 1 } }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\n",
        "src/b.rs": "mk!(go);\n",
    }
    assert refusal(files, "go", "src/a.rs", "src/b.rs") == "shadows_glob_import"


@pytest.mark.parametrize("written", ["crate::a::go()", "::case::a::go()", "#head::a::go(#tail)"])
def test_a_path_in_the_template_of_a_procedural_macro_is_told(written: str) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\nmembers = ["m"]\n',
        "m/Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n[lib]\nproc-macro = true\n',
        "m/src/lib.rs": f"#[proc_macro]\npub fn x(_: TokenStream) -> TokenStream {{ quote! {{ {written} }} }}\n",
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\n",
        "src/b.rs": "",
    }
    assert [file for file, _ in unresolved(files)] == ["m/src/lib.rs"]


def test_a_lone_call_in_a_macro_is_told_where_nobody_uses_the_macro() -> None:
    files = {
        "src/lib.rs": "macro_rules! m { () => { go() + local }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == [("src/lib.rs", "go")]


def test_a_lone_call_in_a_macro_means_what_its_user_sees() -> None:
    files = {
        "src/lib.rs": "macro_rules! m { () => { go() }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn go() -> u32 { 1 }\npub fn user() -> u32 { m!() }\n",
        "src/b.rs": "",
    }
    assert unresolved(files) == []
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == "use crate::b::go;\n\npub fn user() -> u32 { m!() }\n"


@pytest.mark.parametrize(
    "body, home, told",
    [
        ("near()", "", []),
        ("near()", "use crate::a::near;\npub fn stay() { near(); }\n", []),
        ("self::near()", "", ["self::near"]),
        ("super::a::near()", "", []),
        ("super::a::hidden()", "", ["super::a::hidden"]),
        ("self::stay()", "pub fn stay() {}\n", ["self::stay"]),
        ("$crate::a::near()", "", []),
        ("unknown()", "", []),
        ("{ fn near() {} near() }", "", []),
    ],
)
def test_a_macro_that_means_what_is_around_its_use_is_told(body: str, home: str, told: list[str]) -> None:
    files = {
        "src/lib.rs": f"macro_rules! m {{ () => {{ {body} }}; }}\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn near() {}\nfn hidden() {}\npub fn go() { m!() }\n",
        "src/b.rs": home,
    }
    assert [text for _, text in unresolved(files)] == told


def test_what_a_macro_takes_from_its_caller_is_imported_at_home() -> None:
    files = {
        "src/lib.rs": "macro_rules! m { () => { near(); ptr::null::<u8>() }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "use core::ptr;\npub fn near() {}\npub fn go() { m!(); }\npub fn stay() { m!(); }\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "use crate::a::near;\nuse core::ptr;\n\npub fn go() { m!(); }\n"
    assert "use core::ptr;" in after["src/a.rs"], "the call that stays takes it from there"


def test_what_a_macro_declares_itself_is_not_imported() -> None:
    files = {
        "src/lib.rs": "macro_rules! m { () => {{ fn near() {} near() }}; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn near() {}\npub fn go() { m!() }\n",
        "src/b.rs": "",
    }
    assert moved(files, "go", "src/a.rs", "src/b.rs")["src/b.rs"] == "pub fn go() { m!() }\n"


def test_a_macro_for_other_crates_keeps_the_path_that_they_can_see() -> None:
    files = {
        "src/lib.rs": "pub mod a;\nmod b;\n",
        "src/a.rs": "#[macro_export]\nmacro_rules! m { () => { $crate::a::go() }; }\npub fn go() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")["src/a.rs"]
    assert "$crate::a::go()" in after
    assert "pub use crate::b::go;" in after


def includes(files: dict[str, str]) -> list[tuple[str, bool]]:
    return sorted((path, docs) for path, _, docs in included_code(workspace_of(encoded(files))))


def test_included_files_are_found_where_the_compiler_finds_them() -> None:
    files = {
        "src/lib.rs": """
            #![doc = include_str!("../README.md")]
            #[cfg_attr(doctest, doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/use.md")))]
            pub struct Docs;
            pub mod a;
            include!("parts/one.in");
            include!("../../outside.in");
            include!("known.rs");
            include!(concat!(env!("OUT_DIR"), "/made.rs"));
            pub const DATA: &str = include_str!("data.txt");
            """,
        "src/a.rs": "",
        "src/known.rs": "",
    }
    assert includes(files) == [("README.md", True), ("docs/use.md", True), ("src/parts/one.in", False)]


def test_only_the_doc_tests_of_a_text_are_code_and_keep_their_lines() -> None:
    text = b"go\n```\nuse case::a::go;\n```\n```text\ngo\n```\n"
    kept = doctests_only(text)
    assert kept.split(b"\n")[2] == b"use case::a::go;"
    assert kept.count(b"go") == 1 and len(kept) == len(text)


def test_a_method_that_moves_does_not_make_the_fn_of_its_name() -> None:
    """toml_edit: `fn visit(&self) { visit() }` in a trait, where a macro call of the module makes the free fn."""
    files = {
        "src/lib.rs": "macro_rules! mk { ($n:ident) => { pub fn $n() -> u32 { 1 } }; }\npub mod a;\npub mod b;\n",
        "src/a.rs": "mk!(visit);\n\npub trait Visit { fn visit(&self) -> u32 { visit() } }\n",
        "src/b.rs": "",
    }
    assert unresolved(files, "Visit") == [("src/a.rs", "visit")]


@pytest.mark.parametrize("path", ["old::keel::$what", "use old::keel as k; k::$what"])
def test_a_module_that_a_body_names_by_an_import_of_its_own_is_a_doubt(path: str) -> None:
    """memchr: `use crate::arch::{sse2, avx2}; sse2::memchr::$finder` in a body, where `sse2` is nothing around it."""
    files = {
        "src/lib.rs": (
            "pub mod a;\npub mod new;\n\nmacro_rules! call {\n    ($what:ident) => {{\n        use crate::a::old;\n"
            f"        {path}()\n    }}}};\n}}\n\npub fn go() -> u8 {{\n    call!(depth)\n}}\n"
        ),
        "src/a.rs": "pub mod old;\n",
        "src/a/old.rs": "pub mod keel;\npub mod other {}\n",
        "src/a/old/keel.rs": "pub fn depth() -> u8 {\n    1\n}\n",
        "src/new.rs": "//! New.\n",
    }
    told = plan(files, "keel", "src/a/old.rs", "src/new.rs").receipt["refs_unresolved"]
    assert [row["line"] for row in told] == [7]
