"""The facts behind the golden cards, and the signals they carry."""

from typing import Any

from attrs import evolve

from m1nd.domain.card.deep import DeepDetails, MapLine, WaitingMission
from m1nd.domain.card.facts import CardFacts, Coherence, Reception, Signal
from m1nd.domain.north.gaps import Gap

TOP_FOCUS = "Call `surgical_context` on the top focus node to ground the task before editing."
INGEST = "Run ingest for the intended repo, then call north again to get grounded context."


def signal(code: str, **args: Any) -> Signal:
    gap = Gap.of(code, **args)
    return Signal(gap.code, gap.text)


CLEAN = CardFacts(
    trust="full_trust",
    nodes=9024,
    memories=30,
    maps=4,
    bell=0,
    coherence=Coherence.OK,
    reception=Reception.MATCH,
    signals=(),
    next_move=TOP_FOCUS,
)


def with_gap(code: str, **args: Any) -> CardFacts:
    return evolve(CLEAN, signals=(signal(code, **args),))


def bell(count: int) -> CardFacts:
    return evolve(with_gap("bell", count=count), bell=count)


def sick(expected: str, found: str) -> CardFacts:
    return evolve(with_gap("coherence", expected=expected, found=found), coherence=Coherence.SICK)


def degraded(trust: str) -> CardFacts:
    return evolve(with_gap("binding", verdict=trust), trust=trust)


MISMATCH = evolve(
    with_gap("reception"),
    bell=3,
    reception=Reception.MISMATCH,
    bound="/home/<user>/repo-alpha",
    yours="/home/<user>/repo-beta",
    next_move="ingest project_root=/home/<user>/repo-beta",
)
NEEDS_INGEST = evolve(
    CLEAN,
    trust="needs_ingest",
    nodes=0,
    memories=30,
    signals=(signal("binding", verdict="needs_ingest"), signal("graph_empty")),
    next_move=INGEST,
)
FACTS: dict[str, tuple[CardFacts, str, str]] = {
    "clean": (CLEAN, "clean", "full_trust|bell:0|coh:ok|recv:match"),
    "bell": (bell(3), "bell", "full_trust|bell:3|coh:ok|recv:match"),
    "bell_twelve": (bell(12), "bell", "full_trust|bell:12|coh:ok|recv:match"),
    "coherence": (
        sick("spine-north", "spine-north-v0"),
        "coherence",
        "full_trust|bell:0|coh:sick|recv:match",
    ),
    "coherence_long": (
        sick("payments-ledger-reconciliation-core", "payments-ledger-reconciliation-core-v0-candidate"),
        "coherence",
        "full_trust|bell:0|coh:sick|recv:match",
    ),
    "mismatch": (MISMATCH, "mismatch", "full_trust|bell:-|coh:-|recv:mismatch"),
    "needs_ingest": (NEEDS_INGEST, "needs_ingest", "needs_ingest|bell:0|coh:ok|recv:match"),
    "wrong_workspace": (
        degraded("wrong_workspace_binding"),
        "degraded",
        "wrong_workspace_binding|bell:0|coh:ok|recv:match",
    ),
    "degraded_tools": (
        degraded("degraded_host_tool_surface"),
        "degraded",
        "degraded_host_tool_surface|bell:0|coh:ok|recv:match",
    ),
    "memory_unmatched": (
        with_gap("memory_unmatched", count=30),
        "gap",
        "full_trust|bell:0|coh:ok|recv:match",
    ),
    "memory_empty": (
        evolve(with_gap("memory_empty"), memories=0),
        "gap",
        "full_trust|bell:0|coh:ok|recv:match",
    ),
    "focus_empty": (with_gap("focus_empty"), "gap", "full_trust|bell:0|coh:ok|recv:match"),
}
"""Name of the golden file → the facts, the state, the signature."""

MAPS = tuple(
    MapLine(slug, "ok") for slug in ("spine-north", "medulla", "mission-control", "routing-reception")
)
MISSIONS = (
    WaitingMission("msn_e2c93413069d", "441 tests green", "sha256:5b58d701"),
    WaitingMission("msn_000000000002", "12 tests green", "sha256:00000002"),
    WaitingMission("msn_000000000001", "9 tests green"),
)
DEEP: dict[str, tuple[CardFacts, DeepDetails]] = {
    "deep_bell": (bell(3), DeepDetails(MISSIONS, MAPS)),
    "deep_maps": (CLEAN, DeepDetails((), MAPS)),
}
