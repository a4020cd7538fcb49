"""A model on loopback that says what it is told: one tool call a turn, then the end. Its log is what a real one would have seen."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field

Told = list[dict[str, Any]]
Step = Callable[[Told], tuple[str, dict[str, Any]]]
"""The tool and the arguments of one turn, from what the model was told so far."""


@define
class ScriptedModel:
    """Answers the n-th turn of a conversation with the n-th call; afterwards with a last word."""

    steps: Sequence[Step]
    url: str = ""
    requests: list[dict[str, Any]] = field(factory=list)

    def results(self) -> Told:
        """What the model was told of its calls in the longest conversation, in order."""
        talks = [request for request in self.requests if request.get("tools")]
        return told_in(max(talks, key=lambda request: len(request["messages"]), default={"messages": []}))

    def everything(self) -> str:
        return json.dumps(self.requests)

    def _turn(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of one answer."""
        told = told_in(request)
        start = {
            "id": f"msg_{len(self.requests)}",
            "type": "message",
            "role": "assistant",
            "model": request["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        if request.get("tools") and len(told) < len(self.steps):
            name, arguments = self.steps[len(told)](told)
            block: dict[str, Any] = {
                "type": "tool_use",
                "id": f"toolu_{len(told):04}",
                "name": name,
                "input": {},
            }
            delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            reason = "tool_use"
        else:
            block, delta, reason = (
                {"type": "text", "text": ""},
                {"type": "text_delta", "text": "done"},
                "end_turn",
            )
        return [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": reason, "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
            {"type": "message_stop"},
        ]

    def answer(self, request: dict[str, Any]) -> bytes:
        self.requests.append(request)
        events = self._turn(request)
        if request.get("stream"):
            return b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events)
        message = {
            **events[0]["message"],
            "content": [{"type": "text", "text": "done"}],
            "stop_reason": "end_turn",
        }
        return json.dumps(message).encode()


def told_in(request: dict[str, Any]) -> Told:
    """The results of tool calls that a request carries: `{text, is_error}`."""
    told = []
    for message in request["messages"]:
        for part in message["content"] if isinstance(message["content"], list) else []:
            if part["type"] == "tool_result":
                content = part["content"]
                text = content if isinstance(content, str) else "".join(c.get("text", "") for c in content)
                told.append({"text": text, "is_error": bool(part.get("is_error"))})
    return told


@contextmanager
def scripted(steps: Sequence[Step]) -> Iterator[ScriptedModel]:
    model = ScriptedModel(steps)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
            if "/v1/messages" not in self.path or "count_tokens" in self.path:
                self._send(b'{"input_tokens": 1}', "application/json")
                return
            kind = "text/event-stream" if request.get("stream") else "application/json"
            self._send(model.answer(request), kind)

        def do_GET(self) -> None:
            self._send(b"{}", "application/json")

        def do_HEAD(self) -> None:
            self._send(b"", "application/json")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
