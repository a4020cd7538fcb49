"""Moves between crates of one workspace that stay closed, each for its own reason (frontier 2c)."""

import pytest
from tests.support.before_after import Check, files_of, refused
from tests.support.moves import plan
from tests.support.two_crates import tree


def code_of(text: str, symbol: str = "move_me") -> tuple[str, str]:
    """The code and the message of the refusal."""
    found = refused(files_of(text), symbol, "app/src/alpha.rs", "words/src/lib.rs")
    assert found is not None, "the move was planned"
    return found.refusal.code, found.refusal.message


@pytest.mark.parametrize(
    "text, word",
    [
        ('pub fn move_me() -> &\'static str {\n    env!("CARGO_PKG_VERSION")\n}\n', "env!"),
        ("pub fn move_me() -> &'static str {\n    module_path!()\n}\n", "module_path!"),
        ("pub fn move_me() -> (char, &'static str) {\n    ('\"', env!(\"CARGO_PKG_NAME\"))\n}\n", "env!"),
        ('pub fn move_me() -> [&\'static str; 2] {\n    [r"\\", env!("CARGO_PKG_NAME")]\n}\n', "env!"),
        ('#[no_mangle]\npub extern "C" fn move_me() {}\n', "no_mangle"),
        (
            "pub fn move_me() {\n    macro_rules! inner {\n        () => {};\n    }\n    inner!()\n}\n",
            "macro_rules",
        ),
        ("pub trait move_me {}\n", "trait"),
        ("macro_rules! move_me {\n    () => {};\n}\n", "macro rules"),
        ("pub fn move_me() {\n    made_elsewhere();\n}\n", "made_elsewhere"),
    ],
)
def test_text_that_is_bound_to_its_crate_stays(text: str, word: str) -> None:
    code, message = code_of(tree(text))
    assert code == "cross_crate"
    assert word in message


@pytest.mark.parametrize(
    "text, word",
    [
        ('#[cfg(feature = "x")]\npub fn move_me() {}\n', "cfg(feature"),
        ("#[cfg(test)]\npub fn move_me() {}\n", "cfg(test)"),
        ('pub fn move_me() -> bool {\n    cfg!(feature = "x")\n}\n', "cfg!(feature"),
        ("#[cfg_attr(test, derive(Debug))]\npub struct move_me;\n", "cfg_attr(test"),
        ("#[cfg_attr(unix, derive(Debug))]\npub struct move_me;\n", "cfg_attr(unix"),
    ],
)
def test_what_each_crate_answers_for_itself_is_a_matter_of_conditions(text: str, word: str) -> None:
    code, message = code_of(tree(text))
    assert code == "cfg_mismatch"
    assert word in message


def test_a_module_under_a_feature_is_a_matter_of_conditions() -> None:
    text = tree("pub fn move_me() {}\n").replace("pub mod alpha", '#[cfg(feature = "x")]\npub mod alpha')
    code, message = code_of(text)
    assert code == "cfg_mismatch"
    assert "app/src/alpha.rs is compiled under" in message


