"""The product's HTTP door with the token already given, for suites that can send none. Everything else of the guard stands.

Run as a program: `python open_web.py ROOT` prints the URL and serves until it is ended.
"""

import asyncio
import os
import sys
from typing import Any

from attrs import frozen
from starlette.types import ASGIApp, Receive, Scope, Send

from m1nd.adapters.mcp.client import ALL
from m1nd.adapters.mcp.http import PATH, ClientOfRequest, bound, http_server
from m1nd.adapters.mcp.server import Door
from m1nd.adapters.mcp.service import Service

TOKEN = "t" * 43


@frozen
class GivesToken:
    """Adds the token where the request has none."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and b"authorization" not in dict(scope["headers"]):
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {TOKEN}".encode())]}
        await self.app(scope, receive, send)


async def serve(root: str) -> None:
    service = Service(root, dict(os.environ))
    door = Door(service, ClientOfRequest(ALL, False))
    with bound(0) as listening:
        port = int(listening.getsockname()[1])
        web = http_server(door, port, TOKEN)
        guarded: Any = web.config.app
        web.config.app = GivesToken(guarded)
        serving = asyncio.create_task(web.serve([listening]))
        while not web.started:
            await asyncio.sleep(0.01)
        print(f"http://localhost:{port}{PATH}", flush=True)
        await serving


if __name__ == "__main__":
    asyncio.run(serve(os.path.realpath(sys.argv[1])))
