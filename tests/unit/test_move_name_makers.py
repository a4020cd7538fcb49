"""Names in the moved text that nobody declares: told where a macro of the old module, or behind its globs, may make them."""

import pytest
from tests.support.moves import plan

TESTS = '#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[cfg(feature = "extra")]\n    pub fn move_me() {\n        Made::new();\n        unknown::check();\n    }\n}\n'
HOME = "#[cfg(test)]\nmod tests {}\n"


def doubts(above: str) -> list[str]:
    """What is told when `tests::move_me` leaves a file that begins with `above`."""
    files = {"src/lib.rs": "pub mod a;\npub mod b;\n", "src/a.rs": above + TESTS, "src/b.rs": HOME}
    receipt = plan(files, "move_me", "src/a.rs::tests", "src/b.rs::tests").receipt
    return [u["text"] for u in receipt["refs_unresolved"]]


@pytest.mark.parametrize(
    "above", ["", "pub struct S;\npub fn f() {}\n", "#[derive(Debug, Clone)]\nstruct S;\n"]
)
def test_a_glob_of_a_module_without_macros_makes_no_name(above: str) -> None:
    """uuid: `serde_test::assert_tokens` in tests of a feature that is off, below `use super::*`."""
    assert doubts(above) == []


@pytest.mark.parametrize(
    "above",
    [
        "made! { Made }\n",
        "#[derive(Builder)]\nstruct S;\n",
        "#[pin_project(project = Made)]\nstruct S;\n",
        "pub use generated::*;\n",
        "mod deep { made! { Made } }\nuse deep::*;\n",
    ],
)
def test_a_macro_behind_a_glob_may_make_a_name(above: str) -> None:
    assert doubts(above) == ["Made::new", "unknown::check"]
