"""Evidence from end to end at the command line: a signed map, CI's token, a human's stamp, a move that ages it, and why."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

ROOT, SRC = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"
MOVE = ("transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    done(made, "blocks", "candidate")
    names = ("--rename", SRC, "Harbour", "--rename", ROOT, "Paper")
    done(made, "blocks", "edit", *names, "--contract", ROOT, "docs")
    for part in ("names", "boundaries", "contract"):
        stamped(made, "blocks", "ratify", "--sign", part)
    return made


@pytest.fixture
def receipt(door: Door, tmp_path: Path) -> Callable[..., str]:
    """Writes a receipt of a block as it is now; answers the file."""

    def write(type: str, kind: str, **evidence: Any) -> str:
        block = shown(door, SRC)
        run = {
            "command": "cargo test",
            "cwd": ".",
            "exit_status": 0,
            "started_at": "2026-05-01T12:00:00Z",
            "ended_at": "2026-05-01T12:01:30Z",
        }
        content = {
            "type": type,
            "emitter": {"kind": kind, "id": "nightly"},
            "scope": {
                "block_id": SRC,
                "boundary_version": block["boundary_version"],
                "contract_version": block["contract_version"],
                "resolution_hash": block["resolved"]["resolution_hash"],
            },
            "evidence": {
                "artifact_hash": "a" * 64,
                "evidence_refs": ["https://ci.example/run/7"],
                **(run if type == "test" else {}),
                **evidence,
            },
        }
        path = tmp_path / f"{type}.json"
        path.write_text(json.dumps(content))
        return str(path)

    return write


def done(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert (status, answer["ok"]) == (0, True), (line, answer)
    return dict(answer["data"])


def stamped(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask(*line)
    assert (status, answer["error"]["code"]) == (4, "human_gesture_required"), answer
    door.stamp(answer["error"]["details"]["challenge"])
    return done(door, *line)


def shown(door: Door, id: str) -> dict[str, Any]:
    return dict(done(door, "blocks", "show", id)["store"]["blocks"][0])


def by_ci(door: Door) -> Door:
    """The same repository, asked by a machine that presents a token."""
    token = stamped(door, "token", "create", "--for", "ci")["token"]
    return Door(door.root, door.capsys, {**door.environment, "M1ND_TOKEN": token})


def earn_all(door: Door, receipt: Callable[..., str]) -> None:
    done(by_ci(door), "receipts", "import", receipt("test", "ci"))
    stamped(door, "receipts", "import", receipt("structural", "verb"))


def test_a_block_is_evidence_backed_by_signature_ci_and_stamp(
    door: Door, receipt: Callable[..., str]
) -> None:
    assert (shown(door, SRC)["evidence"]["have"], shown(door, SRC)["evidence"]["need"]) == (1, 3)
    earn_all(door, receipt)
    evidence = shown(door, SRC)["evidence"]
    assert (evidence["standing"], evidence["have"], evidence["need"]) == ("evidence_backed", 3, 3)
    told = done(door, "why-state", SRC)
    assert {t["type"]: t["counts"] for t in told["types"] if t["required"]} == {
        "spec": True,
        "structural": True,
        "test": True,
    }


def test_a_move_stales_them_in_its_own_append_and_why_state_names_the_move(
    door: Door, receipt: Callable[..., str]
) -> None:
    """Seed 002 D5b: the receipt of the move lists what it aged."""
    earn_all(door, receipt)
    moved = done(door, *MOVE)
    assert [b["block_id"] for b in moved["receipt"]["blocks_touched"]] == [SRC]
    staled = moved["receipt"]["receipts_staled"]
    assert sorted(r["type"] for r in staled) == ["spec", "structural", "test"]
    events = done(door, "log", "--limit", "100")["events"]
    (committed,) = (e for e in events if e["topic"] == "transplant_committed")
    ageing = [e for e in events if e["command_id"] == committed["command_id"]]
    assert [e["topic"] for e in ageing].count("receipt_staled") == 3
    told = done(door, "why-state", SRC)
    assert (told["standing"], told["have"]) == ("needs_evidence", 0)
    (test,) = (t for t in told["types"] if t["type"] == "test")
    assert [link["topic"] for link in test["chain"]] == [
        "receipt_staled",
        "boundary_bumped",
        "transplant_committed",
    ]
    assert moved["transplant_id"] in test["chain"][-1]["says"]


def test_an_undo_ages_again_and_brings_no_receipt_back(door: Door, receipt: Callable[..., str]) -> None:
    """Versions never go back."""
    earn_all(door, receipt)
    done(door, *MOVE)
    done(door, "undo", "--verify", "none")
    block = shown(door, SRC)
    assert (block["boundary_version"], block["evidence"]["have"]) == (3, 0)
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_other_bytes_stale_what_member_change_is_a_tag_of(door: Door, receipt: Callable[..., str]) -> None:
    earn_all(door, receipt)
    with (door.root / "src/tide.rs").open("a") as file:
        file.write("// a word\n")
    done(door, "ingest")
    told = done(door, "why-state", SRC)
    counts = {t["type"]: (t["counts"], t["reason"]) for t in told["types"] if t["required"]}
    assert counts == {
        "spec": (True, ""),
        "structural": (False, "content"),
        "test": (False, "content"),
    }
    (test,) = (t for t in told["types"] if t["type"] == "test")
    assert [link["topic"] for link in test["chain"]][:2] == ["receipt_staled", "member_content_changed"]


def test_another_paint_stales_what_repaint_is_a_tag_of(door: Door, receipt: Callable[..., str]) -> None:
    """In the append of the paint, with it as the cause."""
    earn_all(door, receipt)
    done(door, "paint", "run", "src/tide.rs", "--yes")
    told = done(door, "why-state", SRC)
    counts = {t["type"]: t["reason"] for t in told["types"] if t["required"]}
    assert counts == {"spec": "", "structural": "repaint", "test": ""}
    (structural,) = (t for t in told["types"] if t["type"] == "structural")
    assert [link["topic"] for link in structural["chain"]] == ["receipt_staled", "node_painted"]
    assert structural["chain"][0]["position"] == structural["chain"][1]["position"] + 1


def test_evidence_of_the_version_before_the_move_is_refused(door: Door, receipt: Callable[..., str]) -> None:
    """Scenario 75, through the door."""
    old = receipt("test", "ci")
    ci = by_ci(door)
    done(door, *MOVE)
    status, answer = ci.ask("receipts", "import", old)
    assert (status, answer["error"]["code"]) == (5, "stale_scope")
    assert "boundary" in answer["error"]["details"]["parts"]


def test_a_failing_run_turns_the_block_red_until_a_later_one_passes(
    door: Door, receipt: Callable[..., str]
) -> None:
    """D21."""
    ci = by_ci(door)
    done(ci, "receipts", "import", receipt("test", "ci", exit_status=101))
    assert shown(door, SRC)["evidence"]["standing"] == "broken"
    later = {"started_at": "2026-05-02T12:00:00Z", "ended_at": "2026-05-02T12:01:30Z"}
    done(ci, "receipts", "import", receipt("test", "ci", **later))
    assert shown(door, SRC)["evidence"]["standing"] == "needs_evidence"


def test_a_candidate_takes_no_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], receipt: Callable[..., str]
) -> None:
    """D20: nobody has said yet what the block is."""
    other = harbour(tmp_path / "again", capsys, dict(os.environ))
    done(other, "blocks", "candidate")
    status, answer = by_ci(other).ask("receipts", "import", receipt("test", "ci"))
    assert (status, answer["error"]["code"]) == (1, "block_not_ratified")


def seed_with(door: Door, file: str, where: Path) -> str:
    """The map's own seed, with the receipt of a file in it."""
    done(door, "blocks", "export", "docs/map.json")
    seed = json.loads((door.root / "docs/map.json").read_text())
    (door.root / "docs/map.json").unlink()
    block = next(b for b in seed["blocks"] if b["block_id"] == SRC)
    block["receipts"] = [json.loads(Path(file).read_text())]
    path = where / "seed.json"
    path.write_text(json.dumps(seed))
    return str(path)


