"""What `m1nd log` says of each step of a mission."""

from tests.support.log import command
from tests.support.missions import EXECUTION, HUMAN, MISSION, RUNNER, mission_at

from m1nd.adapters.cli.log_lines import summary


def test_every_step_of_a_mission_is_told_in_a_few_words() -> None:
    mission = mission_at("merge_wait")
    mission.land(mission.state.candidate_id, "rcp_1", "stp_1", "ada", 4, command(9, actor=HUMAN))
    said = [summary(event) for event in mission.pending_events]  # type: ignore[arg-type]
    assert said == [
        f"{MISSION} on sb_harbour_tides: Round the heights.",
        f"{MISSION}: APPROVE small and clear",
        f"{MISSION}: to rig-1, boundary 1",
        MISSION,
        f"{MISSION}: exit status 0",
        MISSION,
        f"{MISSION}: cargo test: exit status 0",
        f"{MISSION}: {mission.state.candidate_id[:17]}",
        f"{MISSION}: rcp_1 by ada",
    ]


def test_long_words_are_cut() -> None:
    mission = mission_at("executing")
    mission.beat(EXECUTION, "on " * 40, command(9, actor=RUNNER))
    said = summary(mission.pending_events[-1])  # type: ignore[arg-type]
    assert said.endswith("…")
    assert len(said) <= len(MISSION) + 2 + 60
