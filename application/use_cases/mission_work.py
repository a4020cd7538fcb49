"""A write that is made inside a mission: asked before anything is written whether the mission may have it."""

from m1nd.application.brain import Brain


def require_at_work(brain: Brain, mission_id: str) -> None:
    """Go on where no mission is named, or where it is at work and this actor has a seat at it.

    Raises Refused(unknown_mission | illegal_transition | wrong_author).
    """
    if mission_id:
        brain.app.require_mission(mission_id).stand.require_inside("attach", brain.actor)
