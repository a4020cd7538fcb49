"""Imports that nothing here can resolve travel as written; an import of the item by a re-export goes at home."""

import pytest
from tests.support.moves import moved

from m1nd.domain.refusal import Refused

HEAD = "pub mod a;\npub mod b;\n"


def test_both_twins_of_a_gated_import_travel() -> None:
    files = {
        "src/lib.rs": HEAD + "pub mod c { pub fn put() {} }\npub mod d { pub fn put() {} }\n",
        "src/a.rs": "#[cfg(unix)]\nuse crate::c::put;\n#[cfg(not(unix))]\nuse crate::d::put;\n\npub fn go() {\n    put()\n}\n",
        "src/b.rs": "",
    }
    result = moved(files, "go", "src/a.rs", "src/b.rs")
    assert result["src/b.rs"] == (
        "#[cfg(unix)]\nuse crate::c::put;\n#[cfg(not(unix))]\nuse crate::d::put;\n\npub fn go() {\n    put()\n}\n"
    )


def test_an_import_of_generated_code_travels() -> None:
    files = {
        "src/lib.rs": HEAD + 'mod table { include!(concat!(env!("OUT_DIR"), "/table.rs")); }\n',
        "src/a.rs": "use crate::table::{ONE, TWO};\n\npub fn go() -> u8 {\n    ONE[0]\n}\n\npub fn stay() -> u8 {\n    TWO[0]\n}\n",
        "src/b.rs": "",
    }
    result = moved(files, "go", "src/a.rs", "src/b.rs")
    assert result["src/b.rs"] == "use crate::table::ONE;\n\npub fn go() -> u8 {\n    ONE[0]\n}\n"
    assert "use crate::table::TWO;" in result["src/a.rs"] or "TWO}" in result["src/a.rs"]


def test_a_name_that_the_destination_includes_is_not_imported_there() -> None:
    files = {
        "src/lib.rs": HEAD,
        "src/a.rs": "use crate::b::ONE;\n\npub fn go() -> u8 {\n    ONE[0]\n}\n",
        "src/b.rs": 'include!(concat!(env!("OUT_DIR"), "/table.rs"));\n',
    }
    result = moved(files, "go", "src/a.rs", "src/b.rs")
    assert result["src/b.rs"] == (
        'include!(concat!(env!("OUT_DIR"), "/table.rs"));\n\npub fn go() -> u8 {\n    ONE[0]\n}\n'
    )


def test_a_gated_import_that_collides_at_home_is_refused() -> None:
    files = {
        "src/lib.rs": HEAD + "pub mod c { pub fn put() {} }\npub mod d { pub fn put() {} }\n",
        "src/a.rs": "#[cfg(unix)]\nuse crate::c::put;\n#[cfg(not(unix))]\nuse crate::d::put;\npub fn go() {\n    put()\n}\n",
        "src/b.rs": "pub fn put() {}\n",
    }
    with pytest.raises(Refused) as caught:
        moved(files, "go", "src/a.rs", "src/b.rs")
    assert caught.value.refusal.code == "import_conflict"


def test_an_import_by_way_of_a_re_export_goes_at_home() -> None:
    files = {
        "src/lib.rs": "mod a;\nmod b;\npub use a::wrap;\npub use b::fill;\n",
        "src/a.rs": "pub fn wrap(n: u8) -> u8 {\n    n\n}\n",
        "src/b.rs": "use crate::wrap;\n\npub fn fill(n: u8) -> u8 {\n    wrap(n)\n}\n",
    }
    result = moved(files, "wrap", "src/a.rs", "src/b.rs")
    assert result["src/lib.rs"] == "mod a;\nmod b;\npub use b::wrap;\npub use b::fill;\n"
    assert result["src/b.rs"] == (
        "pub fn fill(n: u8) -> u8 {\n    wrap(n)\n}\n\npub fn wrap(n: u8) -> u8 {\n    n\n}\n"
    )


def test_an_import_whose_twin_is_a_module_is_imported_from_the_source() -> None:
    """proc-macro2: `#[cfg(not(wrap))] use crate::fallback as imp; #[cfg(wrap)] mod imp;`."""
    files = {
        "src/lib.rs": (
            "#[cfg(not(unix))]\nuse crate::c as imp;\n#[cfg(unix)]\nmod imp;\nmod c;\nmod b;\n\n"
            "pub struct Group {\n    inner: imp::Group,\n}\n\npub fn stay(_: imp::Group) {}\n"
        ),
        "src/imp.rs": "pub struct Group;\n",
        "src/c.rs": "pub struct Group;\n",
        "src/b.rs": "",
    }
    result = moved(files, "Group", "src/lib.rs", "src/b.rs")
    assert result["src/b.rs"] == "use crate::imp;\n\npub struct Group {\n    inner: imp::Group,\n}\n"
    assert result["src/lib.rs"] == (
        "#[cfg(not(unix))]\nuse crate::c as imp;\npub use crate::b::Group;\n#[cfg(unix)]\nmod imp;\nmod c;\nmod b;\n\n"
        "pub fn stay(_: imp::Group) {}\n"
    )


