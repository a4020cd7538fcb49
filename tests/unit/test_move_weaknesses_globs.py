"""Globs that brought the item. Numbers W… are those of the study."""

from tests.support.before_after import Check
from tests.support.moves import moved


def test_a_glob_referencer_gets_an_explicit_import(check: Check) -> None:
    """W15: the item is used as a value."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay(x: u32) -> u32 {
            x
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::*;

        pub fn all(v: &[u32]) -> Vec<u32> {
            v.iter().copied().map(move_me).map(stay).collect()
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay(x: u32) -> u32 {
            x
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/gamma.rs
        use crate::alpha::*;
        use crate::beta::move_me;

        pub fn all(v: &[u32]) -> Vec<u32> {
            v.iter().copied().map(move_me).map(stay).collect()
        }
        """,
    )


def test_a_glob_that_brought_only_the_item_goes(check: Check) -> None:
    """W15: no unused import is left."""
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
        use crate::alpha::*;

        pub fn go() -> u32 {
            move_me(1)
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
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me(1)
        }
        """,
    )


def test_a_glob_gets_company_only_for_what_came_through_it(check: Check) -> None:
    """W5, W15: a helper and a textual macro travel too, but nobody used them through the glob."""
    check(
        """
        //- src/alpha.rs
        macro_rules! next {
            ($e:expr) => {
                $e + 1
            };
        }

        fn helper(x: u32) -> u32 {
            next!(x)
        }

        fn move_me(x: u32) -> u32 {
            helper(x)
        }

        pub fn stay() -> u32 {
            1
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn adds() {
                assert_eq!(move_me(1), stay() + 1);
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            1
        }

        #[cfg(test)]
        mod tests {
            use super::*;
            use crate::beta::move_me;

            #[test]
            fn adds() {
                assert_eq!(move_me(1), stay() + 1);
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        macro_rules! next {
            ($e:expr) => {
                $e + 1
            };
        }

        fn helper(x: u32) -> u32 {
            next!(x)
        }

        pub(super) fn move_me(x: u32) -> u32 {
            helper(x)
        }
        """,
        receipt={"deps_travelled": ["next", "helper"]},
    )


def test_a_glob_that_serves_another_glob_is_still_used(check: Check) -> None:
    """W15: tests reach the rest through `use super::*`; then only tests need the glob."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::*;

        pub fn go() -> u32 {
            move_me(1)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn both() {
                assert_eq!(go(), stay());
            }
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/gamma.rs
        #[cfg(test)]
        use crate::alpha::*;
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me(1)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn both() {
                assert_eq!(go(), stay());
            }
        }
        """,
    )


def test_the_destinations_glob_of_the_source_goes_and_its_tests_see_the_item_itself(check: Check) -> None:
    """W15: `use super::*` of a child finds the newcomer."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        use crate::alpha::*;

        pub fn resident() -> u32 {
            move_me(1)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn both() {
                assert_eq!(move_me(1), 2);
            }
        }
        """,
        """
        //- src/alpha.rs
        pub fn stay() -> u32 {
            2
        }
        //- src/beta.rs
        pub fn resident() -> u32 {
            move_me(1)
        }

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn both() {
                assert_eq!(move_me(1), 2);
            }
        }
        """,
    )


def test_a_childs_glob_goes_on_to_serve_what_the_source_imports_back(check: Check) -> None:
    """W5, W15: the source uses the item itself, so its import back shows it to the child."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me() -> u32 {
            1
        }

        pub fn stay() -> u32 {
            move_me()
        }

        pub mod child {
            use super::*;

            pub fn works() -> u32 {
                move_me()
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::move_me;

        pub fn stay() -> u32 {
            move_me()
        }

        pub mod child {
            use super::*;

            pub fn works() -> u32 {
                move_me()
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me() -> u32 {
            1
        }
        """,
    )


def test_a_glob_that_brought_the_old_module_and_brings_the_new_one_stays(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(alpha::move_me(1), 2);
            }
        }
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn works() {
                assert_eq!(beta::move_me(1), 2);
            }
        }
        //- src/alpha.rs
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
    )


def test_a_glob_of_a_moved_enum_goes_where_only_moved_text_used_its_variants() -> None:
    """`use self::Kind::*;` above the enum and its impl: an enum brings no trait that calls could need."""
    enum = "pub enum Kind { One, Two }\n\nimpl Kind { pub fn n(&self) -> u8 { match self { One => 1, Two => 2 } } }\n"
    tests = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn it() { Two.n(); }\n}\n"
    files = {
        "src/lib.rs": "mod alpha;\nmod beta;\n",
        "src/alpha.rs": f"use self::Kind::*;\n\n{enum}\npub fn stay(n: u8) -> u32 {{ n.count_ones() }}\n",
        "src/beta.rs": "pub fn resident() {}\n",
    }
    assert moved(files, "Kind", "src/alpha.rs", "src/beta.rs")["src/alpha.rs"] == (
        "pub fn stay(n: u8) -> u32 { n.count_ones() }\n"
    )
    files["src/alpha.rs"] += tests
    assert moved(files, "Kind", "src/alpha.rs", "src/beta.rs")["src/alpha.rs"].startswith(
        "#[cfg(test)]\nuse crate::beta::Kind::*;\n\npub fn stay"
    )
