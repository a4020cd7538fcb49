"""Items that are no functions: what moves along, what stays, what must become visible (frontiers 1b to 1e)."""

import pytest
from tests.support.before_after import Check


def test_a_const_moves_with_its_private_parts_and_stays_a_pattern(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        const HALF: u8 = 3;

        /// The whole.
        pub const WHOLE: u8 = HALF * 2;

        pub fn is_whole(n: u8) -> bool {
            matches!(n, WHOLE)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::WHOLE;

        pub fn is_whole(n: u8) -> bool {
            matches!(n, WHOLE)
        }
        //- src/beta.rs
        pub fn resident() {}

        const HALF: u8 = 3;

        /// The whole.
        pub const WHOLE: u8 = HALF * 2;
        """,
        symbol="WHOLE",
        receipt={"deps_travelled": ["HALF"], "moved_symbol": "WHOLE"},
    )


def test_a_private_static_is_shown_to_those_that_write_it(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        use std::sync::atomic::{AtomicU32, Ordering};

        static COUNT: AtomicU32 = AtomicU32::new(0);

        pub fn tick() -> u32 {
            COUNT.fetch_add(1, Ordering::Relaxed)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::sync::atomic::Ordering;
        use crate::beta::COUNT;

        pub fn tick() -> u32 {
            COUNT.fetch_add(1, Ordering::Relaxed)
        }
        //- src/beta.rs
        use std::sync::atomic::AtomicU32;

        pub fn resident() {}

        pub(super) static COUNT: AtomicU32 = AtomicU32::new(0);
        """,
        symbol="COUNT",
        receipt={"moved_visibility": {"before": "private", "after": "pub(super)"}},
    )


def test_a_type_alias_moves_and_its_variants_are_still_named_through_it(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub enum Light {
            Red,
            Green,
        }

        pub type Lamp = Light;

        pub fn go() -> bool {
            matches!(Lamp::Green, Lamp::Green)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Lamp;

        pub enum Light {
            Red,
            Green,
        }

        pub fn go() -> bool {
            matches!(Lamp::Green, Lamp::Green)
        }
        //- src/beta.rs
        use crate::alpha::Light;

        pub fn resident() {}

        pub type Lamp = Light;
        """,
        symbol="Lamp",
    )


def test_impls_of_the_file_move_along_and_those_of_other_files_stay(check: Check) -> None:
    """A method of an impl that stays is no name to import; the members that stay in use get the least visibility."""
    check(
        """
        //- src/alpha.rs
        use std::fmt;

        #[derive(Clone, Copy)]
        pub struct Tide {
            height: i32,
            name: &'static str,
        }

        impl Tide {
            pub fn new(height: i32) -> Self {
                Tide::named(height, "spring")
            }

            fn named(height: i32, name: &'static str) -> Self {
                Tide { height, name }
            }

            fn parsed(text: &str) -> Self {
                Tide::from_str(text).unwrap_or(Tide::new(0))
            }
        }

        impl fmt::Display for Tide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.name, self.height)
            }
        }

        use std::str::FromStr;

        pub fn higher(tide: Tide) -> Tide {
            Tide::named(tide.height + 1, "higher")
        }

        pub fn spoken() -> String {
            Tide::parsed("4").to_string()
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::Tide;

        impl std::str::FromStr for Tide {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Tide::new(text.parse()?))
            }
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Tide;

        pub fn higher(tide: Tide) -> Tide {
            Tide::named(tide.height + 1, "higher")
        }

        pub fn spoken() -> String {
            Tide::parsed("4").to_string()
        }
        //- src/beta.rs
        use std::fmt;
        use std::str::FromStr;

        pub fn resident() {}

        #[derive(Clone, Copy)]
        pub struct Tide {
            pub(super) height: i32,
            name: &'static str,
        }

        impl Tide {
            pub fn new(height: i32) -> Self {
                Tide::named(height, "spring")
            }

            pub(super) fn named(height: i32, name: &'static str) -> Self {
                Tide { height, name }
            }

            pub(super) fn parsed(text: &str) -> Self {
                Tide::from_str(text).unwrap_or(Tide::new(0))
            }
        }

        impl fmt::Display for Tide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.name, self.height)
            }
        }
        //- src/gamma.rs
        use crate::beta::Tide;

        impl std::str::FromStr for Tide {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Tide::new(text.parse()?))
            }
        }
        """,
        symbol="Tide",
        receipt={
            "deps_travelled": ["impl Tide", "impl fmt::Display for Tide"],
            "deps_shared": [
                {
                    "name": name,
                    "visibility_bumped": True,
                    "visibility_before": "private",
                    "visibility_after": "pub(super)",
                }
                for name in ("height", "named", "parsed")
            ],
        },
    )


def test_a_tuple_struct_is_built_and_taken_apart_from_its_old_home(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub struct Metres(u32);

        pub fn double(m: Metres) -> Metres {
            let Metres(n) = m;
            Metres(n * 2)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn doubles() {
                assert_eq!(double(Metres(2)).0, 4);
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Metres;

        pub fn double(m: Metres) -> Metres {
            let Metres(n) = m;
            Metres(n * 2)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn doubles() {
                assert_eq!(double(Metres(2)).0, 4);
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub struct Metres(pub(super) u32);
        """,
        symbol="Metres",
    )


