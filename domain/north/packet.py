"""The packet `m1nd-north-packet-v0`: every field where CARD.md §1 puts it, absent where there is nothing to say.

Reads like the table of fields. Composing changes nothing and knows no clock: equal parts give equal packets (D14).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from m1nd.domain.card.cadence import Beat, Cadence, Occasion, Shown, cadence
from m1nd.domain.card.compact import SCHEMA as VIEW_SCHEMA
from m1nd.domain.card.compact import Card, compact
from m1nd.domain.card.deep import DeepDetails
from m1nd.domain.card.facts import CardFacts, Reception, Signal
from m1nd.domain.card.sanitising import sanitised
from m1nd.domain.north import reception, trust
from m1nd.domain.north.budget import LONGEST_TASK, within_budget
from m1nd.domain.north.gaps import Gap
from m1nd.domain.north.inputs import CardInputs, MemoryRow
from m1nd.domain.north.trust import Standing, Trust

SCHEMA = "m1nd-north-packet-v0"
FOCUSED = "Call `surgical_context` on the top focus node to ground the task before editing."
EMPTY = "Run ingest for the intended repo, then call north again to get grounded context."
UNFOCUSED = (
    "No focus nodes activated — refine the task text or ingest the relevant area, then call north again."
)
NON_CLAIMS = (
    "not a compiler: an edge is what the index found, not what the build proves",
    "not a test run: nothing was executed",
    "an unknown age is never fresh",
)


@frozen
class Brain:
    """The bound brain at one log position. `nodes` = files + modules + items; `stale` are paths that changed on disk since
    the last ingest, sorted."""

    root: str
    fingerprint: str
    log_count: int
    log_head: str
    generation: int
    nodes: int
    stale: tuple[str, ...] = ()


@frozen
class Focus:
    """`context` and `sufficiency` as the packet shows them; rows are JSON objects, best first."""

    nodes: tuple[Mapping[str, Any], ...]
    anchors: tuple[Mapping[str, Any], ...]
    coverage: Mapping[str, Any]
    sufficiency: Mapping[str, str]


@frozen
class Parts:
    """All that a packet is made of. `focus` is None where no task was asked about (the card alone); `memory` are the claims
    that came up for the task, best first."""

    task: str
    brain: Brain
    standing: Standing
    desk: reception.FrontDesk
    inputs: CardInputs
    focus: Focus | None
    memory: tuple[MemoryRow, ...]
    as_of: datetime
    session: str = ""
    occasion: Occasion = Occasion.NONE
    shown: Shown = field(factory=Shown)

    @property
    def trust(self) -> Trust:
        return trust.trust(self.standing)

    @property
    def foreign(self) -> bool:
        return self.desk.reception is Reception.MISMATCH


@frozen
class Packet:
    """`data` is the wire object; `facts`, `card` and `details` (for the deep form) what the human sees of it."""

    data: Mapping[str, Any]
    facts: CardFacts
    card: Card
    cadence: Cadence
    details: DeepDetails


def compose(parts: Parts) -> Packet:
    """The packet of these parts, within its budget."""
    gaps = honest_gaps(parts)
    facts = _facts(parts, gaps)
    card = compact(facts)
    decided = cadence(_beat(parts, facts))
    data = {
        "schema": SCHEMA,
        "task": parts.task,
        "log_position": parts.brain.log_count,
        "binding": _binding(parts),
        **({} if parts.foreign else _rooms(parts)),
        "next_move": facts.next_move,
        "honest_gaps": [gap.text for gap in gaps],
        "gaps": [{"code": gap.code, "args": dict(gap.args)} for gap in gaps],
        "reception": reception.wire(parts.desk, parts.task),
        "non_claims": list(NON_CLAIMS),
        "human_view": human_view(card, decided),
    }
    return Packet(within_budget(data), facts, card, decided, parts.inputs.details)


def human_view(card: Card, decided: Cadence) -> dict[str, Any]:
    return {
        "schema": VIEW_SCHEMA,
        "state": card.state.value,
        "state_sig": card.signature,
        "lines": list(card.lines),
        "render": decided.render,
        "render_reason": decided.reason.value,
    }


def honest_gaps(parts: Parts) -> tuple[Gap, ...]:
    """What is not known, in the order of CARD.md §3; under mismatch only that, for the rest is about another repository."""
    if parts.foreign:
        return (Gap.of("reception"),)
    found: list[Gap] = []
    if parts.trust.is_empty:
        found.append(Gap.of("graph_empty"))
    elif parts.focus is not None and not parts.focus.nodes:
        found.append(Gap.of("focus_empty"))
    if parts.trust is not Trust.FULL:
        found.append(Gap.of("binding", verdict=parts.trust.value))
    return (*found, *_memory_gaps(parts), *_room_gaps(parts.inputs), *_stale_gaps(parts.brain))


def _memory_gaps(parts: Parts) -> list[Gap]:
    if not parts.inputs.memories:
        return [Gap.of("memory_empty")]
    if parts.focus is not None and not parts.memory:
        return [Gap.of("memory_unmatched", count=parts.inputs.memories)]
    return []


def _room_gaps(inputs: CardInputs) -> list[Gap]:
    found: list[Gap] = []
    blocks = inputs.blocks
    if blocks is not None and not blocks.slugs_agree:
        found.append(Gap.of("coherence", expected=blocks.expected_slug, found=blocks.found_slug))
    if blocks is not None and blocks.stale and (first := blocks.first_stale) is not None:
        found.append(
            Gap.of(
                "block_stale",
                count=blocks.stale,
                block=first.slug,
                reason=first.reason,
                have=first.have,
                need=first.need,
            )
        )
    if inputs.bell:
        found.append(Gap.of("bell", count=inputs.bell))
    if inputs.collisions:
        found.append(Gap.of("collision", others="; ".join(map(str, inputs.collisions))))
    return found


def _stale_gaps(brain: Brain) -> list[Gap]:
    if not brain.generation or not brain.stale:
        return []
    return [Gap.of("graph_stale", count=len(brain.stale), path=brain.stale[0])]


def _facts(parts: Parts, gaps: tuple[Gap, ...]) -> CardFacts:
    inputs = parts.inputs
    return CardFacts(
        trust=parts.trust.value,
        nodes=parts.brain.nodes,
        memories=inputs.memories,
        maps=inputs.ratified,
        bell=inputs.bell,
        coherence=inputs.coherence,
        reception=parts.desk.reception,
        signals=tuple(Signal(gap.code, gap.text) for gap in gaps),
        next_move=_next_move(parts),
        bound=sanitised(parts.desk.bound),
        yours=sanitised(parts.desk.caller),
    )


def _next_move(parts: Parts) -> str:
    if parts.foreign:
        return reception.ingest_call(parts.desk.caller)
    if parts.trust.is_empty:
        return EMPTY
    return FOCUSED if parts.focus is not None and parts.focus.nodes else UNFOCUSED


def _beat(parts: Parts, facts: CardFacts) -> Beat:
    return Beat(
        facts.signature,
        parts.desk.reception,
        facts.bell,
        parts.session,
        parts.occasion,
        parts.as_of,
        parts.shown,
    )


def _binding(parts: Parts) -> dict[str, Any]:
    brain = parts.brain
    return {
        "trust_mode": parts.trust.value,
        "ok": parts.trust is Trust.FULL,
        "fingerprint": brain.fingerprint,
        "graph_populated": brain.generation > 0,
        "generation": brain.generation,
        "stale_files": len(brain.stale),
        "log": {"count": brain.log_count, "head": brain.log_head},
        "roots": [brain.root],
    }


def _rooms(parts: Parts) -> dict[str, Any]:
    """What the bound brain knows: context, memory, map, bell, and what to do where trust is not full."""
    rooms: dict[str, Any] = {}
    mode = parts.trust
    if parts.focus is not None and not mode.is_empty:
        rooms["context"] = {
            "focus_nodes": list(parts.focus.nodes),
            "anchors": list(parts.focus.anchors),
            "coverage": dict(parts.focus.coverage),
        }
        rooms["sufficiency"] = dict(parts.focus.sufficiency)
    rooms["memory"] = [_memory(row) for row in parts.memory]
    rooms["memory_exists"] = parts.inputs.memories
    if mode.is_empty:
        rooms["needs"] = "needs_ingest"
    if (repair := trust.playbook(mode, parts.standing, sanitised(parts.task)[:LONGEST_TASK])) is not None:
        rooms["recovery_playbook"] = dict(repair)
    if parts.inputs.bell:
        rooms["landing_bell"] = {"merge_wait": parts.inputs.bell}
    if (blocks := parts.inputs.blocks) is not None:
        rooms["map"] = {
            "ratified_blocks": blocks.ratified,
            "stale_blocks": blocks.stale,
            "evidence_backed": blocks.evidence_backed,
        }
        rooms["skeleton_coherence"] = (
            {"status": "ok"}
            if blocks.slugs_agree
            else {
                "status": "mismatch",
                "expected_slug": blocks.expected_slug,
                "found_slug": blocks.found_slug,
            }
        )
    return rooms


def _memory(row: MemoryRow) -> dict[str, Any]:
    told: dict[str, Any] = {
        "claim_id": row.claim_id,
        "claim": row.claim,
        "state": row.state,
        "confidence": row.confidence,
        "source_agent": row.source_agent,
        "age_ms": row.age_ms,
        "stale": row.stale,
        "anchored_to": list(row.anchored_to),
        "evidence_fresh": row.evidence_fresh,
    }
    return {name: value for name, value in told.items() if value is not None}
