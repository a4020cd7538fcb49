"""The gates as the command line meets them: protected zones, read-only attaches, callers of another repository."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

from m1nd.adapters.cli.context import Call
from m1nd.adapters.cli.program import run
from m1nd.adapters.verbs import VERBS

MOVE = ("clearance", "src/berth.rs", "src/draught.rs")
ZONES = "ci/protected-zones.json"


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., str]:
    def write(**contents: str) -> str:
        path = tmp_path / "plan.json"
        files = [{"path": name, "content": text} for name, text in contents.items()]
        path.write_text(json.dumps({"files": files}))
        return str(path)

    return write


def edit(door: Door, plan: str) -> tuple[int, dict[str, Any]]:
    return door.ask("edit", "preview", plan)


def guard(door: Door, *globs: str) -> None:
    (door.root / "ci").mkdir(exist_ok=True)
    zones = [{"glob": glob, "reason": "audited by hand"} for glob in globs]
    (door.root / ZONES).write_text(json.dumps({"zones": zones}))


def whole(folder: Path) -> dict[str, bytes | str]:
    """Everything below a folder: files, folders and links, m1nd's own state and caches too."""
    return {
        path.relative_to(folder).as_posix(): os.readlink(path)
        if path.is_symlink()
        else path.read_bytes()
        if path.is_file()
        else "folder"
        for path in sorted(folder.rglob("*"))
    }


def refused(door: Door, *line: str) -> tuple[int, str, dict[str, Any]]:
    """Exit status, code and error of a line that must leave the tree as it is."""
    before = door.tree()
    status, answer = door.ask(*line)
    assert answer["ok"] is False, answer
    assert door.tree() == before
    assert answer["error"]["hint"]
    return status, answer["error"]["code"], answer["error"]


# Zones


def test_a_zone_stops_a_move_by_any_file_that_it_would_touch(door: Door) -> None:
    guard(door, "tests/**")
    status, code, error = refused(door, "transplant", "preview", *MOVE)
    assert (status, code) == (1, "protected_zone")
    assert "tests/arrivals.rs lies in `tests/**` (audited by hand)" in error["message"]
    assert [zone["matched_files"] for zone in error["details"]["zones"]] == [["tests/arrivals.rs"]]
    assert refused(door, "transplant", "move", *MOVE, "--yes")[1] == "protected_zone"


def test_a_reason_alone_crosses_nothing(door: Door, plan: Callable[..., str]) -> None:
    """D44: it lets the plan be shown; the write waits for the human's stamp, by the exact command that gives it."""
    guard(door, "src/tide.rs")
    changed = plan(**{"src/tide.rs": "// x\n"})
    assert refused(door, "edit", "preview", changed)[:2] == (1, "protected_zone")
    assert refused(door, "edit", "preview", changed, "--allow-protected", " ")[1] == "protected_zone"
    made = door.ask("edit", "preview", changed, "--allow-protected", "the owner agreed")[1]["data"]
    challenge = made["stamp"]["challenge"]
    assert made["stamp"]["command"] == f"m1nd stamp {challenge}"
    assert 590_000 < made["ttl_ms"] <= 600_000
    commit = ("edit", "commit", made["preview_id"], "--yes", "--verify", "none")
    status, code, error = refused(door, *commit)
    assert (status, code, error["hint"]) == (4, "human_gesture_required", f"m1nd stamp {challenge}")
    assert door.ask("stamp")[1]["data"]["waiting"][0]["challenge"] == challenge


def test_every_writer_waits_for_the_stamp(door: Door) -> None:
    door.ask("transplant", "move", *MOVE, "--yes", "--verify", "none")
    guard(door, "tests/**")
    reason = ("--allow-protected", "the owner agreed")
    status, code, error = refused(door, "undo", "--verify", "none", *reason)
    assert (status, code) == (4, "human_gesture_required")
    assert error["details"]["action"] == "cross_protected_zone"
    back = ("squat", "src/draught.rs", "src/berth.rs")
    guard(door, "src/draught.rs")
    line = ("transplant", "move", *back, "--yes", "--verify", "none", *reason)
    status, code, error = refused(door, *line)
    assert (status, code) == (4, "human_gesture_required")
    assert error["details"]["target"].startswith("pre_")
    assert door.ask("stamp", error["details"]["challenge"])[1]["error"]["code"] == "human_gesture_required"


