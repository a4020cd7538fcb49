"""`mission_show`: one mission whole, from its stream and its letters. A pure read."""

from collections.abc import Sequence

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.mission_views import LetterRow, MissionRow
from m1nd.domain.missions.mission import unknown
from m1nd.domain.missions.state import MissionState


@frozen
class Shown:
    row: MissionRow
    state: MissionState
    letters: Sequence[LetterRow]


def show(brain: Brain, mission_id: str) -> Shown:
    """Raises Refused(unknown_mission)."""
    letters = brain.views.letters(mission_id)
    row = brain.views.mission(mission_id)
    if row is None:
        unknown(mission_id)
    return Shown(row, brain.app.require_mission(mission_id), letters)