def test_an_enum_moves_from_under_its_glob(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        #[derive(Debug, PartialEq)]
        pub enum Wind {
            Calm,
            Gale { knots: u32 },
        }

        use Wind::*;

        pub fn blow(knots: u32) -> Wind {
            if knots == 0 { Calm } else { Gale { knots } }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use Wind::*;
        use crate::beta::Wind;

        pub fn blow(knots: u32) -> Wind {
            if knots == 0 { Calm } else { Gale { knots } }
        }
        //- src/beta.rs
        pub fn resident() {}

        #[derive(Debug, PartialEq)]
        pub enum Wind {
            Calm,
            Gale { knots: u32 },
        }
        """,
        symbol="Wind",
    )


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


def test_a_macro_in_textual_scope_moves_up_and_is_seen_below(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        #[macro_use]
        pub mod alpha;
        pub mod beta;

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/alpha.rs
        pub fn resident() {}
        //- src/beta.rs
        pub fn other() {}
        """,
        """
        //- src/lib.rs
        #[macro_use]
        pub mod alpha;
        pub mod beta;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/alpha.rs
        pub fn resident() {}

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        """,
        symbol="twice",
        source="src/lib.rs",
        dest="src/alpha.rs",
    )


def test_a_macro_that_a_use_would_no_longer_see_gets_a_path(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        /// Two times.
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn four() -> u32 {
            twice!(2)
        }

        pub mod inner {
            pub fn eight() -> u32 {
                twice!(4)
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::twice;

        pub fn four() -> u32 {
            twice!(2)
        }

        pub mod inner {
            use crate::beta::twice;

            pub fn eight() -> u32 {
                twice!(4)
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        /// Two times.
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(super) use twice;
        """,
        symbol="twice",
    )


def test_a_macro_takes_its_path_along(check: Check) -> None:
    """Whoever imported it from the old module still can."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::twice;

        pub fn six() -> u32 {
            twice!(3) + crate::alpha::twice!(0)
        }
        """,
        """
        //- src/alpha.rs
        pub(crate) use crate::beta::twice;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/beta.rs
        pub fn resident() {}

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(super) use twice;
        //- src/gamma.rs
        use crate::beta::twice;

        pub fn six() -> u32 {
            twice!(3) + crate::beta::twice!(0)
        }
        """,
        symbol="twice",
    )


def test_where_kinds_share_a_name_the_fn_is_meant_and_a_line_names_the_other(check: Check) -> None:
    before = """
        //- src/alpha.rs
        pub struct mark {
            pub n: u8,
        }

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        //- src/beta.rs
        pub fn resident() {}
        """
    check(
        before,
        """
        //- src/alpha.rs
        pub struct mark {
            pub n: u8,
        }
        //- src/beta.rs
        use crate::alpha::mark;

        pub fn resident() {}

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        """,
        symbol="mark",
    )
    check(
        before,
        """
        //- src/alpha.rs
        use crate::beta::mark;

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        //- src/beta.rs
        pub fn resident() {}

        pub struct mark {
            pub n: u8,
        }
        """,
        symbol="src/alpha.rs:1",
    )


@pytest.mark.parametrize(
    "item",
    ["pub enum Thing { One }", "pub trait Thing {}", "pub type Thing = u8;", "pub union Thing { pub n: u8 }"],
)
def test_a_taken_type_name_refuses(check: Check, item: str) -> None:
    check.refused(
        f"""
        //- src/alpha.rs
        {item}
        //- src/beta.rs
        pub struct Thing;
        """,
        "collision",
        "already defines a `Thing` in the type namespace",
        symbol="Thing",
    )


def test_a_private_type_in_the_interface_stays_where_it_is_used(check: Check) -> None:
    """Whoever reads the field has a value of that type in his hands; what nobody outside can name travels."""
    check(
        """
        //- src/alpha.rs
        struct Depth {
            fathoms: u32,
        }

        struct Colour {
            shade: u8,
        }

        pub struct Lead {
            depth: Depth,
            colour: Colour,
        }

        impl Lead {
            pub fn new() -> Lead {
                Lead {
                    depth: Depth { fathoms: 1 },
                    colour: Colour { shade: 2 },
                }
            }

            pub fn bright(&self) -> bool {
                self.colour.shade > 1
            }
        }

        pub fn sound(lead: &Lead) -> u32 {
            lead.depth.fathoms
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Lead;

        pub(super) struct Depth {
            pub(super) fathoms: u32,
        }

        pub fn sound(lead: &Lead) -> u32 {
            lead.depth.fathoms
        }
        //- src/beta.rs
        use crate::alpha::Depth;

        pub fn resident() {}

        struct Colour {
            shade: u8,
        }

        pub struct Lead {
            pub(super) depth: Depth,
            colour: Colour,
        }

        impl Lead {
            pub fn new() -> Lead {
                Lead {
                    depth: Depth { fathoms: 1 },
                    colour: Colour { shade: 2 },
                }
            }

            pub fn bright(&self) -> bool {
                self.colour.shade > 1
            }
        }
        """,
        symbol="Lead",
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


def test_a_macro_leaves_the_names_of_its_body_to_its_callers(check: Check) -> None:
    """Names in the body of a macro_rules mean what they mean where it is called: home imports nothing for them."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        use std::cmp::max;

        pub fn least() -> u32 {
            max(1, 2)
        }

        #[macro_export]
        macro_rules! widest {
            ($a:expr, $b:expr) => {
                max($a, $b) + $crate::alpha::least()
            };
        }
        //- src/beta.rs
        use std::cmp::max;

        pub fn four() -> u32 {
            crate::widest!(1, 2)
        }
        """,
        """
        //- src/alpha.rs
        use std::cmp::max;

        pub fn least() -> u32 {
            max(1, 2)
        }
        //- src/beta.rs
        use std::cmp::max;

        pub fn four() -> u32 {
            crate::widest!(1, 2)
        }

        #[macro_export]
        macro_rules! widest {
            ($a:expr, $b:expr) => {
                max($a, $b) + $crate::alpha::least()
            };
        }
        """,
        symbol="widest",
    )


def test_a_macro_that_another_macro_calls_must_be_seen_where_that_one_is_called(check: Check) -> None:
    """It stands below its caller, whose body is looked up at the call only."""
    check.refused(
        """
        //- src/alpha.rs
        macro_rules! outer {
            ($e:expr) => {
                inner!($e) * 2
            };
        }

        macro_rules! inner {
            ($e:expr) => {
                $e + 1
            };
        }

        pub fn four() -> u32 {
            outer!(1)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "textual_macro_scope",
        "src/alpha.rs:14 calls `outer!`, which calls `inner!`",
        symbol="inner",
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


def test_an_exported_macro_keeps_its_paths_at_the_root_and_textual_uses_get_one(check: Check) -> None:
    """Its body is not looked at where it stands: `max` and `super` mean what they mean at each call."""
    check(
        """
        //- src/lib.rs
        #[doc(hidden)]
        #[macro_export]
        macro_rules! widest {
            ($a:expr, $b:expr) => {
                max($a, $b) + super::least()
            };
        }

        pub mod alpha;
        mod beta;

        pub fn least() -> u32 {
            1
        }
        //- src/alpha.rs
        use std::cmp::max;

        pub fn two() -> u32 {
            widest!(1, 2)
        }

        macro_rules! again {
            ($a:expr) => {
                $crate::widest!($a, $a)
            };
        }

        pub fn four() -> u32 {
            again!(1) + crate::widest!(2, 2)
        }
        //- src/beta.rs
        pub(crate) fn resident() {}
        """,
        """
        //- src/lib.rs
        pub mod alpha;
        mod beta;

        pub fn least() -> u32 {
            1
        }
        //- src/alpha.rs
        use std::cmp::max;
        use crate::widest;

        pub fn two() -> u32 {
            widest!(1, 2)
        }

        macro_rules! again {
            ($a:expr) => {
                $crate::widest!($a, $a)
            };
        }

        pub fn four() -> u32 {
            again!(1) + crate::widest!(2, 2)
        }
        //- src/beta.rs
        pub(crate) fn resident() {}

        #[doc(hidden)]
        #[macro_export]
        macro_rules! widest {
            ($a:expr, $b:expr) => {
                max($a, $b) + super::least()
            };
        }
        """,
        symbol="widest",
        source="src/lib.rs",
    )


def test_the_path_of_a_macro_goes_where_nobody_comes_by_any_more(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        mod deep;
        pub fn six() -> u32 {
            crate::deep::alpha::twice!(3)
        }
        //- src/deep.rs
        pub(crate) mod alpha;
        mod beta;
        //- src/deep/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;
        //- src/deep/beta.rs
        pub(crate) const B: u8 = 1;
        """,
        """
        //- src/lib.rs
        mod deep;
        pub fn six() -> u32 {
            crate::deep::beta::twice!(3)
        }
        //- src/deep.rs
        pub(crate) mod alpha;
        pub(super) mod beta;
        //- src/deep/alpha.rs
        //- src/deep/beta.rs
        pub(crate) const B: u8 = 1;

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;
        """,
        symbol="twice",
        source="src/deep/alpha.rs",
        dest="src/deep/beta.rs",
    )


def test_the_path_of_a_macro_is_as_wide_as_the_import_that_shows_it(check: Check) -> None:
    """E0364: `pub(crate) use` cannot show what only a part of the crate may see."""
    check(
        """
        //- src/lib.rs
        mod deep;
        //- src/deep.rs
        pub(crate) mod alpha;
        mod beta;
        //- src/deep/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/deep/beta.rs
        pub(crate) const B: u8 = 1;
        """,
        """
        //- src/deep/alpha.rs
        pub(crate) use crate::deep::beta::twice;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/deep/beta.rs
        pub(crate) const B: u8 = 1;

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;
        """,
        symbol="twice",
        source="src/deep/alpha.rs",
        dest="src/deep/beta.rs",
    )


def test_a_macro_that_moves_below_its_callers_serves_them_by_its_path(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        #[macro_use]
        mod alpha;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub(crate) const A: u32 = 1;
        """,
        """
        //- src/lib.rs
        #[macro_use]
        mod alpha;

        pub fn four() -> u32 {
            twice!(2)
        }

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        use twice;
        //- src/alpha.rs
        pub(crate) const A: u32 = 1;
        """,
        symbol="twice",
        dest="src/lib.rs",
    )


def test_members_that_macros_use_rise_too(check: Check) -> None:
    """Named in a macro's body, or handed to it as a token."""
    check(
        """
        //- src/alpha.rs
        macro_rules! call {
            ($on:expr, $method:ident) => {
                $on.$method() + $on.half() + $on.size
            };
        }

        pub struct Knot {
            size: u32,
        }

        impl Knot {
            pub fn new() -> Knot {
                Knot { size: 4 }
            }

            fn half(&self) -> u32 {
                self.size / 2
            }

            fn double(&self) -> u32 {
                self.size * 2
            }

            fn unused(&self) -> u32 {
                self.half()
            }

            pub fn all(&self) -> u32 {
                self.unused()
            }
        }

        pub fn go(knot: &Knot) -> u32 {
            call!(knot, double)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Knot;

        macro_rules! call {
            ($on:expr, $method:ident) => {
                $on.$method() + $on.half() + $on.size
            };
        }

        pub fn go(knot: &Knot) -> u32 {
            call!(knot, double)
        }
        //- src/beta.rs
        pub fn resident() {}

        pub struct Knot {
            pub(super) size: u32,
        }

        impl Knot {
            pub fn new() -> Knot {
                Knot { size: 4 }
            }

            pub(super) fn half(&self) -> u32 {
                self.size / 2
            }

            pub(super) fn double(&self) -> u32 {
                self.size * 2
            }

            fn unused(&self) -> u32 {
                self.half()
            }

            pub fn all(&self) -> u32 {
                self.unused()
            }
        }
        """,
        symbol="Knot",
    )


def test_members_that_macros_of_the_moved_text_use_rise_where_they_stay(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        macro_rules! call {
            ($on:expr, $method:ident) => {
                $on.$method() + $on.half()
            };
        }
        pub(crate) use call;

        pub struct Knot {
            size: u32,
        }

        impl Knot {
            fn half(&self) -> u32 {
                self.size / 2
            }

            fn double(&self) -> u32 {
                self.size * 2
            }

            pub fn all(&self) -> u32 {
                call!(self, double)
            }
        }

        pub fn move_me(knot: &Knot) -> u32 {
            call!(knot, double)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        macro_rules! call {
            ($on:expr, $method:ident) => {
                $on.$method() + $on.half()
            };
        }
        pub(crate) use call;

        pub struct Knot {
            size: u32,
        }

        impl Knot {
            pub(super) fn half(&self) -> u32 {
                self.size / 2
            }

            pub(super) fn double(&self) -> u32 {
                self.size * 2
            }

            pub fn all(&self) -> u32 {
                call!(self, double)
            }
        }
        //- src/beta.rs
        use crate::alpha::Knot;

        pub fn resident() {}

        pub fn move_me(knot: &Knot) -> u32 {
            crate::alpha::call!(knot, double)
        }
        """,
    )
