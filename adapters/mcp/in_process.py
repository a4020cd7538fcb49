"""A server of this process's own stdin and stdout, for where no owner can be: no repository, no socket, a sandbox.

Nothing but messages reaches stdout: before anything is served, descriptor 1 becomes stderr and 0 the null device, so that
neither a print nor a child can write between them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import threading
from collections.abc import Mapping

from m1nd.adapters.mcp import relay
from m1nd.adapters.mcp.owner import client_of, end, on_signal
from m1nd.adapters.mcp.server import Door
from m1nd.adapters.mcp.service import GRACE_SECONDS, Service
from m1nd.adapters.mcp.streams import serve_stream

TICK_SECONDS = 1.0


def run_in_process(root: str, hello: Mapping[str, object], environment: Mapping[str, str]) -> int:
    """Serve until the input ends, the parent is gone or a polite signal comes; the exit status.

    `root` is empty where there is no repository: then every call says so.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.flush()
    here, there = socket.socketpair()
    threading.Thread(target=_up, args=(incoming, there), daemon=True).start()
    down = threading.Thread(target=_down, args=(there, outgoing), daemon=True)
    down.start()
    service = Service(root, environment, read_only=bool(hello["read_only"]))
    status = asyncio.run(_serve(service, hello, here))
    end(service)
    down.join(GRACE_SECONDS)
    return status


async def _serve(service: Service, hello: Mapping[str, object], here: socket.socket) -> int:
    came: list[int] = []
    client = client_of(hello, 1)
    door = Door(service, lambda context: client)
    reader, writer = await asyncio.open_connection(sock=here)
    serving = asyncio.create_task(serve_stream(door.server(), reader, writer))

    def stop(number: int) -> None:
        came.append(number)
        serving.cancel()

    on_signal(stop)
    watching = asyncio.create_task(_watched(service, serving, os.getppid()))
    with contextlib.suppress(asyncio.CancelledError):  # a signal, or the parent is gone
        await serving
    watching.cancel()
    writer.close()
    return 128 + came[0] if came else 0


async def _watched(service: Service, serving: asyncio.Task[None], parent: int) -> None:
    while True:
        await asyncio.sleep(TICK_SECONDS)
        if os.getppid() != parent:
            serving.cancel()
            return
        await service.notice()


def _up(descriptor: int, to: socket.socket) -> None:
    try:
        while data := os.read(descriptor, relay.CHUNK):
            to.sendall(data)
        to.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the server ended first


def _down(source: socket.socket, descriptor: int) -> None:
    try:
        while data := source.recv(relay.CHUNK):
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
    except OSError:
        return  # the host does not read any more