def test_a_zone_drawn_after_the_preview_stops_the_commit_and_leaves_the_preview(
    door: Door, plan: Callable[..., str]
) -> None:
    move = door.ask("transplant", "preview", *MOVE)[1]["data"]["preview_id"]
    change = edit(door, plan(**{"src/tide.rs": "// x\n"}))[1]["data"]["preview_id"]
    guard(door, "src/**")
    assert refused(door, "transplant", "commit", move, "--yes", "--verify", "none")[1] == "protected_zone"
    assert refused(door, "edit", "commit", change, "--yes", "--verify", "none")[1] == "protected_zone"
    (door.root / ZONES).unlink()
    assert door.ask("edit", "commit", change, "--yes", "--verify", "none")[0] == 0


def test_a_zone_stops_an_undo(door: Door, plan: Callable[..., str]) -> None:
    change = edit(door, plan(**{"src/tide.rs": "// x\n"}))[1]["data"]["preview_id"]
    edited = door.ask("edit", "commit", change, "--yes", "--verify", "none")[1]["data"]["edit_id"]
    guard(door, "src/tide.rs")
    _, code, error = refused(door, "undo")
    assert (code, error["details"]["edit_id"]) == ("protected_zone", edited)
    assert "by hand" in error["hint"]
    (door.root / ZONES).unlink()
    assert door.ask("undo", "--verify", "none")[0] == 0


@pytest.mark.parametrize(
    "broken", ["{", "[]", '{"zones": [{"glob": "[z-a]"}]}', b"\xff\xfe", "link", "link out", "folder"]
)
def test_a_broken_list_of_zones_stops_every_writer(
    door: Door, plan: Callable[..., str], broken: str | bytes
) -> None:
    door.ask("transplant", "move", *MOVE, "--yes", "--verify", "none")
    change = edit(door, plan(**{"NOTES.md": "x"}))[1]["data"]["preview_id"]
    (door.root / "ci").mkdir()
    match broken:
        case "link":
            (door.root / ZONES).symlink_to("nowhere.json")
        case "link out":
            (door.root / ZONES).symlink_to("/dev/null")
        case "folder":
            (door.root / ZONES).mkdir()
        case bytes():
            (door.root / ZONES).write_bytes(broken)
        case _:
            (door.root / ZONES).write_text(broken)
    for line in (
        ["transplant", "preview", "squat", "src/draught.rs", "src/berth.rs"],
        ["edit", "preview", plan(**{"NOTES.md": "x"})],
        ["edit", "commit", change, "--yes", "--verify", "none"],
        ["undo", "--verify", "none"],
    ):
        _, code, error = refused(door, *line)
        assert (line, code) == (line, "zone_config_broken")
        assert ZONES in error["message"] and "fails closed" in error["message"]


def test_a_link_into_a_zone_is_in_the_zone(door: Door, plan: Callable[..., str]) -> None:
    guard(door, "src/tide.rs")
    (door.root / "alias.rs").symlink_to("src/tide.rs")
    _, code, error = refused(door, "edit", "preview", plan(**{"alias.rs": "// x\n"}))
    assert (code, error["details"]["zones"][0]["matched_files"]) == ("protected_zone", ["alias.rs"])


def test_the_list_of_zones_guards_itself(door: Door, plan: Callable[..., str]) -> None:
    disarm = '{"zones": []}'
    assert refused(door, "edit", "preview", plan(**{ZONES: disarm}))[1] == "protected_zone"
    guard(door, "src/**")
    assert (
        refused(door, "edit", "preview", plan(**{f"./ci//{Path(ZONES).name}": disarm}))[1] == "protected_zone"
    )
    (door.root / "harmless.json").symlink_to(ZONES)
    assert refused(door, "edit", "preview", plan(**{"harmless.json": disarm}))[1] == "protected_zone"


def test_a_generated_file_is_a_zone_of_its_own(door: Door, plan: Callable[..., str]) -> None:
    (door.root / "src/made.rs").write_text("// @generated by the mill\n")
    assert refused(door, "edit", "preview", plan(**{"src/made.rs": "// mine\n"}))[1] == "protected_zone"


# Read-only


