"""What the receipts of a block come to, in one word and N of M; never `proven`, `done` or `correct` (BLOCKS.md, D23)."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from attrs import frozen

from m1nd.domain.receipts.evidence import Outcome


class Standing(StrEnum):
    BROKEN = "broken"
    UNKNOWN = "unknown"
    EVIDENCE_BACKED = "evidence_backed"
    NEEDS_EVIDENCE = "needs_evidence"


@frozen
class RollUp:
    """`have` of `need` required types have a live passing receipt; `missing` are the others, `reasons` why it is broken."""

    standing: Standing
    have: int
    need: int
    missing: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def roll_up(
    required: Sequence[str], live: Mapping[str, Outcome], broken_sockets: Iterable[str] = ()
) -> RollUp:
    """The first that applies: broken, unknown, evidence-backed, needs evidence.

    `live` holds the outcome of the one fresh receipt of each type that has one; a stale failure is history (D21).
    """
    reasons = (
        *(f"the newest {type} receipt fails" for type in required if live.get(type) == "fail"),
        *(f"socket to {target} leads nowhere" for target in sorted(broken_sockets)),
    )
    missing = tuple(type for type in required if live.get(type) != "pass")
    have, need = len(required) - len(missing), len(required)
    if reasons:
        standing = Standing.BROKEN
    elif need == 0:
        standing = Standing.UNKNOWN
    else:
        standing = Standing.NEEDS_EVIDENCE if missing else Standing.EVIDENCE_BACKED
    return RollUp(standing, have, need, missing, reasons)
