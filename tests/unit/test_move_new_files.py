"""Destinations that do not exist yet: the file, its `mod` line, and what refuses (frontier 3)."""

import pytest
from tests.support.before_after import Check, refused
from tests.support.moves import encoded, plan, workspace_of

from m1nd.domain.move.plan import plan_move
from m1nd.domain.move.request import MoveRequest
from m1nd.domain.refusal import Refused

CRATE = {"src/lib.rs": "pub mod alpha;\n", "src/alpha.rs": "pub fn move_me() {}\n"}


def test_a_missing_destination_refuses_where_it_is_not_to_be_made() -> None:
    """S7, seed 002 §7."""
    sources = encoded(CRATE)
    request = MoveRequest("move_me", "src/alpha.rs", "src/beta.rs")
    with pytest.raises(Refused) as found:
        plan_move(request, workspace_of(sources), frozenset(sources), {})
    assert found.value.refusal.code == "dest_missing"
    assert "src/beta.rs does not exist" in found.value.refusal.message


def test_the_line_stands_in_the_order_of_its_siblings_and_is_as_visible_as_they_are(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        //! About the crate.

        pub mod alpha;
        pub mod gamma;
        #[cfg(test)]
        mod tests;

        pub use alpha::move_me;
        //- src/alpha.rs
        use std::fmt::Debug;

        pub fn move_me(what: impl Debug) -> String {
            format!("{what:?}")
        }
        //- src/gamma.rs
        pub fn call() -> String {
            crate::alpha::move_me(1)
        }
        //- src/tests.rs
        #[test]
        fn works() {
            assert_eq!(super::move_me(1), "1");
        }
        """,
        """
        //- src/lib.rs
        //! About the crate.

        pub mod alpha;
        pub mod beta;
        pub mod gamma;
        #[cfg(test)]
        mod tests;

        pub use beta::move_me;
        //- src/alpha.rs
        //- src/beta.rs
        use std::fmt::Debug;

        pub fn move_me(what: impl Debug) -> String {
            format!("{what:?}")
        }
        //- src/gamma.rs
        pub fn call() -> String {
            crate::beta::move_me(1)
        }
        """,
        receipt={"files_created": ["src/beta.rs"], "dest_module": "crate::beta"},
    )


def test_lines_that_are_not_sorted_get_the_new_one_at_their_end(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        #[macro_use]
        mod zeta;
        mod gamma;
        mod alpha;

        pub fn go() -> u8 {
            gamma::two() + alpha::move_me()
        }
        //- src/zeta.rs
        macro_rules! one {
            () => {
                1
            };
        }
        //- src/gamma.rs
        pub fn two() -> u8 {
            one!() + one!()
        }
        //- src/alpha.rs
        pub fn move_me() -> u8 {
            one!()
        }
        """,
        """
        //- src/lib.rs
        #[macro_use]
        mod zeta;
        mod gamma;
        mod alpha;
        mod beta;

        pub fn go() -> u8 {
            gamma::two() + beta::move_me()
        }
        //- src/alpha.rs
        //- src/beta.rs
        pub fn move_me() -> u8 {
            one!()
        }
        """,
    )


def test_a_first_child_begins_its_folder_and_its_parents_list(check: Check) -> None:
    """The parent is the source itself, which goes on to show the item; the child is seen by who calls it by its new path."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;

        pub fn go() -> u8 {
            alpha::move_me()
        }
        //- src/alpha.rs
        //! Alpha.

        use std::cmp::max;

        pub fn move_me() -> u8 {
            max(1, 2)
        }

        pub fn stay() -> u8 {
            move_me()
        }
        """,
        """
        //- src/lib.rs
        pub mod alpha;

        pub fn go() -> u8 {
            crate::alpha::inner::move_me()
        }
        //- src/alpha.rs
        //! Alpha.

        pub use crate::alpha::inner::move_me;

        pub(super) mod inner;

        pub fn stay() -> u8 {
            move_me()
        }
        //- src/alpha/inner.rs
        use std::cmp::max;

        pub fn move_me() -> u8 {
            max(1, 2)
        }
        """,
        dest="src/alpha/inner.rs",
    )


