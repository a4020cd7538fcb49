"""What the bodies of macros say behind a dot is said where the macro is called: private fields count there (found on real crates)."""

from tests.support.before_after import Check


def test_a_field_that_a_called_macro_reads_becomes_visible(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        #[macro_use]
        mod macros;
        pub mod alpha;
        pub mod beta;
        //- src/macros.rs
        macro_rules! is_empty {
            ($stack:expr) => {
                $stack.start == $stack.top
            };
        }
        //- src/alpha.rs
        pub struct Stack {
            start: u32,
            top: u32,
            other: u32,
        }

        pub fn new() -> Stack {
            Stack { start: 1, top: 1, other: 1 }
        }

        pub fn other(stack: &Stack) -> u32 {
            stack.other
        }

        pub fn move_me(stack: &Stack) -> bool {
            is_empty!(stack)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub struct Stack {
            pub(super) start: u32,
            pub(super) top: u32,
            other: u32,
        }

        pub fn new() -> Stack {
            Stack { start: 1, top: 1, other: 1 }
        }

        pub fn other(stack: &Stack) -> u32 {
            stack.other
        }
        //- src/beta.rs
        use crate::alpha::Stack;

        pub fn resident() {}

        pub fn move_me(stack: &Stack) -> bool {
            is_empty!(stack)
        }
        """,
    )


def test_a_field_that_macros_of_the_old_home_read_stays_visible_there(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        macro_rules! is_empty {
            ($stack:expr) => {
                $stack.start == $stack.top
            };
        }
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        #[derive(Default)]
        pub struct Stack {
            start: u32,
            top: u32,
        }

        pub fn stays() -> bool {
            is_empty!(Stack::default())
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Stack;

        pub fn stays() -> bool {
            is_empty!(Stack::default())
        }
        //- src/beta.rs
        pub fn resident() {}

        #[derive(Default)]
        pub struct Stack {
            pub(super) start: u32,
            pub(super) top: u32,
        }
        """,
        symbol="Stack",
    )


def test_an_attribute_that_nothing_names_is_none_of_the_standard_library(check: Check) -> None:
    """`#[macro_use] extern crate std;` brings the macros of std, and they are known."""
    check(
        """
        //- src/lib.rs
        #![no_std]
        #[macro_use]
        extern crate std;
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        #[cfg_attr(target_family = "wasm", wasm_bindgen_test)]
        pub fn move_me() {
            println!("moved");
        }
        //- src/beta.rs
        pub mod inner {}
        """,
        """
        //- src/alpha.rs
        //- src/beta.rs
        pub mod inner {
            #[cfg_attr(target_family = "wasm", wasm_bindgen_test)]
            pub fn move_me() {
                println!("moved");
            }
        }
        """,
        dest="src/beta.rs::inner",
    )
