"""A byte stream as the two message streams that the protocol library serves: one JSON message a line, 4 MiB at most.

The library sets no limit on a line and says nothing about one that is no JSON; here both get an answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel.server import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from m1nd.adapters.mcp.server import options

MOST_BYTES = 4 * 1024 * 1024
"""Of one message (PORTS.md)."""
CHUNK = 1 << 16
LAST_SECONDS = 5.0
"""For what was asked before the end of the input: a script that pipes its calls in gets their answers. With nothing asked, the
end comes at once."""
LISTENING = "subscriptions/listen"
"""A request that is never answered while its client is there."""

Inbound = SessionMessage | Exception


async def serve_stream(
    server: Server[None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Serve one client until it ends its side; calls that still run then have LAST_SECONDS to be answered."""
    asked: set[types.RequestId] = set()
    to_server, from_client = anyio.create_memory_object_stream[Inbound](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_read, reader, writer, to_server, asked)
        tasks.start_soon(_write, from_server, writer, asked)
        try:
            await server.run(from_client, to_client, options(server))
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # a message came while the streams were being closed: it has nobody to go to any more
        tasks.cancel_scope.cancel()


async def _read(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    to_server: MemoryObjectSendStream[Inbound],
    asked: set[types.RequestId],
) -> None:
    async with to_server:
        try:
            async for line in _lines(reader):
                if line is None:
                    await _complain(
                        writer, types.INVALID_REQUEST, f"a message has at most {MOST_BYTES} bytes"
                    )
                    continue
                try:
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError:
                    await _complain(writer, types.PARSE_ERROR, "this line is no JSON-RPC message")
                    continue
                if isinstance(message, types.JSONRPCRequest) and message.method != LISTENING:
                    asked.add(message.id)
                await to_server.send(SessionMessage(message))
            with anyio.move_on_after(LAST_SECONDS):
                while asked:
                    await anyio.sleep(0.01)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, ConnectionError):
            return  # the other side ended first


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes | None]:
    """The lines that are not blank; None for one that is too long."""
    held = bytearray()
    dropping = False
    while data := await reader.read(CHUNK):
        *whole, rest = data.split(b"\n")
        for part in whole:
            held += part
            if dropping or len(held) > MOST_BYTES:
                yield None
            elif held.strip():
                yield bytes(held)
            held.clear()
            dropping = False
        held += rest
        if len(held) > MOST_BYTES:
            dropping = True
            held.clear()


async def _write(
    from_server: MemoryObjectReceiveStream[SessionMessage],
    writer: asyncio.StreamWriter,
    asked: set[types.RequestId],
) -> None:
    async with from_server:
        try:
            async for sent in from_server:
                writer.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await writer.drain()
                if isinstance(sent.message, types.JSONRPCResponse | types.JSONRPCError):
                    asked.discard(sent.message.id)
        except ConnectionError:
            return  # the reader notices the end as well, and ends the connection


async def _complain(writer: asyncio.StreamWriter, code: int, words: str) -> None:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": words}}
    writer.write(json.dumps(body).encode() + b"\n")
    await writer.drain()
