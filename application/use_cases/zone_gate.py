"""What the protected zones ask of every verb that writes: preview, commit and undo, of moves and of edits (D44)."""

from collections.abc import Mapping, Sequence
from typing import Any

from m1nd.application.brain import Brain
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.file_plans import plan_digest, unified_diff
from m1nd.application.use_cases.stamping import ask_for, require_stamp
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.zones import CONFIG, OTHERWISE, check_zones, crossings, read_zones, what_is_crossed
from m1nd.domain.refusal import Refused, refuse
from m1nd.domain.stamps.gesture import Gesture, shown
from m1nd.domain.stamps.stamp import StampState

ACTION = "cross_protected_zone"

Zones = list[Mapping[str, Any]]


def require_reason(
    brain: Brain, plans: Sequence[FilePlan], allow_protected: str = "", otherwise: str = OTHERWISE
) -> Zones:
    """Refuse a plan that touches a protected zone without a reason; answers the zones that it would cross.

    Every planned file is looked at, by its own name and by where its links lead. A configuration that cannot be read
    refuses every plan. Raises Refused(protected_zone | zone_config_broken).
    """
    found = crossings(
        read_zones(_config(brain)), plans, {plan.path: brain.writer.real_path(plan.path) for plan in plans}
    )
    check_zones(found, allow_protected, otherwise)
    return found


def crossing(target: str, plans: Sequence[FilePlan], zones: Zones, reason: str) -> Used | None:
    """The gesture that lets `target` (a preview, or a write to undo) cross those zones; None where it crosses none.

    Bound to the plan's digest (D44); the human is shown the zones, the reason and the whole diff.
    """
    if not zones:
        return None
    lines = [
        *(f"zone `{z['zone']}` ({z['zone_reason']}): {', '.join(z['matched_files'])}" for z in zones),
        f"reason: {reason}",
        *unified_diff(plans).splitlines(),
    ]
    return Used(Gesture(action=ACTION, target=target, digest=plan_digest(plans)), shown(lines))


def ask_for_crossing(brain: Brain, needed: Used | None) -> StampState | None:
    """At the preview: put the challenge before the human. None where nothing is crossed."""
    return None if needed is None else ask_for(brain, needed)


def require_crossing(brain: Brain, needed: Used | None, zones: Zones) -> None:
    """At the write: go on only with the stamp. Raises Refused(human_gesture_required)."""
    if needed is not None:
        require_stamp(brain, needed, what_is_crossed(zones))


def _config(brain: Brain) -> bytes | None:
    try:
        return brain.files.read(CONFIG)
    except Refused as refused:
        refuse(
            "zone_config_broken",
            f"the protected-zone guard is armed but cannot be read: {refused.refusal.message}; it fails closed",
        )