def test_a_seed_brings_receipts_by_the_checks_of_every_import_or_is_refused(
    door: Door, receipt: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Upstream's way round window and gesture (weak point 61): here it is none."""
    good = seed_with(door, receipt("test", "ci"), tmp_path)
    other = harbour(tmp_path / "again", capsys, dict(os.environ))
    assert other.ask("blocks", "import", good)[1]["error"]["code"] == "block_not_ratified"
    stamped(other, "blocks", "import", good, "--ratified")
    assert [(r["type"], r["stage"]) for r in shown(other, SRC)["receipts"]] == [("test", "live")]

    poison = json.loads(Path(good).read_text())
    block = next(b for b in poison["blocks"] if b["block_id"] == SRC)
    block["receipts"][0]["evidence"]["ended_at"] = "2026-05-03T12:01:30Z"
    Path(good).write_text(json.dumps(poison))
    third = harbour(tmp_path / "third", capsys, dict(os.environ))
    challenge = third.ask("blocks", "import", good, "--ratified")[1]["error"]["details"]["challenge"]
    third.stamp(challenge)
    status, answer = third.ask("blocks", "import", good, "--ratified")
    assert (status, answer["error"]["code"]) == (1, "time_incoherent")
    assert third.ask("receipts", "recompute")[1]["error"]["code"] == "no_store"


def test_the_paint_of_a_block_composes_a_structural_receipt_that_a_human_lands(door: Door) -> None:
    dry = done(door, "paint", "run", "--block", SRC)
    assert (dry["committed"], dry["candidate_id"], dry["candidate"]) == (False, "", None)
    painted = done(door, "paint", "run", "--block", SRC, "--yes")
    assert {change["item"]["path"].partition("/")[0] for change in painted["changes"]} == {"src"}
    receipt = painted["candidate"]
    assert (receipt["type"], receipt["emitter"]) == ("structural", {"kind": "verb", "id": "xray_paint"})
    assert receipt["evidence"]["evidence_refs"] == ["paint/1"]
    stamped(door, "land", painted["candidate_id"])
    counts = {t["type"]: t["counts"] for t in done(door, "why-state", SRC)["types"] if t["required"]}
    assert counts == {"spec": True, "structural": True, "test": False}
    done(door, "paint", "run", "--block", SRC, "--yes")
    counts = {t["type"]: t["counts"] for t in done(door, "why-state", SRC)["types"] if t["required"]}
    assert counts["structural"], "a painting that changes nothing stales nothing"
    for line, code in (
        (("--block", "sb_harbour_nowhere"), "unknown_block"),
        (("src", "--block", SRC), "usage"),
    ):
        assert door.ask("paint", "run", *line)[1]["error"]["code"] == code


def test_the_context_of_an_item_names_its_block_and_the_block_s_receipts(door: Door) -> None:
    (block,) = done(door, "context", "crate::fees::berth_fee")["blocks"]
    assert (block["block_id"], block["name"], block["role"]) == (SRC, "Harbour", "primary")
    assert [(receipt["type"], receipt["stage"]) for receipt in block["receipts"]] == [("spec", "live")]