@pytest.mark.parametrize(
    "text, what",
    [
        ("pub fn move_me() -> Vec<u8> {\n    Vec::new()\n}\n", "`Vec`"),
        ("pub fn move_me() -> std::time::Duration {\n    std::time::Duration::ZERO\n}\n", "`std`"),
        ("use std::fmt;\n\npub fn move_me(_: &dyn fmt::Debug) {}\n", "`fmt`"),
        ("pub fn move_me(n: f32) -> f32 {\n    n.sqrt()\n}\n", "`sqrt`"),
        ('pub fn move_me() {\n    println!("x")\n}\n', "`println!`"),
    ],
)
def test_text_that_needs_std_stays_out_of_a_crate_without_it(check: Check, text: str, what: str) -> None:
    check.refused(
        tree(text, lib="#![no_std]"),
        "cross_crate",
        "no_std",
        what,
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


@pytest.mark.parametrize(
    "words, lib, word",
    [
        ("", "#![deny(warnings)]", "warnings"),
        ("[workspace]", "", "different cargo workspaces"),
    ],
)
def test_crates_that_differ_where_text_cannot_tell_stay_closed(words: str, lib: str, word: str) -> None:
    code, message = code_of(tree("pub fn move_me() {}\n", words=words, lib=lib))
    assert code == "cross_crate"
    assert word in message


def test_a_macro_of_the_workspace_keeps_the_text_that_calls_it(check: Check) -> None:
    check.refused(
        tree(
            "pub use words::*;\n",
            words="publish = false",
            lib="macro_rules! own {\n    () => {};\n}\n\npub fn move_me() {\n    own!();\n}\n\npub fn other() {\n    own!();\n}\n",
        ),
        "cross_crate",
        "the macro `own`",
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_an_exported_macro_of_the_old_crate_keeps_the_text_where_it_names_what_is_private(
    check: Check,
) -> None:
    check.refused(
        tree(
            "pub use words::*;\n",
            words="publish = false",
            lib="#[macro_export]\nmacro_rules! own {\n    () => {\n        $crate::least()\n    };\n}\n\nfn least() {}\n\n"
            "pub fn move_me() {\n    own!()\n}\n\npub fn other() {\n    own!()\n}\n",
        ),
        "cross_crate",
        "the macro `own`",
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_nothing_that_others_need_moves_into_a_crate_of_procedural_macros() -> None:
    text = tree(
        "pub fn move_me() {}\n\npub fn stays() {\n    move_me()\n}\n", words="[lib]\nproc-macro = true"
    )
    code, message = code_of(text)
    assert code == "target_unnameable"
    assert "procedural macros" in message


def test_a_crate_from_elsewhere_must_be_asked_for_alike() -> None:
    """Name, version and features, as the two manifests have them."""
    text = tree("pub fn move_me() -> u32 {\n    rand::random()\n}\n").replace(
        "[dependencies]\nwords", '[dependencies]\nrand = { version = "0.9", features = ["log"] }\nwords'
    )
    code, message = code_of(text)
    assert code == "dependency_missing"
    assert "`words` does not depend on `rand`" in message
    older = text.replace(
        'edition = "2021"\n\n//- words/src', 'edition = "2021"\n[dependencies]\nrand = "0.8"\n//- words/src'
    )
    assert "do not ask for the same `rand`" in code_of(older)[1]
    plain = older.replace('rand = "0.8"', 'rand = "0.9"')
    assert "does not ask for the feature `log` of `rand`" in code_of(plain)[1]
    alike = older.replace('rand = "0.8"', 'rand = { version = "0.9", features = ["std", "log"] }')
    assert refused(files_of(alike), "move_me", "app/src/alpha.rs", "words/src/lib.rs") is None


def test_an_extension_trait_of_the_old_crate_keeps_its_callers(check: Check) -> None:
    """The method is called on a type of no crate here; the trait would be out of reach."""
    check.refused(
        tree(
            "use crate::Louder;\n\npub fn move_me(n: u32) -> u32 {\n    n.louder()\n}\n",
            root="pub trait Louder {\n    fn louder(self) -> u32;\n}\n\nimpl Louder for u32 {\n    fn louder(self) -> u32 {\n        self + 1\n    }\n}\n",
        ),
        "dependency_cycle",
        "Louder",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


@pytest.mark.parametrize(
    "root",
    [
        "impl alpha::move_me {\n    pub fn more(&self) {}\n}\n",
        "type Mine = alpha::move_me;\n\nimpl Mine {\n    pub fn more(&self) {}\n}\n",
        "type Many = Mine;\ntype Mine = alpha::move_me;\n\nimpl From<Many> for String {\n    fn from(_: Many) -> String {\n        String::new()\n    }\n}\n",
        "impl From<alpha::move_me> for String {\n    fn from(_: alpha::move_me) -> String {\n        String::new()\n    }\n}\n",
        "impl std::ops::Neg for &alpha::move_me {\n    type Output = ();\n    fn neg(self) {}\n}\n",
        "pub trait Own {}\n\nimpl Own for alpha::move_me {}\n\nimpl<T: std::fmt::Display> Own for T {}\n",
    ],
)
def test_an_impl_that_only_the_crate_of_the_type_may_write_keeps_the_type(check: Check, root: str) -> None:
    """E0116, E0117, and E0119 where a blanket impl could meet it."""
    check.refused(
        tree("#[allow(non_camel_case_types)]\npub struct move_me;\n", root=root),
        "orphan_rule",
        "app/src/lib.rs",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


@pytest.mark.parametrize(
    "use",
    [
        "pub fn user(it: &alpha::move_me) -> u32 {\n    it.draught\n}\n",
        "pub fn user(it: &alpha::move_me) {\n    it.sink()\n}\n",
        "pub fn user() -> alpha::move_me {\n    alpha::move_me { beam: 1, ..Default::default() }\n}\n",
    ],
)
def test_a_member_that_is_not_public_keeps_the_type_where_it_is_used(check: Check, use: str) -> None:
    check.refused(
        tree(
            "#[allow(non_camel_case_types)]\n#[derive(Default)]\npub struct move_me {\n    pub beam: u32,\n    pub(crate) draught: u32,\n}\n\n"
            "impl move_me {\n    pub(crate) fn sink(&self) {\n        drop(self.draught);\n    }\n}\n",
            root=use,
        ),
        "not_movable",
        "is not public",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


def test_a_macro_that_is_given_the_type_may_make_an_impl_of_it(check: Check) -> None:
    check.refused(
        tree(
            "#[allow(non_camel_case_types)]\npub struct move_me;\n",
            root="macro_rules! named {\n    ($t:ty) => {\n        impl std::fmt::Display for $t {\n            fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n                Ok(())\n            }\n        }\n    };\n}\n\nnamed!(alpha::move_me);\n",
        ),
        "cross_crate",
        "named!",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


def test_the_body_of_a_macro_that_stays_cannot_name_the_new_crate(check: Check) -> None:
    check.refused(
        tree(
            "#[doc(hidden)]\npub(crate) fn move_me() {}\n",
            root="#[macro_export]\nmacro_rules! call {\n    () => {\n        $crate::alpha::move_me()\n    };\n}\n\npub fn user() {\n    call!()\n}\n",
        ),
        "cross_crate",
        "the body of a macro",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


def test_the_body_of_a_macro_whose_crate_cannot_name_the_new_one_says_so(check: Check) -> None:
    check.refused(
        tree(
            "pub fn stays() {\n    words::user()\n}\n",
            words="publish = false",
            lib="pub(crate) fn move_me() {}\n\nmacro_rules! call {\n    () => {\n        $crate::move_me()\n    };\n}\n\n"
            "pub fn user() {\n    call!()\n}\n",
        ),
        "dependency_cycle",
        "the body of a macro",
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


def test_a_whole_module_does_not_cross() -> None:
    found = refused(files_of(tree("")), "alpha", "app/src/lib.rs", "words/src/lib.rs")
    assert found is not None
    assert found.refusal.code in ("not_top_level_fn", "cross_crate")


@pytest.mark.parametrize("lint", ["unreachable_pub", "dead_code", "unused_variables"])
def test_a_lint_that_only_the_destination_denies_keeps_it_closed(lint: str) -> None:
    code, message = code_of(tree("pub fn move_me() {}\n", lib=f"#![deny({lint})]"))
    assert code == "cross_crate"
    assert f"`{lint}`" in message


def test_a_type_that_was_not_public_stays_out_of_a_crate_that_will_have_documentation(check: Check) -> None:
    check.refused(
        tree(
            "#[allow(non_camel_case_types)]\npub(crate) struct move_me {\n    pub beam: u32,\n}\n",
            root="pub fn user() -> u32 {\n    alpha::move_me { beam: 1 }.beam\n}\n",
            lib="//! Words.\n#![forbid(missing_docs)]",
        ),
        "not_movable",
        "missing_docs",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


@pytest.mark.parametrize(
    "text",
    [
        "#[non_exhaustive]\npub enum Word {\n    A,\n}\n\npub fn move_me(word: Word) -> u8 {\n    match word {\n        Word::A => 1,\n    }\n}\n",
        "#[non_exhaustive]\npub enum Word {\n    A,\n}\n\npub fn move_me(word: Word) -> u8 {\n    use Word::*;\n    match word {\n        A => 1,\n    }\n}\n",
        "#[non_exhaustive]\npub struct Word {\n    pub n: u8,\n}\n\npub fn move_me() -> Word {\n    Word { n: 1 }\n}\n",
        "pub enum Word {\n    #[non_exhaustive]\n    A { n: u8 },\n}\n\npub fn move_me() -> Word {\n    Word::A { n: 1 }\n}\n",
    ],
)
def test_what_only_the_crate_of_a_type_may_build_or_match_whole_stays_with_it(
    check: Check, text: str
) -> None:
    check.refused(
        tree("pub use words::*;\n", lib=text, words="publish = false"),
        "non_exhaustive",
        "words/src/lib.rs",
        source="words/src/lib.rs",
        dest="app/src/alpha.rs",
    )


@pytest.mark.parametrize(
    "text, use",
    [
        (
            "#[non_exhaustive]\npub struct move_me {\n    pub n: u8,\n}\n",
            "pub fn user() -> u8 {\n    alpha::move_me { n: 1 }.n\n}\n",
        ),
        (
            "#[non_exhaustive]\npub enum move_me {\n    A(u8),\n}\n",
            "pub fn user(it: alpha::move_me) -> u8 {\n    match it {\n        alpha::move_me::A(n) => n,\n    }\n}\n",
        ),
        (
            "pub enum move_me {\n    #[non_exhaustive]\n    A,\n}\n",
            "pub fn user(it: alpha::move_me) -> u8 {\n    it as u8\n}\n",
        ),
    ],
)
def test_a_non_exhaustive_type_stays_where_it_is_built_matched_whole_or_cast(
    check: Check, text: str, use: str
) -> None:
    check.refused(
        tree(f"#[allow(non_camel_case_types)]\n{text}", root=use),
        "non_exhaustive",
        "app/src/lib.rs",
        source="app/src/alpha.rs",
        dest="words/src/lib.rs",
    )


def test_names_that_a_derive_made_beside_the_type_are_doubts() -> None:
    """They move along unseen: only a compiler can tell that the old crate has lost them."""
    text = tree(
        "use snafu::Snafu;\n\n#[derive(Debug, Snafu)]\npub enum move_me {\n    Parse { text: String },\n}\n",
        root="pub fn user() -> alpha::move_me {\n    alpha::Parse { text: String::new() }.build()\n}\n",
    )
    asked = '[dependencies]\nsnafu = "0.8"\n'
    text = text.replace("[dependencies]\n", asked).replace(
        "//- words/src/lib.rs", f"{asked}//- words/src/lib.rs", 1
    )
    found = plan(files_of(text), "move_me", "app/src/alpha.rs", "words/src/lib.rs")
    assert [(r["file"], r["text"]) for r in found.receipt["refs_unresolved"]] == [
        ("app/src/lib.rs", "alpha::Parse")
    ]
