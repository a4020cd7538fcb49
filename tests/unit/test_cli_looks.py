"""How answers look: cleaned text, colour rules, widths, ASCII (PORTS.md; QUALITY.md, Safety)."""

import io
import sys
from collections.abc import Mapping

import pytest
from rich.text import Text

from m1nd.adapters.cli.context import Flags
from m1nd.adapters.cli.render import console, facts, print_diff, table
from m1nd.adapters.cli.text import clean, one_line

DEFAULTS = Flags()
XTERM = {"TERM": "xterm"}


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def printed(
    monkeypatch: pytest.MonkeyPatch,
    thing: object,
    *,
    flags: Flags = DEFAULTS,
    environment: Mapping[str, str] = XTERM,
    terminal: bool = False,
) -> str:
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stdout", screen)
    console(flags, environment, "stdout").print(thing)
    return screen.getvalue()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred", "<U+001B>[31mred"),
        ("a\u202eb", "a<U+202E>b"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("line\rover", "line<U+000D>over"),
        ("naïve 潮 ñ", "naïve 潮 ñ"),
        ("\ud800", "<U+D800>"),
        ("\U000e0041", "<U+E0041>"),
    ],
)
def test_what_a_terminal_obeys_or_hides_becomes_a_mark(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_cell_is_one_line() -> None:
    assert one_line("a\n  b\x07") == "a b<U+0007>"


def test_the_console_cleans_what_a_command_forgot_to(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, "evil \x1b]0;title\x9c") == "evil <U+001B>]0;title<U+009C>\n"
    rows = table("name")
    rows.add_row("a\u202eb")
    assert "<U+202E>" in printed(monkeypatch, rows)


def test_markup_in_repository_text_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed(monkeypatch, "[u8; 4] [red]x[/red] :smile:") == "[u8; 4] [red]x[/red] :smile:\n"


@pytest.mark.parametrize(
    ("flag", "environment", "terminal", "colored"),
    [
        ("auto", {"TERM": "xterm"}, True, True),
        ("auto", {"TERM": "xterm"}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {}, True, False),
        ("auto", {"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ("auto", {"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "xterm", "FORCE_COLOR": "1"}, False, True),
        ("auto", {"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"TERM": "dumb", "NO_COLOR": "1"}, False, True),
        ("never", {"TERM": "xterm", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when_there_is_colour(
    flag: str, environment: dict[str, str], terminal: bool, colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = printed(
        monkeypatch, Text("x", "bad"), flags=Flags(color=flag), environment=environment, terminal=terminal
    )
    assert ("\x1b[31m" in text) is colored
    assert ("\x1b" in text) is colored


@pytest.mark.parametrize(
    ("columns", "width"), [("40", 40), ("10", 40), ("120", 120), ("999", 200), ("x", 200)]
)
def test_widths(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Screen(False))
    assert console(Flags(), {"COLUMNS": columns}, "stdout").width == width


@pytest.mark.parametrize("columns", range(40, 201, 20))
def test_no_line_is_wider_than_the_screen(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table("path", "what", "count", right=(2,))
    rows.add_row("src/" + "deep/" * 20 + "file.rs", "a longer sentence about this file " * 3, "1,234,567")
    environment = {"COLUMNS": str(columns), "TERM": "xterm"}
    for thing in (rows, facts([("where", "x" * 300), ("a longer name", "words " * 60)])):
        assert max(map(len, printed(monkeypatch, thing, environment=environment).splitlines())) <= columns


def test_ascii_spells_our_own_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table("from → to", "·")
    rows.add_row("a — b", "…")
    text = printed(monkeypatch, rows, flags=Flags(ascii=True))
    assert text.isascii()
    assert "from > to" in text


@pytest.mark.parametrize("columns", ["40", "200"])
def test_a_diff_is_coloured_by_line_and_stays_a_patch(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch = "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-old\n+new " + "long " * 60 + "\n same\n"
    environment = {**XTERM, "COLUMNS": columns}

    def shown(color: str) -> str:
        screen = Screen(False)
        monkeypatch.setattr(sys, "stdout", screen)
        print_diff(console(Flags(color=color), environment, "stdout"), patch)
        return screen.getvalue()

    assert shown("never") == patch
    assert "\x1b[31m-old" in shown("always")
    assert "\x1b[32m+new" in shown("always")
