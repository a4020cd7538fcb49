"""The Stamp aggregate: a single-use capability that only a human at a terminal can give (D24, D44).

One stream a gesture: challenged → given → consumed | expired, then it may be challenged anew. Whoever carries out the
act saves the consumed stamp in the same append, so that a stamp and its effect are one fact.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Self

from attrs import frozen
from pydantic import AwareDatetime

from m1nd.domain.base import Actor, Aggregate, Command, CreatedEvent, Event, event
from m1nd.domain.refusal import Refusal, Refused, refuse
from m1nd.domain.stamps.gesture import TYPED_DIGITS, Gesture, Shown, StampStage, Typed, stream_name

TIME_TO_LIVE = timedelta(minutes=10)
"""From the challenge on (D44)."""


OPEN = (StampStage.WAITING, StampStage.GIVEN)


@frozen
class StampState:
    """A stamp as its stream tells it. `asked_by` is who needs it; `expires_at` is None before the first challenge."""

    gesture: Gesture
    stage: StampStage
    shown: Shown
    asked_by: str
    expires_at: datetime | None

    def is_open(self, at: datetime) -> bool:
        return self.stage in OPEN and self.expires_at is not None and at < self.expires_at

    def require_waiting(self, at: datetime) -> None:
        """Raises Refused(stamp_spent | stamp_expired) for a challenge that waits for nobody."""
        id = self.gesture.challenge_id
        if self.stage is StampStage.CONSUMED or (self.stage is StampStage.GIVEN and self.is_open(at)):
            used = "was used up" if self.stage is StampStage.CONSUMED else "was given already"
            refuse("stamp_spent", f"the stamp {id} {used}: one stamp, one act", challenge=id)
        if not self.is_open(at):
            refuse("stamp_expired", f"nobody waits for the stamp {id} any more", challenge=id)

    def is_given(self, shown: Shown, at: datetime) -> bool:
        """Whether the human has stamped just this text, and the stamp still holds."""
        return self.stage is StampStage.GIVEN and self.is_open(at) and self.shown == shown


def missing(gesture: Gesture, about: str = "") -> Refused:
    """The refusal of an act without its stamp; its hint is the command that the human runs (D24)."""
    id = gesture.challenge_id
    what = f" ({about})" if about else ""
    return Refused(
        Refusal(
            "human_gesture_required",
            f"to {gesture.words} for {gesture.target}{what} needs a human's stamp; nothing was done",
            f"m1nd stamp {id}",
            {
                "challenge": id,
                "action": gesture.action,
                "target": gesture.target,
                "digest": gesture.digest,
                "command": f"m1nd stamp {id}",
            },
        )
    )


def require_owner(actor: Actor, challenge_id: str) -> None:
    """Raises Refused(human_gesture_required) for anybody but the owner: no machine gives a stamp."""
    if actor.kind != "owner":
        refuse(
            "human_gesture_required",
            f"a stamp is the owner's to give, and not for {actor.kind} {actor.id}",
            f"m1nd stamp {challenge_id}, by the owner, without M1ND_TOKEN",
            challenge=challenge_id,
        )


class Stamp(Aggregate):
    TOPIC = "stamp"

    class StampOpened(CreatedEvent):
        """The stream of this gesture begins; nobody has been asked yet."""

        TOPIC: ClassVar[str] = "stamp_opened"
        challenge_id: str
        gesture: Gesture

    class StampChallenged(Event):
        """Somebody needs this gesture; `changes` is what the human will be shown, word for word."""

        TOPIC: ClassVar[str] = "stamp_challenged"
        challenge_id: str
        changes: tuple[str, ...]
        omitted_lines: int
        asked_by: str
        expires_at: AwareDatetime

    class StampGiven(Event):
        """The human saw it and typed the digits, on that terminal."""

        TOPIC: ClassVar[str] = "stamp_given"
        challenge_id: str
        terminal: str

    class StampConsumed(Event):
        """The act was carried out, in the same append."""

        TOPIC: ClassVar[str] = "stamp_consumed"
        challenge_id: str

    class StampExpired(Event):
        TOPIC: ClassVar[str] = "stamp_expired"
        challenge_id: str
        as_of: AwareDatetime

    @event(StampOpened)
    def __init__(self, challenge_id: str, gesture: Gesture) -> None:
        self.challenge_id = challenge_id
        self.gesture = gesture
        self.stage = StampStage.NEW
        self.shown = Shown(())
        self.asked_by = ""
        self.expires_at: datetime | None = None

    @classmethod
    def open(cls, gesture: Gesture, command: Command) -> Self:
        id = gesture.challenge_id
        return cls._begin(cls.StampOpened, command, stream_name(id), challenge_id=id, gesture=gesture)

    @property
    def state(self) -> StampState:
        return StampState(self.gesture, self.stage, self.shown, self.asked_by, self.expires_at)

    def challenge(self, shown: Shown, command: Command) -> None:
        """Ask for the stamp; nothing where it is asked for, or given, with this very text and time is left.

        Another text voids what was given: the human stamped something else.
        """
        if self.shown == shown and self.state.is_open(command.at):
            return
        self.expire(command.at, command)
        self._record(
            Stamp.StampChallenged,
            command,
            challenge_id=self.challenge_id,
            changes=shown.lines,
            omitted_lines=shown.omitted,
            asked_by=f"{command.actor.kind} {command.actor.id}",
            expires_at=command.at + TIME_TO_LIVE,
        )

    def give(self, typed: Typed, command: Command) -> None:
        """The human's answer to the challenge.

        Raises Refused(human_gesture_required) for anybody else, Refused(stamp_spent | stamp_expired) for a challenge that
        waits for nobody, Refused(stamp_mismatch) for other digits, and where another text was asked for while this one
        was read: nobody stamps what they have not seen.
        """
        require_owner(command.actor, self.challenge_id)
        id = self.challenge_id
        self.state.require_waiting(command.at)
        if typed.seen != self.shown:
            refuse(
                "stamp_mismatch",
                f"what {id} asks for has changed while it was read; it is not stamped",
                f"m1nd stamp {id}",
                challenge=id,
            )
        if typed.text != self.gesture.typed:
            refuse(
                "stamp_mismatch",
                f"those are not the first {TYPED_DIGITS} digits of the digest; {id} is not stamped",
                f"m1nd stamp {id}",
                challenge=id,
            )
        self._record(Stamp.StampGiven, command, challenge_id=id, terminal=typed.terminal)

    def consume(self, shown: Shown, command: Command) -> Event:
        """Use the stamp up for the act of `command`. Raises Refused(human_gesture_required) where none is given."""
        if not self.state.is_given(shown, command.at):
            raise missing(self.gesture)
        return self._record(Stamp.StampConsumed, command, challenge_id=self.challenge_id)

    def expire(self, as_of: datetime, command: Command) -> bool:
        """End an open challenge whose time is over; tells whether it did."""
        if self.stage not in OPEN or not self._is_over(as_of):
            return False
        self._record(Stamp.StampExpired, command, challenge_id=self.challenge_id, as_of=as_of)
        return True

    def _is_over(self, at: datetime) -> bool:
        return self.stage in OPEN and self.expires_at is not None and at >= self.expires_at

    @event(StampChallenged)
    def _challenged(
        self, changes: tuple[str, ...], omitted_lines: int, asked_by: str, expires_at: datetime
    ) -> None:
        self.stage = StampStage.WAITING
        self.shown = Shown(changes, omitted_lines)
        self.asked_by = asked_by
        self.expires_at = expires_at

    @event(StampGiven)
    def _given(self) -> None:
        self.stage = StampStage.GIVEN

    @event(StampConsumed)
    def _consumed(self) -> None:
        self.stage = StampStage.CONSUMED

    @event(StampExpired)
    def _expired(self) -> None:
        self.stage = StampStage.EXPIRED
