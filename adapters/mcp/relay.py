"""`m1nd mcp`: carries bytes between an agent's host and the owner of the repository, and starts an owner where none runs.

The host starts one of these for every agent, so it is small and imports the standard library alone (and our two modules
that do the same). What it cannot do (no repository, no socket) an in-process server does, by `exec` into one. It dies with
its host: at the end of the input, with its parent, or on a polite signal.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping

from m1nd import __version__
from m1nd.adapters.mcp.places import socket_path
from m1nd.infrastructure.roots import find_root, state_dir

TYPE_CHECKING = False  # `typing` itself would cost milliseconds
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

CHUNK = 1 << 16
PATIENCE_SECONDS = 20.0
"""How long an owner may take to open its socket."""
WATCH_SECONDS = 0.5
VALUES = ("--root", "--caller-root", "--tools")
SWITCHES = ("--read-only",)
PROFILES = ("core", "all")
HELLO_BYTES = 1 << 16
TAKEN = b'{"ok": true'
"""How the owner's answer to a hello begins when it takes the client."""


class NoOwner(Exception):
    """No owner can be had; the reason is for stderr."""


def wanted(arguments: list[str]) -> dict[str, str] | None:
    """The options of a plain `mcp` line; None for any other line, which the command line then answers."""
    found: dict[str, str] = {}
    words = iter(arguments)
    commands = 0
    for word in words:
        name, equals, value = word.partition("=")
        if word == "mcp":
            commands += 1
        elif word in SWITCHES:
            found[word] = "yes"
        elif name in VALUES:
            value = value if equals else next(words, "")
            if not value:
                return None
            found[name] = value
        else:
            return None
    if found.get("--tools", "core") not in PROFILES:
        return None
    return found if commands == 1 else None


def main(options: Mapping[str, str]) -> int:
    """Serve this process's stdin and stdout until either side ends; the exit status."""
    environment = os.environ
    root = chosen_root(options, environment)
    if root is None:
        in_process(options)
    try:
        path = socket_path(root, state_dir(root, environment), environment)
        connection = met(path, root, hello(options, environment))
    except (NoOwner, OSError) as reason:
        sys.stderr.write(f"m1nd mcp: serving in this process: {reason}\n")
        in_process(options)
    return carried(connection)


def chosen_root(options: Mapping[str, str], environment: Mapping[str, str]) -> str | None:
    """`--root`, M1ND_ROOT, CLAUDE_PROJECT_DIR, the nearest enclosing repository; None where a name is no folder, too."""
    named = (
        options.get("--root") or environment.get("M1ND_ROOT") or environment.get("CLAUDE_PROJECT_DIR") or ""
    )
    if named:
        path = os.path.realpath(os.path.expanduser(named))
        return path if os.path.isdir(path) else None
    try:
        return find_root(os.getcwd())
    except FileNotFoundError:
        return None


def hello(options: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str | bool]:
    """The first line: who is here. The agent's name is that of its host, so that it outlives a relay that was restarted."""
    return {
        "m1nd": __version__,
        "agent": environment.get("M1ND_AGENT", ""),
        "host": f"{os.getppid()}-{_started(os.getppid())}",
        "caller": caller(options, environment),
        "read_only": "--read-only" in options or environment.get("M1ND_READ_ONLY", "") not in ("", "0"),
        "tools": options.get("--tools") or environment.get("M1ND_TOOLS", ""),
    }


def caller(options: Mapping[str, str], environment: Mapping[str, str]) -> str:
    """Where the agent works: what it says itself, the project of its host, else the repository that it was started in."""
    said = options.get("--caller-root") or environment.get("CLAUDE_PROJECT_DIR") or ""
    if said:
        return os.path.realpath(os.path.expanduser(said))
    if options.get("--root"):
        return ""  # the configuration that names a root speaks for its agent
    try:
        return find_root(os.getcwd()) or ""
    except FileNotFoundError:
        return ""


