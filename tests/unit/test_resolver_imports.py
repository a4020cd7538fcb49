"""Imports, globs, re-exports and editions: what each path of a file denotes."""

from tests.support.rust import package, told, workspace

from m1nd.domain.rust.cargo import Dependency


def test_groups_self_renames_and_reexports() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a; mod b; use a::{self, f as g, inner::{self as i, h}}; use b::*;\nfn t() { a::f(); g(); i::h(); h(); k(); E::X; Y; }",
            "src/a.rs": "pub fn f() {} pub mod inner { pub fn h() {} }",
            "src/b.rs": "pub use super::a::f as k; pub enum E { X, Y } pub use E::Y; fn hidden() {}",
        }
    )
    assert told(found, "src/lib.rs") == [
        "self = mod a",
        "f = fn a::f",
        "self = mod a::inner",
        "h = fn a::inner::h",
        "b::* = mod b",
        "a::f = fn a::f",
        "g = fn a::f",
        "i::h = fn a::inner::h",
        "h = fn a::inner::h",
        "k = fn a::f",
        "E::X = variant b::E::X",
        "Y = variant b::E::Y",
    ]
    assert told(found, "src/a.rs") == []
    assert told(found, "src/b.rs") == ["super::a::f = fn a::f", "E::Y = variant b::E::Y"]


def test_an_explicit_name_beats_a_glob_and_two_globs_are_ambiguous() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn f() {} pub fn g() {} } mod b { pub fn f() {} }\nuse a::*; use b::*; fn g() {} fn t() { f(); g(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "a::* = mod a",
        "b::* = mod b",
        "f = fn a::f + fn b::f (maybe: ambiguous)",
        "g = fn g",
    ]


def test_two_globs_of_one_definition_are_not_ambiguous() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn f() {} } mod b { pub use crate::a::f; }\nuse a::*; use b::*; fn t() { f(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "crate::a::f = fn a::f",
        "a::* = mod a",
        "b::* = mod b",
        "f = fn a::f",
    ]


def test_globs_in_a_circle_end() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub use super::b::*; pub fn x() {} } mod b { pub use super::a::*; pub fn y() {} }\nfn t() { a::y(); b::x(); a::z(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "super::b::* = mod b",
        "super::a::* = mod a",
        "a::y = fn b::y",
        "b::x = fn a::x",
        "a::z = ? not found",
    ]


def test_an_alias_of_itself_denotes_nothing_more() -> None:
    found = workspace(
        {
            "src/lib.rs": "type A = A; type B = C; type C = B; impl B { fn f() {} } fn t() { A::x; B::y; B::f(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "A = type A",
        "C = type C",
        "B = type B",
        "B = type B",
        "A::x = ? associated",
        "B::y = ? associated",
        "B::f = ? associated",
    ]


def test_imports_in_a_circle_denote_nothing() -> None:
    found = workspace(
        {"src/lib.rs": "mod a { pub use crate::b::x; } mod b { pub use crate::a::x; }\nfn t() { a::x(); }"}
    )
    assert told(found, "src/lib.rs") == [
        "crate::b::x = ? not found",
        "crate::a::x = ? not found",
        "a::x = ? not found",
    ]


def test_a_child_sees_private_imports_of_its_parents_through_super() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct S;\nmod a { use super::S; pub fn f(_: S) {} mod c { use super::*; fn t(s: S) { f(s) } } }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "super::S = struct S",
        "S = struct S",
        "super::* = mod a",
        "S = struct S",
        "f = fn a::f",
        "s = local s",
    ]


def test_a_glob_takes_only_what_its_module_may_see() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { fn private() {} pub(crate) fn shared() {} }\nuse a::*; fn t() { private(); shared(); a::private(); }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "a::* = mod a",
        "private = ? not found",
        "shared = fn a::shared",
        "a::private = fn a::private (maybe: not visible)",
    ]


def test_one_import_binds_several_namespaces() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn x() {} pub mod x { pub fn y() {} } }\nuse a::x; fn t() { x(); x::y(); }"
        }
    )
    assert told(found, "src/lib.rs") == ["a::x = mod a::x + fn a::x", "x = fn a::x", "x::y = fn a::x::y"]


def test_std_paths_stay_apart() -> None:
    found = workspace(
        {
            "src/lib.rs": "use std::fmt::Result; use std::io; type A = Result; type B = io::Result<u8>; type C = std::result::Result<u8, u8>; type D = Option<Vec<u8>>;"
        }
    )
    assert told(found, "src/lib.rs") == [
        "std::fmt::Result = std::fmt::Result",
        "std::io = std::io",
        "Result = std::fmt::Result",
        "io::Result = std::io::Result",
        "std::result::Result = std::result::Result",
        "Option = std::option::Option",
        "Vec = std::vec::Vec",
    ]


