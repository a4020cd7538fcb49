"""What went wrong in other servers, tried on this one: the twenty classes of advisories, S1 to S20, and S21, S27.

The HTTP half (S10 to S14, S17) is in tests/process/test_mcp_http.py, host files (S19) in tests/unit/test_hosts.py.
"""

import ast
import importlib.metadata
import json
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.agent import Agent, House, environment_of, harbour_root, served, tree_of
from tests.support.relay import machine

from m1nd.adapters.mcp import resources
from m1nd.adapters.mcp.client import ALL, Client
from m1nd.adapters.mcp.tools import input_schema, tool_verbs
from m1nd.adapters.verb_shape import Effect

REPOSITORY = Path(__file__).resolve().parents[2]
SECRET = "harbour-master-keeps-this"
BODY = f'pub fn secret() -> &\'static str {{ "{SECRET}" }}\n'

PATHS = (
    "../outside/secret.rs",
    "src/../../outside/secret.rs",
    "./../harbour-evil/secret.rs",  # a sibling whose name begins like the root's
    "{outside}/secret.rs",
    "link.rs",
    "linked/secret.rs",
    "dangling.rs",
    "~/secret.rs",
    "%2e%2e/outside/secret.rs",
    "..\\outside\\secret.rs",
    "C:\\secret.rs",
    "//host/share/secret.rs",
    "file://{outside}/secret.rs",
    "src/berth.rs\0.txt",
    "src/berth.rs\n../outside/secret.rs",
    "/dev/stdin",
    "-",
    "x" * 300,
)
OPTIONS = (
    "--output=pwned",
    "-rf",
    "--config=/tmp/pwned",
    "$(touch pwned)",
    "; touch pwned",
    "`touch pwned`",
    "| touch pwned",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The demo's crate, with secrets beside it and links that lead to them."""
    root = harbour_root(tmp_path)
    for name in ("outside", "harbour-evil"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret.rs").write_text(BODY)
    (root / "link.rs").symlink_to(tmp_path / "outside" / "secret.rs")
    (root / "linked").symlink_to(tmp_path / "outside")
    (root / "dangling.rs").symlink_to(tmp_path / "outside" / "made.rs")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_of(tmp_path, os.environ)


def outside_of(root: Path) -> dict[str, bytes]:
    folders = (root.parent / "outside", root.parent / "harbour-evil")
    return {
        str(path): path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()
    }


def filled(schema: dict[str, Any], text: str) -> Any:
    """A value of the schema in which every free string is `text`."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "string":
            return text
        case "array":
            return [filled({"type": schema.get("items", {}).get("type", "string")}, text)]
        case "object":
            return {"path": text, "file": text, "name": text}
        case "boolean":
            return False
        case _:
            return schema.get("minimum", 1)


def strings(name: str) -> list[str]:
    properties = input_schema(tool_verbs()[name])["properties"]
    return [key for key, schema in properties.items() if schema["type"] == "string" and "enum" not in schema]


async def fire(agent: Agent, name: str, text: str) -> dict[str, Any]:
    """Call a tool with `text` in every string, with and without what may be left out."""
    schema = input_schema(tool_verbs()[name])
    whole = {key: filled(part, text) for key, part in schema["properties"].items()}
    needed = {key: value for key, value in whole.items() if key in schema["required"] or key in strings(name)}
    for arguments in (whole, needed):
        envelope = await agent.ask(name, **arguments)
        said = json.dumps(envelope)
        assert SECRET not in said, (name, text)
        if not envelope["ok"]:
            assert envelope["error"]["code"] != "bug", (name, text, envelope["error"])
    return envelope


@pytest.mark.slow
@pytest.mark.parametrize("family", ["paths", "options"])
def test_no_argument_of_any_tool_leads_out_or_starts_anything(
    family: str, root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """S1 to S6, S18: every tool, every string, every branch; the next tool that forgets the check fails here."""
    before, secrets = tree_of(root), outside_of(root)
    corpus = [text.format(outside=tmp_path / "outside") for text in (PATHS if family == "paths" else OPTIONS)]

    async def story(house: House) -> None:
        async with house.agent(client=Client("stranger", caller_root=str(root), profile=ALL)) as agent:
            await agent.ask("ingest")
            for name in tool_verbs():
                for text in corpus if strings(name) else corpus[:1]:
                    await fire(agent, name, text)

    served(root, environment, story)
    assert tree_of(root) == before
    assert outside_of(root) == secrets
    assert not [path for path in tmp_path.rglob("*pwned*") if ".m1nd" not in path.parts]
    assert not Path("pwned").exists()
    assert not (tmp_path / "outside" / "made.rs").exists()


@pytest.mark.parametrize("path", PATHS)
def test_no_plan_of_an_edit_leads_out(
    path: str, root: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """S1, S3, S6: for writes and removals, in both forms of a plan."""
    path = path.format(outside=tmp_path / "outside")
    before, secrets = tree_of(root), outside_of(root)
    plans = [
        json.dumps({"files": [{"path": path, "content": "x\n"}]}),
        json.dumps({"files": [{"path": path, "remove": True}]}),
        f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{BODY}+x\n",
    ]

    async def story(house: House) -> None:
        async with house.agent() as agent:
            for plan in plans:
                envelope = await agent.ask("edit_preview", plan=plan)
                assert SECRET not in json.dumps(
                    envelope["error"] if not envelope["ok"] else envelope["data"]["diff"]
                )
                if envelope["ok"]:  # a name that is odd but inside
                    made = envelope["data"]["preview_id"]
                    await agent.ask("edit_discard", preview_id=made)
                else:
                    assert envelope["error"]["code"] != "bug"

    served(root, environment, story)
    assert tree_of(root) == before
    assert outside_of(root) == secrets


@pytest.mark.parametrize(
    "path",
    [".git/hooks/pre-commit", ".GIT/config", "sub/.git/config", ".m1nd/log.db", "src/.m1nd/x", ".mcp.json", ".claude/settings.json",
     ".vscode/tasks.json", "ci/protected-zones.json"],
)  # fmt: skip
def test_no_tool_writes_what_would_start_something_or_change_its_own_rights(
    path: str, root: Path, environment: dict[str, str]
) -> None:
    """S7."""

    async def story(house: House) -> None:
        async with house.agent() as agent:
            plan = json.dumps({"files": [{"path": path, "content": "x\n"}]})
            assert (await agent.refused("edit_preview", plan=plan))["code"] in (
                "outside_root",
                "protected_zone",
            )

    served(root, environment, story)


def test_an_approval_is_of_a_content_and_ends_with_it(root: Path, environment: dict[str, str]) -> None:
    """S9: what was previewed is what is committed, or nothing is."""

    async def story(house: House) -> None:
        async with house.agent() as agent:
            plan = json.dumps({"files": [{"path": "Cargo.toml", "content": "[package]\n"}]})
            made = await agent.data("edit_preview", plan=plan)
            (root / "Cargo.toml").write_text((root / "Cargo.toml").read_text() + "\n# later\n")
            commit = {"preview_id": made["preview_id"], "confirm": True, "verify": "none"}
            assert (await agent.refused("edit_commit", **commit))["code"] == "source_modified"
        assert (root / "Cargo.toml").read_text().endswith("# later\n")

    served(root, environment, story)


def test_no_tool_gives_a_stamp(root: Path, environment: dict[str, str]) -> None:
    """D24: what needs one answers with the command for the human, whatever the arguments."""
    assert "stamp" not in tool_verbs()
    assert not [name for name in tool_verbs() if "stamp" in input_schema(tool_verbs()[name])["properties"]]


def test_read_only_is_no_matter_of_the_list(root: Path, environment: dict[str, str]) -> None:
    """S15: a tool that is not shown is refused all the same, whatever else is wrong with the call."""

    async def story(house: House) -> None:
        async with house.agent(client=Client("reader", read_only=True)) as agent:
            shown = {tool.name for tool in (await agent.speaker.list_tools()).tools}
            writers = [verb.name for verb in tool_verbs().values() if not verb.pure_read]
            assert not shown & set(writers)
            for name in writers:
                schema = input_schema(tool_verbs()[name])
                arguments = {key: filled(schema["properties"][key], "x") for key in schema["required"]}
                assert (await agent.refused(name, **arguments))["code"] == "read_only", name

    before = tree_of(root)
    served(root, environment, story)
    assert tree_of(root) == before


def test_the_protocol_library_is_one_whose_sessions_end() -> None:
    """S17."""
    major, minor, *_ = importlib.metadata.version("mcp").split(".")
    assert (int(major), int(minor)) >= (2, 3)


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in ("domain", "application", "infrastructure", "adapters"):
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_no_command_is_a_string_for_a_shell() -> None:
    """S18."""
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                assert not [k for k in node.keywords if k.arg == "shell"], path
                called = ast.unparse(node.func)
                assert called not in ("os.system", "os.popen", "subprocess.getoutput", "eval", "exec"), path


def test_every_verb_that_starts_a_process_says_so() -> None:
    for verb in tool_verbs().values():
        if Effect.WRITES_FILES in verb.effects:
            assert Effect.RUNS_PROCESS in verb.effects, verb.name


def test_nothing_goes_out_to_a_network(
    root: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """S20, S27: a whole story with every socket of the internet blocked, in this process and by what it does."""
    tried: list[Any] = []
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            tried.append(address)
            raise OSError("blocked")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: tried.append(a))

    async def story(house: House) -> None:
        async with house.agent(client=Client("worker", caller_root=str(root), profile=ALL)) as agent:
            for name, arguments in (
                ("ingest", {}),
                ("north", {"task": "moor a vessel"}),
                ("surgical_context", {"symbol": "crate::berth::clearance"}),
                (
                    "transplant_preview",
                    {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"},
                ),
                ("doctor", {}),
                ("audit_verify", {}),
            ):
                assert (await agent.ask(name, **arguments))["ok"], name

    served(root, environment, story)
    assert tried == []


def test_a_resource_is_an_address_and_never_a_path(root: Path, environment: dict[str, str]) -> None:
    for path in PATHS:
        assert resources.locate(f"m1nd://blocks/{path}") is None or "/" not in path
        assert resources.locate(f"file://{path}") is None
        assert resources.locate(path) is None


@pytest.mark.slow
def test_a_hostile_repository_configures_and_starts_nothing(tmp_path: Path) -> None:
    """S8, S21: settings, modules and hooks that lie in the served folder are data."""
    root = harbour_root(tmp_path)
    sprung = tmp_path / "sprung"
    trap = f"open({str(sprung)!r}, 'a').write(__name__)\n"
    for name in (
        "sitecustomize.py",
        "usercustomize.py",
        "mcp.py",
        "json.py",
        "socket.py",
        "m1nd.py",
        "click.py",
        "conftest.py",
    ):
        (root / name).write_text(trap)
    (root / "m1nd").mkdir()
    (root / "m1nd" / "__init__.py").write_text(trap)
    (root / ".env").write_text(
        "M1ND_PROOF_GATE=0\nM1ND_HOME=/tmp/stolen\nFASTMCP_HOST=0.0.0.0\nHOST=0.0.0.0\n"
    )
    (root / "pyproject.toml").write_text("[tool.m1nd]\nproof_gate = false\n")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    hook = root / ".git" / "hooks" / "fsmonitor"
    hook.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    hook.chmod(0o755)
    for key, value in (
        ("core.fsmonitor", str(hook)),
        ("core.hooksPath", str(hook.parent)),
        ("core.pager", str(hook)),
    ):
        subprocess.run(["git", "config", key, value], cwd=root, check=True)
    move = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as here,
    ):
        for options in ((), ("--in-process",)):
            host = here.host(root, *options).hello()
            assert host.call("search", query="clearance")["ok"] is True
            refused = host.call("transplant", **move, confirm=True, verify="none")
            assert refused["error"]["code"] == "proof_gate"
            assert host.end() == 0
    assert not sprung.exists()
    assert (root / ".m1nd" / "log.db").exists()
