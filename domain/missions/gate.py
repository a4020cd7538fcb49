"""What a gate says, and the receipt candidate that comes of a green one (MISSIONS.md; D35, D36).

Times are text and kept byte for byte: a candidate is never re-dated. Pure.
"""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Self

from pydantic import Field

from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.digests import sha256
from m1nd.domain.missions.runners import Digest
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

EXCERPT = 4096
"""Bytes of output that a candidate keeps (BLOCKS.md, Receipts)."""


class CandidateStage(StrEnum):
    """How far a receipt candidate came that no mission holds."""

    WAITING = "waiting"
    LANDED = "landed"
    DROPPED = "dropped"


class MissionScope(Value):
    """The version of the block that a mission works on, as captured at its dispatch (D18)."""

    block_id: str
    boundary_version: int = Field(ge=1)
    contract_version: int = Field(ge=1)
    resolution_hash: str

    @classmethod
    def of(cls, scope: BlockScope) -> "MissionScope":
        return cls(
            block_id=scope.block_id,
            boundary_version=scope.boundary_version,
            contract_version=scope.contract_version,
            resolution_hash=scope.resolution_hash,
        )

    @property
    def block_scope(self) -> BlockScope:
        return BlockScope(self.block_id, self.boundary_version, self.contract_version, self.resolution_hash)


class GateReport(Value):
    """One run of a mission's gate command."""

    command: str = Field(min_length=1, max_length=1000)
    cwd: str = Field(default=".", min_length=1, max_length=500)
    exit_status: int
    started_at: str = Field(min_length=20, max_length=40)
    ended_at: str = Field(min_length=20, max_length=40)
    artifact_hash: Digest
    stdout_excerpt: str = ""
    evidence_refs: tuple[str, ...] = ()

    @property
    def is_green(self) -> bool:
        return self.exit_status == 0

    def letter_form(self) -> dict[str, Any]:
        """`{command, exit_status, artifact_hash}`: the gate as letters show it."""
        return {
            "command": self.command,
            "exit_status": self.exit_status,
            "artifact_hash": self.artifact_hash,
        }


class Evidence(Value):
    """Something that was done inside a mission and has a receipt of its own: a move, an edit."""

    kind: str = Field(pattern=r"^[a-z_]{1,40}$")
    ref: str = Field(min_length=1, max_length=200)
    digest: Digest
    summary: str = Field(default="", max_length=200)

    @classmethod
    def of(cls, kind: str, ref: str, receipt: Mapping[str, Any], summary: str) -> Self:
        """Of a write's receipt, which the log keeps under `ref`."""
        return cls(kind=kind, ref=ref, digest=digest_of(receipt), summary=summary[:200])

    @property
    def as_ref(self) -> str:
        return f"{self.kind}/{self.ref}"


def candidate_of_gate(
    mission_id: str,
    scope: MissionScope,
    gate: GateReport,
    emitter: Mapping[str, str],
    attached: Iterable[Evidence],
    stales_on: Iterable[str],
) -> dict[str, Any]:
    """The `test` receipt that a human may land: seed 001 §3, the scope of the dispatch, the evidence of the gate.

    Raises Refused(missing_receipt_candidate) for a gate that is not green.
    """
    if not gate.is_green:
        refuse(
            "missing_receipt_candidate",
            f"the gate of {mission_id} ended with {gate.exit_status}: nothing can land",
            f"m1nd missions show {mission_id}",
            mission_id=mission_id,
            exit_status=gate.exit_status,
        )
    return composed(mission_id, scope, gate, emitter, attached, stales_on)


def composed(
    mission_id: str,
    scope: MissionScope,
    gate: GateReport,
    emitter: Mapping[str, str],
    attached: Iterable[Evidence],
    stales_on: Iterable[str],
) -> dict[str, Any]:
    """The same of a gate of any colour, so that a red report is held to the same checks as a green one."""
    refs = dict.fromkeys((f"gate://{mission_id}", *gate.evidence_refs, *(each.as_ref for each in attached)))
    return {
        "type": "test",
        "emitter": dict(emitter),
        "scope": scope.model_dump(),
        "evidence": {
            "command": gate.command,
            "cwd": gate.cwd,
            "exit_status": gate.exit_status,
            "started_at": gate.started_at,
            "ended_at": gate.ended_at,
            "artifact_hash": gate.artifact_hash,
            "stdout_excerpt": gate.stdout_excerpt,
            "evidence_refs": list(refs),
        },
        "validity": {"expires_on": None, "stales_on": list(stales_on)},
    }


def digest_of(value: Mapping[str, Any]) -> str:
    """sha256 over canonical JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return sha256(text.encode("utf-8", "surrogatepass"))


def candidate_id(candidate: Mapping[str, Any]) -> str:
    return f"cand:{digest_of(candidate)}"
