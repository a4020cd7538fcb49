"""The proof gate: an agent writes only what it was shown (D43).

A mark says that an agent saw one file whole, or a plan's diff of it, at one content. It holds for five minutes and for one
write, and only a write that succeeds uses it up. Rules only: where marks are kept is the port `Proof`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.digests import sha256
from m1nd.domain.edits import FilePlan
from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.domain.commands import Actor

TIME_TO_LIVE = timedelta(minutes=5)

EXEMPT = frozenset({"owner"})
"""The human at their own command line; everybody else proves."""

LISTED = 5


@frozen
class Mark:
    """`sha256` is that of the content that was shown; empty for a file that did not exist."""

    agent: str
    path: str
    sha256: str
    armed_at: datetime

    def holds(self, at: datetime) -> bool:
        return self.armed_at <= at < self.armed_at + TIME_TO_LIVE


@frozen
class Need:
    """One planned file as it is before the write."""

    path: str
    sha256: str


def must_prove(actor: Actor) -> bool:
    return actor.kind not in EXEMPT


def needs_of(plans: Iterable[FilePlan]) -> tuple[Need, ...]:
    """Every planned file needs a mark: those to create and to remove too."""
    return tuple(
        Need(plan.path, "" if plan.before is None else sha256(plan.before))
        for plan in plans
        if plan.before != plan.after
    )


def armed(agent: str, shown: Iterable[tuple[str, str]], at: datetime) -> tuple[Mark, ...]:
    """Marks for `(path, sha256)` of what an answer just showed."""
    return tuple(Mark(agent, path, digest, at) for path, digest in shown)


def spend(
    marks: Sequence[Mark], needs: Sequence[Need], agent: str, at: datetime, hint: str
) -> tuple[Mark, ...]:
    """The marks that prove every need, one each, the oldest first.

    Raises Refused(proof_gate) naming each file without a mark; then nothing is spent. `hint` is the step that arms them.
    """
    valid = sorted((m for m in marks if m.agent == agent and m.holds(at)), key=lambda mark: mark.armed_at)
    chosen: list[Mark] = []
    missing: list[str] = []
    changed: list[str] = []
    for need in needs:
        mine = [mark for mark in valid if mark.path == need.path]
        fitting = next((mark for mark in mine if mark.sha256 == need.sha256), None)
        if fitting is not None:
            chosen.append(fitting)
            continue
        missing.append(need.path)
        if mine:
            changed.append(need.path)
    if missing:
        names = ", ".join(missing[:LISTED]) + (
            f" and {len(missing) - LISTED} more" if missing[LISTED:] else ""
        )
        why = "were not shown to this agent in the last five minutes"
        refuse(
            "proof_gate",
            f"proof gate (M1ND_PROOF_GATE): {names} {why}, or changed since; nothing was written",
            hint,
            files=missing,
            changed_since=changed,
        )
    return tuple(chosen)
