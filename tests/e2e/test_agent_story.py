"""A scripted agent's whole day at the door: orient, read, preview, be refused, follow the hint, commit, see what aged.

It counts what a model would read and write (characters / 4), and holds that against reading and rewriting whole files.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from attrs import define
from tests.support.agent import Agent, House, served
from tests.support.door import Door, harbour

from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.teaching import instructions
from m1nd.adapters.mcp.tools import listed

PER_TOKEN = 4
ROOT, SRC = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"


@define
class Meter:
    """Counts the tokens of one agent: `read` of answers, `written` of calls."""

    agent: Agent
    read: int = 0
    written: int = 0

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        envelope = await self.agent.ask(tool, **arguments)
        self.written += len(json.dumps({"name": tool, "arguments": arguments})) // PER_TOKEN
        self.read += len(json.dumps(envelope, ensure_ascii=False)) // PER_TOKEN
        return envelope


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    """The harbour with a map that its owner has signed: one `spec` receipt per block stands."""
    made = harbour(tmp_path, capsys, dict(os.environ))
    for line in (
        ["blocks", "candidate"],
        ["blocks", "edit", "--rename", SRC, "Harbour", "--rename", ROOT, "Paper", "--contract", ROOT, "docs"],
    ):
        assert made.ask(*line)[0] == 0
    for part in ("names", "boundaries", "contract"):
        status, answer = made.ask("blocks", "ratify", "--sign", part)
        assert (status, answer["error"]["code"]) == (4, "human_gesture_required")
        made.stamp(answer["error"]["details"]["challenge"])
        assert made.ask("blocks", "ratify", "--sign", part)[0] == 0
    return made


def run(door: Door, story: Any) -> None:
    served(door.root.resolve(), door.environment, story)


def test_an_agent_moves_a_function_guided_by_the_answers_alone(door: Door) -> None:
    told: dict[str, Any] = {}

    async def story(house: House) -> None:
        client = Client("story", caller_root=house.service.root)
        async with house.agent(client=client) as agent:
            meter = Meter(agent)
            packet = (
                await meter.call("north", task="move clearance out of berth into draught", session="s1")
            )["data"]
            assert packet["reception"]["match"] == "match"
            focus = packet["context"]["focus_nodes"][0]
            assert (focus["label"], focus["path"]) == ("clearance", "src/berth.rs")
            assert packet["map"]["ratified_blocks"] == 2

            context = (await meter.call("surgical_context", symbol=f"{focus['path']}:{focus['line']}"))[
                "data"
            ]
            assert context["used_by"]

            # It misremembers where the function is, and follows the hint as it stands.
            wrong = {"symbol": "clearance", "source_file": "src/tide.rs", "dest_file": "src/draught.rs"}
            refused = (await meter.call("transplant_preview", **wrong))["error"]
            assert refused["code"] == "symbol_elsewhere"
            again = refused["details"]["next_call"]
            assert again == {
                "tool": "transplant_preview",
                "arguments": {**wrong, "source_file": "src/berth.rs"},
            }
            plan = (await meter.call(again["tool"], **again["arguments"]))["data"]
            assert plan["candidate"]["files_changed"]

            commit = {"preview_id": plan["preview_id"], "confirm": True, "verify": "none"}
            receipt = (await meter.call("transplant_commit", **commit))["data"]["receipt"]
            assert [block["block_id"] for block in receipt["blocks_touched"]] == [SRC]
            assert [(aged["type"], aged["block_id"]) for aged in receipt["receipts_staled"]] == [
                ("spec", SRC)
            ]

            card = (await meter.call("north", task="move clearance out of berth into draught", session="s1"))[
                "data"
            ]
            told["before"], told["after"] = packet["human_view"], card["human_view"]
            told["tokens"] = meter.read + meter.written

    run(door, story)
    assert told["before"]["state"] == "gap"  # nothing is remembered yet
    assert told["after"]["state"] == "coherence"  # the aged receipt shows: the card is another one
    assert told["after"]["state_sig"] != told["before"]["state_sig"]
    assert told["tokens"] <= 10_000, told["tokens"]


def test_a_move_is_asked_for_with_a_fraction_of_what_rewriting_takes(door: Door) -> None:
    """Written tokens: what the model must compose. By hand it rewrites every changed file; here it names three things.

    These files are tiny; `benchmarks/agent_tokens.py` has the figures of real crates.
    """
    ratio: dict[str, float] = {}

    async def story(house: House) -> None:
        async with house.agent(client=Client("story", caller_root=house.service.root)) as agent:
            meter = Meter(agent)
            move = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}
            plan = (await meter.call("transplant_preview", **move))["data"]
            await meter.call("transplant_commit", preview_id=plan["preview_id"], confirm=True, verify="none")
            files = [door.root / file["file_path"] for file in plan["files"]]
            by_hand = sum(file.stat().st_size for file in files) // PER_TOKEN
            ratio["written"] = by_hand / meter.written

    run(door, story)
    assert ratio["written"] >= 15, ratio


def test_what_every_conversation_pays_is_small() -> None:
    """Instructions and the core tools, before the first word; hosts that load tools late pay less."""
    tools = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed(Client("story"))]
    assert len(instructions()) // PER_TOKEN <= 375
    assert len(json.dumps(tools, separators=(",", ":"))) // PER_TOKEN <= 4_500
