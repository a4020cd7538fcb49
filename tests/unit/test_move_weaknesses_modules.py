"""References through modules: their paths, their tests, their names. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_module_paths_come_from_the_module_tree(check: Check) -> None:
    """W3: the path of a nested file is that of its module, not its stem."""
    check(
        """
        //- src/lib.rs
        pub mod net;
        //- src/net.rs
        pub mod codec;
        pub mod wire;
        //- src/net/codec.rs
        pub fn move_me(x: u8) -> u8 {
            x ^ 1
        }

        pub fn twice(x: u8) -> u8 {
            move_me(move_me(x))
        }
        //- src/net/wire.rs
        pub fn resident() {}
        """,
        """
        //- src/net/codec.rs
        use crate::net::wire::move_me;

        pub fn twice(x: u8) -> u8 {
            move_me(move_me(x))
        }
        //- src/net/wire.rs
        pub fn resident() {}

        pub fn move_me(x: u8) -> u8 {
            x ^ 1
        }
        """,
        source="src/net/codec.rs",
        dest="src/net/wire.rs",
        receipt={"source_module": "crate::net::codec", "dest_module": "crate::net::wire"},
    )


def test_path_attributes_inline_modules_and_mod_files_are_modules_like_others(check: Check) -> None:
    """W3: `#[path]`, `mod x { mod y; }`, `mod.rs`."""
    check(
        """
        //- src/lib.rs
        #[path = "elsewhere/codec.rs"]
        pub mod code;
        pub mod outer {
            pub mod wire;
        }

        pub fn root() -> u8 {
            code::move_me(1)
        }
        //- src/elsewhere/codec.rs
        pub fn move_me(x: u8) -> u8 {
            x ^ 1
        }

        pub fn twice(x: u8) -> u8 {
            move_me(move_me(x))
        }
        //- src/outer/wire/mod.rs
        pub fn resident() -> u8 {
            crate::code::move_me(2)
        }
        """,
        """
        //- src/elsewhere/codec.rs
        use crate::outer::wire::move_me;

        pub fn twice(x: u8) -> u8 {
            move_me(move_me(x))
        }
        //- src/outer/wire/mod.rs
        pub fn resident() -> u8 {
            self::move_me(2)
        }

        pub fn move_me(x: u8) -> u8 {
            x ^ 1
        }
        //- src/lib.rs
        #[path = "elsewhere/codec.rs"]
        pub mod code;
        pub mod outer {
            pub mod wire;
        }

        pub fn root() -> u8 {
            crate::outer::wire::move_me(1)
        }
        """,
        source="src/elsewhere/codec.rs",
        dest="src/outer/wire/mod.rs",
    )


def test_super_paths_of_unit_tests_are_rewritten(check: Check) -> None:
    """W5: `super::move_me` in the source's tests."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() {}

        #[cfg(test)]
        mod tests {
            #[test]
            fn adds() {
                assert_eq!(super::move_me(1), 2);
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}

        #[cfg(test)]
        mod tests {
            #[test]
            fn adds() {
                assert_eq!(crate::beta::move_me(1), 2);
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_a_test_module_with_a_glob_of_its_parent_gets_the_import_itself(check: Check) -> None:
    """W5: an import that only tests need is theirs, so the plain build has no unused one."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() -> u32 {
            3
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn adds() {
                assert_eq!(move_me(1) + 1, stay());
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            3
        }

        #[cfg(test)]
        mod tests {
            use super::*;
            use crate::beta::move_me;

            #[test]
            fn adds() {
                assert_eq!(move_me(1) + 1, stay());
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
        receipt={"source_back_imported": False},
    )


def test_a_module_qualified_call_needs_the_new_module_in_scope(check: Check) -> None:
    """W6: and the old import goes when nobody else uses it."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha;

        pub fn go() -> u32 {
            alpha::move_me(1)
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
        //- src/gamma.rs
        pub fn go() -> u32 {
            crate::beta::move_me(1)
        }
        """,
        receipt={"imports_pruned": ["src/gamma.rs: use crate::alpha;"], "refs_rewritten": 1},
    )


def test_a_module_import_that_others_use_stays(check: Check) -> None:
    """W6: `alpha::stay` still needs it."""
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
        use crate::{alpha, beta};

        pub fn go() -> u32 {
            beta::resident();
            alpha::move_me(1) + alpha::stay()
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
        use crate::{alpha, beta};

        pub fn go() -> u32 {
            beta::resident();
            beta::move_me(1) + alpha::stay()
        }
        """,
        receipt={"imports_pruned": []},
    )
