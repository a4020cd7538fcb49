"""What the tests of missions share: a block, a packet, the actors, and a mission brought as far as a test needs it."""

from collections.abc import Callable
from typing import Any

from tests.support.log import command

from m1nd.application.app import M1nd
from m1nd.domain.base import Actor, Command
from m1nd.domain.blocks.block_state import Baseline, BlockDraft
from m1nd.domain.blocks.contract import Contract, Slot
from m1nd.domain.blocks.membership import Member, ResolvedMember
from m1nd.domain.blocks.system_block import SystemBlock
from m1nd.domain.missions.gate import GateReport, MissionScope, candidate_of_gate
from m1nd.domain.missions.mission import Mission
from m1nd.domain.missions.runners import MissionPacket, MissionPolicy
from m1nd.domain.receipts.evidence import read_receipt

AUTHOR = Actor(kind="agent", id="drafter")
REVIEWER = Actor(kind="agent", id="critic")
RUNNER = Actor(kind="runner", id="rig-1")
HUMAN = Actor(kind="owner", id="ada")
CLOCK = Actor(kind="system", id="clock")
CI = Actor(kind="ci", id="build")

MISSION = "msn_0123456789ab"
EXECUTION = "exe_0123456789ab"
BLOCK = "sb_harbour_tides"
SHA = "a" * 64
SCOPE = MissionScope(block_id=BLOCK, boundary_version=1, contract_version=1, resolution_hash="c" * 64)
PACKET = MissionPacket(source_block=BLOCK, message="Round the heights.")
REVISED = MissionPacket(source_block=BLOCK, message="Round the heights down.")


def ratified_block(
    app: M1nd, given: Command, block_id: str = BLOCK, path: str = "src/tide.rs"
) -> SystemBlock:
    """A live block with one member file that wants a `test` receipt, saved."""
    member = ResolvedMember(path=path, role="primary")
    draft = BlockDraft(
        name="Tides",
        purpose="Heights of the water.",
        membership=(Member(path=path, role="primary"),),
        contract=Contract(required=(Slot(type="test", stales_on=("member_change",)),)),
    )
    block = SystemBlock.open(block_id, given)
    baseline = Baseline(members=(member,), content_hash="d" * 64, generation=1)
    block.ratify(draft, baseline, "session", given, stamp_id="stp_1")
    head = app._map(given)
    head.advance("system_blocks_ratify", given)
    app.save(head, block)
    return block


def report(exit_status: int = 0) -> GateReport:
    return GateReport(
        command="cargo test",
        exit_status=exit_status,
        started_at="2026-05-01T12:00:00Z",
        ended_at="2026-05-01T12:00:09Z",
        artifact_hash=SHA,
        stdout_excerpt="441 passed",
    )


def scope_of(app: M1nd, block_id: str = BLOCK) -> MissionScope:
    block = app.block(block_id)
    assert block is not None
    return MissionScope.of(block.scope)


def waiting_mission(app: M1nd, id: str = MISSION, block_id: str = BLOCK) -> str:
    """A mission on a block of this log that waits for the human, saved; the id of its candidate."""
    block = app.block(block_id)
    assert block is not None
    mission = mission_at("merge_wait", id, MissionScope.of(block.scope), block.version)
    app.save(mission)
    return mission.state.candidate_id


def opened_mission(id: str = MISSION, block_id: str = BLOCK) -> Mission:
    packet = PACKET.model_copy(update={"source_block": block_id})
    return Mission.open(id, packet, MissionPolicy(), "harbour", "", command(1, actor=AUTHOR))


def candidate(mission: Mission) -> dict[str, Any]:
    state = mission.state
    assert state.gate is not None
    emitter = {"kind": "runnerd", "id": RUNNER.id}
    composed = candidate_of_gate(
        state.mission_id, state.running.scope, state.gate, emitter, state.attached, ["member_change"]
    )
    return read_receipt(composed).wire()


def wait(mission: Mission, given: Command) -> None:
    mission.wait(candidate(mission), given)


def mission_at(step: str, id: str = MISSION, scope: MissionScope = SCOPE, block_version: int = 2) -> Mission:
    """A mission that has just taken that step of the straight way (`judging` is where it begins)."""
    steps: tuple[tuple[str, Actor, Callable[[Mission, Command], Any]], ...] = (
        ("approved", REVIEWER, lambda m, c: m.judge("APPROVE", "small and clear", "", c)),
        (
            "dispatched",
            AUTHOR,
            lambda m, c: m.dispatch(EXECUTION, RUNNER.id, scope, block_version, 60, None, c),
        ),
        ("executing", RUNNER, lambda m, c: m.start(EXECUTION, c)),
        ("output", RUNNER, lambda m, c: m.land_output(EXECUTION, 0, SHA, "three files", c)),
        ("gate", RUNNER, lambda m, c: m.open_gate(EXECUTION, c)),
        ("green", RUNNER, lambda m, c: m.report_gate(EXECUTION, report(), c)),
        ("merge_wait", RUNNER, wait),
    )
    mission = opened_mission(id, scope.block_id)
    if step == "judging":
        return mission
    for number, (name, actor, act) in enumerate(steps, 2):
        act(mission, command(number, actor=actor))
        if name == step:
            return mission
    raise LookupError(step)
