"""How answers look: consoles, and the few shapes that every command shares.

Colour never carries meaning alone. Whatever is printed through these consoles is cleaned (adapters/cli/text.py), also
where a command forgot to. Markup is off: repository text such as `[u8]` is never read as a style; use `Text` or `style=`.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from m1nd.adapters.cli.envelope import hint
from m1nd.adapters.cli.text import ASCII, clean, one_line
from m1nd.domain.codes import Exit
from m1nd.domain.refusal import Refusal

if TYPE_CHECKING:
    from m1nd.adapters.cli.context import Flags

__all__ = ["clean", "console", "facts", "one_line", "print_diff", "refusal_lines", "table"]

NARROWEST, WIDEST = 40, 200

WORDS = {Exit.USAGE: "usage", Exit.BUG: "bug", Exit.INTERRUPTED: "stopped", Exit.DAMAGED: "damaged"}
"""The first word of an error, by exit status; all others are refusals."""

THEME = Theme(
    {
        "name": "bold",
        "path": "cyan",
        "number": "default",
        "quiet": "dim",
        "good": "green",
        "warn": "yellow",
        "bad": "red",
        "key": "dim",
        "added": "green",
        "removed": "red",
        "hunk": "cyan",
        "command": "bold",
        "spine": "color(245)",
        "bell": "color(179)",
        "foreign": "color(167)",
    },
    inherit=False,
)
"""The only styles that commands use, by meaning. Sixteen-colour names: the terminal's own palette decides. The last three
are the card's, of the 256 colours (seed 000 §8)."""


class CleanConsole(Console):
    """A console whose every segment is cleaned, and spelled in ASCII under `--ascii`."""

    plain = False

    def on_broken_pipe(self) -> None:
        """Leave the end to `main`: rich's own would exit with 1, which says no to a command that was done."""
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
                continue
            text = clean(segment.text)
            if self.plain:
                text = text.translate(ASCII)
            yield segment if text == segment.text else Segment(text, segment.style)


def console(flags: Flags, environment: Mapping[str, str], stream: str) -> Console:
    """A console over `sys.stdout` or `sys.stderr` that obeys `--color`, `--ascii`, NO_COLOR, FORCE_COLOR, TERM and COLUMNS."""
    file: IO[str] = getattr(sys, stream)
    terminal = file.isatty()
    colored = _wants_color(flags.color, environment, terminal)
    made = CleanConsole(
        file=file,
        force_terminal=colored or None,
        color_system="256" if colored else None,
        no_color=not colored,
        width=_width(environment, terminal),
        theme=THEME,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
        safe_box=True,
    )
    made.plain = (
        flags.ascii
        or bool(environment.get("NO_UNICODE"))
        or not (getattr(file, "encoding", None) or "utf-8").lower().startswith("utf")
    )
    return made


def _wants_color(flag: str, environment: Mapping[str, str], terminal: bool) -> bool:
    if flag != "auto":
        return flag == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0", "false"):
        return True
    return terminal and environment.get("TERM", "") not in ("", "dumb")


def _width(environment: Mapping[str, str], terminal: bool) -> int:
    columns = environment.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return max(NARROWEST, min(WIDEST, int(columns)))
    if not terminal:
        return WIDEST  # so that no identity is folded on its way to another program
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


class CleanTable(Table):
    """A table whose cells are cleaned before their width is measured."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(clean(cell) if isinstance(cell, str) else cell for cell in cells), **options)


def table(*headings: str, right: Sequence[int] = ()) -> Table:
    """An open table with a quiet head line; columns in `right` (by index) are flush right."""
    made = CleanTable(
        box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="key", border_style="key"
    )
    for index, heading in enumerate(headings):
        made.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    return made


def facts(rows: Iterable[tuple[str, RenderableType]]) -> Table:
    """Two columns without lines: a quiet name and its value (a receipt, a status); `none` is quiet too."""
    made = CleanTable(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style="key", no_wrap=True)
    made.add_column(overflow="fold")
    for name, value in rows:
        made.add_row(name, Text(value, "quiet") if value in ("none", "no", "-") else value)
    return made


def refusal_lines(refusal: Refusal) -> list[Text]:
    """A refusal for people: what and which code, then the next step."""
    word = WORDS.get(refusal.row.exit, "refused")
    tail = "" if word == refusal.code else f" [{refusal.code}]"
    lines = [Text.assemble((f"{word}: ", "bad"), clean(refusal.message), (tail, "quiet"))]
    if step := hint(refusal):
        lines.append(Text.assemble(("next: ", "key"), clean(step)))
    return lines


def print_diff(console: Console, text: str) -> None:
    """A unified diff, coloured by line. Never wrapped: what a pipe gets is a patch."""
    shown = Text()
    for line in text.rstrip("\n").split("\n"):
        if line.startswith(("+++", "---")):
            style = "name"
        elif line.startswith("@@"):
            style = "hunk"
        else:
            style = {"+": "added", "-": "removed", "\\": "quiet"}.get(line[:1], "default")
        shown.append(clean(line), style)
        shown.append("\n")
    console.print(shown, soft_wrap=True, end="")
