"""Whole modules whose old or new parent stands inline in a file (frontier 1f): the line's depth, the folders of the files.

A file that goes is shown without lines.
"""

from tests.support.before_after import Check
from tests.support.moves import plan


def test_a_module_s_line_opens_an_inline_module_that_holds_no_other(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        /// Its line.
        #[rustfmt::skip]
        pub mod leaf;
        //- src/alpha/leaf.rs
        pub fn f() {}
        //- src/beta.rs
        pub mod inner {
            //! What it is for.

            pub fn other() {}
        }
        """,
        """
        //- src/alpha.rs
        //- src/alpha/leaf.rs
        //- src/beta.rs
        pub mod inner {
            //! What it is for.

            /// Its line.
            #[rustfmt::skip]
            pub mod leaf;

            pub fn other() {}
        }
        //- src/beta/inner/leaf.rs
        pub fn f() {}
        """,
        symbol="leaf",
        source="src/alpha.rs",
        dest="src/beta.rs::inner",
    )


def test_a_module_s_line_fills_an_empty_inline_module(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub mod outer {
            // about leaf
            pub mod leaf;
        }
        //- src/alpha/outer/leaf.rs
        //- src/beta.rs
        pub mod inner {}
        """,
        """
        //- src/alpha.rs
        pub mod outer {
        }
        //- src/alpha/outer/leaf.rs
        //- src/beta.rs
        pub mod inner {
            // about leaf
            pub mod leaf;
        }
        //- src/beta/inner/leaf.rs
        """,
        symbol="outer::leaf",
        source="src/alpha.rs",
        dest="src/beta.rs::inner",
    )


def test_what_the_old_inline_parent_allowed_stands_on_the_line(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        #[allow(dead_code)]
        pub mod outer {
            pub mod leaf;
        }
        pub mod sibling {
            pub mod known;
        }
        //- src/alpha/outer/leaf.rs
        fn f() {}
        //- src/alpha/sibling/known.rs
        """,
        """
        //- src/alpha.rs
        #[allow(dead_code)]
        pub mod outer {
        }
        pub mod sibling {
            pub mod known;
            #[allow(dead_code)]
            pub mod leaf;
        }
        //- src/alpha/outer/leaf.rs
        //- src/alpha/sibling/leaf.rs
        fn f() {}
        """,
        symbol="leaf",
        source="src/alpha.rs::outer",
        dest="src/alpha.rs::sibling",
    )


def test_parents_in_one_file_are_one_planned_file() -> None:
    found = plan(
        {
            "src/lib.rs": "pub mod outer {\n    pub mod leaf;\n}\npub mod inner {}\n",
            "src/outer/leaf.rs": "",
        },
        "leaf",
        "src/lib.rs::outer",
        "src/lib.rs::inner",
    )
    assert [f.path for f in found.files] == ["src/lib.rs", "src/inner/leaf.rs", "src/outer/leaf.rs"]
