"""The soul of a repository: which list items are claims, what is their evidence, and what a check makes of them."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.log import command
from tests.support.missions import BLOCK, ratified_block

from m1nd.adapters.bootstrap import open_brain
from m1nd.domain.missions.soul import SoulClaim, Verdict, judge, read_soul

SOUL = """\
# The soul of the harbour

What must stay true:

- A berth knows its depth: `crate::berth::Berth`,
  and `src/berth.rs` is its home.
1. Fees are whole numbers; see `src/fees.rs` and `cargo test`.
* We are kind.

- indented prose follows

  not a claim of its own

```
- `src/nowhere.rs` in a fence is no claim
```
"""


def test_list_items_at_the_margin_are_claims_and_names_in_back_ticks_their_evidence() -> None:
    assert read_soul(SOUL) == (
        SoulClaim(
            5,
            "A berth knows its depth: `crate::berth::Berth`, and `src/berth.rs` is its home.",
            ("crate::berth::Berth", "src/berth.rs"),
        ),
        SoulClaim(7, "Fees are whole numbers; see `src/fees.rs` and `cargo test`.", ("src/fees.rs",)),
        SoulClaim(8, "We are kind.", ()),
        SoulClaim(10, "indented prose follows", ()),
    )


@pytest.mark.parametrize("text", ["", "no list\n", "```\n- fenced\n", "\n  - indented\n"])
def test_a_text_without_claims_has_none(text: str) -> None:
    assert read_soul(text) == ()


def test_a_claim_holds_when_everything_it_names_is_there_and_nothing_is_ever_called_proven() -> None:
    claim = SoulClaim(1, "x", ("a/b.rs", "c/d.rs"))
    assert judge(claim, ()).verdict is Verdict.HOLDS
    assert judge(claim, ("c/d.rs",)).verdict is Verdict.BROKEN
    assert judge(SoulClaim(1, "x", ()), ()).verdict is Verdict.UNPROVABLE


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    brain = open_brain(str(made.root), environment=made.environment)
    ratified_block(brain.app, command(1))
    brain.close()
    (made.root / "docs").mkdir(exist_ok=True)
    return made


def checked(door: Door, text: str, *more: str) -> tuple[int, dict[str, Any]]:
    (door.root / "docs/soul.md").write_text(text)
    status, answer = door.ask("soul", "check", *more)
    assert answer["ok"], answer
    return status, answer["data"]


def test_a_soul_that_stands_composes_a_handoff_candidate_for_the_human(door: Door) -> None:
    status, found = checked(door, SOUL, "--block", BLOCK)
    assert (status, found["holds"], found["broken"], found["unprovable"]) == (0, 2, 0, 2)
    assert found["candidate"]["type"] == "handoff"
    assert found["candidate"]["evidence"]["evidence_refs"] == ["docs/soul.md"]
    (waiting,) = door.ask("tray", "--list")[1]["data"]["candidates"]
    assert (waiting["candidate_id"], waiting["origin"]) == (found["candidate_id"], "soul_check")
    assert checked(door, SOUL, "--block", BLOCK)[1]["candidate_id"] == found["candidate_id"]
    assert len(door.ask("tray", "--list")[1]["data"]["candidates"]) == 1
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_a_broken_claim_is_named_and_composes_nothing(door: Door) -> None:
    status, found = checked(
        door, "- The tide is `crate::tide::no_such_thing`.\n- `src/fees.rs`\n", "--block", BLOCK
    )
    assert (status, found["broken"], found["candidate"], found["why_none"]) == (
        1,
        1,
        None,
        "a claim is broken",
    )
    assert found["claims"][0]["missing"] == ["crate::tide::no_such_thing"]
    assert door.ask("tray", "--list")[1]["data"]["candidates"] == []


def test_a_name_that_two_items_bear_is_no_evidence(door: Door) -> None:
    assert checked(door, "- Clearance: `harbour::clearance`.\n")[1]["broken"] == 1


@pytest.mark.parametrize(
    "text, more, why",
    [
        ("- `src/fees.rs`\n", (), "no block was named"),
        ("- We are kind.\n", ("--block", BLOCK), "no claim names anything that is there"),
        ("nothing\n", ("--block", BLOCK), "no claim names anything that is there"),
    ],
)
def test_why_there_is_no_candidate_is_said(door: Door, text: str, more: tuple[str, ...], why: str) -> None:
    assert checked(door, text, *more)[1]["why_none"] == why


def test_a_repository_without_a_soul_and_a_block_that_is_not_there_are_refused(door: Door) -> None:
    assert door.ask("soul", "check")[1]["error"]["code"] == "soul_missing"
    (door.root / "docs/soul.md").write_text("- `src/fees.rs`\n")
    assert door.ask("soul", "check", "--block", "sb_harbour_nowhere")[1]["error"]["code"] == "unknown_block"
