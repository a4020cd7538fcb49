"""The scenarios of the existing system that refuse. Numbers S… are those of the study."""

import pytest
from tests.support.before_after import Check, refused


@pytest.mark.parametrize(
    "item, kind",
    [
        ("pub fn move_me() {}", "fn"),
        ("fn move_me() {}", "fn"),
        ("pub struct move_me;", "struct"),
        ("pub struct move_me(u8);", "struct"),
        ("pub const move_me: u8 = 1;", "const"),
        ("pub static move_me: u8 = 1;", "static"),
        ('extern "C" { pub fn move_me(); }', "fn"),
    ],
)
def test_a_taken_value_name_refuses(check: Check, item: str, kind: str) -> None:
    """S2, S16: the kind is named."""
    check.refused(
        f"""
        //- src/lib.rs
        #![allow(warnings)]
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me() {{}}
        //- src/beta.rs
        {item}
        """,
        "collision",
        "src/beta.rs",
        kind,
    )


@pytest.mark.parametrize(
    "item",
    [
        "pub struct move_me { pub x: u8 }",
        "pub enum move_me {}",
        "pub trait move_me {}",
        "pub type move_me = u8;",
        "pub mod move_me {}",
        "macro_rules! move_me { () => {}; }",
    ],
)
def test_a_name_taken_in_another_namespace_is_no_collision(check: Check, item: str) -> None:
    """A fn is a value; types and macros live beside it."""
    check(
        f"""
        //- src/lib.rs
        #![allow(warnings)]
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me() {{}}

        pub fn stay() {{}}
        //- src/beta.rs
        {item}
        """,
        f"""
        //- src/alpha.rs
        pub fn stay() {{}}
        //- src/beta.rs
        {item}

        pub fn move_me() {{}}
        """,
    )


def test_an_unknown_symbol_lists_the_real_items_nearest_first(check: Check) -> None:
    """S4: methods and nested fns are not listed."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn carry() {}

        pub fn move_us() {
            fn inner() {}
            inner();
        }

        pub struct S;

        impl S {
            pub fn method(&self) {}
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "symbol_not_found",
        "its items are: move_us, carry, S",
    )


def test_a_symbol_that_lives_elsewhere_is_found_there(check: Check) -> None:
    """S5: the file is named, and the hint runs."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        pub fn move_me() {}
        """,
        "symbol_elsewhere",
        "it lives in src/gamma.rs",
    )


def test_a_symbol_that_is_at_the_destination_already_gets_no_hint_to_move_it_there() -> None:
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": "pub fn stay() {}\n",
        "src/beta.rs": "pub fn move_me() {}\n",
    }
    found = refused(files, "move_me", "src/alpha.rs", "src/beta.rs")
    assert found is not None
    assert (found.refusal.code, found.refusal.hint) == ("symbol_elsewhere", "m1nd context move_me")


def test_an_entry_point_is_named_by_its_attribute_alone() -> None:
    """However many lines the attribute has."""
    files = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\nproc-macro = true\n',
        "src/lib.rs": "mod beta;\nuse proc_macro::TokenStream;\n\n#[proc_macro_derive(\n    Shout,\n    attributes(loud),\n)]\n"
        "pub fn shout(input: TokenStream) -> TokenStream {\n    input\n}\n",
        "src/beta.rs": "pub fn resident() {}\n",
    }
    found = refused(files, "shout", "src/lib.rs", "src/beta.rs")
    assert found is not None
    assert (found.refusal.code, found.refusal.message) == (
        "entry_point",
        "`shout` carries #[proc_macro_derive]: the compiler looks for it in the crate root",
    )


def test_a_missing_source_refuses(check: Check) -> None:
    check.refused(
        """
        //- src/beta.rs
        pub fn resident() {}
        """,
        "unreadable",
        "src/alpha.rs does not exist",
    )


@pytest.mark.parametrize("stem", ["lib", "main"])
def test_a_new_file_that_would_be_a_crate_root_refuses(stem: str) -> None:
    """S13: frontier 2b is open for roots that exist, never for a root that the move would make."""
    files = {"src/lib.rs": "pub mod alpha;\n", "src/alpha.rs": "pub fn move_me() {}\n"}
    found = refused(files, "move_me", "src/alpha.rs", f"src/bin/{stem}.rs")
    assert found is not None and found.refusal.code == "stem_reserved"
    assert f"src/bin/{stem}.rs would be the root of a crate" in found.refusal.message


def test_two_crates_that_do_not_know_each_other_refuse(check: Check) -> None:
    """S15: neither depends on the other; both roots are named."""
    check.refused(
        """
        //- Cargo.toml
        [workspace]
        members = ["one", "two"]
        resolver = "2"
        //- one/Cargo.toml
        [package]
        name = "one"
        version = "0.1.0"
        edition = "2021"
        //- one/src/lib.rs
        pub mod alpha;
        //- one/src/alpha.rs
        pub fn move_me() {}
        //- two/Cargo.toml
        [package]
        name = "two"
        version = "0.1.0"
        edition = "2021"
        //- two/src/lib.rs
        pub mod beta;
        //- two/src/beta.rs
        pub fn resident() {}
        """,
        "dependency_missing",
        "one/src/lib.rs",
        "two/src/lib.rs",
        source="one/src/alpha.rs",
        dest="two/src/beta.rs",
    )
