"""`memorize`, `recall`, and the reads of single claims. What a claim rests on is looked at anew at every question."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen
from pydantic import ValidationError

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.anchoring import anchor
from m1nd.application.use_cases.describing import open_graph
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.telling import Told, chosen, tell
from m1nd.domain.memory.claim_state import LONGEST_CLAIM, ClaimFields, State, label_of, plain_text
from m1nd.domain.refusal import refuse

EXAMPLE = 'm1nd memory add "what is so" --state authored --confidence 0.8 --evidence SYMBOL'


@frozen
class MemorizeRequest:
    """`evidence`: names of items or paths of files. `confidence` is 0 to 1, None where nobody knows."""

    claim: str
    state: str = State.AUTHORED.value
    confidence: float | None = None
    evidence: tuple[str, ...] = ()
    supersedes: str = ""
    label: str = ""


@frozen
class Memorized:
    told: Told
    graph_rev: int


@frozen
class Recalled:
    """`live` is how many claims stand in all, so that an empty answer is not taken for an empty memory."""

    query: str
    claims: tuple[Told, ...]
    live: int
    graph_rev: int


def memorize(brain: Brain, request: MemorizeRequest, progress: Progress | None = None) -> Memorized:
    """Keep a claim and what it rests on; with `supersedes` it takes an older one's place.

    Raises Refused(usage | symbol_not_found | ambiguous_symbol | claim_unknown | claim_superseded | claim_weaker |
    read_only); a refusal keeps nothing.
    """
    brain.deny_if_read_only("memorize")
    arguments = {
        "claim": request.claim,
        "state": request.state,
        "confidence": request.confidence,
        "evidence": list(request.evidence),
        "supersedes": request.supersedes,
        "label": request.label,
    }
    return answered(brain, "memorize", arguments, lambda: _memorize(brain, request, arguments, progress))


def _memorize(
    brain: Brain, request: MemorizeRequest, arguments: Mapping[str, Any], progress: Progress | None
) -> Memorized:
    text = plain_text(request.claim)
    if not text or len(text) > LONGEST_CLAIM:
        refuse("usage", f"a claim has 1 to {LONGEST_CLAIM:,} characters; this one has {len(text):,}", EXAMPLE)
    teller, generation = open_graph(brain, progress)
    anchors = tuple({a.name: a for a in (anchor(teller, name) for name in request.evidence)}.values())
    fields = _fields(
        claim_id=f"clm_{brain.ids.hex(12)}",
        label=" ".join(plain_text(request.label).split()) or label_of(text),
        claim=text,
        state=request.state,
        confidence=request.confidence,
        evidence=anchors,
        supersedes=request.supersedes,
        source_agent=brain.actor.id,
    )
    kept = brain.app.record_claim(fields, new_command(brain, "memorize", arguments))
    row = brain.views.claim(kept)
    assert row is not None
    return Memorized(tell(teller, row, brain.clock.now()), generation)


def _fields(**given: Any) -> ClaimFields:
    """The claim's fields. Raises Refused(usage) naming the first that is out of its bounds."""
    try:
        return ClaimFields(**given)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        field = ".".join(map(str, first["loc"]))
        refuse("usage", f"`{field}` of a claim: {first['msg'].lower()}", EXAMPLE, field=field)


def recall(brain: Brain, query: str, limit: int = 8, progress: Progress | None = None) -> Recalled:
    """Live claims that answer a question, best first; all of them, newest first, for an empty one. Raises Refused(usage)."""
    if limit < 1:
        refuse("usage", "the limit counts from 1", "m1nd memory recall QUESTION --limit 8")
    teller, generation = open_graph(brain, progress)
    rows = brain.views.live_claims()
    now = brain.clock.now()
    best = chosen(query, rows)[:limit]
    return Recalled(query, tuple(tell(teller, row, now, score) for row, score in best), len(rows), generation)


def show(brain: Brain, claim_id: str, progress: Progress | None = None) -> Told:
    """One claim, superseded or not. Raises Refused(claim_unknown)."""
    teller, _ = open_graph(brain, progress)
    row = brain.views.claim(claim_id)
    if row is None:
        refuse("claim_unknown", f"there is no claim {claim_id}", claim_id=claim_id)
    return tell(teller, row, brain.clock.now())


def listed(brain: Brain, limit: int = 50, progress: Progress | None = None) -> tuple[Told, ...]:
    """All claims, superseded ones too, newest first."""
    teller, _ = open_graph(brain, progress)
    now = brain.clock.now()
    return tuple(tell(teller, row, now) for row in brain.views.claims(limit))
