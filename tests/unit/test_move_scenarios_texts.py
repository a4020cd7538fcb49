"""Scenarios about the text that travels and about who refers to it. Numbers S… are those of the study."""

from tests.support.before_after import Check


def test_docs_and_attributes_travel(check: Check) -> None:
    """S12."""
    check(
        """
        //- src/alpha.rs
        pub fn stay() {}

        /// Grinds once.
        /// Grinds twice.
        #[inline]
        pub fn move_me() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        /// Grinds once.
        /// Grinds twice.
        #[inline]
        pub fn move_me() {}
        """,
    )


def test_two_referencers_and_a_qualified_call(check: Check) -> None:
    """S9, S10: each in its own style."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/delta.rs
        pub fn go() {
            crate::alpha::move_me();
            super::alpha::move_me()
        }
        //- src/gamma.rs
        use crate::alpha::move_me;

        pub fn go() {
            move_me()
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() {}
        //- src/delta.rs
        pub fn go() {
            crate::beta::move_me();
            super::beta::move_me()
        }
        //- src/gamma.rs
        use crate::beta::move_me;

        pub fn go() {
            move_me()
        }
        """,
        receipt={"refs_rewritten": 3, "referencing_files": ["src/delta.rs", "src/gamma.rs"]},
    )


def test_a_brace_in_a_string_ends_nothing(check: Check) -> None:
    """S20."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> String {
            let open = "{";
            let close = '}';
            format!("{open}}}{{ {close}")
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> String {
            let open = "{";
            let close = '}';
            format!("{open}}}{{ {close}")
        }
        """,
    )


def test_an_alias_in_a_group_is_kept(check: Check) -> None:
    """S25."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() {}

        pub fn stay_here() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::{move_me as mm, stay_here};

        pub fn go() {
            mm();
            stay_here()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay_here() {}
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() {}
        //- src/gamma.rs
        use crate::alpha::stay_here;
        use crate::beta::move_me as mm;

        pub fn go() {
            mm();
            stay_here()
        }
        """,
    )


def test_unicode_travels(check: Check) -> None:
    """S27: identifiers, strings and comments beyond ASCII."""
    check(
        """
        //- src/alpha.rs
        // Größe — 大きさ
        pub fn größe(länge: u32) -> String {
            let 長さ = länge;
            format!("{長さ}“…” 🦀")
        }

        pub fn stay() -> String {
            größe(1)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::größe;

        pub fn stay() -> String {
            größe(1)
        }
        //- src/beta.rs
        pub fn resident() {}

        // Größe — 大きさ
        pub fn größe(länge: u32) -> String {
            let 長さ = länge;
            format!("{長さ}“…” 🦀")
        }
        """,
        symbol="größe",
    )


def test_generics_and_where_clauses_travel_whole(check: Check) -> None:
    """S28."""
    check(
        """
        //- src/alpha.rs
        use std::fmt::Debug;
        use std::hash::Hash;

        pub fn move_me<'a, T, const N: usize>(all: &'a [T; N]) -> impl Iterator<Item = &'a T> + 'a
        where
            T: Debug
                + Hash
                + 'a,
            for<'b> &'b T: PartialEq,
        {
            all.iter()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        use std::fmt::Debug;
        use std::hash::Hash;

        pub fn resident() {}

        pub fn move_me<'a, T, const N: usize>(all: &'a [T; N]) -> impl Iterator<Item = &'a T> + 'a
        where
            T: Debug
                + Hash
                + 'a,
            for<'b> &'b T: PartialEq,
        {
            all.iter()
        }
        """,
    )


def test_an_inline_module_of_the_source_stays(check: Check) -> None:
    """S29."""
    check(
        """
        //- src/alpha.rs
        pub mod inner {
            pub fn deep() -> u32 {
                2
            }
        }

        pub fn move_me() -> u32 {
            1
        }

        pub fn other() -> u32 {
            inner::deep()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            pub fn deep() -> u32 {
                2
            }
        }

        pub fn other() -> u32 {
            inner::deep()
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            1
        }
        """,
    )


def test_a_destination_that_calls_the_item_keeps_it_once(check: Check) -> None:
    """S32: one edit a file."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() -> u32 {
            crate::alpha::move_me()
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() -> u32 {
            crate::beta::move_me()
        }

        pub fn move_me() -> u32 {
            1
        }
        """,
    )
