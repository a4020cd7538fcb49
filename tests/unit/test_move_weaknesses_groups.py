"""Imports of the item in groups, under aliases, in bodies; text that is none. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_a_group_of_self_becomes_a_plain_import(check: Check) -> None:
    """W20: `{self, move_me}` leaves no `::self` behind."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() -> u32 {
            1
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::{self, move_me};

        pub fn go() -> u32 {
            move_me(1) + alpha::stay()
        }
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
        //- src/gamma.rs
        use crate::alpha;
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me(1) + alpha::stay()
        }
        """,
    )


def test_a_pruned_group_of_self_becomes_a_plain_import(check: Check) -> None:
    """W20: the same where an import is pruned."""
    check(
        """
        //- src/alpha.rs
        use std::fmt::{self, Write};

        pub fn move_me(out: &mut String) {
            out.write_char('a').unwrap();
        }

        pub fn stay() -> fmt::Result {
            Ok(())
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::fmt;

        pub fn stay() -> fmt::Result {
            Ok(())
        }
        //- src/beta.rs
        use std::fmt::Write;

        pub fn resident() {}

        pub fn move_me(out: &mut String) {
            out.write_char('a').unwrap();
        }
        """,
    )


def test_an_alias_at_the_destination_stays(check: Check) -> None:
    """W21: `mm` keeps its meaning."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() {}
        //- src/beta.rs
        use crate::alpha::move_me as mm;

        pub fn resident() -> u32 {
            mm()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        use self::move_me as mm;

        pub fn resident() -> u32 {
            mm()
        }

        pub fn move_me() -> u32 {
            1
        }
        """,
    )


def test_the_other_members_of_the_destinations_group_stay(check: Check) -> None:
    """W21: only the moved item's leaf goes."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() {}
        //- src/beta.rs
        use crate::{alpha::move_me, gamma::tail};

        pub fn resident() -> u32 {
            move_me() + tail()
        }
        //- src/gamma.rs
        pub fn tail() -> u32 {
            2
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        use crate::gamma::tail;

        pub fn resident() -> u32 {
            move_me() + tail()
        }

        pub fn move_me() -> u32 {
            1
        }
        """,
    )


def test_a_module_of_the_same_name_elsewhere_is_left_alone(check: Check) -> None:
    """W22: only paths that resolve to the item are rewritten."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        pub mod gamma;
        pub mod v2 {
            pub mod alpha {
                pub fn move_me(x: u32) -> u32 {
                    x + 2
                }
            }
        }
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::v2::alpha;

        pub fn go() -> u32 {
            crate::v2::alpha::move_me(1) + alpha::move_me(2)
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
        receipt={"refs_rewritten": 0, "referencing_files": []},
    )


def test_nested_groups_are_rewritten_in_place(check: Check) -> None:
    """W35: `{alpha::{move_me, stay}, beta::resident}`."""
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
        pub fn resident() -> u32 {
            3
        }
        //- src/gamma.rs
        use crate::{
            alpha::{move_me, stay},
            beta::resident,
        };

        pub fn go() -> u32 {
            move_me() + stay() + resident()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() -> u32 {
            3
        }

        pub fn move_me() -> u32 {
            1
        }
        //- src/gamma.rs
        use crate::{
            alpha::stay,
            beta::resident,
        };
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me() + stay() + resident()
        }
        """,
    )


def test_an_import_inside_a_fn_is_rewritten_where_it_stands(check: Check) -> None:
    """W35: indented, in a body and in an inline module; a comment between the members survives."""
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
        pub fn go() -> u32 {
            use crate::alpha::{move_me, stay};
            move_me() + stay()
        }

        pub mod inner {
            pub(crate) use crate::alpha::{
                // what goes
                move_me,
                // what stays
                stay,
            };
        }

        pub fn both() -> u32 {
            inner::move_me() + inner::stay()
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
        pub fn go() -> u32 {
            use crate::alpha::stay;
            use crate::beta::move_me;
            move_me() + stay()
        }

        pub mod inner {
            pub(crate) use crate::alpha::{
                // what goes
                // what stays
                stay,
            };
            pub(crate) use crate::beta::move_me;
        }

        pub fn both() -> u32 {
            inner::move_me() + inner::stay()
        }
        """,
    )


def test_strings_and_comments_are_text(check: Check) -> None:
    """W37: they are neither rewritten nor counted."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn move_me_extra() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        // see alpha::move_me for more
        pub const TARGET: &str = "alpha::move_me";

        pub fn go() -> u32 {
            crate::alpha::move_me_extra()
        }
        """,
        """
        //- src/alpha.rs
        pub fn move_me_extra() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            1
        }
        """,
        receipt={"refs_rewritten": 0, "referencing_files": [], "refs_unresolved": []},
    )


def test_a_group_whose_self_goes_keeps_its_member(check: Check) -> None:
    """W20: only the moved text used the module by its name."""
    check(
        """
        //- src/alpha.rs
        use crate::gamma::{self, tail};

        pub fn move_me() -> u32 {
            gamma::tail() + gamma::head()
        }

        pub fn stay() -> u32 {
            tail()
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        pub fn tail() -> u32 {
            2
        }

        pub fn head() -> u32 {
            3
        }
        """,
        """
        //- src/alpha.rs
        use crate::gamma::tail;

        pub fn stay() -> u32 {
            tail()
        }
        //- src/beta.rs
        use crate::gamma;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            gamma::tail() + gamma::head()
        }
        """,
        receipt={"imports_pruned": ["src/alpha.rs: use crate::gamma;"]},
    )
