"""What happened to a block, in words for the human who is about to land something on it. Pure."""

from collections.abc import Sequence

from m1nd.domain.base import Event
from m1nd.domain.blocks.system_block import SystemBlock

NAMED = 5
"""So many paths are named; the rest is counted."""


def words_of(event: Event) -> str:
    """One line about an event of a block's stream; empty for what does not concern a landing."""
    match event:
        case SystemBlock.BoundaryBumped():
            added = [f"+{member.path}" for member in event.added]
            paths = _few(
                [*added, *(f"-{path}" for path in event.removed), *(f"~{path}" for path in event.touched)]
            )
            return f"boundary {event.from_version} > {event.to_version} by {event.cause}{paths}"
        case SystemBlock.ContractBumped():
            return f"contract {event.from_version} > {event.to_version}: {event.reason}"
        case SystemBlock.MemberContentChanged():
            return f"content of {event.count} member file(s) changed{_few(event.paths)}"
        case SystemBlock.MemberMissing():
            return f"declared file(s) missing{_few(event.paths)}" if event.paths else ""
        case SystemBlock.BlockArchived():
            return "archived"
        case SystemBlock.BlockRestored():
            return "restored"
        case SystemBlock.BlockTombstoned():
            return "deleted"
        case SystemBlock.ReceiptRegistered():
            return f"a {event.receipt_type} receipt landed: {event.receipt_id}"
        case _:
            return ""


def _few(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    rest = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return f": {', '.join(paths[:NAMED])}{rest}"
