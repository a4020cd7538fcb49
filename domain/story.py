"""What an event says in a sentence, and which event it follows from: the words of `why-state` (PORTS.md, Audit).

Pure. Events that concern no block have their name as their sentence.
"""

from m1nd.domain.base import Event
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.edit import Edit
from m1nd.domain.graph import Graph
from m1nd.domain.receipts.receipt import Receipt
from m1nd.domain.transplant import Transplant


def says(event: Event) -> str:
    """A sentence without its subject's id where the reader knows it (the block)."""
    told = _of_block(event) or _of_receipt(event) or _of_write(event)
    return told or event.TOPIC.replace("_", " ")


def _of_block(event: Event) -> str:
    match event:
        case SystemBlock.BlockRatified(draft=draft, source=source):
            return (
                f"ratified as {draft.name} by a {source}, boundary {event.boundary_version}, "
                f"contract {event.contract_version}"
            )
        case SystemBlock.BoundaryBaselined(baseline=baseline):
            return f"boundary {event.boundary_version} signed, {_many(len(baseline.members), 'file')}"
        case SystemBlock.BoundaryBumped():
            return (
                f"boundary {event.from_version} → {event.to_version} by {event.cause}"
                f"{_paths(' +', [m.path for m in event.added])}{_paths(' -', event.removed)}"
                f"{_paths(', written: ', event.touched)}"
            )
        case SystemBlock.ContractBumped():
            return f"contract {event.from_version} → {event.to_version}: {event.reason}"
        case SystemBlock.MemberContentChanged():
            return f"bytes of {_many(event.count, 'member file')} changed{_paths(': ', event.paths)}"
        case SystemBlock.MemberMissing(paths=paths):
            return f"declared paths without a file: {', '.join(paths)}" if paths else "no path is missing"
        case SystemBlock.DriftDetected(drift=drift):
            where = f"{_paths(' +', drift.added)}{_paths(' -', drift.vanished)}"
            return (
                f"the files differ from the boundary{where}" if where else "the files fit the boundary again"
            )
        case SystemBlock.SocketBroken(target=target):
            return f"the socket to {target} leads nowhere"
        case SystemBlock.SocketRepaired(target=target):
            return f"the socket to {target} leads to a block again"
        case SystemBlock.BlockArchived(released=released):
            return f"archived, {_many(len(released), 'file')} released"
        case SystemBlock.BlockRestored(reclaimed=reclaimed, conflicts=conflicts):
            return f"restored, {_many(len(reclaimed), 'file')} reclaimed, {len(conflicts)} lost to others"
        case SystemBlock.ReceiptRegistered():
            return f"the {event.receipt_type} receipt {event.receipt_id} counts"
    return ""


def _of_receipt(event: Event) -> str:
    match event:
        case Receipt.ReceiptImported(body=body, outcome=outcome):
            landed = f", landed by {event.landed_by}" if event.landed_by else ""
            solicited = "" if event.solicited else ", unsolicited"
            return (
                f"{body.type} receipt {event.receipt_id} from {body.emitter.kind} {body.emitter.id}: "
                f"{outcome}{landed}{solicited}"
            )
        case Receipt.ReceiptStaled():
            return f"receipt {event.receipt_id} went stale: {event.reason}"
        case Receipt.ReceiptExpired():
            return f"receipt {event.receipt_id} expired on {event.expires_on}"
        case Receipt.ReceiptSuperseded():
            return f"receipt {event.receipt_id} superseded by {event.by}"
        case Receipt.ReceiptWithdrawn():
            return f"receipt {event.receipt_id} withdrawn: {event.reason}"
    return ""


def _of_write(event: Event) -> str:
    match event:
        case Transplant.TransplantCommitted(receipt=receipt, transplant_id=id):
            return f"{id} moved {receipt.get('moved_symbol')} to {receipt.get('dest_module')}"
        case Transplant.TransplantRolledBack(transplant_id=id):
            return f"{id} was taken back"
        case Edit.EditCommitted(edit_id=id, files=files):
            return f"{id} wrote {_many(len(files), 'file')}"
        case Edit.EditRolledBack(edit_id=id):
            return f"{id} was taken back"
        case Graph.GraphChanged(generation=generation, kind=kind):
            return f"the graph changed by {kind}, generation {generation}"
    return ""


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _paths(before: str, paths: object, most: int = 3) -> str:
    listed = [str(path) for path in paths] if isinstance(paths, list | tuple) else []
    if not listed:
        return ""
    more = f" and {len(listed) - most} more" if listed[most:] else ""
    return f"{before}{', '.join(listed[:most])}{more}"
