"""`m1nd mcp` as a host starts it: a process, lines of JSON-RPC on its pipes, and an owner that ends with the test."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import define, field

SOURCES = Path(__file__).resolve().parents[2] / "src"
COMMAND = (sys.executable, "-P", "-m", "m1nd", "mcp")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}


class ServerEnded(AssertionError):
    """The server hung up before it answered: what was asked of it may or may not have happened."""


@define
class Host:
    """One started server and what it said besides answers."""

    process: subprocess.Popen[bytes]
    heard: list[dict[str, Any]] = field(factory=list)
    _number: int = 0

    def send(self, message: Mapping[str, Any]) -> None:
        self.raw(json.dumps(message).encode() + b"\n")

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise ServerEnded("the server ended") from None

    def line(self) -> dict[str, Any]:
        """The next line; every one must be JSON-RPC."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ServerEnded("the server ended")
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        self._number += 1
        number = self._number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        while True:
            message = self.line()
            if message.get("id") == number:
                return message
            self.heard.append(message)

    def hello(self) -> "Host":
        assert self.ask("initialize", HELLO)["result"]["serverInfo"]["name"] == "m1nd"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The envelope."""
        found = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]["structuredContent"]
        assert isinstance(found, dict)
        return found

    def kill(self) -> None:
        """End it where it still runs, and let go of its pipes."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def end(self, seconds: float = 5) -> int:
        """Close the input as a host does; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(seconds)


@define
class Machine:
    """An environment of its own: runtime folder, caches, settings; and every process that was started in it."""

    folder: Path
    environment: dict[str, str]
    started: list[Host] = field(factory=list)

    def host(self, root: Path, *options: str, **settings: str) -> Host:
        process = subprocess.Popen(
            [*COMMAND, *options],
            cwd=root,
            env={**self.environment, **settings},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.started.append(Host(process))
        return self.started[-1]

    def m1nd(self, root: Path, *line: str) -> dict[str, Any]:
        """One command line, as its envelope."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "m1nd", "--json", *line],
            cwd=root,
            env=self.environment,
            capture_output=True,
            check=False,
        )
        return dict(json.loads(done.stdout))

    def owner(self, root: Path) -> dict[str, Any]:
        return dict(self.m1nd(root, "owner", "status")["data"])

    def sockets(self) -> list[Path]:
        return sorted((self.folder / "m1nd").glob("*.sock"))

    def owners(self) -> list[int]:
        """Processes that are owners of this machine, by its runtime folder in their environment."""
        mark = f"XDG_RUNTIME_DIR={self.folder}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    if b"owner" in words and mark in (entry / "environ").read_bytes().split(b"\0"):
                        found.append(int(entry.name))
                except OSError:
                    continue  # it ended meanwhile
        return found

    def close(self) -> None:
        for host in self.started:
            host.kill()
        for owner in self.owners():
            os.kill(owner, signal.SIGKILL)


@contextmanager
def machine(folder: Path, environment: Mapping[str, str]) -> Iterator[Machine]:
    """`folder` must be short: a socket lies below it."""
    kept = {k: v for k, v in environment.items() if not k.startswith(("M1ND_", "CLAUDE_"))}
    made = Machine(
        folder,
        {
            **kept,
            "PYTHONPATH": str(SOURCES),
            "XDG_RUNTIME_DIR": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "M1ND_OWNER_IDLE": "60",
        },
    )
    try:
        yield made
    finally:
        made.close()


def until(true: Any, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
