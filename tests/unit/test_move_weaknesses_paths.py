"""Paths and macros of the moved text at their new home. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_paths_relative_to_the_source_are_anchored_anew(check: Check) -> None:
    """W25: an inline module of the source, `self::`, `super::`."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub fn root() -> u32 {
            1
        }
        //- src/alpha.rs
        mod inner {
            pub fn fetch() -> u32 {
                9
            }
        }

        pub fn own() -> u32 {
            inner::fetch()
        }

        pub fn move_me() -> u32 {
            inner::fetch() + self::own() + super::root() + own()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) mod inner {
            pub fn fetch() -> u32 {
                9
            }
        }

        pub fn own() -> u32 {
            inner::fetch()
        }
        //- src/beta.rs
        use crate::alpha::inner;
        use crate::alpha::own;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            inner::fetch() + crate::alpha::own() + super::root() + own()
        }
        """,
    )


def test_relative_imports_are_anchored_anew(check: Check) -> None:
    """W25: `use self::inner::Deep;` and `use super::Wide;` of the source."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub struct Wide;
        //- src/alpha.rs
        use self::inner::Deep;
        use super::Wide;

        pub mod inner {
            pub struct Deep;
        }

        pub fn move_me(_: Deep, _: Wide) {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            pub struct Deep;
        }
        //- src/beta.rs
        use crate::alpha::inner::Deep;
        use crate::Wide;

        pub fn resident() {}

        pub fn move_me(_: Deep, _: Wide) {}
        """,
        receipt={
            "imports_carried": ["use crate::alpha::inner::Deep;", "use crate::Wide;"],
            "imports_pruned": ["src/alpha.rs: use self::inner::Deep;", "src/alpha.rs: use super::Wide;"],
        },
    )


def test_a_textual_macro_that_others_use_gets_a_path(check: Check) -> None:
    """W26: a `macro_rules!` without a path cannot be imported; `pub(super) use` below it gives it one."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(super) use twice;

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        use crate::alpha::twice;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        """,
    )


def test_a_textual_macro_that_only_the_moved_text_uses_travels(check: Check) -> None:
    """W26: it stays above its user."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
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

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        """,
        receipt={"deps_travelled": ["twice"]},
    )


def test_a_macro_with_a_path_is_imported(check: Check) -> None:
    """W26: `pub(crate) use` gives it one."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            crate::alpha::twice!(x)
        }
        """,
    )
