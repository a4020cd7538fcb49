"""Moves between crates that publish what they need, where the caller asks for it: the tree as its owner would have made it."""

import pytest
from tests.support.before_after import Check, files_of, refused
from tests.support.moves import plan
from tests.support.two_crates import tree

TO_WORDS = {"source": "app/src/alpha.rs", "dest": "words/src/lib.rs"}
TO_APP = {"source": "words/src/lib.rs", "dest": "app/src/alpha.rs"}
UNPUBLISHED = "publish = false"
HELPED = tree(
    "pub fn stays() -> u8 {\n    words::move_me()\n}\n",
    words=UNPUBLISHED,
    lib="pub fn move_me() -> u8 {\n    least()\n}\n\npub fn other() -> u8 {\n    least()\n}\n\nfn least() -> u8 {\n    1\n}\n",
)


def told(name: str, file: str, before: str, after: str = "pub") -> dict[str, str]:
    return {"name": name, "file": file, "visibility_before": before, "visibility_after": after}


def test_a_private_item_that_the_moved_text_needs_becomes_public(check: Check) -> None:
    check(
        HELPED,
        """
        //- words/src/lib.rs
        pub fn other() -> u8 {
            least()
        }

        pub fn least() -> u8 {
            1
        }
        //- app/src/alpha.rs
        use words::least;

        pub fn stays() -> u8 {
            self::move_me()
        }

        pub fn move_me() -> u8 {
            least()
        }
        """,
        **TO_APP,
        publish=True,
        receipt={"published": [told("least", "words/src/lib.rs", "private")], "deps_shared": []},
    )


def test_where_nobody_asked_for_it_the_refusal_offers_it() -> None:
    found = refused(files_of(HELPED), "move_me", TO_APP["source"], TO_APP["dest"])
    assert found is not None
    assert found.refusal.code == "not_movable"
    assert "`least` (words/src/lib.rs:2), which is not public" in found.refusal.message
    assert found.refusal.hint == (
        "move `least` too (--also), make it `pub` first, or let the move make it so (--publish, `publish: true`)"
    )


def test_a_move_that_needs_nothing_public_publishes_nothing() -> None:
    text = tree("pub fn move_me() {}\n")
    asked = plan(files_of(text), "move_me", *TO_WORDS.values(), publish=True)
    plain = plan(files_of(text), "move_me", *TO_WORDS.values())
    assert asked.files == plain.files
    assert asked.receipt["published"] == plain.receipt["published"] == []


