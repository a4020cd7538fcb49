"""Dependencies that others use too, and what makes one. Numbers W… are those of the study."""

import pytest
from tests.support.before_after import Check


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
