"""`why_state`: why a block stands as it does, now or at a time: its roll-up, and behind each reason the chain of causes.

A pure read of the log: streams are folded up to a position, causes are followed by their ids. Nothing is guessed.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, cast

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.views import TrailRow
from m1nd.domain.base import Event
from m1nd.domain.blocks.block_state import BlockState, stream_name
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.receipts.evidence import Outcome
from m1nd.domain.receipts.freshness import staleness
from m1nd.domain.receipts.receipt import Receipt, ReceiptState
from m1nd.domain.receipts.receipt import stream_name as receipt_stream
from m1nd.domain.receipts.rollup import RollUp, roll_up
from m1nd.domain.refusal import refuse
from m1nd.domain.story import says

PAGE = 1000


@frozen
class Told:
    """One event in a sentence, with where it stands and who did it."""

    position: int
    event_id: str
    at: datetime
    topic: str
    actor: str
    says: str
    cause: str
    """The id of the event that it follows from; empty for a first cause."""


@frozen
class TypeStory:
    """One type of evidence: the newest receipt of it, whether that counts, and the causes of its end, nearest first."""

    type: str
    required: bool
    receipt_id: str
    outcome: str
    counts: bool
    reason: str
    chain: tuple[Told, ...]


@frozen
class WhyState:
    block: BlockState
    as_of: datetime
    position: int
    roll_up: RollUp
    types: tuple[TypeStory, ...]
    story: tuple[Told, ...]


def why_state(brain: Brain, block_id: str, as_of: datetime | None = None) -> WhyState:
    """Raises Refused(unknown_block) for a block that was never ratified, or not yet at that time."""
    now = as_of or brain.clock.now()
    position = brain.log.head().count if as_of is None else brain.views.position_at(as_of)
    of_block = list(_events(brain, stream_name(block_id), position))
    block = _folded(SystemBlock, of_block)
    if block is None:
        when = "" if as_of is None else f" at {as_of:%Y-%m-%d %H:%M:%S} UTC"
        refuse("unknown_block", f"no ratified block {block_id}{when}", "m1nd blocks show", block_id=block_id)
    receipts: list[ReceiptState] = []
    endings: dict[str, Event] = {}
    told = list(of_block)
    for row in brain.views.receipts(block_id):
        events = list(_events(brain, receipt_stream(row.receipt_id), position))
        receipt = _folded(Receipt, events)
        if receipt is not None:
            told += events
            receipts.append(receipt.state)
            endings[row.receipt_id] = events[-1][1]
    judged = {r.receipt_id: staleness(r, block.state.scope, now) for r in receipts}
    live: dict[str, Outcome] = {r.body.type: r.body.outcome for r in receipts if not judged[r.receipt_id]}
    state = block.state
    return WhyState(
        state,
        now,
        position,
        roll_up(state.contract.required_types, live, state.broken_sockets),
        tuple(_types(brain, state, receipts, judged, endings)),
        tuple(_told(row, event) for row, event in sorted(told, key=lambda pair: pair[0].position)),
    )


def _types(
    brain: Brain,
    block: BlockState,
    receipts: Sequence[ReceiptState],
    judged: dict[str, str],
    endings: dict[str, Event],
) -> Iterator[TypeStory]:
    """Every type that the contract asks for or that there is a receipt of, required ones first."""
    required = block.contract.required_types
    asked = [*required, *(slot.type for slot in block.contract.optional), *(r.body.type for r in receipts)]
    for type in dict.fromkeys(asked):
        of_type = [r for r in receipts if r.body.type == type]
        if not of_type:
            yield TypeStory(type, type in required, "", "", False, "there is no receipt of it", ())
            continue
        newest = next((r for r in of_type if not judged[r.receipt_id]), None) or max(
            of_type, key=lambda r: (r.stage != "superseded", r.imported_at)
        )
        reason = judged[newest.receipt_id]
        chain = tuple(_chain(brain, endings[newest.receipt_id]))
        yield TypeStory(
            type,
            type in required,
            newest.receipt_id,
            newest.body.outcome,
            not reason,
            reason,
            chain,
        )


def _chain(brain: Brain, event: Event) -> Iterator[Told]:
    """The event and those that it follows from, nearest first."""
    seen: set[str] = set()
    id = event.event_id
    while id and id not in seen:
        seen.add(id)
        row = brain.views.event(id)
        if row is None:
            return
        found = _event(brain, row)
        yield _told(row, found)
        id = row.causation_id


def _events(brain: Brain, stream: str, until: int) -> Iterator[tuple[TrailRow, Event]]:
    """The events of one stream up to a position, oldest first."""
    after = 0
    while rows := brain.views.trail(after, stream, limit=PAGE):
        for row in rows:
            if row.position > until:
                return
            yield row, _event(brain, row)
        after = rows[-1].position


def _event(brain: Brain, row: TrailRow) -> Event:
    return brain.app.event_of(brain.app.log.rows(row.position - 1, 1, row.position)[0])


def _folded(kind: type[Any], events: Sequence[tuple[TrailRow, Event]]) -> Any:
    folded: object = None
    for _, event in events:
        folded = event.mutate(cast("Any", folded))
    return folded if isinstance(folded, kind) else None


def _told(row: TrailRow, event: Event) -> Told:
    return Told(
        row.position,
        row.event_id,
        row.recorded_at,
        row.topic,
        f"{row.actor_kind} {row.actor_id}",
        says(event),
        row.causation_id,
    )
