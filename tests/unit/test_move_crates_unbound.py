"""Moves between crates of text that looks bound to its crate, and is not (frontier 2c)."""

from tests.support.before_after import Check
from tests.support.two_crates import tree

PLACES = {"source": "app/src/alpha.rs", "dest": "words/src/lib.rs"}


def test_what_comes_from_alloc_comes_from_std_where_alloc_is_not_declared(check: Check) -> None:
    check(
        tree(
            "use alloc::vec::Vec;\n\npub fn move_me() -> Vec<u8> {\n    Vec::new()\n}\n\npub fn text() -> alloc::string::String {\n    alloc::string::String::new()\n}\n",
            root="extern crate alloc;\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;

        pub fn text() -> alloc::string::String {
            alloc::string::String::new()
        }
        //- words/src/lib.rs

        pub fn move_me() -> Vec<u8> {
            Vec::new()
        }
        """,
        **PLACES,
    )


def test_a_test_of_another_target_crosses_with_imports_for_tests(check: Check) -> None:
    check(
        tree(
            "pub fn stays() {}\n",
            words="publish = false",
            lib="pub fn most() -> std::time::Duration {\n    std::time::Duration::MAX\n}\n",
        ).replace(
            "//- app/Cargo.toml",
            "//- words/tests/it.rs\nuse std::time::Duration;\n\n#[test]\nfn move_me() {\n    assert!(words::most() > Duration::ZERO);\n}\n\n#[test]\nfn stays() {\n    assert!(words::most() > Duration::ZERO);\n}\n//- app/Cargo.toml",
        ),
        """
        //- words/tests/it.rs
        #[cfg(test)]
        use std::time::Duration;

        #[test]
        fn stays() {
            assert!(words::most() > Duration::ZERO);
        }
        //- words/src/lib.rs
        #[cfg(test)]
        use std::time::Duration;

        pub fn most() -> std::time::Duration {
            std::time::Duration::MAX
        }

        #[test]
        fn move_me() {
            assert!(self::most() > Duration::ZERO);
        }
        """,
        source="words/tests/it.rs",
        dest="words/src/lib.rs",
    )


def test_a_macro_of_the_workspace_that_writes_no_impl_may_be_given_the_type(check: Check) -> None:
    check(
        tree(
            "#[allow(non_camel_case_types)]\npub struct move_me;\n",
            root="macro_rules! size {\n    ($t:ty) => {\n        std::mem::size_of::<$t>()\n    };\n}\n\npub fn user() -> usize {\n    size!(alpha::move_me)\n}\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs

        #[allow(non_camel_case_types)]
        pub struct move_me;
        //- app/src/lib.rs
        pub mod alpha;
        macro_rules! size {
            ($t:ty) => {
                std::mem::size_of::<$t>()
            };
        }

        pub fn user() -> usize {
            size!(words::move_me)
        }
        """,
        **PLACES,
    )


def test_a_type_arrives_without_documentation_where_that_is_denied(check: Check) -> None:
    check(
        tree(
            "#[allow(non_camel_case_types)]\npub(crate) struct move_me {\n    pub beam: u32,\n}\n\nimpl move_me {\n    pub fn get(&self) -> u32 {\n        self.beam\n    }\n}\n",
            root="pub fn user() -> u32 {\n    alpha::move_me { beam: 1 }.get()\n}\n",
            lib="//! Words.\n#![deny(missing_docs)]",
        ),
        """
        //- app/src/alpha.rs
        //- words/src/lib.rs
        //! Words.
        #![deny(missing_docs)]

        #[allow(non_camel_case_types)]
        #[allow(missing_docs)]
        pub struct move_me {
            pub beam: u32,
        }

        #[allow(missing_docs)]
        impl move_me {
            pub fn get(&self) -> u32 {
                self.beam
            }
        }
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() -> u32 {
            words::move_me { beam: 1 }.get()
        }
        """,
        **PLACES,
    )


def test_a_non_exhaustive_enum_crosses_where_every_match_has_an_arm_for_the_rest(check: Check) -> None:
    check(
        tree(
            "#[allow(non_camel_case_types)]\n#[non_exhaustive]\npub enum move_me {\n    A,\n    B,\n}\n",
            root="pub fn user(it: alpha::move_me) -> alpha::move_me {\n    if let alpha::move_me::B = it {\n        return alpha::move_me::A;\n    }\n    match it {\n        alpha::move_me::A => alpha::move_me::B,\n        _ => it,\n    }\n}\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs

        #[allow(non_camel_case_types)]
        #[non_exhaustive]
        pub enum move_me {
            A,
            B,
        }
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user(it: words::move_me) -> words::move_me {
            if let words::move_me::B = it {
                return words::move_me::A;
            }
            match it {
                words::move_me::A => words::move_me::B,
                _ => it,
            }
        }
        """,
        **PLACES,
    )


def test_text_that_needs_core_alone_crosses_into_a_crate_without_std(check: Check) -> None:
    check(
        tree(
            "#[derive(Clone, Debug, PartialEq)]\n#[allow(non_camel_case_types)]\npub struct move_me(pub Option<u8>);\n\nimpl Default for move_me {\n    fn default() -> Self {\n        Self(Some(1).filter(|n| *n > 0))\n    }\n}\n",
            lib="#![no_std]",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs
        #![no_std]

        #[derive(Clone, Debug, PartialEq)]
        #[allow(non_camel_case_types)]
        pub struct move_me(pub Option<u8>);

        impl Default for move_me {
            fn default() -> Self {
                Self(Some(1).filter(|n| *n > 0))
            }
        }
        """,
        **PLACES,
    )


def test_an_exported_macro_that_names_only_public_things_of_its_crate_is_called_from_the_other(
    check: Check,
) -> None:
    """Generated text may say `macro_rules ! name`."""
    check(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me()\n}\n",
            words="publish = false",
            lib="#[macro_export]\nmacro_rules ! few {\n    [crate] => { $ crate :: least() };\n}\n\npub fn least() -> u8 {\n    1\n}\n\n"
            "pub fn move_me() -> u8 {\n    few![crate]\n}\n\npub fn other() -> u8 {\n    few![crate]\n}\n",
        ),
        """
        //- words/src/lib.rs
        #[macro_export]
        macro_rules ! few {
            [crate] => { $ crate :: least() };
        }

        pub fn least() -> u8 {
            1
        }

        pub fn other() -> u8 {
            few![crate]
        }
        //- app/src/alpha.rs
        pub fn stays() -> u8 {
            self::move_me()
        }

        pub fn move_me() -> u8 {
            words::few![crate]
        }
        """,
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_the_body_of_a_macro_that_nobody_outside_can_call_follows_the_item(check: Check) -> None:
    check(
        tree(
            "pub(crate) fn move_me() {}\n",
            root="macro_rules! call {\n    () => {\n        $crate::alpha::move_me()\n    };\n}\n\npub fn user() {\n    call!()\n}\n",
        ),
        """
        //- app/src/alpha.rs
        //- words/src/lib.rs

        pub fn move_me() {}
        //- app/src/lib.rs
        pub mod alpha;
        macro_rules! call {
            () => {
                words::move_me()
            };
        }

        pub fn user() {
            call!()
        }
        """,
        **PLACES,
    )
