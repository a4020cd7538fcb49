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
    assert after["src/a.rs"] == "#[cfg(test)]\nmod tests {\n    use ::f;\n\n    #[test]\n    fn t() { f() }\n}\n"
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
