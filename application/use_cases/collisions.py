"""What the views know of agents at work: their open plans, late writes and missions. A pure read, for `north`."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TYPE_CHECKING

from m1nd.domain.missions.states import State
from m1nd.domain.north.collisions import WINDOW, collide, works
from m1nd.domain.places import place_at
from m1nd.domain.previews import Stage

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.domain.north.inputs import Collision

LOOK_BACK = 100
"""How many moves and edits are looked at."""

AT_WORK = (State.DISPATCHED, State.EXECUTING)


def collisions(
    brain: Brain, agent_id: str, about: AbstractSet[str], as_of: datetime
) -> tuple[Collision, ...]:
    """Other agents that change files which the caller's task is about, or which the caller changes too.

    Without an `agent_id` the caller is the brain's actor.
    """
    every = works([*_moves(brain, as_of), *_edits(brain, as_of), *_missions(brain)])
    return collide(agent_id or brain.actor.id, about, every) if every else ()


def _moves(brain: Brain, as_of: datetime) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in brain.views.moves(LOOK_BACK):
        if _is_current(row.stage, row.expires_at, row.ended_at, as_of):
            changed = tuple((row.receipt or {}).get("files_changed") or ())
            places = (place_at(row.source_file).file, place_at(row.dest_file).file)
            yield row.agent_id, (*places, *changed)


def _edits(brain: Brain, as_of: datetime) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in brain.views.edits(LOOK_BACK):
        if _is_current(row.stage, row.expires_at, row.ended_at, as_of):
            yield row.agent_id, row.files


def _is_current(stage: Stage, expires_at: datetime, ended_at: datetime | None, as_of: datetime) -> bool:
    """A plan that can still be carried out, or a write of the last half hour that stands."""
    if stage is Stage.PREVIEWED:
        return as_of < expires_at
    return stage is Stage.COMMITTED and ended_at is not None and as_of - WINDOW <= ended_at


def _missions(brain: Brain) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files of a mission's block, unless its packet says that it edits nothing."""
    for row in brain.views.missions(AT_WORK):
        if row.effects and "edits" not in row.effects:
            continue
        block = brain.app.block(row.block_id)
        if block is not None:
            yield row.runner_id, tuple(member.path for member in block.baseline.members)
