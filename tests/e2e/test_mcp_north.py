"""`north`, `card` and `card_shown` through the agent's door: who asks, what a mismatch offers, what the cadence counts."""

import json
import os
from pathlib import Path

import pytest
from attrs import evolve
from tests.support.agent import ERAS, House, environment_of, harbour_root, served, tree_of

from m1nd.adapters.mcp.client import ALL, Client

TASK = "the clearance of a berth"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return harbour_root(tmp_path)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_of(tmp_path, os.environ)


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_is_oriented_and_a_card_is_due_once(
    root: Path, environment: dict[str, str], era: str
) -> None:
    async def story(house: House) -> None:
        async with house.agent(era) as agent:
            assert (await agent.data("north", task=TASK))["needs"] == "needs_ingest"
            await agent.data("ingest")
            packet = await agent.data("north", task=TASK, session="s-1")
            assert packet["context"]["focus_nodes"][0]["label"] == "clearance"
            assert packet["reception"] == {"match": "match"}
            view = packet["human_view"]
            assert (view["render"], view["render_reason"]) == (True, "first_orient")
            noted = await agent.data("card_shown", session="s-1", state_sig=view["state_sig"])
            assert noted["first_in_session"] is True
            again = (await agent.data("card", session="s-1"))["render_reason"]
            assert again == "already_shown"

    served(root, environment, story)


def test_equal_questions_have_equal_answers_whoever_asks(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent() as agent, house.agent("2026-07-28") as other:
            await agent.data("ingest")
            asked = {"task": TASK, "as_of": "2026-05-01T12:00:00Z"}
            first, second = await agent.data("north", **asked), await other.data("north", **asked)
            assert json.dumps(first) == json.dumps(second)

    served(root, environment, story)


def test_a_stranger_is_told_so_and_the_first_option_runs_as_it_stands(
    root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "notes.md").write_text("tides\n")
    known = Client("stranger", caller_root=str(other), profile=ALL)
    unknown = Client("stranger", profile=ALL)

    async def story(house: House) -> None:
        async with house.agent() as agent:
            await agent.data("ingest")
        async with house.agent(client=unknown) as agent:
            assert (await agent.data("north", task=TASK))["reception"] == {"match": "unknown"}
            packet = await agent.data("north", task=TASK, caller_root=str(other))
        async with house.agent(client=known) as agent:
            assert (await agent.data("north", task=TASK))["reception"] == packet["reception"]
        assert packet["reception"]["match"] == "caller_root_mismatch"
        assert "context" not in packet
        first, second = packet["reception"]["options"]
        for client in (unknown, known):
            async with house.agent(client=client) as agent:
                assert (await agent.data(first["tool"], **first["arguments"]))["files"] == 1
        async with house.agent(client=unknown) as agent:
            bound = await agent.data(second["tool"], **second["arguments"])
        assert bound["reception"] == {"match": "match"}
        third = tmp_path / "third"
        third.mkdir()
        async with house.agent(client=known) as agent:
            assert (await agent.refused("ingest", project_root=str(third)))["code"] == "root_mismatch"
        assert not (third / ".m1nd").exists()

    before = tree_of(root)
    served(root, environment, story)
    assert tree_of(root) == before
    assert (other / ".m1nd" / "log.db").exists()


def test_a_client_says_which_tools_it_offers(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(client=evolve(Client("tester"), caller_root=str(root))) as agent:
            await agent.data("ingest")
            packet = await agent.data("north", task=TASK, client_tools=["north"])
            assert packet["binding"]["trust_mode"] == "degraded_host_tool_surface"
            error = await agent.refused("north", task=TASK, occasion="bored")
            assert error["code"] == "usage"

    served(root, environment, story)
