"""Receipts that m1nd itself earns; every other comes from outside (seed 001 §3, the honest map of emitters)."""

import json

from m1nd.domain.blocks.contract import Contract
from m1nd.domain.blocks.scope import BlockScope
from m1nd.domain.digests import sha256
from m1nd.domain.receipts.evidence import Emitter, Evidence, ReceiptBody, Scope


def spec_receipt(scope: BlockScope, contract: Contract, evidence_refs: tuple[str, ...]) -> ReceiptBody:
    """The evidence that a person signed this contract for this version; its artifact is the signed text itself."""
    signed = json.dumps(contract.terms(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return ReceiptBody(
        type="spec",
        emitter=Emitter(kind="verb", id="system_blocks_ratify"),
        scope=Scope.of(scope),
        evidence=Evidence(artifact_hash=sha256(signed.encode()), evidence_refs=evidence_refs),
    )
