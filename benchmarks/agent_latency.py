"""The agent's door beside the bare protocol library, in one run: first list of tools, latency of a call, memory (G14).

The bare server is the library's own low-level server with one tool that answers the same bytes. Rounds are interleaved.
Usage: python benchmarks/agent_latency.py
"""

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.support.agent import harbour_root
from tests.support.relay import HELLO, Host, Machine, machine

STARTS, CALLS, ROUNDS = 15, 200, 5
FIRST_LIST_MS = 60
CALL_RATIO = 1.5

BARE = """
import asyncio, json, sys
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
body = json.loads(sys.argv[1])
async def tools(context, params):
    return types.ListToolsResult(tools=[types.Tool(name="same", input_schema={"type": "object"})])
async def call(context, params):
    text = json.dumps(body)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=body)
async def main():
    server = Server("m1nd", on_list_tools=tools, on_call_tool=call)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
asyncio.run(main())
"""


def first_list(here: Machine, root: Path) -> float:
    """Milliseconds from the start of a relay to its list of tools."""
    started = time.perf_counter()
    host = here.host(root)
    host.ask("initialize", HELLO)
    host.ask("tools/list")
    taken = (time.perf_counter() - started) * 1000
    host.end()
    return taken


def bare_host(here: Machine, root: Path, body: str) -> Host:
    import subprocess

    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-c", BARE, body], cwd=root, env=here.environment, **pipes)  # type: ignore[call-overload]
    host = Host(process)
    here.started.append(host)
    assert host.ask("initialize", HELLO)
    host.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return host


def calls(host: Host, tool: str) -> list[float]:
    taken = []
    for _ in range(CALLS):
        started = time.perf_counter()
        host.call(tool)
        taken.append((time.perf_counter() - started) * 1000)
    return taken


def interpreter() -> float:
    import subprocess

    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return (time.perf_counter() - started) * 1000


def memory(pid: int) -> float:
    """MiB resident."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def tail(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.99)]


def main() -> int:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as here,
    ):
        root = harbour_root(here.folder)
        host = here.host(root).hello()
        host.call("ingest")
        lists = [(first_list(here, root), interpreter()) for _ in range(STARTS)]
        bare = bare_host(here, root, json.dumps(host.call("transplant_list")))
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(ROUNDS):
            ours += calls(host, "transplant_list")
            theirs += calls(bare, "same")
        relay_ms, bare_start = (statistics.median(column) for column in zip(*lists, strict=True))
        half = statistics.median(ours), statistics.median(theirs)
        late = tail(ours), tail(theirs)
        (owner,) = here.owners()
        print(
            f"first tools/list through a relay: median {relay_ms:.0f} ms (bar {FIRST_LIST_MS}), bare interpreter {bare_start:.0f} ms"
        )
        print(
            f"one call: p50 {half[0]:.2f} ms, bare library {half[1]:.2f} ms, ratio {half[0] / half[1]:.2f} (bar {CALL_RATIO})"
        )
        print(
            f"one call: p99 {late[0]:.2f} ms, bare library {late[1]:.2f} ms, ratio {late[0] / late[1]:.2f} (bar {CALL_RATIO})"
        )
        print(
            f"memory: owner {memory(owner):.0f} MiB, relay {memory(host.process.pid):.0f} MiB, bare {memory(bare.process.pid):.0f} MiB"
        )
        return 0 if relay_ms <= FIRST_LIST_MS and half[0] <= CALL_RATIO * half[1] else 1


if __name__ == "__main__":
    sys.exit(main())
