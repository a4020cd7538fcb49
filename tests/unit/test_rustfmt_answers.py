"""A question that rustfmt has answered is not put to it again, as long as nothing that its answer follows from has changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from m1nd.infrastructure.rustfmt import APPLIED, Answers, Rustfmt

TEXT = b"fn a() {}\n"


@pytest.fixture
def counted(tmp_path: Path) -> tuple[Rustfmt, Callable[[], int]]:
    """A formatter whose program gives back what it gets (and fails on the word `wrong`), and how often it ran."""
    folder = tmp_path / "bin"
    folder.mkdir()
    runs = tmp_path / "runs"
    program = folder / "rustfmt"
    program.write_text(
        f"#!/bin/sh\necho run >> '{runs}'\ntext=$(cat)\ncase $text in *wrong*) exit 1;; esac\necho \"$text\"\n"
    )
    program.chmod(0o755)
    (tmp_path / "repo").mkdir()
    path = f"{folder}:/usr/bin:/bin"
    return Rustfmt(tmp_path / "repo", {"PATH": path}), lambda: len(runs.read_text().splitlines())


def ask(formatter: Rustfmt, text: bytes = TEXT, edition: int = 2021) -> str:
    found, note = formatter.format("src/a.rs", text, edition, [(0, len(text))])
    assert found == text
    return note


def test_the_same_question_runs_the_program_once(counted: tuple[Rustfmt, Callable[[], int]]) -> None:
    formatter, runs = counted
    assert [ask(formatter), ask(formatter)] == [APPLIED, APPLIED]
    assert runs() == 1


def test_another_text_edition_configuration_or_toolchain_is_another_question(
    counted: tuple[Rustfmt, Callable[[], int]], tmp_path: Path
) -> None:
    formatter, runs = counted
    ask(formatter)
    ask(formatter, b"fn b() {}\n")
    ask(formatter, edition=2024)
    (tmp_path / "repo/rustfmt.toml").write_text("tab_spaces = 2\n")
    ask(formatter)
    (tmp_path / "repo/rustfmt.toml").write_text("tab_spaces = 3\n")
    ask(formatter)
    (tmp_path / "repo/rust-toolchain.toml").write_text("[toolchain]\nchannel = 'beta'\n")
    ask(formatter)
    assert runs() == 6


def test_a_failure_is_not_remembered(counted: tuple[Rustfmt, Callable[[], int]]) -> None:
    formatter, runs = counted
    notes = [ask(formatter, b"wrong\n"), ask(formatter, b"wrong\n")]
    assert notes == ["rustfmt failed: status 1"] * 2
    assert runs() == 2


def test_the_answers_asked_for_least_lately_go_first() -> None:
    answers = Answers(most=20)
    for name in ("a", "b"):
        answers.keep(name, [name.encode()], 10)
    assert answers.get("a") == [b"a"]
    answers.keep("c", [b"c"], 10)
    assert [answers.get(name) for name in "abc"] == [[b"a"], None, [b"c"]]


def test_an_answer_that_is_larger_than_all_that_is_kept_is_not_kept() -> None:
    answers = Answers(most=20)
    answers.keep("a", [b"a"], 21)
    assert answers.get("a") is None
