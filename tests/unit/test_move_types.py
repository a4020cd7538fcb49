"""Structs, enums and unions: impls that move along, what must become visible (frontier 1c)."""

from tests.support.before_after import Check
from tests.support.moves import moved


def test_impls_of_the_file_move_along_and_those_of_other_files_stay(check: Check) -> None:
    """A method of an impl that stays is no name to import; the members that stay in use get the least visibility."""
    check(
        """
        //- src/alpha.rs
        use std::fmt;

        #[derive(Clone, Copy)]
        pub struct Tide {
            height: i32,
            name: &'static str,
        }

        impl Tide {
            pub fn new(height: i32) -> Self {
                Tide::named(height, "spring")
            }

            fn named(height: i32, name: &'static str) -> Self {
                Tide { height, name }
            }

            fn parsed(text: &str) -> Self {
                Tide::from_str(text).unwrap_or(Tide::new(0))
            }
        }

        impl fmt::Display for Tide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.name, self.height)
            }
        }

        use std::str::FromStr;

        pub fn higher(tide: Tide) -> Tide {
            Tide::named(tide.height + 1, "higher")
        }

        pub fn spoken() -> String {
            Tide::parsed("4").to_string()
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::Tide;

        impl std::str::FromStr for Tide {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Tide::new(text.parse()?))
            }
        }
        """,
        """
        //- src/alpha.rs
        use crate::beta::Tide;

        pub fn higher(tide: Tide) -> Tide {
            Tide::named(tide.height + 1, "higher")
        }

        pub fn spoken() -> String {
            Tide::parsed("4").to_string()
        }
        //- src/beta.rs
        use std::fmt;
        use std::str::FromStr;

        pub fn resident() {}

        #[derive(Clone, Copy)]
        pub struct Tide {
            pub(super) height: i32,
            name: &'static str,
        }

        impl Tide {
            pub fn new(height: i32) -> Self {
                Tide::named(height, "spring")
            }

            pub(super) fn named(height: i32, name: &'static str) -> Self {
                Tide { height, name }
            }

            pub(super) fn parsed(text: &str) -> Self {
                Tide::from_str(text).unwrap_or(Tide::new(0))
            }
        }

        impl fmt::Display for Tide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", self.name, self.height)
            }
        }
        //- src/gamma.rs
        use crate::beta::Tide;

        impl std::str::FromStr for Tide {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Tide::new(text.parse()?))
            }
        }
        """,
        symbol="Tide",
        receipt={
            "deps_travelled": ["impl Tide", "impl fmt::Display for Tide"],
            "deps_shared": [
                {
                    "name": name,
                    "visibility_bumped": True,
                    "visibility_before": "private",
                    "visibility_after": "pub(super)",
                }
                for name in ("height", "named", "parsed")
            ],
        },
    )


