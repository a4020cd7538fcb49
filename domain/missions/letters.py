"""Mission letters (`m1nd-mission-letter-v0`): what a mission looks like from outside, one letter a step, chained.

Letters are rendered from events, never posted (reference shape of upstream; its law is `check_letter`). A letter colours no
block; only an imported receipt does. Pure: `next_letter` takes the head letter and one event.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from m1nd.domain.base import Event
from m1nd.domain.digests import sha256
from m1nd.domain.missions.mission import Mission
from m1nd.domain.path_law import DRIVE

SCHEMA = "m1nd-mission-letter-v0"

PHASES = ("judging", "executing", "gate", "review", "merge_wait", "landed", "failed", "archived")

Letter = dict[str, Any]
Changes = dict[str, Any]

_REST: Mapping[str, None] = {"verdict": None, "gate": None, "receipt_candidate": None}
"""What a new run of the work has not yet."""


def _verdict(event: Any) -> Changes:
    phases = {"CHANGE": "judging", "REJECT": "failed"}
    changes: Changes = {"verdict": {"decision": event.decision, "gist": event.gist}}
    if event.decision in phases:
        changes["phase"] = phases[event.decision]
    return changes


def _candidate(event: Any) -> Changes:
    found = event.candidate
    scope = {name: found["scope"][name] for name in ("boundary_version", "contract_version")}
    short = {"block_id": found["scope"]["block_id"], "type": found["type"], "scope": scope}
    return {"phase": "merge_wait", "receipt_candidate": {**short, "evidence": found["evidence"]}}


STEPS: Mapping[type[Event], Callable[[Any], Changes]] = {
    Mission.MissionOpened: lambda e: {"phase": "judging", "packet_ref": f"packet:{e.packet_digest}"},
    Mission.MissionJudged: _verdict,
    Mission.MissionRevised: lambda e: {
        "phase": "judging",
        "packet_ref": f"packet:{e.packet_digest}",
        **_REST,
    },
    Mission.MissionDispatched: lambda e: {
        "phase": "executing",
        "seat": "hand",
        "runner_id": e.runner_id,
        "capability": "hand-runner",
        "packet_ref": f"packet:{e.packet_digest}",
        **_REST,
    },
    Mission.MissionStarted: lambda e: {"phase": "executing", "started_at": _text(e)},
    Mission.MissionGateOpened: lambda e: {"phase": "gate"},
    Mission.MissionGatePassed: lambda e: {"phase": "gate", "gate": e.gate.letter_form()},
    Mission.MissionGateFailed: lambda e: {"phase": "failed", "gate": e.gate.letter_form()},
    Mission.MissionReviewAsked: lambda e: {"phase": "review", "verdict": None},
    Mission.MissionReviewed: _verdict,
    Mission.MissionMergeWaiting: _candidate,
    Mission.MissionLanded: lambda e: {
        "phase": "landed",
        "receipt": {"imported": True, "store_version": e.store_version},
    },
    Mission.MissionFailed: lambda e: {"phase": "failed"},
    Mission.MissionCancelled: lambda e: {"phase": "failed"},
    Mission.MissionArchived: lambda e: {"phase": "archived"},
}
"""What each step changes in the letter; None takes a field away. Other events of a mission write no letter."""


def next_letter(head: Letter | None, event: Event) -> Letter | None:
    """The letter that `event` adds over the head of its mission's chain; None for an event that writes none."""
    step = STEPS.get(type(event))
    if step is None:
        return None
    letter = _first(event) if isinstance(event, Mission.MissionOpened) else dict(head or {})
    if head is not None:
        letter["prev_letter_id"] = letter_id(head)
        letter["mission_seq"] = head["mission_seq"] + 1
    for name, value in step(event).items():
        if value is None:
            letter.pop(name, None)
        else:
            letter[name] = value
    letter["updated_at"] = _text(event)
    return letter


def _first(event: Any) -> Letter:
    return {
        "schema": SCHEMA,
        "mission_id": event.mission_id,
        "mission_seq": 1,
        "block_id": event.block_id,
        "brain_ref": event.brain_ref,
        "seat": "oracle",
    }


def _text(event: Event) -> str:
    return event.timestamp.isoformat(timespec="microseconds").replace("+00:00", "Z")


def line_of(letter: Letter) -> str:
    """The letter as one line of JSON, keys sorted."""
    return json.dumps(letter, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def letter_id(letter: Letter) -> str:
    """The first 12 hex digits of the sha256 of its line."""
    return sha256(line_of(letter).encode("utf-8", "surrogatepass"))[:12]


def check_letter(letter: Letter, head: Letter | None) -> str:
    """The first point of the letter law that does not hold, by upstream's keyword; empty where all hold."""
    return (
        _check_form(letter) or _check_phase(letter) or _check_evidence(letter) or _check_chain(letter, head)
    )


def _check_form(letter: Letter) -> str:
    id = str(letter.get("mission_id", ""))
    brain = str(letter.get("brain_ref", ""))
    if letter.get("schema") != SCHEMA:
        return "schema"
    if not (len(id) == 16 and id.startswith("msn_") and set(id[4:]) <= set("0123456789abcdef")):
        return "mission_id"
    if not isinstance(letter.get("mission_seq"), int) or letter["mission_seq"] < 1:
        return "mission_seq"
    if not brain or brain.startswith(("/", "\\", "~")) or DRIVE.match(brain):
        return "brain_ref"
    return "" if letter.get("phase") in PHASES else "phase"


def _check_phase(letter: Letter) -> str:
    phase, gate, receipt = letter["phase"], letter.get("gate") or {}, letter.get("receipt") or {}
    if phase == "executing" and "verdict" in letter:
        return "executing_with_verdict"
    if phase == "merge_wait" and not (gate.get("command") and gate.get("artifact_hash")):
        return "merge_wait_without_gate"
    if phase == "landed" and not (receipt.get("imported") and receipt.get("store_version", 0) >= 1):
        return "landed_law"
    return "archived_with_receipt" if phase == "archived" and receipt.get("imported") else ""


def _check_evidence(letter: Letter) -> str:
    if "gate" in letter and not letter["gate"].get("artifact_hash"):
        return "incomplete_evidence"
    evidence = (letter.get("receipt_candidate") or {"evidence": None})["evidence"]
    if evidence is not None and not (evidence.get("artifact_hash") and evidence.get("evidence_refs")):
        return "incomplete_evidence"
    return ""


def _check_chain(letter: Letter, head: Letter | None) -> str:
    if head is None:
        return "stale_head" if "prev_letter_id" in letter or letter["mission_seq"] != 1 else ""
    if letter.get("prev_letter_id") != letter_id(head) or letter["mission_seq"] != head["mission_seq"] + 1:
        return "stale_head"
    if letter["phase"] == "archived" and head["phase"] != "merge_wait":
        return "invalid_transition"
    return ""
