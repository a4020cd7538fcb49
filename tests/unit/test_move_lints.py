"""Lint levels that a move would trip: met where that is possible, refused by name where not."""

import pytest
from tests.support.before_after import Check
from tests.support.moves import encoded, moved, workspace_of

from m1nd.domain.move.lint_levels import level_of


def level(lint: str, lib: str = "", alpha: str = "", lints: str = "") -> str:
    """The level of a lint in `src/alpha.rs`; `lib` stands before `mod alpha;`, `lints` ends the manifest."""
    files = {
        "Cargo.toml": f'[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n\n{lints}',
        "src/lib.rs": f"{lib} mod alpha;\n",
        "src/alpha.rs": alpha,
    }
    workspace = workspace_of(encoded(files))
    (module,) = workspace.mounts("src/alpha.rs")
    return level_of(workspace, module, lint)


DOCUMENTED = "/// What it is.\npub struct S {\n    /// How many.\n    pub count: u8,\n    kept: u8,\n}\n"


@pytest.mark.parametrize(
    "item, stays",
    [
        (DOCUMENTED, True),
        (DOCUMENTED.replace("    /// How many.\n", ""), False),
        ("/// What it is.\npub struct S(pub u8);\n", True),
        ("/// What it is.\npub enum S {\n    /// A.\n    A,\n    B,\n}\n", False),
        (
            "/// What it is.\npub enum S {\n    /// A.\n    A(u8),\n    /// B.\n    B {\n        /// C.\n        c: u8,\n    },\n}\n",
            True,
        ),
        ("/// What it is.\npub enum S {\n    /// B.\n    B { c: u8 },\n}\n", False),
        ("/// What it is.\npub trait S {\n    fn f();\n}\n", False),
        ("/// What it is.\npub trait S {\n    /// F.\n    fn f();\n}\n", True),
        (f"{DOCUMENTED}\nimpl S {{\n    pub fn f() {{}}\n}}\n", False),
        (f"{DOCUMENTED}\nimpl S {{\n    fn f() {{}}\n}}\n", True),
    ],
)
def test_an_item_may_become_public_only_with_documentation_of_all_that_it_shows(
    item: str, stays: bool
) -> None:
    files = {
        "src/lib.rs": "//! Case.\n#![deny(missing_docs)]\n#![allow(dead_code)]\nmod alpha;\npub mod beta;\n",
        "src/alpha.rs": item,
        "src/beta.rs": "//! Beta.\n",
    }
    after = moved(files, "S", "src/alpha.rs", "src/beta.rs")["src/beta.rs"]
    assert after.replace("pub(crate) ", "pub ") == f"//! Beta.\n\n{item}"
    assert ("pub(crate) " not in after) == stays


@pytest.mark.parametrize(
    "lint, lib, alpha, lints, expected",
    [
        ("unused_imports", "", "", "", "warn"),
        ("missing_docs", "", "", "", "allow"),
        ("unreachable_pub", "", "", "", "allow"),
        ("unsafe_code", "", "", "", "allow"),
        ("unused_imports", "#![deny(unused_imports)]", "", "", "deny"),
        ("unused_imports", "#![deny(dead_code, unused_imports)]", "", "", "deny"),
        ("unused_imports", "#![deny(unused)]", "", "", "deny"),
        ("unused_imports", "#![deny(warnings)]", "", "", "deny"),
        ("unsafe_code", "#![forbid(unsafe_code)]", "", "", "forbid"),
        ("dead_code", "#[allow(dead_code)]", "", "", "allow"),
        ("dead_code", "#![deny(dead_code)] #[allow(dead_code)]", "", "", "allow"),
        ("dead_code", "#![allow(dead_code)]", "#![deny(dead_code)]", "", "deny"),
        ("dead_code", "#![deny(warnings)]", "#![allow(unused)]", "", "allow"),
        ("dead_code", "#![allow(dead_code)] #![deny(dead_code)]", "", "", "deny"),
        ("dead_code", '#![deny(dead_code, reason = "why (not)")]', "", "", "deny"),
        ("dead_code", "#![cfg_attr(unix, deny(dead_code))]", "", "", "deny"),
        ("dead_code", "#![cfg_attr(test, allow(dead_code))]", "", "", "warn"),
        ("dead_code", "#![cfg_attr(test, deny(warnings))]", "", "", "deny"),
        ("dead_code", "#![deny(dead_code)] #![cfg_attr(not(test), allow(dead_code))]", "", "", "deny"),
        ("dead_code", "#![deny(clippy::dead_code_like)]", "", "", "warn"),
        ("unsafe_code", "", "", '[lints.rust]\nunsafe_code = "forbid"\n', "forbid"),
        ("dead_code", "", "", '[lints.rust]\nunused = { level = "deny", priority = -1 }\n', "deny"),
        (
            "dead_code",
            "",
            "",
            '[lints.rust]\nunused = { level = "deny", priority = -1 }\ndead_code = "allow"\n',
            "allow",
        ),
        ("dead_code", "#![allow(dead_code)]", "", '[lints.rust]\ndead_code = "deny"\n', "allow"),
    ],
)
def test_the_innermost_attribute_decides_then_the_manifest(
    lint: str, lib: str, alpha: str, lints: str, expected: str
) -> None:
    assert level(lint, lib, alpha, lints) == expected


