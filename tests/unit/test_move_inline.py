"""Modules inline in a file as source and destination (frontier 2e): texts, depths and visibility, whole outcomes."""

from tests.support.before_after import Check
from tests.support.moves import moved, plan


def test_a_cut_leaves_no_blank_line_beside_a_brace(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub mod inner {
            pub fn first() {}

            pub fn move_me() {}
        }
        //- src/beta.rs
        pub mod inner {
            // nothing yet
        }
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            pub fn first() {}
        }
        //- src/beta.rs
        pub mod inner {
            // nothing yet

            pub fn move_me() {}
        }
        """,
        source="src/alpha.rs::inner",
        dest="src/beta.rs::inner",
    )


def test_the_only_item_leaves_an_empty_body(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub mod inner {

            /// Moved.
            pub fn move_me() {}

        }
        //- src/beta.rs
        pub mod inner {}
        """,
        """
        //- src/alpha.rs
        pub mod inner {
        }
        //- src/beta.rs
        pub mod inner {
            /// Moved.
            pub fn move_me() {}
        }
        """,
        symbol="inner::move_me",
        dest="src/beta.rs::inner",
    )


def test_the_back_import_stands_in_the_module_that_the_item_left(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        use std::cmp::max;

        pub fn outer(n: u32) -> u32 {
            max(n, 1)
        }

        pub mod inner {
            use std::cmp::{max, min};

            pub fn stays(n: u32) -> u32 {
                move_me(n) + max(n, 2)
            }

            fn move_me(n: u32) -> u32 {
                min(n, 3)
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::cmp::max;

        pub fn outer(n: u32) -> u32 {
            max(n, 1)
        }

        pub mod inner {
            use std::cmp::max;
            use crate::beta::move_me;

            pub fn stays(n: u32) -> u32 {
                move_me(n) + max(n, 2)
            }
        }
        //- src/beta.rs
        use std::cmp::min;

        pub fn resident() {}

        pub(super) fn move_me(n: u32) -> u32 {
            min(n, 3)
        }
        """,
        source="src/alpha.rs::inner",
    )


def test_imports_go_into_the_scope_of_the_module(check: Check) -> None:
    """The file imports the name too, and that is no help: a module inherits nothing."""
    check(
        """
        //- src/alpha.rs
        use std::fmt::Debug;

        pub fn move_me(what: &dyn Debug) -> String {
            format!("{what:?}")
        }
        //- src/beta.rs
        use std::fmt::Debug;

        pub fn shown(what: &dyn Debug) -> String {
            crate::alpha::move_me(what)
        }

        pub mod inner {
            //! Inner words.
            #![allow(dead_code)]
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        use std::fmt::Debug;

        pub fn shown(what: &dyn Debug) -> String {
            crate::beta::inner::move_me(what)
        }

        pub mod inner {
            //! Inner words.
            #![allow(dead_code)]

            use std::fmt::Debug;

            pub fn move_me(what: &dyn Debug) -> String {
                format!("{what:?}")
            }
        }
        """,
        dest="src/beta.rs::inner",
    )


def test_an_import_of_the_newcomer_at_home_goes(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub mod inner {
            use super::move_me;

            pub fn go() -> u32 {
                move_me() + super::move_me()
            }
        }
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            pub fn go() -> u32 {
                move_me() + self::move_me()
            }

            pub fn move_me() -> u32 {
                1
            }
        }
        """,
        dest="src/alpha.rs::inner",
    )


def test_a_closing_tests_module_stays_last(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub mod inner {
            pub fn go() {}

            #[cfg(test)]
            mod tests {
                #[test]
                fn goes() {
                    super::go();
                }
            }
        }
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub mod inner {
            pub fn go() {}

            pub fn move_me() {}

            #[cfg(test)]
            mod tests {
                #[test]
                fn goes() {
                    super::go();
                }
            }
        }
        """,
        dest="src/beta.rs::inner",
    )


def test_what_only_tests_use_moves_into_them_ungated(check: Check) -> None:
    """Every use stands under the condition of the new home, so no other build loses anything."""
    check(
        """
        //- src/alpha.rs
        pub fn weigh(n: u32) -> u32 {
            n
        }

        #[allow(dead_code)]
        fn move_me() -> u32 {
            3
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn weighs() {
                assert_eq!(weigh(move_me()), 3);
            }
        }
        """,
        """
        //- src/alpha.rs
        pub fn weigh(n: u32) -> u32 {
            n
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn weighs() {
                assert_eq!(weigh(move_me()), 3);
            }

            #[allow(dead_code)]
            fn move_me() -> u32 {
                3
            }
        }
        """,
        dest="src/alpha.rs::tests",
    )


def test_what_others_may_name_stays_out_of_the_tests(check: Check) -> None:
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            3
        }

        #[cfg(test)]
        mod tests {
            #[test]
            fn weighs() {
                assert_eq!(super::move_me(), 3);
            }
        }
        """,
        "cfg_mismatch",
        "src/alpha.rs::tests is compiled only under #[cfg(test)]",
        dest="src/alpha.rs::tests",
    )


def test_out_of_the_tests_refuses(check: Check) -> None:
    check.refused(
        """
        //- src/alpha.rs
        #[cfg(test)]
        mod tests {
            fn move_me() -> u32 {
                3
            }
            #[test]
            fn weighs() {
                assert_eq!(move_me(), 3);
            }
        }
        //- src/beta.rs
        """,
        "cfg_mismatch",
        "src/alpha.rs::tests is compiled only under #[cfg(test)]",
        symbol="tests::move_me",
    )


def test_a_condition_inside_the_module_counts(check: Check) -> None:
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub mod inner {
            #![cfg(test)]
        }
        """,
        "cfg_mismatch",
        "src/beta.rs::inner is compiled only under #[cfg(test)]",
        dest="src/beta.rs::inner",
    )


def test_a_shared_macro_and_an_attribute_take_the_depth_of_their_place(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub mod inner {
            macro_rules! twice {
                ($n:expr) => {
                    $n * 2
                };
            }

            pub fn stays() -> u32 {
                twice!(2)
            }

            pub fn move_me() -> u32 {
                twice!(1)
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            macro_rules! twice {
                ($n:expr) => {
                    $n * 2
                };
            }
            pub(crate) use twice;

            pub fn stays() -> u32 {
                twice!(2)
            }
        }
        //- src/beta.rs
        use crate::alpha::inner::twice;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            twice!(1)
        }
        """,
        source="src/alpha.rs::inner",
    )


def test_several_items_leave_one_inline_module() -> None:
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": "pub mod inner {\n    pub fn one() {}\n    pub fn two() {\n        one()\n    }\n}\n",
        "src/beta.rs": "",
    }
    after = moved(files, "crate::alpha::inner::two", "src/alpha.rs", "src/beta.rs")
    assert after["src/beta.rs"] == "use crate::alpha::inner::one;\n\npub fn two() {\n    one()\n}\n"
    assert after["src/alpha.rs"] == "pub mod inner {\n    pub fn one() {}\n}\n"


def test_the_receipt_names_both_modules() -> None:
    files = {"src/lib.rs": "pub mod a {\n    pub fn f() {}\n}\npub mod b {\n}\n"}
    receipt = plan(files, "a::f", "src/lib.rs", "src/lib.rs::b").receipt
    assert (receipt["source_module"], receipt["dest_module"]) == ("crate::a", "crate::b")
    assert receipt["files_changed"] == ["src/lib.rs"]


def test_macros_of_one_name_with_other_heads_are_other_conditions(check: Check) -> None:
    check.refused(
        """
        //- src/lib.rs
        macro_rules! feature {
            (#![feature = $name:literal] $($item:item)*) => {
                $(#[cfg(feature = $name)] $item)*
            };
        }
        feature! {
            #![feature = "net"]
            pub mod alpha;
        }
        feature! {
            #![feature = "file"]
            pub mod beta;
        }
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        pub mod inner {}
        """,
        "cfg_mismatch",
        'src/alpha.rs is compiled only under `feature! #![feature = "net"]`',
        dest="src/beta.rs::inner",
    )


def test_a_glob_of_a_module_that_is_left_empty_goes(check: Check) -> None:
    """It would bring nothing, which is an error where unused imports are denied."""
    check(
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        pub mod beta;
        pub use alpha::{*, inner::*};
        pub fn go() {
            move_me();
        }
        //- src/alpha.rs
        pub mod inner {
            use std::cmp::max;

            pub fn move_me() -> u32 {
                max(1, 2)
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        pub mod beta;
        pub use alpha::*;
        pub use crate::beta::move_me;
        pub fn go() {
            move_me();
        }
        //- src/alpha.rs
        pub mod inner {
        }
        //- src/beta.rs
        use std::cmp::max;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            max(1, 2)
        }
        """,
        symbol="inner::move_me",
    )


def test_an_import_in_the_body_leads_past_a_private_import(check: Check) -> None:
    """`use super::deep` goes by a private import of the old parent, which nobody else sees."""
    check(
        """
        //- src/lib.rs
        mod depths;
        pub mod alpha;
        pub mod beta;
        //- src/depths.rs
        pub fn deep() -> u32 {
            1
        }
        //- src/alpha.rs
        use crate::depths::deep;

        pub fn go() -> u32 {
            deep()
        }

        pub mod inner {
            pub fn move_me() -> u32 {
                use super::deep;
                deep()
            }
        }
        //- src/beta.rs
        pub mod inner {}
        """,
        """
        //- src/alpha.rs
        use crate::depths::deep;

        pub fn go() -> u32 {
            deep()
        }

        pub mod inner {
        }
        //- src/beta.rs
        pub mod inner {
            pub fn move_me() -> u32 {
                use crate::depths::deep;
                deep()
            }
        }
        """,
        symbol="inner::move_me",
        dest="src/beta.rs::inner",
    )


def test_a_type_of_another_crate_is_spelled_by_the_path_that_it_shows(check: Check) -> None:
    """Its declared path is private there, and no move of ours makes it more visible."""
    check(
        """
        //- src/lib.rs
        mod big;
        pub use big::Big;
        //- src/big.rs
        pub struct Big;

        impl Big {
            pub fn new() -> u32 {
                1
            }
        }
        //- tests/all.rs
        mod inner {
            use case::Big;

            fn move_me() -> u32 {
                Big::new()
            }

            #[test]
            fn news() {
                assert_eq!(move_me(), 1);
            }
        }

        mod other {
            use case::Big;

            #[test]
            fn news() {
                assert_eq!(Big::new(), 1);
            }
        }
        """,
        """
        //- tests/all.rs
        use case::Big;

        mod inner {
            #[cfg(test)]
            use crate::move_me;

            #[test]
            fn news() {
                assert_eq!(move_me(), 1);
            }
        }

        mod other {
            use case::Big;

            #[test]
            fn news() {
                assert_eq!(Big::new(), 1);
            }
        }

        fn move_me() -> u32 {
            Big::new()
        }
        """,
        symbol="inner::move_me",
        source="tests/all.rs",
        dest="tests/all.rs",
    )


def test_a_style_that_the_old_module_allows_goes_along_where_it_is_denied(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        #![deny(warnings)]
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod inner {
            pub const move_me: u32 = 1;
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod inner {
        }
        //- src/beta.rs
        pub fn resident() {}

        #[allow(non_upper_case_globals)]
        pub const move_me: u32 = 1;
        """,
        symbol="inner::move_me",
    )


def test_a_module_that_an_attribute_names_goes_on_to_show_what_it_means() -> None:
    """`with = "stamp"` calls `stamp::serialize`: rustc would miss it only where the derive is expanded."""
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": (
            "mod stamp {\n    pub fn serialize() {}\n\n    pub fn again() {\n        serialize()\n    }\n}\n\n"
            '#[derive(serde::Serialize)]\npub struct Log {\n    #[serde(with = "stamp")]\n    at: u32,\n}\n'
        ),
        "src/beta.rs": "",
    }
    after = moved(files, "stamp::serialize", "src/alpha.rs", "src/beta.rs")
    assert after["src/beta.rs"] == "pub fn serialize() {}\n"
    assert after["src/alpha.rs"] == files["src/alpha.rs"].replace(
        "    pub fn serialize() {}\n", "    pub(super) use crate::beta::serialize;\n"
    )