def test_a_tuple_struct_is_built_and_taken_apart_from_its_old_home(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        pub struct Metres(u32);

        pub fn double(m: Metres) -> Metres {
            let Metres(n) = m;
            Metres(n * 2)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn doubles() {
                assert_eq!(double(Metres(2)).0, 4);
            }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Metres;

        pub fn double(m: Metres) -> Metres {
            let Metres(n) = m;
            Metres(n * 2)
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn doubles() {
                assert_eq!(double(Metres(2)).0, 4);
            }
        }
        //- src/beta.rs
        pub fn resident() {}

        pub struct Metres(pub(super) u32);
        """,
        symbol="Metres",
    )


def test_an_enum_moves_from_under_its_glob(check: Check) -> None:
    check(
        """
        //- src/alpha.rs
        #[derive(Debug, PartialEq)]
        pub enum Wind {
            Calm,
            Gale { knots: u32 },
        }

        use Wind::*;

        pub fn blow(knots: u32) -> Wind {
            if knots == 0 { Calm } else { Gale { knots } }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use Wind::*;
        use crate::beta::Wind;

        pub fn blow(knots: u32) -> Wind {
            if knots == 0 { Calm } else { Gale { knots } }
        }
        //- src/beta.rs
        pub fn resident() {}

        #[derive(Debug, PartialEq)]
        pub enum Wind {
            Calm,
            Gale { knots: u32 },
        }
        """,
        symbol="Wind",
    )


def test_a_private_type_in_the_interface_stays_where_it_is_used(check: Check) -> None:
    """Whoever reads the field has a value of that type in his hands; what nobody outside can name travels."""
    check(
        """
        //- src/alpha.rs
        struct Depth {
            fathoms: u32,
        }

        struct Colour {
            shade: u8,
        }

        pub struct Lead {
            depth: Depth,
            colour: Colour,
        }

        impl Lead {
            pub fn new() -> Lead {
                Lead {
                    depth: Depth { fathoms: 1 },
                    colour: Colour { shade: 2 },
                }
            }

            pub fn bright(&self) -> bool {
                self.colour.shade > 1
            }
        }

        pub fn sound(lead: &Lead) -> u32 {
            lead.depth.fathoms
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::Lead;

        pub(super) struct Depth {
            pub(super) fathoms: u32,
        }

        pub fn sound(lead: &Lead) -> u32 {
            lead.depth.fathoms
        }
        //- src/beta.rs
        use crate::alpha::Depth;

        pub fn resident() {}

        struct Colour {
            shade: u8,
        }

        pub struct Lead {
            pub(super) depth: Depth,
            colour: Colour,
        }

        impl Lead {
            pub fn new() -> Lead {
                Lead {
                    depth: Depth { fathoms: 1 },
                    colour: Colour { shade: 2 },
                }
            }

            pub fn bright(&self) -> bool {
                self.colour.shade > 1
            }
        }
        """,
        symbol="Lead",
    )


def test_a_tuple_field_that_is_read_where_nobody_names_the_type_is_raised_for_its_reader() -> None:
    """`self` leads to the type by a field and a method; a closure's parameter has no type that is written."""
    files = {
        "src/lib.rs": (
            "pub mod deep;\n\n"
            "pub struct Moved(i16);\n\n"
            "struct Many([Moved; 2]);\n\n"
            "impl Many {\n    fn all(&self) -> &[Moved] {\n        &self.0\n    }\n}\n\n"
            "pub struct Face {\n    many: Many,\n}\n\n"
            "impl Face {\n    pub fn any(&self) -> bool {\n        self.many.all().iter().any(|c| c.0 != 0)\n    }\n}\n\n"
            "pub fn far(pairs: &[(u8, u8)]) -> u8 {\n    pairs.iter().map(|p| p.0).sum()\n}\n"
        ),
        "src/deep.rs": "pub mod inner;\n",
        "src/deep/inner.rs": "//! Inner.\n",
    }
    after = moved(files, "Moved", "src/lib.rs", "src/deep/inner.rs")
    assert "pub struct Moved(pub(crate) i16);" in after["src/deep/inner.rs"]


def test_a_tuple_field_that_is_read_only_of_other_types_stays_private() -> None:
    files = {
        "src/lib.rs": (
            "pub mod inner;\n\n"
            "pub struct Moved(i16);\n\n"
            "impl Moved {\n    pub fn get(&self) -> i16 {\n        self.0\n    }\n}\n\n"
            "pub fn far(pairs: &[(u8, u8)]) -> u8 {\n    pairs.iter().map(|p| p.0).sum()\n}\n"
        ),
        "src/inner.rs": "//! Inner.\n",
    }
    after = moved(files, "Moved", "src/lib.rs", "src/inner.rs")
    assert "pub struct Moved(i16);" in after["src/inner.rs"]


def test_a_tuple_field_is_raised_for_impls_of_types_that_hold_the_moved_one() -> None:
    """`impl Weighs for Option<Moved>` stays, and only its head names the type."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\n",
        "src/a.rs": (
            "pub trait Weighs {\n    fn weigh(&self) -> u8;\n}\n\n"
            "pub struct Moved(u8);\n\n"
            "impl Weighs for [Moved] {\n    fn weigh(&self) -> u8 {\n        self[0].0\n    }\n}\n"
        ),
        "src/b.rs": "//! B.\n",
    }
    assert "pub struct Moved(pub(super) u8);" in moved(files, "Moved", "src/a.rs", "src/b.rs")["src/b.rs"]
