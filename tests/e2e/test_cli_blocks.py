"""`m1nd blocks …` from the command line: propose, name, sign, ratify, age, reconcile, archive, delete, import, export."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

ROOT, SRC = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


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
