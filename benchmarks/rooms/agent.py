"""The agent's door beside the bare protocol library, in one run: first list of tools, latency of a call, memory (G14).

The bare server is the library's own low-level server with one tool that answers the same bytes. Calls take turns, one by one.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.agent import harbour_root
from tests.support.relay import HELLO, Host, Machine, machine

from benchmarks.corpora import MEDIUM, SMALL, folder_of
from benchmarks.figures import Figure, Options, quantile

ROOM = "agent"
CALL_RATIO = 1.5
FIRST_LIST_MS = 60.0
TOOL = "transplant_list"

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


def measure(options: Options) -> Iterator[Figure]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as here,
    ):
        yield from _latency(here, harbour_root(here.folder), options)
    name, members = ("S", SMALL) if options.quick else ("M", MEDIUM)
    with (
        folder_of(members) as root,
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as here,
    ):
        yield _owner_memory(here, root.resolve(), name)


def _latency(here: Machine, root: Path, options: Options) -> Iterator[Figure]:
    starts, calls = (3, 100) if options.quick else (3 * options.rounds, 200 * options.rounds)
    host = here.host(root).hello()
    assert host.call("ingest")["ok"]
    lists = [first_list(here, root) for _ in range(starts)]
    yield Figure(
        ROOM, "G14 first list", "start of a relay to its list of tools, an owner running", "",
        statistics.median(lists), "ms", FIRST_LIST_MS,
    )  # fmt: skip
    bare = bare_host(here, root, json.dumps(host.call(TOOL)))
    ours, theirs = [], []
    for number in range(calls + calls // 10):
        pair = one_call(host, TOOL), one_call(bare, "same")
        if number >= calls // 10:  # the first are warm-up
            ours.append(pair[0])
            theirs.append(pair[1])
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        mine, bare_ms = quantile(ours, share), quantile(theirs, share)
        yield Figure(
            ROOM, f"G14 call {name}", f"a call over stdio ÷ the bare library's, {name}", "", mine / bare_ms, "x", CALL_RATIO
        )  # fmt: skip
        yield Figure(ROOM, f"call {name}", f"a call over stdio, {name}", "", mine, "ms")
    for name, pid in (("relay", host.process.pid), ("bare server", bare.process.pid)):
        yield Figure(ROOM, f"memory of the {name}", f"resident memory of the {name}", "", memory(pid), "MiB")


def _owner_memory(here: Machine, root: Path, name: str) -> Figure:
    """What an owner that has answered everything once keeps resident (G10)."""
    host = here.host(root, "--root", str(root)).hello()
    for tool, arguments in (("ingest", {}), ("north", {"task": "spawn"}), ("search", {"query": "spawn"})):
        assert host.call(tool, **arguments)["ok"], tool
    lines = sum(path.read_bytes().count(b"\n") for path in root.rglob("*.rs") if path.is_file())
    (owner,) = here.owners()
    return Figure(
        ROOM, "G10 owner", "resident memory of a running owner", name, memory(owner), "MiB", 30 + 200 * lines / 1000 / 1024
    )  # fmt: skip


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
    process = subprocess.Popen(
        [sys.executable, "-c", BARE, body],
        cwd=root,
        env=here.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    host = Host(process)
    here.started.append(host)
    assert host.ask("initialize", HELLO)
    host.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return host


def one_call(host: Host, tool: str) -> float:
    """Milliseconds."""
    started = time.perf_counter()
    host.call(tool)
    return (time.perf_counter() - started) * 1000


def memory(pid: int) -> float:
    """MiB resident."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
