"""A question to the owner of a repository, for the command line: it imports nothing that serves."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

from m1nd import __version__
from m1nd.adapters.mcp.places import socket_path
from m1nd.infrastructure.roots import state_dir

PATIENCE_SECONDS = 5.0


def ask_owner(root: str, environment: Mapping[str, str], what: str) -> dict[str, Any] | None:
    """What the owner of `root` answers to `status` or `stop`; None where none runs. Raises OSError."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE_SECONDS)
    with connection:
        try:
            connection.connect(socket_path(root, state_dir(root, environment), environment))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        connection.sendall(json.dumps({"m1nd": __version__, "do": what}).encode() + b"\n")
        answer = connection.makefile("rb").readline()
    found = json.loads(answer) if answer else None
    return found if isinstance(found, dict) else None
