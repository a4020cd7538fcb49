"""`m1nd mcp` and `m1nd owner …`: the processes that serve agents. A plain `m1nd mcp` is answered before click is imported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, current_call, verb

if TYPE_CHECKING:
    from rich.console import Console


def register(group: click.Group) -> None:
    group.add_command(mcp)
    group.add_command(serve)
    group.add_command(owner)


@click.command("mcp")
@click.option(
    "--tools", type=click.Choice(["core", "all"]), help="Which tools are listed (default: M1ND_TOOLS, core)."
)
@click.option("--in-process", is_flag=True, help="Serve in this process; start no owner.")
def mcp(tools: str | None, in_process: bool) -> int:
    """Serve an agent over stdin and stdout, in both eras of the Model Context Protocol.

    Connects to the owner process of the repository, and starts one where none runs.
    """
    from m1nd.adapters.mcp import relay

    flags = current_call().flags
    said = {"--root": flags.root, "--caller-root": flags.caller_root, "--tools": tools or ""}
    options = {name: value for name, value in said.items() if value}
    if flags.read_only:
        options["--read-only"] = "yes"
    if not in_process:
        return relay.main(options)
    from m1nd.adapters.mcp.in_process import run_in_process

    root = relay.chosen_root(options, os.environ) or ""
    return run_in_process(root, relay.hello(options, os.environ), os.environ)


@click.command("serve")
@click.option("--http", is_flag=True, required=True, help="Over HTTP, on this machine alone.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Default: a free one.")
@click.option("--tools", type=click.Choice(["core", "all"]), default="core", show_default=True)
def serve(http: bool, port: int, tools: str) -> int:
    """Serve agents over HTTP on the loopback address, behind a token; stdio agents too.

    Clients send `Authorization: Bearer TOKEN`; the token is in http-token in the state folder (0600).
    """
    from m1nd.adapters.mcp.serving import run_http

    call = current_call()

    def ready(url: str) -> None:
        click.echo(url)

    return run_http(call.root(), call.environment, port, tools, call.flags.read_only, ready)


@click.group("owner")
def owner() -> None:
    """The one process that serves this repository to agents; it begins and ends by itself."""


@owner.command("run", hidden=True)
def run() -> int:
    """Be the owner (what `m1nd mcp` starts in the background)."""
    from m1nd.adapters.mcp.owner import run_owner

    call = current_call()
    return run_owner(call.root(), call.environment)


@owner.command("status")
@verb("owner_status")
def status(call: Call) -> Answer:
    """Say whether an owner runs, and how many agents it serves."""
    return _asked(call, "status")


@owner.command("stop")
@verb("owner_stop")
def stop(call: Call) -> Answer:
    """End the owner after what it writes; the next agent starts another."""
    return _asked(call, "stop")


def _asked(call: Call, what: str) -> Answer:
    from m1nd.adapters.mcp.asking import ask_owner

    found = ask_owner(call.root(), call.environment, what) or {}
    data: dict[str, Any] = {"running": bool(found), "version": None, "pid": None, "clients": None}
    data |= {key: found[key] for key in ("version", "pid", "clients") if key in found}

    def show(console: Console) -> None:
        if not found:
            console.print("no owner runs")
            return
        ends = "; it ends now" if what == "stop" else ""
        console.print(f"m1nd {data['version']}, process {data['pid']}, agents: {data['clients']}{ends}")

    return Answer(data, show)
