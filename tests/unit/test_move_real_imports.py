"""Imports that must stay, or stay alone, as real crates have them."""

import pytest
from tests.support.moves import moved

pytestmark = pytest.mark.usefixtures("opened")


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