def test_unsafe_code_does_not_move_to_where_it_is_forbidden(check: Check) -> None:
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        #[forbid(unsafe_code)]
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me(x: *const u32) -> u32 {
            unsafe { *x }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "not_movable",
        "`unsafe_code`",
        "src/beta.rs",
    )


def test_a_travelling_helper_counts_too(check: Check) -> None:
    """The whole moved set is read."""
    check.refused(
        """
        //- src/lib.rs
        pub mod alpha;
        #[deny(unsafe_code)]
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me(x: *const u32) -> u32 {
            read(x)
        }

        fn read(x: *const u32) -> u32 {
            unsafe { *x }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "not_movable",
        "`unsafe_code`",
    )


def test_the_word_unsafe_in_a_text_is_not_unsafe_code(check: Check) -> None:
    """Strings, comments and names hold it without meaning it."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        #[forbid(unsafe_code)]
        pub mod beta;
        //- src/alpha.rs
        /// Not unsafe.
        pub fn move_me() -> &'static str {
            // unsafe would be wrong here
            "unsafe"
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        /// Not unsafe.
        pub fn move_me() -> &'static str {
            // unsafe would be wrong here
            "unsafe"
        }
        """,
    )


def test_an_item_without_documentation_does_not_become_public_where_docs_are_missed(check: Check) -> None:
    """Nobody outside could reach it; it stays inside the crate, where no lint asks for documentation."""
    check(
        """
        //- src/lib.rs
        //! Case.
        #![deny(missing_docs)]
        mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        //! Beta.
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        //! Beta.

        pub(crate) fn move_me() {}
        """,
    )


def test_a_module_that_is_re_exported_by_name_shows_what_it_holds(check: Check) -> None:
    """cssparser: `pub use parser::Delimiter` of a module in a private one."""
    check(
        """
        //- src/lib.rs
        //! Case.
        #![deny(missing_docs)]
        mod alpha;
        mod beta;
        pub use beta::shown;
        //- src/alpha.rs
        pub fn move_me() {}
        //- src/beta.rs
        /// Shown.
        pub mod shown {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        /// Shown.
        pub mod shown {
            pub(crate) fn move_me() {}
        }
        """,
        dest="src/beta.rs::shown",
    )


def test_an_item_with_documentation_may_become_public(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        //! Case.
        #![deny(missing_docs)]
        #![allow(dead_code)]
        mod alpha;
        pub mod beta;
        //- src/alpha.rs
        /// What it does.
        pub fn move_me() {}
        //- src/beta.rs
        //! Beta.
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        //! Beta.

        /// What it does.
        pub fn move_me() {}
        """,
    )


def test_a_public_item_stays_public_where_no_path_leads_to_its_new_home(check: Check) -> None:
    """TRANSPLANT.md plan 5: the public path that existed goes on to exist."""
    check(
        """
        //- src/lib.rs
        #![deny(unreachable_pub)]
        pub mod alpha;
        mod beta;
        //- src/alpha.rs
        pub fn move_me() {}

        pub fn stay() {
            move_me();
        }
        //- src/beta.rs
        //! Nothing.
        """,
        """
        //- src/alpha.rs
        pub use crate::beta::move_me;

        pub fn stay() {
            move_me();
        }
        //- src/beta.rs
        //! Nothing.

        pub fn move_me() {}
        """,
    )


