"""The owner of one repository: holds its graph in memory and serves every agent that a relay brings, over a Unix socket.

One at a time, by a lock that the system drops with the process. It ends by itself: when nobody was connected for a while,
when its root is gone, or on a polite signal, after the write that runs. Must never be needed for correctness: whoever finds
no owner works alone, through the same gates (PORTS.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import signal
import socket
import struct
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

from attrs import define, field

from m1nd import __version__
from m1nd.adapters.mcp.client import CORE, PROFILES, Client
from m1nd.adapters.mcp.places import socket_path
from m1nd.adapters.mcp.server import Door
from m1nd.adapters.mcp.service import Service
from m1nd.adapters.mcp.streams import serve_stream
from m1nd.domain.refusal import refuse
from m1nd.infrastructure.roots import state_dir

IDLE = "M1ND_OWNER_IDLE"
"""Seconds without a client after which an owner ends."""
IDLE_SECONDS = 900.0
TICK_SECONDS = 1.0
HELLO_SECONDS = 5.0
MOST_CLIENTS = 64
STUCK = 70


@define(eq=False)
class Owner:
    """Serves until `stop` is set."""

    service: Service
    idle_seconds: float = IDLE_SECONDS
    stop: asyncio.Event = field(factory=asyncio.Event)
    clients: set[asyncio.Task[None]] = field(factory=set)
    retiring: bool = False
    """A relay of another version was here: end with the last client, so that a new owner can begin."""
    _last_seen: float = field(factory=time.monotonic)
    _numbers: Iterator[int] = field(factory=lambda: iter(range(1, 1 << 62)))

    async def serve(self, listening: socket.socket) -> None:
        server = await asyncio.start_unix_server(self._connected, sock=listening)
        async with server:
            await self._watched()
            server.close()
            for client in tuple(self.clients):
                client.cancel()
            await asyncio.gather(*self.clients, return_exceptions=True)

    async def _watched(self) -> None:
        """Return when it is time to end."""
        root = os.stat(self.service.root)
        while not self.stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), TICK_SECONDS)
            try:
                now = os.stat(self.service.root)
            except OSError:
                return
            if (now.st_dev, now.st_ino) != (root.st_dev, root.st_ino):
                return
            if self.clients:
                self._last_seen = time.monotonic()
                await self.service.notice()
            elif self.retiring or time.monotonic() - self._last_seen >= self.idle_seconds:
                return

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            line = await asyncio.wait_for(reader.readline(), HELLO_SECONDS)
            said = json.loads(line)
            if not _is_mine(writer.get_extra_info("socket")) or not isinstance(said, dict):
                return
            answer = self._answer(said)
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
            if answer["ok"] and "do" not in said:
                self.clients.add(task)
                await self._serve_client(said, reader, writer)
        except (TimeoutError, ValueError, ConnectionError):
            return  # nobody that speaks to us
        finally:
            self.clients.discard(task)
            self._last_seen = time.monotonic()
            with contextlib.suppress(ConnectionError):
                writer.close()

    def _answer(self, said: Mapping[str, Any]) -> dict[str, Any]:
        facts = {"version": __version__, "pid": os.getpid(), "clients": len(self.clients)}
        if said.get("do") == "status":
            return {"ok": True, **facts}
        if said.get("do") == "stop":
            self.stop.set()
            return {"ok": True, **facts}
        if said.get("m1nd") != __version__:
            self.retiring = True
            return {
                "ok": False,
                "reason": f"the owner is m1nd {__version__}; it ends with its last client",
                **facts,
            }
        if self.retiring or self.stop.is_set() or len(self.clients) >= MOST_CLIENTS:
            return {"ok": False, "reason": "the owner takes no more clients", **facts}
        return {"ok": True, **facts}

    async def _serve_client(
        self, said: Mapping[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        client = client_of(said, next(self._numbers))
        door = Door(self.service, lambda context: client)
        try:
            await serve_stream(door.server(), reader, writer)
        finally:
            door.close()


def client_of(said: Mapping[str, Any], number: int) -> Client:
    """Who a hello says is here. Unknown profiles count as core."""
    agent = str(said.get("agent") or "") or f"agent-{said.get('host') or number}"
    tools = str(said.get("tools") or CORE)
    return Client(
        agent=agent,
        session=f"{os.getpid()}-{number}",
        caller_root=str(said.get("caller") or ""),
        read_only=bool(said.get("read_only")),
        profile=tools if tools in PROFILES else CORE,
    )


def _is_mine(connection: socket.socket) -> bool:
    """Whether the peer runs as this user; where the system does not tell, the folder's mode has to do."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(uid == os.getuid())


@contextlib.contextmanager
def sole(root: str, environment: Mapping[str, str]) -> Iterator[socket.socket]:
    """The listening socket of the one owner of `root`; both are gone at the end.

    Raises Refused(busy) where another owner runs, OSError where no socket can be made.
    """
    path = socket_path(root, state_dir(root, environment), environment)
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refuse("busy", "another owner serves this repository", "m1nd owner stop")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)  # of an owner that was killed: the lock says that it lives no more
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            listening.bind(path)
        finally:
            os.umask(before)
        listening.listen(MOST_CLIENTS)
        try:
            yield listening
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            listening.close()
    finally:
        os.close(lock)


def run_owner(root: str, environment: Mapping[str, str]) -> int:
    """Be the owner of `root` until it is time to end; the exit status (128 + n for a signal)."""
    with sole(root, environment) as listening:
        service = Service(root, environment)
        owner = Owner(service, idle_seconds(environment))
        status = asyncio.run(until_signal(owner, owner.serve(listening)))
        end(service)
    return status


def end(service: Service) -> None:
    """Close the service, or end the process: what it was writing is in the journal, and the next start mends it (D45)."""
    if not service.close():
        os._exit(STUCK)


async def until_signal(owner: Owner, serving: Coroutine[Any, Any, None]) -> int:
    """Serve; a polite signal sets `owner.stop`. Answers 0, or 128 + n for the signal."""
    came: list[int] = []

    def stop(number: int) -> None:
        came.append(number)
        owner.stop.set()

    on_signal(stop)
    await serving
    return 128 + came[0] if came else 0


def on_signal(do: Callable[[int], object]) -> None:
    """Let the polite signals do that, in the running loop."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, do, number)


def idle_seconds(environment: Mapping[str, str]) -> float:
    """Raises Refused(unknown_setting) for what is no number."""
    text = environment.get(IDLE, "")
    try:
        return float(text) if text else IDLE_SECONDS
    except ValueError:
        refuse("unknown_setting", f"{IDLE} is a number of seconds, not `{text}`", f"unset {IDLE}")
