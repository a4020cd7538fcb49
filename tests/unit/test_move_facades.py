"""A private module whose items a glob beside it shows: a path through the glob, and the module stays private."""

from tests.support.before_after import Check
from tests.support.moves import moved


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


def test_a_name_that_the_source_gives_the_item_by_an_import_goes_on_to_lead_there() -> None:
    """The import is led to the new home; the paths by its alias keep their text."""
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n\npub fn call() {\n    alpha::again();\n}\n",
        "src/alpha.rs": "pub fn move_me() {}\n\npub use self::move_me as again;\n",
        "src/beta.rs": "use crate::alpha::again as mine;\n\npub fn home() {\n    mine();\n}\n",
    }
    assert moved(files, "move_me", "src/alpha.rs", "src/beta.rs") == {
        **files,
        "src/alpha.rs": "pub use crate::beta::move_me as again;\n",
        "src/beta.rs": files["src/beta.rs"] + "\npub fn move_me() {}\n",
    }


def test_an_import_beside_the_item_that_shows_it_under_another_name_is_led_to_the_new_home() -> None:
    """A private import in its stead could not be shown on (E0364)."""
    files = {
        "src/lib.rs": "pub mod alpha;\npub mod beta;\n",
        "src/alpha.rs": "pub fn move_me() {}\n\npub use move_me as again;\n",
        "src/beta.rs": "",
    }
    assert moved(files, "move_me", "src/alpha.rs", "src/beta.rs") == {
        **files,
        "src/alpha.rs": "pub use crate::beta::move_me as again;\n",
        "src/beta.rs": "pub fn move_me() {}\n",
    }
