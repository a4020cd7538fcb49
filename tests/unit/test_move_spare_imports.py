"""Imports that a move would leave without a use: the compiler warns of them, and `deny(warnings)` makes them errors."""

from pathlib import Path

import pytest
from tests.support.moves import moved

from m1nd.infrastructure.outside_traits import RegistryTraits


@pytest.fixture
def registry(tmp_path: Path) -> RegistryTraits:
    """A cargo home with one unpacked package for each case below."""
    packages = {
        "paints": (
            "",
            "pub enum Colour { Red }\npub trait Shine { fn shine(&self); }\npub use Colour as Color;\n",
        ),
        "gloss": ("", "pub trait Shine { fn shine(&self); }\npub use crate::Shine as Gleam;\n"),
        "tints": ("", "pub trait Tint { const CODE: &'static str; fn shade(&self); }\npub struct Red;\n"),
        "derives": ("[lib]\nproc-macro = true\n", "pub fn derive_it() {}\n"),
    }
    for name, (manifest, text) in packages.items():
        folder = tmp_path / "registry" / "src" / "index" / f"{name}-1.0.0"
        (folder / "src").mkdir(parents=True)
        (folder / "Cargo.toml").write_text(f'[package]\nname = "{name}"\nversion = "1.0.0"\n{manifest}')
        (folder / "src" / "lib.rs").write_text(text)
    return RegistryTraits(tmp_path, tmp_path)


def test_another_name_of_a_type_is_no_trait(registry: RegistryTraits) -> None:
    """sd: `use ansi_term::Color;`, which its crate declares with `pub use Colour as Color;`."""
    assert registry.methods("paints", "Color") == frozenset()


def test_another_name_of_a_trait_has_its_methods(registry: RegistryTraits) -> None:
    assert registry.methods("gloss", "Gleam") == frozenset({"shine"})


def test_a_constant_of_a_trait_outside_is_known_as_its_methods_are(registry: RegistryTraits) -> None:
    """hexyl: `owo_colors::colors::Default::ANSI_FG` needs the trait `Color` in scope."""
    assert registry.methods("tints", "Tint") == frozenset({"CODE", "shade"})


