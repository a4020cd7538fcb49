"""The tray as a terminal program (Textual): the list above, the exact candidate below, one key a gesture. No mouse needed.

Texts are never read as markup. The stamp itself is given outside of it: the program steps aside, the human answers on the
bare terminal, and the program comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from m1nd.adapters.tray.desk import Desk, Line
from m1nd.domain.refusal import Refused

KEYS = "s stamp  a archive  n skip  q quit  r refresh  up/down choose  pgup/pgdn page"


class TrayApp(App[None]):
    """`desk` gives the entries and makes the gestures."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "m1nd tray"
    CSS = """
    Screen { layout: vertical; }
    #bell { height: 1; }
    #list { height: 30%; max-height: 8; border: none; padding: 0; text-wrap: nowrap; text-overflow: ellipsis; }
    #list > .option-list--option-highlighted { text-style: reverse; }
    #rule { height: 1; text-wrap: nowrap; text-overflow: clip; }
    #scroll { height: 1fr; border: none; scrollbar-size-vertical: 0; }
    #says { height: auto; max-height: 3; }
    #keys { height: 1; text-wrap: nowrap; text-overflow: clip; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "stamp", "stamp"),
        Binding("a", "archive", "archive"),
        Binding("n", "skip", "skip"),
        Binding("r", "refresh", "refresh"),
        Binding("pagedown", "page(1)", "page", priority=True),
        Binding("pageup", "page(-1)", "page", priority=True),
        Binding("q", "quit", "quit"),
        Binding("escape", "quit", "quit"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own palette; under NO_COLOR nothing but reverse is left
        self.desk = desk
        self.lines: tuple[Line, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("", id="bell", markup=False)
        yield OptionList(id="list", markup=False)
        yield Static("-" * 200, id="rule", markup=False)
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static("", id="page", markup=False)
        yield Static("", id="says", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.watch(self.query_one("#scroll"), "scroll_y", self._place)
        self.action_refresh()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._show_page(event.option_id or "")

    def action_refresh(self) -> None:
        """Read the log again, and stay with the chosen mission as long as it is there."""
        chosen = self.chosen
        self.lines = self.desk.lines()
        waiting = sum(line.waits for line in self.lines)
        bell = (
            f"m1nd tray: {waiting} wait for you, {len(self.lines)} in all"
            if self.lines
            else "the tray is empty"
        )
        self.query_one("#bell", Static).update(Text(bell))
        choices = self.query_one(OptionList)
        choices.clear_options()
        choices.add_options([Option(Text(line.text, no_wrap=True), id=line.id) for line in self.lines])
        ids = [line.id for line in self.lines]
        wanted = (
            ids.index(chosen)
            if chosen in ids
            else next((i for i, line in enumerate(self.lines) if line.waits), 0)
        )
        if ids:
            choices.highlighted = wanted
            self._show_page(ids[wanted])
        else:
            self._show_page("")

    @property
    def chosen(self) -> str:
        """The id of the mission that the list points at; empty where there is none."""
        choices = self.query_one(OptionList)
        at = choices.highlighted
        return "" if at is None else choices.get_option_at_index(at).id or ""

    def action_stamp(self) -> None:
        self._gesture(self.desk.land)

    def action_archive(self) -> None:
        self._gesture(self.desk.archive)

    def action_skip(self) -> None:
        """The next mission that waits."""
        ids = [line.id for line in self.lines if line.waits]
        if not ids:
            return
        chosen = self.chosen
        at = (ids.index(chosen) + 1) % len(ids) if chosen in ids else 0
        every = [line.id for line in self.lines]
        self.query_one(OptionList).highlighted = every.index(ids[at])

    def action_page(self, way: int) -> None:
        scroll = self.query_one("#scroll", VerticalScroll)
        scroll.scroll_relative(y=way * max(1, scroll.size.height - 1), animate=False)

    def _gesture(self, act: Callable[[str], str]) -> None:
        chosen = self.chosen
        if not chosen:
            return
        with self._aside():
            # Nothing may be raised in here: the program would not come back to its screen.
            try:
                says = act(chosen)
            except Refused as refused:
                says = f"{refused.refusal.message} [{refused.refusal.code}]"
        self._say(says)
        self.action_refresh()

    def _aside(self) -> AbstractContextManager[None]:
        """The bare terminal while the stamp is given; nothing to step aside from where the program draws on no terminal."""
        return nullcontext() if self.is_headless else self.suspend()

    def _say(self, text: str) -> None:
        self.query_one("#says", Static).update(Text(self.desk.safe(text)))

    def _show_page(self, mission_id: str) -> None:
        page = "\n".join(self.desk.page(mission_id)) if mission_id else ""
        self.query_one("#page", Static).update(Text(page))
        self.query_one("#scroll", VerticalScroll).scroll_home(animate=False)
        self.call_after_refresh(self._place)

    def _place(self) -> None:
        """Say on the rule which part of the page is on the screen: nobody should stamp what they did not scroll to."""
        scroll = self.query_one("#scroll", VerticalScroll)
        first, shown, whole = round(scroll.scroll_offset.y), scroll.size.height, scroll.virtual_size.height
        last = min(first + shown, whole)
        more = ", more below" if last < whole else ""
        self.query_one("#rule", Static).update(
            Text(f"--- lines {first + 1} to {last} of {whole}{more} " + "-" * 200)
        )
