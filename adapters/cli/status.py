"""`m1nd status`: shows the status of the use case on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from m1nd import __version__
from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.text import counted

if TYPE_CHECKING:
    from rich.console import Console

    from m1nd.application.use_cases.status import LastMove, Status

STYLES = {"committed": "good"}


def register(group: click.Group) -> None:
    group.add_command(status)


@click.command("status")
@verb("status")
def status(call: Call) -> Answer:
    """Show where everything stands: repository, log, graph, last moves, tools. Refreshes nothing."""
    from m1nd.application.use_cases.status import status as look

    found = look(call.brain())
    return Answer(_wire(found), lambda console: _show(console, found))


def _wire(found: Status) -> dict[str, Any]:
    return {
        "root": found.root,
        "version": __version__,
        "read_only": found.read_only,
        "log": {"count": found.head.count, "head": found.head.head},
        "graph": {"generation": found.generation, **found.counts},
        "stale_files": found.stale_files,
        "moves": [_wire_move(move) for move in found.moves],
        "open_previews": found.open_previews,
        "landing_bell": found.landing_bell,
        "missions_at_work": found.missions_at_work,
        "tools": found.tools,
    }


def _wire_move(move: LastMove) -> dict[str, str]:
    return {
        "transplant_id": move.transplant_id,
        "symbol": move.symbol,
        "source_file": move.source_file,
        "dest_file": move.dest_file,
        "stage": move.stage,
        "at": move.at.isoformat(),
    }


def _show(console: Console, found: Status) -> None:
    from m1nd.adapters.cli.render import facts

    console.print(
        facts(
            [
                ("root", found.root + ("  (read-only)" if found.read_only else "")),
                ("log", _log(found)),
                ("graph", _graph(found)),
                ("stale", _stale(found)),
                (
                    "tools",
                    ", ".join(f"{tool}{'' if here else ' missing'}" for tool, here in found.tools.items()),
                ),
            ]
        )
    )
    if found.open_previews:
        console.print(
            f"{counted(found.open_previews, 'preview')} to commit or discard: `m1nd transplant list`, `m1nd edit list`"
        )
    if found.landing_bell:
        console.print(f"{counted(found.landing_bell, 'mission')} waiting for you: `m1nd tray`")
    if found.missions_at_work:
        console.print(f"{counted(found.missions_at_work, 'mission')} at work: `m1nd missions list`")
    if found.moves:
        console.print()
        _show_moves(console, found.moves)


def _log(found: Status) -> str:
    if found.head.count == 0:
        return "empty"
    return f"{counted(found.head.count, 'event')}, head {found.head.head[:12]}"


def _graph(found: Status) -> str:
    if found.generation == 0:
        return "none yet; `m1nd ingest` builds it"
    counts = (counted(found.counts[f"{noun}s"], noun) for noun in ("file", "module", "item", "edge"))
    return f"generation {found.generation}: {', '.join(counts)}"


def _stale(found: Status) -> str:
    if found.generation == 0:
        return "-"
    if found.stale_files == 0:
        return "nothing: the graph is as the files are"
    return f"{counted(found.stale_files, 'file')} changed since; the next command that reads the graph looks again"


def _show_moves(console: Console, moves: tuple[LastMove, ...]) -> None:
    from rich.text import Text

    from m1nd.adapters.cli.render import table

    rows = table("move", "symbol", "from", "to", "state", "at")
    for move in moves:
        rows.add_row(
            move.transplant_id,
            move.symbol,
            move.source_file,
            move.dest_file,
            Text(move.stage.replace("_", " "), STYLES.get(move.stage, "quiet")),
            f"{move.at:%Y-%m-%d %H:%M}",
        )
    console.print(rows)
