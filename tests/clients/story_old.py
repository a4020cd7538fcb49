"""The Python SDK of the 1.x line on `m1nd mcp`: what it sees, as one JSON object on stdout."""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError


async def main() -> None:
    command, *args = sys.argv[1:]
    parameters = StdioServerParameters(command=command, args=args, env=dict(os.environ))
    async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
        hello = await session.initialize()
        seen = {
            "server": hello.serverInfo.name,
            "instructions": hello.instructions[:18],
            "tools": [tool.name for tool in (await session.list_tools()).tools],
            "resources": [str(resource.uri) for resource in (await session.list_resources()).resources],
            "prompts": [prompt.name for prompt in (await session.list_prompts()).prompts],
            "good": (await session.call_tool("ingest", {})).model_dump(mode="json"),
            "wrong": (await session.call_tool("search", {"quary": "x"})).model_dump(mode="json"),
            "log": json.loads((await session.read_resource("m1nd://log?after=0")).contents[0].text)["ok"],
        }
        try:
            await session.call_tool("nothing", {})
        except McpError as error:
            seen["unknown"] = error.error.code
    print(json.dumps(seen))


asyncio.run(main())