def test_a_line_that_waits_for_its_file_is_used(check: Check) -> None:
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta {
            pub fn resident() {}
        }
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        "collision",
        "already defines or imports a `beta`",
    )
    files = {**CRATE, "src/lib.rs": "pub mod alpha;\npub(crate) mod beta;\n"}
    found = plan(files, "move_me", "src/alpha.rs", "src/beta.rs")
    assert {f.path: (f.before is None, f.after) for f in found.files} == {
        "src/alpha.rs": (False, b"pub use crate::beta::move_me;\n"),
        "src/beta.rs": (True, b"pub fn move_me() {}\n"),
    }


@pytest.mark.parametrize(
    "dest, code, words",
    [
        ("src/my-file.rs", "bad_destination", "cannot be a module name"),
        ("src/größe.rs", "bad_destination", "cannot be a module name"),
        ("src/std.rs", "bad_destination", "would shadow the crate `std`"),
        ("src/self.rs", "bad_destination", "cannot be a module name"),
        ("src/bin/tool.rs", "bad_destination", "a target of its own"),
        ("tests/common.rs", "bad_destination", "name tests/common/mod.rs"),
        ("build.rs", "bad_destination", "a target of its own"),
        ("src/main.rs", "stem_reserved", "the root of a crate"),
        ("src/far/away.rs", "dest_missing", "no module of a crate keeps its children in src/far/"),
        ("src/Alpha.rs", "bad_destination", "would both be files of a module"),
        ("src/alpha/mod.rs", "bad_destination", "would both be files of a module"),
    ],
)
def test_what_cannot_be_a_new_module_file_refuses(dest: str, code: str, words: str) -> None:
    found = refused(CRATE, "move_me", "src/alpha.rs", dest)
    assert found is not None
    assert found.refusal.code == code
    assert words in f"{found.refusal.message} {found.refusal.hint}"


def test_a_new_name_that_something_means_already_refuses(check: Check) -> None:
    """A module called `str` would take the type's place in every path that begins with it."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;

        pub fn parsed(text: &[u8]) -> bool {
            str::from_utf8(text).is_ok()
        }
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        "bad_destination",
        "`str` at src/lib.rs:4 would mean the new module",
        dest="src/str.rs",
    )


def test_a_lone_word_among_the_tokens_of_a_macro_is_no_module(check: Check) -> None:
    """walkdir: `Err(err) => return err` in a `macro_rules`, which no module called `err` changes."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;

        macro_rules! tried {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(err) => return Some(err),
                }
            };
        }

        pub fn go(given: Result<u8, u8>) -> Option<u8> {
            let _ = tried!(given);
            None
        }
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod err;

        macro_rules! tried {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(err) => return Some(err),
                }
            };
        }

        pub fn go(given: Result<u8, u8>) -> Option<u8> {
            let _ = tried!(given);
            None
        }
        //- src/alpha.rs
        //- src/err.rs
        pub fn move_me() {}
        """,
        dest="src/err.rs",
    )


def test_a_function_that_a_macros_body_calls_may_move_to_a_module_of_its_name(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        macro_rules! twice {
            ($e:expr) => {
                move_me($e) + move_me($e)
            };
        }

        fn move_me(n: u8) -> u8 {
            n
        }

        pub fn go() -> u8 {
            twice!(1)
        }
        """,
        """
        //- src/lib.rs
        use crate::move_me::move_me;

        mod move_me;

        macro_rules! twice {
            ($e:expr) => {
                move_me($e) + move_me($e)
            };
        }

        pub fn go() -> u8 {
            twice!(1)
        }
        //- src/move_me.rs
        pub(super) fn move_me(n: u8) -> u8 {
            n
        }
        """,
        source="src/lib.rs",
        dest="src/move_me.rs",
    )