def test_no_unused_import_is_left_anywhere(check: Check) -> None:
    """Denied, and met: at the source, at a referencer, at the destination, in tests."""
    check(
        """
        //- src/lib.rs
        #![deny(unused_imports)]
        pub mod alpha;
        pub mod beta;
        pub mod gamma;
        //- src/alpha.rs
        use std::collections::BTreeMap;
        use std::fmt::Write as _;

        pub fn move_me(out: &mut String) -> BTreeMap<u8, u8> {
            write!(out, "x").unwrap();
            BTreeMap::new()
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn empty() {
                assert!(move_me(&mut String::new()).is_empty());
            }
        }
        //- src/beta.rs
        use crate::alpha::move_me;

        pub fn resident() {
            move_me(&mut String::new());
        }
        //- src/gamma.rs
        use crate::alpha;

        pub fn go() {
            alpha::move_me(&mut String::new());
        }
        """,
        """
        //- src/alpha.rs
        #[cfg(test)]
        mod tests {
            use crate::beta::move_me;

            #[test]
            fn empty() {
                assert!(move_me(&mut String::new()).is_empty());
            }
        }
        //- src/beta.rs
        use std::collections::BTreeMap;
        use std::fmt::Write as _;

        pub fn resident() {
            move_me(&mut String::new());
        }

        pub fn move_me(out: &mut String) -> BTreeMap<u8, u8> {
            write!(out, "x").unwrap();
            BTreeMap::new()
        }
        //- src/gamma.rs
        pub fn go() {
            crate::beta::move_me(&mut String::new());
        }
        """,
    )


def test_an_allowance_that_the_item_rested_on_goes_with_it(check: Check) -> None:
    """The source module allowed what the destination denies."""
    check(
        """
        //- src/lib.rs
        #[allow(non_snake_case, unused_variables)]
        pub mod alpha;
        #[deny(non_snake_case, unused_variables)]
        pub mod beta;
        //- src/alpha.rs
        /// What it does.
        pub fn move_me(Odd: u32) {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        /// What it does.
        #[allow(non_snake_case)]
        #[allow(unused_variables)]
        pub fn move_me(Odd: u32) {}
        """,
    )


def test_a_carried_level_stands_above_the_modifier_of_an_item_that_had_none(check: Check) -> None:
    """lz4_flex: a private fn with an attribute, out of a file that allows dead code."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        #[deny(dead_code)]
        pub mod beta;
        //- src/alpha.rs
        #![allow(dead_code)]
        #[inline]
        fn move_me() {}

        pub fn stay() {
            move_me();
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        #![allow(dead_code)]

        use crate::beta::move_me;

        pub fn stay() {
            move_me();
        }
        //- src/beta.rs
        pub fn resident() {}

        #[inline]
        #[allow(dead_code)]
        pub(super) fn move_me() {}
        """,
    )


def test_a_constant_keeps_the_allowance_for_its_name(check: Check) -> None:
    """cssparser: `#[allow(non_upper_case_globals)] mod Delimiter { pub const Semicolon … }`."""
    check(
        """
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod marks {
            /// Moved.
            pub const moveMe: u8 = 1;
            pub const Stays: u8 = 2;
        }
        //- src/beta.rs
        """,
        """
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod marks {
            pub const Stays: u8 = 2;
        }
        //- src/beta.rs
        /// Moved.
        #[allow(non_upper_case_globals)]
        pub const moveMe: u8 = 1;
        """,
        symbol="moveMe",
        source="src/alpha.rs::marks",
    )


def test_a_constant_in_capitals_needs_no_allowance_for_its_name(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod marks {
            pub const MOVE_ME: u8 = 1;
            pub const Stays: u8 = 2;
        }
        //- src/beta.rs
        """,
        """
        //- src/alpha.rs
        #[allow(non_upper_case_globals)]
        pub mod marks {
            pub const Stays: u8 = 2;
        }
        //- src/beta.rs
        pub const MOVE_ME: u8 = 1;
        """,
        symbol="MOVE_ME",
        source="src/alpha.rs::marks",
    )


def test_a_trait_of_ours_may_be_without_use_where_a_type_of_another_crate_has_the_method_itself() -> None:
    """lz4_flex: `vec.capacity()` beside `trait Sink { fn capacity }`; nothing here lists the methods of `Vec`."""
    files = {
        "src/lib.rs": "#![deny(unused_imports)]\npub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": (
            "pub trait Sink {\n    fn capacity(&self) -> usize;\n}\n\n"
            "pub fn room(held: &Vec<u8>) -> usize {\n    held.capacity()\n}\n"
        ),
        "src/beta.rs": "",
    }
    after = moved(files, "room", "src/alpha.rs", "src/beta.rs")
    assert after["src/beta.rs"] == (
        "#[allow(unused_imports)]\nuse crate::alpha::Sink;\n\n"
        "pub fn room(held: &Vec<u8>) -> usize {\n    held.capacity()\n}\n"
    )
