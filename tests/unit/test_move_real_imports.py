"""Imports that must stay, or stay alone, as real crates have them."""

import pytest
from tests.support.moves import moved, refusal


def test_edition_2015_an_import_by_way_of_the_root_serves_on() -> None:
    """Inflector: `use ::f;` in a test module, where the root imports `f`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n#[allow(unused_imports)]\nuse a::f;\n",
        "src/a.rs": "pub fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use ::f;\n\n    #[test]\n    fn t() { f() }\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs", edition=2015)
    assert (
        after["src/a.rs"] == "#[cfg(test)]\nmod tests {\n    use ::f;\n\n    #[test]\n    fn t() { f() }\n}\n"
    )
    assert after["src/lib.rs"] == "pub mod a;\npub mod b;\n#[allow(unused_imports)]\nuse b::f;\n"


def test_an_import_of_a_trait_that_a_macro_makes_stays_for_the_calls_that_stay() -> None:
    """petgraph: the moved text names the trait in a bound, the rest calls its method."""
    files = {
        "src/lib.rs": "#[macro_use]\nmod m;\npub mod v;\npub mod a;\npub mod b;\n",
        "src/m.rs": "macro_rules! make { ($($t:tt)*) => { $($t)* }; }\n",
        "src/v.rs": "make! { pub trait Count { fn count(&self) -> u8; } }\nimpl Count for u8 { fn count(&self) -> u8 { *self } }\n",
        "src/a.rs": "use crate::v::Count;\n\npub fn f<T: Count>(_: T) {}\n\npub fn g(t: u8) -> u8 { t.count() }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == "use crate::v::Count;\n\npub fn g(t: u8) -> u8 { t.count() }\n"
    assert after["src/b.rs"] == "use crate::v::Count;\n\npub fn f<T: Count>(_: T) {}\n"


def test_a_re_export_that_the_new_home_does_not_see_is_gone_around() -> None:
    """ruzstd: `use crate::e::blocks::f;`, where `blocks` shows its private module's items to `e` alone."""
    files = {
        "src/lib.rs": "mod e;\nmod b;\n",
        "src/e/mod.rs": "pub mod blocks;\npub mod a;\n",
        "src/e/blocks/mod.rs": "mod inner;\npub(super) use inner::*;\n",
        "src/e/blocks/inner.rs": "pub fn g() {}\n",
        "src/e/a.rs": "use crate::e::blocks::g;\n\npub fn f() { g() }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/e/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "use crate::e::blocks::inner::g;\n\npub fn f() { g() }\n"
    assert after["src/e/blocks/mod.rs"] == "pub(crate) mod inner;\npub(super) use inner::*;\n"


def test_a_type_in_a_macro_argument_is_known_at_home() -> None:
    """unsafe-libyaml: `STACK_INIT!(items, item_t)` in a file that imports `item_t` by another path."""
    files = {
        "src/lib.rs": "#[macro_use]\nmod m;\nmod y;\nmod a;\nmod b;\nuse y::T;\n",
        "src/m.rs": "macro_rules! init { ($t:ty) => { <$t>::default() }; }\n",
        "src/y.rs": "pub type T = u8;\n",
        "src/a.rs": "use crate::T;\n\npub fn f() -> T { init!(T) }\n",
        "src/b.rs": "use crate::y::T;\n\npub fn g(t: T) -> T { t }\n",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        "use crate::y::T;\n\npub fn g(t: T) -> T { t }\n\npub fn f() -> T { init!(T) }\n"
    )


def test_what_only_the_module_of_a_primitive_has_needs_the_module() -> None:
    """pastel: `use std::f64;` for `f64::consts::PI`; `f64::MAX` needs nothing."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": (
            "use std::f64;\n\npub fn f() -> f64 { f64::consts::PI }\n\npub fn g() -> f64 { f64::MAX }\n"
        ),
        "src/b.rs": "",
        "src/c.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "use std::f64;\n\npub fn f() -> f64 { f64::consts::PI }\n"
    assert moved(files, "g", "src/a.rs", "src/c.rs")["src/c.rs"] == "pub fn g() -> f64 { f64::MAX }\n"


def test_a_trait_that_comes_through_a_conditional_import_comes_under_its_condition() -> None:
    """chrono: `use locales::*;`, where `locales` shows another crate's names only with a feature."""
    files = {
        "Cargo.toml": (
            '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n'
            '[features]\nx = ["outside"]\n\n[dependencies]\noutside = { version = "1", optional = true }\n'
        ),
        "src/lib.rs": "mod locales;\nmod a;\nmod b;\n",
        "src/locales.rs": '#[cfg(feature = "x")]\nmod inner {\n    pub(crate) use outside::Locale;\n}\n#[cfg(feature = "x")]\npub(crate) use inner::*;\n',
        "src/a.rs": "use crate::locales::*;\n\npub fn f(v: &dyn Go) { v.go() }\n\npub trait Go { fn go(&self); }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        'use crate::a::Go;\n#[cfg(feature = "x")]\nuse outside::Locale;\n\npub fn f(v: &dyn Go) { v.go() }\n'
    )


def test_a_name_with_two_imports_takes_both_along() -> None:
    """ron: a trait by one import, the derive macro of that name by another."""
    files = {
        "Cargo.toml": (
            '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n'
            '[dependencies]\nserde = "1"\nserde_derive = "1"\n'
        ),
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": (
            "use serde::ser::Serialize;\nuse serde_derive::Serialize;\n\n"
            "#[derive(Serialize)]\npub struct S;\n\npub fn f<T: Serialize>(_: T) {}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        "use serde::ser::Serialize;\n#[allow(unused_imports)]\nuse serde_derive::Serialize;\n\n"
        "pub fn f<T: Serialize>(_: T) {}\n"
    )


def test_a_home_that_has_one_of_two_imports_gets_the_other() -> None:
    """ron: home derives with the macro; the moved text needs the trait of that name."""
    files = {
        "Cargo.toml": (
            '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n'
            '[dependencies]\nserde = "1"\nserde_derive = "1"\n'
        ),
        "src/lib.rs": "mod a;\nmod b;\n",
        "src/a.rs": (
            "use serde::ser::Serialize;\nuse serde_derive::Serialize;\n\n"
            "#[derive(Serialize)]\npub struct S;\n\npub fn f<T: Serialize>(_: T) {}\n"
        ),
        "src/b.rs": "use serde_derive::Serialize;\n\n#[derive(Serialize)]\npub struct T;\n",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        "use serde_derive::Serialize;\nuse serde::ser::Serialize;\n\n#[derive(Serialize)]\npub struct T;\n\n"
        "pub fn f<T: Serialize>(_: T) {}\n"
    )


def test_a_trait_that_calls_at_home_could_mean_is_spelled_by_its_path() -> None:
    """nom: `impl Parser for AnyChar`, to a file that calls `.parse()` of strings."""
    files = {
        "src/lib.rs": "pub mod t;\npub mod a;\npub mod b;\n",
        "src/t.rs": "pub trait Parser { fn parse(&self) -> u8; }\nimpl<F: Fn() -> u8> Parser for F { fn parse(&self) -> u8 { self() } }\n",
        "src/a.rs": "use crate::t::Parser;\n\npub struct Any;\n\nimpl Parser for Any {\n    fn parse(&self) -> u8 { 1 }\n}\n",
        "src/b.rs": "pub fn resident(s: &[&str]) -> Option<u8> { s[0].parse().ok() }\n",
    }
    after = moved(files, "Any", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == ""
    assert after["src/b.rs"] == (
        "pub fn resident(s: &[&str]) -> Option<u8> { s[0].parse().ok() }\n\n"
        "pub struct Any;\n\nimpl crate::t::Parser for Any {\n    fn parse(&self) -> u8 { 1 }\n}\n"
    )


def test_a_trait_does_not_take_one_of_its_name_out_of_scope_that_a_glob_brings() -> None:
    """sd: `fmt::Write` to a file with `use std::io::prelude::*;`, whose `write_all` was lost."""
    item = 'pub fn f(s: &mut String) {\n    s.write_str("x").unwrap();\n}\n'
    home = "use std::io::prelude::*;\n\npub fn resident(mut b: &mut [u8]) {\n    b.write_all(&[1]).unwrap();\n}\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"use std::fmt::Write;\n\n{item}",
        "src/b.rs": home,
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].startswith("use std::io::prelude::*;\nuse std::fmt::Write as _;\n")
    named = item.replace("&mut String", "&mut dyn Write")
    after = moved({**files, "src/a.rs": f"use std::fmt::Write;\n\n{named}"}, "f", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].startswith("use std::io::prelude::*;\nuse std::fmt::Write as _;\n")
    assert "&mut dyn std::fmt::Write" in after["src/b.rs"]
    after = moved({**files, "src/b.rs": home.replace("io::prelude", "fmt")}, "f", "src/a.rs", "src/b.rs")
    assert " as _" not in after["src/b.rs"]


def test_a_glob_whose_trait_the_new_home_hides_brings_it_without_its_name() -> None:
    """sd again, the other way round: `use std::fmt::Write;` stands where the glob arrives, or is there already."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "use std::io::prelude::*;\n\npub fn f(mut b: &mut [u8]) {\n    b.write_all(&[1]).unwrap();\n}\n",
        "src/b.rs": 'use std::fmt::Write;\n\npub fn resident(s: &mut String) {\n    s.write_str("x").unwrap();\n}\n',
    }
    head = "use std::fmt::Write;\nuse std::io::prelude::*;\nuse std::io::Write as _;\n"
    assert moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"].startswith(head)
    both = files["src/b.rs"].replace("Write;", "Write;\nuse std::io::prelude::*;")
    assert moved({**files, "src/b.rs": both}, "f", "src/a.rs", "src/b.rs")["src/b.rs"].startswith(head)
    same = files["src/b.rs"].replace("fmt::Write", "io::Write").replace("write_str", "write_all")
    assert " as _" not in moved({**files, "src/b.rs": same}, "f", "src/a.rs", "src/b.rs")["src/b.rs"]


def test_an_item_called_like_a_trait_that_a_glob_brings_to_the_destination_is_refused() -> None:
    """`io::Write` would be in scope there no more, and with it `write_all`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub struct Write;\n\npub struct Other;\n",
        "src/b.rs": "use std::io::prelude::*;\n\npub fn f(mut b: &mut [u8]) { b.write_all(&[1]).unwrap(); }\n",
    }
    assert refusal(files, "Write", "src/a.rs", "src/b.rs") == "shadows_glob_import"
    assert refusal(files, "Other", "src/a.rs", "src/b.rs") == ""