def test_members_in_use_outside_become_public_and_no_others(check: Check) -> None:
    check(
        tree(
            "#[allow(non_camel_case_types)]\n#[derive(Default)]\npub struct move_me {\n    pub beam: u32,\n"
            "    pub(crate) draught: u32,\n    keel: u32,\n}\n\nimpl move_me {\n    pub(crate) fn sink(&self) -> u32 {\n"
            "        self.draught + self.keel\n    }\n}\n",
            root="pub fn user(it: &alpha::move_me) -> u32 {\n    it.sink() + it.draught\n}\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs

        #[allow(non_camel_case_types)]
        #[derive(Default)]
        pub struct move_me {
            pub beam: u32,
            pub draught: u32,
            keel: u32,
        }

        impl move_me {
            pub fn sink(&self) -> u32 {
                self.draught + self.keel
            }
        }
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user(it: &words::move_me) -> u32 {
            it.sink() + it.draught
        }
        """,
        **TO_WORDS,
        publish=True,
        receipt={
            "published": [
                told("alpha::move_me::draught", "app/src/alpha.rs", "pub(crate)"),
                told("alpha::move_me::sink", "app/src/alpha.rs", "pub(crate)"),
            ]
        },
    )


@pytest.mark.parametrize(
    "text, use, after, user",
    [
        (
            "pub struct move_me {\n    pub(crate) beam: u32,\n}\n",
            "    alpha::move_me { beam }\n",
            "pub struct move_me {\n    pub beam: u32,\n}\n",
            "    words::move_me { beam }\n",
        ),
        (
            "pub struct move_me(pub(crate) u32);\n",
            "    alpha::move_me(beam)\n",
            "pub struct move_me(pub u32);\n",
            "    words::move_me(beam)\n",
        ),
    ],
)
def test_a_literal_and_a_constructor_need_their_fields(
    check: Check, text: str, use: str, after: str, user: str
) -> None:
    check(
        tree(
            f"#[allow(non_camel_case_types)]\n{text}",
            root=f"pub fn user(beam: u32) -> alpha::move_me {{\n{use}}}\n",
        ),
        "//- app/src/alpha.rs\npub use words::move_me;\n"
        f"//- words/src/lib.rs\n\n#[allow(non_camel_case_types)]\n{after}"
        f"//- app/src/lib.rs\npub mod alpha;\npub fn user(beam: u32) -> words::move_me {{\n{user}}}\n",
        **TO_WORDS,
        publish=True,
    )


def test_what_the_interface_of_a_published_item_speaks_of_is_published_too(check: Check) -> None:
    """A value of a private type is an error wherever it is used, and so is a private associated type (E0446)."""
    check(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me()\n}\n",
            words=UNPUBLISHED,
            lib="mod inner;\n\npub fn move_me() -> u8 {\n    inner::least().next().map_or(0, |it| it.0)\n}\n\n"
            "pub fn other() -> u8 {\n    inner::least().next().map_or(1, |it| it.0)\n}\n"
            "//- words/src/inner.rs\npub(crate) struct Many(u8);\n\npub(crate) struct One(pub(crate) u8);\n\n"
            "impl Iterator for Many {\n    type Item = One;\n\n    fn next(&mut self) -> Option<One> {\n        Some(One(self.0))\n    }\n}\n\n"
            "pub(crate) fn least() -> Many {\n    Many(1)\n}\n",
        ),
        """
        //- words/src/lib.rs
        pub use self::inner::least;
        mod inner;

        pub fn other() -> u8 {
            inner::least().next().map_or(1, |it| it.0)
        }
        //- app/src/alpha.rs
        pub fn stays() -> u8 {
            self::move_me()
        }

        pub fn move_me() -> u8 {
            words::least().next().map_or(0, |it| it.0)
        }
        //- words/src/inner.rs
        pub struct Many(u8);

        pub struct One(pub u8);

        impl Iterator for Many {
            type Item = One;

            fn next(&mut self) -> Option<One> {
                Some(One(self.0))
            }
        }

        pub fn least() -> Many {
            Many(1)
        }
        """,
        **TO_APP,
        publish=True,
    )


def test_a_private_module_shows_the_moved_item_on_and_stays_private(check: Check) -> None:
    check(
        tree(
            "pub fn move_me() {}\n\npub fn stays() {\n    move_me()\n}\n",
            lib="mod inner;\n//- words/src/inner.rs\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;

        pub fn stays() {
            move_me()
        }
        //- words/src/inner.rs
        pub fn move_me() {}
        //- words/src/lib.rs
        pub use self::inner::move_me;
        mod inner;
        """,
        source="app/src/alpha.rs",
        dest="words/src/inner.rs",
        publish=True,
        receipt={"published": [told("move_me", "words/src/lib.rs", "private", "pub use")]},
    )


def test_a_private_import_on_the_way_becomes_the_public_one(check: Check) -> None:
    """Two imports of one name in a module are E0252: the leaf leaves its group."""
    check(
        tree(
            "pub fn stays(w: &words::Word) -> u8 {\n    words::move_me(w)\n}\n",
            words=UNPUBLISHED,
            lib="mod inner;\npub use inner::Word;\nuse inner::{last, Least};\n\npub fn move_me(w: &Word) -> u8 {\n    w.least()\n}\n\n"
            "pub fn other() -> u8 {\n    Word.least() + last()\n}\n"
            "//- words/src/inner.rs\npub struct Word;\n\npub(crate) trait Least {\n    fn least(&self) -> u8;\n}\n\n"
            "impl Least for Word {\n    fn least(&self) -> u8 {\n        1\n    }\n}\n\npub(crate) fn last() -> u8 {\n    2\n}\n",
        ),
        """
        //- words/src/lib.rs
        mod inner;
        pub use inner::Word;
        use inner::last;
        pub use self::inner::Least;

        pub fn other() -> u8 {
            Word.least() + last()
        }
        //- app/src/alpha.rs
        use words::Least;

        pub fn stays(w: &words::Word) -> u8 {
            self::move_me(w)
        }

        pub fn move_me(w: &words::Word) -> u8 {
            w.least()
        }
        //- words/src/inner.rs
        pub struct Word;

        pub trait Least {
            fn least(&self) -> u8;
        }

        impl Least for Word {
            fn least(&self) -> u8 {
                1
            }
        }

        pub(crate) fn last() -> u8 {
            2
        }
        """,
        **TO_APP,
        publish=True,
    )


def test_where_documentation_is_asked_for_what_has_none_is_allowed_to(check: Check) -> None:
    check(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me()\n}\n",
            words=UNPUBLISHED,
            lib="//! Words.\n#![deny(missing_docs)]\n\n/// Moves.\npub fn move_me() -> u8 {\n    let least = least();\n"
            "    least.n + least.get()\n}\n\npub(crate) struct Least {\n    n: u8,\n}\n\nimpl Least {\n"
            "    pub(crate) fn get(&self) -> u8 {\n        self.n\n    }\n\n    /// More.\n    pub fn more(&self) -> u8 {\n"
            "        self.get() + least().n\n    }\n}\n\n/// Other.\npub fn other() -> u8 {\n    least().more()\n}\n\n"
            "/// Least.\npub(crate) fn least() -> Least {\n    Least { n: 1 }\n}\n",
        ),
        """
        //- words/src/lib.rs
        //! Words.
        #![deny(missing_docs)]

        #[allow(missing_docs)]
        pub struct Least {
            #[allow(missing_docs)]
            pub n: u8,
        }

        impl Least {
            #[allow(missing_docs)]
            pub fn get(&self) -> u8 {
                self.n
            }

            /// More.
            pub fn more(&self) -> u8 {
                self.get() + least().n
            }
        }

        /// Other.
        pub fn other() -> u8 {
            least().more()
        }

        /// Least.
        pub fn least() -> Least {
            Least { n: 1 }
        }
        //- app/src/alpha.rs
        use words::least;

        pub fn stays() -> u8 {
            self::move_me()
        }

        /// Moves.
        pub fn move_me() -> u8 {
            let least = least();
            least.n + least.get()
        }
        """,
        **TO_APP,
        publish=True,
    )


