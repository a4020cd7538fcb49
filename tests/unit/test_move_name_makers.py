"""Names in the moved text that nobody declares: told where a macro of the old module, or behind its globs, may make them."""

import pytest
from tests.support.moves import moved, plan

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


def test_a_name_that_a_glob_brings_from_an_import_of_what_nobody_declares_is_told() -> None:
    """petgraph: `use crate::visit::GetAdjacencyMatrix;`, which `trait_template!` declares, above `mod state { use super::*; }`."""
    assert doubts("use crate::visit::Made;\n") == ["Made::new"]


def test_a_trait_that_a_macro_declares_comes_along_from_behind_a_glob() -> None:
    """petgraph: `graph.node_identifiers()` in tests below `use super::*`."""
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod visit;\n",
        "src/visit.rs": "trait_template! { pub trait Nodes { fn nodes(&self); } }\n",
        "src/a.rs": "use crate::visit::Nodes;\n\nmod tests {\n    use super::*;\n\n"
        "    fn move_me(graph: &Graph) {\n        graph.nodes();\n    }\n}\n",
        "src/b.rs": "",
    }
    after = moved(files, "move_me", "src/a.rs::tests", "src/b.rs")
    assert after["src/b.rs"].startswith("use crate::visit::Nodes;\n")


def test_a_trait_that_home_has_behind_a_glob_too_is_not_imported_again() -> None:
    tests = "use crate::visit::Nodes;\n\nmod tests {\n    use super::*;\n"
    files = {
        "src/lib.rs": "pub mod a;\npub mod b;\npub mod visit;\n",
        "src/visit.rs": "trait_template! { pub trait Nodes { fn nodes(&self); } }\n",
        "src/a.rs": tests + "\n    fn move_me() {\n        made().nodes();\n    }\n}\n",
        "src/b.rs": tests + "}\n",
    }
    after = moved(files, "move_me", "src/a.rs::tests", "src/b.rs::tests")
    assert after["src/b.rs"].count("use crate::visit::Nodes") == 1
