"""What both trays stand on: the entries, their pages, and the gestures with the ceremony of the stamp around them.

Holds no rule: the use cases do. Every text is cleaned here, so that neither tray can forget it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

from m1nd.adapters.cli.text import ASCII, clean, one_line
from m1nd.application.brain import Brain
from m1nd.application.use_cases import landing
from m1nd.application.use_cases.tray import Entry, Loose, tray
from m1nd.domain.missions.states import State

T = TypeVar("T")

Ceremony = Callable[[Callable[[], T]], T]
"""Does an act of the human; where it needs a stamp, takes it on the terminal and does the act again."""


@frozen
class Line:
    """One mission of the tray, or one loose candidate, ready to be shown."""

    id: str
    text: str
    waits: bool


@frozen
class Desk:
    brain: Brain
    ceremony: Ceremony[str]
    plain: bool = False
    """Only ASCII."""

    def lines(self) -> tuple[Line, ...]:
        found = tray(self.brain)
        return (*map(self._line, found.entries), *map(self._loose, found.candidates))

    def page(self, id: str) -> tuple[str, ...]:
        """The exact candidate of what waits; else what is known of the mission in short."""
        if id.startswith(landing.LOOSE) or self.brain.app.require_mission(id).state is State.MERGE_WAIT:
            lines = landing.page(self.brain, id)
        else:
            lines = self._short(id)
        return tuple(self.safe(line) for line in lines)

    def land(self, id: str) -> str:
        """Raises Refused as the use case does."""
        candidate_id = self._candidate_id(id)

        def act() -> str:
            landed = landing.land(self.brain, id, candidate_id)
            return f"{landed.id[:17]} landed: {landed.receipt_id}, map version {landed.store_version}"

        return self.ceremony(act)

    def archive(self, id: str) -> str:
        """Raises Refused as the use case does."""
        candidate_id = self._candidate_id(id)

        def act() -> str:
            gone = landing.archive(self.brain, id, "from the tray", candidate_id)
            return f"{gone.id[:17]} archived; it will not land"

        return self.ceremony(act)

    def _candidate_id(self, id: str) -> str:
        """Of what is shown now, so that nothing else is landed."""
        return id if id.startswith(landing.LOOSE) else self.brain.app.require_mission(id).candidate_id

    def _short(self, id: str) -> tuple[str, ...]:
        state = self.brain.app.require_mission(id)
        return (
            f"mission    {state.mission_id}, {state.state.value}",
            f"block      {state.block_id}",
            f"written by {state.author}",
            "asked for",
            *(f"  {line}" for line in state.packet.message.splitlines()),
            *((f"reason     {state.reason}",) if state.reason else ()),
        )

    def _loose(self, loose: Loose) -> Line:
        row = loose.row
        what = (
            f"scope moved ({', '.join(loose.scope_moved)})"
            if loose.scope_moved
            else f"{row.type} of {row.origin}"
        )
        text = f"{row.candidate_id[:16]}  {'candidate':<10} {age(loose.age_seconds):>6}  {one_line(what)}"
        return Line(row.candidate_id, self.safe(text), True)

    def _line(self, entry: Entry) -> Line:
        row = entry.row
        mark = ", stagnant" if entry.stagnant else ""
        text = f"{row.mission_id}  {row.state.value:<10} {age(entry.age_seconds):>6}  {one_line(entry.line)}{mark}"
        return Line(row.mission_id, self.safe(text), row.state is State.MERGE_WAIT)

    def safe(self, text: str) -> str:
        shown = clean(text).replace("\n", " ").replace("\t", " ")
        return shown.translate(ASCII) if self.plain else shown


def age(seconds: int) -> str:
    """`12 s`, `5 min`, `3 h`, `2 d`."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
