"""`delegate`, `delegate_clipboard`, `debrief`: a packet for another agent, and its one answer (MISSIONS.md, Delegation).

The clipboard form is composed from what is there: it refreshes nothing and appends nothing. No packet holds a screenshot,
and secrets are taken out of every text before it is shown or kept (seed 001 §9).
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import field, frozen
from pydantic import ValidationError

from m1nd.application.brain import Brain
from m1nd.application.ports import Progress
from m1nd.application.use_cases.composing import complete
from m1nd.application.use_cases.describing import Teller
from m1nd.application.use_cases.item_texts import item_texts
from m1nd.application.use_cases.refreshing import bring_up_to_date
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.telling import chosen, tell
from m1nd.domain.blocks.block_state import BlockState
from m1nd.domain.missions.delegation import DelegationState, Foreseen, Outcome, Touched, unknown
from m1nd.domain.missions.foresight import foresee
from m1nd.domain.missions.gate import MissionScope, digest_of
from m1nd.domain.missions.hygiene import clean_text, display_name
from m1nd.domain.north.focus import rank
from m1nd.domain.path_law import normalise
from m1nd.domain.receipts.evidence import Evidence
from m1nd.domain.refusal import refuse

SCHEMA = "m1nd-delegation-packet-v0"
DEBRIEF = "m1nd-debrief-v0"
TIME_TO_LIVE = timedelta(hours=24)
LONGEST_TASK = 4096
MOST_FINDINGS = 50
LONGEST_FINDING = 1000
TOP_K = 8
MOST_CLAIMS = 5

NON_CLAIMS = (
    "This packet is orientation from the index tier; it is no compiler and no test run.",
    "The foreseen files are a guess of reach, not a permission and not a promise.",
    "Memory rows are what somebody said once; unknown age is never fresh.",
    "Whatever comes back, a human decides whether anything lands.",
)

REPORT_PROTOCOL = (
    "Work on the named files; say so when you must leave them.",
    "When done, answer once: m1nd debrief {id} --outcome success|failure|partial --touched PATH… --finding TEXT…",
    "Attach evidence (artifact_hash, evidence_refs) or the outcome stays unverified.",
    "Never call anything done, correct or safe to merge.",
)


BY_HAND = (
    "Work on the named files; say so when you must leave them.",
    "Report to the person who gave you this: nothing here is recorded, so there is nothing to debrief.",
    "Say what you changed, what you learnt, and where the evidence lies.",
    "Never call anything done, correct or safe to merge.",
)
"""Of a packet that was copied by hand."""


@frozen
class DelegateRequest:
    task: str
    block_id: str = ""


@frozen
class DebriefRequest:
    """`evidence`: `{artifact_hash, evidence_refs, command?, cwd?, exit_status?, started_at?, ended_at?, stdout_excerpt?}`."""

    delegation_id: str
    outcome: str
    touched_paths: Sequence[str] = ()
    findings: Sequence[str] = ()
    evidence: Mapping[str, Any] | None = None


@frozen
class Debriefed:
    delegation_id: str
    outcome: str
    outcome_state: str
    late: bool
    touched: tuple[Touched, ...]
    candidate_id: str
    candidate: Mapping[str, Any] | None
    honest_gaps: tuple[str, ...] = field(default=())


def compose(brain: Brain, request: DelegateRequest) -> dict[str, Any]:
    """The packet for the clipboard. A pure read: it names no delegation, and nothing can be debriefed of it.

    Raises Refused(usage | unknown_block | block_archived).
    """
    return _packet(brain, _checked(request), "", brain.clock.now() + TIME_TO_LIVE)[0]


def delegate(brain: Brain, request: DelegateRequest, progress: Progress | None = None) -> dict[str, Any]:
    """A packet that was handed out: the log knows it, and waits for its debrief.

    Nothing is recorded where the verdict is not `packet`. Raises Refused as `compose`, and read_only.
    """
    brain.deny_if_read_only("delegate")
    arguments = {"task": request.task, "block_id": request.block_id}

    def work() -> dict[str, Any]:
        asked = _checked(request)
        bring_up_to_date(brain, progress)
        id = f"dlg_{brain.ids.hex(12)}"
        expires_at = brain.clock.now() + TIME_TO_LIVE
        packet, foreseen, block = _packet(brain, asked, id, expires_at)
        if packet["verdict"] == "packet":
            brain.app.issue_delegation(
                id,
                asked.task,
                digest_of(packet),
                asked.block_id,
                None if block is None else MissionScope.of(block.scope),
                foreseen,
                brain.log.generation(),
                expires_at,
                new_command(brain, "delegate", arguments),
            )
        return packet

    return answered(brain, "delegate", arguments, work)


def debrief(brain: Brain, request: DebriefRequest) -> Debriefed:
    """The one answer to a delegation; with evidence about a block it composes a `review` candidate for the human.

    Raises Refused(unknown_delegation | delegation_answered | usage | outside_root | evidence_incomplete | read_only).
    """
    brain.deny_if_read_only("debrief")
    arguments: dict[str, Any] = {
        "delegation_id": request.delegation_id,
        "outcome": request.outcome,
        "touched_paths": list(request.touched_paths),
        "findings": list(request.findings),
        "evidence": request.evidence,
    }
    return answered(brain, "debrief", arguments, lambda: _debrief(brain, request, arguments))


def _checked(request: DelegateRequest) -> DelegateRequest:
    task = clean_text(request.task)
    if not task or len(task) > LONGEST_TASK:
        refuse("usage", f"a task has 1 to {LONGEST_TASK:,} characters", 'm1nd delegate give "what to do"')
    return DelegateRequest(task, request.block_id)


def _packet(
    brain: Brain, asked: DelegateRequest, id: str, expires_at: datetime
) -> tuple[dict[str, Any], Foreseen, BlockState | None]:
    block = _block(brain, asked.block_id) if asked.block_id else None
    generation = brain.log.generation()
    teller = Teller(brain, brain.graph.remembered(), brain.identities.table()) if generation else None
    nodes = (
        rank(teller.graph, asked.task, TOP_K, texts=item_texts(brain, teller.graph)).nodes
        if teller is not None
        else ()
    )
    members = [member.path for member in block.baseline.members] if block is not None else []
    foreseen = (
        foresee(teller.graph, [node.node for node in nodes], members) if teller is not None else Foreseen()
    )
    verdict = "needs_ingest" if teller is None else "packet" if nodes or block is not None else "abstain"
    memory = _memory(brain, teller, asked.task)
    head = brain.log.head()
    packet: dict[str, Any] = {
        "schema": SCHEMA,
        "delegation_id": id,
        "mode": "direct" if id else "clipboard",
        "verdict": verdict,
        **({"abstain_class": "unscopable"} if verdict == "abstain" else {}),
        "task": asked.task,
        "mission": {
            "binding": {
                "workspace_root": display_name(brain.root),
                "generation": generation,
                "log": {"count": head.count, "head": head.head},
            },
            **({"block": _about(block)} if block is not None else {}),
        },
        "context": [_focus(teller, node.node, node.score, node.why) for node in nodes] if teller else [],
        "foreseen": foreseen.model_dump(mode="json"),
        "memory": memory,
        "honest_gaps": _gaps(brain, verdict, block, memory),
        "non_claims": list(NON_CLAIMS),
        "report_protocol": [line.format(id=id) for line in (REPORT_PROTOCOL if id else BY_HAND)],
        "hygiene": {"screenshot": False, "redacted": True, "appends": bool(id)},
        "expires_at": expires_at.isoformat(),
    }
    return packet, foreseen, block


def _block(brain: Brain, block_id: str) -> BlockState:
    block = brain.app.block(block_id)
    if block is None:
        refuse(
            "unknown_block",
            f"unknown block_id {block_id}: no ratified block bears it",
            "m1nd blocks show",
            block_id=block_id,
        )
    block.require_live()
    return block


def _about(block: BlockState) -> dict[str, Any]:
    return {
        **MissionScope.of(block.scope).model_dump(),
        "name": block.name,
        "purpose": clean_text(block.draft.purpose),
        "external": [socket.wire() for socket in block.draft.sockets.external],
    }


def _focus(teller: Teller, node: int, score: float, why: str) -> dict[str, Any]:
    item = teller.describe(node)
    return {
        "symbol_id": item.symbol_id,
        "label": item.full_path,
        "kind": item.kind,
        "path": item.path,
        "line": item.line,
        "signature": clean_text(item.signature),
        "score": round(score, 4),
        "why": why,
    }


def _memory(brain: Brain, teller: Teller | None, task: str) -> list[dict[str, Any]]:
    if teller is None:
        return []
    now = brain.clock.now()
    told = [tell(teller, row, now) for row, _ in chosen(task, brain.views.live_claims())[:MOST_CLAIMS]]
    return [
        {
            "claim_id": each.row.claim_id,
            "claim": clean_text(each.row.claim)[:320],
            "tier": each.row.state.value,
            "origin_brain": display_name(brain.root),
            "source_agent": each.row.source_agent,
            "stale": each.stale,
        }
        for each in told
    ]


def _gaps(
    brain: Brain, verdict: str, block: BlockState | None, memory: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Never empty: what the packet does not know."""
    gaps = []
    if verdict == "needs_ingest":
        gaps.append("The graph was never built here: no context can be given before m1nd ingest.")
    if verdict == "abstain":
        gaps.append("No item answers the task's words and no block was named: the work has no scope.")
    if block is None:
        gaps.append("No block was named: evidence of this work cannot become a receipt.")
    if stale := (brain.graph.stale_files() if verdict != "needs_ingest" else 0):
        gaps.append(f"{stale} file(s) changed on disk since the last ingest; nodes may lag the files.")
    if not memory:
        gaps.append("No remembered claim answers this task.")
    gaps.append("Tests were not run and the compiler was not asked.")
    return gaps