def test_a_lint_that_forbids_keeps_what_has_no_documentation_private(check: Check) -> None:
    check.refused(
        HELPED.replace(
            "pub fn move_me", "//! Words.\n#![forbid(missing_docs)]\n\n/// Moves.\npub fn move_me"
        ).replace("pub fn other", "/// Other.\npub fn other"),
        "not_movable",
        "missing_docs",
        "`least`",
        **TO_APP,
        publish=True,
    )


def test_the_trait_that_seals_another_stays_private(check: Check) -> None:
    check.refused(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me::<u8>()\n}\n",
            words=UNPUBLISHED,
            lib="mod inner {\n    pub trait Seal {\n        fn least() -> u8;\n    }\n\n    impl Seal for u8 {\n        fn least() -> u8 {\n"
            "            1\n        }\n    }\n}\n\npub trait Open: inner::Seal {}\n\nimpl Open for u8 {}\n\n"
            "pub fn move_me<T: inner::Seal>() -> u8 {\n    T::least()\n}\n",
        ),
        "not_movable",
        "`Seal` seals the trait `Open`",
        **TO_APP,
        publish=True,
    )


def test_a_method_that_would_come_before_a_traits_stays_private(check: Check) -> None:
    """Method probing passes over a private method of the type, and takes a public one before any trait's."""
    check.refused(
        tree(
            "pub fn stays(w: &words::Word) -> u8 {\n    words::move_me(w)\n}\n\npub fn means(w: &words::Word) -> u8 {\n"
            "    use words::Least;\n    let it = || w;\n    it().least()\n}\n",
            words=UNPUBLISHED,
            lib="pub struct Word;\n\nimpl Word {\n    fn least(&self) -> u8 {\n        1\n    }\n}\n\npub trait Least {\n    fn least(&self) -> u8;\n}\n\n"
            "impl Least for Word {\n    fn least(&self) -> u8 {\n        2\n    }\n}\n\npub fn move_me(w: &Word) -> u8 {\n    w.least()\n}\n",
        ),
        "not_movable",
        "`Word::least` public",
        "app/src/alpha.rs:8",
        **TO_APP,
        publish=True,
    )