def test_a_constant_of_a_trait_of_the_crate_brings_the_trait_along() -> None:
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod t;\n",
        "src/t.rs": "pub trait Tint { const CODE: u8; }\nimpl Tint for u8 { const CODE: u8 = 1; }\n",
        "src/a.rs": "use crate::t::Tint;\n\npub const RED: u8 = u8::CODE;\n",
        "src/b.rs": "",
    }
    after = moved(files, "RED", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == "use crate::t::Tint;\n\npub const RED: u8 = u8::CODE;\n"


def test_a_crate_of_procedural_macros_has_no_traits(registry: RegistryTraits) -> None:
    """ron: `use serde_derive::Serialize;` in a module whose methods nobody can resolve."""
    assert registry.methods("derives", "Serialize") == frozenset()


def test_a_path_to_a_variant_says_that_the_import_is_of_a_type() -> None:
    """Nothing is known of the crate `paints`; a trait's path would lead to a function."""
    files = {
        "Cargo.toml": (
            '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\npaints = "1"\n'
        ),
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": "use paints::Color;\n\npub fn f(t: &[u8]) -> bool { t.glow() }\n\npub fn g() { draw(Color::Red) }\n",
        "src/b.rs": "",
    }
    after = moved(files, "f", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == "use paints::Color;\n\npub fn g() { draw(Color::Red) }\n"
    assert after["src/b.rs"] == "pub fn f(t: &[u8]) -> bool { t.glow() }\n"


def test_an_import_of_generated_code_goes_with_its_only_user() -> None:
    """snap: tables that the build writes; what may be a trait stays."""
    files = {
        "src/lib.rs": 'pub mod a;\npub mod b;\nmod table { include!(concat!(env!("OUT_DIR"), "/table.rs")); }\n',
        "src/a.rs": "use crate::table::{Four, ONE};\n\npub fn go(t: Four) -> u8 { ONE[t] }\n\npub fn stay() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == "use crate::table::Four;\n\npub fn stay() {}\n"
    assert after["src/b.rs"] == (
        "use crate::table::Four;\nuse crate::table::ONE;\n\npub fn go(t: Four) -> u8 { ONE[t] }\n"
    )


def test_the_traits_that_a_macros_body_calls_stay_with_its_callers() -> None:
    """num-integer: `macro_rules! impl_integer_for_isize`, whose body calls `.is_zero()`."""
    files = {
        "src/lib.rs": "pub mod t;\npub mod a;\npub mod b;\n",
        "src/t.rs": "pub trait Zero { fn is_zero(&self) -> bool; }\nimpl Zero for u8 { fn is_zero(&self) -> bool { *self == 0 } }\n",
        "src/a.rs": "use crate::t::Zero;\n\nmacro_rules! check { ($e:expr) => { $e.is_zero() }; }\n\npub fn g() -> bool { check!(0u8) }\n",
        "src/b.rs": "",
    }
    after = moved(files, "check", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "use crate::t::Zero;\nuse crate::b::check;\n\npub fn g() -> bool { check!(0u8) }\n"
    )
    assert after["src/b.rs"] == (
        "macro_rules! check { ($e:expr) => { $e.is_zero() }; }\npub(super) use check;\n"
    )


def test_write_to_a_formatter_needs_no_trait_at_home() -> None:
    """tempfile: `PersistError` with its `Display`, out of a file that imports `io::Write` for others."""
    shown = (
        "pub struct E;\n\nimpl fmt::Display for E {\n"
        '    fn fmt(&self, f: &mut fmt::Formatter<\'_>) -> fmt::Result { write!(f, "{}", 1) }\n}\n'
    )
    log = 'pub fn log(mut to: impl Write) { to.write_all(b"").unwrap() }\n'
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"use std::fmt;\nuse std::io::Write;\n\n{shown}\n{log}",
        "src/b.rs": "",
    }
    after = moved(files, "E", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == f"use std::fmt;\n\n{shown}"
    assert after["src/a.rs"] == f"use std::io::Write;\n\n{log}"


def test_write_to_a_formatter_keeps_no_trait_at_the_source() -> None:
    """tempfile: `NamedTempFile` takes `Read` and `Write` along; a `Debug` impl and `OpenOptions` stay."""
    opened = "pub fn open() { fs::OpenOptions::new().read(true); }\n"
    shown = (
        "pub struct E;\n\nimpl fmt::Debug for E {\n"
        '    fn fmt(&self, f: &mut fmt::Formatter<\'_>) -> fmt::Result { write!(f, "E") }\n}\n'
    )
    copy = "pub fn copy(mut a: impl Read, mut b: impl Write) { a.read(&mut []).ok(); b.flush().ok(); }\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"use std::fmt;\nuse std::fs;\nuse std::io::{{Read, Write}};\n\n{copy}\n{opened}\n{shown}",
        "src/b.rs": "",
    }
    after = moved(files, "copy", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == f"use std::fmt;\nuse std::fs;\n\n{opened}\n{shown}"
    assert sorted(after["src/b.rs"].split("\n\n")[0].splitlines()) == [
        "use std::io::Read;",
        "use std::io::Write;",
    ]


def test_imports_under_several_conditions_go_together_when_nobody_names_them() -> None:
    """tempfile: `BorrowedFd`, imported for unix from one place and for wasi from another."""
    twins = "#[cfg(unix)]\nuse std::os::unix::io::RawFd;\n#[cfg(not(unix))]\nuse std::os::fd::RawFd;\n\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": twins + "pub fn go(_: RawFd) {}\n\npub fn stay() {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after == {
        **files,
        "src/a.rs": "pub fn stay() {}\n",
        "src/b.rs": twins + "pub fn go(_: RawFd) {}\n",
    }


def test_imports_under_several_conditions_stay_where_somebody_names_them() -> None:
    twins = "#[cfg(unix)]\nuse std::os::unix::io::RawFd;\n#[cfg(not(unix))]\nuse std::os::fd::RawFd;\n\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": twins + "pub fn go(_: RawFd) {}\n\npub fn stay(_: RawFd) {}\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == twins + "pub fn stay(_: RawFd) {}\n"


@pytest.mark.parametrize("glob, stays", [("use crate::t::Bare;\n", False), ("use super::*;\n", True)])
def test_a_module_below_keeps_a_trait_only_if_it_may_have_it_from_there(glob: str, stays: bool) -> None:
    """tempfile: `dir/mod.rs` imports a trait that `dir/imp.rs` imports for itself."""
    files = {
        "src/lib.rs": "pub mod t;\npub mod a;\npub mod b;\n",
        "src/t.rs": "pub trait Bare { fn bare(&self); }\nimpl Bare for u8 { fn bare(&self) {} }\n",
        "src/a/mod.rs": "use crate::t::Bare;\n\npub mod below;\n\npub fn go() { 1u8.bare() }\n",
        "src/a/below.rs": f"{glob}\npub fn stay(n: u8) {{ n.bare() }}\n",
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a/mod.rs", "src/b.rs")
    assert after["src/a/mod.rs"] == ("use crate::t::Bare;\n\n" if stays else "") + "pub mod below;\n"
    assert after["src/b.rs"] == "use crate::t::Bare;\n\npub fn go() { 1u8.bare() }\n"


def test_a_builder_of_debug_output_has_its_own_finish() -> None:
    """roxmltree: `f.debug_list().entries(…).finish()` in a file that imports `Hasher` for another `finish`."""
    shown = (
        "pub struct E(pub u8);\n\nimpl fmt::Debug for E {\n"
        '    fn fmt(&self, f: &mut fmt::Formatter<\'_>) -> fmt::Result { f.debug_tuple("E").field(&self.0).finish() }\n}\n'
    )
    digest = "pub fn digest(h: impl Hasher) -> u64 { h.finish() }\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": f"use std::fmt;\nuse std::hash::Hasher;\n\n{shown}\n{digest}",
        "src/b.rs": "",
    }
    after = moved(files, "E", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == f"use std::fmt;\n\n{shown}"
    assert after["src/a.rs"] == f"use std::hash::Hasher;\n\n{digest}"


DENIED = "#![deny(unused_imports)]\n#![allow(dead_code)]\npub mod a;\npub mod b;\n"
BOTH = (
    "use std::hash::Hasher;\nuse std::io::{Read, Write};\n\n"
    'pub fn go(mut h: impl Hasher) -> u64 {\n    h.write(b"");\n    h.finish()\n}\n\n'
    'pub fn stay(mut w: impl Write) { w.write(b"").ok(); }\n\npub fn also(mut r: impl Read) { r.read(&mut []).ok(); }\n'
)


def test_a_trait_that_calls_which_stay_may_need_is_tolerated_where_an_unused_import_is_an_error() -> None:
    """lz4_flex: `Hasher` and `io::Write` both have a `write`, and nobody knows the type before the dot."""
    files = {"src/lib.rs": DENIED, "src/a.rs": BOTH, "src/b.rs": ""}
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"] == (
        "#[allow(unused_imports)]\nuse std::hash::Hasher;\nuse std::io::{Read, Write};\n\n"
        'pub fn stay(mut w: impl Write) { w.write(b"").ok(); }\n\npub fn also(mut r: impl Read) { r.read(&mut []).ok(); }\n'
    )


def test_a_trait_that_moved_calls_may_need_is_tolerated_where_an_unused_import_is_an_error() -> None:
    files = {"src/lib.rs": DENIED, "src/a.rs": BOTH, "src/b.rs": ""}
    after = moved(files, "stay", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"] == (
        "use std::io::Write;\n#[allow(unused_imports)]\nuse std::hash::Hasher;\n\n"
        'pub fn stay(mut w: impl Write) { w.write(b"").ok(); }\n'
    )


def test_an_import_stays_as_it_is_where_an_unused_one_is_a_warning() -> None:
    files = {
        "src/lib.rs": DENIED.replace("deny(unused_imports)", "warn(unused_imports)"),
        "src/a.rs": BOTH,
        "src/b.rs": "",
    }
    after = moved(files, "go", "src/a.rs", "src/b.rs")
    assert after["src/a.rs"].startswith("use std::hash::Hasher;\nuse std::io::{Read, Write};\n\n")


def test_an_impl_of_a_trait_needs_no_import_for_the_calls_inside_it() -> None:
    """lz4_flex: the trait's path is spelled out at home, and an import of it `as _` would be one without a use."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub trait Sink { fn pos(&self) -> u8; fn at(&self) -> u8; }\nimpl Sink for u8 { fn pos(&self) -> u8 { 1 } "
            "fn at(&self) -> u8 { self.pos() } }\n\npub struct Ptr;\n\nimpl Sink for Ptr {\n    fn pos(&self) -> u8 { 1 }\n\n"
            "    fn at(&self) -> u8 { self.pos() }\n}\n"
        ),
        "src/b.rs": "pub struct Own;\nimpl Own { pub fn pos(&self) -> u8 { 1 } }\npub fn f(o: &[Own]) -> u8 { o[0].pos() }\n",
    }
    after = moved(files, "Ptr", "src/a.rs", "src/b.rs")
    assert "as _" not in after["src/b.rs"]
    assert "impl crate::a::Sink for Ptr" in after["src/b.rs"]
    files["src/lib.rs"] = "#![deny(warnings)]\n" + files["src/lib.rs"]
    files["src/b.rs"] = "pub struct Sink;\n"
    files["src/a.rs"] += "impl Ptr { pub fn of(v: &[u8]) -> u8 { v[0].pos() } }\n"
    after = moved(files, "Ptr", "src/a.rs", "src/b.rs")
    assert "#[allow(unused_imports)]\nuse crate::a::Sink as _;" in after["src/b.rs"]


def test_a_trait_that_is_imported_by_its_name_under_the_condition_of_all_that_moves_is_not_imported_again() -> (
    None
):
    """lz4_flex: a type and its impls, each behind the same `cfg`, of a trait of the source."""
    gate = '#[cfg(feature = "alloc")]\n'
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub trait Sink { fn pos(&self) -> u8; }\nimpl Sink for u8 { fn pos(&self) -> u8 { 1 } }\n\n"
            f"{gate}pub struct Ptr;\n\n{gate}impl Ptr {{ pub fn of(v: &[u8]) -> u8 {{ v[0].pos() }} }}\n\n"
            f"{gate}impl Sink for Ptr {{ fn pos(&self) -> u8 {{ 1 }} }}\n"
        ),
        "src/b.rs": "",
    }
    after = moved(files, "Ptr", "src/a.rs", "src/b.rs")
    assert after["src/b.rs"].count("use ") == 1
    assert f"{gate}use crate::a::Sink;\n" in after["src/b.rs"]


@pytest.mark.parametrize(
    "inside, body, stays",
    [
        ("", "Shared::new()", False),
        ("    use super::*;\n", "Shared::new()", True),
        ("    pub fn f() { use super::*; }\n", "Shared::new()", True),
        ("", "{ use super::*; Shared::new() }", True),
    ],
)
def test_an_import_serves_the_macro_of_a_module_below_only_through_a_glob(
    inside: str, body: str, stays: bool
) -> None:
    """ron: the macro of `raw::tests` imports `Serialize` itself, and no glob leads from there to `raw`."""
    after = moved(
        {
            "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
            "src/a.rs": "use crate::c::Shared;\n\npub fn go(_: Shared) {}\n\npub mod tests {\n"
            + f"    macro_rules! made {{ () => {{ {body} }} }}\n{inside}    pub fn user() {{ made!(); }}\n}}\n",
            "src/b.rs": "",
            "src/c.rs": "pub struct Shared;\nimpl Shared { pub fn new() {} }\n",
        },
        "go",
        "src/a.rs",
        "src/b.rs",
    )
    assert after["src/a.rs"].startswith("use crate::c::Shared;") is stays
