"""Conditions that real crates write in other ways than in front of a `mod` line."""

import pytest
from tests.support.moves import moved, refusal

from m1nd.domain.refusal import Refused


def test_the_branches_of_cfg_if_are_conditions() -> None:
    """libm: `cfg_if! { if #[cfg(target_arch = "wasm32")] { mod wasm32; } }`."""
    files = {
        "src/lib.rs": "cfg_if! { if #[cfg(unix)] { mod a; pub use a::{f as g}; mod c; } else { mod d; } }\npub mod b;\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "",
        "src/c.rs": "",
        "src/d.rs": "",
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "cfg_mismatch"
    assert refusal(files, "f", "src/a.rs", "src/d.rs") == "cfg_mismatch"
    assert moved(files, "f", "src/a.rs", "src/c.rs")["src/c.rs"] == "pub fn f() {}\n"


def test_a_macro_around_a_mod_line_is_a_condition_that_others_may_share() -> None:
    """tokio's style: `cfg_rt! { mod a; }`."""
    files = {
        "src/lib.rs": "cfg_rt! { mod a; }\npub mod b;\ncfg_rt! { mod c; }\n",
        "src/a.rs": "pub fn f() {}\n",
        "src/b.rs": "",
        "src/c.rs": "",
    }
    assert refusal(files, "f", "src/a.rs", "src/b.rs") == "cfg_mismatch"
    assert moved(files, "f", "src/a.rs", "src/c.rs")["src/c.rs"] == "pub fn f() {}\n"


def test_a_twin_on_the_way_of_a_path_is_known_at_home() -> None:
    """num-bigint: `BigDigit::from(n)`, a type that conditions choose; home imports it already."""
    files = {
        "src/lib.rs": "mod a;\nmod b;\nmod d;\n",
        "src/d.rs": "#[cfg(unix)]\npub type Digit = u64;\n#[cfg(not(unix))]\npub type Digit = u32;\n",
        "src/a.rs": "use crate::d::Digit;\n\npub fn f() -> bool { Digit::from(1u8) > 0 }\n",
        "src/b.rs": "use crate::d::Digit;\n\npub fn g(_: Digit) {}\n",
    }
    assert moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"] == (
        "use crate::d::Digit;\n\npub fn g(_: Digit) {}\n\npub fn f() -> bool { Digit::from(1u8) > 0 }\n"
    )


def test_a_trait_that_home_has_only_under_a_condition_is_imported_for_good() -> None:
    """proc-macro2: `#[cfg(…)] use alloc::borrow::ToOwned as _;` at home."""
    files = {
        "src/lib.rs": "#![no_std]\nextern crate alloc;\nmod a;\nmod b;\n",
        "src/a.rs": "use alloc::borrow::ToOwned as _;\nuse alloc::string::String;\n\npub fn f(s: &str) -> String { s.to_owned() }\n",
        "src/b.rs": (
            '#[cfg(feature = "x")]\nuse alloc::borrow::ToOwned as _;\nuse alloc::string::String;\n\npub fn g(_: String) {}\n'
        ),
    }
    assert moved(files, "f", "src/a.rs", "src/b.rs")["src/b.rs"] == (
        '#[cfg(feature = "x")]\nuse alloc::borrow::ToOwned as _;\nuse alloc::string::String;\n'
        "use alloc::borrow::ToOwned as _;\n\npub fn g(_: String) {}\n\npub fn f(s: &str) -> String { s.to_owned() }\n"
    )


