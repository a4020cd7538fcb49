"""One mission from its delegation to its landing: three agents through MCP, the human at the tray's terminal."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.support.agent import Agent, House, environment_of, harbour_root, served
from tests.support.door import Door
from tests.support.missions import SHA
from tests.support.pseudo_terminal import AtTerminal

from m1nd.adapters.mcp.client import Client

PAPER, BLOCK = "sb_harbour_root_514189af", "sb_harbour_src_623794cb"
TASK = "Move the clearance of a berth home."
PROMPT = "anything else to leave: "


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in (("TERM", "xterm-256color"), ("COLUMNS", "80"), ("LINES", "24")):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return harbour_root(tmp_path)


@pytest.fixture
def owner(root: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    """The owner's command line, with a signed map."""
    door = Door(root, capsys, dict(os.environ))
    door.ask("blocks", "candidate")
    names = ("--rename", BLOCK, "Harbour", "--rename", PAPER, "Paper")
    door.ask("blocks", "edit", *names, "--contract", PAPER, "docs")
    for part in ("names", "boundaries", "contract"):
        line = ("blocks", "ratify", "--sign", part)
        door.stamp(door.ask(*line)[1]["error"]["details"]["challenge"])
        assert door.ask(*line)[0] == 0
    return door


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def land_at_the_tray(root: Path) -> str:
    """The human opens the tray, reads, presses `s`, types the digits, and leaves; what was on the terminal."""
    here = AtTerminal(root, ["--root", str(root), "tray"])
    here.read_until("gate green - receipt not landed")
    here.type("s")
    page = here.read_until(PROMPT)
    here.type(f"{page.split('  digest    ')[1][:8]}\n")
    here.read_until("the tray is empty")
    here.type("q")
    assert here.end() == 0
    return page.split("m1nd needs your stamp")[1]


def test_a_mission_from_delegation_to_landing(root: Path, owner: Door, tmp_path: Path) -> None:
    told: list[str] = []

    async def story(house: House) -> None:
        def come(name: str) -> Any:
            return house.agent(client=Client(name, caller_root=str(root), profile="all"))

        async with come("drafter") as drafter, come("critic") as critic, come("rig-1") as rig:
            mission = await propose(drafter, critic, told)
            await work(rig, mission, told)
            await gate(rig, mission, told)
            assert (await drafter.data("north", task=TASK))["landing_bell"] == {"merge_wait": 1}
            error = await rig.refused("mission_land", id=mission["id"])
            assert (error["code"], error["hint"]) == ("human_gesture_required", f"m1nd land {mission['id']}")
            told.append(f"rig-1 mission_land: {error['code']}, {error['hint']}")
            page = land_at_the_tray(root)
            told.append(f"the owner, m1nd tray, s: m1nd needs your stamp{page}")
            assert f"target    {mission['id']}" in page
            assert f"evidence   transplant/{mission['move']}" in page
            assert f"did        transplant {mission['move']}: clearance" in page
            assert "since the dispatch, beside its own writes" in page
            shown = await drafter.data("mission_show", mission_id=mission["id"])
            told.append(f"drafter mission_show: {shown['state']}, {shown['receipt_id']}")
            assert (shown["state"], shown["letters"][-1]["phase"]) == ("landed", "landed")
            assert "landing_bell" not in await drafter.data("north", task=TASK)

    served(root, environment_of(tmp_path, os.environ), story)
    newest = owner.ask("receipts", "list", BLOCK)[1]["data"]["receipts"][0]
    assert (newest["type"], newest["stage"]) == ("test", "live")
    assert owner.ask("projections", "rebuild", "--check")[0] == 0
    assert owner.ask("audit", "verify")[1]["data"]["holds"]
    print("\n".join(told))


async def propose(drafter: Agent, critic: Agent, told: list[str]) -> dict[str, str]:
    opened = await drafter.data("mission_post", act="open", block_id=BLOCK, message=TASK)
    id = opened["mission_id"]
    told.append(f"drafter mission_post open: {id} {opened['state']}")
    own = await drafter.refused("mission_post", act="judge", mission_id=id, decision="APPROVE")
    told.append(f"drafter mission_post judge: {own['code']}")
    assert own["code"] == "wrong_author"
    judged = await critic.data(
        "mission_post", act="judge", mission_id=id, decision="APPROVE", packet_digest=opened["packet_digest"]
    )
    given = await drafter.data(
        "mission_post", act="dispatch", mission_id=id, runner_id="rig-1", expected_version=judged["version"]
    )
    told.append(
        f"critic mission_post judge APPROVE; drafter dispatch: {given['state']} {given['execution_id']}"
    )
    return {"id": id, "execution": given["execution_id"]}


async def work(rig: Agent, mission: dict[str, str], told: list[str]) -> None:
    run = {"mission_id": mission["id"], "execution_id": mission["execution"]}
    await rig.data("mission_post", act="start", **run)
    await rig.data("mission_post", act="beat", progress="planning the move", **run)
    move = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}
    preview = await rig.data("transplant_preview", **move)
    moved = await rig.data(
        "transplant_commit",
        preview_id=preview["preview_id"],
        confirm=True,
        verify="none",
        mission_id=mission["id"],
    )
    mission["move"] = moved["transplant_id"]
    told.append(f"rig-1 start, beat, transplant_commit inside the mission: {moved['transplant_id']}")


async def gate(rig: Agent, mission: dict[str, str], told: list[str]) -> None:
    run = {"mission_id": mission["id"], "execution_id": mission["execution"]}
    began = now()
    await rig.data("mission_post", act="output", exit_status=0, artifact_hash=SHA, **run)
    await rig.data("mission_post", act="open_gate", **run)
    early = await rig.refused("mission_post", act="wait", mission_id=mission["id"])
    assert early["code"] == "missing_receipt_candidate"
    report = {
        "command": "cargo test",
        "exit_status": 0,
        "artifact_hash": SHA,
        "started_at": began,
        "ended_at": now(),
    }
    await rig.data("mission_post", act="gate", stdout_excerpt="17 passed", **report, **run)
    waits = await rig.data("mission_post", act="wait", mission_id=mission["id"])
    told.append(f"rig-1 output, open_gate, gate 0, wait: {waits['state']} {waits['candidate_id'][:17]}")
    assert waits["phase"] == "merge_wait"


def test_a_packet_is_handed_out_and_answered_over_mcp(root: Path, owner: Door, tmp_path: Path) -> None:
    async def story(house: House) -> None:
        async with house.agent(client=Client("lead", caller_root=str(root), profile="all")) as lead:
            packet = await lead.data("delegate", task="the clearance of a berth", block_id=BLOCK)
            assert packet["mission"]["binding"]["workspace_root"] == "harbour"
            answer = await lead.data(
                "debrief",
                delegation_id=packet["delegation_id"],
                outcome="success",
                touched_paths=["src/berth.rs"],
                evidence={"artifact_hash": SHA, "evidence_refs": ["review/1"]},
            )
            assert (answer["outcome_state"], answer["candidate"]["type"]) == ("evidence_attached", "review")
            tray = await lead.data("tray")
            assert [each["candidate_id"] for each in tray["candidates"]] == [answer["candidate_id"]]
            bad = await lead.refused("debrief", delegation_id="dlg_000000000000", outcome="success")
            assert bad["code"] == "unknown_delegation"

    served(root, environment_of(tmp_path, os.environ), story)
