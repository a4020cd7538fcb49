"""Every verb through the command line: its answer has just the documented keys, and it does just what its effects say."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.support import receipts as evidence
from tests.support.door import Door, harbour
from tests.support.log import command
from tests.support.missions import BLOCK, ratified_block, waiting_mission

from m1nd import __version__
from m1nd.adapters.bootstrap import open_brain
from m1nd.adapters.verbs import VERBS

PYTHON_TYPES = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "object": dict,
    "array": list,
}
MOVE = ("clearance", "src/berth.rs", "src/draught.rs")

UNTRIED_HERE = {"demo", "mission_spawn"}
"""Have tests of their own: test_demo.py, and test_mission_verbs.py (a spawn has no answer but a refusal)."""


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def check_keys(verb: str, data: dict[str, Any]) -> None:
    documented = {field.name: field for field in VERBS[verb].result}
    left_out = set(documented) - set(data)
    assert set(data) <= set(documented), verb
    assert not left_out or (VERBS[verb].sparse and not any(documented[name].required for name in left_out)), (
        verb
    )
    for name, value in data.items():
        field = documented[name]
        if value is None:
            assert not field.required, (verb, name)
            assert not VERBS[verb].sparse, (verb, name, "absent means absent")
        else:
            kind = PYTHON_TYPES[field.type]
            assert isinstance(value, kind), (verb, name, value)
            assert isinstance(value, bool) is (kind is bool), (verb, name, value)


class Observer:
    """Runs verbs and compares what happened to log and tree with what the verb table says."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.seen: set[str] = set()

    def head(self) -> dict[str, Any]:
        return dict(self.door.ask("audit", "seal")[1]["data"])

    def run(self, verb: str, *line: str, changes_tree: bool = False) -> dict[str, Any]:
        head, tree = self.head(), self.door.tree()
        status, answer = self.door.ask(*line)
        assert (status, answer["ok"], answer["schema"]) == (0, True, f"m1nd.{verb}/1"), (line, answer)
        assert set(answer) == {"schema", "ok", "data", "graph_rev", "warnings"}
        check_keys(verb, answer["data"])
        row = VERBS[verb]
        if row.pure_read:
            assert self.head() == head, f"{verb} appended"
        assert (self.door.tree() != tree) is changes_tree, verb
        assert row.destructive or not changes_tree, verb
        self.seen.add(verb)
        return dict(answer["data"])


