"""The page of a candidate: what the human reads before landing or archiving it, line by line (D24, D44). Pure.

The same candidate over the same block gives the same page, whenever it is shown: a stamp is bound to these lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from m1nd.domain.missions.candidate import CandidateState
from m1nd.domain.missions.state import MissionState

LONGEST_MESSAGE = 20
"""Lines of a packet's message; the rest is counted."""


def candidate_page(state: MissionState, moved: Sequence[str], changes: Sequence[str]) -> tuple[str, ...]:
    """The mission, the exact candidate, and what happened to the block since the dispatch.

    `moved` names the parts of the scope that are not those of the dispatch, `changes` the block's own events since.
    """
    assert state.candidate is not None
    return (*_mission(state), *_candidate(state.candidate), *_since(state, moved, changes))


def loose_page(state: CandidateState, moved: Sequence[str]) -> tuple[str, ...]:
    """The same for a candidate outside of missions; what happened to the block since is not known by event, but by `moved`."""
    head = (
        f"candidate  {state.candidate_id}",
        f"composed   by {state.origin} for {state.composed_by}, from {_flat(state.source)}",
    )
    tail = (_MOVED.format(", ".join(moved)),) if moved else ()
    return (*head, *_candidate(state.candidate), *tail)


_MOVED = "SCOPE MOVED: {}. The evidence is of another version of the block; it cannot land."


def _mission(state: MissionState) -> Iterator[str]:
    run = state.running
    yield f"mission    {state.mission_id}, iteration {state.iteration}"
    yield f"written by {state.author}, worked on by {run.runner_id}"
    if state.verdict is not None:
        gist = f": {_flat(state.verdict.gist)}" if state.verdict.gist else ""
        yield f"reviewed   {state.verdict.decision} by {state.verdict.by}{gist}"
    yield "asked for"
    yield from _lines(state.packet.message)
    for each in state.attached:
        yield f"did        {each.kind} {each.ref}: {_flat(each.summary)}"
    yield f"candidate  {state.candidate_id}"


def _candidate(candidate: Mapping[str, Any]) -> Iterator[str]:
    emitter, scope, evidence = candidate["emitter"], candidate["scope"], candidate["evidence"]
    yield f"receipt    {candidate['type']}, by {emitter['kind']} {emitter['id']}"
    yield (
        f"scope      {scope['block_id']}, boundary {scope['boundary_version']}, contract {scope['contract_version']}, "
        f"resolution {scope['resolution_hash'][:12]}"
    )
    for name, label in (
        ("command", "command"),
        ("cwd", "in"),
        ("exit_status", "exit"),
        ("started_at", "started"),
        ("ended_at", "ended"),
    ):
        if evidence.get(name) is not None:
            yield f"{label:<10} {_flat(str(evidence[name]))}"
    yield f"sha256     {evidence['artifact_hash'].removeprefix('sha256:')}"
    for ref in evidence["evidence_refs"]:
        yield f"evidence   {_flat(ref)}"
    if evidence.get("stdout_excerpt"):
        yield "output, its end"
        yield from (f"  {line}" for line in evidence["stdout_excerpt"].splitlines())


def _since(state: MissionState, moved: Sequence[str], changes: Sequence[str]) -> Iterator[str]:
    yield "since the dispatch, beside its own writes" if state.attached else "since the dispatch"
    yield from (f"  {_flat(line)}" for line in changes or ("nothing happened to the block",))
    if moved:
        yield _MOVED.format(", ".join(moved))


def _lines(message: str) -> Iterator[str]:
    lines = message.splitlines()
    yield from (f"  {line}" for line in lines[:LONGEST_MESSAGE])
    if len(lines) > LONGEST_MESSAGE:
        yield f"  and {len(lines) - LONGEST_MESSAGE} more lines; the digest covers them"


def _flat(text: str) -> str:
    return " ".join(text.split())
