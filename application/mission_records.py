"""The part of the application that records missions: each method one append (`domain/missions/mission.py`)."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

from m1nd.application.block_records import BlockRecords
from m1nd.domain.base import Aggregate, Command, Event
from m1nd.domain.blocks.block_state import stream_name as block_stream
from m1nd.domain.missions.mission import Mission, stream_name, unknown
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.missions.state import MissionState
from m1nd.domain.missions.states import State
from m1nd.domain.refusal import refuse
from m1nd.domain.streams import stream_id


class MissionRecords(BlockRecords):
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

    def stall_missions(self, ids: Iterable[str], as_of: datetime, command: Command) -> tuple[str, ...]:
        """Of the given missions, say of those whose deadline is over that their runner fell silent; answers which."""
        named = tuple(ids)

        def work() -> list[Aggregate]:
            return [mission for mission in map(self._mission, named) if mission.stall(as_of, command)]

        if not named:
            return ()
        stalled = self._append(command, work).events
        return tuple(event.mission_id for event in stalled if isinstance(event, Mission.MissionStalled))

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