def test_a_new_module_may_have_the_name_of_the_function_that_moves_there(check: Check) -> None:
    """num-integer: what a body holds is no item of a module that is called like the function."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        //- src/alpha.rs
        pub fn move_me() -> u8 {
            struct Held(u8);
            macro_rules! twice {
                ($e:expr) => {
                    $e + $e
                };
            }
            twice!(Held(1).0)
        }
        """,
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod move_me;
        //- src/alpha.rs
        //- src/move_me.rs
        pub fn move_me() -> u8 {
            struct Held(u8);
            macro_rules! twice {
                ($e:expr) => {
                    $e + $e
                };
            }
            twice!(Held(1).0)
        }
        """,
        dest="src/move_me.rs",
    )


def test_a_word_that_a_macro_may_make_an_item_of_refuses_beside_it(check: Check) -> None:
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;

        macro_rules! made {
            ($name:ident) => {
                #[allow(non_camel_case_types)]
                pub struct $name;
            };
        }
        made!(err);
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        "bad_destination",
        "`err` at src/lib.rs:9 would mean the new module",
        dest="src/err.rs",
    )


def test_a_word_of_an_attribute_is_no_module(check: Check) -> None:
    """`#[arg(long)]` beside a module called `long`: the words of a derive's own attribute are its own."""
    lib = "pub mod alpha;\n\n#[derive(Debug)]\n#[some::tool(long)]\npub struct S;\n"
    files = {**CRATE, "src/lib.rs": lib}
    found = plan(files, "move_me", "src/alpha.rs", "src/long.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/lib.rs": lib.replace("alpha;\n", "alpha;\npub mod long;\n").encode(),
        "src/alpha.rs": b"",
        "src/long.rs": b"pub fn move_me() {}\n",
    }


def test_a_value_below_the_new_line_keeps_its_meaning() -> None:
    """Only types and modules are looked up where a module's name is; what stands behind the line has moved down with it."""
    lib = "pub mod alpha;\n\npub fn go(beta: u8) -> u8 {\n    beta + alpha::move_me()\n}\n"
    found = plan(
        {"src/lib.rs": lib, "src/alpha.rs": "pub fn move_me() -> u8 {\n    1\n}\n"},
        "move_me",
        "src/alpha.rs",
        "src/beta.rs",
    )
    assert {f.path: f.after for f in found.files} == {
        "src/lib.rs": b"pub mod alpha;\npub mod beta;\n\npub fn go(beta: u8) -> u8 {\n    beta + crate::beta::move_me()\n}\n",
        "src/alpha.rs": b"",
        "src/beta.rs": b"pub fn move_me() -> u8 {\n    1\n}\n",
    }


def test_a_parent_that_is_included_elsewhere_gets_no_child() -> None:
    """Its `mod` line would be compiled there too, where no such file is."""
    files = {**CRATE, "build.rs": 'include!("src/lib.rs");\nfn main() {}\n'}
    found = refused(files, "move_me", "src/alpha.rs", "src/beta.rs")
    assert found is not None and found.refusal.code == "multiple_mounts"
    assert "src/lib.rs" in found.refusal.message


def test_a_made_parent_of_macros_is_seen_by_all_who_call_them(check: Check) -> None:
    """uuid: a `#[macro_use]` module goes below a new one, which is private like any without siblings."""
    macros = "macro_rules! one {\n    () => {\n        1\n    };\n}\n"
    files = {
        "src/lib.rs": "#[macro_use]\nmod macros;\nmod alpha;\npub mod gamma;\n",
        "src/macros.rs": macros,
        "src/alpha.rs": "",
        "src/gamma.rs": "pub fn go() -> u8 {\n    one!()\n}\n",
    }
    found = plan(files, "macros", "src/lib.rs", "src/alpha/made.rs")
    assert {f.path: f.after for f in found.files} == {
        "src/lib.rs": b"mod alpha;\npub mod gamma;\n",
        "src/macros.rs": None,
        "src/alpha.rs": b"pub(super) mod made;\n",
        "src/alpha/made.rs": b"#[macro_use]\npub(crate) mod macros;\n",
        "src/alpha/made/macros.rs": f"{macros}pub(crate) use one;\n".encode(),
        "src/gamma.rs": b"use crate::alpha::made::macros::one;\n\npub fn go() -> u8 {\n    one!()\n}\n",
    }


def test_a_gated_source_has_no_ungated_new_home(check: Check) -> None:
    check.refused(
        """
        //- src/lib.rs
        #[cfg(test)]
        mod alpha;
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        "cfg_mismatch",
        "src/alpha.rs is compiled only under #[cfg(test)]",
    )
