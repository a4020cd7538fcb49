"""`status`: one screen of where everything stands. Reads the log, the views and the file times; refreshes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.missions.states import State
from m1nd.domain.previews import Stage

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.application.event_log import LogHead
    from m1nd.application.views import EditRow, MoveRow

TOOLS = ("git", "cargo", "rustfmt")
LAST_MOVES = 5
AT_WORK = (State.DISPATCHED, State.EXECUTING, State.STALLED)
LOOK_BACK = 50
"""How many rows of a view are looked at."""
COUNTS = ("files", "modules", "items", "edges", "unresolved")


@frozen
class LastMove:
    """One of the last moves. `at` is when it came to the stage it is in."""

    transplant_id: str
    symbol: str
    source_file: str
    dest_file: str
    stage: str
    at: datetime


@frozen
class Status:
    root: str
    read_only: bool
    head: LogHead
    generation: int
    """0 before the first ingest."""
    counts: dict[str, int]
    """Of the graph after its last numbered change; zeros before the first."""
    stale_files: int
    """Files that are not as the graph last read them; all of them before the first ingest."""
    moves: tuple[LastMove, ...]
    open_previews: int
    """Plans that can still be committed."""
    landing_bell: int
    """Missions that wait for the human."""
    missions_at_work: int
    tools: dict[str, bool]


def status(brain: Brain) -> Status:
    """Where everything stands now. Raises Refused of the groups log and store."""
    generation = brain.log.generation()
    rows = brain.views.moves(LOOK_BACK)
    now = brain.clock.now()
    return Status(
        root=brain.root,
        read_only=brain.read_only,
        head=brain.log.head(),
        generation=generation,
        counts=_counts(brain, generation),
        stale_files=brain.graph.stale_files(),
        moves=_last_moves(rows),
        open_previews=_open(rows, now) + _open(brain.views.edits(LOOK_BACK), now),
        landing_bell=brain.views.landing_bell(),
        missions_at_work=len(brain.views.missions(AT_WORK, limit=LOOK_BACK)),
        tools={tool: brain.machine.has(tool) for tool in TOOLS},
    )


def _open(rows: Sequence[MoveRow | EditRow], now: datetime) -> int:
    return sum(row.stage is Stage.PREVIEWED and row.expires_at > now for row in rows)


def _counts(brain: Brain, generation: int) -> dict[str, int]:
    """Of the newest change that counted: a move changes the graph without counting it again."""
    changes = brain.views.graph_changes(max(0, generation - LOOK_BACK), limit=LOOK_BACK)
    counted = [change.counts for change in changes if change.counts]
    return {name: counted[-1].get(name, 0) if counted else 0 for name in COUNTS}


def _last_moves(rows: Sequence[MoveRow]) -> tuple[LastMove, ...]:
    return tuple(
        LastMove(
            row.transplant_id,
            row.symbol,
            row.source_file,
            row.dest_file,
            row.stage.value,
            row.ended_at or row.previewed_at,
        )
        for row in rows
        if row.stage in (Stage.COMMITTED, Stage.ROLLED_BACK)
    )[:LAST_MOVES]