def _started(pid: int) -> str:
    """When a process began, as the system counts it; empty where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def met(path: str, root: str, line: Mapping[str, str | bool]) -> socket.socket:
    """A connection to the owner, which has taken the hello. Starts an owner once. Raises NoOwner, OSError."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    child = 0
    pause = 0.002
    while True:
        connection = _greeted(path, line)
        if connection is not None:
            return connection
        if not child:
            child = start_owner(root)
        elif _ended(child):
            # It lost the race to another owner, or cannot run at all: that shows in the next moments.
            child, deadline = -1, min(deadline, time.monotonic() + 3.0)
        if time.monotonic() >= deadline:
            raise NoOwner("no owner opened its socket")
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def _greeted(path: str, line: Mapping[str, str | bool]) -> socket.socket | None:
    """A connection whose hello was taken; None where nobody listens (any more). Raises NoOwner for a refusal."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
        connection.sendall(encoded(line))
        answer = read_line(connection)
    except (FileNotFoundError, ConnectionError):
        connection.close()
        return None
    if not answer:
        connection.close()
        return None
    if not answer.startswith(TAKEN):
        connection.close()
        raise NoOwner(answer.decode(errors="replace"))
    return connection


def encoded(line: Mapping[str, str | bool]) -> bytes:
    """One line of JSON, written by hand: the json module would be a fifth of this program's start."""
    parts = (f"{_quoted(key)}:{_quoted(value)}" for key, value in line.items())
    return f"{{{','.join(parts)}}}\n".encode()


def _quoted(value: str | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    units = value.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    plain = (chr(c) if 0x20 <= c < 0x7F and c not in (0x22, 0x5C) else f"\\u{c:04x}" for c in codes)
    return f'"{"".join(plain)}"'


def read_line(connection: socket.socket) -> bytes:
    """One line, byte by byte, so that nothing behind it is taken; empty at the end of the stream."""
    line = bytearray()
    while len(line) < HELLO_BYTES:
        byte = connection.recv(1)
        if not byte:
            return b""
        if byte == b"\n":
            break
        line += byte
    return bytes(line)


def start_owner(root: str) -> int:
    """An owner in a session and with descriptors of its own; its process id."""
    command = [sys.executable, "-P", "-m", "m1nd", "owner", "run", "--root", root]
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        return os.posix_spawn(
            sys.executable,
            command,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, nothing, descriptor) for descriptor in (0, 1, 2)],
            setsid=True,
        )
    finally:
        os.close(nothing)


def _ended(child: int) -> bool:
    if child < 0:
        return False
    return os.waitpid(child, os.WNOHANG)[0] == child


def in_process(options: Mapping[str, str]) -> NoReturn:
    """Become a server that needs no owner."""
    words = [sys.executable, "-P", "-m", "m1nd", "mcp", "--in-process"]
    for name, value in options.items():
        words += [name] if name in SWITCHES else [name, value]
    os.execv(sys.executable, words)


def carried(connection: socket.socket) -> int:
    """Carry bytes both ways until the owner hangs up; the exit status.

    At the end of the input the owner is told, and has the time to answer what it was asked.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _leave)
    threading.Thread(target=_up, args=(connection,), daemon=True).start()
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        while data := connection.recv(CHUNK):
            _write_all(1, data)
    except (BrokenPipeError, ConnectionError):
        return 0  # the host or the owner is gone: there is nobody to tell
    return 0


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _up(connection: socket.socket) -> None:
    try:
        while data := os.read(0, CHUNK):
            connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    except OSError:
        os._exit(0)  # the owner is gone, which ends the other direction too


def _watch(parent: int) -> None:
    """End with the parent: some hosts leave the pipe open when they die."""
    while True:
        time.sleep(WATCH_SECONDS)
        if os.getppid() != parent:
            os._exit(0)


def _leave(number: int, frame: FrameType | None) -> None:
    # Nothing is buffered here; what the owner does for this agent it finishes or stops by itself.
    os._exit(128 + number)
