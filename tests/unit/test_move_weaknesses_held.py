"""What the moved text goes on to use: imports at home, imports of its own. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_a_glob_at_home_that_the_newcomer_needs_stays(check: Check) -> None:
    """W15, W18: also when it brought the newcomer itself before."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            stay()
        }

        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        use crate::alpha::*;

        pub fn resident() -> u32 {
            move_me()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        use crate::alpha::*;

        pub fn resident() -> u32 {
            move_me()
        }

        pub fn move_me() -> u32 {
            stay()
        }
        """,
    )


def test_a_glob_at_home_whose_trait_the_newcomer_calls_stays(check: Check) -> None:
    """W18: no name of the trait is spelled."""
    check(
        """
        //- src/alpha.rs
        pub trait Turn {
            fn turn(&self) -> u32 {
                1
            }
        }

        impl Turn for u32 {}

        pub fn move_me() -> u32 {
            4u32.turn()
        }
        //- src/beta.rs
        use crate::alpha::*;

        pub fn resident() -> u32 {
            move_me()
        }
        """,
        """
        //- src/alpha.rs
        pub trait Turn {
            fn turn(&self) -> u32 {
                1
            }
        }

        impl Turn for u32 {}
        //- src/beta.rs
        use crate::alpha::*;

        pub fn resident() -> u32 {
            move_me()
        }

        pub fn move_me() -> u32 {
            4u32.turn()
        }
        """,
    )


def test_a_module_import_at_home_that_the_newcomer_needs_stays(check: Check) -> None:
    """W6: the reference that went through it is rewritten, the newcomer's is not."""
    check(
        """
        //- src/alpha.rs
        use crate::alpha;

        pub fn move_me() -> u32 {
            alpha::stay()
        }

        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        use crate::alpha;

        pub fn resident() -> u32 {
            alpha::move_me()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        use crate::alpha;

        pub fn resident() -> u32 {
            self::move_me()
        }

        pub fn move_me() -> u32 {
            alpha::stay()
        }
        """,
    )


def test_an_import_of_the_parent_that_the_newcomer_reaches_stays(check: Check) -> None:
    """W25, W32: `super::gamma` goes through a private import of the source."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod gamma;
        //- src/alpha.rs
        pub mod child;
        use crate::gamma;

        pub fn move_me() -> u32 {
            gamma::one() + super::gamma::one()
        }
        //- src/alpha/child.rs
        pub fn resident() {}
        //- src/gamma.rs
        pub fn one() -> u32 {
            1
        }
        """,
        """
        //- src/alpha.rs
        pub mod child;
        use crate::gamma;
        //- src/alpha/child.rs
        use crate::gamma;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            gamma::one() + super::gamma::one()
        }
        """,
        dest="src/alpha/child.rs",
    )


def test_imports_in_the_body_follow_what_travels(check: Check) -> None:
    """W25: a glob of an enum, an alias, a member of a group."""
    check(
        """
        //- src/alpha.rs
        enum Moor {
            One,
            Two(u32),
        }

        fn helper() -> u32 {
            1
        }

        fn other() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            other()
        }

        pub fn move_me() -> u32 {
            use crate::alpha::Moor::*;
            use crate::alpha::helper as local;
            use crate::alpha::{helper as again, other};
            let both = [One, Two(2)];
            if let Two(n) = both[1] { n + local() + again() + other() } else { 0 }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) fn other() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            other()
        }
        //- src/beta.rs
        pub fn resident() {}

        enum Moor {
            One,
            Two(u32),
        }

        fn helper() -> u32 {
            1
        }

        pub fn move_me() -> u32 {
            use crate::beta::Moor::*;
            use crate::beta::helper as local;
            use crate::alpha::other;
            use crate::beta::helper as again;
            let both = [One, Two(2)];
            if let Two(n) = both[1] { n + local() + again() + other() } else { 0 }
        }
        """,
    )


def test_relative_imports_in_the_body_follow_what_travels(check: Check) -> None:
    """W25: the same from `self` and `super`."""
    check(
        """
        //- src/alpha.rs
        enum Moor {
            One,
            Two(u32),
        }

        fn helper() -> u32 {
            1
        }

        fn other() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            other()
        }

        pub fn move_me() -> u32 {
            use self::Moor::*;
            use self::helper as local;
            use super::alpha::{helper as again, other, Moor as M};
            let both = [One, M::Two(2)];
            if let Two(n) = both[1] { n + local() + again() + other() } else { 0 }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) fn other() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            other()
        }
        //- src/beta.rs
        pub fn resident() {}

        enum Moor {
            One,
            Two(u32),
        }

        fn helper() -> u32 {
            1
        }

        pub fn move_me() -> u32 {
            use self::Moor::*;
            use self::helper as local;
            use super::alpha::other;
            use crate::beta::helper as again;
            use crate::beta::Moor as M;
            let both = [One, M::Two(2)];
            if let Two(n) = both[1] { n + local() + again() + other() } else { 0 }
        }
        """,
    )


def test_a_glob_of_a_module_that_imports_the_item_goes_on_to_serve(check: Check) -> None:
    """W15: under its own name, under another, and at the new home."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() {}
        //- src/beta.rs
        use crate::alpha::move_me;

        pub fn resident() -> u32 {
            move_me()
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(move_me(), 1);
            }
        }
        //- src/gamma.rs
        use crate::alpha::move_me;
        use crate::alpha::move_me as far;

        pub fn go() -> u32 {
            move_me() + far()
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(move_me() + far(), 2);
            }
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() -> u32 {
            move_me()
        }

        pub fn move_me() -> u32 {
            1
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(move_me(), 1);
            }
        }
        //- src/gamma.rs
        use crate::beta::move_me;
        use crate::beta::move_me as far;

        pub fn go() -> u32 {
            move_me() + far()
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(move_me() + far(), 2);
            }
        }
        """,
    )
