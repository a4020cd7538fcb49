"""The map through the agent's door: an agent proposes and edits from the runner's seat; only a stamp ratifies (D24)."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.support.agent import House, environment_of, harbour_root, served
from tests.support.door import Door

from m1nd.adapters.mcp.client import Client

PAPER, CORE = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return harbour_root(tmp_path)


def test_an_agent_proposes_and_names_and_the_owner_ratifies(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = environment_of(tmp_path, os.environ)
    owner = Door(root, capsys, environment)

    async def story(house: House) -> None:
        client = Client("drafter", caller_root=str(root), profile="all")
        async with house.agent(client=client) as agent:
            assert (await agent.data("system_blocks_snapshot"))["present"] is False
            made = await agent.data("skeleton_candidate")
            assert made["block_ids"] == [PAPER, CORE]
            assert (await agent.refused("skeleton_candidate"))["code"] == "candidate_transaction"

            def rename(text: str) -> dict[str, Any]:
                return {"ops": [{"op": "rename", "block_id": CORE, "name": text}]}

            assert (await agent.refused("candidate_edit", **rename("Harbour")))["code"] == (
                "expected_version_required"
            )
            known: dict[str, Any] = {"expected_store_version": 1}
            assert (await agent.refused("candidate_edit", **rename("see https://x.example"), **known))[
                "code"
            ] == "unsafe_text"
            assert (await agent.refused("candidate_edit", **rename("Harbour"), **known, by="owner"))[
                "code"
            ] == ("human_gesture_required")
            assert (await agent.data("candidate_edit", **rename("Harbour"), **known))["store_version"] == 2
            block = (await agent.data("system_blocks_snapshot", block_id=CORE))["store"]["blocks"][0]
            assert block["candidate_meta"]["named_by"] == "runner"

            sign: dict[str, Any] = {"block_ids": [CORE], "expected_store_version": 2}
            for number, part in enumerate(("names", "boundaries", "contract"), 2):
                sign["expected_store_version"] = number
                needed = await agent.refused("system_blocks_ratify", sign=part, **sign)
                assert needed["code"] == "human_gesture_required"
                assert needed["hint"] == f"m1nd stamp {needed['details']['challenge']}"
                owner.stamp(needed["details"]["challenge"])
                signed = await agent.data("system_blocks_ratify", sign=part, **sign)
            assert (signed["ratified_block_ids"], signed["ratifier"]) == ([CORE], "owner")
            again = await agent.refused("system_blocks_ratify", sign="contract", **sign)
            assert again["code"] in ("block_not_candidate", "store_conflict")

            version = (await agent.data("system_blocks_snapshot", block_id=CORE))["store"]["blocks"][0][
                "version"
            ]
            stale = {"expected_versions": {CORE: version - 1}}
            add = {"add": [{"path": "README.md", "role": "docs"}]}
            assert (await agent.refused("system_blocks_amend", block_id=CORE, **add, **stale))["code"] == (
                "store_conflict"
            )
            fine = {"expected_versions": {CORE: version}}
            amended = await agent.data("system_blocks_amend", block_id=CORE, **add, **fine)
            assert (amended["boundary_version"], amended["needs_signature"]) == (2, True)
            waived = {"contract": {"required": [], "optional": [], "waiver": "trust me"}}
            fresh = {"expected_store_version": amended["store_version"]}
            for verb, arguments in (
                ("system_blocks_amend", {"block_id": CORE, **waived}),
                ("system_blocks_archive", {"block_ids": [CORE]}),
            ):
                assert (await agent.refused(verb, **arguments, **fresh))[
                    "code"
                ] == "human_gesture_required", verb

    served(root, environment, story)
    assert owner.ask("projections", "rebuild", "--check")[0] == 0