def test_what_another_crate_of_the_workspace_shows_is_imported_from_there() -> None:
    """skia: `tiny_skia_path` shows `strict_num::Normal`, of a crate that `tiny_skia` does not depend on."""
    package = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n{}\n'
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["path", "skia"]\n',
        "path/Cargo.toml": package.format("path", 'strict_num = "1"'),
        "path/src/lib.rs": "pub use strict_num::Normal;\n",
        "skia/Cargo.toml": package.format("skia", 'path = { path = "../path" }'),
        "skia/src/lib.rs": "pub mod a;\npub mod b;\n",
        "skia/src/a.rs": "use path::Normal;\n\npub struct Stop(pub Normal);\n",
        "skia/src/b.rs": "",
    }
    after = moved(files, "Stop", "skia/src/a.rs", "skia/src/b.rs")
    assert after["skia/src/b.rs"] == "use path::Normal;\n\npub struct Stop(pub Normal);\n"
    files["skia/src/b.rs"] = "pub struct Normal;\n"
    after = moved(files, "Stop", "skia/src/a.rs", "skia/src/b.rs")
    assert after["skia/src/b.rs"] == "pub struct Normal;\n\npub struct Stop(pub path::Normal);\n"


def test_a_macro_called_in_the_arguments_of_a_derives_attribute_brings_its_import() -> None:
    """hexyl: `#[arg(default_value(formatcp!("{SIZE}")))]` needs the macro, and what its format string captures."""
    item = (
        "#[derive(Parser)]\npub struct Arguments {\n"
        '    #[arg(default_value(formatcp!("{SIZE}")))]\n    pub size: String,\n}\n'
    )
    dependencies = '[dependencies]\nclap = "4"\nconst_format = "0.2"\n'
    files = {
        "Cargo.toml": f'[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n{dependencies}',
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            f"use clap::Parser;\nuse const_format::formatcp;\n\npub const SIZE: i64 = 512;\n\n{item}\n"
            "pub fn stay() -> i64 {\n    SIZE\n}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "Arguments", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        f"use clap::Parser;\nuse const_format::formatcp;\nuse crate::a::SIZE;\n\n{item}"
    )
    assert after["src/a.rs"] == "pub const SIZE: i64 = 512;\n\npub fn stay() -> i64 {\n    SIZE\n}\n"


