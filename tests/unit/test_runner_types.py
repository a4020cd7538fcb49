"""The types of delegated work refuse what their words forbid (seed 001 §5, §9)."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from m1nd.domain.base import Value
from m1nd.domain.missions.hygiene import display_name
from m1nd.domain.missions.runners import (
    MissionPacket,
    MissionPolicy,
    Pin,
    RunnerCapability,
    RunnerRef,
    RunnerWorkspaceTruth,
)

PACKET = {"source_block": "sb_harbour_tides", "message": "Round the heights."}
PIN = {
    "block_id": "sb_harbour_tides",
    "mission_id": "msn_0123456789ab",
    "agent": "rig-1",
    "status": "running",
    "contract_version": 1,
}


def test_a_policy_keeps_screenshots_out_and_work_apart_unless_told_otherwise() -> None:
    assert MissionPolicy().model_dump() == {
        "isolated_worktree": True,
        "propose_only": False,
        "screenshot_in_packet": False,
        "read_only_clipboard": True,
    }


def test_a_runner_says_what_it_can_do_and_where_it_works() -> None:
    ref = RunnerRef(
        runner_id="rig-1",
        label="The rig in the corner",
        capabilities=(RunnerCapability.CAN_EDIT, RunnerCapability.CAN_TEST),
        workspace_truth=RunnerWorkspaceTruth(bound_root="harbour"),
    )
    assert RunnerRef.model_validate_json(ref.model_dump_json()) == ref


@pytest.mark.parametrize(
    "kind, parts",
    [
        (RunnerRef, {"runner_id": ""}),
        (RunnerRef, {"runner_id": "rig 1"}),
        (RunnerRef, {"runner_id": "rig-1", "capabilities": ["can_fly"]}),
        (RunnerRef, {"runner_id": "rig-1", "capabilities": ["can_edit", "can_edit"]}),
        (RunnerRef, {"runner_id": "rig-1", "secret": "x"}),
        (RunnerWorkspaceTruth, {"bound_root": "/home/ada/harbour"}),
        (RunnerWorkspaceTruth, {"bound_root": "~/harbour"}),
        (RunnerWorkspaceTruth, {"bound_root": "C:/harbour"}),
        (RunnerWorkspaceTruth, {"wrong_workspace": True}),
        (MissionPacket, {**PACKET, "message": ""}),
        (MissionPacket, {**PACKET, "message": "x" * 4097}),
        (MissionPacket, {**PACKET, "source_block": "tides"}),
        (MissionPacket, {**PACKET, "mode": "pigeon"}),
        (MissionPacket, {**PACKET, "mode": "clipboard", "declared_effects": ["edits"]}),
        (MissionPacket, {**PACKET, "declared_effects": ["edits", "edits"]}),
        (MissionPacket, {**PACKET, "includes": {"screenshots": True}}),
        (Pin, {**PIN, "status": "asleep"}),
        (Pin, {**PIN, "mission_id": "msn_1"}),
        (Pin, {**PIN, "contract_version": 0}),
        (Pin, {**PIN, "outcome_ref": "rcp:1"}),
    ],
)
def test_what_is_no_such_value_is_refused(kind: type[Value], parts: Mapping[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind(**parts)


@pytest.mark.parametrize(
    "root, name",
    [
        ("/home/ada/harbour", "harbour"),
        ("/home/ada/harbour/", "harbour"),
        ("C:\\work\\harbour", "harbour"),
        ("/", "repository"),
    ],
)
def test_only_the_last_part_of_a_root_leaves_the_machine(root: str, name: str) -> None:
    assert display_name(root) == name
