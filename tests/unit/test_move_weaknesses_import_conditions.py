"""Conditions on imports, re-exports, bound names. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_a_condition_goes_with_its_import(check: Check) -> None:
    """W31: no attribute is left to gate the next item."""
    check(
        """
        //- src/alpha.rs
        #[cfg(unix)]
        use std::path::PathBuf;

        pub fn stay() -> u32 {
            0
        }

        #[cfg(unix)]
        pub fn move_me() -> PathBuf {
            PathBuf::new()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            0
        }
        //- src/beta.rs
        #[cfg(unix)]
        use std::path::PathBuf;

        pub fn resident() {}

        #[cfg(unix)]
        pub fn move_me() -> PathBuf {
            PathBuf::new()
        }
        """,
    )


def test_a_split_group_keeps_its_condition(check: Check) -> None:
    """W31: both halves stand under it."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        #[cfg(test)]
        use crate::alpha::{move_me, stay};

        #[test]
        fn both() {
            assert_eq!(move_me() + stay(), 3);
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            1
        }
        //- src/gamma.rs
        #[cfg(test)]
        use crate::alpha::stay;
        #[cfg(test)]
        use crate::beta::move_me;

        #[test]
        fn both() {
            assert_eq!(move_me() + stay(), 3);
        }
        """,
    )


def test_an_import_that_only_tests_still_use_is_gated(check: Check) -> None:
    """W31: the plain build would call it unused."""
    check(
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }

        pub fn stay() {}

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn empty() {
                assert_eq!(BTreeMap::<u8, u8>::new().len(), 0);
                stay();
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        #[cfg(test)]
        use std::collections::BTreeMap;

        pub fn stay() {}

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn empty() {
                assert_eq!(BTreeMap::<u8, u8>::new().len(), 0);
                stay();
            }
        }
        //- src/beta.rs
        use std::collections::BTreeMap;

        pub fn resident() {}

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
    )


def test_a_re_export_is_never_pruned(check: Check) -> None:
    """W32: others reach the name through it."""
    check(
        """
        //- src/alpha.rs
        pub use std::collections::BTreeMap;

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::BTreeMap;

        pub fn go() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
        """
        //- src/alpha.rs
        pub use std::collections::BTreeMap;

        pub fn stay() {}
        //- src/beta.rs
        use std::collections::BTreeMap;

        pub fn resident() {}

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
        receipt={"imports_pruned": []},
    )


def test_a_private_import_that_another_module_goes_through_stays(check: Check) -> None:
    """W32: a child reaches it by `super::`."""
    check(
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }

        pub mod inner {
            pub fn go() -> super::BTreeMap<u8, u8> {
                super::BTreeMap::new()
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::collections::BTreeMap;

        pub mod inner {
            pub fn go() -> super::BTreeMap<u8, u8> {
                super::BTreeMap::new()
            }
        }
        //- src/beta.rs
        use std::collections::BTreeMap;

        pub fn resident() {}

        pub fn move_me() -> BTreeMap<u8, u8> {
            BTreeMap::new()
        }
        """,
        receipt={"imports_pruned": []},
    )


def test_a_bound_name_of_another_meaning_is_written_out(check: Check) -> None:
    """W36: `Result` is two things."""
    check(
        """
        //- src/alpha.rs
        use std::fmt::{Error, Result};

        pub fn move_me(good: bool) -> Result {
            if good { Ok(()) } else { Err(Error) }
        }

        pub fn stay() -> Result {
            Ok(())
        }
        //- src/beta.rs
        use std::io::Result;

        pub fn resident() -> Result<()> {
            Ok(())
        }
        """,
        """
        //- src/alpha.rs
        use std::fmt::Result;

        pub fn stay() -> Result {
            Ok(())
        }
        //- src/beta.rs
        use std::io::Result;
        use std::fmt::Error;

        pub fn resident() -> Result<()> {
            Ok(())
        }

        pub fn move_me(good: bool) -> std::fmt::Result {
            if good { Ok(()) } else { Err(Error) }
        }
        """,
    )


def test_a_bound_name_of_the_same_meaning_is_used(check: Check) -> None:
    """W36: by another path to the same thing."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub use alpha::Sack;
        //- src/alpha.rs
        pub struct Sack;

        pub fn move_me() -> Sack {
            Sack
        }
        //- src/beta.rs
        use crate::Sack;

        pub fn resident() -> Sack {
            Sack
        }
        """,
        """
        //- src/alpha.rs
        pub struct Sack;
        //- src/beta.rs
        use crate::Sack;

        pub fn resident() -> Sack {
            Sack
        }

        pub fn move_me() -> Sack {
            Sack
        }
        """,
        receipt={"imports_carried": []},
    )


def test_a_trait_import_that_served_only_the_moved_calls_goes(check: Check) -> None:
    """W18: also when the new home has the trait already and nothing is carried."""
    check(
        """
        //- src/alpha.rs
        use crate::beta::Turn;

        pub fn move_me(x: u32) -> u32 {
            x.turn()
        }

        pub fn stay() {}
        //- src/beta.rs
        pub trait Turn {
            fn turn(self) -> u32;
        }

        impl Turn for u32 {
            fn turn(self) -> u32 {
                self ^ 1
            }
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub trait Turn {
            fn turn(self) -> u32;
        }

        impl Turn for u32 {
            fn turn(self) -> u32 {
                self ^ 1
            }
        }

        pub fn move_me(x: u32) -> u32 {
            x.turn()
        }
        """,
        receipt={"imports_carried": [], "imports_pruned": ["src/alpha.rs: use crate::beta::Turn;"]},
    )


def test_an_import_that_only_a_conditional_method_needs_stands_under_its_condition(check: Check) -> None:
    """From a false ideal (lz4_flex): an unused import where it is an error."""
    check(
        """
        //- src/alpha.rs
        fn hash() -> u8 {
            1
        }

        pub fn stay() -> u8 {
            hash()
        }

        pub trait MoveMe {
            #[cfg(target_pointer_width = "16")]
            fn at() -> u8 {
                hash()
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) fn hash() -> u8 {
            1
        }

        pub fn stay() -> u8 {
            hash()
        }
        //- src/beta.rs
        #[cfg(target_pointer_width = "16")]
        use crate::alpha::hash;

        pub fn resident() {}

        pub trait MoveMe {
            #[cfg(target_pointer_width = "16")]
            fn at() -> u8 {
                hash()
            }
        }
        """,
        symbol="MoveMe",
    )
