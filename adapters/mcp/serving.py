"""`m1nd serve --http`: the owner of a repository that listens on loopback too, for clients that speak HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from m1nd.adapters.mcp.http import PATH, ClientOfRequest, bound, http_server, token_of
from m1nd.adapters.mcp.owner import Owner, end, sole, until_signal
from m1nd.adapters.mcp.server import Door
from m1nd.adapters.mcp.service import Service
from m1nd.infrastructure.roots import state_dir

NEVER = float("inf")


def run_http(
    root: str,
    environment: Mapping[str, str],
    port: int,
    profile: str,
    read_only: bool,
    ready: Callable[[str], None],
) -> int:
    """Serve until a polite signal, or until the root is gone; the exit status. `ready` gets the URL once it listens.

    Raises Refused(busy) where another owner serves the repository or the port is taken, Refused(write_failed).
    """
    token = token_of(state_dir(root, environment))
    with sole(root, environment) as relays, bound(port) as listening:
        service = Service(root, environment, read_only)
        owner = Owner(service, NEVER)
        door = Door(service, ClientOfRequest(profile, read_only))
        taken = int(listening.getsockname()[1])
        web = http_server(door, taken, token)

        async def serve() -> None:
            serving = asyncio.create_task(web.serve([listening]))
            while not web.started and not serving.done():
                await asyncio.sleep(0.01)
            ready(f"http://127.0.0.1:{taken}{PATH}")
            await owner.serve(relays)
            web.should_exit = True
            await serving

        status = asyncio.run(until_signal(owner, serve()))
        end(service)
    return status
