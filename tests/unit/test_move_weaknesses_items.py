"""Which item moves and what text goes with it. Numbers W… are those of the study."""

import pytest
from tests.support.before_after import Check


def test_a_method_is_named_with_its_owner_and_refused(check: Check) -> None:
    """W8: a file with methods only."""
    check.refused(
        """
        //- src/alpha.rs
        pub struct Counter {
            pub n: u32,
        }

        impl Counter {
            pub fn bump(&mut self) -> u32 {
                self.n += 1;
                self.n
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "not_top_level_fn",
        "Counter::bump",
        symbol="bump",
    )


def test_a_mod_is_named_and_refused(check: Check) -> None:
    """Seed 002 §7: "not found" would be a lie."""
    check.refused(
        """
        //- src/alpha.rs
        pub mod thing {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        "not_top_level_fn",
        "`thing` (mod)",
        symbol="thing",
    )


@pytest.mark.parametrize(
    "line, item, called",
    [
        (1, "use std::fmt::Debug as _;", "the use"),
        (1, "extern crate alloc as spare;", "`spare` (extern crate)"),
        (1, 'unsafe extern "C" { pub safe fn abs(x: i32) -> i32; }', "the foreign mod"),
        (
            2,
            "pub struct S;\n        impl Clone for S { fn clone(&self) -> S { S } }",
            "`impl Clone for S` (impl)",
        ),
    ],
)
def test_what_moves_with_something_else_only_is_named_by_its_line_and_refused(
    check: Check, line: int, item: str, called: str
) -> None:
    """Frontier 1: an impl moves with its type, an import with what needs it."""
    check.refused(
        f"""
        //- src/alpha.rs
        {item}
        //- src/beta.rs
        pub fn resident() {{}}
        """,
        "not_top_level_fn",
        called,
        symbol=f"src/alpha.rs:{line}",
    )


def test_a_homonym_method_above_the_fn_is_not_the_fn(check: Check) -> None:
    """W9: items are parsed, never found by a line of text."""
    check(
        """
        //- src/alpha.rs
        pub struct Job {
            pub id: u32,
        }

        impl Job {
            pub fn run(&self) -> u32 {
                self.id
            }
        }

        pub fn run(id: u32) -> u32 {
            id + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub struct Job {
            pub id: u32,
        }

        impl Job {
            pub fn run(&self) -> u32 {
                self.id
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn run(id: u32) -> u32 {
            id + 1
        }
        """,
        symbol="run",
    )


def test_an_attribute_over_several_lines_moves(check: Check) -> None:
    """W28: and nothing of it is left to land on the next item."""
    check(
        """
        //- src/alpha.rs
        pub fn stay() {}

        #[deprecated(
            since = "1.0.0",
            note = "gone"
        )]
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        #[deprecated(
            since = "1.0.0",
            note = "gone"
        )]
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_a_block_doc_comment_moves(check: Check) -> None:
    """W28: with a blank line below it too."""
    check(
        """
        //- src/alpha.rs
        pub fn stay() {}

        /**
         * Adds one.
         */

        #[inline]
        // Called often.
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        /**
         * Adds one.
         */

        #[inline]
        // Called often.
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_inner_docs_belong_to_the_file(check: Check) -> None:
    """W29: right above the fn."""
    check(
        """
        //- src/alpha.rs
        //! The mill's first book.
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //! The mill's first book.
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_a_detached_comment_stays(check: Check) -> None:
    """W29: a licence or the title of a section is not the item's."""
    check(
        """
        //- src/alpha.rs
        // Copyright 2031 The Mill.

        // Adds one.
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        // ---- the rest ----

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        // Copyright 2031 The Mill.

        // ---- the rest ----

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        // Adds one.
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )
