"""Consts, statics, type aliases, and names that kinds share: what moves along, what stays (frontiers 1a, 1b)."""

import pytest
from tests.support.before_after import Check
from tests.support.moves import moved


def test_a_const_moves_with_its_private_parts_and_stays_a_pattern(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        const HALF: u8 = 3;

        /// The whole.
        pub const WHOLE: u8 = HALF * 2;

        pub fn is_whole(n: u8) -> bool {
            matches!(n, WHOLE)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::WHOLE;

        pub fn is_whole(n: u8) -> bool {
            matches!(n, WHOLE)
        }
        //- src/beta.rs
        pub fn resident() {}

        const HALF: u8 = 3;

        /// The whole.
        pub const WHOLE: u8 = HALF * 2;
        """,
        symbol="WHOLE",
        receipt={"deps_travelled": ["HALF"], "moved_symbol": "WHOLE"},
    )


def test_a_private_static_is_shown_to_those_that_write_it(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        use std::sync::atomic::{AtomicU32, Ordering};

        static COUNT: AtomicU32 = AtomicU32::new(0);

        pub fn tick() -> u32 {
            COUNT.fetch_add(1, Ordering::Relaxed)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use std::sync::atomic::Ordering;
        use crate::beta::COUNT;

        pub fn tick() -> u32 {
            COUNT.fetch_add(1, Ordering::Relaxed)
        }
        //- src/beta.rs
        use std::sync::atomic::AtomicU32;

        pub fn resident() {}

        pub(super) static COUNT: AtomicU32 = AtomicU32::new(0);
        """,
        symbol="COUNT",
        receipt={"moved_visibility": {"before": "private", "after": "pub(super)"}},
    )


def test_a_type_alias_moves_and_its_variants_are_still_named_through_it(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub enum Light {
            Red,
            Green,
        }

        pub type Lamp = Light;

        pub fn go() -> bool {
            matches!(Lamp::Green, Lamp::Green)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Lamp;

        pub enum Light {
            Red,
            Green,
        }

        pub fn go() -> bool {
            matches!(Lamp::Green, Lamp::Green)
        }
        //- src/beta.rs
        use crate::alpha::Light;

        pub fn resident() {}

        pub type Lamp = Light;
        """,
        symbol="Lamp",
    )


def test_where_kinds_share_a_name_the_fn_is_meant_and_a_line_names_the_other(check: Check) -> None:
    before = """
        //- src/alpha.rs
        pub struct mark {
            pub n: u8,
        }

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        //- src/beta.rs
        pub fn resident() {}
        """
    check(
        before,
        """
        //- src/alpha.rs
        pub struct mark {
            pub n: u8,
        }
        //- src/beta.rs
        use crate::alpha::mark;

        pub fn resident() {}

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        """,
        symbol="mark",
    )
    check(
        before,
        """
        //- src/alpha.rs
        use crate::beta::mark;

        pub fn mark() -> u8 {
            mark { n: 1 }.n
        }
        //- src/beta.rs
        pub fn resident() {}

        pub struct mark {
            pub n: u8,
        }
        """,
        symbol="src/alpha.rs:1",
    )


@pytest.mark.parametrize(
    "item",
    ["pub enum Thing { One }", "pub trait Thing {}", "pub type Thing = u8;", "pub union Thing { pub n: u8 }"],
)
def test_a_taken_type_name_refuses(check: Check, item: str) -> None:
    check.refused(
        f"""
        //- src/alpha.rs
        {item}
        //- src/beta.rs
        pub struct Thing;
        """,
        "collision",
        "already defines a `Thing` in the type namespace",
        symbol="Thing",
    )


@pytest.mark.parametrize(
    "home, imports, argument",
    [
        ("pub fn resident() {}\n", "use crate::alpha::LEAST;\nuse crate::alpha::Ranged;\n\n", "LEAST"),
        (
            "use crate::alpha::LEAST;\n\npub fn resident() -> i32 {\n    LEAST\n}\n",
            "use crate::alpha::Ranged;\n",
            "LEAST",
        ),
        ("const LEAST: u8 = 1;\n", "use crate::alpha::Ranged;\n\n", "{ crate::alpha::LEAST }"),
    ],
)
def test_a_constant_that_is_a_generic_argument_is_found_beside_globs_of_other_crates(
    home: str, imports: str, argument: str
) -> None:
    """time: `type Year = ri32<MIN_YEAR, MAX_YEAR>;` below `use num_conv::prelude::*;`; a longer path wants braces."""
    files = {
        "Cargo.toml": '[package]\nname = "case"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nnum_conv = "1"\n',
        "src/lib.rs": "mod alpha;\nmod beta;\n",
        "src/alpha.rs": (
            "use num_conv::prelude::*;\n\npub struct Ranged<const MIN: i32>;\n\npub(crate) const LEAST: i32 = 1;\n\n"
            "pub type Year = Ranged<LEAST>;\n\npub fn stay() -> i32 {\n    LEAST\n}\n"
        ),
        "src/beta.rs": home,
    }
    result = moved(files, "Year", "src/alpha.rs", "src/beta.rs")["src/beta.rs"]
    assert all(line in result for line in imports.splitlines())
    assert result.count("use ") == (2 if "LEAST;" in imports + home.partition("const")[0] else 1)
    assert result.endswith(f"pub type Year = Ranged<{argument}>;\n")