def lines(plan: str, export: str, preview: str, change: str) -> Mapping[str, list[str]]:
    """A command line of every verb that is no pure read."""
    return {
        "ingest": ["ingest"],
        "transplant_preview": ["transplant", "preview", *MOVE],
        "transplant_commit": ["transplant", "commit", preview, "--yes"],
        "transplant": ["transplant", "move", *MOVE, "--yes"],
        "transplant_discard": ["transplant", "discard", preview],
        "transplant_undo": ["undo"],
        "edit_preview": ["edit", "preview", plan],
        "edit_commit": ["edit", "commit", change, "--yes"],
        "edit_discard": ["edit", "discard", change],
        "stamp": ["stamp"],
        "soul_check": ["soul", "check"],
        "delegate": ["delegate", "give", "look at the tides"],
        "debrief": ["debrief", "dlg_00000000", "--outcome", "success"],
        "mission_land": ["land", "msn_0123456789ab"],
        "mission_archive": ["missions", "archive", "msn_0123456789ab"],
        "receipt_import": ["receipts", "import", plan],
        "receipt_withdraw": ["receipts", "withdraw", "rcp_00000000", "--reason", "x"],
        "token_create": ["token", "create", "--for", "ci"],
        "token_revoke": ["token", "revoke", "00000000"],
        "config_set": ["config", "set", "verify.agents", "none"],
        "skeleton_candidate": ["blocks", "candidate"],
        "candidate_edit": ["blocks", "edit", "--rename", "sb_x_y_00000000", "Y"],
        "candidate_lease": ["blocks", "lease", "acquire"],
        "system_blocks_ratify": ["blocks", "ratify", "--sign", "names"],
        "system_blocks_reconcile": ["blocks", "reconcile"],
        "system_blocks_amend": ["blocks", "amend", "sb_x_y_00000000", "--dismiss", "so"],
        "system_blocks_archive": ["blocks", "archive", "sb_x_y_00000000"],
        "system_blocks_restore": ["blocks", "restore", "sb_x_y_00000000"],
        "system_blocks_delete": ["blocks", "delete", "sb_x_y_00000000"],
        "system_blocks_layout": ["blocks", "layout", "sb_x_y_00000000"],
        "system_blocks_seed_import": ["blocks", "import", plan],
        "system_blocks_seed_export": ["blocks", "export"],
        "mission_post": ["missions", "post", "start"],
        "mission_sweep": ["missions", "sweep"],
        "mission_spawn": ["missions", "spawn", "local", "sb_x_y_00000000", "so"],
        "card_shown": ["card-shown", "s-1", "full_trust|bell:0|coh:none|recv:match"],
        "memorize": ["memory", "add", "so"],
        "light_import": ["memory", "import", plan],
        "xray_paint": ["paint", "run"],
        "xray_retag": ["paint", "retag", "add", "hot", "--kind", "fn"],
        "antibody_create": ["antibody", "create", plan],
        "antibody_enable": ["antibody", "enable", "anb_00000000"],
        "antibody_disable": ["antibody", "disable", "anb_00000000"],
        "antibody_delete": ["antibody", "delete", "anb_00000000"],
        "log_import": ["log", "import", export],
        "setup": ["setup", "cursor"],
        "clean": ["clean", "--yes"],
        "forget": ["forget"],
        "demo": ["demo", "--into", "demo-folder"],
    }


READS = {
    "search": ["search", "clearance"],
    "surgical_context": ["context", "crate::berth::clearance"],
    "impact": ["impact", "crate::berth::clearance"],
    "why": ["why", "first_chance", "squat"],
    "stats": ["stats"],
    "transplant_list": ["transplant", "list"],
    "edit_list": ["edit", "list"],
    "token_list": ["token", "list"],
    "system_blocks_snapshot": ["blocks", "show"],
    "receipt_list": ["receipts", "list"],
    "claim_list": ["memory", "list"],
    "light_export": ["memory", "export"],
    "document_drift": ["memory", "drift"],
    "xray_ledger": ["paint", "ledger"],
    "xray_tags": ["paint", "show"],
    "antibody_list": ["antibody", "list"],
    "antibody_scan": ["antibody", "scan"],
    "log": ["log"],
    "audit_verify": ["audit", "verify"],
    "audit_seal": ["audit", "seal"],
    "audit_topics": ["audit", "topics"],
    "audit_replay": ["audit", "replay"],
    "projections_rebuild": ["projections", "rebuild", "--check"],
    "status": ["status"],
    "doctor": ["doctor"],
    "config": ["config"],
}


