"""`m1nd tray`: what waits for the human. `--list` reads; without it the tray opens on the terminal."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.tray import Entry, Loose, Tray


def register(group: click.Group) -> None:
    group.add_command(tray)

    group.add_command(land)


@click.command("land")
@click.argument("id")
@click.option("--candidate", "candidate_id", metavar="ID", help="Refuse another candidate than this one.")
@verb("mission_land")
def land(call: Call, id: str, candidate_id: str | None) -> Answer:
    """Land the candidate of a mission that waits, or a loose one; on a terminal your stamp is taken on the way."""
    from m1nd.adapters.cli.stamps import with_stamp
    from m1nd.application.use_cases import landing

    brain = call.brain()
    done = with_stamp(call, lambda: landing.land(brain, id, candidate_id or ""))
    data = {
        "id": done.id,
        "receipt_id": done.receipt_id,
        "candidate_id": done.candidate_id,
        "landed_by": done.landed_by,
        "store_version": done.store_version,
    }
    says = f"{done.id} landed: {done.receipt_id}, map version {done.store_version}"
    return Answer(data, lambda console: console.print(says, soft_wrap=True))


@click.command("tray")
@click.option("--list", "list", is_flag=True, help="Only read.")
@click.option("--plain", is_flag=True, help="One question a line, without the full-screen program.")
@click.option("--as-of", metavar="TIME", help="Count ages up to this time (ISO 8601).")
@verb("tray")
def tray(call: Call, list: bool = False, plain: bool = False, as_of: str | None = None) -> Answer:
    """Show what waits for you, each with its exact evidence; on a terminal, stamp or archive it there."""
    from m1nd.application.use_cases.tray import tray as look

    if not (list or call.json or call.silent or as_of or call.flags.read_only) and _is_terminal():
        _open(call, plain)
    found = look(call.brain(), time_of(as_of))
    return Answer(wire_tray(found), lambda console: _show(console, found))


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _open(call: Call, plain: bool) -> None:
    """Run the tray until the human leaves it. Raises Refused(root_mismatch) for a tray of another repository."""
    from m1nd.adapters.cli.stamps import with_stamp
    from m1nd.adapters.tray.desk import Desk

    call.verb = "mission_land"
    brain = call.brain()
    call.verb = "tray"
    desk = Desk(brain, lambda act: with_stamp(call, act), is_plain(call.out))
    if not plain and call.environment.get("TERM") != "dumb":
        if call.out.no_color:
            os.environ["NO_COLOR"] = "1"
        try:
            from m1nd.adapters.tray.app import TrayApp
        except ImportError:
            call.err.print("for the full screen: pip install 'm1nd[tray]'", soft_wrap=True)
        else:
            TrayApp(desk).run()
            return
    from m1nd.adapters.tray.plain import walk

    walk(desk, lambda line: call.out.print(line, soft_wrap=True), _ask)


def is_plain(console: Console) -> bool:
    """Whether only ASCII can be shown there: `--ascii`, or a terminal of another encoding."""
    return bool(getattr(console, "plain", False))


def _ask(question: str) -> str:
    sys.stdout.write(question)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


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
        "candidates": [wire_loose(loose) for loose in found.candidates],
    }


def wire_loose(loose: Loose) -> dict[str, Any]:
    row = loose.row
    return {
        "candidate_id": row.candidate_id,
        "block_id": row.block_id,
        "type": row.type,
        "origin": row.origin,
        "source": row.source,
        "composed_by": row.composed_by,
        "age_seconds": loose.age_seconds,
        "candidate": dict(loose.candidate),
        "scope_moved": [*loose.scope_moved],
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


def _show(console: Console, found: Tray) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.missions import STYLES
    from m1nd.adapters.cli.render import one_line, table
    from m1nd.adapters.tray.desk import age

    if not (found.entries or found.candidates):
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
    if found.entries:
        console.print(shown)
    for loose in found.candidates:
        row = loose.row
        moved = f", scope moved ({', '.join(loose.scope_moved)})" if loose.scope_moved else ""
        console.print(
            f"{row.type} candidate of {row.origin}, {age(loose.age_seconds)}, {row.block_id}{moved}"
        )
        console.print(f"  m1nd land {row.candidate_id}", soft_wrap=True)
    if found.landing_bell:
        console.print(f"\n{found.landing_bell} wait for you")
