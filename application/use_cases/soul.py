"""`soul_check`: the repository's declared invariants held against the graph; a `handoff` candidate where they stand.

It looks only whether what a claim names is there. Whether the claim is true of it, nobody here says (D23).
"""

from typing import Any

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.anchoring import anchor
from m1nd.application.use_cases.composing import complete
from m1nd.application.use_cases.describing import Teller, open_graph
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.domain.digests import sha256
from m1nd.domain.missions.gate import MissionScope, digest_of
from m1nd.domain.missions.hygiene import clean_text
from m1nd.domain.missions.soul import Judged, Verdict, judge, read_soul
from m1nd.domain.refusal import Refused, refuse

SOUL = "docs/soul.md"
LARGEST = 1 << 20


@frozen
class SoulReport:
    """`candidate` is composed only for a block, and only where no claim is broken and one holds."""

    path: str
    sha256: str
    claims: tuple[Judged, ...]
    candidate_id: str
    candidate: dict[str, Any] | None
    why_none: str
    graph_rev: int

    def count(self, verdict: Verdict) -> int:
        return sum(each.verdict is verdict for each in self.claims)


def soul_check(brain: Brain, block_id: str = "", progress: Progress | None = None) -> SoulReport:
    """Hold `docs/soul.md` against the graph; with a block, compose the `handoff` receipt that a human may land.

    Raises Refused(soul_missing | unknown_block | block_archived | read_only).
    """
    brain.deny_if_read_only("soul_check")
    arguments = {"block_id": block_id}
    return answered(brain, "soul_check", arguments, lambda: _check(brain, block_id, arguments, progress))


def _check(brain: Brain, block_id: str, arguments: dict[str, str], progress: Progress | None) -> SoulReport:
    data = brain.files.read(SOUL)
    if data is None or len(data) > LARGEST:
        refuse(
            "soul_missing",
            f"{SOUL} is not there, or is too large to be read",
            f"write the repository's invariants as a list into {SOUL}, with the code that carries each in back-ticks",
            path=SOUL,
        )
    teller, generation = open_graph(brain, progress)
    claims = tuple(
        judge(claim, tuple(name for name in claim.evidence if not _is_there(teller, name)))
        for claim in read_soul(data.decode("utf-8", "replace"))
    )
    digest = sha256(data)
    candidate, why = _candidate(brain, block_id, digest, claims)
    id = ""
    if candidate is not None:
        command = new_command(brain, "soul_check", arguments)
        id = brain.app.compose_candidate(candidate, "soul_check", SOUL, command).candidate_id
    return SoulReport(SOUL, digest, claims, id, candidate, why, generation)


def _is_there(teller: Teller, name: str) -> bool:
    """Whether one file or one item answers to the name; an ambiguous name answers for nothing."""
    try:
        anchor(teller, name)
    except Refused:
        return False
    return True


def _candidate(
    brain: Brain, block_id: str, digest: str, claims: tuple[Judged, ...]
) -> tuple[dict[str, Any] | None, str]:
    if not block_id:
        return None, "no block was named"
    block = brain.app.block(block_id)
    if block is None:
        refuse(
            "unknown_block",
            f"unknown block_id {block_id}: no ratified block bears it",
            "m1nd blocks show",
            block_id=block_id,
        )
    block.require_live()
    if any(each.verdict is Verdict.BROKEN for each in claims):
        return None, "a claim is broken"
    if not any(each.verdict is Verdict.HOLDS for each in claims):
        return None, "no claim names anything that is there"
    report = {
        "soul": digest,
        "claims": [{"text": clean_text(each.claim.text), "verdict": each.verdict.value} for each in claims],
    }
    held = sum(each.verdict is Verdict.HOLDS for each in claims)
    candidate = {
        "type": "handoff",
        "emitter": {"kind": "verb", "id": "soul_check"},
        "scope": MissionScope.of(block.scope).model_dump(),
        "evidence": {
            "artifact_hash": digest_of(report),
            "evidence_refs": [SOUL],
            "stdout_excerpt": f"{held} of {len(claims)} declared invariants name code that is there",
        },
        "validity": {"expires_on": None, "stales_on": ["member_change"]},
    }
    return complete(candidate, brain.clock.now()), ""
