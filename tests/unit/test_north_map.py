"""What the packet and the card tell of the map: from the views of blocks and receipts, at one moment (D9, D11)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.log import START, command
from tests.support.receipts import BLOCK, at, body, bump, ratify, wire

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.receipt_records import Landing
from m1nd.application.use_cases.candidates import propose
from m1nd.application.use_cases.ingest import ingest
from m1nd.application.use_cases.north import NorthRequest, north
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.card.deep import deep
from m1nd.domain.north.packet import Packet
from m1nd.domain.receipts.evidence import read_receipt

TEST_ONLY = Contract(required=(Slot(type="test", stales_on=("member_change",)),))


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    yield from named(tmp_path / "harbour")


def named(root: Path) -> Iterator[Brain]:
    (root / "src").mkdir(parents=True)
    (root / "src" / "tide.rs").write_text("pub fn height() {}\n")
    opened = open_brain(str(root.resolve()), environment={})
    ingest(opened)
    yield opened
    opened.close()


def asked(brain: Brain, minutes: float = 5) -> Packet:
    return north(brain, NorthRequest("height", as_of=START + timedelta(minutes=minutes)))


def test_without_a_store_nothing_is_said_of_a_map(brain: Brain) -> None:
    packet = asked(brain)
    assert not {"map", "skeleton_coherence"} & set(packet.data)
    assert "coh:none" in packet.card.signature


def test_a_ratified_block_counts_and_one_without_evidence_is_not_stale(brain: Brain) -> None:
    propose(brain, None)
    ratify(brain.app, 1)
    packet = asked(brain)
    assert packet.data["map"] == {"ratified_blocks": 1, "stale_blocks": 0, "evidence_backed": 0}
    assert packet.data["skeleton_coherence"] == {"status": "ok"}
    assert packet.card.lines[0].endswith(" · 1 maps ratified")
    assert "coh:ok" in packet.card.signature
    assert packet.details.maps[0].slug == "tides"
    assert packet.details.maps[0].state == "0/2"


def test_a_block_with_all_its_evidence_is_ok(brain: Brain) -> None:
    propose(brain, None)
    ratify(brain.app, 1, contract=TEST_ONLY)
    brain.app.import_receipt(body(brain.app), Landing("tok_1"), command(2))
    packet = asked(brain)
    assert packet.data["map"] == {"ratified_blocks": 1, "stale_blocks": 0, "evidence_backed": 1}
    lines = deep(packet.facts, packet.details)
    assert "     │ ratified maps · 1" in lines
    assert "     │   tides  ok" in lines


def test_evidence_that_a_bump_staled_makes_the_card_sick_with_the_blocks_own_numbers(brain: Brain) -> None:
    propose(brain, None)
    ratify(brain.app, 1)
    brain.app.import_receipt(body(brain.app), Landing("tok_1"), command(2))
    assert "coh:ok" in asked(brain).card.signature
    bump(brain.app, 3)
    packet = asked(brain)
    assert packet.data["map"]["stale_blocks"] == 1
    assert packet.data["gaps"][1] == {
        "code": "block_stale",
        "args": {"count": 1, "block": BLOCK, "reason": "boundary", "have": 0, "need": 2},
    }
    assert packet.card.state.value == "coherence"
    assert packet.card.lines[1:] == (
        "     │ 1 ratified block(s) carry stale receipts — first:",
        f"     │   `{BLOCK}` (boundary); evidence 0/2 is no",
        "     │   longer current.",
    )
    assert "coh:sick" in packet.card.signature


def test_evidence_is_over_at_its_time_without_a_sweep(brain: Brain) -> None:
    propose(brain, None)
    ratify(brain.app, 1, contract=TEST_ONLY)
    short = wire(brain.app) | {"validity": {"expires_on": at(10), "stales_on": []}}
    brain.app.import_receipt(read_receipt(short), Landing("tok_1"), command(2))
    head = brain.app.log_head()
    assert asked(brain, 9).data["map"] == {"ratified_blocks": 1, "stale_blocks": 0, "evidence_backed": 1}
    late = asked(brain, 10)
    assert late.data["map"] == {"ratified_blocks": 1, "stale_blocks": 1, "evidence_backed": 0}
    assert late.data["gaps"][1]["args"]["reason"] == "expired"
    assert brain.app.log_head() == head


def test_a_map_of_another_project_is_sick_and_names_both_slugs(tmp_path: Path) -> None:
    for brain in named(tmp_path / "quay"):
        propose(brain, None)
        ratify(brain.app, 1)
        packet = asked(brain)
        assert packet.data["skeleton_coherence"] == {
            "status": "mismatch",
            "expected_slug": "quay",
            "found_slug": "harbour",
        }
        assert packet.card.state.value == "coherence"
