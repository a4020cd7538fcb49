"""What a refused move between crates advises can be done (frontier 2c)."""

import pytest
from tests.support.before_after import files_of, refused

TREE = """
//- Cargo.toml
[workspace]
resolver = "2"
members = ["app", "words"]
//- words/Cargo.toml
[package]
name = "words"
version = "0.1.0"
edition = "2021"
//- words/src/lib.rs
//- app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
words = { path = "../words" }
//- app/src/lib.rs
"""
IMPL = "impl From<Moved> for u16 {\n    fn from(_: Moved) -> u16 {\n        1\n    }\n}\n"


@pytest.mark.parametrize(
    "text, hint",
    [
        (
            "pub struct Moved;\n" + IMPL,
            "write it as an impl of the moved type first (such as `Into` for `From`), or stay inside the crate",
        ),
        (
            "pub struct Moved;\npub mod other {\n    use super::Moved;\n" + IMPL + "}\n",
            "write it as an impl of the moved type first (such as `Into` for `From`), or stay inside the crate",
        ),
        (
            "pub struct Moved;\npub mod other {\n    use super::Moved;\n    impl Moved {\n        pub fn more(&self) {}\n    }\n}\n",
            "move the impl into app/src/lib.rs beside the type first, then preview again",
        ),
    ],
)
def test_an_impl_of_another_type_is_not_sent_to_where_moving_it_cannot_help(text: str, hint: str) -> None:
    found = refused(files_of(TREE + text), "Moved", "app/src/lib.rs", "words/src/lib.rs")
    assert found is not None
    assert (found.refusal.code, found.refusal.hint) == ("orphan_rule", hint)
