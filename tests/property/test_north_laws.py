"""Laws of the packet: its budget under any content, what a mismatch keeps to itself, and the order of what it drops."""

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from m1nd.domain.north.budget import PACKET_TOKENS, tokens
from m1nd.domain.north.inputs import CardInputs, Collision, MapInputs, MemoryRow, StaleBlock
from m1nd.domain.north.packet import Brain, Focus, Parts, compose
from m1nd.domain.north.reception import FrontDesk
from m1nd.domain.north.trust import Standing

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRET = "zanzibar"
"""A word that only the bound brain's rooms hold."""
texts = st.one_of(
    st.text(max_size=40), st.text(min_size=200, max_size=320), st.just("漢" * 120), st.just("\x1b[2J```")
)
roots = st.text("abcdé漢-_ /.", min_size=1, max_size=900).map(lambda tail: f"/{tail}")
counts = st.integers(0, 10**6)


@st.composite
def nodes(draw: st.DrawFn, most: int) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "label": draw(texts),
            "path": f"src/{draw(texts)}",
            "line": draw(counts),
            "why": SECRET,
            "score": 0.5,
        }
        for _ in range(draw(st.integers(0, most)))
    )


@st.composite
def packets(draw: st.DrawFn) -> Parts:
    claims = tuple(
        MemoryRow(
            f"clm_{at:012}",
            draw(texts) + SECRET,
            "authored",
            draw(texts),
            draw(counts),
            False,
            (draw(texts),),
        )
        for at in range(draw(st.integers(0, 5)))
    )
    stale = draw(st.integers(0, 3))
    blocks = MapInputs(
        draw(counts), stale, 0, StaleBlock(SECRET, draw(texts), 0, 1) if stale else None, SECRET, draw(texts)
    )
    focus = Focus(
        draw(nodes(50)),
        draw(nodes(5)),
        {"words": 1, "matched": 0, "unmatched": [draw(texts)]},
        {"state": SECRET, "why": ""},
    )
    others = tuple(Collision(draw(texts), (draw(texts),)) for _ in range(draw(st.integers(0, 2))))
    return Parts(
        task=draw(st.text(max_size=600)),
        brain=Brain(
            draw(roots), "f" * 16, draw(counts), "a" * 64, draw(st.integers(0, 3)), draw(counts), (SECRET,)
        ),
        standing=Standing(draw(st.integers(0, 1)), draw(st.booleans()), draw(st.booleans())),
        desk=FrontDesk(draw(roots), draw(st.one_of(st.just(""), roots)), draw(st.booleans())),
        inputs=CardInputs(draw(counts), draw(st.sampled_from([None, blocks])), draw(counts), others),
        focus=draw(st.sampled_from([None, focus])),
        memory=claims,
        as_of=NOW,
    )


@given(packets())
def test_a_packet_keeps_its_budget_whatever_is_in_it(parts: Parts) -> None:
    packet = compose(parts).data
    assert tokens(packet) <= PACKET_TOKENS
    if "truncated" in packet:
        assert all(count > 0 for count in packet["truncated"].values())


@given(packets())
def test_what_is_kept_is_the_beginning_of_what_there_was(parts: Parts) -> None:
    packet = compose(parts).data
    if parts.focus is not None and "context" in packet:
        kept = packet["context"]["focus_nodes"]
        assert kept == json.loads(json.dumps(list(parts.focus.nodes[: len(kept)])))
        assert len(kept) + packet.get("truncated", {}).get("context.focus_nodes", 0) == len(parts.focus.nodes)
    if "memory" in packet:
        kept = [row["claim_id"] for row in packet["memory"]]
        assert kept == [row.claim_id for row in parts.memory[: len(kept)]]


@given(packets())
def test_texts_and_codes_of_gaps_agree_and_stand_on_the_card(parts: Parts) -> None:
    made = compose(parts)
    assert len(made.data["gaps"]) == len(made.data["honest_gaps"])
    top = made.facts.top
    assert top is None or top.text in made.data["honest_gaps"]


@given(packets())
def test_a_mismatch_tells_nothing_that_only_the_bound_brain_knows(parts: Parts) -> None:
    if not parts.foreign:
        return
    packet = compose(parts).data
    told = {name: value for name, value in packet.items() if name not in ("task", "binding", "reception")}
    assert SECRET not in json.dumps(told)
    assert not {"context", "memory", "memory_exists", "map", "landing_bell", "skeleton_coherence"} & set(
        packet
    )
    assert [gap["code"] for gap in packet["gaps"]] == ["reception"]


@given(packets())
def test_equal_parts_give_equal_bytes(parts: Parts) -> None:
    assert json.dumps(compose(parts).data) == json.dumps(compose(parts).data)
