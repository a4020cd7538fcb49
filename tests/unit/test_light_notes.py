"""Notes in the L1GHT form: what is written is read back the same; notes from elsewhere come along whole."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.door import Door, harbour

from m1nd.domain.memory.claim_state import Marker, State, plain_text
from m1nd.domain.memory.light import Note, names, read, slug, write
from m1nd.domain.refusal import Refused

TEXT = st.text(st.sampled_from("ab [](){}#-\\\n:.⍐𝔻é漢Protocol"), max_size=60).map(plain_text).filter(bool)
LINE = TEXT.map(lambda text: " ".join(text.split())).filter(bool)
MARKERS = st.tuples(
    st.sampled_from(["⟁", "RED", "AMBER", "𝔻"]), st.sampled_from(["depends_on", "blocker", "ambiguity"]), LINE
).map(lambda mark: Marker(glyph=mark[0], kind=mark[1], value=mark[2]))
NOTES = st.builds(
    Note,
    label=LINE,
    claim=TEXT,
    state=st.sampled_from(State),
    confidence=st.none() | st.floats(0, 1).map(lambda number: round(number, 6)),
    evidence=st.lists(LINE, max_size=3, unique=True).map(tuple),
    markers=st.lists(MARKERS, max_size=3).map(tuple),
    source_agent=st.sampled_from(["", "agent-7", "a: b"]),
    created_at=st.none()
    | st.integers(0, 4_000_000_000_000).map(lambda ms: datetime.fromtimestamp(ms / 1000, UTC)),
    supersedes=st.sampled_from(["", "clm_00000001", "older-note"]),
)


@given(NOTES)
def test_a_note_that_was_written_is_read_back_the_same(note: Note) -> None:
    assert read(write(note, "harbour"), "x.light.md") == (note,)


FOREIGN = """---
Protocol: L1GHT/1.0
Node: harbour-tides
State: seeded
Created: 1767323045000
Source-Agent: scout
---
# Tides

## What holds

Heights are in centimetres,
never in feet.

[⍂ entity: Tide heights]
[𝔻 confidence: 85%]
[𝔻 evidence: ./src/lunar.rs:1]
[⟁ depends_on: moon]

The table is checked by hand.

[⍌ event: Table checked]
[𝔻 confidence: high]
[RED blocker: no test]
[⍐ state: verified]
"""


def test_a_note_from_elsewhere_gives_a_claim_for_each_declaration_with_its_qualifiers() -> None:
    made = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert read(FOREIGN, "tides.light.md") == (
        Note(
            label="Tide heights",
            claim="Heights are in centimetres,\nnever in feet.",
            confidence=0.85,
            evidence=("./src/lunar.rs:1",),
            markers=(Marker(glyph="⟁", kind="depends_on", value="moon"),),
            source_agent="scout",
            created_at=made,
        ),
        Note(
            label="harbour-tides",
            claim="The table is checked by hand.",
            state=State.VERIFIED,
            markers=(
                Marker(glyph="⍌", kind="event", value="Table checked"),
                Marker(glyph="𝔻", kind="confidence", value="high"),
                Marker(glyph="RED", kind="blocker", value="no test"),
            ),
            source_agent="scout",
            created_at=made,
        ),
    )


@pytest.mark.parametrize("text", ["", "# Tides\n\nplain text\n", "so [⍂ entity: one kind only]\n"])
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read(text, "x.md")
    assert refused.value.refusal.code == "light_unreadable"


def test_two_kinds_of_markers_make_a_note_without_the_protocol_line() -> None:
    (note,) = read("The moon pulls.\n[⍂ entity: Moon]\n[𝔻 confidence: 1]\n", "moon.light.md")
    assert (note.label, note.claim, note.confidence) == ("Moon", "The moon pulls.", 1.0)


def test_file_names_are_slugs_and_never_the_same() -> None:
    assert slug("Tide: heights & depths!") == "tide-heights-depths"
    assert slug("漢字") == "claim"
    assert names(["Moon", "moon!", "Sun"], ["clm_1", "clm_2", "clm_3"]) == [
        "moon-1.light.md",
        "moon-2.light.md",
        "sun.light.md",
    ]


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def test_claims_leave_as_notes_and_come_back_into_an_empty_memory_as_they_were(
    door: Door, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ("--evidence", "crate::fees::berth_fee", "--evidence", "README.md", "--confidence", "0.25")
    (door.root / "README.md").write_text("a harbour\n")
    assert door.ask("memory", "add", "Deep ships\npay more", "--state", "verified", *line)[0] == 0
    notes = tmp_path / "notes"
    assert door.ask("memory", "export", str(notes))[0] == 0
    other = harbour(tmp_path / "there", capsys, door.environment)
    (other.root / "README.md").write_text("a harbour\n")
    status, answer = other.ask("memory", "import", str(notes))
    assert (status, answer["data"]["known"], answer["data"]["unanchored"]) == (0, 0, [])
    told = ("label", "claim", "state", "confidence", "evidence", "source_agent", "created_at")
    (here,), (there,) = (d.ask("memory", "recall")[1]["data"]["claims"] for d in (door, other))
    assert here["evidence"][0]["kind"] == "symbol"
    created = [datetime.fromisoformat(side.pop("created_at")) for side in (here, there)]
    assert abs((created[0] - created[1]).total_seconds()) <= 0.001
    assert {k: here[k] for k in told[:-1]} == {k: there[k] for k in told[:-1]}
    assert (there["origin"], other.ask("memory", "import", str(notes))[1]["data"]["known"]) == ("light", 1)


def test_an_import_takes_all_or_nothing_and_loses_no_evidence(door: Door, tmp_path: Path) -> None:
    (tmp_path / "a.light.md").write_text(FOREIGN + "[𝔻 evidence: ../secrets.rs]\n")
    (tmp_path / "b.light.md").write_text("nothing here")
    status, answer = door.ask("memory", "import", str(tmp_path / "a.light.md"), str(tmp_path / "b.light.md"))
    assert (status, answer["error"]["code"]) == (1, "light_unreadable")
    assert door.ask("memory", "list")[1]["data"]["claims"] == []
    status, answer = door.ask("memory", "import", str(tmp_path / "a.light.md"))
    assert (status, answer["data"]["unanchored"]) == (0, ["./src/lunar.rs:1", "../secrets.rs"])
    newest, oldest = door.ask("memory", "list")[1]["data"]["claims"]
    assert [(e["path"], e["freshness"]) for e in oldest["evidence"]] == [("src/lunar.rs", "gone")]
    assert newest["markers"][-1] == {"glyph": "𝔻", "kind": "evidence_elsewhere", "value": "../secrets.rs"}
    assert oldest["created_at"] == "2026-01-02T03:04:05+00:00"
