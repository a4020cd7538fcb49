"""What a derive of the moved item makes beside it moves along, and nobody sees it: a use is told, never guessed."""

import pytest
from tests.support.moves import plan

ROOT = "pub mod a;\npub mod b;\npub mod c;\n"


def doubts(derives: str, user: str, source: str = "") -> list[tuple[object, object]]:
    """`(file, text)` of each doubt about the move of an enum with these derives."""
    files = {
        "src/lib.rs": ROOT,
        "src/a.rs": f"{derives}\npub enum Fault {{ Parse {{ line: u8 }} }}\n\npub fn stay() {{}}\n{source}",
        "src/b.rs": "",
        "src/c.rs": user,
    }
    receipt = plan(files, "Fault", "src/a.rs", "src/b.rs").receipt
    return [(u["file"], u["text"]) for u in receipt["refs_unresolved"]]


@pytest.mark.parametrize(
    "user, text",
    [
        ("use crate::a;\n\npub fn f() { a::Parse { line: 1 }; }\n", "a::Parse"),
        ("pub fn f() { crate::a::FaultBuilder::new(); }\n", "crate::a::FaultBuilder::new"),
        ("use crate::a::*;\n\npub fn f() { ParseSnafu { line: 1 }; }\n", "ParseSnafu"),
        ("use crate::a::ParseSnafu;\n", "crate::a::ParseSnafu"),
    ],
)
def test_a_name_that_a_derive_of_the_moved_item_may_make_is_told(user: str, text: str) -> None:
    """just: `config_error::RequestParse`, a struct that snafu makes of a variant."""
    assert doubts("#[derive(Debug, Snafu)]", user) == [("src/c.rs", text)]


def test_a_name_that_it_may_make_is_told_in_the_source_too() -> None:
    assert doubts("#[derive(Snafu)]", "", "pub fn g() { FaultBuilder {}; }\n") == [
        ("src/a.rs", "FaultBuilder")
    ]


@pytest.mark.parametrize("derives", ["#[derive(Debug, Clone)]", "#[must_use]", ""])
def test_what_only_the_language_derives_makes_no_names(derives: str) -> None:
    assert doubts(derives, "use crate::a;\n\npub fn f() { a::Parse { line: 1 }; }\n") == []


def test_a_name_that_somebody_declares_is_no_doubt() -> None:
    user = "use crate::a;\n\npub struct ParseMore;\npub fn f(_: ParseMore) { a::stay(); a::Fault::Parse { line: 1 }; }\n"
    assert doubts("#[derive(Snafu)]", user) == []


def test_a_name_that_a_macro_call_of_the_source_makes_is_no_doubt() -> None:
    user = "use crate::a;\n\npub fn f() { a::Flags::new(); }\n"
    assert doubts("#[derive(Snafu)]", user, "flags! { pub struct Flags: u8 {} }\n") == []
