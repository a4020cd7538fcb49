"""The door over HTTP, for this machine alone: loopback, one token, one spelling of the host, no browser (PORTS.md, MCP).

Every route is behind the guard, and what the guard refuses it refuses without a fact about the server. The listening
address is not an option.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import socket
import stat
from collections.abc import Iterator

import uvicorn
from attrs import frozen
from starlette.types import ASGIApp, Receive, Scope, Send

from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.server import Context, Door
from m1nd.adapters.mcp.streams import MOST_BYTES
from m1nd.domain.refusal import refuse
from m1nd.infrastructure.state_dir import ensure_state_dir

LOOPBACK = "127.0.0.1"
PATH = "/mcp"
TOKEN_FILE = "http-token"
AGENT_HEADER, CALLER_HEADER = "m1nd-agent", "m1nd-caller-root"
MOST_SESSIONS = 64
SESSION_SECONDS = 1800.0
WORDS = {400: b"bad request", 401: b"unauthorized", 403: b"forbidden", 421: b"misdirected request"}


@frozen
class Guard:
    """In front of every route: exactly one Host, and a right one; no Origin at all; the bearer token."""

    app: ASGIApp
    port: int
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = self._refusal(scope) if scope["type"] == "http" else 0
        if status:
            await _refuse(send, status)
        else:
            await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> int:
        """The status to refuse with; 0 where everything is as it must be."""
        given: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.lower(), []).append(value)
        hosts = {f"{name}:{self.port}".encode() for name in (LOOPBACK, "localhost", "[::1]")}
        host, authorization = given.get(b"host", []), given.get(b"authorization", [])
        if len(host) != 1 or len(authorization) > 1:
            return 400
        if host[0] not in hosts:
            return 421
        if b"origin" in given:
            return 403
        if not authorization or not hmac.compare_digest(authorization[0], f"Bearer {self.token}".encode()):
            return 401
        return 0


async def _refuse(send: Send, status: int) -> None:
    length = str(len(WORDS[status])).encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", length), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": WORDS[status]})


def token_of(state_dir: str) -> str:
    """The token of this repository, from its 0600 file; made where there is none.

    Raises Refused(write_failed) where the file is open to others, or cannot be made.
    """
    path = os.path.join(state_dir, TOKEN_FILE)
    ensure_state_dir(state_dir)
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(32))
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    with os.fdopen(descriptor) as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            refuse(
                "write_failed",
                f"{TOKEN_FILE} in the state folder can be read by others: it is no secret any more",
                "remove it; the next start makes another",
            )
        token = file.read().strip()
    if len(token) < 32:
        refuse("write_failed", f"{TOKEN_FILE} holds no token", "remove it; the next start makes another")
    return token


@contextlib.contextmanager
def bound(port: int) -> Iterator[socket.socket]:
    """A listening socket on loopback; port 0 takes a free one. Raises Refused(busy) where the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with contextlib.closing(listening):
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except OSError:
            refuse("busy", f"port {port} is taken", "m1nd serve --http --port 0")
        yield listening


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: the owner has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def http_server(door: Door, port: int, token: str) -> uvicorn.Server:
    """The server of one door; serve it with `await server.serve([socket])`, end it with `should_exit = True`."""
    app = door.server().streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MOST_BYTES,
        session_idle_timeout=SESSION_SECONDS,
        max_sessions=MOST_SESSIONS,
        host=LOOPBACK,
    )
    config = uvicorn.Config(
        Guard(app, port, token),
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 * 1024,
    )
    return _Server(config)


@frozen
class ClientOfRequest:
    """Who makes an HTTP request: what its headers say, else what the client calls itself. Labels, never authority."""

    profile: str
    read_only: bool

    def __call__(self, context: Context) -> Client:
        headers = {} if context.request is None else context.request.headers
        agent = headers.get(AGENT_HEADER, "") or f"http:{_name(context)}"
        return Client(
            agent=agent,
            session=headers.get("mcp-session-id", ""),
            caller_root=headers.get(CALLER_HEADER, ""),
            read_only=self.read_only,
            profile=self.profile,
        )


def _name(context: Context) -> str:
    params = context.session.client_params
    return params.client_info.name if params is not None else "client"
