"""The verb table as MCP tools: which are listed, their schemas and hints, and the check of what a caller gives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import mcp_types as types
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from m1nd.adapters.mcp.client import ALL, Client
from m1nd.adapters.mcp.teaching import description
from m1nd.adapters.verb_shape import Verb
from m1nd.adapters.verbs import VERBS
from m1nd.domain.plain import unfit
from m1nd.domain.refusal import refuse

CORE_TOOLS = (
    "north",
    "card_shown",
    "ingest",
    "search",
    "surgical_context",
    "impact",
    "transplant",
    "transplant_preview",
    "transplant_commit",
    "transplant_undo",
    "edit_preview",
    "edit_commit",
    "system_blocks_snapshot",
    "tray",
    "mission_post",
    "memorize",
    "recall",
    "debrief",
)
"""Listed by default, in this order (PORTS.md, MCP)."""

SINCE = "since_rev"
"""An argument of every read: the answer then tells what changed after that `graph_rev` (P14)."""
SINCE_SCHEMA = {
    "type": "integer",
    "minimum": 0,
    "description": "adds what changed since that graph_rev",
}


@cache
def tool_verbs() -> dict[str, Verb]:
    """Every verb that agents get, the core ones first, the rest in the order of the table."""
    core = [VERBS[name] for name in CORE_TOOLS if name in VERBS]
    rest = [verb for verb in VERBS.values() if verb.name not in CORE_TOOLS]
    return {verb.name: verb for verb in (*core, *rest) if verb.is_tool}


@cache
def input_schema(verb: Verb) -> dict[str, Any]:
    """The row's schema, and `since_rev` on a read that has none of its own."""
    schema = verb.argument_schema
    if verb.pure_read and SINCE not in schema["properties"]:
        schema["properties"] = {**schema["properties"], SINCE: SINCE_SCHEMA}
    return schema


@cache
def _validator(verb: Verb) -> Draft202012Validator:
    return Draft202012Validator(input_schema(verb))


@cache
def tool(verb: Verb) -> types.Tool:
    return types.Tool(
        name=verb.name,
        description=description(verb),
        input_schema=input_schema(verb),
        annotations=types.ToolAnnotations(
            read_only_hint=verb.pure_read,
            destructive_hint=verb.destructive,
            idempotent_hint=verb.idempotent,
            open_world_hint=False,
        ),
        _meta={"anthropic/alwaysLoad": True} if verb.name == "north" else None,
    )


def listed(client: Client) -> list[types.Tool]:
    """The tools of the client's profile; a read-only client is shown what it may call."""
    return [
        tool(verb)
        for verb in tool_verbs().values()
        if (client.profile == ALL or verb.name in CORE_TOOLS) and (verb.pure_read or not client.read_only)
    ]


def checked(verb: Verb, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, if they are what the schema says; whole numbers as integers.

    Raises Refused(usage) naming the first wrong argument and what is allowed.
    """
    error = next(iter(sorted(_validator(verb).iter_errors(dict(arguments)), key=_rank)), None)
    properties = input_schema(verb)["properties"]
    if error is not None:
        name, problem = _problem(error, properties)
        refuse(
            "usage",
            f"`{verb.name}`: {problem}",
            f"call {usage(verb)}",
            argument=name,
            allowed=sorted(properties),
        )
    for name, value in arguments.items():
        if problem := unfit(value):
            refuse(
                "usage",
                f"`{verb.name}`: `{name}` {problem}",
                f"call {usage(verb)}",
                argument=name,
                allowed=sorted(properties),
            )
    return {
        name: int(value) if properties[name]["type"] == "integer" else value
        for name, value in arguments.items()
    }


def usage(verb: Verb) -> str:
    """`transplant_commit(preview_id: string, confirm: boolean, verify?: check|none)`."""
    schema = input_schema(verb)
    parts = (
        f"{name}{'' if name in schema['required'] else '?'}: {'|'.join(field.get('enum', [])) or field['type']}"
        for name, field in schema["properties"].items()
    )
    return f"{verb.name}({', '.join(parts)})"


def _rank(error: ValidationError) -> tuple[int, str]:
    """Unknown arguments first: a misspelled one also makes the right one missing."""
    order = {"additionalProperties": 0, "required": 1}
    return order.get(str(error.validator), 2), "/".join(map(str, error.absolute_path))


def _problem(error: ValidationError, properties: Mapping[str, Any]) -> tuple[str, str]:
    """The argument's name, and what is wrong with it in one clause; never the value itself."""
    given: Any = error.instance
    limit: Any = error.validator_value
    if error.validator == "additionalProperties":
        unknown = sorted(set(given) - set(properties))
        return unknown[0], f"there is no argument `{unknown[0]}`"
    if error.validator == "required":
        missing = [name for name in limit if name not in given]
        return missing[0], f"the argument `{missing[0]}` is missing"
    name = str(error.absolute_path[0]) if error.absolute_path else ""
    where = f"`{name}`" if len(error.absolute_path) == 1 else f"an item of `{name}`"
    wants = {
        "type": f"must be of type {limit}, not {_kind(given)}",
        "enum": f"must be one of {', '.join(map(str, limit))}" if isinstance(limit, list) else "",
        "minimum": f"must be at least {limit}",
        "maximum": f"must be at most {limit}",
    }
    return name, f"{where} {wants.get(str(error.validator), 'is not what the schema says')}"


def _kind(value: object) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")
