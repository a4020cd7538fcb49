"""The Candidate aggregate: a receipt that a verb composed and that waits for a human, outside of any mission (D36).

`review` comes from a debrief with evidence, `handoff` from a soul check. It is landed or dropped once, each with a stamp.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Never, Self

from attrs import frozen
from pydantic import Field

from m1nd.domain.base import Aggregate, Command, CreatedEvent, Event, JsonObject, event
from m1nd.domain.missions.gate import CandidateStage, candidate_id
from m1nd.domain.refusal import refuse

_ID = re.compile(r"cand:[0-9a-f]{64}")


def stream_name(id: str) -> str:
    """The stream of a candidate. Raises Refused(candidate_unknown) for anything that is no id of one."""
    if _ID.fullmatch(id) is None:
        unknown(id)
    return f"candidate:{id.removeprefix('cand:')}"


def unknown(id: str) -> Never:
    refuse("candidate_unknown", f"there is no candidate {id!r}", "m1nd tray --list", candidate_id=id)


@frozen
class CandidateState:
    """`origin` is the verb that composed it, `source` what it did that for (`dlg_…`, the file of the soul)."""

    candidate_id: str
    candidate: Mapping[str, Any]
    origin: str
    source: str
    composed_by: str
    stage: CandidateStage
    receipt_id: str

    @property
    def digest(self) -> str:
        return self.candidate_id.removeprefix("cand:")

    def require_waiting(self) -> None:
        """Raises Refused(candidate_unknown) for one that was landed or dropped."""
        if self.stage is not CandidateStage.WAITING:
            refuse(
                "candidate_unknown",
                f"{self.candidate_id[:17]} was {self.stage.value} already",
                "m1nd tray --list",
                candidate_id=self.candidate_id,
                stage=self.stage.value,
            )


class Candidate(Aggregate):
    TOPIC = "candidate"

    class CandidateComposed(CreatedEvent):
        TOPIC: ClassVar[str] = "candidate_composed"
        candidate_id: str = Field(pattern=r"^cand:[0-9a-f]{64}$")
        candidate: JsonObject
        origin: str
        source: str

    class CandidateLanded(Event):
        """In one append with `receipt_imported` and `stamp_consumed`."""

        TOPIC: ClassVar[str] = "candidate_landed"
        candidate_id: str
        receipt_id: str
        stamp_id: str

    class CandidateDropped(Event):
        TOPIC: ClassVar[str] = "candidate_dropped"
        candidate_id: str
        stamp_id: str
        reason: str

    @event(CandidateComposed)
    def __init__(
        self, candidate_id: str, candidate: dict[str, Any], origin: str, source: str, actor: Any
    ) -> None:
        self.candidate_id, self.candidate = candidate_id, candidate
        self.origin, self.source = origin, source
        self.composed_by = f"{actor.kind}:{actor.id}"
        self.stage = CandidateStage.WAITING
        self.receipt_id = ""

    @classmethod
    def compose(cls, candidate: Mapping[str, Any], origin: str, source: str, command: Command) -> Self:
        id = candidate_id(candidate)
        return cls._begin(
            cls.CandidateComposed,
            command,
            stream_name(id),
            candidate_id=id,
            candidate=dict(candidate),
            origin=origin,
            source=source,
        )

    @property
    def state(self) -> CandidateState:
        return CandidateState(
            self.candidate_id,
            self.candidate,
            self.origin,
            self.source,
            self.composed_by,
            self.stage,
            self.receipt_id,
        )

    def land(self, receipt_id: str, stamp_id: str, command: Command) -> Event:
        """Raises Refused(wrong_author) for anybody but the human, Refused(candidate_unknown) the second time."""
        self._require_human(command)
        self.state.require_waiting()
        return self._record(
            Candidate.CandidateLanded,
            command,
            candidate_id=self.candidate_id,
            receipt_id=receipt_id,
            stamp_id=stamp_id,
        )

    def drop(self, stamp_id: str, reason: str, command: Command) -> Event:
        """Raises Refused as `land`."""
        self._require_human(command)
        self.state.require_waiting()
        return self._record(
            Candidate.CandidateDropped,
            command,
            candidate_id=self.candidate_id,
            stamp_id=stamp_id,
            reason=reason,
        )

    def _require_human(self, command: Command) -> None:
        if command.actor.kind != "owner":
            refuse(
                "wrong_author",
                f"{command.actor.kind} {command.actor.id} may not land or drop a candidate: that is for the human",
                "m1nd tray",
                candidate_id=self.candidate_id,
            )

    @event(CandidateLanded)
    def _landed(self, receipt_id: str) -> None:
        self.stage, self.receipt_id = CandidateStage.LANDED, receipt_id

    @event(CandidateDropped)
    def _dropped(self) -> None:
        self.stage = CandidateStage.DROPPED
