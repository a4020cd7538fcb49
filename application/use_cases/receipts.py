"""`receipt_import`, `receipt_recompute`, `receipt_withdraw`: evidence comes in, is held against the present, goes out.

Import is by leave of a human's stamp, or of CI's token for `test` receipts (D25, D36). A refusal leaves the store as it is.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Never

from attrs import frozen

from m1nd.application.brain import Brain
from m1nd.application.receipt_records import Landing
from m1nd.application.stamp_records import Used
from m1nd.application.use_cases.requests import answered, new_command
from m1nd.application.use_cases.stamping import require_stamp
from m1nd.domain.blocks.map_head import Expected
from m1nd.domain.commands import request_digest
from m1nd.domain.digests import sha256
from m1nd.domain.receipts.evidence import ReceiptBody, read_receipt
from m1nd.domain.receipts.freshness import staleness
from m1nd.domain.receipts.receipt import ReceiptState
from m1nd.domain.refusal import refuse
from m1nd.domain.stamps.gesture import Gesture, shown
from m1nd.domain.tokens import Purpose

LONGEST_REASON = 400


@frozen
class Imported:
    receipt: ReceiptState
    store_version: int
    receipt_count: int
    log: Mapping[str, Any]
    """`{count, head}` after the append (ARCHITECTURE.md, tamper evidence)."""


@frozen
class Judged:
    """One receipt against the present; `reason` is empty while it is fresh."""

    receipt: ReceiptState
    reason: str


@frozen
class Recomputed:
    block_count: int
    receipts: tuple[Judged, ...]
    evaluated_at: datetime
    expired: tuple[str, ...]


def import_receipt(brain: Brain, text: bytes | Mapping[str, Any], expected: Expected) -> Imported:
    """Take evidence in, when every check of BLOCKS.md holds; the first that does not answers.

    Raises Refused(receipt_malformed | read_only | human_gesture_required) and those of `check_import`.
    """
    brain.deny_if_read_only("receipt_import")
    given = text if isinstance(text, bytes) else json.dumps(text, sort_keys=True, default=str).encode()
    arguments = {"receipt": sha256(given), "expected": expected.store_version}
    return answered(brain, "receipt_import", arguments, lambda: _import(brain, text, expected, arguments))


def _import(
    brain: Brain, text: bytes | Mapping[str, Any], expected: Expected, arguments: Mapping[str, Any]
) -> Imported:
    body = read_receipt(text)
    landing = _leave(brain, body, expected)
    receipt = brain.app.import_receipt(body, landing, new_command(brain, "receipt_import", arguments))
    head = brain.app.log_head()
    return Imported(
        receipt,
        brain.app.store_version(),
        len(brain.views.receipts(body.scope.block_id)),
        {"count": head.count, "head": head.head},
    )


def _leave(brain: Brain, body: ReceiptBody, expected: Expected) -> Landing:
    """By whose leave it comes in. Raises Refused(human_gesture_required)."""
    if brain.actor.kind == "ci":
        token = brain.app.admitted(brain.credential, Purpose.CI)
        if token is None:
            _no_leave("M1ND_TOKEN is none of this repository's tokens, or was revoked")
        if body.type != "test":
            _no_leave(f"a token of CI imports `test` receipts, and this is a `{body.type}` one")
        return Landing(f"token {token.id}", expected, emitters=frozenset({"ci"}))
    stamp = _import_gesture(body)
    require_stamp(brain, stamp)
    return Landing(stamp.gesture.challenge_id, expected, stamp)


def _no_leave(why: str) -> Never:
    refuse("human_gesture_required", f"{why}; nothing was imported", "m1nd token create --for ci")


def _import_gesture(body: ReceiptBody) -> Used:
    """The human is shown the whole receipt; the digest is over all of it."""
    gesture = Gesture(action="import_receipt", target=body.scope.block_id, digest=body.digest)
    return Used(gesture, shown(json.dumps(body.wire(), indent=2, ensure_ascii=False).splitlines()))


def recompute(brain: Brain, block_id: str = "", as_of: datetime | None = None) -> Recomputed:
    """Hold every receipt (of one block) against the present; appends nothing.

    `as_of` moves the clock for what expires. Raises Refused(no_store | unknown_block).
    """
    now = as_of or brain.clock.now()
    if brain.app.store_version() == 0:
        refuse("no_store", "there is no map of blocks here yet, and so no receipt")
    if block_id and brain.app.block(block_id) is None:
        refuse("unknown_block", f"unknown block_id {block_id}", block_id=block_id)
    scopes: dict[str, Any] = {}
    judged: list[Judged] = []
    for row in brain.views.receipts(block_id):
        state = brain.app.receipt(row.receipt_id)
        assert state is not None
        if row.block_id not in scopes:
            block = brain.app.block(row.block_id)
            scopes[row.block_id] = None if block is None else block.scope
        judged.append(Judged(state, staleness(state, scopes[row.block_id], now)))
    blocks = len(scopes) if not block_id else 1
    return Recomputed(blocks, tuple(judged), now, ())


def sweep(brain: Brain, block_id: str = "", as_of: datetime | None = None) -> Recomputed:
    """As `recompute`, after the ends that are due were recorded. Nothing expires before its time by the real clock."""
    brain.deny_if_read_only("receipt_recompute")
    now = brain.clock.now()
    if as_of is not None and as_of > now:
        refuse(
            "usage",
            "--apply ends what is over now; it does not look ahead",
            "m1nd receipts recompute --apply",
        )

    def work() -> Recomputed:
        due = brain.views.due_receipts(as_of or now)
        mine = [id for id in due if not block_id or _block_of(brain, id) == block_id]
        expired = brain.app.expire_receipts(mine, new_command(brain, "receipt_recompute", {"receipts": mine}))
        found = recompute(brain, block_id, as_of)
        return Recomputed(found.block_count, found.receipts, found.evaluated_at, expired)

    return answered(brain, "receipt_recompute", {"block_id": block_id}, work)


def _block_of(brain: Brain, receipt_id: str) -> str:
    state = brain.app.receipt(receipt_id)
    return "" if state is None else state.body.scope.block_id


def withdraw(brain: Brain, receipt_id: str, reason: str) -> ReceiptState:
    """Take a live receipt back, with the human's stamp. Raises Refused(not_found | receipt_ended | usage | …)."""
    brain.deny_if_read_only("receipt_withdraw")
    arguments = {"receipt_id": receipt_id, "reason": reason}
    return answered(brain, "receipt_withdraw", arguments, lambda: _withdraw(brain, arguments))


