"""Paths in attributes, attribute strings, doc comments and doc tests."""

from tests.support.rust import package, told, workspace

from m1nd.domain.rust.cargo import Dependency


def test_derives_and_attribute_macros() -> None:
    files = {
        "src/lib.rs": 'use serde::Serialize; #[derive(Debug, Serialize, serde::Deserialize)] #[serde(default = "a::f", with = "a", skip_serializing_if = "Option::is_none")] #[cfg_attr(test, derive(Clone))] #[inline] struct S<T> { #[serde(bound = "T: a::Tr")] x: T }\nmod a { pub fn f() {} pub trait Tr {} }'
    }
    found = workspace(
        files, packages=[package(list(files), dependencies=[Dependency("serde", "serde", "normal", None)])]
    )
    assert told(found, "src/lib.rs") == [
        "serde::Serialize = serde::Serialize",
        "Debug = std::fmt::Debug",
        "Serialize = serde::Serialize",
        "serde::Deserialize = serde::Deserialize",
        "serde = ? derive helper or unknown attribute",
        "a = mod a",
        "Option::is_none = std::option::Option::is_none",
        "Clone = std::clone::Clone",
        "serde = ? derive helper or unknown attribute",
        "T = local T",
        "a::Tr = trait a::Tr",
        "T = local T",
    ]


def test_words_in_attributes_count_where_they_resolve() -> None:
    files = {"src/lib.rs": "#[other::case(make, unknown, 1)] fn t() {} fn make() {}"}
    found = workspace(
        files, packages=[package(list(files), dependencies=[Dependency("other", "other", "normal", None)])]
    )
    assert told(found, "src/lib.rs") == ["other::case = other::case", "make = fn make (maybe: macro tokens)"]


def test_links_in_doc_comments() -> None:
    found = workspace(
        {
            "src/lib.rs": "//! Uses [`a::f`] and [a] and [x].\n\n/// [`f`](a::f), [text][a::S], [`S::new`], [fn@a::f], [`a::f()`], [m!], [`a::S::x`]\n/// `[a::f]` [a::f](https://example.org/a) [`gone`]\n///\n/// [named]: a::f\n/// [named] again\npub fn t() {}\nmacro_rules! m { () => {} }\nmod a { pub fn f() {} pub struct S { pub x: u8 } impl S { /** [`Self::new`] */ pub fn new() {} } }\nuse a::S;\n"
        }
    )
    assert told(found, "src/lib.rs") == [
        "a::f = fn a::f",
        "a = mod a",
        "a::f = fn a::f",
        "a::S = struct a::S",
        "S::new = fn a::S::new",
        "a::f = fn a::f",
        "a::f = fn a::f",
        "a::S::x = field a::S::x",
        "gone = ? not found",
        "a::f = fn a::f",
        "S = struct a::S",
        "Self::new = fn a::S::new",
        "a::S = struct a::S",
    ]


def test_doc_tests_use_the_public_path() -> None:
    found = workspace(
        {
            "src/lib.rs": "pub mod a {\n    /// Adds.\n    ///\n    /// ```\n    /// use demo::a::f;\n    /// # let hidden = 1;\n    /// assert_eq!(f(hidden), 1);\n    /// ```\n    ///\n    /// ```text\n    /// demo::a::f\n    /// ```\n    pub fn f(x: u8) {}\n}\n"
        }
    )
    assert told(found, "src/lib.rs") == [
        "demo::a::f = demo/fn a::f",
        "assert_eq = std::assert_eq",
        "f = demo/fn a::f",
        "hidden = local hidden",
    ]


def test_strings_and_comments_are_text() -> None:
    found = workspace(
        {
            "src/lib.rs": 'mod a { pub fn f() {} } // a::f\n/* a::f */ const S: &str = "a::f"; fn t() { let _ = "a::f()"; }'
        }
    )
    assert told(found, "src/lib.rs") == []


def test_restricted_visibility_names_a_module() -> None:
    found = workspace(
        {
            "src/lib.rs": "mod a { pub mod b { pub(in crate::a) fn f() {} pub(super) fn g() {} pub(crate) fn h() {} } }"
        }
    )
    assert told(found, "src/lib.rs") == ["crate::a = mod a"]