def test_an_import_of_the_new_home_keeps_none_of_the_old_alive(check: Check) -> None:
    """Two modules of one file say the same import; the one that nobody needs any more is an error where that is denied."""
    check(
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        //- src/alpha.rs
        use std::cmp::max;

        pub fn move_me() -> u32 {
            max(1, 2)
        }

        pub mod inner {
            use std::cmp::max;

            pub fn resident() -> u32 {
                max(3, 4)
            }
        }
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            use std::cmp::max;

            pub fn resident() -> u32 {
                max(3, 4)
            }

            pub fn move_me() -> u32 {
                max(1, 2)
            }
        }
        """,
        dest="src/alpha.rs::inner",
    )


def test_a_trait_import_stands_under_the_condition_of_its_only_caller(check: Check) -> None:
    """In a build without tests it would be an import that nobody uses."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub trait Weigh {
            fn mass(&self) -> u32;
        }

        impl Weigh for u32 {
            fn mass(&self) -> u32 {
                *self
            }
        }

        #[test]
        fn move_me() {
            assert_eq!(3u32.mass(), 3);
        }
        //- src/beta.rs
        pub mod inner {
            pub fn resident() {}
        }
        """,
        """
        //- src/alpha.rs
        pub trait Weigh {
            fn mass(&self) -> u32;
        }

        impl Weigh for u32 {
            fn mass(&self) -> u32 {
                *self
            }
        }
        //- src/beta.rs
        pub mod inner {
            #[cfg(test)]
            use crate::alpha::Weigh;

            pub fn resident() {}

            #[test]
            fn move_me() {
                assert_eq!(3u32.mass(), 3);
            }
        }
        """,
        dest="src/beta.rs::inner",
    )


def test_what_a_macro_makes_around_the_module_is_told_also_inside_an_assertion() -> None:
    """Nobody here can tell that the glob brings it, so a compiler must."""
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": (
            "macro_rules! number {\n    ($name:ident) => {\n        #[derive(PartialEq)]\n        pub struct $name(u32);\n    };\n}\n"
            "number!(Deep);\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn same() {\n"
            "        assert!(Deep(1) == Deep(1));\n    }\n}\n"
        ),
        "src/beta.rs": "#[cfg(test)]\nmod tests {\n}\n",
    }
    told = plan(files, "tests::same", "src/alpha.rs", "src/beta.rs::tests").receipt["refs_unresolved"]
    assert {entry["text"] for entry in told} == {"Deep"}


def test_a_struct_with_named_fields_takes_no_name_from_patterns_below(check: Check) -> None:
    """winnow: `Partial` goes from `mod partial` up to its parent, below which `mod partial` still spells it."""
    check(
        """
        //- src/alpha.rs
        pub struct Part {
            pub input: u8,
        }
        //- src/beta.rs
        pub mod partial {
            use super::*;

            use crate::alpha::Part;

            pub fn stay() -> Part {
                Part { input: 2 }
            }

            pub fn move_me() -> Vec<Part> {
                vec![Part { input: 1 }]
            }
        }
        """,
        """
        //- src/beta.rs
        use crate::alpha::Part;

        pub mod partial {
            use super::*;

            use crate::alpha::Part;

            pub fn stay() -> Part {
                Part { input: 2 }
            }
        }

        pub fn move_me() -> Vec<Part> {
            vec![Part { input: 1 }]
        }
        """,
        source="src/beta.rs::partial",
        dest="src/beta.rs",
    )
