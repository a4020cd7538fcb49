"""The packet's composition: gaps with codes, the trust ladder, reception, the strip under mismatch, the budget."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from tests.support.cards import FACTS

from m1nd.domain.card.cadence import Cadence, Reason
from m1nd.domain.card.compact import compact
from m1nd.domain.card.facts import Coherence
from m1nd.domain.north.budget import CARD_TOKENS, PACKET_TOKENS, tokens, within_budget
from m1nd.domain.north.gaps import TEXTS, Gap
from m1nd.domain.north.inputs import CardInputs, Collision, MapInputs, MemoryRow, StaleBlock
from m1nd.domain.north.packet import FOCUSED, UNFOCUSED, Brain, Focus, Parts, compose, human_view
from m1nd.domain.north.reception import FrontDesk
from m1nd.domain.north.trust import REQUIRED_TOOLS, Standing, Trust, trust

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NODE = {
    "symbol_id": "sym_0123456789ab",
    "label": "area",
    "path": "src/geo.rs",
    "line": 2,
    "kind": "fn",
    "score": 0.5,
}
FOCUS = Focus(
    (NODE,), (NODE,), {"words": 1, "matched": 1, "unmatched": []}, {"state": "sufficient", "why": "all"}
)
NO_FOCUS = Focus(
    (), (), {"words": 1, "matched": 0, "unmatched": ["x"]}, {"state": "gathering", "why": "none"}
)
CLAIM = MemoryRow(
    "clm_000000000001", "areas are squares", "authored", "ada", 5, False, ("geo::area",), True, 0.9
)
BLOCKS = MapInputs(ratified=4, stale=0, evidence_backed=3, expected_slug="harbour", found_slug="harbour")
PARTS = Parts(
    task="area of a square",
    brain=Brain("/repo/alpha", "0123456789abcdef", 7, "f" * 64, 3, 9024),
    standing=Standing(generation=3, read_only=False),
    desk=FrontDesk("/repo/alpha", "/repo/alpha/src"),
    inputs=CardInputs(memories=30, blocks=BLOCKS),
    focus=FOCUS,
    memory=(CLAIM,),
    as_of=NOW,
)
FOREIGN = FrontDesk("/repo/alpha", "/repo/beta", covered=False)


def data(parts: Parts) -> dict[str, Any]:
    return dict(compose(parts).data)


def codes(parts: Parts) -> list[str]:
    return [gap["code"] for gap in data(parts)["gaps"]]


def test_a_packet_without_a_gap_says_everything_and_nothing_more() -> None:
    packet = data(PARTS)
    assert packet == {
        "schema": "m1nd-north-packet-v0",
        "task": "area of a square",
        "log_position": 7,
        "binding": {
            "trust_mode": "full_trust",
            "ok": True,
            "fingerprint": "0123456789abcdef",
            "graph_populated": True,
            "generation": 3,
            "stale_files": 0,
            "log": {"count": 7, "head": "f" * 64},
            "roots": ["/repo/alpha"],
        },
        "context": {
            "focus_nodes": [NODE],
            "anchors": [NODE],
            "coverage": {"words": 1, "matched": 1, "unmatched": []},
        },
        "sufficiency": {"state": "sufficient", "why": "all"},
        "memory": [
            {
                "claim_id": "clm_000000000001",
                "claim": "areas are squares",
                "state": "authored",
                "confidence": 0.9,
                "source_agent": "ada",
                "age_ms": 5,
                "stale": False,
                "anchored_to": ["geo::area"],
                "evidence_fresh": True,
            }
        ],
        "memory_exists": 30,
        "map": {"ratified_blocks": 4, "stale_blocks": 0, "evidence_backed": 3},
        "skeleton_coherence": {"status": "ok"},
        "next_move": FOCUSED,
        "honest_gaps": [],
        "gaps": [],
        "reception": {"match": "match"},
        "non_claims": packet["non_claims"],
        "human_view": {
            "schema": "m1nd-human-view-v0",
            "state": "clean",
            "state_sig": "full_trust|bell:0|coh:ok|recv:match",
            "lines": ["m1nd │ full trust · 9,024 nodes · 30 memories · 4 maps ratified"],
            "render": False,
            "render_reason": "no_session",
        },
    }
    assert len(packet["non_claims"]) == 3


def test_absent_means_absent() -> None:
    bare = evolve(PARTS, inputs=CardInputs(), memory=())
    assert not {"map", "skeleton_coherence", "landing_bell", "recovery_playbook", "needs", "truncated"} & set(
        data(bare)
    )
    assert "null" not in json.dumps(
        data(evolve(PARTS, memory=(evolve(CLAIM, confidence=None, evidence_fresh=None),)))
    )
    assert data(bare)["human_view"]["state_sig"] == "full_trust|bell:0|coh:none|recv:match"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (PARTS, []),
        (evolve(PARTS, focus=NO_FOCUS), ["focus_empty"]),
        (evolve(PARTS, memory=()), ["memory_unmatched"]),
        (evolve(PARTS, memory=(), inputs=evolve(PARTS.inputs, memories=0)), ["memory_empty"]),
        (
            evolve(PARTS, standing=Standing(0, False), focus=None),
            ["graph_empty", "binding"],
        ),
        (
            evolve(
                PARTS,
                inputs=CardInputs(
                    30, evolve(BLOCKS, found_slug="quay"), 2, (Collision("bo", ("src/a.rs",)),)
                ),
            ),
            ["coherence", "bell", "collision"],
        ),
        (
            evolve(
                PARTS,
                inputs=CardInputs(
                    30, evolve(BLOCKS, stale=1, first_stale=StaleBlock("quay", "content", 1, 2))
                ),
            ),
            ["block_stale"],
        ),
        (evolve(PARTS, brain=evolve(PARTS.brain, stale=("src/a.rs", "src/b.rs"))), ["graph_stale"]),
    ],
)
def test_gaps_come_as_texts_and_as_codes_in_one_order(parts: Parts, expected: list[str]) -> None:
    packet = data(parts)
    assert codes(parts) == expected
    assert packet["honest_gaps"] == [TEXTS[gap["code"]].format(**gap["args"]) for gap in packet["gaps"]]


def test_the_collision_names_agents_and_what_they_share() -> None:
    others = (Collision("bo", ("src/a.rs", "src/b.rs")), Collision("cy", ("src/c.rs",)))
    packet = compose(evolve(PARTS, inputs=evolve(PARTS.inputs, collisions=others)))
    assert packet.data["honest_gaps"][0].startswith(
        "COLLISION: another mutating session shares this brain and your work — bo (src/a.rs, src/b.rs); cy (src/c.rs). "
    )
    assert packet.card.state.value == "clean", "advice between agents is no signal to the human"


def test_a_stale_ratified_block_makes_the_map_sick() -> None:
    stale = evolve(BLOCKS, stale=2, first_stale=StaleBlock("quay", "boundary", 1, 3))
    packet = compose(evolve(PARTS, inputs=CardInputs(30, stale)))
    assert stale.coherence is Coherence.SICK
    assert packet.data["skeleton_coherence"] == {"status": "ok"}
    assert packet.data["human_view"]["state"] == "coherence"
    assert packet.data["human_view"]["state_sig"] == "full_trust|bell:0|coh:sick|recv:match"
    assert packet.data["honest_gaps"] == [
        "2 ratified block(s) carry stale receipts — first: `quay` (boundary); evidence 1/3 is no longer current."
    ]


def test_slugs_that_differ_are_named() -> None:
    packet = data(evolve(PARTS, inputs=CardInputs(30, evolve(BLOCKS, found_slug="qu```ay\n"), 3)))
    assert packet["skeleton_coherence"] == {
        "status": "mismatch",
        "expected_slug": "harbour",
        "found_slug": "qu```ay\n",
    }
    assert packet["gaps"][0] == {"code": "coherence", "args": {"expected": "harbour", "found": "qu`ay"}}
    assert packet["landing_bell"] == {"merge_wait": 3}
    assert packet["human_view"]["state_sig"] == "full_trust|bell:3|coh:sick|recv:match"


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (Standing(1, False), Trust.FULL),
        (Standing(1, True), Trust.FULL),
        (Standing(0, False), Trust.NEEDS_INGEST),
        (Standing(0, True), Trust.ORIENTATION_ONLY),
        (Standing(0, True, scope_outside=True), Trust.FOREIGN_SCOPE),
        (Standing(1, False, True, ("north",)), Trust.DEGRADED),
        (Standing(1, False, False, REQUIRED_TOOLS), Trust.FULL),
        (Standing(1, False, False, tuple(f"mcp__m1nd__{name}" for name in REQUIRED_TOOLS)), Trust.FULL),
        (Standing(1, False, False, ()), Trust.DEGRADED),
    ],
)
def test_the_first_rung_that_holds_is_the_trust(standing: Standing, expected: Trust) -> None:
    assert trust(standing) is expected


@pytest.mark.parametrize(
    ("standing", "next_action", "state"),
    [
        (Standing(0, False), "call_ingest", "needs_ingest"),
        (Standing(0, True), "refresh_binding_for_ingest", "needs_ingest"),
        (Standing(1, False, scope_outside=True), "select_or_bind_workspace", "degraded"),
        (Standing(1, False, False, ("north",)), "refresh_host_binding", "degraded"),
    ],
)
def test_less_than_full_trust_says_how_to_repair_it(standing: Standing, next_action: str, state: str) -> None:
    packet = data(evolve(PARTS, standing=standing))
    assert packet["binding"]["ok"] is False
    assert packet["recovery_playbook"]["next_action"] == next_action
    assert set(packet["recovery_playbook"]) == {"next_action", "why", "call"}
    assert packet["human_view"]["state"] == state
    assert packet.get("needs") == ("needs_ingest" if state == "needs_ingest" else None)
    assert ("context" in packet) is (state != "needs_ingest")


def test_an_empty_focus_asks_for_other_words() -> None:
    assert data(evolve(PARTS, focus=NO_FOCUS))["next_move"] == UNFOCUSED


def test_under_mismatch_the_whole_packet_is_stripped_and_offers_what_can_be_run() -> None:
    rich = evolve(PARTS, inputs=CardInputs(30, evolve(BLOCKS, found_slug="quay"), 3), desk=FOREIGN)
    packet = data(rich)
    assert set(packet) == {
        "schema",
        "task",
        "log_position",
        "binding",
        "next_move",
        "honest_gaps",
        "gaps",
        "reception",
        "non_claims",
        "human_view",
    }
    assert packet["honest_gaps"] == ["this graph does NOT cover your repo"]
    assert packet["next_move"] == "ingest project_root=/repo/beta"
    assert packet["reception"] == {
        "match": "caller_root_mismatch",
        "caller_root": "/repo/beta",
        "bound_workspace": "/repo/alpha",
        "honest": "this graph does NOT cover your repo",
        "options": packet["reception"]["options"],
    }
    first, second = packet["reception"]["options"]
    assert (first["id"], first["call"]) == ("ingest_your_repo", "ingest project_root=/repo/beta")
    assert (first["tool"], first["arguments"]) == ("ingest", {"project_root": "/repo/beta"})
    assert (second["id"], second["tool"]) == ("continue_bound", "north")
    assert second["arguments"] == {"task": "area of a square", "caller_root": "/repo/alpha"}
    assert packet["human_view"]["state_sig"] == "full_trust|bell:-|coh:-|recv:mismatch"
    assert packet["human_view"]["lines"] == [
        "m1nd │ this graph does NOT cover your repo",
        "     │ bound: /repo/alpha · yours: /repo/beta",
        "     │ next: ingest project_root=/repo/beta",
    ]


def test_an_unknown_caller_is_neither_right_nor_wrong() -> None:
    packet = data(evolve(PARTS, desk=FrontDesk("/repo/alpha")))
    assert packet["reception"] == {"match": "unknown"}
    assert packet["human_view"]["state_sig"].endswith("recv:unknown")


def test_equal_parts_give_equal_bytes() -> None:
    assert json.dumps(data(PARTS)) == json.dumps(data(evolve(PARTS)))


def test_north_packet_within_budget_and_says_what_it_dropped() -> None:
    nodes = tuple({**NODE, "label": f"area_{number}" * 4, "why": "name: area" * 4} for number in range(50))
    claims = tuple(evolve(CLAIM, claim="x" * 320, claim_id=f"clm_{number:012}") for number in range(5))
    full = evolve(
        PARTS, task="area " * 4000, focus=evolve(FOCUS, nodes=nodes, anchors=nodes[:5]), memory=claims
    )
    packet = data(full)
    assert tokens(packet) <= PACKET_TOKENS
    kept = packet["context"]["focus_nodes"]
    assert kept == list(nodes[: len(kept)]), "the lowest ranked go first"
    assert packet["truncated"]["context.focus_nodes"] == 50 - len(kept)
    assert packet["truncated"]["task"] == 20000 - 400
    assert packet["truncated"]["context.anchors"] + len(packet["context"]["anchors"]) == 5
    assert packet["truncated"]["memory"] + len(packet["memory"]) == 5


def test_a_packet_that_fits_is_not_touched() -> None:
    packet = data(PARTS)
    assert within_budget(packet) == packet


@pytest.mark.parametrize("name", FACTS)
def test_the_card_with_its_envelope_keeps_its_budget(name: str) -> None:
    view = human_view(compact(FACTS[name][0]), Cadence(False, Reason.RIGHT_AFTER_CARD))
    assert tokens(view) <= CARD_TOKENS


def test_a_text_from_the_repository_is_made_fit_where_its_gap_is_composed() -> None:
    gap = Gap.of("graph_stale", count=1, path="src/\x1b[31mred\u202e\n```🔔.rs")
    assert gap.args == {"count": 1, "path": "src/red? `?.rs"}
    assert "src/red? `?.rs" in gap.text
