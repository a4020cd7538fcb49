"""How each agent host is told about m1nd: the file, its shape, and the merge of our entry into what stands there.

Starts no program and asks nothing of the network. A file that is not plain JSON or TOML (comments in JSON, say) is never
rewritten: the entry is shown instead, for a human to paste.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from m1nd.domain.refusal import refuse

NAME = "m1nd"
Entry = Mapping[str, Any]
Command = tuple[str, ...]


def our_command() -> Command:
    """What a host starts: this interpreter by its absolute path, and nothing of the folder that it stands in."""
    return (sys.executable, "-P", "-m", "m1nd", "mcp")


@frozen
class Host:
    """One agent host. `file` is relative to the repository, or to the home folder where it begins with `~`."""

    name: str
    title: str
    file: str
    keys: tuple[str, ...]
    """Where in the file the servers stand."""
    entry: Callable[[Command], Entry]
    command_of: Callable[[Entry], Sequence[str]]
    toml: bool = False
    then: str = ""
    """What the human does after it."""

    def path(self, root: str, environment: Mapping[str, str]) -> str:
        """Raises Refused(no_project) where the home folder is not known."""
        if not self.file.startswith("~/"):
            return os.path.join(root, self.file)
        home = environment.get("CODEX_HOME", "") if self.name == "codex" else ""
        if home:
            return os.path.join(home, os.path.basename(self.file))
        if not environment.get("HOME"):
            refuse(
                "no_project", f"HOME is not set, and {self.file} lies there", "export HOME, then try again"
            )
        return os.path.join(environment["HOME"], self.file[2:])

    def shown(self) -> str:
        """The entry alone, as it would stand in an empty file."""
        return self.merged("")

    def merged(self, text: str) -> str:
        """The file's text with our entry in it, everything else as it was.

        Raises Refused(unreadable) for what is no plain JSON or TOML, or holds something else where servers stand.
        """
        return _merged_toml(self, text) if self.toml else _merged_json(self, text)

    def found(self, text: str) -> Sequence[str] | None:
        """The command that the file tells the host to start; None where it does not name m1nd.

        Raises Refused(unreadable).
        """
        place: Any = _parsed(self, text)
        for key in (*self.keys, NAME):
            place = place.get(key) if isinstance(place, Mapping) else None
        if not isinstance(place, Mapping):
            return None
        try:
            return [str(word) for word in self.command_of(place)]
        except (KeyError, TypeError):
            return []


def _stdio(command: Command) -> Entry:
    return {"type": "stdio", "command": command[0], "args": list(command[1:])}


def _plain(command: Command) -> Entry:
    return {"command": command[0], "args": list(command[1:])}


def _split(entry: Entry) -> Sequence[str]:
    return [entry["command"], *entry.get("args", [])]


HOSTS = {
    host.name: host
    for host in (
        Host(
            "claude-code",
            "Claude Code",
            ".mcp.json",
            ("mcpServers",),
            _stdio,
            _split,
            then="start claude in this folder and approve the server",
        ),
        Host(
            "codex",
            "Codex",
            "~/.codex/config.toml",
            ("mcp_servers",),
            lambda command: {**_plain(command), "startup_timeout_sec": 20, "tool_timeout_sec": 600},
            _split,
            toml=True,
        ),
        Host("cursor", "Cursor", ".cursor/mcp.json", ("mcpServers",), _plain, _split),
        Host("vscode", "VS Code", ".vscode/mcp.json", ("servers",), _stdio, _split),
        Host("zed", "Zed", ".zed/settings.json", ("context_servers",), _plain, _split),
        Host(
            "opencode",
            "opencode",
            "opencode.json",
            ("mcp",),
            lambda command: {"type": "local", "command": list(command), "enabled": True},
            lambda entry: entry["command"],
        ),
        Host("gemini", "Gemini CLI", ".gemini/settings.json", ("mcpServers",), _plain, _split),
    )
}
"""By the name that `m1nd setup` takes."""


def _parsed(host: Host, text: str) -> Any:
    if not text.strip():
        return {}
    try:
        if host.toml:
            import tomllib

            return tomllib.loads(text)
        return json.loads(text)
    except ValueError:
        kind = "TOML" if host.toml else "JSON (comments are not kept)"
        refuse("unreadable", f"{host.file} is not plain {kind}", f"m1nd setup {host.name} --print")


def _merged_json(host: Host, text: str) -> str:
    whole = _parsed(host, text)
    place = whole
    for key in host.keys:
        place = place.setdefault(key, {}) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        _misshapen(host)
    place[NAME] = dict(host.entry(our_command()))
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _merged_toml(host: Host, text: str) -> str:
    """Through a library that keeps comments and layout."""
    import tomlkit

    _parsed(host, text)
    whole = tomlkit.parse(text)
    (key,) = host.keys
    servers = whole.setdefault(key, tomlkit.table(is_super_table=True))
    if not isinstance(servers, dict):
        _misshapen(host)
    entry = tomlkit.table()
    entry.update(host.entry(our_command()))
    servers[NAME] = entry
    return tomlkit.dumps(whole)


def _misshapen(host: Host) -> None:
    refuse(
        "unreadable",
        f"{host.file} holds something else where its servers stand ({'.'.join(host.keys)})",
        f"m1nd setup {host.name} --print",
    )
