"""A real coding agent on the real `m1nd mcp`, with a scripted model on loopback in the place of its own: offline, no account.

What is asserted is what that model was told: the only thing that a real one would have had.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.agent import harbour_root, tree_of
from tests.support.relay import Machine, machine
from tests.support.scripted_model import Step, Told, scripted

from m1nd.adapters.mcp.teaching import instructions

REPOSITORY = Path(__file__).resolve().parents[2]
AGENT = REPOSITORY / ".clients" / "agent" / "node_modules" / ".bin" / "claude"
FORMS = "mcp__m1nd__{}"


def runs() -> bool:
    """Whether it is installed and starts here."""
    if not AGENT.exists():
        return False
    return subprocess.run([AGENT, "--version"], capture_output=True, check=False, timeout=60).returncode == 0


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not runs(), reason="the pinned coding agent does not run here: see `make clients`"),
]


@pytest.fixture
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        yield made


def say(tool: str, **arguments: Any) -> Step:
    return lambda told: (FORMS.format(tool), arguments)


def envelope(told: Told) -> dict[str, Any]:
    """The last answer; an agent may append words of its own to an error."""
    found, _ = json.JSONDecoder().raw_decode(told[-1]["text"][told[-1]["text"].index("{") :])
    return dict(found)


def follow_the_hint(told: Told) -> tuple[str, dict[str, Any]]:
    call = envelope(told)["error"]["details"]["next_call"]
    return FORMS.format(call["tool"]), call["arguments"]


def commit(told: Told) -> tuple[str, dict[str, Any]]:
    plan = envelope(told)["data"]["preview_id"]
    return FORMS.format("transplant_commit"), {"preview_id": plan, "confirm": True, "verify": "none"}


STORY = (
    say("ingest"),
    say("north", task="move clearance out of berth", session="s1"),
    say("transplant_preview", symbol="clearance", source_file="src/tide.rs", dest_file="src/draught.rs"),
    follow_the_hint,
    commit,
)


def test_a_coding_agent_moves_a_function_by_what_it_is_told(here: Machine) -> None:
    root = harbour_root(here.folder)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    assert here.m1nd(root, "setup", "claude-code")["ok"] is True
    before = tree_of(root)
    with scripted(STORY) as model:
        done = subprocess.run(
            [AGENT, "-p", "go", "--mcp-config", ".mcp.json", "--strict-mcp-config", "--allowedTools", "mcp__m1nd", "--output-format", "json"],
            cwd=root,
            env={
                "PATH": "/usr/bin:/bin",
                "HOME": str(here.folder),
                "XDG_RUNTIME_DIR": str(here.folder),
                "PYTHONPATH": here.environment["PYTHONPATH"],
                "ANTHROPIC_BASE_URL": model.url,
                "ANTHROPIC_API_KEY": "none",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "IS_SANDBOX": "1",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = model.results()
        seen = model.everything()
        shown = {tool["name"] for request in model.requests for tool in request.get("tools", [])}
    assert [answer["is_error"] for answer in told] == [False, False, True, False, False]
    assert [envelope([answer])["schema"] for answer in told] == [
        "m1nd.ingest/1",
        "m1nd.north/1",
        "m1nd.transplant_preview/1",
        "m1nd.transplant_preview/1",
        "m1nd.transplant_commit/1",
    ]
    packet = envelope(told[1:2])["data"]
    assert packet["reception"]["match"] == "match"  # the host says where it works
    assert packet["human_view"]["lines"][0].startswith("m1nd │ ")
    assert envelope(told[2:3])["error"]["code"] == "symbol_elsewhere"
    assert tree_of(root) != before
    assert "mcp__m1nd__north" in shown  # loaded at once, the others when they are looked for
    assert json.dumps(instructions())[1:60] in seen
    topics = {row["topic"]: row["events"] for row in here.m1nd(root, "audit", "topics")["data"]["topics"]}
    assert topics["transplant_committed"] == 1