def test_a_name_that_home_imports_by_another_path_is_not_imported_twice() -> None:
    """uuid: `use crate::std::fmt;`, where the root's `std` is `core` without a feature, and `use std::fmt;` at home."""
    files = {
        "src/lib.rs": (
            "#![no_std]\n#[cfg(unix)]\nextern crate std;\n#[cfg(not(unix))]\nextern crate core as std;\npub mod a;\npub mod b;\n"
        ),
        "src/a.rs": "use crate::std::fmt;\n\npub fn go(_: fmt::Error) {}\n",
        "src/b.rs": "use std::{cmp::Ordering, fmt};\n\npub fn resident(_: Ordering, _: fmt::Error) {}\n",
    }
    result = moved(files, "go", "src/a.rs", "src/b.rs")
    assert result["src/a.rs"] == ""
    assert result["src/b.rs"] == files["src/b.rs"] + "\npub fn go(_: fmt::Error) {}\n"


def test_what_conditions_choose_among_globs_is_imported_from_each_under_its_condition() -> None:
    """console: `#[cfg(unix)] use crate::unix::*; #[cfg(windows)] use crate::windows::*;`."""
    files = {
        "src/lib.rs": "#[cfg(unix)]\nmod unix;\n#[cfg(windows)]\nmod windows;\nmod a;\nmod b;\n",
        "src/unix.rs": "pub fn width() -> u8 { 1 }\n",
        "src/windows.rs": "pub fn width() -> u8 { 2 }\npub fn tty() -> u8 { 3 }\n",
        "src/a.rs": (
            "#[cfg(unix)]\npub(crate) use crate::unix::*;\n#[cfg(windows)]\npub(crate) use crate::windows::*;\n\n"
            "pub fn go() -> u8 {\n    #[cfg(windows)]\n    tty();\n    width()\n}\n"
        ),
        "src/b.rs": "",
    }
    result = moved(files, "go", "src/a.rs", "src/b.rs")
    assert result["src/b.rs"] == (
        "#[cfg(windows)]\nuse crate::windows::tty;\n#[cfg(unix)]\nuse crate::unix::width;\n"
        "#[cfg(windows)]\nuse crate::windows::width;\n\n"
        "pub fn go() -> u8 {\n    #[cfg(windows)]\n    tty();\n    width()\n}\n"
    )


def test_a_module_that_home_imports_with_its_twin_already_is_not_imported_again() -> None:
    """proc-macro2: home has `use crate::imp;`, which is the module or the import, whichever there is."""
    files = {
        "src/lib.rs": (
            "#[cfg(not(unix))]\nuse crate::c as imp;\n#[cfg(unix)]\nmod imp;\nmod c;\nmod b;\n\n"
            "pub struct Group {\n    inner: imp::Group,\n}\n\npub fn stay(_: imp::Group) {}\n"
        ),
        "src/imp.rs": "pub struct Group;\n",
        "src/c.rs": "pub struct Group;\n",
        "src/b.rs": "use crate::imp;\n\npub fn resident(_: imp::Group) {}\n",
    }
    result = moved(files, "Group", "src/lib.rs", "src/b.rs")
    assert result["src/b.rs"] == files["src/b.rs"] + "\npub struct Group {\n    inner: imp::Group,\n}\n"


def test_a_module_that_home_imports_under_a_condition_is_imported_under_the_other_one() -> None:
    """proc-macro2: fallback.rs has `#[cfg(wrap_proc_macro)] use crate::imp;`; a second `imp` would be E0252."""
    files = {
        "src/lib.rs": (
            "#[cfg(not(unix))]\nuse crate::c as imp;\n#[cfg(unix)]\nmod imp;\nmod c;\nmod b;\n\n"
            "pub struct Group {\n    inner: imp::Group,\n}\n\npub fn stay(_: imp::Group) {}\n"
        ),
        "src/imp.rs": "pub struct Group;\n",
        "src/c.rs": "pub struct Group;\n",
        "src/b.rs": "#[cfg(unix)]\nuse crate::imp;\n\n#[cfg(unix)]\npub fn resident(_: imp::Group) {}\n",
    }
    result = moved(files, "Group", "src/lib.rs", "src/b.rs")
    assert result["src/b.rs"].startswith(
        "#[cfg(unix)]\nuse crate::imp;\n#[cfg(not(unix))]\nuse crate::imp;\n\n#[cfg(unix)]\npub fn resident"
    )


def test_what_a_conditional_glob_passes_on_is_imported_under_its_condition() -> None:
    """console: under unix the name is that of a module which is there everywhere, under windows one of its own."""
    files = {
        "src/lib.rs": "mod common;\n#[cfg(unix)]\nmod unix;\n#[cfg(windows)]\nmod windows;\nmod a;\nmod b;\n",
        "src/common.rs": "pub fn up() -> u8 { 1 }\n",
        "src/unix.rs": "pub use crate::common::*;\n",
        "src/windows.rs": "pub fn up() -> u8 { 2 }\n",
        "src/a.rs": (
            "#[cfg(unix)]\npub(crate) use crate::unix::*;\n#[cfg(windows)]\npub(crate) use crate::windows::*;\n\n"
            "pub fn go() -> u8 {\n    up()\n}\n"
        ),
        "src/b.rs": "",
    }
    assert moved(files, "go", "src/a.rs", "src/b.rs")["src/b.rs"] == (
        "#[cfg(unix)]\nuse crate::common::up;\n#[cfg(windows)]\nuse crate::windows::up;\n\n"
        "pub fn go() -> u8 {\n    up()\n}\n"
    )
