"""The closed edge table of a mission: which state follows which, and whose seat may take that step (MISSIONS.md, Mission).

Tables and two guards, no state of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Never

from attrs import frozen

from m1nd.domain.refusal import refuse

if TYPE_CHECKING:
    from m1nd.domain.commands import Actor


class State(StrEnum):
    JUDGING = "judging"
    REVISING = "revising"
    DISPATCHED = "dispatched"
    EXECUTING = "executing"
    STALLED = "stalled"
    GATE = "gate"
    REVIEW = "review"
    MERGE_WAIT = "merge_wait"
    LANDED = "landed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ARCHIVED = "archived"

    @property
    def is_terminal(self) -> bool:
        return self in TERMINAL


class Seat(StrEnum):
    """What an actor is to one mission; the same agent may be author here and reviewer there."""

    AUTHOR = "author"
    REVIEWER = "reviewer"
    RUNNER = "runner"
    HUMAN = "human"
    SYSTEM = "system"


TERMINAL = frozenset({State.LANDED, State.FAILED, State.CANCELLED, State.ARCHIVED})

_A, _V, _R, _H, _S = Seat.AUTHOR, Seat.REVIEWER, Seat.RUNNER, Seat.HUMAN, Seat.SYSTEM

EDGES: Mapping[tuple[State, State], frozenset[Seat]] = {
    (State.JUDGING, State.DISPATCHED): frozenset({_A, _V, _H, _S}),
    (State.JUDGING, State.REVISING): frozenset({_V}),
    (State.JUDGING, State.FAILED): frozenset({_V}),
    (State.REVISING, State.JUDGING): frozenset({_A}),
    (State.REVISING, State.DISPATCHED): frozenset({_A, _V, _H, _S}),
    (State.DISPATCHED, State.EXECUTING): frozenset({_R}),
    (State.DISPATCHED, State.FAILED): frozenset({_R, _H, _S}),
    (State.DISPATCHED, State.CANCELLED): frozenset({_A, _H}),
    (State.EXECUTING, State.GATE): frozenset({_R}),
    (State.EXECUTING, State.FAILED): frozenset({_R, _H, _S}),
    (State.EXECUTING, State.STALLED): frozenset({_S}),
    (State.EXECUTING, State.CANCELLED): frozenset({_A, _H}),
    (State.STALLED, State.EXECUTING): frozenset({_R}),
    (State.STALLED, State.FAILED): frozenset({_R, _H, _S}),
    (State.STALLED, State.CANCELLED): frozenset({_A, _H}),
    (State.GATE, State.REVIEW): frozenset({_A, _R, _H, _S}),
    (State.GATE, State.MERGE_WAIT): frozenset({_A, _R, _H, _S}),
    (State.GATE, State.FAILED): frozenset({_R, _H, _S}),
    (State.REVIEW, State.REVISING): frozenset({_V}),
    (State.REVIEW, State.MERGE_WAIT): frozenset({_V}),
    (State.REVIEW, State.FAILED): frozenset({_V}),
    (State.MERGE_WAIT, State.LANDED): frozenset({_H}),
    (State.MERGE_WAIT, State.ARCHIVED): frozenset({_H}),
}
"""Every step there is; any other is `illegal_transition`."""

INSIDE: Mapping[str, frozenset[Seat]] = {
    "beat": frozenset({_R}),
    "ask": frozenset({_R}),
    "reply": frozenset({_A, _H}),
    "output": frozenset({_R}),
    "request_debrief": frozenset({_R, _H, _S}),
    "debrief": frozenset({_A, _R}),
    "attach": frozenset({_A, _R, _H}),
}
"""Acts inside `executing` that change no state, and whose they are."""


@frozen
class Stand:
    """Where a mission stands, as far as the guards need it. `wrote` and `runs` are `kind:id` of its author and runner."""

    mission_id: str
    state: State
    wrote: str
    runs: str

    def seats(self, actor: Actor) -> frozenset[Seat]:
        """The seats of an actor at this mission (MISSIONS.md, table of actors).

        Nobody reviews a packet that they wrote or work that they ran, whatever their kind.
        """
        who = identity(actor)
        seats: set[Seat] = set()
        if actor.kind == "owner":
            seats.add(Seat.HUMAN)
        if actor.kind == "system":
            seats.add(Seat.SYSTEM)
        if who == self.wrote:
            seats.add(Seat.AUTHOR)
        if actor.id == self.runs and actor.kind in ("agent", "runner", "owner"):
            seats.add(Seat.RUNNER)
        if actor.kind in ("agent", "owner") and not seats & {Seat.AUTHOR, Seat.RUNNER}:
            seats.add(Seat.REVIEWER)
        return frozenset(seats)

    def require_edge(self, target: State, actor: Actor) -> None:
        """Raises Refused(illegal_transition) for a step that the table lacks, Refused(wrong_author) for another's step."""
        allowed = EDGES.get((self.state, target))
        if allowed is None:
            self._illegal(f"become {target.value}")
        self.require_seat(allowed, actor, f"take it from {self.state.value} to {target.value}")

    def require_inside(self, act: str, actor: Actor) -> None:
        """Raises Refused(illegal_transition | wrong_author): the act belongs into `executing`."""
        if self.state is not State.EXECUTING:
            self._illegal(f"take `{act}`")
        self.require_seat(INSIDE[act], actor, f"`{act}`")

    def require_seat(self, allowed: frozenset[Seat], actor: Actor, what: str) -> None:
        """Raises Refused(wrong_author) unless the actor holds one of those seats here."""
        held = self.seats(actor)
        if held & allowed:
            return
        refuse(
            "wrong_author",
            f"{actor.kind} {actor.id} may not {what} at {self.mission_id}: that is for {_listed(allowed)}",
            f"m1nd missions show {self.mission_id}",
            mission_id=self.mission_id,
            allowed=sorted(seat.value for seat in allowed),
            seats=sorted(seat.value for seat in held),
        )

    def _illegal(self, what: str) -> Never:
        ended = " and has ended" if self.state.is_terminal else ""
        refuse(
            "illegal_transition",
            f"{self.mission_id} is {self.state.value}{ended}: it cannot {what} now",
            f"m1nd missions show {self.mission_id}",
            mission_id=self.mission_id,
            state=self.state.value,
            follows=sorted(target.value for source, target in EDGES if source is self.state),
        )


def identity(actor: Actor) -> str:
    """Kind and id of an actor as one word; what authorship is compared by."""
    return f"{actor.kind}:{actor.id}"


def _listed(seats: frozenset[Seat]) -> str:
    names = sorted(seat.value for seat in seats)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
