"""Stamps around the verbs: asking for one, showing it to the human, taking it on a terminal (D24, D44).

A challenge is an act of its own: it grants nothing, and the refusal that names it changes nothing else.
"""

from m1nd.application.brain import Brain
from m1nd.application.ports import Terminal
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import TYPED_DIGITS, Typed
from m1nd.domain.stamps.stamp import StampState, missing, require_owner

MOST_WAITING = 64
"""So that a looping agent neither buries what the human should see nor grows the log without end."""

PROMPT = f"Type the first {TYPED_DIGITS} digits of the digest to give it, anything else to leave: "


def ask_for(brain: Brain, needed: Used) -> StampState:
    """Put the challenge where the human finds it; the same one as long as it is open."""
    now = brain.clock.now()
    if due := brain.views.due_stamps(now):
        brain.app.expire_stamps(due, new_command(brain, "stamps_expire", {"challenges": list(due)}))
    gesture = needed.gesture
    waiting = brain.views.open_stamps(now)
    if len(waiting) >= MOST_WAITING and gesture.challenge_id not in waiting:
        refuse(
            "human_gesture_required",
            f"{len(waiting)} stamps wait for the human already; no more is asked for until they are given or over",
            "m1nd stamp",
        )
    return brain.app.challenge(gesture, needed.shown, new_command(brain, "stamp_challenge", dict(gesture)))


def require_stamp(brain: Brain, needed: Used, about: str = "") -> None:
    """Go on only with a stamp for just this; otherwise the human is asked for it.

    It is used up later, in the append of the act (`StampRecords._spend`). Raises Refused(human_gesture_required)
    whose hint is the command that the human runs.
    """
    found = brain.app.stamp(needed.gesture.challenge_id)
    if found is not None and found.is_given(needed.shown, brain.clock.now()):
        return
    ask_for(brain, needed)
    raise missing(needed.gesture, about)


def waiting(brain: Brain) -> tuple[StampState, ...]:
    """The challenges that wait for the human now, oldest first."""
    now = brain.clock.now()
    found = (brain.app.stamp(id) for id in brain.views.open_stamps(now))
    return tuple(state for state in found if state is not None)


def give(brain: Brain, challenge_id: str, terminal: Terminal) -> StampState:
    """Show a challenge on the terminal and take the digits that the human types there.

    Raises Refused(stamp_unknown | stamp_spent | stamp_expired | stamp_mismatch | human_gesture_required | read_only).
    """
    brain.deny_if_read_only("stamp")
    return answered(brain, "stamp", {"challenge": challenge_id}, lambda: _give(brain, challenge_id, terminal))


def _give(brain: Brain, challenge_id: str, terminal: Terminal) -> StampState:
    state = brain.app.stamp(challenge_id)
    if state is None:
        refuse("stamp_unknown", f"nobody asked for a stamp {challenge_id}", challenge=challenge_id)
    require_owner(brain.actor, challenge_id)
    state.require_waiting(brain.clock.now())
    typed = Typed(state.shown, terminal.ask(_page(state), PROMPT).strip(), terminal.name())
    command = new_command(brain, "stamp", {"challenge": challenge_id})
    brain.app.give_stamp(challenge_id, typed, command)
    given = brain.app.stamp(challenge_id)
    assert given is not None
    return given


def _page(state: StampState) -> tuple[str, ...]:
    gesture = state.gesture
    until = f"{state.expires_at:%Y-%m-%d %H:%M:%S} UTC" if state.expires_at else ""
    rest = (
        (f"… {state.shown.omitted:,} more lines do not fit here; the digest covers them",)
        if state.shown.omitted
        else ()
    )
    return (
        "m1nd needs your stamp",
        f"  action    {gesture.words}",
        f"  target    {gesture.target}",
        f"  digest    {gesture.digest}",
        f"  asked by  {state.asked_by}",
        f"  until     {until}",
        "  what changes:",
        *(f"  | {line}" for line in (*state.shown.lines, *rest)),
        "",
    )
