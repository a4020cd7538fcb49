"""Items of the source that the moved text needs: they travel, or stay and are imported. Numbers W… are those of the study."""

from tests.support.before_after import Check


def test_a_type_is_imported_and_a_private_const_of_the_module_travels(check: Check) -> None:
    """W1: every kind of item of the module is a dependency, not only fns."""
    check(
        """
        //- src/alpha.rs
        pub struct Litres(pub u32);

        const BRIM: u32 = 12;

        pub fn move_me(poured: &Litres) -> u32 {
            poured.0.min(BRIM)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub struct Litres(pub u32);
        //- src/beta.rs
        use crate::alpha::Litres;

        pub fn resident() {}

        const BRIM: u32 = 12;

        pub fn move_me(poured: &Litres) -> u32 {
            poured.0.min(BRIM)
        }
        """,
        receipt={"deps_travelled": ["BRIM"], "imports_carried": ["use crate::alpha::Litres;"]},
    )


def test_a_private_const_that_others_use_is_shared(check: Check) -> None:
    """W1: what stays gets the least visibility that the new home needs."""
    check(
        """
        //- src/alpha.rs
        const BRIM: u32 = 12;

        pub fn brim() -> u32 {
            BRIM
        }

        pub fn move_me(poured: u32) -> u32 {
            poured.min(BRIM)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) const BRIM: u32 = 12;

        pub fn brim() -> u32 {
            BRIM
        }
        //- src/beta.rs
        use crate::alpha::BRIM;

        pub fn resident() {}

        pub fn move_me(poured: u32) -> u32 {
            poured.min(BRIM)
        }
        """,
        receipt={
            "deps_shared": [
                {
                    "name": "BRIM",
                    "visibility_bumped": True,
                    "visibility_before": "private",
                    "visibility_after": "pub(super)",
                }
            ]
        },
    )


def test_private_statics_aliases_and_traits_are_dependencies(check: Check) -> None:
    """W1: a static and a type alias travel; a trait needed only for method syntax is shared."""
    check(
        """
        //- src/alpha.rs
        use std::sync::atomic::{AtomicU32, Ordering};

        static POURED: AtomicU32 = AtomicU32::new(0);

        type Total = u32;

        trait Doubled {
            fn doubled(self) -> Self;
        }

        impl Doubled for u32 {
            fn doubled(self) -> Self {
                self * 2
            }
        }

        pub fn move_me(n: u32) -> Total {
            POURED.fetch_add(n.doubled(), Ordering::Relaxed)
        }

        pub fn stay(n: u32) -> u32 {
            n.doubled()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) trait Doubled {
            fn doubled(self) -> Self;
        }

        impl Doubled for u32 {
            fn doubled(self) -> Self {
                self * 2
            }
        }

        pub fn stay(n: u32) -> u32 {
            n.doubled()
        }
        //- src/beta.rs
        use std::sync::atomic::AtomicU32;
        use std::sync::atomic::Ordering;
        use crate::alpha::Doubled;

        pub fn resident() {}

        static POURED: AtomicU32 = AtomicU32::new(0);

        type Total = u32;

        pub fn move_me(n: u32) -> Total {
            POURED.fetch_add(n.doubled(), Ordering::Relaxed)
        }
        """,
    )


def test_a_public_dependency_stays_for_its_users_elsewhere(check: Check) -> None:
    """W4: only what is private can travel."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(n: u32) -> String {
            label(n)
        }

        pub fn label(n: u32) -> String {
            format!("no. {n}")
        }
        //- src/beta.rs
        pub fn resident() {}
        //- src/gamma.rs
        use crate::alpha::label;

        pub fn show() -> String {
            label(7)
        }
        """,
        """
        //- src/alpha.rs
        pub fn label(n: u32) -> String {
            format!("no. {n}")
        }
        //- src/beta.rs
        use crate::alpha::label;

        pub fn resident() {}

        pub fn move_me(n: u32) -> String {
            label(n)
        }
        """,
        receipt={"deps_travelled": [], "deps_shared": []},
    )


def test_methods_are_no_import_dependencies(check: Check) -> None:
    """W7: a method comes with its type; only the free fn is imported."""
    check(
        """
        //- src/alpha.rs
        pub struct Mill {
            pub turns: u32,
        }

        impl Mill {
            pub fn turn(&self) -> u32 {
                self.turns + 1
            }

            pub fn run(&self) -> u32 {
                self.turn() * 2
            }
        }

        pub fn build(turns: u32) -> Mill {
            Mill { turns }
        }

        pub fn move_me(turns: u32) -> u32 {
            let mill = build(turns);
            mill.turn()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub struct Mill {
            pub turns: u32,
        }

        impl Mill {
            pub fn turn(&self) -> u32 {
                self.turns + 1
            }

            pub fn run(&self) -> u32 {
                self.turn() * 2
            }
        }

        pub fn build(turns: u32) -> Mill {
            Mill { turns }
        }
        //- src/beta.rs
        use crate::alpha::build;

        pub fn resident() {}

        pub fn move_me(turns: u32) -> u32 {
            let mill = build(turns);
            mill.turn()
        }
        """,
    )


def test_a_trait_method_is_no_import_dependency_and_its_trait_gets_no_modifier_inside(check: Check) -> None:
    """W7: the trait becomes visible, never the fn inside it."""
    check(
        """
        //- src/alpha.rs
        trait Turn {
            fn turn(&self) -> u32;
        }

        pub struct Mill(pub u32);

        impl Turn for Mill {
            fn turn(&self) -> u32 {
                self.0 + 1
            }
        }

        pub fn spare(mill: &Mill) -> u32 {
            mill.turn()
        }

        pub fn move_me(mill: &Mill) -> u32 {
            mill.turn()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) trait Turn {
            fn turn(&self) -> u32;
        }

        pub struct Mill(pub u32);

        impl Turn for Mill {
            fn turn(&self) -> u32 {
                self.0 + 1
            }
        }

        pub fn spare(mill: &Mill) -> u32 {
            mill.turn()
        }
        //- src/beta.rs
        use crate::alpha::Mill;
        use crate::alpha::Turn;

        pub fn resident() {}

        pub fn move_me(mill: &Mill) -> u32 {
            mill.turn()
        }
        """,
    )
