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


def test_a_mod_line_whose_file_is_another_one_names_no_file_of_that_name_elsewhere() -> None:
    """time: `benchmarks/parsing.rs` beside `pub mod parsing;` in src/lib.rs."""
    both = {"src/parse.rs": "pub fn parse() {}\n", "benchmarks/parse.rs": STRAY.replace("crate", "case")}
    assert doubts("pub mod parse;\n", both) == []


def test_a_build_script_names_an_item_only_in_what_it_writes() -> None:
    """snap: `Box<dyn Error>` beside a struct `Error`."""
    files = {
        "src/lib.rs": 'mod alpha;\npub mod beta;\ninclude!(concat!(env!("OUT_DIR"), "/made.rs"));\n',
        "src/alpha.rs": ALPHA,
        "src/beta.rs": "pub fn resident() {}\n",
    }
    script = 'fn move_me() {}\n// "move_me"\nfn main() {\n    move_me();\n    println!("other");\n}\n'
    for text, told in ((script, []), (script.replace("other", "move_me"), ["build.rs"])):
        receipt = plan({**files, "build.rs": text}, "move_me", "src/alpha.rs", "src/beta.rs").receipt
        assert [u["file"] for u in receipt["refs_unresolved"]] == told