def test_a_glob_that_would_show_another_meaning_keeps_the_item_private(check: Check) -> None:
    """Two globs that bring one name are an error where the name is used."""
    check.refused(
        HELPED.replace("pub mod alpha;", "pub mod alpha;\npub mod other;\npub mod user;").replace(
            "//- app/src/alpha.rs",
            "//- app/src/other.rs\npub fn least() -> u8 {\n    2\n}\n"
            "//- app/src/user.rs\npub use crate::other::*;\npub use words::*;\n\npub fn means() -> u8 {\n    least()\n}\n//- app/src/alpha.rs",
        ),
        "glob_ambiguity",
        "app/src/user.rs:5",
        **TO_APP,
        publish=True,
    )


def test_a_name_that_is_taken_on_the_way_is_not_shown_twice(check: Check) -> None:
    check.refused(
        tree(
            "pub fn move_me() {}\n\npub fn stays() {\n    move_me()\n}\n",
            lib="mod inner;\n\npub fn move_me() -> u8 {\n    1\n}\n//- words/src/inner.rs\n",
        ),
        "not_movable",
        "knows something by the name of `move_me`",
        source="app/src/alpha.rs",
        dest="words/src/inner.rs",
        publish=True,
    )


@pytest.mark.parametrize(
    "members, body, published",
    [
        ("pub struct move_me(pub(crate) u8);\n", "$crate::alpha::move_me(1)", ["0"]),
        ("pub struct move_me {\n    pub(crate) n: u8,\n}\n", "$crate::alpha::move_me { n: 1 }", ["n"]),
        (
            "pub struct move_me;\n\nimpl move_me {\n    pub(crate) fn new() -> Self {\n        move_me\n    }\n}\n",
            "$crate::alpha::move_me::new()",
            ["new"],
        ),
    ],
)
def test_what_the_body_of_a_macro_may_ask_of_the_type_becomes_public(
    check: Check, members: str, body: str, published: list[str]
) -> None:
    text = tree(
        f"#[allow(non_camel_case_types)]\n{members}",
        root=f"macro_rules! make {{\n    () => {{\n        {body}\n    }};\n}}\n\npub fn user() -> alpha::move_me {{\n    make!()\n}}\n",
    )
    found = plan(files_of(text), "move_me", *TO_WORDS.values(), publish=True)
    after = {f.path: (f.after or b"").decode() for f in found.files}
    assert [row["name"].rpartition("::")[2] for row in found.receipt["published"]] == published
    check(text, "".join(f"//- {p}\n{t}" for p, t in after.items()), **TO_WORDS, publish=True)


@pytest.mark.parametrize("make", ["$t { n: 1 }", "$t::new(1)"])
def test_what_a_macro_that_is_given_the_type_may_ask_of_it_becomes_public(check: Check, make: str) -> None:
    text = tree(
        "#[allow(non_camel_case_types)]\npub struct move_me {\n    pub(crate) n: u8,\n}\n\nimpl move_me {\n"
        "    pub(crate) fn new(n: u8) -> Self {\n        Self { n }\n    }\n}\n",
        root=f"use alpha::move_me;\n\nmacro_rules! make {{\n    ($t:ident) => {{\n        {make}\n    }};\n}}\n\n"
        "pub fn user() -> (move_me, u8) {\n    (move_me::new(1), make!(move_me).n)\n}\n",
    )
    found = plan(files_of(text), "move_me", *TO_WORDS.values(), publish=True)
    after = {f.path: (f.after or b"").decode() for f in found.files}
    assert sorted(row["name"].rpartition("::")[2] for row in found.receipt["published"]) == ["n", "new"]
    check(text, "".join(f"//- {p}\n{t}" for p, t in after.items()), **TO_WORDS, publish=True)


