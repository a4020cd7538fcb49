"""Where an item may move to, and how paths are spelled. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_a_file_that_no_crate_reaches_is_no_destination(check: Check) -> None:
    """W33: the item would vanish from the build."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        "dest_unwired",
        "src/beta.rs",
    )


def test_another_target_of_the_package_is_another_crate(check: Check) -> None:
    """W33: what the library shows it cannot show out of a program."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/main.rs
        mod beta;

        fn main() {
            beta::resident();
            case::alpha::move_me();
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "target_unnameable",
        "src/main.rs",
        "shows `move_me` and must go on to",
    )


def test_an_integration_test_is_another_crate(check: Check) -> None:
    """W33: tests, examples, benches, build scripts."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        //- src/alpha.rs
        pub fn move_me() {}
        //- tests/it.rs
        #[test]
        fn it() {}
        """,
        "target_unnameable",
        dest="tests/it.rs",
    )


def test_a_destination_under_another_condition_refuses(check: Check) -> None:
    """W33: the item would exist in some builds only."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        #[cfg(test)]
        mod beta;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        "cfg_mismatch",
        "cfg(test)",
    )


def test_a_private_destination_breaks_no_users_elsewhere(check: Check) -> None:
    """W33: another crate of the workspace calls `case::alpha::move_me`; that path goes on to exist."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        mod beta;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        //! Nothing.
        //- tests/it.rs
        #[test]
        fn it() {
            case::alpha::move_me();
        }
        """,
        """
        //- src/alpha.rs
        pub use crate::beta::move_me;
        //- src/beta.rs
        //! Nothing.

        pub fn move_me() {}
        """,
    )


def test_one_file_has_one_spelling(check: Check) -> None:
    """W34: a path with dots is the same file, edited once; the item exists exactly once."""
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
        dest="src/../src/./beta.rs",
    )


def test_one_spelling_makes_source_and_destination_one_file(check: Check) -> None:
    """W34: the two are compared after the path law."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me() {}
        """,
        "same_file",
        dest="src/./alpha.rs",
    )


def test_twins_under_conditions_refuse(check: Check) -> None:
    """W38: both lines are named."""
    check.refused(
        """
        //- src/alpha.rs
        #[cfg(unix)]
        pub fn move_me() -> u32 {
            1
        }
        #[cfg(not(unix))]
        pub fn move_me() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "ambiguous_symbol",
        "lines 2, 6",
    )
