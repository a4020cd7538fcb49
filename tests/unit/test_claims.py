"""Claims: bounds, supersession only by the at least equally strong, freshness worked out from the graph."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.door import Door, harbour
from tests.support.log import command, opened

from m1nd.domain.memory.anchors import Anchor, Freshness, Sight, judge, prints
from m1nd.domain.memory.claim_state import ClaimFields, State, Strength, label_of, plain_text
from m1nd.domain.memory.claims import Claim
from m1nd.domain.refusal import Refused
from m1nd.domain.symbols import Address
from m1nd.infrastructure.views import open_views

HERE = Address(kind="fn", module="harbour::tide", name="height")
THERE = Address(kind="fn", module="harbour::moon", name="height")

strengths = st.builds(Strength, st.sampled_from(State), st.none() | st.floats(0, 1))


def fields(digits: str = "00000001", **changes: Any) -> ClaimFields:
    given = {
        "claim_id": f"clm_{digits}",
        "label": "tides",
        "claim": "Heights are in centimetres",
        "state": State.AUTHORED,
        "confidence": 0.5,
        "source_agent": "agent-7",
    }
    return ClaimFields(**{**given, **changes})


@given(strengths, strengths, strengths)
def test_to_be_at_least_as_strong_is_an_order_in_which_the_unknown_has_no_place(
    a: Strength, b: Strength, c: Strength
) -> None:
    assert a.carries(a) is (a.confidence is not None)
    if a.carries(b) and b.carries(c):
        assert a.carries(c)
    if a.carries(b) and b.carries(a):
        assert a == b


@pytest.mark.parametrize(
    ("state", "confidence", "code"),
    [
        (State.AUTHORED, 0.5, ""),
        (State.VERIFIED, 0.9, ""),
        (State.AUTHORED, 0.4, "claim_weaker"),
        (State.OUTDATED, 0.9, "claim_weaker"),
        (State.VERIFIED, None, "claim_weaker"),
    ],
)
def test_a_claim_gives_its_place_only_to_one_that_is_at_least_as_strong(
    state: State, confidence: float | None, code: str
) -> None:
    older = Claim.memorize(fields(), command(1))
    newer = Claim.memorize(fields("00000002", state=state, confidence=confidence), command(2))
    if not code:
        older.supersede(newer, command(3))
        assert older.superseded_by == "clm_00000002"
        return
    with pytest.raises(Refused) as refused:
        older.supersede(newer, command(3))
    assert refused.value.refusal.code == code
    assert older.superseded_by == ""


def test_a_superseded_claim_has_no_place_to_give(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.record_claim(fields(), command(1))
        app.record_claim(fields("00000002", supersedes="clm_00000001"), command(2))
        head = app.log_head()
        with pytest.raises(Refused) as refused:
            app.record_claim(fields("00000003", supersedes="clm_00000001"), command(3))
        assert refused.value.refusal.code == "claim_superseded"
        assert app.log_head() == head
        views = open_views(str(tmp_path), app)
        assert [row.claim_id for row in views.live_claims()] == ["clm_00000002"]
        assert views.claim_count() == 1
        row = views.claim("clm_00000001")
        assert row is not None
        assert (row.superseded_by, row.strength) == ("clm_00000002", Strength(State.AUTHORED, 0.5))
        assert views.check() == ()
        views.close()


@pytest.mark.parametrize("id", ["clm_00000009", "clm_x", ""])
def test_a_claim_that_is_not_there_is_not_superseded(tmp_path: Path, id: str) -> None:
    with opened(tmp_path) as app:
        if not id:
            app.record_claim(fields(), command(1))
            return
        with pytest.raises(Refused) as refused:
            app.record_claim(fields(supersedes=id), command(1))
        assert refused.value.refusal.code == "claim_unknown"
        assert app.log_head().count == 0


@given(st.text())
def test_the_plain_form_of_a_text_is_its_own_plain_form(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain
    assert all(c == "\n" or c.isprintable() for c in plain)
    assert len(label_of(plain)) <= 60


def anchor(text: bytes) -> Anchor:
    exact, loose = prints(text)
    return Anchor(
        kind="symbol",
        symbol_id="sym_000000000000",
        path="src/tide.rs",
        place=HERE,
        label="harbour::tide::height",
        sha256=exact,
        loose=loose,
    )


def sight(text: bytes, place: Address = HERE) -> Sight:
    path = "src/tide.rs" if place == HERE else "src/moon.rs"
    return Sight(path, place, f"{place.module}::height", *prints(text))


BEFORE = b"fn height(at: Time) -> Length { moon::pull(at) * Length::METRE }"


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (sight(BEFORE), Freshness.FRESH),
        (sight(BEFORE, THERE), Freshness.MOVED),
        (
            sight(
                b"pub(crate) fn height(\n    at: crate::Time,\n) -> Length { pull(at) * super::Length::METRE }",
                THERE,
            ),
            Freshness.MOVED,
        ),
        (sight(BEFORE.replace(b"moon::pull", b"pull")), Freshness.CHANGED),
        (sight(BEFORE.replace(b"METRE", b"FOOT"), THERE), Freshness.CHANGED),
        (None, Freshness.GONE),
    ],
    ids=["same", "elsewhere", "as a move writes it", "edited here", "edited elsewhere", "gone"],
)
def test_freshness_tells_what_a_move_rewrites_from_what_somebody_changed(
    now: Sight | None, expected: Freshness
) -> None:
    assert judge(anchor(BEFORE), now) is expected


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def remember(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("memory", *line)
    assert status == 0, answer
    return dict(answer["data"])


def test_evidence_is_fresh_then_changed_then_gone_as_the_files_say(door: Door) -> None:
    line = ("add", "Fees are for a day", "--evidence", "src/fees.rs", "--evidence", "crate::fees::berth_fee")
    kept = remember(door, *line)
    id = kept["claim_id"]
    assert [e["freshness"] for e in kept["evidence"]] == ["fresh", "fresh"]
    path = door.root / "src" / "fees.rs"
    text = path.read_text()
    path.write_text(text + "\n// more\n")
    assert [e["freshness"] for e in remember(door, "show", id)["evidence"]] == ["changed", "fresh"]
    path.rename(door.root / "src" / "dues.rs")
    (door.root / "src" / "dues.rs").write_text(text)
    shown = remember(door, "show", id)
    assert [(e["freshness"], e["path"]) for e in shown["evidence"]] == [
        ("moved", "src/dues.rs"),
        ("moved", "src/dues.rs"),
    ]
    assert shown["evidence"][1]["made_at"]["path"] == "src/fees.rs"
    (door.root / "src" / "dues.rs").unlink()
    shown = remember(door, "show", id)
    assert [e["freshness"] for e in shown["evidence"]] == ["gone", "gone"]
    assert shown["freshness"] == "gone"


def test_recall_ranks_by_rare_words_and_says_how_many_claims_there_are(door: Door) -> None:
    remember(door, "add", "A berth is asked for by its draught", "--label", "berth")
    remember(door, "add", "The pilot comes aboard at the buoy", "--label", "pilot")
    found = remember(door, "recall", "which", "berths", "have", "draught?")
    assert [row["label"] for row in found["claims"]] == ["berth"]
    assert (found["live"], found["claims"][0]["score"] > 0) == (2, True)
    assert [row["label"] for row in remember(door, "recall")["claims"]] == ["pilot", "berth"]
    status, answer = door.ask("memory", "recall", "lighthouse")
    assert (status, answer["data"]["claims"], answer["data"]["live"]) == (1, [], 2)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("add", "   "), "usage"),
        (("add", "x" * 4001), "usage"),
        (("add", "so", "--label", "x" * 200), "usage"),
        (("add", "so", "--evidence", "no_such_item"), "symbol_not_found"),
        (("add", "so", "--evidence", "clearance"), "ambiguous_symbol"),
        (("add", "so", "--supersedes", "clm_00000000"), "claim_unknown"),
        (("show", "clm_00000000"), "claim_unknown"),
    ],
)
def test_a_refused_claim_keeps_nothing(door: Door, line: tuple[str, ...], code: str) -> None:
    status, answer = door.ask("memory", *line)
    assert (answer["ok"], answer["error"]["code"]) == (False, code)
    assert status != 0
    assert remember(door, "list")["claims"] == []


def test_the_context_of_an_item_shows_what_is_remembered_of_it_and_says_what_the_budget_left_out(
    door: Door,
) -> None:
    for number in range(30):
        line = ("--evidence", "crate::fees::berth_fee" if number % 2 else "src/fees.rs")
        remember(
            door, "add", f"{number:02} fees are for a day, and are paid before a ship leaves its berth", *line
        )
    door.ask("paint", "retag", "add", "hot", "--symbol", "berth_fee", "--yes")
    whole = door.ask("context", "crate::fees::berth_fee")[1]["data"]
    assert [claim["claim"][:2] for claim in whole["claims"]] == [f"{n:02}" for n in range(29, -1, -1)]
    assert (whole["tags"], whole["dropped"]) == (["hot"], [])
    short = door.ask("context", "crate::fees::berth_fee", "--budget", "700")[1]["data"]
    left_out = {row["part"]: row["count"] for row in short["dropped"]}
    assert left_out["claims"] == 30 - len(short["claims"]) > 0
    assert short["tokens"] <= 700
    assert door.ask("context", "crate::tide")[1]["data"]["claims"] == []


def test_a_secret_is_taken_out_of_a_claim_before_anything_is_kept(door: Door) -> None:
    secret = "ghp_" + "a1B2" * 9
    kept = remember(door, "add", f"The harbour's token is {secret}", "--label", f"token {secret}")
    assert secret not in str(kept)
    note = door.root / "secret.light.md"
    note.write_text(
        f"Protocol: L1GHT/1.0\n\nIt opens with {secret}.\n\n[⍂ entity: {secret}]\n[RED blocker: {secret}]\n"
    )
    remember(door, "import", str(note))
    note.unlink()
    stored = [path.read_bytes() for path in (door.root / ".m1nd").rglob("*") if path.is_file()]
    assert not any(secret.encode() in data for data in stored)
