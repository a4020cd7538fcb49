"""Names what was done to a log whose chain does not hold: flipped, removed, inserted, swapped.

Reads stored rows and links only. It explains the first bad position; what lies behind it is not judged.
"""

from attrs import frozen

from m1nd.application.event_log import EventLog, LogRow
from m1nd.domain.chain import link

PAGE = 1000


@frozen
class Finding:
    """The first position at which the log is not what was recorded, and what is wrong there."""

    position: int
    kind: str
    """`flipped`, `chain_flipped`, `removed`, `inserted`, `swapped`, `rewritten`, `cut`."""
    message: str


def explain(log: EventLog, position: int, previous: bytes, row: LogRow) -> Finding:
    """Why `row`, the first with a number of at least `position`, is not the one that the chain wants there.

    `previous` is the sound link before it.
    """
    if row.position != position:
        last = row.position - 1
        missing = f"event {position} is" if last == position else f"events {position} to {last} are"
        return Finding(position, "removed", f"{missing} missing")
    following = log.rows(after=position, limit=1)
    after = following[0] if following else None
    if after is not None:
        if _link(_link(previous, position, row), position + 1, after) == after.chain:
            return Finding(position, "chain_flipped", f"the chain's link of event {position} was changed")
        if _link(row.chain, position, after) == after.chain:
            return Finding(
                position - 1, "inserted", f"event {position - 1} was put in and the rest renumbered"
            )
        if _link(row.chain, position + 2, after) == after.chain:
            return Finding(position, "removed", f"event {position} was removed and the rest renumbered")
    partner = _rightful(log, position, previous, row)
    if partner is None:
        return Finding(
            position,
            "flipped",
            f"event {position} (`{row.topic}`) is not what was recorded: its content or its link was changed",
        )
    if _stands_in_for(log, position, previous, row, partner):
        return Finding(position, "swapped", f"events {position} and {partner.position} have changed places")
    return Finding(
        position, "inserted", f"event {position} (`{row.topic}`) was put in and the rest renumbered"
    )


def _rightful(log: EventLog, position: int, previous: bytes, row: LogRow) -> LogRow | None:
    """The later row that belongs at `position`, by its content: with its own link, or with the one that stands there."""
    after = position
    while rows := log.rows(after=after, limit=PAGE):
        for other in rows:
            if _link(previous, position, other) in (other.chain, row.chain):
                return other
        after = rows[-1].position
    return None


def _stands_in_for(log: EventLog, position: int, previous: bytes, row: LogRow, partner: LogRow) -> bool:
    """Whether `row` belongs where `partner` stands now (a swap), rather than nowhere (an insertion)."""
    if _link(previous, position, partner) == row.chain:
        return True  # the links stayed where they were: only contents changed places
    if partner.position == position + 1:
        return _link(partner.chain, position + 1, row) == row.chain
    before = log.rows(after=partner.position - 2, limit=1, until=partner.position - 1)
    return bool(before) and _link(before[0].chain, partner.position, row) == row.chain


def _link(previous: bytes, position: int, row: LogRow) -> bytes:
    return link(previous, position, row.stream, row.version, row.topic, row.state)
