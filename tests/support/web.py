"""`m1nd serve --http` as a process, and requests to it byte by byte."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen
from tests.support.relay import Machine

BOTH = "application/json, text/event-stream"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "web", "version": "1"},
    },
}


@frozen
class Web:
    """One served repository. `token` is the right one."""

    url: str
    token: str

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    def send(
        self,
        headers: Mapping[str, str] | list[tuple[str, str]],
        body: bytes = json.dumps(HELLO).encode(),
        method: str = "POST",
        path: str = "/mcp",
    ) -> tuple[int, bytes, dict[str, str]]:
        """A request with exactly these headers (Host where none is among them): status, body, headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        given = list(headers.items()) if isinstance(headers, Mapping) else headers
        connection.putrequest(
            method,
            path,
            skip_host=any(name.lower() == "host" for name, _ in given),
            skip_accept_encoding=True,
        )
        for name, value in [*given, ("Content-Length", str(len(body)))]:
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, answer.read(), {key.lower(): value for key, value in answer.getheaders()}
        connection.close()
        return found

    @property
    def right(self) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": BOTH,
        }


@contextmanager
def serving(here: Machine, root: Path, *options: str) -> Iterator[Web]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "m1nd", "serve", "--http", *options],
        cwd=root,
        env=here.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        url = process.stdout.readline().strip()
        assert url, process.stderr.read()
        yield Web(url, (root / ".m1nd" / "http-token").read_text())
    finally:
        process.terminate()
        assert process.wait(10) == 143
        process.stdout.close()
        process.stderr.close()


def events(body: bytes) -> list[Any]:
    """The JSON messages of an event stream, or of a JSON body."""
    if body.startswith(b"{"):
        return [json.loads(body)]
    return [
        json.loads(line[5:]) for line in body.splitlines() if line.startswith(b"data:") and line[5:].strip()
    ]
