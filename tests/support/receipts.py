"""Blocks and the evidence of them, as small as tests need them."""

from datetime import timedelta
from typing import Any

from tests.support.log import START, command

from m1nd.application.app import M1nd
from m1nd.domain.base import Command
from m1nd.domain.blocks.block_state import Baseline, BlockDraft
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.map_head import MapHead
from m1nd.domain.blocks.membership import Member, ResolvedMember
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.receipts.evidence import ReceiptBody, Scope, read_receipt

BLOCK = "sb_harbour_tides_0123abcd"
CONTRACT = Contract(
    required=(
        Slot(type="spec", stales_on=("contract_change",)),
        Slot(type="test", stales_on=("member_change",)),
    ),
    optional=(Slot(type="review"),),
)
TIDE = ResolvedMember(path="src/tide.rs", role="primary")
MOON = ResolvedMember(path="src/moon.rs", role="primary")
BASELINE = Baseline(members=(TIDE,), content_hash="a" * 64, generation=1)
ENDED = START - timedelta(hours=1)


def ratify(app: M1nd, number: int, block_id: str = BLOCK, contract: Contract = CONTRACT) -> None:
    """A ratified block of one file, straight into the log."""
    made = command(number, verb="ratify")
    head = MapHead.open(made) if app.store_version() == 0 else app._map(made)
    head.advance("system_blocks_ratify", made)
    block = SystemBlock.open(block_id, made)
    draft = BlockDraft(
        name="Tides", purpose="", membership=(Member(path="src/*.rs", role="primary"),), contract=contract
    )
    block.ratify(draft, BASELINE, "session", made)
    app.save(head, block)


def wire(app: M1nd, type: str = "test", block_id: str = BLOCK, **evidence: Any) -> dict[str, Any]:
    """A good receipt of the block as it is now; fields of the evidence are replaced, or dropped where None is given."""
    block = app.block(block_id)
    assert block is not None
    runs = type in ("test", "runtime")
    whole: dict[str, Any] = {
        "artifact_hash": "b" * 64,
        "evidence_refs": ["https://ci.example/run/7"],
    }
    if runs:
        whole |= {
            "command": "cargo test",
            "cwd": ".",
            "exit_status": 0,
            "started_at": f"{ENDED - timedelta(minutes=2):%Y-%m-%dT%H:%M:%SZ}",
            "ended_at": f"{ENDED:%Y-%m-%dT%H:%M:%SZ}",
            "stdout_excerpt": "ok",
        }
    kept = {name: value for name, value in (whole | evidence).items() if value is not None}
    emitter = {"test": "ci", "runtime": "ci"}.get(type, "verb")
    return {
        "type": type,
        "emitter": {"kind": emitter, "id": "nightly"},
        "scope": Scope.of(block.scope).model_dump(),
        "evidence": kept,
        "validity": {"expires_on": None, "stales_on": []},
    }


def body(app: M1nd, type: str = "test", block_id: str = BLOCK, **evidence: Any) -> ReceiptBody:
    return read_receipt(wire(app, type, block_id, **evidence))


def at(minutes: float) -> str:
    """The text of a time that many minutes after the tests' start."""
    return f"{START + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%SZ}"


def bump(app: M1nd, number: int, block_id: str = BLOCK) -> Command:
    """Another boundary of the block, its receipts staled in the same append."""
    made = command(number, verb="reconcile")
    block = app._block(block_id)
    known = block.state
    cause = block.bump_boundary("reconcile", known.baseline.after((MOON,), (), "c" * 64, 2), made)
    staled = app._stale_receipts(known.receipts, "boundary", cause, block.state.scope, made)
    app.save(block, *staled)
    return made
