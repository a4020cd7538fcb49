"""The agent's door through official clients of both eras: every answer whole in both channels, every gate in its place."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from attrs import evolve
from mcp.shared.exceptions import MCPError
from tests.support.agent import (
    ERAS,
    LEGACY,
    MODERN,
    House,
    environment_of,
    harbour_root,
    served,
    tree_of,
)

from m1nd.adapters.mcp.client import ALL, Client
from m1nd.adapters.mcp.tools import tool_verbs
from m1nd.adapters.verb_shape import Field, Verb

MOVE = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return harbour_root(tmp_path)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_of(tmp_path, os.environ)


def some(field: Field) -> Any:
    """A value that the schema takes and that names nothing."""
    if field.choices:
        return field.choices[0]
    if field.type == "integer":
        return field.least or 1
    return {"string": "nothing", "boolean": False, "object": {}, "array": [], "number": 1}[field.type]


def required(verb: Verb) -> dict[str, Any]:
    return {field.name: some(field) for field in verb.arguments if field.required}


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_orients_reads_moves_and_takes_it_back(
    era: str, root: Path, environment: dict[str, str]
) -> None:
    before = tree_of(root)

    async def story(house: House) -> None:
        async with house.agent(era) as agent:
            assert agent.speaker.protocol_version == ("2025-11-25" if era == LEGACY else MODERN)
            assert (await agent.data("ingest"))["modules"] == 24
            found = (await agent.data("search", query="clearance", limit=1))["results"][0]["item"]
            assert found["path"] == "src/berth.rs"
            plan = await agent.data("transplant_preview", **MOVE)
            assert plan["diff"].startswith("diff --git a/src/berth.rs")
            assert (await agent.refused("transplant_commit", preview_id=plan["preview_id"], confirm=False))[
                "code"
            ] == "confirm_required"
            done = await agent.data(
                "transplant_commit", preview_id=plan["preview_id"], confirm=True, verify="none"
            )
            assert done["receipt"]["verification"]["verified"] is False
            assert tree_of(root) != before
            await agent.data(
                "transplant_preview",
                **{**MOVE, "source_file": MOVE["dest_file"], "dest_file": MOVE["source_file"]},
            )
            back = await agent.data("transplant_undo", transplant_id=done["transplant_id"], verify="none")
            assert back["transplant_id"] == done["transplant_id"]
            assert tree_of(root) == before

    served(root, environment, story)


@pytest.mark.parametrize("era", ERAS)
def test_the_tools_come_in_one_order(era: str, root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(era, client=Client("tester", profile=ALL)) as agent:
            names = [tool.name for tool in (await agent.speaker.list_tools()).tools]
            assert names == list(tool_verbs())

    served(root, environment, story)


@pytest.mark.parametrize("era", ERAS)
def test_what_does_not_exist_is_a_protocol_error(era: str, root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(era) as agent:
            with pytest.raises(MCPError) as unknown_tool:
                await agent.speaker.call_tool("demo", {})
            assert unknown_tool.value.error.code == types.INVALID_PARAMS
            with pytest.raises(MCPError) as unknown_resource:
                await agent.speaker.read_resource("m1nd://nothing")
            error = unknown_resource.value.error
            assert (error.code, error.data) == (types.INVALID_PARAMS, {"uri": "m1nd://nothing"})
            with pytest.raises(MCPError) as unknown_prompt:
                await agent.speaker.get_prompt("nothing")
            assert unknown_prompt.value.error.code == types.INVALID_PARAMS

    served(root, environment, story)


def test_a_wrong_argument_executes_nothing(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent() as agent:
            error = await agent.refused("transplant_preview", **MOVE, dest="src/tide.rs")
            assert (error["code"], error["details"]["argument"]) == ("usage", "dest")
        assert not (root / ".m1nd").exists()

    served(root, environment, story)


def test_a_read_only_client_is_denied_every_write_before_anything_happens(
    root: Path, environment: dict[str, str]
) -> None:
    reader = Client("reader", caller_root=str(root), read_only=True, profile=ALL)

    async def story(house: House) -> None:
        async with house.agent(client=reader) as agent:
            for verb in tool_verbs().values():
                if not verb.pure_read:
                    assert (await agent.refused(verb.name, **required(verb)))["code"] == "read_only", (
                        verb.name
                    )
            await agent.data("search", query="clearance")
        assert not (root / ".m1nd" / "log.db").exists()

    before = tree_of(root)
    served(root, environment, story)
    assert tree_of(root) == before


def test_under_mismatch_every_write_is_refused_but_the_ingest_of_the_callers_own_root(
    root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "notes.md").write_text("tides\n")
    stranger = Client("stranger", caller_root=str(other), profile=ALL)

    async def story(house: House) -> None:
        async with house.agent(client=stranger) as agent:
            for verb in tool_verbs().values():
                if not verb.pure_read and verb.name != "ingest":
                    error = await agent.refused(verb.name, **required(verb))
                    assert error["code"] == "root_mismatch", verb.name
                    assert error["hint"] == "m1nd --root . …", verb.name
                    card = error["details"].pop("human_view")  # it names both folders, as CARD.md has it
                    assert card["state"] == "mismatch", verb.name
                    assert card["lines"][0].startswith("m1nd │ ")
                    assert str(tmp_path) not in json.dumps(error)
            assert (await agent.data("ingest"))["files"] == 1
            await agent.data("search", query="clearance")
        assert (other / ".m1nd" / "log.db").exists()

    before = tree_of(root)
    served(root, environment, story)
    assert tree_of(root) == before


def test_the_proof_gate_is_on_and_says_how_to_pass_it(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent() as agent:
            error = await agent.refused("transplant", **MOVE, confirm=True, verify="none")
            assert error["code"] == "proof_gate"
            assert "src/berth.rs" in error["details"]["files"]

    served(root, environment, story)
    environment["M1ND_PROOF_GATE"] = "0"

    async def ungated(house: House) -> None:
        async with house.agent() as agent:
            await agent.data("transplant", **MOVE, confirm=True, verify="none")

    served(root, environment, ungated)


def test_a_preview_belongs_to_the_agent_that_made_it(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        mine = Client("first", caller_root=str(root))
        async with (
            house.agent(client=mine) as first,
            house.agent(client=evolve(mine, agent="second")) as second,
        ):
            plan = await first.data("transplant_preview", **MOVE)
            commit = {"preview_id": plan["preview_id"], "confirm": True, "verify": "none"}
            assert (await second.refused("transplant_commit", **commit))["code"] == "preview_wrong_agent"
        async with house.agent(client=evolve(mine, session="later")) as again:
            await again.data("transplant_commit", **commit)

    served(root, environment, story)


def test_an_edit_takes_its_plan_as_text_and_never_as_a_file(root: Path, environment: dict[str, str]) -> None:
    plan = json.dumps({"files": [{"path": "NOTES.md", "content": "tides\n"}]})
    (root / "plan.json").write_text(plan)

    async def story(house: House) -> None:
        async with house.agent() as agent:
            assert (await agent.refused("edit_preview", plan=str(root / "plan.json")))["code"] == "bad_plan"
            assert (await agent.refused("edit_preview", plan="-"))["code"] == "bad_plan"
            made = await agent.data("edit_preview", plan=plan)
            await agent.data("edit_commit", preview_id=made["preview_id"], confirm=True, verify="none")
        assert (root / "NOTES.md").read_text() == "tides\n"

    served(root, environment, story)


def test_since_rev_tells_exactly_what_changed_later(root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent() as agent:
            seen = (await agent.ask("ingest"))["graph_rev"]
            (root / "new.md").write_text("new\n")
            (root / "src/tide.rs").write_bytes((root / "src/tide.rs").read_bytes() + b"// more\n")
            (root / "src/fees.rs").write_bytes((root / "src/fees.rs").read_bytes() + b"// more\n")
            await agent.ask("ingest")
            (root / "new.md").unlink()
            (root / "later.md").write_text("later\n")
            answer = await agent.ask("search", query="clearance", since_rev=seen)
            assert answer["changes"] == {
                "since_rev": seen,
                "graph_rev": answer["graph_rev"],
                "added": ["later.md"],
                "changed": ["src/fees.rs", "src/tide.rs"],
                "removed": [],
                "complete": True,
            }
            now = answer["graph_rev"]
            nothing = (await agent.ask("search", query="clearance", since_rev=now))["changes"]
            assert (nothing["added"], nothing["changed"], nothing["removed"]) == ([], [], [])

    served(root, environment, story)


@pytest.mark.parametrize("era", ERAS)
def test_progress_grows_and_ends_at_its_total(era: str, root: Path, environment: dict[str, str]) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def story(house: House) -> None:
        from m1nd.adapters.mcp import server

        server.PROGRESS_SECONDS, before = 0.01, server.PROGRESS_SECONDS
        try:
            async with house.agent(era) as agent:
                plan = await agent.data("transplant_preview", **MOVE)
                arguments = {"preview_id": plan["preview_id"], "confirm": True}
                await agent.speaker.call_tool("transplant_commit", arguments, progress_callback=note)
                await anyio.sleep(0.05)
        finally:
            server.PROGRESS_SECONDS = before

    served(root, environment, story)
    assert len(told) >= 2
    numbers = [progress for progress, _, _ in told]
    assert numbers == sorted(set(numbers))
    assert told[-1][0] == told[-1][1]
    assert told[-1][2] == "done"


def test_cancelled_work_stops_leaves_nothing_and_the_next_call_works(
    root: Path, environment: dict[str, str]
) -> None:
    for number in range(400):
        (root / f"src/more_{number}.rs").write_text(f"pub fn more_{number}() {{}}\n")

    async def story(house: House) -> None:
        async with house.agent() as agent:
            with anyio.move_on_after(0.02):
                await agent.speaker.call_tool("ingest", {})
            log = await agent.data("log")
            assert log["log"]["count"] in (0, 2)  # nothing, or all of it: never a part
            assert (await agent.data("ingest"))["files"] == 417
            assert await agent.data("audit_verify") is not None

    served(root, environment, story)


def test_a_subscriber_of_the_handshake_era_hears_of_every_change(
    root: Path, environment: dict[str, str]
) -> None:
    heard: list[str] = []

    async def story(house: House) -> None:
        async def note(message: Any) -> None:
            if isinstance(message, types.ResourceUpdatedNotification):
                heard.append(str(message.params.uri))

        async with house.agent(message_handler=note) as listener, house.agent() as worker:
            await listener.speaker.session.subscribe_resource("m1nd://status")
            await worker.data("ingest")
            await until(lambda: heard == ["m1nd://status"])
            await worker.data("search", query="clearance")  # a read changes nothing
            await worker.data("transplant_preview", **MOVE)
            await until(lambda: len(heard) == 2)

    served(root, environment, story)
    assert heard == ["m1nd://status", "m1nd://status"]


def test_a_subscriber_that_does_not_read_keeps_nobody_waiting(
    root: Path, environment: dict[str, str]
) -> None:
    """However much changes, it costs one task and one message to come."""

    async def story(house: House) -> None:
        stuck = anyio.Event()

        async def never(message: Any) -> None:
            await stuck.wait()

        async with house.agent(message_handler=never) as deaf, house.agent() as worker:
            await deaf.speaker.session.subscribe_resource("m1nd://status")
            await worker.data("ingest")
            for _ in range(20):
                plan = await worker.data("transplant_preview", **MOVE)
                await worker.data("transplant_discard", preview_id=plan["preview_id"])
            assert len(asyncio.all_tasks()) < 60
            stuck.set()

    served(root, environment, story)


def test_a_listener_of_the_stateless_era_hears_of_every_change(
    root: Path, environment: dict[str, str]
) -> None:
    heard: list[str] = []

    async def story(house: House) -> None:
        uris = ["m1nd://status", "m1nd://log?after=0", "m1nd://nothing"]
        async with (
            house.agent(MODERN) as agent,
            agent.speaker.listen(resource_subscriptions=uris) as stream,
        ):
            await agent.data("ingest")
            with anyio.fail_after(5):
                async for event in stream:
                    heard.append(event.uri)
                    if len(heard) == 2:
                        break

    served(root, environment, story)
    assert heard == ["m1nd://status", "m1nd://log?after=0"]


def test_an_append_of_another_process_is_noticed(root: Path, environment: dict[str, str]) -> None:
    from m1nd.adapters.cli.context import Call
    from m1nd.adapters.cli.program import run

    told: list[tuple[int, bool]] = []

    async def listen(graph_rev: int, changed: bool) -> None:
        told.append((graph_rev, changed))

    async def story(house: House) -> None:
        house.service.listeners.append(listen)
        status = await asyncio.to_thread(
            run, ["--root", str(root), "--json", "--quiet", "ingest"], Call(environment=environment)
        )
        assert status == 0
        await house.service.notice()
        await house.service.notice()

    served(root, environment, story)
    assert told == [(1, True)]


@pytest.mark.parametrize("era", ERAS)
def test_resources_read_what_the_verbs_say(era: str, root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(era) as agent:
            await agent.data("ingest")
            uris = [str(resource.uri) for resource in (await agent.speaker.list_resources()).resources]
            assert {"m1nd://status", "m1nd://log"} <= set(uris)
            templates = (await agent.speaker.list_resource_templates()).resource_templates
            assert "m1nd://log{?after}" in [template.uri_template for template in templates]
            for uri in (*uris, "m1nd://log?after=1"):
                contents = (await agent.speaker.read_resource(uri)).contents
                envelope = json.loads(contents[0].text)  # type: ignore[union-attr]
                assert envelope["ok"] is True, uri
                assert envelope["graph_rev"] == 1, uri
            after = json.loads((await agent.speaker.read_resource("m1nd://log?after=1")).contents[0].text)  # type: ignore[union-attr]
            assert [event["position"] for event in after["data"]["events"]] == [2]

    served(root, environment, story)


@pytest.mark.parametrize("era", ERAS)
def test_prompts_lead_through_the_usual_flows(era: str, root: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(era) as agent:
            names = [prompt.name for prompt in (await agent.speaker.list_prompts()).prompts]
            assert names[:2] == ["orient", "move"]
            for name in names:
                found = await agent.speaker.get_prompt(name)
                assert found.messages[0].content.text.startswith("1. ")  # type: ignore[union-attr]

    served(root, environment, story)


def test_a_server_without_a_repository_still_speaks(tmp_path: Path, environment: dict[str, str]) -> None:
    async def story(house: House) -> None:
        async with house.agent(client=Client("lost", profile=ALL)) as agent:
            assert (await agent.speaker.list_tools()).tools
            for verb in tool_verbs().values():
                error = await agent.refused(verb.name, **required(verb))
                assert error["code"] == "no_project", verb.name

    served(Path(""), environment, story)


def test_misleading_characters_are_escaped_in_the_text(root: Path, environment: dict[str, str]) -> None:
    (root / "src/tide.rs").write_text("/// a \u202e trick\npub fn neap() {}\n", encoding="utf-8")

    async def story(house: House) -> None:
        async with house.agent() as agent:
            result = await agent.speaker.call_tool("surgical_context", {"symbol": "neap"})
            text = result.content[0].text  # type: ignore[union-attr]
            assert "\u202e" not in text
            assert "\\u202e" in text

    served(root, environment, story)


def test_north_answers_from_a_fresh_graph_that_the_owner_refreshed_as_an_act_of_its_own(
    root: Path, environment: dict[str, str]
) -> None:
    async def story(house: House) -> None:
        async with house.agent() as agent:
            packet = await agent.data("north", task="squat")
            assert (
                packet["needs"] == "needs_ingest"
            )  # nobody ingests for the first time behind the caller's back
            await agent.data("ingest")
            (root / "src/tide.rs").write_bytes(
                (root / "src/tide.rs").read_bytes() + b"pub fn neap_tide() {}\n"
            )
            packet = await agent.data("north", task="neap_tide")
            assert packet["binding"]["stale_files"] == 0
            assert packet["context"]["focus_nodes"][0]["label"] == "neap_tide"
            events = (await agent.data("log", topic="graph_changed"))["events"]
            assert [event["actor"]["kind"] for event in events] == ["agent", "system"]

    served(root, environment, story)


def test_under_mismatch_north_says_so_by_what_the_connection_knows(
    root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)

    async def story(house: House) -> None:
        async with house.agent(client=Client("stranger", caller_root=str(other))) as agent:
            packet = await agent.data("north", task="squat")
            assert packet["reception"]["match"] == "caller_root_mismatch"
            assert packet["human_view"]["state"] == "mismatch"

    served(root, environment, story)


async def until(true: Any, seconds: float = 5) -> None:
    with anyio.fail_after(seconds):
        while not true():
            await anyio.sleep(0.01)