def test_every_verb_answers_with_its_documented_keys_and_has_its_declared_effects(
    door: Door, tmp_path: Path
) -> None:
    see = Observer(door)
    assert see.run("ingest", "ingest")["modules"] == 24
    assert see.run("ingest", "ingest")["added"] == 0
    see.run("search", "search", "clearance")
    see.run("surgical_context", "context", "src/berth.rs:41")
    see.run("impact", "impact", "crate::berth::clearance")
    see.run("why", "why", "first_chance", "squat")
    see.run("stats", "stats")
    north = see.run("north", "north", "clearance", "of", "a", "berth", "--session", "s-1")
    assert see.run("card", "card", "--session", "s-1")["state"] == north["human_view"]["state"]
    signature = north["human_view"]["state_sig"]
    noted = see.run("card_shown", "card-shown", "s-1", signature)
    assert (noted["first_in_session"], noted["first_of_day"]) == (True, True)
    assert see.run("card", "card", "--session", "s-1")["render_reason"] == "already_shown"

    kept = see.run("transplant_preview", "transplant", "preview", *MOVE)["preview_id"]
    thrown = see.run("transplant_preview", "transplant", "preview", *MOVE)["preview_id"]
    see.run("transplant_show", "transplant", "show", kept)
    see.run("transplant_discard", "transplant", "discard", thrown)
    commit = ("transplant", "commit", kept, "--yes", "--verify", "none")
    moved = see.run("transplant_commit", *commit, changes_tree=True)["transplant_id"]
    see.run("transplant_show", "transplant", "show", moved)
    see.run("transplant_undo", "undo", "--verify", "none", changes_tree=True)
    both = ("transplant", "move", *MOVE, "--yes", "--verify", "none")
    see.run("transplant", *both, changes_tree=True)
    assert len(see.run("transplant_list", "transplant", "list")["moves"]) == 3

    plan = tmp_path / "plan.json"
    plan.write_text('{"files": [{"path": "NOTES.md", "content": "tides\\n"}]}')
    edit = ("edit", "preview", str(plan))
    kept, thrown = (see.run("edit_preview", *edit)["preview_id"] for _ in range(2))
    see.run("edit_discard", "edit", "discard", thrown)
    see.run("edit_show", "edit", "show", kept)
    commit = ("edit", "commit", kept, "--yes", "--verify", "none")
    edited = see.run("edit_commit", *commit, changes_tree=True)["edit_id"]
    see.run("edit_show", "edit", "show", edited)
    assert len(see.run("edit_list", "edit", "list")["edits"]) == 2
    undone = see.run("transplant_undo", "undo", "--verify", "none", changes_tree=True)
    assert (undone["edit_id"], undone["transplant_id"]) == (edited, None)

    claim = ("memory", "add", "Berths are numbered from one", "--evidence", "crate::berth::Berth")
    kept = see.run("memorize", *claim, "--confidence", "0.5")["claim_id"]
    see.run("recall", "memory", "recall", "berths")
    see.run("claim_list", "memory", "list")
    see.run("claim_show", "memory", "show", kept)
    notes = tmp_path / "notes"
    assert len(see.run("light_export", "memory", "export", str(notes))["notes"]) == 1
    assert see.run("light_import", "memory", "import", str(notes))["known"] == 1
    challenge = door.ask("token", "create", "--for", "ci")[1]["error"]["details"]["challenge"]
    assert [w["challenge"] for w in see.run("stamp", "stamp")["waiting"]] == [challenge]
    door.stamp(challenge)
    token = see.run("token_create", "token", "create", "--for", "ci")["token_id"]
    assert [t["token_id"] for t in see.run("token_list", "token", "list")["tokens"]] == [token]
    see.run("token_revoke", "token", "revoke", token)
    see.run("config_set", "config", "set", "verify.agents", "none")
    see.run("config_set", "config", "set", "verify.agents", "check")
    receipts(see, tmp_path)

    assert see.run("document_drift", "memory", "drift")["findings"] == []

    painted = see.run("xray_paint", "paint", "run", "src/fees.rs", "--yes")
    assert (painted["version"], painted["committed"]) == (1, True)
    see.run("xray_retag", "paint", "retag", "add", "hot", "--symbol", "crate::fees::berth_fee", "--yes")
    assert see.run("xray_tags", "paint", "show", "--tag", "hot")["items"][0]["item"]["name"] == "berth_fee"
    assert len(see.run("xray_ledger", "paint", "ledger")["commits"]) == 2

    pattern = tmp_path / "pattern.json"
    pattern.write_text('{"name": "fees", "pattern": {"nodes": [{"role": "fee", "label": "no_such_fee"}]}}')
    id = see.run("antibody_create", "antibody", "create", str(pattern))["antibody_id"]
    assert see.run("antibody_scan", "antibody", "scan")["scanned"] == 1
    see.run("antibody_disable", "antibody", "disable", id)
    see.run("antibody_enable", "antibody", "enable", id)
    see.run("antibody_list", "antibody", "list")
    see.run("antibody_delete", "antibody", "delete", id)

    see_missions(see)
    see_delegation(see)

    see.run("log", "log", "--limit", "5")
    exported = tmp_path / "log.jsonl"
    see.run("log_export", "log", "export", str(exported))
    see.run("audit_verify", "audit", "verify")
    see.run("audit_seal", "audit", "seal")
    see.run("audit_topics", "audit", "topics")
    see.run("audit_replay", "audit", "replay")
    see.run("projections_rebuild", "projections", "rebuild")
    see.run("projections_rebuild", "projections", "rebuild", "--check")

    see.run("status", "status")
    see.run("doctor", "doctor")
    see.run("config", "config")
    see.run("setup", "setup", "claude-code", "--print")
    assert see.run("owner_status", "owner", "status")["running"] is False
    assert see.run("owner_stop", "owner", "stop")["running"] is False
    see.run("completion", "completion", "bash")
    see.run("help", "help", "codes")
    assert see.run("version", "--version") == {"version": __version__}

    other = tmp_path / "other"
    other.mkdir()
    there = Observer(Door(other, door.capsys, door.environment))
    there.run("log_import", "log", "import", str(exported))
    assert there.head() == see.head()
    there.run("clean", "clean", "--yes")
    there.door.stamp(there.door.ask("forget")[1]["error"]["details"]["challenge"])
    assert there.run("forget", "forget")["events"] > 0
    mapped = see_blocks(harbour(tmp_path / "map", door.capsys, door.environment))
    assert see.seen | there.seen | mapped | UNTRIED_HERE == set(VERBS)