def test_a_path_in_the_arguments_of_a_derives_attribute_brings_its_import() -> None:
    """just: `#[arg(value_parser = FalseyValueParser::new())]`; a lone word such as `env` is the attribute's own."""
    item = (
        "#[derive(Parser)]\npub struct Arguments {\n"
        "    #[arg(long, env, value_parser = FalseyValueParser::new(), action = ArgAction::Count)]\n    pub level: u8,\n}\n"
    )
    files = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nclap = "4"\n',
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "use clap::{ArgAction, Parser, builder::FalseyValueParser};\nuse std::env;\n\n"
            f"{item}\npub fn stay(_: env::Args) {{}}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "Arguments", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        f"use clap::Parser;\nuse clap::builder::FalseyValueParser;\nuse clap::ArgAction;\n\n{item}"
    )
    assert after["src/a.rs"] == "use std::env;\n\npub fn stay(_: env::Args) {}\n"


def test_a_name_of_the_prelude_that_home_imports_from_core_is_the_same_name() -> None:
    """Whichever crate of the standard library a thing is taken from, it is that thing."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "pub struct Moved(u8);\n\nimpl From<u8> for Moved {\n    fn from(n: u8) -> Self {\n        Moved(n)\n    }\n}\n",
        "src/b.rs": "use ::core::convert::From;\n\npub fn make() -> u16 {\n    u16::from(1u8)\n}\n",
    }
    assert "impl From<u8> for Moved {" in moved(files, "Moved", "src/a.rs", "src/b.rs")["src/b.rs"]


def test_a_crate_that_may_be_without_std_gets_paths_of_core() -> None:
    """The new home means something else by `Some`; `std` has a path to it only where a feature is on."""
    files = {
        "src/lib.rs": '#![cfg_attr(not(feature = "std"), no_std)]\npub mod a;\npub mod b;\n',
        "src/a.rs": "pub fn moved() -> Option<u8> {\n    None\n}\n",
        "src/b.rs": "pub struct Option;\npub mod core {}\n",
    }
    result = moved(files, "moved", "src/a.rs", "src/b.rs")
    assert "pub fn moved() -> ::core::option::Option<u8> {" in result["src/b.rs"]


def test_what_core_has_not_keeps_its_path_of_std() -> None:
    files = {
        "src/lib.rs": '#![cfg_attr(not(feature = "std"), no_std)]\npub mod a;\npub mod b;\n',
        "src/a.rs": '#[cfg(feature = "std")]\npub fn moved() -> Vec<u8> {\n    Default::default()\n}\n',
        "src/b.rs": "pub struct Vec;\n",
    }
    assert (
        "pub fn moved() -> std::vec::Vec<u8> {" in moved(files, "moved", "src/a.rs", "src/b.rs")["src/b.rs"]
    )


@pytest.mark.parametrize("head", ["#![no_std]\n", '#![cfg_attr(not(feature = "std"), no_std)]\n'])
@pytest.mark.parametrize("above", ["use alloc::{boxed::Box, vec};\n", "mod tests {\n    use super::*;\n"])
def test_what_only_std_puts_into_the_prelude_keeps_its_import(head: str, above: str) -> None:
    """ron: `use alloc::boxed::Box;`, which tests see through `use super::*`."""
    inner = above.startswith("mod")
    text = "    pub fn moved() -> Box<[u8]> {\n        vec![1].into()\n    }\n"
    source = "use alloc::{boxed::Box, vec};\n" + above + text + "}\n" if inner else above + text
    files = {
        "src/lib.rs": f"{head}extern crate alloc;\npub mod a;\npub mod b;\n",
        "src/a.rs": source,
        "src/b.rs": "",
    }
    after = moved(files, "moved", "src/a.rs::tests" if inner else "src/a.rs", "src/b.rs")["src/b.rs"]
    assert "use alloc::boxed::Box;" in after
    assert "use alloc::vec;" in after
