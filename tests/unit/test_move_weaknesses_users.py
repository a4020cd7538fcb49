"""Who counts as a user of a dependency. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_an_initialiser_is_a_user(check: Check) -> None:
    """W27: a const's value keeps its fn in the source."""
    check(
        """
        //- src/alpha.rs
        const fn base(x: u32) -> u32 {
            x * 2
        }

        const TABLE: u32 = base(2);

        pub fn table() -> u32 {
            TABLE
        }

        pub fn move_me(x: u32) -> u32 {
            base(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) const fn base(x: u32) -> u32 {
            x * 2
        }

        const TABLE: u32 = base(2);

        pub fn table() -> u32 {
            TABLE
        }
        //- src/beta.rs
        use crate::alpha::base;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            base(x)
        }
        """,
        receipt={"deps_travelled": []},
    )


def test_fns_that_call_one_another_travel_together(check: Check) -> None:
    """W49: a cycle with no user outside is one thing."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            even(x)
        }

        fn even(x: u32) -> u32 {
            if x == 0 { 1 } else { odd(x - 1) }
        }

        fn odd(x: u32) -> u32 {
            if x == 0 { 0 } else { even(x - 1) }
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

        pub fn move_me(x: u32) -> u32 {
            even(x)
        }

        fn even(x: u32) -> u32 {
            if x == 0 { 1 } else { odd(x - 1) }
        }

        fn odd(x: u32) -> u32 {
            if x == 0 { 0 } else { even(x - 1) }
        }
        """,
        receipt={"deps_travelled": ["even", "odd"], "deps_shared": []},
    )


def test_a_variant_is_seen_through_its_enum(check: Check) -> None:
    """W1, W7: variants bear no modifier; the enum and the imported variant become visible with it."""
    check(
        """
        //- src/alpha.rs
        enum Tide {
            High,
            Low,
        }

        use Tide::Low;

        pub fn stay() -> bool {
            matches!(Low, Tide::High)
        }

        pub fn move_me(low: bool) -> u32 {
            let tide = if low { Low } else { Tide::High };
            tide as u32
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) enum Tide {
            High,
            Low,
        }

        use Tide::Low;

        pub fn stay() -> bool {
            matches!(Low, Tide::High)
        }
        //- src/beta.rs
        use crate::alpha::Tide::Low;
        use crate::alpha::Tide;

        pub fn resident() {}

        pub fn move_me(low: bool) -> u32 {
            let tide = if low { Low } else { Tide::High };
            tide as u32
        }
        """,
    )


def test_a_trait_in_a_private_module_is_opened_with_its_module(check: Check) -> None:
    """W1, W17: its path is spelled at the new home."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        mod deep;
        //- src/alpha/deep.rs
        trait Turn {
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

        pub fn stay(x: u32) -> u32 {
            x.turn()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha/deep.rs
        pub(crate) trait Turn {
            fn turn(self) -> u32;
        }

        impl Turn for u32 {
            fn turn(self) -> u32 {
                self ^ 1
            }
        }

        pub fn stay(x: u32) -> u32 {
            x.turn()
        }
        //- src/beta.rs
        use crate::alpha::deep::Turn;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x.turn()
        }
        //- src/alpha.rs
        pub(super) mod deep;
        """,
        source="src/alpha/deep.rs",
    )


def test_a_trait_that_is_named_and_called_is_imported_once(check: Check) -> None:
    """W13, W17: the import of the name serves the calls too."""
    check(
        """
        //- src/alpha.rs
        trait Turn {
            fn turn(self) -> u32;
        }

        impl Turn for u32 {
            fn turn(self) -> u32 {
                self ^ 1
            }
        }

        pub fn move_me(x: u32) -> u32 {
            Turn::turn(x).turn()
        }

        pub fn stay(x: u32) -> u32 {
            x.turn()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) trait Turn {
            fn turn(self) -> u32;
        }

        impl Turn for u32 {
            fn turn(self) -> u32 {
                self ^ 1
            }
        }

        pub fn stay(x: u32) -> u32 {
            x.turn()
        }
        //- src/beta.rs
        use crate::alpha::Turn;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            Turn::turn(x).turn()
        }
        """,
    )