def see_blocks(door: Door) -> set[str]:
    """The whole life of a map; the verbs that were tried."""
    see = Observer(door)

    def stamped(verb: str, *line: str) -> dict[str, Any]:
        door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
        return see.run(verb, *line)

    assert see.run("system_blocks_snapshot", "blocks", "show")["present"] is False
    root, src = see.run("skeleton_candidate", "blocks", "candidate")["block_ids"]
    see.run("candidate_lease", "blocks", "lease", "acquire")
    see.run("candidate_edit", "blocks", "edit", "--rename", root, "Paper", "--contract", root, "docs")
    see.run("candidate_edit", "blocks", "edit", "--rename", src, "Harbour")
    for part in ("names", "boundaries", "contract"):
        stamped("system_blocks_ratify", "blocks", "ratify", "--sign", part)
    assert see.run("system_blocks_snapshot", "blocks", "show")["rollup"]["evidence_backed"] == 1
    assert see.run("system_blocks_reconcile", "blocks", "reconcile")["dirty"] is False
    see.run("system_blocks_amend", "blocks", "amend", src, "--add", "tests/**=test")
    see.run("system_blocks_layout", "blocks", "layout", src, "--x", "1", "--y", "2")
    see.run("system_blocks_seed_export", "blocks", "export", changes_tree=True)
    see.run("system_blocks_seed_import", "blocks", "import", "--force")
    stamped("system_blocks_archive", "blocks", "archive", root)
    stamped("system_blocks_restore", "blocks", "restore", root)
    stamped("system_blocks_archive", "blocks", "archive", root)
    stamped("system_blocks_delete", "blocks", "delete", root)
    return see.seen


def see_missions(see: Observer) -> None:
    """A mission, opened and shown."""
    brain = open_brain(str(see.door.root), environment=see.door.environment)
    ratified_block(brain.app, command(1))
    brain.close()
    opened = ("missions", "post", "open", "--block", BLOCK, "--message", "Round the heights.")
    id = see.run("mission_post", *opened, "--as", "agent:drafter")["mission_id"]
    assert [each["mission_id"] for each in see.run("missions", "missions", "list")["missions"]] == [id]
    assert len(see.run("mission_show", "missions", "show", id)["letters"]) == 1
    assert see.run("mission_sweep", "missions", "sweep") == {"stalled": []}
    assert [entry["line"] for entry in see.run("tray", "tray", "--list")["entries"]] == [
        "waits for a reviewer"
    ]
    brain = open_brain(str(see.door.root), environment=see.door.environment)
    for digits in ("0" * 12, "1" * 12):
        waiting_mission(brain.app, f"msn_{digits}")
    brain.close()
    for verb, line in (
        ("mission_land", ("land", f"msn_{'0' * 12}")),
        ("mission_archive", ("missions", "archive", f"msn_{'1' * 12}")),
    ):
        see.door.stamp(see.door.ask(*line)[1]["error"]["details"]["challenge"])
        assert see.run(verb, *line)["id"] == line[-1]