def test_a_home_whose_name_conditions_choose_is_not_called_private() -> None:
    """jiff: `mod inner;` twice, each with a `#[path]` under a condition of its own."""
    files = {
        "src/lib.rs": "#[cfg(unix)]\npub mod a;\npub mod d;\n",
        "src/a.rs": "fn f() {}\n\npub fn s() { f(); }\n",
        "src/d/mod.rs": (
            "pub(crate) use self::inner::*;\n\n"
            '#[cfg(not(unix))]\n#[path = "off.rs"]\nmod inner;\n#[cfg(unix)]\n#[path = "on.rs"]\nmod inner;\n'
        ),
        "src/d/off.rs": "pub fn x() {}\n",
        "src/d/on.rs": "pub fn x() {}\n",
    }
    with pytest.raises(Refused) as caught:
        moved(files, "f", "src/a.rs", "src/d/on.rs")
    told = (caught.value.refusal.code, caught.value.refusal.message)
    assert told == (
        "not_movable",
        "src/a.rs:3 uses `f`, but no path is sure to lead to src/d/on.rs: `crate::d::inner` is src/d/off.rs under other conditions",
    )


def test_a_name_that_a_glob_brings_from_a_conditional_import_gets_an_import() -> None:
    """png: `#[cfg(doc)] use crate::decoder::Reader;` above `mod tests { use super::*; }`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": "use crate::c::Reader;\n\npub fn moved() -> Reader { Reader }\n",
        "src/b.rs": "#[cfg(doc)]\nuse crate::c::Reader;\n\npub mod inner {\n    use super::*;\n}\n",
        "src/c.rs": "pub struct Reader;\n",
    }
    assert moved(files, "moved", "src/a.rs", "src/b.rs::inner")["src/b.rs"] == (
        "#[cfg(doc)]\nuse crate::c::Reader;\n\npub mod inner {\n    use super::*;\n    use crate::c::Reader;\n\n"
        "    pub fn moved() -> Reader { Reader }\n}\n"
    )


def test_a_name_that_comes_under_the_same_condition_at_both_places_gets_none() -> None:
    inner = "#[cfg(test)]\nuse crate::c::Reader;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod c;\n",
        "src/a.rs": inner + "    fn moved() -> Reader { Reader }\n}\n",
        "src/b.rs": inner + "}\n",
        "src/c.rs": "pub struct Reader;\n",
    }
    after = moved(files, "moved", "src/a.rs::tests", "src/b.rs::tests")["src/b.rs"]
    assert after == inner + "\n    fn moved() -> Reader { Reader }\n}\n"


def test_a_name_that_conditions_choose_by_one_glob_does_not_lose_one_of_its_items() -> None:
    """lz4_flex: `d` is one of two modules, and `pub use d::*;` shows the function of whichever it is."""
    modules = (
        '#[cfg(feature = "x")]\npub(crate) mod safe;\n#[cfg(feature = "x")]\nuse safe as d;\n'
        '#[cfg(not(feature = "x"))]\npub(crate) mod d;\n\n'
    )
    files = {
        "src/lib.rs": "pub mod block;\npub use block::moved;\n",
        "src/block/mod.rs": f"{modules}pub use d::*;\n",
        "src/block/safe.rs": "pub fn moved() -> u8 {\n    1\n}\n",
        "src/block/d.rs": "pub fn moved() -> u8 {\n    2\n}\n",
    }
    assert refusal(files, "moved", "src/block/safe.rs", "src/block/safe/new.rs") == "import_conflict"
    assert refusal(files, "moved", "src/block/d.rs", "src/block/d/new.rs") == "shadows_glob_import"


def test_a_name_that_conditions_choose_among_globs_follows_under_its_condition() -> None:
    files = {
        "src/lib.rs": "pub mod block;\npub use block::moved;\n",
        "src/block/mod.rs": (
            '#[cfg(feature = "x")]\npub(crate) mod safe;\n#[cfg(not(feature = "x"))]\npub(crate) mod d;\n\n'
            '#[cfg(feature = "x")]\npub use safe::*;\n#[cfg(not(feature = "x"))]\npub use d::*;\n'
        ),
        "src/block/safe.rs": "pub fn moved() -> u8 {\n    1\n}\n",
        "src/block/d.rs": "pub fn moved() -> u8 {\n    2\n}\n",
    }
    after = moved(files, "moved", "src/block/d.rs", "src/block/d/new.rs")
    assert '#[cfg(not(feature = "x"))]\npub use crate::block::d::new::moved;\n' in after["src/block/mod.rs"]
