"""`m1nd tray`: what waits for the human. `--list` reads; without it the tray opens on the terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.tray import Entry, Tray


def register(group: click.Group) -> None:
    group.add_command(tray)


@click.command("tray")
@click.option("--list", "list", is_flag=True, help="Only read.")
@click.option("--as-of", metavar="TIME", help="Count ages up to this time (ISO 8601).")
@verb("tray")
def tray(call: Call, list: bool = False, as_of: str | None = None) -> Answer:
    """Show what waits for you, each with its exact evidence."""
    from m1nd.application.use_cases.tray import tray as look

    found = look(call.brain(), time_of(as_of))
    return Answer(wire_tray(found), lambda console: _show(console, found))


def time_of(text: str | None) -> datetime | None:
    """Raises Refused(usage) for what is no ISO 8601 time; a time without zone is UTC."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        refuse("usage", f"{text!r} is no ISO 8601 time", "--as-of 2026-01-31T12:00:00Z")
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def wire_tray(found: Tray) -> dict[str, Any]:
    return {
        "landing_bell": found.landing_bell,
        "as_of": found.as_of.isoformat(),
        "entries": [wire_entry(entry) for entry in found.entries],
    }


def wire_entry(entry: Entry) -> dict[str, Any]:
    row = entry.row
    return {
        "mission_id": row.mission_id,
        "block_id": row.block_id,
        "state": row.state.value,
        "line": entry.line,
        "author": row.author,
        "runner_id": row.runner_id,
        "message": row.message,
        "updated_at": row.updated_at.isoformat(),
        "age_seconds": entry.age_seconds,
        "stagnant": entry.stagnant,
        "candidate_id": row.candidate_id,
        "candidate": None if entry.candidate is None else dict(entry.candidate),
        "scope_moved": [*entry.scope_moved],
        "changes": [*entry.changes],
    }


def age(seconds: int) -> str:
    """`12 s`, `5 min`, `3 h`, `2 d`."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _show(console: Console, found: Tray) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.missions import STYLES
    from m1nd.adapters.cli.render import one_line, table

    if not found.entries:
        console.print("the tray is empty")
        return
    shown = table("mission", "state", "age", "block", "line", right=(2,))
    for entry in found.entries:
        state = Text(entry.row.state.value, STYLES.get(entry.row.state, "default"))
        mark = " (stagnant)" if entry.stagnant else ""
        shown.add_row(
            entry.row.mission_id,
            state,
            age(entry.age_seconds),
            entry.row.block_id,
            one_line(entry.line) + mark,
        )
    console.print(shown)
    if found.landing_bell:
        console.print(f"\n{found.landing_bell} wait for you")
