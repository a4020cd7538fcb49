"""Files that no crate reaches: one that something may compile is a doubt, one that nothing names is dead text (D31)."""

import pytest
from tests.support.moves import plan

STRAY = "use crate::alpha::move_me;\n\npub fn go() -> u8 {\n    move_me()\n}\n"
ALPHA = "pub fn move_me() -> u8 {\n    1\n}\n"


def doubts(root: str, others: dict[str, str]) -> list[str]:
    """The files that the receipt has doubts about."""
    files = {
        "src/lib.rs": f"pub mod alpha;\npub mod beta;\n{root}",
        "src/alpha.rs": ALPHA,
        "src/beta.rs": "pub fn resident() {}\n",
        **others,
    }
    return [
        u["file"] for u in plan(files, "move_me", "src/alpha.rs", "src/beta.rs").receipt["refs_unresolved"]
    ]


def test_a_file_that_nothing_names_is_no_doubt() -> None:
    """Its `mod` line is gone: `parse` as a word does not bring it back."""
    assert doubts("pub fn parse() {}\n", {"src/parse.rs": STRAY}) == []


@pytest.mark.parametrize(
    "root",
    [
        "macro_rules! mods {\n    () => { mod parse; };\n}\nmods!();\n",
        "macro_rules! mods {\n    ($($m:ident)*) => { $(mod $m;)* };\n}\nmods! { parse }\n",
        'with_file!("parse.rs");\n',
        'all_of!("src/*.rs");\n',
        'all_of!("../src");\n',
    ],
)
def test_a_file_that_something_may_compile_is_a_doubt(root: str) -> None:
    assert "src/parse.rs" in doubts(root, {"src/parse.rs": STRAY})


def test_a_file_that_another_one_outside_of_every_crate_names_goes_with_it() -> None:
    both = {"src/outer.rs": "mod parse;\n", "src/outer/parse.rs": STRAY}
    assert doubts("", both) == []
    assert doubts("macro_rules! mods {\n    () => { mod outer; };\n}\nmods!();\n", both) == [
        "src/outer/parse.rs"
    ]


def test_of_many_files_outside_of_every_crate_all_are_doubts() -> None:
    """Each question reads the whole workspace."""
    many = {f"src/lost/{number}.rs": STRAY for number in range(17)}
    assert sorted(doubts("", many)) == sorted(many)
