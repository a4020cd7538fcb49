"""The next step of a refusal as a tool call: hints are command lines, and an agent has tools (PORTS.md, errors that teach).

Parses the line as click would and runs nothing: no callback, no type that could open a file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

import click

from m1nd.adapters.cli.graph import joined
from m1nd.adapters.cli.program import program
from m1nd.adapters.mcp.tools import input_schema, tool_verbs

PLACEHOLDER = re.compile(r"[A-Z][A-Z_]+|.*….*|\{.*\}")
"""What a hint leaves for its reader to fill in: such a line is no call yet."""


def next_call(hint: str) -> dict[str, Any] | None:
    """`{tool, arguments}`; None where the hint is no whole command line of a tool."""
    try:
        words = shlex.split(hint)
    except ValueError:
        return None
    if words[:1] != ["m1nd"] or any(PLACEHOLDER.fullmatch(word) for word in words):
        return None
    command, rest = _command(words[1:])
    name = getattr(command.callback, "wire_name", "")
    if name not in tool_verbs():
        return None
    schema = input_schema(tool_verbs()[name])
    try:
        context = click.Context(command, info_name=command.name)
        found, left, _ = command.make_parser(context).parse_args(list(rest))
        given = {key: _value(schema["properties"][key], raw) for key, raw in found.items() if _is_said(raw)}
    except (click.ClickException, KeyError, ValueError):
        return None
    files = {str(p.name) for p in command.params if not _is_plain(p)}
    if left or files & set(given) or not set(schema["required"]) <= set(given):
        return None
    return {"tool": name, "arguments": given}


def _command(words: list[str]) -> tuple[click.Command, list[str]]:
    found: click.Command = program()
    while words and isinstance(found, click.Group):
        deeper = found.get_command(click.Context(found, info_name=found.name), words[0])
        if deeper is None:
            break
        found, words = deeper, words[1:]
    return found, words


def _is_plain(parameter: click.Parameter) -> bool:
    """Its word on the line is its value; nothing is read from a file that it names."""
    plain = (click.types.StringParamType, click.types.IntParamType, click.types.BoolParamType, click.Choice)
    return isinstance(parameter.type, plain) and parameter.callback in (None, joined)


def _is_said(raw: object) -> bool:
    return raw is not None and raw != () and type(raw).__name__ != "Sentinel"


def _value(schema: Mapping[str, Any], raw: Any) -> Any:
    """A raw word of the line as the argument's type. Raises ValueError."""
    match schema["type"]:
        case "integer":
            return int(raw)
        case "boolean":
            return True
        case "array":
            return list(raw) if isinstance(raw, tuple) else [raw]
        case "string":
            return " ".join(raw) if isinstance(raw, tuple) else str(raw)
        case _:
            raise ValueError(schema["type"])
