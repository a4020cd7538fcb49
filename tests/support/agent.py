"""The agent's door as a test uses it: one service in this process, and official clients of both eras on it."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from attrs import frozen
from mcp import Client as Speaker
from mcp.server.lowlevel.server import Server

from m1nd.adapters.demo.crate_copy import unpack
from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.server import Door
from m1nd.adapters.mcp.service import Service

LEGACY, MODERN = "legacy", "2026-07-28"
ERAS = (LEGACY, MODERN)


@frozen
class Agent:
    """An official client, and envelopes out of its answers."""

    speaker: Speaker

    async def ask(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The envelope of one call. Both channels must hold it whole, and agree on whether it is an error."""
        result = await self.speaker.call_tool(tool, arguments)
        envelope = result.structured_content
        assert isinstance(envelope, dict), result
        assert [part.type for part in result.content] == ["text"]
        assert json.loads(result.content[0].text) == envelope  # type: ignore[union-attr]
        assert result.is_error is not envelope["ok"]
        return envelope

    async def data(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The `data` of a call that must go well."""
        envelope = await self.ask(tool, **arguments)
        assert envelope["ok"], envelope["error"]
        found = envelope["data"]
        assert isinstance(found, dict)
        return found

    async def refused(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The `error` of a call that must be refused."""
        envelope = await self.ask(tool, **arguments)
        assert not envelope["ok"], envelope
        error = envelope["error"]
        assert isinstance(error, dict)
        assert set(error) == {"code", "message", "hint", "retryable", "details"}
        assert error["hint"]
        return error


@frozen
class House:
    """One served repository; any number of agents come in."""

    service: Service

    @asynccontextmanager
    async def agent(
        self, era: str = LEGACY, *, client: Client | None = None, **more: Any
    ) -> AsyncIterator[Agent]:
        who = client or Client("tester", caller_root=self.service.root)
        door = Door(self.service, lambda context: who)
        server: Server[Any] = door.server()
        try:
            async with Speaker(server, mode=era, **more) as speaker:
                yield Agent(speaker)
        finally:
            door.close()


def environment_of(tmp_path: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without anything of m1nd's; caches and sockets stay below `tmp_path`."""
    kept = {k: v for k, v in environment.items() if not k.startswith(("M1ND_", "CLAUDE_"))}
    return {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache")}


def harbour_root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    unpack(root)
    return root.resolve()


def served(
    root: Path, environment: Mapping[str, str], story: Callable[[House], Awaitable[None]], **more: Any
) -> None:
    """Run a story against a fresh service of `root`; the service ends with it."""

    async def run() -> None:
        service = Service("" if root == Path() else str(root), environment, **more)
        try:
            await story(House(service))
        finally:
            assert service.close()

    try:
        anyio.run(run)
    except BaseExceptionGroup as group:
        raise _only(group) from None


def _only(error: BaseException) -> BaseException:
    """What failed, without the task groups around it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file of the repository but m1nd's own state and build results."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".m1nd", "target", ".git"} & set(path.relative_to(root).parts)
    }
