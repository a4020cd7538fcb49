"""Re-exports that showed the item; bare uses beside it. Numbers W… are those of the study."""

import pytest
from tests.support.before_after import Check


def test_a_grouped_re_export_is_split_and_stays_public(check: Check) -> None:
    """W10: the path that existed before still exists."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub use alpha::{move_me, stay};

        pub fn go() -> u32 {
            move_me(1) + crate::move_me(2) + stay()
        }
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub use alpha::stay;
        pub use beta::move_me;

        pub fn go() -> u32 {
            move_me(1) + crate::move_me(2) + stay()
        }
        """,
    )


def test_a_glob_facade_keeps_the_public_path(check: Check) -> None:
    """W11: `pub use m::*` gets company."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        pub mod gamma;

        pub use alpha::*;
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        pub fn go() -> u32 {
            crate::move_me(1)
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        pub mod gamma;

        pub use alpha::*;
        pub use crate::beta::move_me;
        """,
    )


def test_a_glob_facade_that_nobody_here_uses_keeps_the_public_path(check: Check) -> None:
    """W11: other crates may use it."""
    check(
        """
        //- src/lib.rs
        mod alpha;
        mod beta;

        pub use alpha::*;
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() {}
        //- src/beta.rs
        //! Nothing here yet.
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        //! Nothing here yet.

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/lib.rs
        mod alpha;
        mod beta;

        pub use alpha::*;
        pub use crate::beta::move_me;
        """,
    )


@pytest.mark.parametrize(
    "body",
    [
        "v.iter().copied().map(move_me).collect()",
        "vec![move_me::<u32>(v[0])]",
        "[move_me, other].iter().map(|f| f(v[0])).collect()",
        "vec![(move_me as fn(u32) -> u32)(1)]",
        'vec![["http://x", "y"].len() as u32, move_me(1)]',
        "vec![(&move_me)(v[0])]",
    ],
    ids=["an argument", "a turbofish", "a list", "a cast", "behind slashes in a string", "a reference"],
)
def test_every_bare_use_that_stays_is_imported_back(check: Check, body: str) -> None:
    """W14: whatever stands behind the name."""
    stays = f"""
        pub fn other<T: Copy>(x: T) -> T {{
            x
        }}

        pub fn all(v: &[u32]) -> Vec<u32> {{
            {body}
        }}
    """
    check(
        f"""
        //- src/alpha.rs
        pub fn move_me<T: Copy>(x: T) -> T {{
            x
        }}
        {stays}
        //- src/beta.rs
        pub fn resident() {{}}
        """,
        f"""
        //- src/alpha.rs
        use crate::beta::move_me;
        {stays}
        //- src/beta.rs
        pub fn resident() {{}}

        pub fn move_me<T: Copy>(x: T) -> T {{
            x
        }}
        """,
        receipt={"source_back_imported": True, "refs_rewritten": 1},
    )


def test_a_public_path_is_kept_by_no_import_that_shows_less(check: Check) -> None:
    """From a false ideal (ruzstd): E0365."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        mod bits;
        //- src/alpha.rs
        pub fn move_me() {}

        pub fn stay() {}
        //- src/bits/mod.rs
        mod beta;

        pub(crate) use beta::*;
        //- src/bits/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub use crate::bits::beta::move_me;

        pub fn stay() {}
        //- src/bits/mod.rs
        pub(super) mod beta;

        pub(crate) use beta::*;
        //- src/bits/beta.rs
        pub fn resident() {}

        pub fn move_me() {}
        """,
        dest="src/bits/beta.rs",
    )
