"""Delegation: a packet out, one answer back, graded paths, evidence that composes a candidate; and what never leaves."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.log import START, command
from tests.support.missions import AUTHOR, BLOCK, SCOPE, ratified_block

from m1nd.adapters.bootstrap import open_brain
from m1nd.domain.missions.delegation import Delegation, Foreseen, graded
from m1nd.domain.refusal import Refused

SECRET = "password=hunter2hunter2"
EVIDENCE = {
    "artifact_hash": "b" * 64,
    "evidence_refs": ["review/1"],
    "stdout_excerpt": f"looked at it, {SECRET}",
}
FORESEEN = Foreseen(in_scope=("a.rs",), expected_change=("b.rs",), dependent_contact=("c.rs",))


def issued() -> Delegation:
    until = START + timedelta(hours=1)
    given = command(1, actor=AUTHOR)
    return Delegation.issue("dlg_0123456789ab", "Round.", "e" * 64, BLOCK, SCOPE, FORESEEN, 1, until, given)


def test_every_path_is_graded_once_by_what_the_packet_foresaw() -> None:
    found = graded(FORESEEN, ["d.rs", "c.rs", "b.rs", "a.rs", "a.rs"])
    assert [(each.path, each.grade) for each in found] == [
        ("a.rs", "in_scope"),
        ("b.rs", "expected_change"),
        ("c.rs", "dependent_contact"),
        ("d.rs", "unpredicted"),
    ]


def test_a_delegation_is_answered_once_and_a_late_answer_says_so() -> None:
    delegation = issued()
    event: Any = delegation.debrief("success", ["a.rs"], (), None, "", command(2, minutes=60))
    assert (event.late, event.outcome_state) == (True, "outcome_unverified")
    with pytest.raises(Refused) as caught:
        delegation.debrief("failure", [], (), None, "", command(3))
    assert caught.value.refusal.code == "delegation_answered"
    folded = None
    for each in tuple(delegation.pending_events):
        folded = each.mutate(folded)
    assert folded is not None
    assert folded.state == delegation.state


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    brain = open_brain(str(made.root), environment=made.environment)
    ratified_block(brain.app, command(1), path="src/fees.rs")
    brain.close()
    return made


def count(door: Door) -> int:
    return int(door.ask("audit", "seal")[1]["data"]["count"])


def given(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("delegate", "give", *line)
    assert (status, answer["ok"]) == (0, True), answer
    return dict(answer["data"])


def test_the_clipboard_form_appends_nothing_and_changes_no_file(door: Door) -> None:
    door.ask("ingest")
    before, tree = count(door), door.tree()
    state = sorted((path.name, path.stat().st_size) for path in (door.root / ".m1nd").glob("log.db*"))
    status, answer = door.ask("delegate", "copy", "the fee of a berth", "--block", BLOCK)
    packet = answer["data"]
    assert (status, packet["mode"], packet["delegation_id"], packet["verdict"]) == (
        0,
        "clipboard",
        "",
        "packet",
    )
    assert packet["hygiene"] == {"screenshot": False, "redacted": True, "appends": False}
    assert not any("m1nd debrief" in line for line in packet["report_protocol"])
    assert (count(door), door.tree()) == (before, tree)
    assert sorted((path.name, path.stat().st_size) for path in (door.root / ".m1nd").glob("log.db*")) == state
    assert door.ask("delegate", "copy", "the fee of a berth", "--read-only")[0] == 0


def test_a_packet_names_where_the_work_is_what_it_does_not_know_and_how_to_answer(door: Door) -> None:
    packet = given(door, "the fee of a berth", "--block", BLOCK)
    assert packet["schema"] == "m1nd-delegation-packet-v0"
    assert "src/fees.rs" in packet["foreseen"]["in_scope"]
    assert any(row["label"].endswith("berth_fee") for row in packet["context"])
    assert packet["mission"]["binding"]["workspace_root"] == "harbour"
    assert packet["mission"]["block"]["boundary_version"] == 1
    assert packet["honest_gaps"]
    assert packet["non_claims"]
    assert packet["delegation_id"] in " ".join(packet["report_protocol"])
    assert str(door.root) not in json.dumps(packet)


def test_nothing_secret_leaves_in_a_packet_or_stays_in_the_log(door: Door, tmp_path: Path) -> None:
    packet = given(door, f"the fee of a berth with {SECRET}", "--block", BLOCK)
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(EVIDENCE))
    line = ("debrief", packet["delegation_id"], "--outcome", "success", "--finding", f"it uses {SECRET}")
    answer = door.ask(*line, "--evidence", str(file))[1]["data"]
    said = json.dumps([packet, answer])
    log = tmp_path / "log.jsonl"
    door.ask("log", "export", str(log))
    assert "hunter2" not in said
    assert "hunter2" not in log.read_text()
    assert "[redacted:secret]" in said


def test_without_an_ingest_or_a_scope_there_is_no_packet_and_nothing_is_recorded(door: Door) -> None:
    status, answer = door.ask("delegate", "copy", "the fee of a berth")
    assert (status, answer["data"]["verdict"]) == (1, "needs_ingest")
    status, answer = door.ask("delegate", "give", "zzzz qqqq")
    assert (status, answer["data"]["verdict"], answer["data"]["abstain_class"]) == (
        1,
        "abstain",
        "unscopable",
    )
    assert door.ask("delegate", "list")[1]["data"]["delegations"] == []


def test_evidence_composes_a_review_candidate_that_waits_for_the_human(door: Door, tmp_path: Path) -> None:
    id = given(door, "the fee of a berth", "--block", BLOCK)["delegation_id"]
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(EVIDENCE))
    line = ("debrief", id, "--outcome", "success", "--touched", "src/fees.rs", "--touched", "README.md")
    answer = door.ask(*line, "--evidence", str(file))[1]["data"]
    assert answer["outcome_state"] == "evidence_attached"
    assert [each["grade"] for each in answer["touched"]] == ["unpredicted", "in_scope"]
    assert answer["honest_gaps"] == ["1 touched file(s) were not foreseen."]
    assert answer["candidate"]["type"] == "review"
    (waiting,) = door.ask("tray", "--list")[1]["data"]["candidates"]
    assert waiting["candidate_id"] == answer["candidate_id"]
    status, refusal = door.ask("land", answer["candidate_id"])
    assert (status, refusal["error"]["code"]) == (4, "human_gesture_required")
    door.stamp(refusal["error"]["details"]["challenge"])
    assert door.ask("land", answer["candidate_id"])[0] == 0
    assert [r["type"] for r in door.ask("receipts", "list")[1]["data"]["receipts"]] == ["review"]
    assert door.ask("debrief", id, "--outcome", "success")[1]["error"]["code"] == "delegation_answered"
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_without_evidence_the_outcome_stays_unverified_and_without_a_block_nothing_is_composed(
    door: Door, tmp_path: Path
) -> None:
    id = given(door, "the fee of a berth", "--block", BLOCK)["delegation_id"]
    answer = door.ask("debrief", id, "--outcome", "success")[1]["data"]
    assert (answer["outcome_state"], answer["candidate"]) == ("outcome_unverified", None)
    id = given(door, "the fee of a berth")["delegation_id"]
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(EVIDENCE))
    answer = door.ask("debrief", id, "--outcome", "failure", "--evidence", str(file))[1]["data"]
    assert (answer["outcome_state"], answer["candidate"]) == ("evidence_attached", None)
    assert door.ask("tray", "--list")[1]["data"]["candidates"] == []


@pytest.mark.parametrize(
    "evidence, code",
    [
        ({"artifact_hash": "b" * 64, "evidence_refs": []}, "evidence_incomplete"),
        ({"artifact_hash": "nonsense", "evidence_refs": ["a"]}, "evidence_incomplete"),
        ({"artifact_hash": "b" * 64, "evidence_refs": ["/etc/passwd"]}, "evidence_incomplete"),
        (
            {"artifact_hash": "b" * 64, "evidence_refs": ["a"], "started_at": "2026-05-01T12:00:00Z"},
            "evidence_incomplete",
        ),
        ({"artifact_hash": "b" * 64, "evidence_refs": ["a"], "mood": "good"}, "usage"),
        ([], "usage"),
    ],
)
def test_evidence_that_could_not_land_answers_nothing(
    door: Door, tmp_path: Path, evidence: Any, code: str
) -> None:
    id = given(door, "the fee of a berth", "--block", BLOCK)["delegation_id"]
    file = tmp_path / "evidence.json"
    file.write_text(json.dumps(evidence))
    answer = door.ask("debrief", id, "--outcome", "success", "--evidence", str(file))[1]
    assert answer["error"]["code"] == code
    assert door.ask("delegate", "list")[1]["data"]["delegations"][0]["outcome"] == ""


def test_what_is_no_delegation_is_refused(door: Door) -> None:
    for id in ("dlg_ffffffffffff", "dlg_1", "msn_0123456789ab"):
        assert door.ask("debrief", id, "--outcome", "success")[1]["error"]["code"] == "unknown_delegation"
    id = given(door, "the fee of a berth", "--block", BLOCK)["delegation_id"]
    line = ("debrief", id, "--outcome", "success", "--touched", "../elsewhere")
    assert door.ask(*line)[1]["error"]["code"] == "outside_root"
    assert door.ask("delegate", "give", " ")[1]["error"]["code"] == "usage"
    assert door.ask("delegate", "give", "x", "--block", "sb_no")[1]["error"]["code"] == "unknown_block"
