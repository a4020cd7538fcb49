"""Agent hosts are told about m1nd in their own shape, and nothing else in their files changes (U1 to U3, S19)."""

import ast
import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour

from m1nd.adapters import hosts
from m1nd.adapters.host_checks import host_checks
from m1nd.adapters.hosts import HOSTS, our_command
from m1nd.adapters.mcp.probe import OPENINGS, probe
from m1nd.application.use_cases.doctor import State

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-P", "-m", "m1nd", "mcp"]
STDIO = {"type": "stdio", "command": COMMAND[0], "args": COMMAND[1:]}
PLAIN = {"command": COMMAND[0], "args": COMMAND[1:]}

SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "claude-code": (".mcp.json", {"mcpServers": {"m1nd": STDIO}}),
    "codex": (
        "~/.codex/config.toml",
        {"mcp_servers": {"m1nd": {**PLAIN, "startup_timeout_sec": 20, "tool_timeout_sec": 600}}},
    ),
    "cursor": (".cursor/mcp.json", {"mcpServers": {"m1nd": PLAIN}}),
    "vscode": (".vscode/mcp.json", {"servers": {"m1nd": STDIO}}),
    "zed": (".zed/settings.json", {"context_servers": {"m1nd": PLAIN}}),
    "opencode": ("opencode.json", {"mcp": {"m1nd": {"type": "local", "command": COMMAND, "enabled": True}}}),
    "gemini": (".gemini/settings.json", {"mcpServers": {"m1nd": PLAIN}}),
}
"""Each host's file and the whole of it, as its documentation has it."""


def read(name: str, text: str) -> Any:
    return tomllib.loads(text) if HOSTS[name].toml else json.loads(text)


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    made.environment["HOME"] = str(tmp_path / "home")
    made.environment.pop("CODEX_HOME", None)
    return made


def file_of(door: Door, name: str) -> Path:
    return Path(HOSTS[name].path(str(door.root), door.environment))


@pytest.mark.parametrize("name", list(HOSTS))
def test_each_host_gets_its_own_shape(name: str, door: Door) -> None:
    file, shape = SHAPES[name]
    status, answer = door.ask("setup", name)
    assert status == 0
    assert (answer["data"]["file"], answer["data"]["written"]) == (file, True)
    assert read(name, file_of(door, name).read_text()) == shape
    assert door.ask("setup", name)[1]["data"]["written"] is False


@pytest.mark.parametrize("name", list(HOSTS))
def test_printing_writes_nothing(name: str, door: Door) -> None:
    before = door.tree()
    status, answer = door.ask("setup", name, "--print")
    assert (status, answer["data"]["written"]) == (0, False)
    assert read(name, answer["data"]["entry"]) == SHAPES[name][1]
    assert door.tree() == before
    assert not file_of(door, name).exists()


