"""`macro_rules`: textual scope, paths, and what their bodies name (frontier 1e)."""

from tests.support.before_after import Check
from tests.support.moves import moved, refusal


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


def test_a_macro_that_another_macro_calls_is_imported_where_that_one_is_called(check: Check) -> None:
    """It stands below its caller, whose body is looked up at the call only; who imports it goes on to find it."""
    check(
        """
        //- src/alpha.rs
        macro_rules! outer {
            ($e:expr) => {
                inner!($e) * 2
            };
        }
        pub(crate) use outer;

        macro_rules! inner {
            ($e:expr) => {
                $e + 1
            };
        }
        pub(crate) use inner;

        pub fn four() -> u32 {
            outer!(1)
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::{inner, outer};

        pub fn six() -> u32 {
            outer!(2)
        }
        """,
        """
        //- src/alpha.rs
        macro_rules! outer {
            ($e:expr) => {
                inner!($e) * 2
            };
        }
        pub(crate) use outer;

        pub(crate) use crate::beta::inner;

        pub fn four() -> u32 {
            outer!(1)
        }
        //- src/beta.rs
        pub fn resident() {}

        macro_rules! inner {
            ($e:expr) => {
                $e + 1
            };
        }
        pub(super) use inner;
        //- src/gamma.rs
        use crate::alpha::outer;
        use crate::beta::inner;

        pub fn six() -> u32 {
            outer!(2)
        }
        """,
        symbol="inner",
    )


def test_a_macro_that_another_macro_calls_has_no_path_in_edition_2015() -> None:
    files = {
        "src/lib.rs": "mod alpha;\nmod beta;\n",
        "src/alpha.rs": "macro_rules! outer {\n    () => {\n        inner!()\n    };\n}\n\n"
        "macro_rules! inner {\n    () => {\n        1\n    };\n}\n\npub fn one() -> u32 {\n    outer!()\n}\n",
        "src/beta.rs": "pub fn resident() {}\n",
    }
    assert refusal(files, "inner", "src/alpha.rs", "src/beta.rs", edition=2015) == "textual_macro_scope"


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


def test_a_macro_whose_body_alone_called_the_moved_one_gets_no_import_where_it_stands() -> None:
    """httparse: nobody calls `outer!` in alpha.rs, where an import of `inner` would be an unused one."""
    files = {
        "src/lib.rs": "#[macro_use]\nmod alpha;\nmod beta;\nmod gamma;\n",
        "src/alpha.rs": "macro_rules! inner { () => { 1 }; }\nmacro_rules! outer { () => { inner!() }; }\n",
        "src/beta.rs": "pub fn resident() {}\n",
        "src/gamma.rs": "pub fn one() -> u8 {\n    outer!()\n}\n",
    }
    result = moved(files, "inner", "src/alpha.rs", "src/beta.rs")
    assert result["src/alpha.rs"] == "macro_rules! outer { () => { inner!() }; }\n"
    assert result["src/gamma.rs"] == "use crate::beta::inner;\n\npub fn one() -> u8 {\n    outer!()\n}\n"


def test_a_glob_of_another_crate_takes_no_name_from_the_path_of_a_macro(check: Check) -> None:
    """nom: `use core::result::Result::*;` at the new home."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/beta.rs
        use core::result::Result::*;

        pub fn resident() -> Result<(), ()> {
            Ok(())
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::twice;

        pub fn four() -> u32 {
            twice!(2)
        }
        //- src/beta.rs
        use core::result::Result::*;

        pub fn resident() -> Result<(), ()> {
            Ok(())
        }

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(super) use twice;
        """,
        symbol="twice",
    )


def test_a_macro_that_stands_between_a_type_and_its_impl_moves_with_both() -> None:
    """proc-macro2: `struct Literal`, then the macro, then `impl Literal { suffixed_numbers! { … } }`."""
    item = (
        "pub struct Literal;\n\nmacro_rules! numbers {\n    ($($name:ident)*) => { $(pub fn $name() {})* };\n}\n\n"
        "impl Literal {\n    numbers! { one two }\n}\n"
    )
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": f"pub fn stay() {{}}\n\n{item}",
        "src/beta.rs": "pub fn resident() {}\n",
    }
    result = moved(files, "Literal", "src/alpha.rs", "src/beta.rs")
    assert result["src/beta.rs"] == f"pub fn resident() {{}}\n\n{item}"
    assert result["src/alpha.rs"] == "pub fn stay() {}\n"


def test_a_module_that_shows_its_macros_by_an_attribute_of_its_own_is_seen_through() -> None:
    """xml-rs: `#![macro_use]` in macros.rs; without a path (edition 2015) the order of the text shows the macro."""
    files = {
        "src/lib.rs": "mod alpha;\nmod beta;\nmod gamma;\n",
        "src/alpha.rs": "#![macro_use]\n\nmacro_rules! one { () => { 1 }; }\n",
        "src/beta.rs": "pub fn resident() {}\n",
        "src/gamma.rs": "pub fn get() -> u8 {\n    one!()\n}\n",
    }
    early = moved(files, "one", "src/alpha.rs", "src/beta.rs", edition=2015)
    assert early["src/lib.rs"] == "mod alpha;\n#[macro_use]\nmod beta;\nmod gamma;\n"
    assert early["src/gamma.rs"] == files["src/gamma.rs"]
    result = moved(files, "one", "src/alpha.rs", "src/beta.rs")
    assert result["src/gamma.rs"] == "use crate::beta::one;\n\npub fn get() -> u8 {\n    one!()\n}\n"
