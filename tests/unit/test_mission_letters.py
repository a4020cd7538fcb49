"""Mission letters: rendered from events, one a step, chained, and lawful by upstream's own rules."""

from typing import Any

import pytest
from tests.support.log import command
from tests.support.missions import EXECUTION, HUMAN, MISSION, RUNNER, mission_at, report

from m1nd.domain.missions.letters import Letter, check_letter, letter_id, next_letter
from m1nd.domain.missions.mission import Mission


def chain(mission: Mission) -> list[Letter]:
    letters: list[Letter] = []
    for event in mission.pending_events:
        letter = next_letter(letters[-1] if letters else None, event)  # type: ignore[arg-type]
        if letter is not None:
            letters.append(letter)
    return letters


def landed() -> Mission:
    mission = mission_at("merge_wait")
    shown = mission.state.candidate_id
    mission.land(shown, "rcp:1", "stp_1", "ada", 4, command(9, actor=HUMAN))
    return mission


def test_the_way_to_a_landing_in_letters() -> None:
    letters = chain(landed())
    assert [letter["phase"] for letter in letters] == [
        "judging",
        "judging",
        "executing",
        "executing",
        "gate",
        "gate",
        "merge_wait",
        "landed",
    ]
    assert [letter["mission_seq"] for letter in letters] == list(range(1, 9))
    last = letters[-1]
    assert last["receipt"] == {"imported": True, "store_version": 4}
    assert last["prev_letter_id"] == letter_id(letters[-2])
    assert (last["seat"], last["runner_id"], last["brain_ref"]) == ("hand", RUNNER.id, "harbour")
    heads = [None, *letters]
    assert [check_letter(letter, head) for letter, head in zip(letters, heads, strict=False)] == [""] * 8


def test_a_sign_of_life_writes_no_letter() -> None:
    mission = mission_at("executing")
    before = len(chain(mission))
    mission.beat(EXECUTION, "half way", command(9, actor=RUNNER))
    mission.ask(EXECUTION, "down?", command(10, actor=RUNNER))
    assert len(chain(mission)) == before


def test_a_failed_gate_and_an_archive_say_so() -> None:
    mission = mission_at("gate")
    mission.report_gate(EXECUTION, report(101), command(9, actor=RUNNER))
    last = chain(mission)[-1]
    assert (last["phase"], last["gate"]["exit_status"]) == ("failed", 101)
    mission = mission_at("merge_wait")
    mission.archive("stp_1", "", 1, command(9, actor=HUMAN))
    last = chain(mission)[-1]
    assert (last["phase"], "receipt" in last) == ("archived", False)


@pytest.mark.parametrize(
    "change, law",
    [
        ({"schema": "m1nd-mission-letter-v1"}, "schema"),
        ({"mission_id": "msn_0123"}, "mission_id"),
        ({"mission_id": "msn_0123456789AB"}, "mission_id"),
        ({"mission_seq": 0}, "mission_seq"),
        ({"brain_ref": "/home/ada/harbour"}, "brain_ref"),
        ({"brain_ref": "C:/harbour"}, "brain_ref"),
        ({"phase": "asleep"}, "phase"),
        ({"phase": "executing", "verdict": {"decision": "APPROVE"}}, "executing_with_verdict"),
        ({"gate": None, "phase": "merge_wait"}, "merge_wait_without_gate"),
        ({"phase": "landed"}, "landed_law"),
        ({"phase": "landed", "receipt": {"imported": True, "store_version": 0}}, "landed_law"),
        ({"phase": "archived", "receipt": {"imported": True, "store_version": 1}}, "archived_with_receipt"),
        (
            {"gate": {"command": "x", "exit_status": 0, "artifact_hash": ""}, "phase": "gate"},
            "incomplete_evidence",
        ),
        (
            {"receipt_candidate": {"evidence": {"artifact_hash": "a", "evidence_refs": []}}},
            "incomplete_evidence",
        ),
        ({"prev_letter_id": "000000000000"}, "stale_head"),
        ({"mission_seq": 9}, "stale_head"),
    ],
)
def test_what_breaks_the_law_is_named(change: dict[str, Any], law: str) -> None:
    letters = chain(mission_at("merge_wait"))
    broken = {**letters[-1], **change}
    if broken["gate"] is None:
        del broken["gate"]
    assert check_letter(letters[-1], letters[-2]) == ""
    assert check_letter(broken, letters[-2]) == law


def test_only_over_a_waiting_mission_an_archive_is_lawful() -> None:
    letters = chain(mission_at("gate"))
    archived = {
        **letters[-1],
        "phase": "archived",
        "mission_seq": letters[-1]["mission_seq"] + 1,
        "prev_letter_id": letter_id(letters[-1]),
    }
    assert check_letter(archived, letters[-1]) == "invalid_transition"
    assert archived["mission_id"] == MISSION
