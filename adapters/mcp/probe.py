"""Starts the server as a host would, with an environment that holds nothing, and speaks both eras to it: what `doctor` asks.

It starts the command that m1nd itself would write, and no other: a file of the served repository may name anything.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from m1nd import __version__

SECONDS = 30.0
CLIENT = {"name": "m1nd-doctor", "version": __version__}
OPENINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "2025-11-25": (
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT},
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}},
    ),
    "2026-07-28": (
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/list",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientInfo": CLIENT,
                    "io.modelcontextprotocol/clientCapabilities": {},
                }
            },
        },
    ),
}
"""Protocol revision → what a client of it says until it has the tools."""


def probe(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> dict[str, int]:
    """How many tools the command lists, by protocol revision; 0 where it did not answer. Raises OSError.

    The server gets `environment` and nothing else, and ends before this returns.
    """
    return {revision: _tools(command, folder, environment, lines) for revision, lines in OPENINGS.items()}


def _tools(
    command: Sequence[str], folder: str, environment: Mapping[str, str], lines: Sequence[dict[str, Any]]
) -> int:
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text)
        process.stdin.flush()
        timer = _killer(process)
        try:
            return _counted(process.stdout)
        finally:
            timer.cancel()
    except BrokenPipeError:
        return 0
    finally:
        process.kill()
        process.communicate()


def _killer(process: subprocess.Popen[bytes]) -> Any:
    import threading

    timer = threading.Timer(SECONDS, process.kill)
    timer.daemon = True
    timer.start()
    return timer


def _counted(answers: Any) -> int:
    """The number of tools in the answer to the list; 0 at the end of the stream."""
    for line in answers:
        try:
            message = json.loads(line)
        except ValueError:
            return 0  # something that is no message reached stdout
        if message.get("id") == 2:
            return len(message.get("result", {}).get("tools", []))
    return 0