@pytest.mark.parametrize("known", [False, True], ids=["never seen", "in use"])
def test_a_read_only_attach_makes_nothing_and_appends_nothing(
    door: Door, plan: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """Every verb of the table: what is no pure read is denied by name, what is one answers, and no byte moves anywhere."""
    monkeypatch.chdir(door.root)
    written = plan(**{"NOTES.md": "x"})
    move, change, export = "pre_00000000", "edp_00000000", str(tmp_path / "log.jsonl")
    (tmp_path / "log.jsonl").write_text("")
    if known:
        move = door.ask("transplant", "preview", *MOVE)[1]["data"]["preview_id"]
        change = edit(door, written)[1]["data"]["preview_id"]
        door.ask("log", "export", export)
    writers = lines(written, export, move, change)
    assert set(writers) == {name for name, verb in VERBS.items() if not verb.pure_read}
    before = whole(tmp_path)
    for name, line in writers.items():
        status, answer = door.ask(*line, "--read-only")
        assert (name, status, answer["error"]["code"]) == (name, 1, "read_only")
        assert whole(tmp_path) == before, name
    for name, line in READS.items():
        assert (name, door.ask(*line, "--read-only")[0]) == (name, 0)
        assert whole(tmp_path) == before, name


@pytest.mark.parametrize(
    "line",
    [["log", "export", "log.jsonl"], ["audit", "replay", "--out", "then.db"], ["projections", "rebuild"]],
)
def test_a_read_that_is_told_to_write_a_file_is_none(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    door.ask("ingest")
    before = whole(tmp_path)
    assert refused(door, *line, "--read-only")[:2] == (1, "read_only")
    assert whole(tmp_path) == before


# Callers of another repository


@pytest.fixture
def quay(tmp_path: Path) -> Path:
    """Another repository beside the harbour."""
    root = tmp_path / "the quay"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    return root


def test_who_works_elsewhere_may_read_and_write_nothing(
    door: Door, plan: Callable[..., str], quay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    door.ask("ingest")
    writers = lines(plan(**{"NOTES.md": "x"}), "log.jsonl", "pre_00000000", "edp_00000000")
    before = whole(door.root)
    for name, line in writers.items():
        if name == "demo":
            continue  # it writes in a folder of its own, into nobody's repository
        status, answer = door.ask(*line, "--caller-root", str(quay / "src"))
        error = answer["error"]
        assert (name, status, error["code"]) == (name, 1, "root_mismatch")
        assert error["hint"].startswith(f"m1nd --root 'the quay' {line[0]}"), error
        assert "`harbour`" in error["message"] and "`the quay`" in error["message"]
        assert error["details"] == {"caller_root": "../the quay", "bound_workspace": "harbour"}
        assert whole(door.root) == before, name
    assert door.ask("search", "clearance", "--caller-root", str(quay))[0] == 0


def test_the_named_step_does_it_in_the_callers_own_repository(
    door: Door, quay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shlex

    monkeypatch.chdir(quay / "src")
    hint = door.ask("ingest", "--caller-root", ".")[1]["error"]["hint"]
    assert run(shlex.split(hint)[1:], Call(environment=dict(door.environment))) == 0
    assert (quay / ".m1nd" / "log.db").exists()
    assert not (door.root / ".m1nd").exists()


@pytest.mark.parametrize("spelled", ["harbour", "harbour/src", "harbour/src/../tests", "link/src"])
def test_who_works_inside_writes_however_the_place_is_spelled(
    door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelled: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("harbour")
    assert door.ask("ingest", "--caller-root", spelled)[0] == 0


def test_a_link_inside_that_leads_out_is_outside(door: Door, quay: Path) -> None:
    (door.root / "quay").symlink_to(quay)
    assert refused(door, "ingest", "--caller-root", str(door.root / "quay"))[1] == "root_mismatch"


def test_the_project_of_the_environment_is_the_callers_but_an_explicit_root_wins(
    door: Door,
    quay: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    environment = {**door.environment, "M1ND_ROOT": str(door.root), "CLAUDE_PROJECT_DIR": str(quay)}

    def code(*line: str) -> str:
        capsys.readouterr()
        run(["--json", *line], Call(environment=dict(environment)))
        return str(json.loads(capsys.readouterr().out).get("error", {}).get("code", ""))

    assert code("ingest") == "root_mismatch"
    assert code("ingest", str(quay)) == ""
    assert code("ingest", "--root", str(door.root)) == ""
    assert code("status") == ""
    environment["CLAUDE_PROJECT_DIR"] = str(door.root / "src")
    assert code("ingest") == ""
    del environment["CLAUDE_PROJECT_DIR"]
    assert code("ingest") == ""


def test_a_caller_root_that_is_no_folder_is_refused(door: Door, tmp_path: Path) -> None:
    status, code, error = refused(door, "ingest", "--caller-root", str(tmp_path / "nowhere"))
    assert (status, code) == (3, "no_project")
    assert "--caller-root" in error["message"]
    assert refused(door, "ingest", "--caller-root")[:2] == (2, "usage")
