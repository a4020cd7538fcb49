"""References in doc tests, as real crates write them."""

from tests.support.moves import moved


def test_a_nested_leaf_of_a_group_gets_a_line_of_its_own() -> None:
    """nom: `use nom::{IResult, combinator::opt, bytes::complete::tag};` in a doc test."""
    files = {
        "src/lib.rs": "//! ```\n//! use case::{b, a::f, b::g};\n//! f();\n//! ```\n\npub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "pub fn g() {}\n",
        "src/c.rs": "pub mod d;\n",
        "src/c/d.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/c/d.rs")
    assert after["src/lib.rs"] == (
        "//! ```\n//! use case::{b, b::g};\n//! use case::c::d::f;\n//! f();\n//! ```\n\npub mod a;\npub mod b;\npub mod c;\n"
    )


def test_an_extern_crate_line_names_the_crate() -> None:
    """rustc-serialize: edition 2015, `extern crate rustc_serialize; use rustc_serialize::json;`, `json::encode(…)`."""
    text = "//! ```\n//! extern crate case;\n//! use case::a;\n//!\n//! fn main() {\n//!     {call}();\n//! }\n//! ```\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": text.replace("{call}", "a::f") + "\npub fn f() {}\n\npub fn g() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs", edition=2015)
    assert after["src/a.rs"] == text.replace("{call}", "case::b::f") + "\npub fn g() {}\n"


def test_a_doc_test_keeps_no_private_import() -> None:
    """jiff: a glob in a doc test reaches over the module that loses its last use of an import; it is another crate."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod t;\n",
        "src/t.rs": "pub struct S;\n",
        "src/a.rs": "use crate::t::S;\n\npub fn f(_: S) {}\n\n/// ```\n/// let _ = { use demo::a::*; S };\n/// ```\npub fn stay() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"].startswith("/// ```\n")


def test_a_glob_of_the_source_gets_an_import_beside_it() -> None:
    """`use case::a::*;` in a doc test brings the item no more."""
    files = {
        "src/lib.rs": "//! ```\n//! # fn main() {\n//! use case::a::*;\n//! f();\n//! f();\n//! # }\n//! ```\n\npub mod a;\npub mod b;\n",
        "src/a.rs": "pub fn f() {}\n\npub fn g() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/lib.rs"] == (
        "//! ```\n//! # fn main() {\n//! use case::a::*;\n//! use case::b::f;\n//! f();\n//! f();\n//! # }\n//! ```\n\npub mod a;\npub mod b;\n"
    )


def test_a_glob_of_a_module_that_re_exports_goes_on_to_serve() -> None:
    """`use case::prelude::*;`: the re-export there is led to the new home."""
    files = {
        "src/lib.rs": "//! ```\n//! use case::prelude::*;\n//! f();\n//! ```\n\npub mod a;\npub mod b;\npub mod prelude;\n",
        "src/prelude.rs": "pub use crate::a::f;\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/lib.rs"] == files["src/lib.rs"]
    assert after["src/prelude.rs"] == "pub use crate::b::f;\n"
