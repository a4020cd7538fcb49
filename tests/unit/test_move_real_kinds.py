"""Kinds of moves that real crates asked for (`make corpus`), each in its smallest form."""

from tests.support.moves import moved, refusal

from m1nd.domain.rust.walk import file_facts
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

ROOT = "pub mod a;\npub mod b;\n"


def test_edition_2015_reads_imports_from_the_root() -> None:
    """rustc-serialize, pulldown-cmark: `use {f, g};` and `use m::*;` start at the crate root."""
    files = {
        "src/lib.rs": "mod a;\nmod b;\nfn f() {}\nfn g() {}\n",
        "src/a.rs": "use {f, g};\npub fn user() { f(); g(); }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/lib.rs", "src/b.rs", edition=2015)
    assert after["src/a.rs"] == "use {g};\nuse crate::b::f;\npub fn user() { f(); g(); }\n"


def test_edition_2015_glob_users_get_company() -> None:
    files = {
        "src/lib.rs": "mod a;\nmod b;\nmod c;\n",
        "src/a.rs": "pub fn f() {}\npub fn g() {}\n",
        "src/b.rs": "",
        "src/c.rs": "use a::*;\npub fn user() { f(); g(); }\n",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs", edition=2015)
    assert after["src/c.rs"] == "use a::*;\nuse crate::b::f;\npub fn user() { f(); g(); }\n"


def test_edition_2015_absolute_calls_of_a_root_item_are_rewritten() -> None:
    """rustc-demangle: `::f()` in a test."""
    files = {
        "src/lib.rs": "mod a;\nmod b;\nfn f() {}\n",
        "src/a.rs": "pub fn user() { ::f(); }\n",
        "src/b.rs": "",
    }
    assert moved(files, "f", "src/lib.rs", "src/b.rs", edition=2015)["src/a.rs"] == (
        "pub fn user() { crate::b::f(); }\n"
    )


def test_an_associated_function_of_a_trait_on_a_primitive_needs_the_trait() -> None:
    """ttf-parser: `u8::try_num_from(n)`."""
    files = {
        "src/lib.rs": ROOT + "pub mod t;\n",
        "src/t.rs": "pub trait Num: Sized { fn num(n: u16) -> Self; }\nimpl Num for u8 { fn num(n: u16) -> u8 { n as u8 } }\n",
        "src/a.rs": "use crate::t::Num;\n\npub fn f() -> u8 { u8::num(1) }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert "use crate::t::Num;\n" in after["src/b.rs"]
    assert after["src/a.rs"] == ""


def test_a_trait_that_comes_with_the_glob_of_a_spelled_type_comes_along() -> None:
    """nom: `use crate::t::*;` brings the type in the signature and the trait of the call."""
    files = {
        "src/lib.rs": ROOT + "pub mod t;\n",
        "src/t.rs": "pub struct S;\npub trait T { fn go(&self) -> u32; }\nimpl<X> T for X { fn go(&self) -> u32 { 1 } }\n",
        "src/a.rs": "use crate::t::*;\n\npub fn f(s: S, v: &[S]) -> u32 { v.iter().count() as u32 + s.go() }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert "use crate::t::S;\n" in after["src/b.rs"]
    assert "use crate::t::T;\n" in after["src/b.rs"]


def test_no_path_leads_through_a_re_export_that_is_not_always_there() -> None:
    """httparse: `#[cfg(…)] pub use self::swar::*;`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod simd;\n",
        "src/simd/mod.rs": 'mod swar;\n\n#[cfg(feature = "never")]\npub use self::swar::*;\n',
        "src/simd/swar.rs": "pub fn resident() {}\n",
        "src/a.rs": "pub(crate) fn f() {}\npub fn user() { f(); }\n",
    }
    after = moved(files, "f", "src/a.rs", "src/simd/swar.rs")
    assert after["src/a.rs"] == "use crate::simd::swar::f;\n\npub fn user() { f(); }\n"
    assert after["src/simd/mod.rs"].startswith("pub(super) mod swar;\n")


def test_core_and_std_are_one_library() -> None:
    """bytecount: the source imports from core, the destination from std."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "use core::mem;\n\npub fn f() -> usize { mem::size_of::<u8>() }\n",
        "src/b.rs": "use std::mem;\n\npub fn stay() -> usize { mem::align_of::<u8>() }\n",
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == ""


def test_text_that_the_parser_does_not_know_may_move() -> None:
    """rustc-serialize: the same syntax error before and after is no new one."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "pub fn f() -> u8 { u8::from::<u8>(1) }\n",
        "src/b.rs": "pub fn stay() {}\n",
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") != "result_does_not_parse"


def test_a_public_glob_shows_a_crate_internal_newcomer_only_to_the_crate() -> None:
    """lz4_flex: a `pub use` of a `pub(crate)` item is E0364."""
    files = {
        "src/lib.rs": "mod a;\nmod b;\npub use a::*;\n",
        "src/a.rs": "pub(crate) fn f() {}\npub fn g() {}\n",
        "src/b.rs": "pub fn user() { crate::f(); }\n",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert "pub use crate::b::f" not in after["src/lib.rs"]


def test_the_structs_of_bitflags_are_items() -> None:
    """png, rustybuzz: the type is declared in the macro's braces."""
    text = (
        b"bitflags::bitflags! {\n    /// Doc.\n    pub struct Flags: u32 {\n        const A = 1;\n    }\n}\n"
    )
    found = [(i.kind.value, i.name, i.visibility) for i in file_facts(text, TreeSitterParser()).items]
    assert ("struct", "Flags", "pub") in found


def test_a_private_method_is_found_by_its_type_in_another_module() -> None:
    """rustybuzz: the impl block stands beside the function, the type elsewhere, the receiver's type is not plain."""
    files = {
        "src/lib.rs": ROOT + "pub mod t;\n",
        "src/t.rs": "pub struct Glyph;\npub struct Buffer { pub info: Vec<Glyph> }\n",
        "src/a.rs": "use crate::t::{Buffer, Glyph};\n\nimpl Glyph {\n    fn halant(&self) -> bool { true }\n}\n\n"
        "pub fn f(b: &Buffer) -> bool { b.info[0].halant() }\n",
        "src/b.rs": "",
    }
    assert "pub(super) fn halant" in moved(files, "f", "src/a.rs", "src/b.rs")["src/a.rs"]


def test_a_module_under_a_condition_is_imported_under_it() -> None:
    """bytecount: `simd` exists only with a feature, and is used in a block of that feature."""
    files = {
        "src/lib.rs": 'pub mod b;\n#[cfg(feature = "x")]\nmod simd;\n\n'
        'pub fn f() {\n    #[cfg(feature = "x")]\n    simd::go();\n}\n',
        "src/simd.rs": "pub fn go() {}\n",
        "src/b.rs": "",
    }
    assert (
        '#[cfg(feature = "x")]\nuse crate::simd;\n' in moved(files, "f", "src/lib.rs", "src/b.rs")["src/b.rs"]
    )


def test_an_outside_crate_is_not_taken_for_a_module_of_that_name() -> None:
    """miniz_oxide: `use core::cmp;` moves beside a `mod core`."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "use core::cmp;\n\npub fn f() -> u8 { cmp::min(1, 2) }\n",
        "src/b/mod.rs": "mod core;\n",
        "src/b/core.rs": "use core::cmp;\n\npub fn stay() -> u8 { cmp::max(1, 2) }\n",
    }
    assert "use ::core::cmp;\n" in moved(files, "f", "src/a.rs", "src/b/mod.rs")["src/b/mod.rs"]


def test_what_exists_only_under_a_condition_is_imported_back_under_it() -> None:
    """libm: the tests of a gated function use it through `super::*`."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": '#[cfg(feature = "x")]\npub fn f() {}\n\npub fn user() {\n    #[cfg(feature = "x")]\n    f();\n}\n',
        "src/b.rs": "",
    }
    assert moved(files, "f", "src/a.rs", "src/b.rs")["src/a.rs"].startswith(
        '#[cfg(feature = "x")]\nuse crate::b::f;\n'
    )


def test_the_code_of_doc_tests_needs_no_traits_at_home() -> None:
    """tempfile: `writeln!` in the documentation of a moved function."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "use std::io::Write;\n\n/// ```\n/// writeln!(std::io::stdout()).unwrap();\n/// ```\npub fn f() {}\n\n"
        "pub fn stay() { std::io::stdout().flush().ok(); }\n",
        "src/b.rs": "",
    }
    assert "use std::io::Write;\n" not in moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"].replace(
        "/// ", ""
    )


def test_methods_and_constants_of_macro_bodies_come_along() -> None:
    """unsafe-libyaml: the trait and the constant are needed where the macro is called."""
    files = {
        "src/lib.rs": "macro_rules! m { ($v:expr) => { $v.twice() + LIMIT }; }\npub mod a;\npub mod b;\npub mod t;\n",
        "src/t.rs": "pub trait Twice { fn twice(self) -> u32; }\nimpl Twice for u32 { fn twice(self) -> u32 { self * 2 } }\n"
        "pub const LIMIT: u32 = 1;\n",
        "src/a.rs": "use crate::t::{Twice, LIMIT};\n\npub fn f() -> u32 { m!(1u32) }\n\npub fn stay() -> u32 { m!(2u32) }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert "use crate::t::LIMIT;\n" in after["src/b.rs"]
    assert "use crate::t::Twice;\n" in after["src/b.rs"]
    assert after["src/a.rs"].startswith("use crate::t::{Twice, LIMIT};\n")


def test_the_fields_of_a_variant_are_seen_through_the_enum() -> None:
    """serde_derive: a modifier at a variant's field is E0449."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "enum E {\n    V { x: u8 },\n}\n\npub(crate) fn f() -> u8 {\n    let E::V { x } = E::V { x: 1 };\n    x\n}\n\n"
        "pub fn stay() -> u8 {\n    let E::V { x } = (E::V { x: 2 });\n    x\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")["src/a.rs"]
    assert after.startswith("pub(super) enum E {\n    V { x: u8 },\n}\n")


def test_what_a_hidden_module_left_undocumented_stays_hidden() -> None:
    """sqlparser: `#[doc(hidden)] pub mod test_utils;` under `#![forbid(missing_docs)]`."""
    files = {
        "src/lib.rs": "//! C.\n#![forbid(missing_docs)]\n#[doc(hidden)]\npub mod a;\nmod b;\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "",
    }
    assert moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"] == "#[doc(hidden)]\npub fn f() {}\n"


def test_what_home_imports_under_a_condition_only_is_written_out() -> None:
    """similar: `#[cfg(…)] pub use deadline::Instant;` at the destination."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod t;\n",
        "src/t.rs": "pub struct S;\n",
        "src/a.rs": "use crate::t::S;\n\npub fn f(_: S) {}\n",
        "src/b.rs": '#[cfg(feature = "x")]\npub use crate::t::S;\n\npub fn stay() {}\n',
    }
    assert "pub fn f(_: crate::t::S) {}\n" in moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"]


def test_what_a_raised_type_binds_in_its_impls_rises_with_it() -> None:
    """sd: `impl Iterator for Iter { type Item = Capture; }` with a private `Capture` is E0446."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "struct Capture;\nstruct Iter;\n\nimpl Iterator for Iter {\n    type Item = Capture;\n"
        "    fn next(&mut self) -> Option<Capture> {\n        None\n    }\n}\n\npub fn f() -> usize {\n    Iter.count()\n}\n\n"
        "pub fn stay() -> usize {\n    Iter.count()\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")["src/a.rs"]
    assert "pub(super) struct Iter;\n" in after
    assert "pub(super) struct Capture;\n" in after


def test_a_file_that_a_build_script_includes_is_mounted_twice() -> None:
    """du-dust: `include!("src/cli.rs")` in build.rs."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "",
        "build.rs": 'include!("src/b.rs");\nfn main() {}\n',
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "multiple_mounts"


def test_types_in_the_signature_stay_where_others_hold_their_values() -> None:
    """ttf-parser: nobody else names the private type, but the callers of the function use its fields."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": "struct Info {\n    x: u8,\n}\n\nfn f() -> Info {\n    Info { x: 1 }\n}\n\npub fn user() -> u8 {\n    f().x\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].startswith("use crate::a::Info;\n")
    assert "pub(super) struct Info {\n    pub(super) x: u8,\n}\n" in after["src/a.rs"]


def test_a_trait_that_a_macro_declares_comes_along_and_stays() -> None:
    """petgraph: `trait_template! { pub trait NodeCount { fn node_count(…); } }`."""
    files = {
        "src/lib.rs": ROOT + "pub mod visit;\n",
        "src/visit.rs": "macro_rules! made { ($($t:tt)*) => { $($t)* }; }\nmade! {\n    pub trait Count: Sized {\n        @section self\n"
        "        fn count_all(self: &Self) -> u8;\n    }\n}\n",
        "src/a.rs": "use crate::visit::Count;\n\npub fn f(v: &[u8]) -> u8 {\n    v.first().count_all()\n}\n\npub fn stay<C: Count>(_: C) {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].startswith("use crate::visit::Count;\n")
    assert after["src/a.rs"].startswith("use crate::visit::Count;\n")


def test_what_only_tests_use_of_a_group_gets_a_declaration_of_its_own() -> None:
    """textwrap: `use crate::{LineEnding, Options};`, and only the unit tests still need the one."""
    files = {
        "src/lib.rs": ROOT + "pub mod t;\n",
        "src/t.rs": "pub struct S;\npub struct T;\n",
        "src/a.rs": "use crate::t::{S, T};\n\npub fn f(_: S) {}\n\npub fn stay(_: T) {}\n\n#[cfg(test)]\nmod tests {\n"
        "    use super::*;\n\n    #[test]\n    fn t() {\n        let _ = S;\n    }\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"].startswith("use crate::t::T;\n#[cfg(test)]\nuse crate::t::S;\n\npub fn stay")
