"""What can be read by address: each resource is a pure read of the verb table with fixed arguments (PORTS.md, MCP)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from attrs import frozen

from m1nd.adapters.mcp.tools import tool_verbs
from m1nd.adapters.verb_shape import Verb

MIME = "application/json"
NAME = re.compile(r"[A-Za-z0-9_.:-]{1,100}")


@frozen
class Address:
    """One resource, or a template of many; `given` maps what stands in the address to the verb's arguments."""

    uri: str
    verb: str
    title: str
    fixed: Mapping[str, Any] = {}
    path_argument: str = ""
    query: Mapping[str, str] = {}


ADDRESSES = (
    Address("m1nd://card", "card", "The card: where the repository stands, in at most four lines"),
    Address("m1nd://north", "north", "The orientation packet without a task", {"task": ""}),
    Address("m1nd://status", "status", "Root, log, graph, last moves, tools"),
    Address("m1nd://blocks", "system_blocks_snapshot", "The system blocks"),
    Address("m1nd://blocks/{id}", "system_blocks_snapshot", "One system block", path_argument="block_id"),
    Address("m1nd://missions", "missions", "The missions"),
    Address("m1nd://log{?after}", "log", "The events after a position", query={"after": "after"}),
)


def known() -> tuple[Address, ...]:
    """Those whose verb exists and is a pure read."""
    verbs = tool_verbs()
    return tuple(a for a in ADDRESSES if a.verb in verbs and verbs[a.verb].pure_read)


def is_template(address: Address) -> bool:
    return "{" in address.uri


def plain_uri(address: Address) -> str:
    """The address without its template part: what a subscriber of the whole names."""
    return address.uri.partition("{")[0].rstrip("/")


def locate(uri: str) -> tuple[Verb, dict[str, Any]] | None:
    """The verb and the arguments behind an address; None where there is no such resource."""
    parts = urlsplit(uri)
    if parts.scheme != "m1nd" or parts.fragment:
        return None
    rest = unquote(parts.path).strip("/")
    query = dict(parse_qsl(parts.query))
    for address in known():
        name = urlsplit(plain_uri(address)).netloc
        if name != parts.netloc or bool(rest) is not bool(address.path_argument):
            continue
        if rest and not NAME.fullmatch(rest):
            return None
        if set(query) - set(address.query):
            return None
        verb = tool_verbs()[address.verb]
        given: dict[str, Any] = dict(address.fixed)
        if rest:
            given[address.path_argument] = rest
        for key, value in query.items():
            wants = verb.argument_schema["properties"][address.query[key]]["type"]
            if wants == "integer" and not value.isdecimal():
                return None
            given[address.query[key]] = int(value) if wants == "integer" else value
        return verb, given
    return None