@pytest.mark.parametrize("name", [name for name in HOSTS if not HOSTS[name].toml])
def test_foreign_entries_of_json_stay(name: str, door: Door) -> None:
    file = file_of(door, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    (key,) = HOSTS[name].keys
    other = {"command": "/bin/other", "args": ["ö"]}
    file.write_text(json.dumps({"theme": "dark", key: {"other": other, "m1nd": {"command": "old"}}}))
    assert door.ask("setup", name)[0] == 0
    found = json.loads(file.read_text())
    assert found["theme"] == "dark"
    assert found[key] == {"other": other, "m1nd": SHAPES[name][1][key]["m1nd"]}


def test_comments_and_layout_of_toml_stay(door: Door) -> None:
    file = file_of(door, "codex")
    file.parent.mkdir(parents=True)
    text = '# mine\nmodel = "x"   # aligned\n\n[mcp_servers.other]\ncommand = "/bin/other"\n'
    file.write_text(text)
    assert door.ask("setup", "codex")[0] == 0
    after = file.read_text()
    assert after.startswith(text.rstrip("\n"))
    assert tomllib.loads(after)["mcp_servers"]["m1nd"]["command"] == sys.executable


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {} // mine\n}',
        '{"mcpServers": []}',
        "[]",
        "{",
        "\udcff".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_a_file_that_cannot_be_kept_whole_is_left_alone(text: str, door: Door) -> None:
    file = file_of(door, "claude-code")
    file.write_text(text, encoding="utf-8")
    status, answer = door.ask("setup", "claude-code")
    assert (status, answer["error"]["code"]) == (1, "unreadable")
    assert answer["error"]["hint"] == "m1nd setup claude-code --print"
    assert file.read_text(encoding="utf-8") == text


def test_a_link_that_leads_out_is_not_followed(door: Door, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    file_of(door, "claude-code").symlink_to(outside)
    status, answer = door.ask("setup", "claude-code")
    assert (status, answer["error"]["code"]) == (1, "outside_root")
    assert outside.read_text() == "{}"


def test_a_read_only_attach_sets_nothing_up(door: Door) -> None:
    assert door.ask("setup", "cursor", "--read-only")[1]["error"]["code"] == "read_only"
    assert not file_of(door, "cursor").exists()


def test_setting_up_starts_no_program() -> None:
    for module in ("adapters/hosts.py", "adapters/cli/setup.py"):
        tree = ast.parse((REPOSITORY / module).read_text())
        imported = {
            alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        } | {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not {name for name in imported if name.startswith(("subprocess", "pty", "multiprocessing"))}, (
            module
        )


def checks(door: Door, tools: int = 7) -> dict[str, State]:
    answers = dict.fromkeys(OPENINGS, tools)
    return {c.name: c.state for c in host_checks(str(door.root), door.environment, lambda: answers)}


def test_the_doctor_says_nothing_of_hosts_that_do_not_name_m1nd(door: Door) -> None:
    file_of(door, "claude-code").write_text('{"mcpServers": {"other": {"command": "x"}}}')
    assert checks(door) == {}


def test_the_doctor_tells_a_right_entry_from_a_wrong_one(door: Door) -> None:
    for name in HOSTS:
        assert door.ask("setup", name)[0] == 0
    assert checks(door) == dict.fromkeys(HOSTS, State.OK)
    assert checks(door, tools=0) == dict.fromkeys(HOSTS, State.FAIL)
    file_of(door, "cursor").write_text('{"mcpServers": {"m1nd": {"url": "x"}}}')
    file_of(door, "gemini").write_text('{"mcpServers": {"m1nd": {"command": "m1nd", "args": ["mcp"]}}}')
    file_of(door, "zed").write_text(
        '{"context_servers": {"m1nd": {"command": "/bin/sh", "args": ["-c", "x"]}}}'
    )
    file_of(door, "vscode").write_text('{"servers": {"m1nd": // ours\n{}}}')
    found = checks(door)
    assert [found[name] for name in ("cursor", "gemini", "zed", "vscode")] == [
        State.FAIL,
        State.FAIL,
        State.WARN,
        State.WARN,
    ]


def test_the_doctor_starts_no_command_that_a_repository_names(door: Door, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    file_of(door, "claude-code").write_text(json.dumps({"mcpServers": {"m1nd": {"command": str(trap)}}}))
    door.ask("doctor")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.slow
def test_the_written_command_starts_with_an_empty_environment_anywhere() -> None:
    """Empty but for where a checkout that is not installed lies."""
    found = probe(our_command(), os.sep, {"PYTHONPATH": str(REPOSITORY / "src")})
    assert set(found) == set(OPENINGS)
    assert all(found.values())


@pytest.mark.slow
def test_a_command_that_is_no_server_lists_nothing() -> None:
    assert probe(["/bin/echo", "hello"], os.sep, {}) == dict.fromkeys(OPENINGS, 0)


def test_the_names_of_hosts_are_those_of_the_verb_table() -> None:
    from m1nd.adapters.verbs import VERBS

    (host, _) = VERBS["setup"].arguments
    assert host.choices == tuple(hosts.HOSTS)
