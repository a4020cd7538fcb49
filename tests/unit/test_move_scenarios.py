"""The scenarios of the existing system that a move carries out, as outcomes. Numbers S… are those of the study."""

from tests.support.before_after import Check, files_of, refused, with_root
from tests.support.moves import moved, plan

CANONICAL = """
//- src/alpha.rs
/// Grinds.
pub fn move_me(x: u32) -> u32 {
    private_helper(x) + shared_helper(x)
}

fn private_helper(x: u32) -> u32 {
    x * 2
}

fn shared_helper(x: u32) -> u32 {
    x + 3
}

pub fn stay_here(x: u32) -> u32 {
    shared_helper(x)
}
//- src/beta.rs
pub fn resident() -> u32 {
    1
}
//- src/gamma.rs
use crate::alpha::move_me;

pub fn go() -> u32 {
    move_me(4)
}
"""


def test_the_canonical_move(check: Check) -> None:
    """S1, S3, S18: helpers travel or are shared, the caller follows, nothing else changes."""
    check(
        CANONICAL,
        """
        //- src/alpha.rs
        pub(super) fn shared_helper(x: u32) -> u32 {
            x + 3
        }

        pub fn stay_here(x: u32) -> u32 {
            shared_helper(x)
        }
        //- src/beta.rs
        use crate::alpha::shared_helper;

        pub fn resident() -> u32 {
            1
        }

        /// Grinds.
        pub fn move_me(x: u32) -> u32 {
            private_helper(x) + shared_helper(x)
        }

        fn private_helper(x: u32) -> u32 {
            x * 2
        }
        //- src/gamma.rs
        use crate::beta::move_me;

        pub fn go() -> u32 {
            move_me(4)
        }
        """,
        receipt={
            "moved_symbol": "move_me",
            "source_module": "crate::alpha",
            "dest_module": "crate::beta",
            "files_changed": ["src/alpha.rs", "src/beta.rs", "src/gamma.rs"],
            "deps_travelled": ["private_helper"],
            "referencing_files": ["src/gamma.rs"],
            "refs_rewritten": 1,
            "source_back_imported": False,
        },
    )


def test_there_and_back() -> None:
    """S19: what remains is the visibility that the helper got, and the order of the items."""
    files = with_root(files_of(CANONICAL))
    there = moved(files, "move_me", "src/alpha.rs", "src/beta.rs")
    back = moved(there, "move_me", "src/beta.rs", "src/alpha.rs")
    grinds, helper, shared, stays = files["src/alpha.rs"].removesuffix("\n").split("\n\n")
    assert back == {
        **files,
        "src/alpha.rs": "\n\n".join([f"pub(super) {shared}", stays, grinds, helper]) + "\n",
    }


def test_a_repeated_move_says_that_it_was_done() -> None:
    """S11: what the log knows is told (seed 002 §4)."""
    files = with_root(files_of(CANONICAL))
    there = moved(files, "move_me", "src/alpha.rs", "src/beta.rs")
    found = refused(there, "move_me", "src/alpha.rs", "src/beta.rs")
    assert found is not None and found.refusal.code == "symbol_elsewhere"
    assert plan(there, "move_me", "src/beta.rs", "src/alpha.rs").receipt["moved_symbol"] == "move_me"
