"""What the moved text needs: travels, stays and is imported, or stops the move. Numbers W… are those of the study."""

import pytest
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


def test_a_travelling_dependency_must_not_collide(check: Check) -> None:
    """W12: the whole moved set is checked against the destination."""
    check.refused(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            helper(x)
        }

        fn helper(x: u32) -> u32 {
            x * 2
        }
        //- src/beta.rs
        fn helper(x: u32) -> u32 {
            x - 1
        }

        pub fn resident(x: u32) -> u32 {
            helper(x)
        }
        """,
        "collision",
        "`helper`",
        "src/beta.rs",
    )


def test_a_shared_dependency_of_a_taken_name_is_written_out(check: Check) -> None:
    """W12: an import that would collide becomes a path."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            helper(x)
        }

        pub fn helper(x: u32) -> u32 {
            x * 2
        }
        //- src/beta.rs
        fn helper(x: u32) -> u32 {
            x - 1
        }

        pub fn resident(x: u32) -> u32 {
            helper(x)
        }
        """,
        """
        //- src/alpha.rs
        pub fn helper(x: u32) -> u32 {
            x * 2
        }
        //- src/beta.rs
        fn helper(x: u32) -> u32 {
            x - 1
        }

        pub fn resident(x: u32) -> u32 {
            helper(x)
        }

        pub fn move_me(x: u32) -> u32 {
            crate::alpha::helper(x)
        }
        """,
        receipt={"imports_carried": []},
    )


@pytest.mark.parametrize(
    "body",
    ["v.iter().copied().map(scale).collect()", "v.iter().map(|x| scale::<u32>(*x)).collect()"],
    ids=["as a value", "with a turbofish"],
)
def test_every_mention_makes_a_dependency(check: Check, body: str) -> None:
    """W16: a value, a turbofish: the resolver counts paths, not `name(`."""
    check(
        f"""
        //- src/alpha.rs
        fn scale<T: Into<u32>>(x: T) -> u32 {{
            x.into() * 10
        }}

        pub fn stay() -> u32 {{
            scale(1u8)
        }}

        pub fn move_me(v: &[u32]) -> Vec<u32> {{
            {body}
        }}
        //- src/beta.rs
        pub fn resident() {{}}
        """,
        f"""
        //- src/alpha.rs
        pub(super) fn scale<T: Into<u32>>(x: T) -> u32 {{
            x.into() * 10
        }}

        pub fn stay() -> u32 {{
            scale(1u8)
        }}
        //- src/beta.rs
        use crate::alpha::scale;

        pub fn resident() {{}}

        pub fn move_me(v: &[u32]) -> Vec<u32> {{
            {body}
        }}
        """,
    )


def test_bodies_on_one_line_and_lines_that_begin_with_pub_are_read(check: Check) -> None:
    """W16: the user of `publish` that stays is seen, so it does not travel; `helper` has no other user and travels."""
    check(
        """
        //- src/alpha.rs
        fn publish(x: u32) -> u32 { x }
        fn helper(x: u32) -> u32 { x + 1 }
        pub fn move_me(x: u32) -> u32 { helper(x) + publish(x) }
        pub fn stay(x: u32) -> u32 {
            publish(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) fn publish(x: u32) -> u32 { x }
        pub fn stay(x: u32) -> u32 {
            publish(x)
        }
        //- src/beta.rs
        use crate::alpha::publish;

        pub fn resident() {}

        fn helper(x: u32) -> u32 { x + 1 }

        pub fn move_me(x: u32) -> u32 { helper(x) + publish(x) }
        """,
        receipt={"deps_travelled": ["helper"]},
    )


def test_a_qualifier_stands_behind_the_new_visibility(check: Check) -> None:
    """W19: `const`, `async`, `unsafe`, `extern "C"` are opened like any other fn, and the receipt says what was written."""
    check(
        """
        //- src/alpha.rs
        const fn base() -> u32 {
            40
        }

        unsafe extern "C" fn raw(x: u32) -> u32 {
            x
        }

        pub fn stay() -> u32 {
            base() + unsafe { raw(1) }
        }

        pub fn move_me(x: u32) -> u32 {
            x + base() + unsafe { raw(x) }
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) const fn base() -> u32 {
            40
        }

        pub(super) unsafe extern "C" fn raw(x: u32) -> u32 {
            x
        }

        pub fn stay() -> u32 {
            base() + unsafe { raw(1) }
        }
        //- src/beta.rs
        use crate::alpha::base;
        use crate::alpha::raw;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            x + base() + unsafe { raw(x) }
        }
        """,
    )


def test_a_private_async_fn_that_the_source_keeps_using_is_opened(check: Check) -> None:
    """W19: the moved fn itself, with its qualifier."""
    check(
        """
        //- src/alpha.rs
        async fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub async fn stay() -> u32 {
            move_me(1).await
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        use crate::beta::move_me;

        pub async fn stay() -> u32 {
            move_me(1).await
        }
        //- src/beta.rs
        pub fn resident() {}

        pub(super) async fn move_me(x: u32) -> u32 {
            x + 1
        }
        """,
        receipt={
            "moved_visibility_bumped": True,
            "moved_visibility": {"before": "private", "after": "pub(super)"},
            "source_back_imported": True,
        },
    )


@pytest.mark.usefixtures("opened")
def test_narrow_modifiers_are_widened_too(check: Check) -> None:
    """W19: `pub(self)` and `pub(super)` are no visibility for a module further away."""
    check(
        """
        //- src/lib.rs
        pub mod outer;
        pub mod beta;
        //- src/outer.rs
        pub mod alpha;
        //- src/outer/alpha.rs
        pub(self) fn near() -> u32 {
            1
        }

        pub(super) fn wide() -> u32 {
            2
        }

        pub fn stay() -> u32 {
            near() + wide()
        }

        pub fn move_me() -> u32 {
            near() + wide()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/outer/alpha.rs
        pub(crate) fn near() -> u32 {
            1
        }

        pub(crate) fn wide() -> u32 {
            2
        }

        pub fn stay() -> u32 {
            near() + wide()
        }
        //- src/beta.rs
        use crate::outer::alpha::near;
        use crate::outer::alpha::wide;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            near() + wide()
        }
        """,
        source="src/outer/alpha.rs",
    )


@pytest.mark.usefixtures("opened")
def test_the_least_visibility_covers_every_remaining_user(check: Check) -> None:
    """W24: a child of the source uses the private fn."""
    check(
        """
        //- src/alpha.rs
        mod sub;

        fn move_me(x: u32) -> u32 {
            x + 1
        }

        pub fn go() -> u32 {
            sub::call()
        }
        //- src/alpha/sub.rs
        pub fn call() -> u32 {
            crate::alpha::move_me(1)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        mod sub;

        pub fn go() -> u32 {
            sub::call()
        }
        //- src/beta.rs
        pub fn resident() {}

        pub(super) fn move_me(x: u32) -> u32 {
            x + 1
        }
        //- src/alpha/sub.rs
        pub fn call() -> u32 {
            crate::beta::move_me(1)
        }
        """,
    )


def test_paths_relative_to_the_source_are_anchored_anew(check: Check) -> None:
    """W25: an inline module of the source, `self::`, `super::`."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub fn root() -> u32 {
            1
        }
        //- src/alpha.rs
        mod inner {
            pub fn fetch() -> u32 {
                9
            }
        }

        pub fn own() -> u32 {
            inner::fetch()
        }

        pub fn move_me() -> u32 {
            inner::fetch() + self::own() + super::root() + own()
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) mod inner {
            pub fn fetch() -> u32 {
                9
            }
        }

        pub fn own() -> u32 {
            inner::fetch()
        }
        //- src/beta.rs
        use crate::alpha::inner;
        use crate::alpha::own;

        pub fn resident() {}

        pub fn move_me() -> u32 {
            inner::fetch() + crate::alpha::own() + super::root() + own()
        }
        """,
    )


def test_relative_imports_are_anchored_anew(check: Check) -> None:
    """W25: `use self::inner::Deep;` and `use super::Wide;` of the source."""
    check(
        """
        //- src/lib.rs
        pub mod alpha;
        pub mod beta;

        pub struct Wide;
        //- src/alpha.rs
        use self::inner::Deep;
        use super::Wide;

        pub mod inner {
            pub struct Deep;
        }

        pub fn move_me(_: Deep, _: Wide) {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub mod inner {
            pub struct Deep;
        }
        //- src/beta.rs
        use crate::alpha::inner::Deep;
        use crate::Wide;

        pub fn resident() {}

        pub fn move_me(_: Deep, _: Wide) {}
        """,
        receipt={
            "imports_carried": ["use crate::alpha::inner::Deep;", "use crate::Wide;"],
            "imports_pruned": ["src/alpha.rs: use self::inner::Deep;", "src/alpha.rs: use super::Wide;"],
        },
    )


def test_a_textual_macro_that_others_use_stops_the_move(check: Check) -> None:
    """W26: a `macro_rules!` without a path cannot be imported."""
    check.refused(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        "textual_macro_scope",
        "`twice!`",
    )


def test_a_textual_macro_that_only_the_moved_text_uses_travels(check: Check) -> None:
    """W26: it stays above its user."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        """,
        receipt={"deps_travelled": ["twice"]},
    )


def test_a_macro_with_a_path_is_imported(check: Check) -> None:
    """W26: `pub(crate) use` gives it one."""
    check(
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }

        pub fn move_me(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        macro_rules! twice {
            ($e:expr) => {
                $e * 2
            };
        }
        pub(crate) use twice;

        pub fn stay(x: u32) -> u32 {
            twice!(x)
        }
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            crate::alpha::twice!(x)
        }
        """,
    )


def test_an_initialiser_is_a_user(check: Check) -> None:
    """W27: a const's value keeps its fn in the source."""
    check(
        """
        //- src/alpha.rs
        const fn base(x: u32) -> u32 {
            x * 2
        }

        const TABLE: u32 = base(2);

        pub fn table() -> u32 {
            TABLE
        }

        pub fn move_me(x: u32) -> u32 {
            base(x)
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) const fn base(x: u32) -> u32 {
            x * 2
        }

        const TABLE: u32 = base(2);

        pub fn table() -> u32 {
            TABLE
        }
        //- src/beta.rs
        use crate::alpha::base;

        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            base(x)
        }
        """,
        receipt={"deps_travelled": []},
    )


def test_fns_that_call_one_another_travel_together(check: Check) -> None:
    """W49: a cycle with no user outside is one thing."""
    check(
        """
        //- src/alpha.rs
        pub fn move_me(x: u32) -> u32 {
            even(x)
        }

        fn even(x: u32) -> u32 {
            if x == 0 { 1 } else { odd(x - 1) }
        }

        fn odd(x: u32) -> u32 {
            if x == 0 { 0 } else { even(x - 1) }
        }

        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub fn stay() {}
        //- src/beta.rs
        pub fn resident() {}

        pub fn move_me(x: u32) -> u32 {
            even(x)
        }

        fn even(x: u32) -> u32 {
            if x == 0 { 1 } else { odd(x - 1) }
        }

        fn odd(x: u32) -> u32 {
            if x == 0 { 0 } else { even(x - 1) }
        }
        """,
        receipt={"deps_travelled": ["even", "odd"], "deps_shared": []},
    )


def test_a_variant_is_seen_through_its_enum(check: Check) -> None:
    """W1, W7: variants bear no modifier; the enum and the imported variant become visible with it."""
    check(
        """
        //- src/alpha.rs
        enum Tide {
            High,
            Low,
        }

        use Tide::Low;

        pub fn stay() -> bool {
            matches!(Low, Tide::High)
        }

        pub fn move_me(low: bool) -> u32 {
            let tide = if low { Low } else { Tide::High };
            tide as u32
        }
        //- src/beta.rs
        pub fn resident() {}
        """,
        """
        //- src/alpha.rs
        pub(super) enum Tide {
            High,
            Low,
        }

        use Tide::Low;

        pub fn stay() -> bool {
            matches!(Low, Tide::High)
        }
        //- src/beta.rs
        use crate::alpha::Tide::Low;
        use crate::alpha::Tide;

        pub fn resident() {}

        pub fn move_me(low: bool) -> u32 {
            let tide = if low { Low } else { Tide::High };
            tide as u32
        }
        """,
    )
