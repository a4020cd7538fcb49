"""What the protected zones ask of every verb that writes: preview, commit and undo, of moves and of edits (D44)."""

from collections.abc import Mapping, Sequence
from typing import Any

from m1nd.application.brain import Brain
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.zones import CONFIG, OTHERWISE, check_zones, crossings, read_zones
from m1nd.domain.refusal import Refused, refuse


def require_passage(
    brain: Brain, plans: Sequence[FilePlan], allow_protected: str = "", otherwise: str = OTHERWISE
) -> list[Mapping[str, Any]]:
    """Refuse a plan that touches a protected zone; answers the zones that it may cross, for the receipt.

    Every planned file is looked at, by its own name and by where its links lead. A configuration that cannot be read
    refuses every plan. Raises Refused(protected_zone | human_gesture_required | zone_config_broken).
    """
    found = crossings(
        read_zones(_config(brain)), plans, {plan.path: brain.writer.real_path(plan.path) for plan in plans}
    )
    check_zones(found, allow_protected, otherwise)
    return found


def _config(brain: Brain) -> bytes | None:
    try:
        return brain.files.read(CONFIG)
    except Refused as refused:
        refuse(
            "zone_config_broken",
            f"the protected-zone guard is armed but cannot be read: {refused.refusal.message}; it fails closed",
        )
