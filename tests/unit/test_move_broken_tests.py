"""A `#[test]` fn is compiled for tests only, and so is what is imported for it alone. Found by use."""

import pytest
from tests.support.before_after import Check
from tests.support.moves import moved


def test_what_a_test_alone_needs_is_imported_for_tests(check: Check) -> None:
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;
        //- src/alpha.rs
        pub struct P;

        #[cfg(test)]
        fn only_test(_: &P) -> u32 {
            1
        }

        #[test]
        fn move_me() {
            assert_eq!(only_test(&P), 1);
        }

        #[test]
        fn other() {
            assert_eq!(only_test(&P), 1);
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub struct P;

        #[cfg(test)]
        pub(super) fn only_test(_: &P) -> u32 {
            1
        }

        #[test]
        fn other() {
            assert_eq!(only_test(&P), 1);
        }
        //- src/beta.rs
        #[cfg(test)]
        use crate::alpha::only_test;
        #[cfg(test)]
        use crate::alpha::P;

        pub fn resident() {}

        #[test]
        fn move_me() {
            assert_eq!(only_test(&P), 1);
        }
        """,
    )


@pytest.mark.parametrize("attribute", ["#[test]", "#[cfg(test)]", "#[tokio::test]"])
def test_where_all_is_for_tests_no_condition_is_written(attribute: str) -> None:
    files = {
        "src/lib.rs": "#[cfg(test)]\nmod a;\n#[cfg(test)]\nmod b;\n",
        "src/a.rs": f"pub struct P;\n{attribute}\nfn go() {{ let _ = P; }}\n",
        "src/b.rs": "",
    }
    assert "cfg(test)]\nuse" not in moved(files, "go", "src/a.rs", "src/b.rs")["src/b.rs"]
