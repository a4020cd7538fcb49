"""A receipt as a value: what it is of, who made it, what it rests on, how long it holds (seed 001 §3).

`read_receipt` takes the wire form; a field that is not of the schema, or of another type, is refused. What may be absent
is judged by the checks, in their order (`checks.py`).
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field, ValidationError

from m1nd.domain.blocks.contract import ReceiptType, StalesOn
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.digests import sha256
from m1nd.domain.receipts.redaction import redact
from m1nd.domain.refusal import refuse
from m1nd.domain.values import Value

EmitterKind = Literal["ci", "runnerd", "verb", "owner"]
Outcome = Literal["pass", "fail"]

LONGEST_TEXT = 1 << 20
"""More characters of one field are refused unread: redaction looks at all of it."""


class ReceiptStage(StrEnum):
    """How far an imported receipt came; every stage but the first is an end."""

    LIVE = "live"
    STALED = "staled"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class Emitter(Value):
    """Who produced the evidence; who landed it is another matter."""

    kind: EmitterKind
    id: str = Field(min_length=1, max_length=200)


class Scope(Value):
    """`BlockScope` as it is stored."""

    block_id: str = Field(min_length=1, max_length=200)
    boundary_version: int
    contract_version: int
    resolution_hash: str = Field(max_length=200)

    @classmethod
    def of(cls, scope: BlockScope) -> "Scope":
        return cls(
            block_id=scope.block_id,
            boundary_version=scope.boundary_version,
            contract_version=scope.contract_version,
            resolution_hash=scope.resolution_hash,
        )

    @property
    def block_scope(self) -> BlockScope:
        return BlockScope(self.block_id, self.boundary_version, self.contract_version, self.resolution_hash)


class Evidence(Value):
    """Times are kept as they were captured, byte for byte."""

    command: str | None = Field(default=None, max_length=LONGEST_TEXT)
    cwd: str | None = Field(default=None, max_length=4096)
    exit_status: int | None = Field(default=None, ge=-(1 << 31), lt=1 << 32)
    started_at: str | None = Field(default=None, max_length=64)
    ended_at: str | None = Field(default=None, max_length=64)
    artifact_hash: str = Field(default="", max_length=200)
    stdout_excerpt: str | None = Field(default=None, max_length=LONGEST_TEXT)
    evidence_refs: tuple[str, ...] = Field(default=(), max_length=100)

    def redacted(self) -> "Evidence":
        """Without secrets in any text that was captured."""
        return self.model_copy(
            update={
                "command": None if self.command is None else redact(self.command),
                "stdout_excerpt": None if self.stdout_excerpt is None else redact(self.stdout_excerpt),
                "evidence_refs": tuple(map(redact, self.evidence_refs)),
            }
        )


class Validity(Value):
    expires_on: str | None = Field(default=None, max_length=64)
    stales_on: tuple[StalesOn, ...] = ()


class ReceiptBody(Value):
    """The whole of what somebody wants to import, redacted."""

    type: ReceiptType
    emitter: Emitter
    scope: Scope
    evidence: Evidence = Field(default_factory=Evidence)
    validity: Validity = Field(default_factory=Validity)

    @property
    def receipt_id(self) -> str:
        """Of the content: the same evidence has the same name everywhere."""
        return f"rcp_{self.digest[:16]}"

    @property
    def digest(self) -> str:
        text = json.dumps(self.wire(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return sha256(text.encode("utf-8", "surrogatepass"))

    @property
    def outcome(self) -> Outcome:
        """A failing run is evidence too (D21)."""
        return "fail" if self.evidence.exit_status else "pass"

    def wire(self) -> dict[str, Any]:
        """The schema of seed 001 §3; absent execution fields are left out."""
        evidence = {
            name: value
            for name, value in self.evidence.model_dump(mode="json").items()
            if value is not None or name in ("artifact_hash", "evidence_refs")
        }
        return {
            "type": self.type,
            "emitter": self.emitter.model_dump(),
            "scope": self.scope.model_dump(),
            "evidence": evidence,
            "validity": self.validity.model_dump(mode="json"),
        }


def read_receipt(text: bytes | Mapping[str, Any]) -> ReceiptBody:
    """A receipt in its wire form, its secrets taken out. Raises Refused(receipt_malformed), naming the field."""
    try:
        raw = json.loads(text) if isinstance(text, bytes) else dict(text)
    except (ValueError, RecursionError) as broken:
        refuse("receipt_malformed", f"the receipt is no JSON: {broken}", field="")
    if not isinstance(raw, dict):
        refuse("receipt_malformed", "a receipt is one JSON object", field="")
    try:
        body = ReceiptBody.model_validate_json(json.dumps(raw), strict=True)
    except ValidationError as broken:
        first = broken.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        refuse("receipt_malformed", f"{field or 'receipt'}: {first['msg']}", field=field)
    return body.model_copy(update={"evidence": body.evidence.redacted()})