def see_delegation(see: Observer) -> None:
    """A packet out and its answer, and the declared invariants."""
    asked = ("the fee of a berth", "--block", BLOCK)
    assert see.run("delegate_clipboard", "delegate", "copy", *asked)["delegation_id"] == ""
    id = see.run("delegate", "delegate", "give", *asked)["delegation_id"]
    see.run("debrief", "debrief", id, "--outcome", "partial", "--touched", "src/tide.rs")
    assert [each["outcome"] for each in see.run("delegations", "delegate", "list")["delegations"]] == [
        "partial"
    ]
    (see.door.root / "docs").mkdir(exist_ok=True)
    (see.door.root / "docs/soul.md").write_text("- A berth is numbered: `src/berth.rs`.\n")
    assert see.run("soul_check", "soul", "check", "--block", BLOCK)["holds"] == 1


def receipts(see: Observer, tmp_path: Path) -> None:
    """Evidence of a block, in and out again, each time with a stamp."""
    door, file = see.door, tmp_path / "receipt.json"
    brain = open_brain(str(door.root.resolve()), environment=door.environment)
    evidence.ratify(brain.app, 21)
    file.write_text(json.dumps(evidence.wire(brain.app)))
    brain.close()
    line = ("receipts", "import", str(file))
    door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
    receipt = see.run("receipt_import", *line)["receipt_id"]
    see.run("receipt_list", "receipts", "list")
    see.run("receipt_show", "receipts", "show", receipt)
    assert see.run("receipt_recompute", "receipts", "recompute", evidence.BLOCK)["fresh_count"] == 1
    told = see.run("why_state", "why-state", evidence.BLOCK)
    assert (told["standing"], told["have"], told["need"]) == ("needs_evidence", 1, 2)
    line = ("receipts", "withdraw", receipt, "--reason", "the artifact is gone")
    door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
    see.run("receipt_withdraw", *line)


def test_graph_rev_is_the_generation_also_in_errors(door: Door) -> None:
    assert door.ask("transplant", "show", "pre_00000000")[1]["graph_rev"] == 0
    door.ask("ingest")
    status, answer = door.ask("transplant", "show", "pre_00000000")
    assert (status, answer["ok"], answer["graph_rev"]) == (1, False, 1)
    assert door.ask("frobnicate")[1]["graph_rev"] == 1
    assert door.ask("search", "clearance")[1]["graph_rev"] == 1


def test_a_read_only_attach_leaves_no_trace_and_denies_what_would(door: Door) -> None:
    tree = door.tree()
    for line in (["search", "clearance"], ["stats"], ["status"], ["doctor"], ["log"], ["transplant", "list"]):
        assert door.ask(*line, "--read-only")[0] == 0, line
    for line in (
        ["ingest"],
        ["transplant", "preview", *MOVE],
        ["transplant", "move", *MOVE, "--yes"],
        ["undo"],
        ["transplant", "discard", "pre_00000000"],
    ):
        status, answer = door.ask(*line, "--read-only")
        assert (status, answer["error"]["code"]) == (1, "read_only"), line
    assert door.tree() == tree
    assert not (door.root / ".m1nd").exists()


def test_a_refusal_changes_no_byte_and_names_the_next_step(door: Door) -> None:
    tree = door.tree()
    status, answer = door.ask("transplant", "preview", "clearance", "src/berth.rs", "src/channel.rs")
    assert status == 1
    error = answer["error"]
    assert set(error) == {"code", "message", "hint", "retryable", "details"}
    assert (error["code"], error["retryable"]) == ("collision", False)
    assert error["hint"]
    assert door.tree() == tree
    status, out, err = door.say("transplant", "commit", "pre_00000000")
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == "next: m1nd transplant commit pre_00000000 --yes"


def test_no_answer_holds_a_path_outside_the_root(door: Door, tmp_path: Path) -> None:
    door.environment["M1ND_HOME"] = str(tmp_path / "elsewhere")
    lines = (["ingest"], ["status"], ["doctor"], ["config"], ["stats"], ["transplant", "preview", *MOVE])
    for line in lines:
        status, answer = door.ask(*line)
        assert status == 0, line
        assert str(tmp_path / "elsewhere") not in str({**answer["data"], "settings": ""}), line
    assert not (door.root / ".m1nd").exists()
