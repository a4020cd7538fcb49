"""Traits: implementors, callers, and who has the trait in scope without naming it (frontier 1d)."""

from tests.support.before_after import Check


def test_a_trait_moves_away_from_its_implementors_and_callers(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub trait Float {
            const DRAUGHT: u32;

            fn sinks(&self) -> bool {
                Self::DRAUGHT > 3
            }
        }

        pub struct Raft;

        impl Float for Raft {
            const DRAUGHT: u32 = 1;
        }

        pub fn test(raft: &Raft) -> bool {
            raft.sinks()
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::{Float, Raft};

        pub struct Tug;

        impl Float for Tug {
            const DRAUGHT: u32 = Raft::DRAUGHT + 4;
        }

        pub fn any(one: &dyn Fn() -> Tug) -> bool {
            one().sinks()
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Float;

        pub struct Raft;

        impl Float for Raft {
            const DRAUGHT: u32 = 1;
        }

        pub fn test(raft: &Raft) -> bool {
            raft.sinks()
        }
        //- src/beta.rs
        pub fn resident() {}

        pub trait Float {
            const DRAUGHT: u32;

            fn sinks(&self) -> bool {
                Self::DRAUGHT > 3
            }
        }
        //- src/gamma.rs
        use crate::alpha::Raft;
        use crate::beta::Float;

        pub struct Tug;

        impl Float for Tug {
            const DRAUGHT: u32 = Raft::DRAUGHT + 4;
        }

        pub fn any(one: &dyn Fn() -> Tug) -> bool {
            one().sinks()
        }
        """,
        symbol="Float",
    )


def test_a_trait_that_is_only_called_by_method_syntax_is_still_in_scope(check: Check) -> None:
    """The caller got the trait through a glob of its old home."""
    check(
        """
        //- src/alpha.rs
        pub trait Twice {
            fn twice(self) -> Self;
        }

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }

        pub fn other() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::*;

        pub fn four() -> u32 {
            other();
            2.twice()
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Twice;

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }

        pub fn other() {}
        //- src/beta.rs
        pub fn resident() {}

        pub trait Twice {
            fn twice(self) -> Self;
        }
        //- src/gamma.rs
        use crate::alpha::*;
        use crate::beta::Twice;

        pub fn four() -> u32 {
            other();
            2.twice()
        }
        """,
        symbol="Twice",
    )


def test_a_type_that_a_trait_binds_stays_as_visible_as_the_trait_asks(check: Check) -> None:
    """E0446: `type Item` may not be more private than the type that moves."""
    check(
        """
        //- src/alpha.rs
        struct Wave;

        struct Swell {
            left: u8,
        }

        impl Iterator for Swell {
            type Item = Wave;

            fn next(&mut self) -> Option<Wave> {
                self.left.checked_sub(1).map(|left| {
                    self.left = left;
                    Wave
                })
            }
        }

        pub fn waves() -> usize {
            Swell { left: 3 }.count()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Swell;

        pub(super) struct Wave;

        pub fn waves() -> usize {
            Swell { left: 3 }.count()
        }
        //- src/beta.rs
        use crate::alpha::Wave;

        pub fn resident() {}

        pub(super) struct Swell {
            pub(super) left: u8,
        }

        impl Iterator for Swell {
            type Item = Wave;

            fn next(&mut self) -> Option<Wave> {
                self.left.checked_sub(1).map(|left| {
                    self.left = left;
                    Wave
                })
            }
        }
        """,
        symbol="Swell",
    )


def test_a_method_call_that_would_get_a_second_trait_refuses(check: Check) -> None:
    """E0034 at the new home: its own text calls another trait's method of that name."""
    check.refused(
        """
        //- src/alpha.rs
        pub trait Loud {
            fn call(&self) -> u8;
        }

        impl Loud for u8 {
            fn call(&self) -> u8 {
                1
            }
        }
        //- src/beta.rs
        pub trait Soft {
            fn call(&self) -> u8;
        }

        impl Soft for u8 {
            fn call(&self) -> u8 {
                2
            }
        }

        pub fn two(n: u8) -> u8 {
            n.call()
        }
        """,
        "trait_method_ambiguity",
        "src/beta.rs:12",
        "Soft::call",
        symbol="Loud",
    )


def test_a_trait_that_may_be_called_is_imported_with_leave_where_unused_imports_are_errors(
    check: Check,
) -> None:
    check(
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub trait Size {
            fn size(&self) -> usize {
                1
            }
        }

        pub struct Crate(pub Vec<u8>);

        pub fn sizes(of: &[Crate]) -> usize {
            of.iter().map(|c| c.0.len()).sum::<usize>() + boxed().size()
        }

        fn boxed() -> Box<dyn Size> {
            todo!()
        }

        pub mod inner {
            use super::*;

            pub fn first(of: &[Crate]) -> usize {
                of[0].0.len()
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Size;

        pub struct Crate(pub Vec<u8>);

        pub fn sizes(of: &[Crate]) -> usize {
            of.iter().map(|c| c.0.len()).sum::<usize>() + boxed().size()
        }

        fn boxed() -> Box<dyn Size> {
            todo!()
        }

        pub mod inner {
            use super::*;

            pub fn first(of: &[Crate]) -> usize {
                of[0].0.len()
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub trait Size {
            fn size(&self) -> usize {
                1
            }
        }
        """,
        symbol="Size",
    )
    check(
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        pub mod beta;
        pub mod gamma;
        //- src/alpha.rs
        pub trait Size {
            fn len(&self) -> usize {
                1
            }
        }

        pub struct Crate(pub Vec<u8>);
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::*;

        pub fn sizes(of: &Crate) -> usize {
            of.0.len()
        }
        """,
        """
        //- src/alpha.rs
        pub struct Crate(pub Vec<u8>);
        //- src/beta.rs
        pub fn resident() {}

        pub trait Size {
            fn len(&self) -> usize {
                1
            }
        }
        //- src/gamma.rs
        use crate::alpha::*;
        #[allow(unused_imports)]
        use crate::beta::Size;

        pub fn sizes(of: &Crate) -> usize {
            of.0.len()
        }
        """,
        symbol="Size",
    )


def test_a_glob_inside_a_function_brings_the_trait_no_more(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub trait Twice {
            fn twice(self) -> Self;
        }

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }

        pub fn one() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        pub fn two() -> u32 {
            use crate::alpha::*;
            one().twice()
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Twice;

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }

        pub fn one() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}

        pub trait Twice {
            fn twice(self) -> Self;
        }
        //- src/gamma.rs
        pub fn two() -> u32 {
            use crate::alpha::*;
            use crate::beta::Twice;
            one().twice()
        }
        """,
        symbol="Twice",
    )


def test_a_trait_called_from_a_doc_test_of_the_crate_stays_in_its_scope(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        /// ```
        /// use case::alpha::Twice;
        /// assert_eq!(2.twice(), 4);
        /// ```
        pub trait Twice {
            fn twice(self) -> Self;
        }

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Twice;

        impl Twice for u32 {
            fn twice(self) -> u32 {
                self * 2
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        /// ```
        /// use case::beta::Twice;
        /// assert_eq!(2.twice(), 4);
        /// ```
        pub trait Twice {
            fn twice(self) -> Self;
        }
        """,
        symbol="Twice",
    )


def test_a_trait_that_calls_its_own_methods_is_not_imported_at_its_new_home(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub trait Spoken {
            fn word(&self) -> String;

            fn twice(&self) -> String {
                self.word() + &self.word()
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        pub trait Spoken {
            fn word(&self) -> String;

            fn twice(&self) -> String {
                self.word() + &self.word()
            }
        }
        """,
        symbol="Spoken",
    )


def test_a_trait_that_would_take_calls_on_unknown_receivers_refuses(check: Check) -> None:
    """`Box<[T]>` gets the trait's `len` before the slice's: what the destination calls would mean something else."""
    check.refused(
        """
        //- src/alpha.rs
        pub trait Pool<T> {
            fn len(&self) -> usize;
        }

        impl<T> Pool<T> for Box<[usize]> {
            fn len(&self) -> usize {
                <[usize]>::len(self)
            }
        }

        pub fn move_me<T, P: Pool<T>>(pool: &P) -> usize {
            pool.len()
        }
        //- src/beta.rs
        pub fn sum(of: Box<[usize]>) -> usize {
            of.len() + 1
        }
        """,
        "trait_method_ambiguity",
        "`.len()` at line 2 there could then mean Pool::len",
    )


def test_a_trait_that_home_had_in_scope_without_a_name_needs_no_import_of_itself(check: Check) -> None:
    """unsafe-libyaml: `use crate::ops::ForceMul as _;`, unused once the trait stands there."""
    check(
        """
        //- src/alpha.rs
        pub(crate) trait Force {
            fn force(self) -> u8;
        }
        impl Force for u8 {
            fn force(self) -> u8 {
                self
            }
        }
        //- src/beta.rs
        use crate::alpha::Force as _;

        pub fn resident() -> u8 {
            1u8.force()
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Force;

        impl Force for u8 {
            fn force(self) -> u8 {
                self
            }
        }
        //- src/beta.rs
        pub fn resident() -> u8 {
            1u8.force()
        }

        pub(crate) trait Force {
            fn force(self) -> u8;
        }
        """,
        symbol="Force",
    )


def test_a_trait_s_function_by_the_path_of_an_enum_needs_the_trait(check: Check) -> None:
    """ron: `Value::from_str(…)`, where only the tests import `FromStr`."""
    check(
        """
        //- src/alpha.rs
        use std::str::FromStr;

        use crate::gamma::Value;

        pub fn move_me() -> Value {
            Value::from_str("").unwrap_or(Value::None)
        }
        //- src/beta.rs
        //- src/gamma.rs
        pub enum Value {
            None,
        }

        impl std::str::FromStr for Value {
            type Err = ();

            fn from_str(_: &str) -> Result<Self, ()> {
                Ok(Value::None)
            }
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        use crate::gamma::Value;
        use std::str::FromStr;

        pub fn move_me() -> Value {
            Value::from_str("").unwrap_or(Value::None)
        }
        """,
    )


def test_a_trait_stays_for_the_path_of_an_enum_that_stays(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        use std::str::FromStr;

        pub enum Value {
            None,
        }

        impl FromStr for Value {
            type Err = ();

            fn from_str(_: &str) -> Result<Self, ()> {
                Ok(Value::None)
            }
        }

        pub mod inner {
            use std::str::FromStr;

            use super::Value;

            pub fn stay() -> Value {
                Value::from_str("").unwrap_or(Value::None)
            }

            pub fn move_me() -> Value {
                Value::from_str("").unwrap_or(Value::None)
            }
        }
        //- src/beta.rs
        """,
        """
        //- src/alpha.rs
        use std::str::FromStr;

        pub enum Value {
            None,
        }

        impl FromStr for Value {
            type Err = ();

            fn from_str(_: &str) -> Result<Self, ()> {
                Ok(Value::None)
            }
        }

        pub mod inner {
            use std::str::FromStr;

            use super::Value;

            pub fn stay() -> Value {
                Value::from_str("").unwrap_or(Value::None)
            }
        }
        //- src/beta.rs
        use crate::alpha::Value;
        use std::str::FromStr;

        pub fn move_me() -> Value {
            Value::from_str("").unwrap_or(Value::None)
        }
        """,
        source="src/alpha.rs::inner",
    )
