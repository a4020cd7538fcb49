"""Moves between crates of one workspace: what is written on both sides (frontier 2c)."""

from tests.support.before_after import Check
from tests.support.two_crates import tree

PLACES = {"source": "app/src/alpha.rs", "dest": "words/src/lib.rs"}


def test_the_receipt_names_both_crates_and_what_became_public(check: Check) -> None:
    check(
        tree("pub(crate) fn move_me() {}\n\npub fn stays() {\n    move_me()\n}\n"),
        """
        //- app/src/alpha.rs
        use words::move_me;

        pub fn stays() {
            move_me()
        }
        //- words/src/lib.rs

        pub fn move_me() {}
        """,
        **PLACES,
        receipt={
            "source_module": "app::alpha",
            "dest_module": "words",
            "moved_visibility": {"before": "pub(crate)", "after": "pub"},
            "source_back_imported": True,
        },
    )


def test_an_item_that_nobody_uses_stays_as_private_as_it_was(check: Check) -> None:
    check(
        tree("#[allow(dead_code)]\npub(crate) fn move_me() {}\n"),
        """
        //- app/src/alpha.rs
        //- words/src/lib.rs

        #[allow(dead_code)]
        pub(crate) fn move_me() {}
        """,
        **PLACES,
    )


def test_what_the_text_called_by_the_new_crates_name_is_its_own_there(check: Check) -> None:
    check(
        tree(
            "use words::Word;\n\npub fn move_me(word: Word) -> words::Word {\n    word\n}\n",
            lib="pub struct Word;\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs
        pub struct Word;

        pub fn move_me(word: Word) -> self::Word {
            word
        }
        """,
        **PLACES,
    )


def test_a_dependent_crate_takes_what_it_alone_uses_of_a_crate_that_is_not_published(check: Check) -> None:
    """The other way round: from the crate that is depended on."""
    check(
        tree(
            "pub fn stays() -> u8 {\n    words::move_me(&words::Word(1))\n}\n",
            words="publish = false",
            lib="pub struct Word(pub u8);\n\npub fn move_me(word: &Word) -> u8 {\n    word.0 + crate::least()\n}\n\npub fn least() -> u8 {\n    1\n}\n",
        ),
        """
        //- words/src/lib.rs
        pub struct Word(pub u8);

        pub fn least() -> u8 {
            1
        }
        //- app/src/alpha.rs
        pub fn stays() -> u8 {
            self::move_me(&words::Word(1))
        }

        pub fn move_me(word: &words::Word) -> u8 {
            word.0 + words::least()
        }
        """,
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_private_members_that_stay_unseen_are_written_for_the_new_home(check: Check) -> None:
    """`pub(in …)` names a path of the old crate."""
    check(
        tree(
            "#[allow(non_camel_case_types)]\n#[derive(Default)]\npub struct move_me {\n    pub(in crate::alpha) beam: u32,\n}\n\n"
            "impl move_me {\n    pub fn beam(&self) -> u32 {\n        self.beam\n    }\n}\n",
            root="pub fn user() -> u32 {\n    alpha::move_me::default().beam()\n}\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() -> u32 {
            words::move_me::default().beam()
        }
        //- words/src/lib.rs

        #[allow(non_camel_case_types)]
        #[derive(Default)]
        pub struct move_me {
            beam: u32,
        }

        impl move_me {
            pub fn beam(&self) -> u32 {
                self.beam
            }
        }
        """,
        **PLACES,
    )


def test_a_doc_test_that_moves_along_calls_its_new_crate_by_name(check: Check) -> None:
    check(
        tree(
            "/// ```\n/// assert_eq!(app::alpha::move_me(), 1);\n/// ```\npub fn move_me() -> u8 {\n    1\n}\n"
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs

        /// ```
        /// assert_eq!(words::move_me(), 1);
        /// ```
        pub fn move_me() -> u8 {
            1
        }
        """,
        **PLACES,
    )


def test_an_item_that_becomes_public_is_let_off_documentation(check: Check) -> None:
    check(
        tree(
            "pub(crate) fn move_me() {}\n",
            root="pub fn user() {\n    alpha::move_me()\n}\n",
            lib="//! Words.\n#![deny(missing_docs)]",
        ),
        """
        //- app/src/alpha.rs
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() {
            words::move_me()
        }
        //- words/src/lib.rs
        //! Words.
        #![deny(missing_docs)]

        #[allow(missing_docs)]
        pub fn move_me() {}
        """,
        **PLACES,
    )


def test_a_new_file_of_the_other_crate_is_as_public_as_its_siblings(check: Check) -> None:
    check(
        tree(
            "pub(crate) fn move_me() {}\n",
            root="pub fn user() {\n    alpha::move_me()\n}\n",
            lib="pub mod quiet;\npub mod west;\n//- words/src/quiet.rs\n//- words/src/west.rs\n",
        ),
        """
        //- app/src/alpha.rs
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() {
            words::loud::move_me()
        }
        //- words/src/lib.rs
        pub mod loud;
        pub mod quiet;
        pub mod west;
        //- words/src/loud.rs
        pub fn move_me() {}
        """,
        source="app/src/alpha.rs",
        dest="words/src/loud.rs",
        receipt={"files_created": ["words/src/loud.rs"]},
    )


def test_a_module_inline_in_a_file_of_the_other_crate_is_a_home_too(check: Check) -> None:
    check(
        tree(
            "pub(crate) fn move_me() -> u8 {\n    1\n}\n",
            root="pub fn user() -> u8 {\n    alpha::move_me()\n}\n",
            lib="pub mod loud {\n    pub fn call() {}\n}\n",
        ),
        """
        //- app/src/alpha.rs
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() -> u8 {
            words::loud::move_me()
        }
        //- words/src/lib.rs
        pub mod loud {
            pub fn call() {}

            pub fn move_me() -> u8 {
                1
            }
        }
        """,
        source="app/src/alpha.rs",
        dest="words/src/lib.rs::loud",
    )


def test_what_the_text_needs_of_its_old_crate_it_names_by_the_dependency_that_the_manifest_renames(
    check: Check,
) -> None:
    """From the crate that is depended on to the one that depends: values, types, a trait for its methods, a re-export."""
    text = tree(
        "",
        words="publish = false",
        lib="mod inner;\npub use inner::{Deep, Loud};\n\npub(crate) fn move_me(deep: Deep) -> u32 {\n    deep.louder() + crate::LEAST + self::Deep::NONE.0\n}\n\n"
        "pub const LEAST: u32 = 1;\n//- words/src/inner.rs\npub struct Deep(pub u32);\n\nimpl Deep {\n    pub const NONE: Deep = Deep(0);\n}\n\n"
        "pub trait Loud {\n    fn louder(&self) -> u32;\n}\n\nimpl Loud for Deep {\n    fn louder(&self) -> u32 {\n        self.0\n    }\n}\n",
    ).replace('words = { path = "../words" }', 'speech = { path = "../words", package = "words" }')
    check(
        text.replace("pub(crate) fn move_me", "#[allow(dead_code)]\npub(crate) fn move_me"),
        """
        //- words/src/lib.rs
        mod inner;
        pub use inner::{Deep, Loud};

        pub const LEAST: u32 = 1;
        //- app/src/alpha.rs

        use speech::Deep;
        use speech::Loud;

        #[allow(dead_code)]
        pub(crate) fn move_me(deep: Deep) -> u32 {
            deep.louder() + speech::LEAST + speech::Deep::NONE.0
        }
        """,
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_a_re_export_that_is_there_shows_the_way_to_a_private_module(check: Check) -> None:
    check(
        tree(
            "pub(crate) fn move_me() -> u8 {\n    1\n}\n",
            root="pub fn user() -> u8 {\n    alpha::move_me()\n}\n",
            lib="mod inner;\npub use inner::*;\n//- words/src/inner.rs\npub fn call() {}\n",
        ),
        """
        //- app/src/alpha.rs
        //- app/src/lib.rs
        pub mod alpha;
        pub fn user() -> u8 {
            words::move_me()
        }
        //- words/src/inner.rs
        pub fn call() {}

        pub fn move_me() -> u8 {
            1
        }
        """,
        source="app/src/alpha.rs",
        dest="words/src/inner.rs",
    )


def test_what_documentation_says_of_a_type_is_no_impl_and_no_alias_of_it(check: Check) -> None:
    doc = "/// ```\n/// let _: app::alpha::move_me = app::alpha::move_me;\n/// ```\n"
    check(
        tree(
            "#[allow(non_camel_case_types)]\npub struct move_me;\n",
            root=f"{doc}pub type Other = u8;\n\npub trait Own {{}}\n\n{doc}impl Own for Other {{}}\n\n{doc}impl<T> Own for Vec<T> {{}}\n",
        ),
        """
        //- app/src/alpha.rs
        pub use words::move_me;
        //- words/src/lib.rs

        #[allow(non_camel_case_types)]
        pub struct move_me;
        """,
        **PLACES,
    )


def test_a_link_to_what_stays_private_keeps_nothing(check: Check) -> None:
    check(
        tree(
            "/// As [`stays`] does.\npub(crate) fn move_me() {}\n\n#[allow(dead_code)]\nfn stays() {\n    move_me()\n}\n"
        ),
        """
        //- app/src/alpha.rs
        use words::move_me;

        #[allow(dead_code)]
        fn stays() {
            move_me()
        }
        //- words/src/lib.rs

        /// As [`stays`] does.
        pub fn move_me() {}
        """,
        **PLACES,
    )