def test_a_field_is_no_rival_of_a_method(check: Check) -> None:
    """`.least` on who knows what in a crate that depends on the type's, beside a trait with a method of that name."""
    text = tree(
        "pub fn stays(w: &words::Word) -> u8 {\n    words::move_me(w)\n}\n\npub struct Other {\n    pub least: u8,\n}\n\n"
        "pub fn means(o: &Other) -> u8 {\n    let it = || o;\n    it().least\n}\n",
        words=UNPUBLISHED,
        lib="pub struct Word {\n    least: u8,\n}\n\npub fn word() -> Word {\n    Word { least: 1 }\n}\n\npub trait Least {\n    fn least(&self) -> u8;\n}\n\n"
        "pub fn move_me(w: &Word) -> u8 {\n    w.least\n}\n\npub fn other(w: &Word) -> u8 {\n    w.least\n}\n",
    )
    found = plan(files_of(text), "move_me", *TO_APP.values(), publish=True)
    assert found.receipt["published"] == [told("Word::least", "words/src/lib.rs", "private")]
    after = {f.path: (f.after or b"").decode() for f in found.files}
    check(text, "".join(f"//- {p}\n{t}" for p, t in after.items()), **TO_APP, publish=True)


def test_what_a_macro_is_given_to_write_is_not_published(check: Check) -> None:
    """It may write it for tests alone: `$(#[cfg(any(test, windows))] $item)*`."""
    check.refused(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me()\n}\n",
            words=UNPUBLISHED,
            lib="macro_rules! written {\n    ($($it:item)*) => {\n        $($it)*\n    };\n}\n\nwritten! {\n    fn least() -> u8 {\n        1\n    }\n}\n\n"
            "pub fn move_me() -> u8 {\n    least()\n}\n\npub fn other() -> u8 {\n    least()\n}\n",
        ),
        "not_movable",
        "`least` stands in the call of `written!`",
        **TO_APP,
        publish=True,
    )


def test_a_test_does_not_take_along_what_its_crate_has_for_tests_alone(check: Check) -> None:
    check.refused(
        tree(
            "",
            lib="#[cfg(test)]\npub fn least() -> u8 {\n    1\n}\n\n#[test]\nfn move_me() {\n    assert_eq!(least(), 1);\n}\n\n"
            "#[test]\nfn stays() {\n    assert_eq!(least(), 1);\n}\n//- words/tests/it.rs\n#[test]\nfn it() {}\n",
        ),
        "cfg_mismatch",
        "for tests alone",
        source="words/src/lib.rs",
        dest="words/tests/it.rs",
        publish=True,
    )


def test_a_trait_in_scope_at_home_does_not_take_a_call_over(check: Check) -> None:
    """Its method by value comes before the type's own by reference."""
    check.refused(
        tree(
            "use words::{Least, Word};\n\npub fn stays() -> u8 {\n    Word.least(1u8)\n}\n",
            words=UNPUBLISHED,
            lib="pub struct Word;\n\nimpl Word {\n    pub fn least(&self, n: u32) -> u32 {\n        n\n    }\n}\n\npub trait Least<T> {\n    fn least(self, n: T) -> T;\n}\n\n"
            "impl Least<u8> for Word {\n    fn least(self, n: u8) -> u8 {\n        n\n    }\n}\n\npub mod calls {\n    use crate::Word;\n\n"
            "    pub fn move_me(w: &Word) -> u32 {\n        w.least(2)\n    }\n}\n",
        ),
        "trait_method_ambiguity",
        "Least::least",
        source="words/src/lib.rs::calls",
        dest="app/src/alpha.rs",
    )
