"""`m1nd blocks …` from the command line: propose, name, sign, ratify, age, reconcile, archive, delete, import, export."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

ROOT, SRC = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, {**os.environ, "COLUMNS": "200"})


def done(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert (status, answer["ok"]) == (0, True), (line, answer)
    return dict(answer["data"])


def refused(door: Door, *line: str) -> tuple[int, str, dict[str, Any]]:
    """Exit status, code and error of a line that must change neither tree nor map."""
    tree, before = door.tree(), done(door, "blocks", "show")
    status, answer = door.ask(*line)
    assert answer["ok"] is False, answer
    assert door.tree() == tree
    assert done(door, "blocks", "show") == before
    assert answer["error"]["hint"]
    return status, answer["error"]["code"], answer["error"]


def stamped(door: Door, *line: str) -> dict[str, Any]:
    """The line, after the owner gave the stamp that it asked for."""
    status, code, error = refused(door, *line)
    assert (status, code) == (4, "human_gesture_required"), error
    door.stamp(error["details"]["challenge"])
    return done(door, *line)


def named(door: Door) -> None:
    done(door, "blocks", "candidate")
    names = ("--rename", SRC, "Harbour", "--rename", ROOT, "Paper")
    done(door, "blocks", "edit", *names, "--contract", ROOT, "docs")


def ratified(door: Door) -> None:
    named(door)
    for part in ("names", "boundaries", "contract"):
        stamped(door, "blocks", "ratify", "--sign", part)


def block(door: Door, id: str) -> dict[str, Any]:
    return dict(done(door, "blocks", "show", id)["store"]["blocks"][0])


def topics(door: Door) -> list[str]:
    return [event["topic"] for event in done(door, "log", "--limit", "1000")["events"]]


def test_three_signatures_make_blocks_with_baseline_and_spec_receipt_in_one_append(door: Door) -> None:
    named(door)
    first = stamped(door, "blocks", "ratify", "--sign", "names")
    assert (first["signed_block_ids"], first["ratified_block_ids"]) == ([ROOT, SRC], [])
    assert first["skeleton_state"] == "candidate"
    stamped(door, "blocks", "ratify", "--sign", "contract")
    before = len(topics(door))
    last = stamped(door, "blocks", "ratify", "--sign", "boundaries")
    assert (last["ratified_block_ids"], last["skeleton_state"]) == ([ROOT, SRC], "ratified")
    assert topics(door)[before:] == [
        *("stamp_opened", "stamp_challenged", "command_refused", "stamp_given", "map_advanced"),
        *("boundaries_signed", "skeleton_ratified"),
        *("block_opened", "block_ratified", "boundary_baselined", "receipt_registered") * 2,
        *("stamp_consumed", "receipt_imported", "receipt_imported"),
    ]
    docs, core = block(door, ROOT), block(door, SRC)
    assert docs["evidence"]["standing"] == "evidence_backed"
    assert (docs["evidence"]["have"], docs["evidence"]["need"]) == (1, 1)
    assert (core["evidence"]["standing"], core["evidence"]["have"], core["evidence"]["need"]) == (
        "needs_evidence",
        1,
        3,
    )
    assert core["evidence"]["missing"] == ["structural", "test"]
    assert door.ask("projections", "rebuild", "--check")[0] == 0
    assert door.ask("audit", "verify")[0] == 0


MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


def receipt(door: Door, tmp_path: Path, type: str, *stales_on: str) -> None:
    """Evidence of that type on the present scope of SRC, landed with a stamp."""
    now = block(door, SRC)
    body = {
        "type": type,
        "emitter": {"kind": "verb" if type == "structural" else "ci", "id": "here"},
        "scope": {
            "block_id": SRC,
            "boundary_version": now["boundary_version"],
            "contract_version": now["contract_version"],
            "resolution_hash": now["resolved"]["resolution_hash"],
        },
        "evidence": {
            "command": "cargo test",
            "cwd": ".",
            "exit_status": 0,
            "started_at": "2026-01-01T00:00:00Z",
            "ended_at": "2026-01-01T00:00:01Z",
            "artifact_hash": "a" * 64,
            "evidence_refs": [f"run:{now['boundary_version']}"],
        },
        "validity": {"expires_on": None, "stales_on": list(stales_on)},
    }
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(body))
    line = ("receipts", "import", str(path))
    door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
    done(door, *line)


def test_a_move_raises_the_boundary_of_its_blocks_and_says_so_in_its_receipt(
    door: Door, tmp_path: Path
) -> None:
    ratified(door)
    receipt(door, tmp_path, "test")
    assert block(door, SRC)["evidence"]["have"] == 2
    preview = done(door, "transplant", "preview", "clearance", "src/berth.rs", "src/draught.rs")
    assert preview["candidate"]["blocks_touched"] == [{"block_id": SRC, "from": 1, "to": 2}]
    moved = done(door, *MOVE)
    told = moved["receipt"]
    assert told["blocks_touched"] == [{"block_id": SRC, "from": 1, "to": 2}]
    assert sorted((r["block_id"], r["type"], r["reason"]) for r in told["receipts_staled"]) == [
        (SRC, "spec", "boundary"),
        (SRC, "test", "boundary"),
    ]
    now = block(door, SRC)
    assert (now["boundary_version"], now["signed"]) == (2, {"boundary": 1, "needs_signature": True})
    assert (now["evidence"]["standing"], now["evidence"]["have"]) == ("needs_evidence", 0)
    assert block(door, ROOT)["boundary_version"] == 1
    assert "boundary unsigned" in door.say("blocks", "show")[1]
    events = done(door, "log", "--limit", "1000")["events"]
    by_topic = {event["topic"]: event for event in events}
    bumped, staled = by_topic["boundary_bumped"], by_topic["receipt_staled"]
    assert bumped["causation_id"] == by_topic["transplant_committed"]["event_id"]
    assert staled["causation_id"] == bumped["event_id"] and staled["position"] > bumped["position"]
    commands = {
        by_topic[t]["command_id"] for t in ("transplant_committed", "boundary_bumped", "receipt_staled")
    }
    assert len(commands) == 1

    undone = done(door, "undo", "--verify", "none")
    assert undone["blocks_touched"] == [{"block_id": SRC, "from": 2, "to": 3}]
    assert undone["receipts_staled"] == []
    assert block(door, SRC)["boundary_version"] == 3
    signed = stamped(door, "blocks", "ratify", SRC, "--sign", "boundaries")
    assert signed["signed_block_ids"] == [SRC] and signed["ratified_block_ids"] == []
    now = block(door, SRC)
    assert (now["signed"], now["evidence"]["have"]) == ({"boundary": 3, "needs_signature": False}, 1)
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_an_edit_that_makes_and_removes_files_moves_the_boundary_once(door: Door, tmp_path: Path) -> None:
    ratified(door)
    plan = tmp_path / "plan.json"
    plan.write_text(
        json.dumps(
            {
                "files": [
                    {"path": "src/eddy.rs", "content": "// calm\n"},
                    {"path": "src/window.rs", "remove": True},
                ]
            }
        )
    )
    id = done(door, "edit", "preview", str(plan))["preview_id"]
    told = done(door, "edit", "commit", id, "--yes", "--verify", "none")["receipt"]
    assert told["blocks_touched"] == [{"block_id": SRC, "from": 1, "to": 2}]
    paths = block(door, SRC)["resolved"]["member_paths"]
    assert "src/eddy.rs" in paths and "src/window.rs" not in paths
    assert done(door, "blocks", "reconcile")["dirty"] is False
    assert block(door, SRC)["drift"] == {"added": [], "vanished": []}


def test_an_edit_outside_of_all_blocks_touches_none(door: Door, tmp_path: Path) -> None:
    ratified(door)
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"files": [{"path": "notes/a.md", "content": "x"}]}))
    id = done(door, "edit", "preview", str(plan))["preview_id"]
    told = done(door, "edit", "commit", id, "--yes", "--verify", "none")["receipt"]
    assert (told["blocks_touched"], told["receipts_staled"]) == ([], [])
    assert "boundary_bumped" not in topics(door)


def test_other_bytes_of_a_member_stale_what_lists_member_change_and_bump_nothing(
    door: Door, tmp_path: Path
) -> None:
    ratified(door)
    receipt(door, tmp_path, "test")
    (door.root / "src/tide.rs").write_text((door.root / "src/tide.rs").read_text() + "\n// more\n")
    now = block(door, SRC)
    assert now["boundary_version"] == 1
    assert {r["type"]: (r["stage"], r["reason"]) for r in now["receipts"]} == {
        "test": ("staled", "content"),
        "spec": ("live", ""),
    }
    assert "test stale (content)" in door.say("blocks", "show")[1]


def test_new_and_vanished_files_are_drift_until_the_map_is_reconciled(door: Door) -> None:
    ratified(door)
    (door.root / "src/ebb.rs").write_text("// new\n")
    (door.root / "src/window.rs").rename(door.root / "src/pane.rs")
    now = block(door, SRC)
    assert now["drift"] == {"added": ["src/ebb.rs", "src/pane.rs"], "vanished": ["src/window.rs"]}
    assert (now["boundary_version"], now["evidence"]["have"]) == (1, 1)
    assert "drift +2 -1" in door.say("blocks", "show")[1]
    done(door, "blocks", "amend", SRC, "--snooze", "2999-01-01T00:00:00+00:00")
    assert "drift" not in door.say("blocks", "show")[1].split("unmapped")[0].split("stale or open")[1]
    report = done(door, "blocks", "reconcile")
    assert report["bumped_block_ids"] == [SRC]
    row = next(row for row in report["blocks"] if row["block_id"] == SRC)
    assert (row["added"], row["removed"]) == (["src/ebb.rs", "src/pane.rs"], ["src/window.rs"])
    assert (report["note"] is not None, block(door, SRC)["drift"]) == (True, {"added": [], "vanished": []})
    assert done(door, "blocks", "reconcile")["dirty"] is False
    assert refused(door, "blocks", "amend", SRC, "--dismiss", "x")[1] == "no_drift"


def test_a_stale_version_changes_nothing_and_names_both_numbers(door: Door) -> None:
    ratified(door)
    for line in (
        ("blocks", "reconcile"),
        ("blocks", "candidate"),
        ("blocks", "amend", SRC, "--remove", "src/**"),
        ("blocks", "layout", SRC, "--x", "1", "--y", "1"),
        ("blocks", "ratify", "--sign", "boundaries", SRC),
    ):
        status, code, error = refused(door, *line, "--expected", "1")
        assert (status, code) == (5, "store_conflict"), line
        assert (error["details"]["expected"], error["details"]["actual"]) == (
            1,
            done(door, "blocks", "show")["store_version"],
        )


def test_a_contract_is_amended_with_a_stamp_and_stales_what_was_earned(door: Door) -> None:
    ratified(door)
    amended = stamped(door, "blocks", "amend", ROOT, "--template", "installer", "--reason", "it ships")
    assert (amended["contract_version"], amended["part"]) == (2, "contract")
    now = block(door, ROOT)
    assert [slot["type"] for slot in now["receipt_contract"]["required"]] == ["spec", "test"]
    assert [(r["stage"], r["reason"]) for r in now["receipts"]] == [("live", ""), ("staled", "contract")]
    assert (now["evidence"]["have"], now["evidence"]["need"]) == (1, 2)


def test_archive_releases_files_restore_reclaims_them_and_delete_asks_for_an_archived_block(
    door: Door,
) -> None:
    ratified(door)
    assert refused(door, "blocks", "delete", SRC)[1] == "delete_unsafe"
    assert refused(door, "blocks", "archive", SRC, "sb_harbour_nothing_00000000")[1] == "unknown_block"
    files = block(door, SRC)["resolved"]["member_paths"]
    assert stamped(door, "blocks", "archive", SRC)["changed_block_ids"] == [SRC]
    store = done(door, "blocks", "show")["store"]
    assert set(files) <= set(store["unmapped_files"])
    assert [r["reason"] for r in block(door, SRC)["receipts"]] == ["archived"]
    version = done(door, "blocks", "show")["store_version"]
    again = done(door, "blocks", "archive", SRC)
    assert (again["changed_block_ids"], again["store_version"]) == ([], version)
    assert refused(door, "blocks", "amend", SRC, "--dismiss", "x")[1] == "block_archived"
    stamped(door, "blocks", "restore", SRC)
    assert block(door, SRC)["resolved"]["member_paths"] == files
    stamped(door, "blocks", "archive", SRC)
    stamped(door, "blocks", "delete", SRC)
    assert refused(door, "blocks", "show", SRC)[1] == "unknown_block"
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_what_a_person_would_sign_blind_is_refused(door: Door) -> None:
    for line in (["reconcile"], ["ratify", "--sign", "names"], ["export"], ["archive", SRC]):
        assert refused(door, "blocks", *line)[1] == "no_store", line
    done(door, "blocks", "candidate")
    assert refused(door, "blocks", "ratify", "--sign", "names")[1] == "needs_owner_naming"
    assert refused(door, "blocks", "ratify", "--sign", "contract")[1] == "contract_empty"
    assert refused(door, "blocks", "ratify", "sb_x_y_0", "--sign", "names")[1] == "unknown_block"
    assert refused(door, "blocks", "ratify")[:2] == (2, "usage")


def test_an_edit_voids_the_signatures_of_the_blocks_that_it_changes(door: Door) -> None:
    named(door)
    stamped(door, "blocks", "ratify", "--sign", "names")
    done(door, "blocks", "edit", "--purpose", SRC, "All of the harbour.")
    signed = done(door, "blocks", "show")["store"]["skeleton"]["signed"]
    assert signed == {"names": [ROOT], "boundaries": [], "contract": []}


def test_files_that_change_between_two_signatures_void_the_boundary(door: Door) -> None:
    named(door)
    stamped(door, "blocks", "ratify", "--sign", "boundaries")
    stamped(door, "blocks", "ratify", "--sign", "names")
    (door.root / "src/ebb.rs").write_text("// new\n")
    last = stamped(door, "blocks", "ratify", "--sign", "contract")
    assert last["ratified_block_ids"] == [ROOT]
    assert last["voided"] == [{"part": "boundaries", "block_ids": [SRC]}]
    assert last["skeleton_state"] == "partially_ratified"
    assert stamped(door, "blocks", "ratify", "--sign", "boundaries")["ratified_block_ids"] == [SRC]


def test_a_ratified_map_takes_a_revision_that_is_promoted_or_discarded(door: Door) -> None:
    ratified(door)
    before = done(door, "blocks", "show")["store"]["blocks"]
    assert refused(door, "blocks", "edit", "--rename", SRC, "Other")[1] == "skeleton_not_candidate"
    made = done(door, "blocks", "candidate")
    assert made["transaction_state"] == "wrote_candidate_revision"
    assert done(door, "blocks", "show")["store"]["blocks"] == before
    done(door, "blocks", "candidate", "--discard")
    assert refused(door, "blocks", "candidate", "--discard")[1] == "no_revision"
    (door.root / "docs").mkdir()
    for name in "abc":
        (door.root / f"docs/{name}.md").write_text("x")
    done(door, "blocks", "candidate")
    promoted = done(door, "blocks", "candidate", "--promote")
    assert len(promoted["block_ids"]) == 1
    docs = promoted["block_ids"][0]
    done(door, "blocks", "edit", "--rename", docs, "Docs")
    for part in ("names", "boundaries", "contract"):
        last = stamped(door, "blocks", "ratify", "--sign", part)
    assert (last["ratified_block_ids"], last["skeleton_state"]) == ([docs], "ratified")


def test_a_seed_comes_back_byte_for_byte_and_lies_where_it_is_looked_for(door: Door, tmp_path: Path) -> None:
    ratified(door)
    done(door, "blocks", "export")
    seed = door.root / "docs/system-blocks/harbour.seed.v0.json"
    text = seed.read_text()
    other = harbour(tmp_path / "other", door.capsys, door.environment)
    imported = stamped(other, "blocks", "import", str(seed), "--ratified")
    assert (imported["as_ratified"], imported["block_count"]) == (True, 2)
    assert done(other, "blocks", "export", "-")["seed"] == text
    assert refused(other, "blocks", "import", str(seed))[1] == "already_present"
    again = done(other, "blocks", "import", str(seed), "--force")
    assert (again["as_ratified"], again["overwritten"]) == (False, True)


def test_a_seed_with_receipts_brings_them_where_the_files_are_the_same_or_nothing(
    door: Door, tmp_path: Path
) -> None:
    ratified(door)
    receipt(door, tmp_path, "test")
    seed = tmp_path / "seed.json"
    seed.write_text(done(door, "blocks", "export", "-", "--receipts")["seed"])
    same = harbour(tmp_path / "same", door.capsys, door.environment)
    stamped(same, "blocks", "import", str(seed), "--ratified")
    assert done(same, "blocks", "export", "-", "--receipts")["seed"] == seed.read_text()
    assert block(same, SRC)["evidence"]["have"] == 2
    assert same.ask("projections", "rebuild", "--check")[0] == 0

    other = harbour(tmp_path / "other", door.capsys, door.environment)
    (other.root / "src/ebb.rs").write_text("// one more\n")
    assert refused(other, "blocks", "import", str(seed))[1] == "block_not_ratified"
    other.stamp(refused(other, "blocks", "import", str(seed), "--ratified")[2]["details"]["challenge"])
    assert refused(other, "blocks", "import", str(seed), "--ratified")[1] == "stale_scope"
    assert done(other, "blocks", "show")["present"] is False


def test_a_person_sees_the_map_in_forty_columns_and_in_ascii(door: Door) -> None:
    assert "m1nd blocks candidate" in door.say("blocks", "show")[1]
    ratified(door)
    for columns in ("40", "120"):
        door.environment["COLUMNS"] = columns
        status, out, _ = door.say("--ascii", "blocks", "show")
        assert status == 0 and out.isascii()
        assert all(
            len(line) <= int(columns) or line.startswith(("sign", "ratify")) for line in out.splitlines()
        )
    door.environment["COLUMNS"] = "120"
    out = door.say("blocks", "show", SRC)[1]
    assert "evidence-backed" not in out and "needs-evidence 1/3" in out
    assert not {"proven", "done", "correct"} & set(out.lower().split())


def test_a_file_of_a_live_block_is_mapped_whatever_an_unsigned_candidate_of_its_id_says(door: Door) -> None:
    ratified(door)
    before = done(door, "blocks", "show")["store"]["unmapped_total"]
    seed = json.loads(done(door, "blocks", "export", "-")["seed"])
    for each in seed["blocks"]:
        if each["block_id"] == SRC:
            each["membership"] = [{"path": "src/tide.rs", "role": "primary"}]
    narrow = door.root / "narrow.seed.json"
    narrow.write_text(json.dumps(seed))
    done(door, "blocks", "import", str(narrow), "--force")
    narrow.unlink()
    assert done(door, "blocks", "show")["store"]["unmapped_total"] == before
    assert done(door, "blocks", "reconcile")["unmapped_total"] == before


def test_a_candidate_reads_the_repository_wherever_its_state_lies_and_says_that_names_are_guesses(
    door: Door, tmp_path: Path
) -> None:
    """Scenarios 99 and 100."""
    door.environment["M1ND_HOME"] = str(tmp_path / "elsewhere")
    made = done(door, "blocks", "candidate")
    assert made["block_ids"] == [ROOT, SRC]
    assert (made["report"]["repo_file_count"], made["report"]["claimed_file_count"]) == (17, 15)
    assert made["report"]["naming"] == {
        "requested": "heuristic",
        "applied": "heuristic",
        "runner_available": False,
        "note": "no naming runner is connected: every name is a guess from folders and needs the owner",
    }
    assert not (door.root / ".m1nd").exists()