def _withdraw(brain: Brain, arguments: Mapping[str, str]) -> ReceiptState:
    id, reason = arguments["receipt_id"], arguments["reason"].strip()
    state = brain.app.receipt(id)
    if state is None:
        refuse("not_found", f"there is no receipt {id}", "m1nd receipts list", id=id)
    if not reason or len(reason) > LONGEST_REASON:
        refuse("usage", f"a withdrawal says why, in at most {LONGEST_REASON} characters")
    if not state.is_live:
        refuse(
            "receipt_ended", f"{id} is {state.stage.value} already", receipt_id=id, stage=state.stage.value
        )
    lines = [
        f"the {state.body.type} receipt of {state.body.scope.block_id} ({state.body.outcome}) stops counting",
        f"reason: {reason}",
        *json.dumps(state.body.wire(), indent=2, ensure_ascii=False).splitlines(),
    ]
    gesture = Gesture(
        action="withdraw_receipt", target=id, digest=request_digest("receipt_withdraw", dict(arguments))
    )
    stamp = Used(gesture, shown(lines))
    require_stamp(brain, stamp)
    brain.app.withdraw_receipt(id, reason, stamp, new_command(brain, "receipt_withdraw", arguments))
    found = brain.app.receipt(id)
    assert found is not None
    return found
