"""The part of the application that records stamps: asked for, given, used up (`domain/stamps/`)."""

from collections.abc import Iterable

from attrs import frozen

from m1nd.application.appending import Appending
from m1nd.domain.base import Aggregate, Command
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, Shown, Typed, stream_name
from m1nd.domain.stamps.stamp import Stamp, StampState, missing


@frozen
class Used:
    """The stamp that an act uses up: its gesture, and the text that the human was shown."""

    gesture: Gesture
    shown: Shown


class StampRecords(Appending):
    """Every method may raise Refused of the groups log and store."""

    def challenge(self, gesture: Gesture, shown: Shown, command: Command) -> StampState:
        """Ask the human for this gesture; asks once while the challenge is open. Grants nothing."""

        def work() -> list[Aggregate]:
            stamp = self._load(Stamp, stream_name(gesture.challenge_id)) or Stamp.open(gesture, command)
            stamp.challenge(shown, command)
            return [stamp]

        self._append(command, work)
        return self._stamp(gesture.challenge_id).state

    def stamp(self, challenge_id: str) -> StampState | None:
        """The stamp of that challenge, as its stream tells it; None if there is none."""
        found = self._load(Stamp, stream_name(challenge_id))
        return None if found is None else found.state

    def give_stamp(self, challenge_id: str, typed: Typed, command: Command) -> None:
        """Record what the human typed at a terminal. Raises Refused as `Stamp.give`, and stamp_unknown."""

        def work() -> list[Aggregate]:
            stamp = self._stamp(challenge_id)
            stamp.give(typed, command)
            return [stamp]

        self._append(command, work)

    def expire_stamps(self, challenge_ids: Iterable[str], command: Command) -> None:
        """End the challenges whose time is over at the command's time."""
        ids = tuple(challenge_ids)

        def work() -> list[Aggregate]:
            return [stamp for stamp in map(self._stamp, ids) if stamp.expire(command.at, command)]

        if ids:
            self._append(command, work)

    def _spend(self, stamp: Used | None, command: Command) -> list[Aggregate]:
        """The stamp, used up by `command`: to be saved in the append of the act itself; nothing where none is needed.

        Raises Refused(human_gesture_required).
        """
        if stamp is None:
            return []
        found = self._load(Stamp, stream_name(stamp.gesture.challenge_id))
        if found is None or found.gesture != stamp.gesture:
            raise missing(stamp.gesture)
        found.consume(stamp.shown, command)
        return [found]

    def _stamp(self, challenge_id: str) -> Stamp:
        found = self._load(Stamp, stream_name(challenge_id))
        if found is None:
            refuse("stamp_unknown", f"nobody asked for a stamp {challenge_id}", challenge=challenge_id)
        return found