def test_an_own_name_shadows_the_prelude() -> None:
    found = workspace(
        {
            "src/lib.rs": "struct Option; mod a { fn t(x: Option<u8>) {} } fn t(x: Option) { drop(x) } fn drop(x: Option) {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "Option = std::option::Option",
        "Option = struct Option",
        "drop = fn drop",
        "x = local x",
        "Option = struct Option",
    ]


def test_edition_2015_paths_of_use_start_at_the_root() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn f() {} } mod b { use a::f; mod c {} fn t() { f(); ::a::f(); a::f(); self::c::g(); super::a::f(); } }"
        },
        edition=2015,
    )
    assert told(found, "src/lib.rs") == [
        "a::f = fn a::f",
        "f = fn a::f",
        "::a::f = fn a::f",
        "a::f = ? not found",
        "self::c::g = ? not found",
        "super::a::f = fn a::f",
    ]


def test_edition_2018_paths_of_use_are_relative_or_crates() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub fn f() {} } mod b { use a::f; use super::a::f as g; use ::std::fmt; fn t() { ::a::f(); } }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "a::f = ? not found",
        "super::a::f = fn a::f",
        "::std::fmt = std::fmt",
        "::a::f = ? unknown crate",
    ]


def test_extern_crate_names_and_renames() -> None:
    found = workspace(
        {
            "src/lib.rs": "extern crate alloc; extern crate core as mine; extern crate self as me; mod a { fn t() { alloc::vec::Vec::new(); crate::mine::mem::swap(); me::f(); } } fn f() {}"
        }
    )
    assert told(found, "src/lib.rs") == [
        "alloc = alloc",
        "core = core",
        "self = crate",
        "alloc::vec::Vec::new = alloc::vec::Vec::new",
        "crate::mine::mem::swap = core::mem::swap",
        "me::f = fn f",
    ]


def test_a_path_that_is_not_visible_says_so() -> None:
    found = workspace({"src/lib.rs": "mod a { mod inner { pub fn f() {} } } fn t() { a::inner::f(); }"})
    assert told(found, "src/lib.rs") == ["a::inner::f = fn a::inner::f (maybe: not visible)"]


def test_cfg_twins_give_every_definition() -> None:
    found = workspace({"src/lib.rs": "#[cfg(unix)] fn f() {} #[cfg(not(unix))] fn f() {} fn t() { f(); }"})
    assert told(found, "src/lib.rs") == ["f = fn f + fn f#1 (maybe: cfg twins)"]


def test_a_macro_named_like_its_crate_hides_no_crate() -> None:
    files = {"src/lib.rs": "use anyhow::anyhow; fn t() { anyhow::Error::msg(1); anyhow!(1); }"}
    found = workspace(
        files, packages=[package(list(files), dependencies=[Dependency("anyhow", "anyhow", "normal", None)])]
    )
    assert told(found, "src/lib.rs") == [
        "anyhow::anyhow = anyhow::anyhow",
        "anyhow::Error::msg = anyhow::Error::msg",
        "anyhow = anyhow::anyhow",
    ]


def test_unseen_globs_may_hold_a_name() -> None:
    files = {"src/lib.rs": "use other::*; fn f() {} fn t() { f(); unknown(); drop(1); }"}
    found = workspace(
        files, packages=[package(list(files), dependencies=[Dependency("other", "other", "normal", None)])]
    )
    assert told(found, "src/lib.rs") == [
        "other::* = other (maybe: external glob)",
        "f = fn f",
        "unknown = other::unknown (maybe: external glob)",
        "drop = std::mem::drop (maybe: external glob)",
    ]


def test_raw_and_composed_spellings_are_one_name() -> None:
    found = workspace(
        {"src/lib.rs": "mod r#mod { pub fn r#area() {} } fn café() {} fn t() { r#mod::area(); café(); }"}
    )
    assert told(found, "src/lib.rs") == ["r#mod::area = fn mod::area", "café = fn café"]


def test_paths_with_comments_and_line_breaks() -> None:
    found = workspace({"src/lib.rs": "mod a { pub fn f() {} } fn t() { a /* x */ ::\n f(); }"})
    assert told(found, "src/lib.rs") == ["a /* x */ ::\n f = fn a::f"]


def test_enum_variants_by_glob_and_by_name() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub enum E { P, Q(u8), R { x: u8 } } } use a::E::{self, *};\nfn t(e: E) { match e { P => {} Q(n) => { n; } R { x } => { x; } } E::P; }"
        }
    )
    assert told(found, "src/lib.rs") == [
        "self = enum a::E",
        "* = enum a::E",
        "E = enum a::E",
        "e = local e",
        "P = variant a::E::P",
        "Q = variant a::E::Q",
        "n = local n",
        "R = variant a::E::R",
        "x = field a::E::R::x",
        "x = local x",
        "E::P = variant a::E::P",
    ]


def test_a_private_enum_glob_reaches_children() -> None:
    found = workspace({"src/lib.rs": "enum E { A } use E::*; mod m { fn t() { super::A; } }"})
    assert told(found, "src/lib.rs") == ["E::* = enum E", "super::A = variant E::A"]
