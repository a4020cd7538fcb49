"""`status`: one screen of where everything stands. Reads the log, the views and the file times; refreshes nothing."""

from datetime import datetime

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.event_log import LogHead

TOOLS = ("git", "cargo", "rustfmt")
LAST_MOVES = 5
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
    tools: dict[str, bool]


def status(brain: Brain) -> Status:
    """Where everything stands now. Raises Refused of the groups log and store."""
    generation = brain.app.generation()
    return Status(
        root=brain.root,
        read_only=brain.read_only,
        head=brain.app.log_head(),
        generation=generation,
        counts=_counts(brain, generation),
        stale_files=brain.graph.stale_files(),
        moves=_moves(brain),
        tools={tool: brain.machine.has(tool) for tool in TOOLS},
    )


def _counts(brain: Brain, generation: int) -> dict[str, int]:
    last = brain.views.graph_changes(generation - 1, limit=1) if generation else ()
    counts = last[0].counts if last else {}
    return {name: counts.get(name, 0) for name in COUNTS}


def _moves(brain: Brain) -> tuple[LastMove, ...]:
    return tuple(
        LastMove(
            row.transplant_id,
            row.symbol,
            row.source_file,
            row.dest_file,
            row.stage.value,
            row.ended_at or row.previewed_at,
        )
        for row in brain.views.moves(LAST_MOVES)
    )
