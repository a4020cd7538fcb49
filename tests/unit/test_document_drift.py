"""Where documents and code have come apart: what binds, what does not, and how each drift is told."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

from m1nd.infrastructure.markdown import MarkdownReader

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def drift(
    door: Door, text: str, name: str = "docs/notes.md"
) -> tuple[int, dict[str, Any], list[tuple[Any, ...]]]:
    path = door.root / name
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    status, answer = door.ask("memory", "drift", name)
    data = answer["data"]
    return status, data, [(f["line"], f["class"], f["binding"], f["target"]) for f in data["findings"]]


def test_a_reader_knows_lines_leaves_examples_out_and_decodes_links() -> None:
    text = "# `a`\n\none `b`\ntwo [x](../c%20d.md#e) ``f``\n\n```\n`g`\n```\n\n| h |\n|---|\n| `i` |\n"
    found = [(m.line, m.kind, m.text) for m in MarkdownReader().mentions(text)]
    assert found == [
        (1, "code", "a"),
        (3, "code", "b"),
        (4, "link", "../c d.md#e"),
        (4, "code", "f"),
        (12, "code", "i"),
    ]


SOUND = """# Notes
`src/fees.rs`, `src/fees.rs:9`, `fees.rs`, [fees](../src/fees.rs#L3), `crate::fees::berth_fee`, `fees::berth_fee()`, `src/`.

Not ours: `std::fmt::Display`, `text/plain`, `origin/main`, `a::b`, `x = 1`, `src/**`, [web](https://a.b/c.rs), [here](#notes).
"""


def test_what_leads_to_one_thing_is_sound_and_what_may_be_anything_binds_nothing(door: Door) -> None:
    status, data, findings = drift(door, SOUND)
    assert (status, findings, data["documents"], data["bindings"]) == (0, [], 1, 6)


def test_missing_ambiguous_and_elsewhere_are_told_apart_with_their_lines(door: Door) -> None:
    text = "`src/gone.rs`\n`src/old/fees.rs`\n`crate::fees::no_such_fee`\n`crate::old::berth_fee`\n[x](gone.md)\n`harbour::clearance`\n"
    status, data, findings = drift(door, text)
    assert status == 1
    assert findings == [
        (1, "binding_missing", "src/gone.rs", ""),
        (2, "binding_moved", "src/old/fees.rs", "src/fees.rs"),
        (3, "binding_missing", "crate::fees::no_such_fee", ""),
        (4, "binding_moved", "crate::old::berth_fee", "harbour::fees::berth_fee"),
        (5, "binding_missing", "gone.md", ""),
        (6, "binding_missing", "harbour::clearance", ""),
    ]
    assert (data["counts"]["binding_missing"], data["counts"]["binding_moved"]) == (4, 2)


def test_two_items_of_one_path_are_ambiguous(door: Door) -> None:
    lib = door.root / "src" / "lib.rs"
    lib.write_text(lib.read_text() + "pub mod inn { pub mod fees { pub fn berth_fee() {} } }\n")
    assert drift(door, "`fees::berth_fee`\n")[2] == [(1, "binding_ambiguous", "fees::berth_fee", "")]


def test_what_a_move_took_away_is_known_by_the_log_and_where_it_is_now(door: Door) -> None:
    text = "Ask `crate::berth::clearance` first.\n"
    assert drift(door, text)[0] == 0
    assert (
        door.ask(
            "transplant", "move", "clearance", "src/berth.rs", "src/draught.rs", "--yes", "--verify", "none"
        )[0]
        == 0
    )
    status, data, findings = drift(door, text)
    assert status == 1
    assert findings == [(1, "binding_moved", "crate::berth::clearance", "harbour::draught::clearance")]
    assert (data["findings"][0]["heuristic"], data["findings"][0]["confidence"]) == (False, 0.95)


def test_code_that_changed_after_the_document_is_listed_and_is_no_failure(door: Door) -> None:
    text = "See `src/fees.rs` and `crate::fees::berth_fee`.\n"
    assert drift(door, text)[2] == []
    fees = door.root / "src" / "fees.rs"
    fees.write_text(fees.read_text() + "\n// dearer\n")
    status, _, findings = drift(door, text)
    assert (status, findings) == (0, [(1, "code_change_unreflected", "src/fees.rs", "src/fees.rs")])
    assert drift(door, text + "\nNew fees.\n")[2] == []


def test_a_note_s_claim_without_evidence_is_unbacked_and_its_markers_bind(door: Door) -> None:
    note = (
        "---\nProtocol: L1GHT/1.0\n---\n\nFees are for a day.\n\n[⍂ entity: Fees]\n\nTides turn.\n\n[⍂ entity: Tides]\n"
        "[𝔻 evidence: src/lunar.rs:3]\n[⟁ binds_to: crate::fees::berth_fee]\n"
    )
    status, _, findings = drift(door, note, "docs/harbour.light.md")
    assert status == 1
    assert findings == [
        (5, "doc_claim_unbacked", "Fees are for a day.", ""),
        (12, "binding_missing", "src/lunar.rs:3", ""),
    ]


def test_a_document_that_is_not_there_is_refused_and_one_that_is_no_text_is_named(door: Door) -> None:
    assert door.ask("memory", "drift", "docs")[1]["error"]["code"] == "usage"
    assert door.ask("memory", "drift", "../x.md")[1]["error"]["code"] == "outside_root"
    (door.root / "raw.md").write_bytes(b"\xff\xfe")
    assert door.ask("memory", "drift")[1]["data"]["unread"] == ["raw.md"]


def test_our_own_documents_name_only_what_is_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    door = Door(REPOSITORY, capsys, {**kept, "M1ND_HOME": str(tmp_path), "NO_COLOR": "1"})
    status, answer = door.ask("memory", "drift", "docs", "README.md", "CHANGELOG.md", "--read-only")
    hard = [f for f in answer["data"]["findings"] if f["class"] != "code_change_unreflected"]
    assert (status, hard) == (0, [])
    assert answer["data"]["bindings"] > 30
