"""The door over HTTP: this machine alone, with the token, by its right name, and no page of a browser (S10 to S17)."""

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.support.agent import ERAS, harbour_root
from tests.support.relay import Machine, machine
from tests.support.web import Web, events, serving

from m1nd.adapters.mcp.http import MOST_SESSIONS, Guard, token_of
from m1nd.domain.refusal import Refused

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def root(here: Machine) -> Path:
    return harbour_root(here.folder)


@pytest.fixture(scope="module")
def web(here: Machine, root: Path) -> Iterator[Web]:
    with serving(here, root) as served:
        yield served


@pytest.mark.parametrize("era", ERAS)
def test_an_official_client_works_with_the_token(era: str, web: Web) -> None:
    async def story() -> None:
        headers = {"Authorization": f"Bearer {web.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as carrier,
            Client(streamable_http_client(web.url, http_client=carrier), mode=era) as client,
        ):
            assert (await client.list_tools()).tools
            found = await client.call_tool("search", {"query": "clearance"})
            assert found.structured_content is not None
            assert found.structured_content["ok"] is True

    anyio.run(story)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("[::1]:{port}", 200),
        ("evil.com", 421),
        ("127.0.0.1", 421),
        ("localhost:9", 421),
        ("localhost:{port}.evil.com", 421),
        ("LOCALHOST:{port}@evil.com", 421),
        ("", 421),
    ],
)
def test_only_the_exact_host_is_served(host: str, status: int, web: Web) -> None:
    headers = {"Host": host.format(port=web.port), **web.right}
    assert web.send(headers)[0] == status


def test_two_hosts_or_two_tokens_are_one_too_many(web: Web) -> None:
    right = list(web.right.items())
    name = f"127.0.0.1:{web.port}"
    assert web.send([("Host", name), ("Host", name), *right])[0] == 400
    assert web.send([("Host", name), ("Authorization", "Bearer x"), *right])[0] == 400


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.com",
        "null",
        "http://localhost:3000",
        "http://127.0.0.1:{port}",
        "http://localhost:1.evil.com",
    ],
)
def test_no_page_of_a_browser_is_served(origin: str, web: Web) -> None:
    assert web.send({"Origin": origin.format(port=web.port), **web.right})[0] == 403


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer x", "Basic {token}", "bearer {token}", "{token}", "Bearer {token} "]
)
def test_only_the_token_opens(given: str, web: Web) -> None:
    value = given.format(token=web.token)
    headers = {**web.right, "Authorization": value}
    if not value:
        del headers["Authorization"]
    status, body, answered = web.send(headers)
    # A header's trailing blanks are no part of its value.
    assert status == (200 if given.endswith(" ") else 401)
    if status == 401:
        assert (body, answered["www-authenticate"]) == (b"unauthorized", "Bearer")


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])
@pytest.mark.parametrize(
    "path", ["/mcp", "/", "/health", "/docs", "/mcp/", "/.well-known/oauth-protected-resource", "/../mcp"]
)
def test_no_route_tells_a_stranger_anything(method: str, path: str, web: Web) -> None:
    status, body, headers = web.send({}, b"", method, path)
    assert status == 401
    assert body in (b"unauthorized", b"")
    assert not {"server", "date", "access-control-allow-origin"} & set(headers)


def test_a_form_of_a_page_is_no_request(web: Web) -> None:
    assert web.send({**web.right, "Content-Type": "text/plain"})[0] == 400


def test_a_body_has_a_limit(web: Web) -> None:
    assert web.send(web.right, b"[" + b"1," * (3 << 20) + b"1]")[0] == 413


def test_it_listens_on_loopback_alone(web: Web) -> None:
    lines = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    listening = {line[1] for line in lines if line[3] == "0A" and line[1].endswith(f":{web.port:04X}")}
    assert listening == {f"0100007F:{web.port:04X}"}


def test_one_owner_serves_both_doors(here: Machine, root: Path, web: Web) -> None:
    assert here.host(root).hello().call("search", query="clearance")["ok"] is True
    error = here.m1nd(root, "owner", "status")["data"]
    assert error["running"] is True
    status, _, answered = web.send(web.right)
    assert status == 200
    assert answered["mcp-session-id"]


def test_a_session_id_alone_is_no_authority(web: Web) -> None:
    _, body, answered = web.send(web.right)
    assert events(body)[0]["result"]["serverInfo"]["name"] == "m1nd"
    stolen = {"mcp-session-id": answered["mcp-session-id"], "Content-Type": "application/json"}
    assert web.send(stolen)[0] == 401


def test_sessions_are_capped() -> None:
    assert MOST_SESSIONS <= 64


def test_the_token_is_this_users_alone(tmp_path: Path) -> None:
    state = tmp_path / ".m1nd"
    token = token_of(str(state))
    assert len(token) >= 32
    assert token_of(str(state)) == token
    file = state / "http-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o640)
    with pytest.raises(Refused, match="can be read by others"):
        token_of(str(state))
    file.unlink()
    (tmp_path / "elsewhere").write_text("x" * 40)
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic link"):
        token_of(str(state))


def test_the_guard_asks_no_application_before_it_is_satisfied() -> None:
    sent: list[dict[str, object]] = []

    async def application(scope: object, receive: object, send: object) -> None:
        raise AssertionError("reached")

    async def receive() -> dict[str, object]:
        raise AssertionError("read")

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    guard = Guard(application, 7, "t" * 40)  # type: ignore[arg-type]
    anyio.run(guard, {"type": "http", "headers": [(b"Host", b"127.0.0.1:7")]}, receive, send)
    assert sent[0]["status"] == 401
