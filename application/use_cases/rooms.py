"""What the rooms of the brain tell the packet and the card: counts of claims, blocks and waiting missions, and recall.

The one place where `north` meets the views. A room that the log knows nothing of is empty: its count is truly 0, and what
tells of its things is not loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import TYPE_CHECKING

from m1nd.application.use_cases.collisions import collisions
from m1nd.domain.card.deep import DeepDetails, MapLine, WaitingMission
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.index import lookup
from m1nd.domain.missions.states import State
from m1nd.domain.north.focus import task_words
from m1nd.domain.north.inputs import CardInputs, MapInputs, MemoryRow
from m1nd.domain.words import pieces

if TYPE_CHECKING:
    from m1nd.application.brain import Brain
    from m1nd.application.use_cases.describing import Teller
    from m1nd.application.use_cases.telling import Told
    from m1nd.domain.missions.gate import GateReport

MOST_CLAIMS = 5
MOST_TAGGED = 64
LONGEST_CLAIM = 320
"""Characters of a claim in the packet; `recall` gives all of it."""


def card_inputs(brain: Brain, agent_id: str, about: AbstractSet[str], as_of: datetime) -> CardInputs:
    """The counts behind the card, as of the end of the log.

    `agent_id` is who asks, empty for the brain's own actor (it does not collide with itself), `about` the files that its
    task is about.
    """
    bell = brain.views.landing_bell()
    blocks, lines = _map(brain, as_of)
    return CardInputs(
        memories=brain.views.claim_count(),
        blocks=blocks,
        bell=bell,
        collisions=collisions(brain, agent_id, about, as_of),
        details=DeepDetails(missions=_waiting(brain, bell), maps=lines),
    )


def _map(brain: Brain, as_of: datetime) -> tuple[MapInputs | None, tuple[MapLine, ...]]:
    rows = brain.views.blocks_map()
    if rows is None:
        return None, ()
    from m1nd.application.use_cases.map_inputs import map_inputs

    return map_inputs(brain, rows, as_of)


def _waiting(brain: Brain, bell: int) -> tuple[WaitingMission, ...]:
    """The missions of the bell, newest first; the gate of the first is read, for only that one is told in full."""
    rows = brain.views.missions((State.MERGE_WAIT,), limit=bell) if bell else ()
    first = brain.app.mission(rows[0].mission_id) if rows else None
    gate = None if first is None else first.gate
    told = "" if gate is None else _gate_says(gate)
    receipt = "" if gate is None else f"sha256:{gate.artifact_hash.removeprefix('sha256:')[:8]}"
    return tuple(
        WaitingMission(sanitised(row.mission_id), "" if at else told, "" if at else receipt)
        for at, row in enumerate(rows)
    )


def _gate_says(gate: GateReport) -> str:
    """The last line that the gate printed (`441 passed`), else its exit status."""
    printed = [line for line in map(sanitised, gate.stdout_excerpt.splitlines()) if line]
    return printed[-1] if printed else f"gate exit {gate.exit_status}"


def recalled(brain: Brain, teller: Teller | None, task: str, as_of: datetime) -> tuple[MemoryRow, ...]:
    """The claims that a task brings up, best first, their ages counted to `as_of`; none for an empty task.

    Without a graph (`teller` None) nothing is said about their evidence.
    """
    if not task.strip():
        return ()
    live = brain.views.live_claims()
    if not live:
        return ()
    from m1nd.application.use_cases.telling import Told, chosen, tell

    best = chosen(task, live)[:MOST_CLAIMS]
    told = (
        Told(row, (), "", as_of - row.created_at) if teller is None else tell(teller, row, as_of)
        for row, _ in best
    )
    return tuple(map(_row, told))


def tagged(teller: Teller, task: str) -> Mapping[str, Sequence[int]]:
    """The items that bear a tag which the task speaks of, by the word of the tag; at most `MOST_TAGGED` a tag."""
    wanted = set(task_words(task))
    found: dict[str, list[int]] = {}
    for tag in teller.brain.views.tag_names():
        for word in sorted(wanted & {tag.lower(), *pieces(tag)}):
            items = [
                lookup.standing(teller.graph, teller.table, row.symbol_id, row.place)
                for row in teller.brain.views.tagged(tag, MOST_TAGGED)
            ]
            found.setdefault(word, []).extend(item for item in items if item is not None)
    return found


def _row(told: Told) -> MemoryRow:
    from m1nd.domain.memory.anchors import Freshness

    row = told.row
    fresh = (Freshness.FRESH, Freshness.MOVED)
    return MemoryRow(
        claim_id=row.claim_id,
        claim=row.claim if len(row.claim) <= LONGEST_CLAIM else f"{row.claim[: LONGEST_CLAIM - 1]}…",
        state=row.state.value,
        source_agent=row.source_agent,
        age_ms=max(0, round(told.age.total_seconds() * 1000)),
        stale=told.stale,
        anchored_to=tuple(standing.label or standing.path for standing in told.evidence),
        evidence_fresh=None if not told.freshness else told.freshness in fresh,
        confidence=row.confidence,
    )
