"""The part of the application that records missions: each method one append (`domain/missions/mission.py`)."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from m1nd.application.receipt_records import Landing, ReceiptRecords
from m1nd.application.stamp_records import Used
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.blocks.block_state import stream_name as block_stream
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.missions.gate import Evidence, MissionScope
from m1nd.domain.missions.mission import Mission, stream_name, unknown
from m1nd.domain.missions.mission_events import MissionLanded
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.missions.state import MissionState
from m1nd.domain.missions.states import State
from m1nd.domain.receipts.evidence import ReceiptBody, read_receipt
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.streams import stream_id


class MissionRecords(ReceiptRecords):
    """Every method may raise Refused of the groups log and store."""

    def mission(self, id: str) -> MissionState | None:
        """The mission of that id as its stream tells it; None if there is none. Raises Refused(unknown_mission)."""
        found = self._load(Mission, stream_name(id))
        return None if found is None else found.state

    def require_mission(self, id: str) -> MissionState:
        """Raises Refused(unknown_mission)."""
        return self._mission(id).state

    def block_events(self, block_id: str, after: int) -> tuple[Event, ...]:
        """What happened to a block after the first `after` events of its stream, oldest first."""
        stream = stream_id(block_stream(block_id))
        return tuple(cast("Event", event) for event in self.events.get(stream, gt=after - 1))

    def open_mission(
        self,
        mission_id: str,
        packet: MissionPacket,
        policy: MissionPolicy,
        brain_ref: str,
        retries_of: str,
        command: Command,
    ) -> MissionState:
        """A new mission; `retries_of` names the failed one that it takes up again.

        Raises Refused(unknown_mission | illegal_transition | wrong_author).
        """

        def work() -> list[Aggregate]:
            if retries_of:
                self._require_failed(retries_of, packet.source_block)
            return [Mission.open(mission_id, packet, policy, brain_ref, retries_of, command)]

        opened = self._append(command, work).last(Mission.MissionOpened)
        return self.require_mission(str(opened.mission_id))

    def change_mission(
        self,
        id: str,
        act: Callable[[Mission], Any],
        command: Command,
        expected_version: int | None = None,
    ) -> MissionState:
        """Carry out one act of a mission and answer how it stands then.

        Raises Refused(unknown_mission | stale_head) and what the act raises; then nothing was appended.
        """

        def work() -> list[Aggregate]:
            mission = self._mission(id)
            mission.state.require_version(expected_version)
            act(mission)
            return [mission]

        self._append(command, work)
        return self.require_mission(id)

    def land_mission(self, id: str, candidate_id: str, stamp: Used, command: Command) -> MissionLanded:
        """Land the candidate that the human stamped: receipt, mission, stamp and the map's version in one append.

        Of a landing, an archive, a reconcile and a move at once exactly one comes first, because all of them write to
        the mission's or the block's stream. Raises Refused(mission_not_merge_wait | candidate_mismatch | wrong_author |
        scope_moved | human_gesture_required | missing_receipt_candidate) and as `check_import`; then nothing was appended.
        """

        def work() -> list[Aggregate]:
            mission = self._mission(id)
            body = read_receipt(mission.state.require_candidate(candidate_id))
            mission.state.stand.require_edge(State.LANDED, command.actor)
            try:
                landed = self._landed(body, stamp, command)
            except Refused:
                # Another landing may have come between the two loads: then that is the answer.
                self._mission(id).state.require_candidate(candidate_id)
                raise
            head = next(each for each in landed if isinstance(each, MapHead))
            mission.land(
                candidate_id,
                body.receipt_id,
                stamp.gesture.challenge_id,
                command.actor.id,
                head.store_version,
                command,
            )
            return [*landed, mission]

        event = self._append(command, work).last(MissionLanded)
        assert isinstance(event, MissionLanded)
        return event

    def archive_mission(
        self, id: str, candidate_id: str, reason: str, boundary_now: int, stamp: Used, command: Command
    ) -> None:
        """Let the waiting candidate go; the stamp is used up in the same append. Raises Refused as `land_mission`."""

        def work() -> list[Aggregate]:
            mission = self._mission(id)
            mission.state.require_candidate(candidate_id)
            mission.archive(stamp.gesture.challenge_id, reason, boundary_now, command)
            return [mission, *self._spend(stamp, command)]

        self._append(command, work)

    def _landed(self, body: ReceiptBody, stamp: Used, command: Command) -> list[Aggregate]:
        """What the import of a stamped candidate changes. A scope that moved is told in the words of the tray."""
        try:
            landed = self._imported(body, Landing(command.actor.id, stamp=stamp), command)
        except Refused as refused:
            if refused.refusal.code != "stale_scope":
                raise
            raise Refused(
                Refusal(
                    "scope_moved",
                    f"{body.scope.block_id} is not what the evidence was made for; nothing landed",
                    details=refused.refusal.details,
                )
            ) from refused
        if not landed:
            refuse(
                "missing_receipt_candidate",
                f"the evidence is in the log already as {body.receipt_id}",
                "m1nd receipts list",
                receipt_id=body.receipt_id,
            )
        return landed

    def stall_missions(self, ids: Iterable[str], as_of: datetime, command: Command) -> tuple[str, ...]:
        """Of the given missions, say of those whose deadline is over that their runner fell silent; answers which."""
        named = tuple(ids)

        def work() -> list[Aggregate]:
            return [mission for mission in map(self._mission, named) if mission.stall(as_of, command)]

        if not named:
            return ()
        stalled = self._append(command, work).events
        return tuple(event.mission_id for event in stalled if isinstance(event, Mission.MissionStalled))

    def _attach(
        self, mission_id: str, evidence: Evidence, changed: Iterable[Aggregate], command: Command
    ) -> list[Aggregate]:
        """The mission with the evidence of a write that was made inside it: to be saved in the append of the write.

        `changed` are the aggregates of that append. The write's own ageing of the block is no foreign one: the mission
        goes on from the block as it is after it. Nothing where no mission is named. Raises Refused(unknown_mission |
        illegal_transition | wrong_author).
        """
        if not mission_id:
            return []
        mission = self._mission(mission_id)
        own = mission.state.running.scope.block_scope
        before = self.block(mission.state.block_id)
        after = next(
            (b.state for b in changed if isinstance(b, SystemBlock) and b.block_id == own.block_id), None
        )
        if after is None or before is None or before.scope != own:
            mission.attach(evidence, None, 0, command)
        else:
            mission.attach(evidence, MissionScope.of(after.scope), after.version, command)
        return [mission]

    def _require_failed(self, id: str, block_id: str) -> None:
        earlier = self.require_mission(id)
        if earlier.state is not State.FAILED:
            earlier.not_yet("only a failed mission is taken up again")
        if earlier.block_id != block_id:
            refuse(
                "packet_mismatch",
                f"{id} was about {earlier.block_id}; a retry is about the same block",
                mission_id=id,
                block_id=earlier.block_id,
            )

    def _mission(self, id: str) -> Mission:
        found = self._load(Mission, stream_name(id))
        if found is None:
            unknown(id)
        return found
