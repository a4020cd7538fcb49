"""How an event looks: as an object for `--json`, as a line for people."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from m1nd.adapters.cli.mission_lines import mission_summary
from m1nd.adapters.cli.render import one_line, table
from m1nd.adapters.cli.text import counted
from m1nd.application.views import TrailRow
from m1nd.domain.base import CreatedEvent, Event
from m1nd.domain.edit import Edit
from m1nd.domain.graph import Graph
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.refusals import RefusalEvent
from m1nd.domain.stamps.stamp import Stamp
from m1nd.domain.tokens import Token
from m1nd.domain.transplant import Transplant

ENVELOPE = frozenset(
    {
        "event_id",
        "recorded_at",
        "command_id",
        "command_digest",
        "causation_id",
        "actor",
        "originator_topic",
        "stream",
    }
)


def event_object(row: TrailRow, state: bytes) -> dict[str, Any]:
    """One event for `--json`: its envelope flat, the rest under `payload`, times as they were stored."""
    stored = json.loads(state)
    return {
        "position": row.position,
        "stream": row.stream,
        "version": row.version,
        "topic": row.topic,
        "event_id": row.event_id,
        "recorded_at": stored["recorded_at"],
        "command_id": row.command_id,
        "causation_id": row.causation_id,
        "actor": stored["actor"],
        "payload": {name: value for name, value in stored.items() if name not in ENVELOPE},
    }


def print_events(console: Console, rows: Sequence[TrailRow], events: Sequence[Event]) -> None:
    shown = table("#", "at (UTC)", "event", "what", "stream", "by", right=(0,))
    for column in shown.columns[:3]:
        column.no_wrap = True
    for row, event in zip(rows, events, strict=True):
        shown.add_row(
            str(row.position),
            f"{row.recorded_at:%m-%d %H:%M:%S}",
            row.topic,
            one_line(summary(event)),
            one_line(row.stream),
            one_line(f"{row.actor_kind} {row.actor_id}"),
        )
    console.print(shown)


def summary(event: Event) -> str:
    """What happened, in a few words."""
    match event:
        case Graph.GraphChanged(generation=generation, kind=kind, files=files):
            counts = f"+{files.count('added')} ~{files.count('changed')} -{files.count('removed')}"
            return f"generation {generation} by {kind}: {counts}"
        case Graph.SymbolMoved() | Graph.SymbolRematched():
            return f"{event.symbol_id}: {event.source} → {event.target}"
        case Graph.SymbolLost():
            return f"{event.symbol_id}: {event.source} ({event.reason})"
        case Transplant.TransplantPreviewed(request=request):
            return f"{request.symbol}: {request.source_file} → {request.dest_file}"
        case Transplant.TransplantCommitted(transplant_id=id, files=files):
            return f"{id}: {counted(len(files), 'file')} written"
        case Transplant.TransplantRolledBack(transplant_id=id, restored=files):
            return f"{id}: {counted(len(files), 'file')} restored"
        case Edit.EditPreviewed(files=files):
            return f"{counted(len(files), 'file')} planned"
        case Edit.EditCommitted(edit_id=id, files=files):
            return f"{id}: {counted(len(files), 'file')} written"
        case Edit.EditRolledBack(edit_id=id, restored=files):
            return f"{id}: {counted(len(files), 'file')} restored"
        case Stamp.StampOpened(gesture=gesture):
            return f"{gesture.words} for {gesture.target}"
        case Stamp.StampChallenged() | Stamp.StampGiven() | Stamp.StampConsumed() | Stamp.StampExpired():
            return event.challenge_id
        case Token.TokenCreated() | Token.TokenRevoked():
            return event.token_id
        case Receipt.ReceiptImported(body=body):
            return f"{event.receipt_id}: {body.type} of {event.block_id}, {event.outcome}"
        case Receipt.ReceiptStaled():
            return f"{event.receipt_id}: {event.reason}"
        case Receipt.ReceiptExpired() | Receipt.ReceiptSuperseded() | Receipt.ReceiptWithdrawn():
            return event.receipt_id
        case RefusalEvent():
            return f"{event.verb}: {event.keyword}"
    if words := mission_summary(event):
        return words
    return "the stream begins" if isinstance(event, CreatedEvent) else ""
