"""Imports merged, carried, placed. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_new_imports_and_items_stand_between_items(check: Check) -> None:
    """W2: a `use` over several lines is one item, at the destination and at the source."""
    check(
        """
        //- src/alpha.rs
        use std::{
            collections::BTreeMap,
            fmt::Debug,
        };

        pub fn move_me<T: Debug>(m: &BTreeMap<u8, T>) -> String {
            format!("{m:?}")
        }

        pub fn stay(m: &BTreeMap<u8, u8>) -> String {
            move_me(m)
        }
        //- src/beta.rs
        use std::{
            collections::HashMap,
            fmt::Display,
        };

        pub fn resident<T: Display>(m: &HashMap<u8, T>) -> usize {
            m.len()
        }
        """,
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;
        use crate::beta::move_me;

        pub fn stay(m: &BTreeMap<u8, u8>) -> String {
            move_me(m)
        }
        //- src/beta.rs
        use std::{
            collections::HashMap,
            fmt::Display,
        };
        use std::fmt::Debug;
        use std::collections::BTreeMap;

        pub fn resident<T: Display>(m: &HashMap<u8, T>) -> usize {
            m.len()
        }

        pub fn move_me<T: Debug>(m: &BTreeMap<u8, T>) -> String {
            format!("{m:?}")
        }
        """,
    )


def test_an_import_that_the_destination_has_is_not_written_twice(check: Check) -> None:
    """W13: imports are merged by what they resolve to."""
    check(
        """
        //- src/alpha.rs
        pub fn shared(x: u32) -> u32 {
            x
        }

        pub fn stay(x: u32) -> u32 {
            shared(x)
        }

        pub fn move_me(x: u32) -> u32 {
            shared(x)
        }
        //- src/beta.rs
        use crate::alpha::{move_me, shared};

        pub fn resident(x: u32) -> u32 {
            move_me(x) + shared(x)
        }
        """,
        """
        //- src/alpha.rs
        pub fn shared(x: u32) -> u32 {
            x
        }

        pub fn stay(x: u32) -> u32 {
            shared(x)
        }
        //- src/beta.rs
        use crate::alpha::shared;

        pub fn resident(x: u32) -> u32 {
            move_me(x) + shared(x)
        }

        pub fn move_me(x: u32) -> u32 {
            shared(x)
        }
        """,
        receipt={"imports_carried": []},
    )


def test_a_trait_needed_only_for_its_methods_is_carried(check: Check) -> None:
    """W17: no name of it is spelled in the body."""
    check(
        """
        //- src/alpha.rs
        use std::io::Write;

        pub fn move_me(out: &mut Vec<u8>) {
            out.write_all(b"x").unwrap();
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        use std::io::Write;

        pub fn resident() {}

        pub fn move_me(out: &mut Vec<u8>) {
            out.write_all(b"x").unwrap();
        }
        """,
        receipt={"imports_pruned": ["src/alpha.rs: use std::io::Write;"]},
    )


def test_a_trait_that_the_rest_needs_for_its_methods_stays(check: Check) -> None:
    """W18: nothing is pruned because its name is not spelled."""
    check(
        """
        //- src/alpha.rs
        use std::fmt::Write;

        pub fn move_me<W: Write>(out: &mut W) {
            let _ = out.write_char('a');
        }

        pub fn stay(out: &mut String) {
            let _ = out.write_str("b");
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::fmt::Write;

        pub fn stay(out: &mut String) {
            let _ = out.write_str("b");
        }
        //- src/beta.rs
        use std::fmt::Write;

        pub fn resident() {}

        pub fn move_me<W: Write>(out: &mut W) {
            let _ = out.write_char('a');
        }
        """,
        receipt={"imports_pruned": []},
    )


def test_a_homonym_imported_at_the_destination_refuses(check: Check) -> None:
    """W23: the import is named."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        use crate::gamma::move_me;

        pub fn resident() -> u32 {
            move_me(1)
        }
        //- src/gamma.rs
        pub fn move_me(x: u32) -> u32 {
            x + 2
        }
        """,
        "collision",
        "src/beta.rs imports a `move_me`",
        "gamma::move_me",
    )


def test_a_homonym_that_a_glob_brings_refuses(check: Check) -> None:
    """W23: enum variants by glob are names of the destination too."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        use crate::gamma::*;

        pub fn resident() -> u32 {
            move_me(1)
        }
        //- src/gamma.rs
        pub fn move_me(x: u32) -> u32 {
            x + 2
        }
        """,
        "shadows_glob_import",
        "`move_me`",
    )


def test_a_homonym_of_a_private_glob_that_nobody_spells_is_shadowed(check: Check) -> None:
    """W23, W46: the destination never meant it, so nothing changes its meaning."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        use crate::gamma::*;

        pub fn resident() -> u32 {
            other(1)
        }
        //- src/gamma.rs
        pub fn move_me(x: u32) -> u32 {
            x + 2
        }

        pub fn other(x: u32) -> u32 {
            move_me(x)
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        use crate::gamma::*;

        pub fn resident() -> u32 {
            other(1)
        }

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_a_homonym_of_a_public_glob_refuses(check: Check) -> None:
    """W23: other modules and crates mean it by the destination's path."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub use crate::gamma::*;
        //- src/gamma.rs
        pub fn move_me(x: u32) -> u32 {
            x + 2
        }
        """,
        "shadows_glob_import",
        "`move_me`",
    )


def test_imports_stand_behind_the_head_of_the_file(check: Check) -> None:
    """W30: a licence, inner docs and inner attributes stay first."""
    check(
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        //- src/beta.rs
        // Copyright 2031 The Mill.

        //! The mill's second book.
        #![allow(dead_code)]

        /// The first of the book.
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        // Copyright 2031 The Mill.

        //! The mill's second book.
        #![allow(dead_code)]

        use std::collections::BTreeMap;

        /// The first of the book.
        pub fn resident() {}

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
    )


def test_imports_stand_behind_the_imports_and_extern_crates(check: Check) -> None:
    """W30: in the first block."""
    check(
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        //- src/beta.rs
        extern crate std as all;
        use all::fmt::Debug;

        pub fn resident(_: &dyn Debug) {}

        use all::fmt::Display;

        pub fn second(_: &dyn Display) {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        extern crate std as all;
        use all::fmt::Debug;
        use std::collections::BTreeMap;

        pub fn resident(_: &dyn Debug) {}

        use all::fmt::Display;

        pub fn second(_: &dyn Display) {}

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
    )