def _debrief(brain: Brain, request: DebriefRequest, arguments: Mapping[str, Any]) -> Debriefed:
    outcome = _outcome(request.outcome)
    touched = tuple(normalise(path) for path in request.touched_paths)
    findings = _findings(request.findings)
    state = brain.app.delegation(request.delegation_id)
    if state is None:
        unknown(request.delegation_id)
    evidence = None if request.evidence is None else _evidence(request.evidence)
    candidate = None if evidence is None else review_candidate(state, evidence, brain.actor.id)
    if candidate is not None:
        candidate = complete(candidate, brain.clock.now())
    done = brain.app.debrief_delegation(
        request.delegation_id,
        outcome,
        touched,
        findings,
        evidence,
        candidate,
        new_command(brain, "debrief", arguments),
    )
    return Debriefed(
        done.delegation_id,
        done.outcome,
        done.outcome_state,
        done.late,
        done.touched,
        done.candidate_id,
        candidate,
        _debrief_gaps(request, state, done.touched, done.late),
    )


def _outcome(text: str) -> Outcome:
    match text:
        case "success" | "failure" | "partial":
            return text
        case _:
            refuse("usage", f"an outcome is success, failure or partial, not {text!r}", "m1nd debrief --help")


def _findings(given: Sequence[str]) -> tuple[str, ...]:
    cleaned = tuple(clean_text(text) for text in given)
    if len(cleaned) > MOST_FINDINGS or any(not 1 <= len(text) <= LONGEST_FINDING for text in cleaned):
        refuse(
            "usage",
            f"at most {MOST_FINDINGS} findings of 1 to {LONGEST_FINDING:,} characters",
            "m1nd debrief --help",
        )
    return cleaned


