"""Text as people write it, and what the receipt says of it. Numbers W… are those of the study."""

import pytest
from tests.support.before_after import Check


def test_text_that_nobody_moved_stays_as_it_is(check: Check) -> None:
    """W45: an unusual layout survives, in every file that is touched."""
    check(
        """
        //- src/alpha.rs
        pub fn   odd( a:u32 )->u32{a}


        pub fn move_me( x :u32 )->u32{ odd(x) }
        pub  fn even(b :u32)->u32 { move_me( b ) }
        //- src/beta.rs
        pub  fn resident( )  {  }
        //- src/gamma.rs
        use   crate::alpha::{odd,   move_me} ;
        pub fn both( )->u32{ odd(1)+move_me( 2 ) }
        """,
        """
        //- src/alpha.rs
        use crate::beta::move_me;

        pub fn   odd( a:u32 )->u32{a}


        pub  fn even(b :u32)->u32 { move_me( b ) }
        //- src/beta.rs
        use crate::alpha::odd;

        pub  fn resident( )  {  }

        pub fn move_me( x :u32 )->u32{ odd(x) }
        //- src/gamma.rs
        use   crate::alpha::odd ;
        use crate::beta::move_me;
        pub fn both( )->u32{ odd(1)+move_me( 2 ) }
        """,
    )


def test_a_method_of_that_name_at_the_destination_is_no_collision(check: Check) -> None:
    """W46: methods live in their type."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub struct Mill;

        impl Mill {
            pub fn move_me(&self) {}
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub struct Mill;

        impl Mill {
            pub fn move_me(&self) {}
        }

        pub fn move_me() {}
        """,
    )


@pytest.mark.parametrize(
    "written",
    [
        "#[inline] pub fn move_me() {}",
        'pub extern "C" fn move_me() {}',
        "pub(crate) const fn move_me() -> u8 { 1 }",
        "pub fn r#move_me() {}",
        "pub fn\nmove_me\n()\n{}",
        "/* lead */ pub /* mid */ fn /* late */ move_me() {}",
        "#[cfg(unix)] #[inline] pub async unsafe fn move_me() {}",
        "pub fn move_me<T>() where T: Copy {}",
    ],
)
def test_every_way_to_write_a_fn_is_found(check: Check, written: str) -> None:
    """W46: on one line with its attribute, with an ABI, raw, over lines."""
    text = written.replace("\n", "\n        ")
    check(
        f"""
        //- src/alpha.rs
        pub fn stay() {{}}

        {text}
        //- src/beta.rs
        pub fn resident() {{}}
        """,
        f"""
        //- src/alpha.rs
        pub fn stay() {{}}
        //- src/beta.rs
        pub fn resident() {{}}

        {text}
        """,
    )


def test_packages_with_files_of_equal_names_are_told_apart(check: Check) -> None:
    """W48: a root package and a member both have `src/alpha.rs`."""
    check(
        """
        //- Cargo.toml
        [package]
        name = "case"
        version = "0.1.0"
        edition = "2021"

        [workspace]
        members = ["extra"]
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            helper()
        }

        fn helper() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}
        //- extra/Cargo.toml
        [package]
        name = "extra"
        version = "0.1.0"
        edition = "2021"
        //- extra/src/lib.rs
        pub mod alpha;

        pub fn go() -> u32 {
            crate::alpha::move_me()
        }
        //- extra/src/alpha.rs
        pub fn move_me() -> u32 {
            2
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            helper()
        }

        fn helper() -> u32 {
            1
        }
        """,
        receipt={"refs_rewritten": 0, "deps_travelled": ["helper"]},
    )


def test_the_receipt_counts_what_it_says(check: Check) -> None:
    """W43: sites of the source count; a file that only looks like a referencer does not."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            move_me() + move_me()
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::move_me;

        pub fn go() -> u32 {
            move_me()
        }
        //- src/other.rs
        pub fn move_me() -> u32 {
            2
        }

        pub fn go() -> u32 {
            move_me()
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::move_me;

        pub fn stay() -> u32 {
            move_me() + move_me()
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            1
        }
        //- src/gamma.rs
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me()
        }
        """,
        receipt={
            "files_changed": ["src/alpha.rs", "src/beta.rs", "src/gamma.rs"],
            "referencing_files": ["src/alpha.rs", "src/gamma.rs"],
            "refs_rewritten": 3,
            "source_back_imported": True,
            "moved_visibility_bumped": False,
        },
    )


def test_patterns_at_the_destination_stay_patterns(check: Check) -> None:
    """Plan 7: constants that the destination matches on do not trouble a newcomer whose modifier changes."""
    check(
        """
        //- src/alpha.rs
        fn move_me(x: u32) -> u32 {
            x
        }

        pub fn stay() -> u32 {
            move_me(1)
        }
        //- src/beta.rs
        const LOW: u32 = 1;

        pub fn resident(x: u32) -> u32 {
            match x {
                LOW => 1,
                self::LOW | 9 => 2,
                other => other,
            }
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::move_me;

        pub fn stay() -> u32 {
            move_me(1)
        }
        //- src/beta.rs
        const LOW: u32 = 1;

        pub fn resident(x: u32) -> u32 {
            match x {
                LOW => 1,
                self::LOW | 9 => 2,
                other => other,
            }
        }

        pub(super) fn move_me(x: u32) -> u32 {
            x
        }
        """,
    )
