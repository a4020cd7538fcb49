"""Names that are keywords, and what stands inside `concat!`: paths that a move writes anew, whole outcomes."""

from tests.support.before_after import Check
from tests.support.moves import moved, plan


def test_a_path_that_the_move_writes_spells_keywords_raw(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        pub mod r#mod {
            use super::r#type::r#as;

            pub fn move_me() -> u8 {
                r#as() + self::r#in()
            }

            pub(super) fn r#in() -> u8 {
                1
            }
        }
        pub mod r#fn {}
        pub mod r#type {
            pub fn r#as() -> u8 {
                2
            }
        }
        """,
        """
        //- src/lib.rs
        pub mod r#mod {
            pub(super) fn r#in() -> u8 {
                1
            }
        }
        pub mod r#fn {
            use crate::r#type::r#as;

            pub fn move_me() -> u8 {
                r#as() + crate::r#mod::r#in()
            }
        }
        pub mod r#type {
            pub fn r#as() -> u8 {
                2
            }
        }
        """,
        source="src/lib.rs::mod",
        dest="src/lib.rs::fn",
    )


def test_an_alias_and_a_generic_argument_spell_keywords_raw(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        pub mod r#mod {
            use super::of as r#in;
            pub(super) const r#const: usize = 2;

            pub fn move_me() -> u8 {
                r#in::<{ r#const }>()
            }
        }
        pub mod b {}
        pub fn of<const N: usize>() -> u8 {
            N as u8
        }
        """,
        """
        //- src/lib.rs
        pub mod r#mod {
            pub(super) const r#const: usize = 2;
        }
        pub mod b {
            use crate::of as r#in;
            use crate::r#mod::r#const;

            pub fn move_me() -> u8 {
                r#in::<{ r#const }>()
            }
        }
        pub fn of<const N: usize>() -> u8 {
            N as u8
        }
        """,
        source="src/lib.rs::mod",
        dest="src/lib.rs::b",
    )


def test_a_file_that_concat_includes_is_found_from_the_new_place() -> None:
    body = 'pub fn move_me() -> &\'static str {\n    concat!(include_str!("{}"), "x")\n}\n'
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod sub {\n    pub mod beta;\n}\n",
        "src/alpha.rs": body.replace("{}", "text.txt"),
        "src/sub/beta.rs": "",
        "src/text.txt": "hi\n",
    }
    after = moved(files, "move_me", "src/alpha.rs", "src/sub/beta.rs")
    assert after == {**files, "src/alpha.rs": "", "src/sub/beta.rs": body.replace("{}", "../text.txt")}


def test_a_place_that_concat_spells_refuses(check: Check) -> None:
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me() -> &'static str {
            concat!(module_path!(), "::x")
        }
        //- src/beta.rs
        """,
        "location_sensitive_macro",
        "`module_path!` at src/alpha.rs:2",
    )


def test_a_macro_called_inside_concat_travels_with_its_only_caller() -> None:
    macro = 'macro_rules! own {\n    () => {\n        "o"\n    };\n}\n\n'
    body = "pub fn move_me() -> &'static str {\n    concat!(own!(), \"x\", -2.5, 'c')\n}\n"
    files = {"src/lib.rs": "pub mod alpha;\npub mod beta;\n", "src/alpha.rs": macro + body, "src/beta.rs": ""}
    after = plan(files, "move_me", "src/alpha.rs", "src/beta.rs")
    assert {f.path: f.after for f in after.files} == {
        "src/alpha.rs": b"",
        "src/beta.rs": (macro + body).encode(),
    }


def test_a_module_in_the_body_of_a_moved_function_refuses(check: Check) -> None:
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me() -> u8 {
            mod local {
                pub fn one() -> u8 {
                    1
                }
            }
            local::one()
        }
        //- src/beta.rs
        """,
        "not_movable",
        "the body of `move_me` in src/alpha.rs holds the module `local`",
    )


def test_an_alias_that_is_a_keyword_stays_raw_where_its_import_is_written_anew() -> None:
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\npub mod user;\n",
        "src/alpha.rs": "pub fn move_me() {}\n",
        "src/beta.rs": "",
        "src/user.rs": "use crate::alpha::move_me as r#impl;\n\npub fn call() {\n    r#impl();\n}\n",
    }
    after = moved(files, "move_me", "src/alpha.rs", "src/beta.rs")
    user = "use crate::beta::move_me as r#impl;\n\npub fn call() {\n    r#impl();\n}\n"
    assert after == {**files, "src/alpha.rs": "", "src/beta.rs": "pub fn move_me() {}\n", "src/user.rs": user}


LATER = {
    "src/lib.rs": "pub mod alpha;\npub mod beta;\npub mod dyn;\n",
    "src/dyn.rs": "pub fn async() -> u8 {\n    1\n}\n\npub fn twice() -> u8 {\n    async() + async()\n}\n",
    "src/alpha.rs": "use dyn::async;\n\npub fn move_me() -> u8 {\n    async() + 1\n}\n\npub fn stay() -> u8 {\n    async()\n}\n",
    "src/beta.rs": "",
}
"""In edition 2015 these are names; the grammar reads `async()` as an error."""


def test_a_name_that_became_a_keyword_is_a_name_in_edition_2015() -> None:
    after = moved(LATER, "move_me", "src/alpha.rs", "src/beta.rs", 2015)
    assert after["src/beta.rs"] == "use r#dyn::r#async;\n\npub fn move_me() -> u8 {\n    async() + 1\n}\n"
    assert after["src/alpha.rs"] == "use dyn::async;\n\npub fn stay() -> u8 {\n    async()\n}\n"


def test_an_item_whose_name_became_a_keyword_is_followed_in_edition_2015() -> None:
    after = moved(LATER, "async", "src/dyn.rs", "src/beta.rs", 2015)
    assert after["src/beta.rs"] == "pub fn async() -> u8 {\n    1\n}\n"
    assert after["src/dyn.rs"] == (
        "use crate::beta::r#async;\n\npub fn twice() -> u8 {\n    async() + async()\n}\n"
    )
    assert after["src/alpha.rs"] == LATER["src/alpha.rs"].replace("use dyn::async;", "use beta::async;")