def _debrief_gaps(
    request: DebriefRequest, state: DelegationState, touched: Sequence[Touched], late: bool
) -> tuple[str, ...]:
    gaps = []
    if request.evidence is None:
        gaps.append("No evidence is attached: the outcome is what its author says.")
    elif state.scope is None:
        gaps.append("The delegation named no block: its evidence cannot become a receipt.")
    if late:
        gaps.append("The packet had expired: what it foresaw may be of another graph.")
    if other := sum(each.grade == "unpredicted" for each in touched):
        gaps.append(f"{other} touched file(s) were not foreseen.")
    return tuple(gaps)


def _evidence(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was captured, secrets out. Raises Refused(usage) for a field that evidence does not have."""
    try:
        found = Evidence.model_validate_json(json.dumps(dict(given)), strict=True).redacted()
    except ValidationError as broken:
        first = broken.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "evidence"
        refuse("usage", f"evidence: {place}: {first['msg']}", "m1nd debrief --help", field=place)
    return {name: value for name, value in found.model_dump(mode="json").items() if value is not None}


def review_candidate(
    state: DelegationState, evidence: Mapping[str, Any], author: str
) -> dict[str, Any] | None:
    """The `review` receipt of a debrief; None where the delegation named no block."""
    if state.scope is None:
        return None
    return {
        "type": "review",
        "emitter": {"kind": "verb", "id": f"debrief:{author}"[:200]},
        "scope": state.scope.model_dump(),
        "evidence": dict(evidence),
        "validity": {"expires_on": None, "stales_on": ["member_change"]},
    }
