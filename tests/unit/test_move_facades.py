"""A private module whose items a glob beside it shows: a path through the glob, and the module stays private."""

from tests.support.before_after import Check


def test_a_path_leads_through_the_glob_beside_a_private_module(check: Check) -> None:
    """wasmparser: `mod core; pub use self::core::*;`, where a visible module `core` would hide the crate of that name."""
    check(
        """
        //- src/lib.rs
        mod parser;
        mod readers;
        pub use readers::*;
        //- src/parser.rs
        use crate::*;
        use core::fmt;

        const SECTION: u8 = 4;

        pub fn section(_: &dyn fmt::Debug) -> u8 {
            SECTION
        }
        //- src/readers.rs
        mod core;
        pub use self::core::*;
        //- src/readers/core.rs
        pub fn resident() {}
        """,
        """
        //- src/parser.rs
        use crate::*;
        use core::fmt;
        use crate::SECTION;

        pub fn section(_: &dyn fmt::Debug) -> u8 {
            SECTION
        }
        //- src/readers/core.rs
        pub fn resident() {}

        pub(crate) const SECTION: u8 = 4;
        """,
        symbol="SECTION",
        source="src/parser.rs",
        dest="src/readers/core.rs",
    )
