"""Writes the generated documents: docs/wire.md, and the table of docs/frontiers.md. `--check` only compares.

Usage: python scripts/docs.py [--check]
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from m1nd.adapters.cli.topics import EXITS
from m1nd.adapters.mcp.resources import known
from m1nd.adapters.mcp.server import GRAPH_CHANGED
from m1nd.adapters.mcp.teaching import prompts
from m1nd.adapters.mcp.tools import CORE_TOOLS, tool_verbs
from m1nd.adapters.verb_shape import Field, Verb
from m1nd.adapters.verbs import VERBS
from m1nd.domain.codes import CODES
from m1nd.domain.missions.runners import (
    Includes,
    MissionPacket,
    MissionPolicy,
    Pin,
    RunnerCapability,
    RunnerRef,
    RunnerWorkspaceTruth,
)
from m1nd.domain.move.frontiers import FRONTIERS

DELEGATED: tuple[type[BaseModel], ...] = (
    MissionPacket,
    Includes,
    MissionPolicy,
    Pin,
    RunnerRef,
    RunnerWorkspaceTruth,
)

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTE = "<!-- Made by `make docs` from {source}; do not edit. -->\n"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def rows(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *body]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def shape(field: Field, note: str) -> str:
    if field.local:
        return f"{field.shape}, {note}, command line only"
    return field.shape if field.required else f"{field.shape}, {note}"


def field_rows(fields: Iterable[Field], note: str) -> str:
    return rows(
        ("name", "type", "meaning"),
        ((f"`{f.name}`", shape(f, note), f.meaning) for f in fields),
    )


def verb_section(verb: Verb) -> str:
    marks = [
        ", ".join(sorted(effect.value for effect in verb.effects)),
        *(name.removesuffix("Hint") for name, value in verb.annotations.items() if value),
    ]
    origin = "; ours, not of the seeds" if verb.own else ""
    stamp = " Needs a human's stamp." if verb.needs_stamp else ""
    origin += "" if verb.is_tool else "; command line only"
    parts = [
        f"### `{verb.name}`\n\n{verb.summary}\n\n`{verb.command}`\n\nEffects: {'; '.join(marks)}{origin}.{stamp}\n",
        f"\nArguments:\n\n{field_rows(verb.arguments, 'optional')}"
        if verb.arguments
        else "\nNo arguments.\n",
        f"\n`data` (schema `m1nd.{verb.name}/1`):\n\n{field_rows(verb.result, 'or null')}",
    ]
    return "".join(parts)


def default_of(kind: type[BaseModel], name: str) -> object:
    """What a field holds where nobody said it, as JSON; a value that is made when it is needed counts too."""
    return to_jsonable_python(kind.model_fields[name].get_default(call_default_factory=True))


def type_section(kind: type[BaseModel]) -> str:
    """One type: what it is, its fields, what each may hold."""
    schema = kind.model_json_schema()
    body = (
        (
            f"`{name}`",
            field_type(field),
            "required" if name in schema.get("required", ()) else f"`{json.dumps(default_of(kind, name))}`",
        )
        for name, field in schema["properties"].items()
    )
    return f"### `{kind.__name__}`\n\n{kind.__doc__}\n\n{rows(('field', 'holds', 'default'), body)}"


def field_type(field: Mapping[str, Any]) -> str:
    """A field's type and bounds in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        choices = " | ".join(RunnerCapability) if name == "RunnerCapability" else ""
        return f"`{name}`{f': {choices}' if choices else ''}"
    if "enum" in field:
        return " | ".join(field["enum"])
    bounds = {
        "minLength": "at least {} characters",
        "maxLength": "at most {} characters",
        "pattern": "`{}`",
        "minimum": "at least {}",
    }
    parts = [words.format(field[name]) for name, words in bounds.items() if name in field]
    inner = f" of {field_type(field['items'])}" if field.get("type") == "array" else ""
    return ", ".join([f"{field.get('type', 'object')}{inner}", *parts])


def agents_door() -> str:
    """What agents get beside the verbs, from the tables that serve it."""
    tools = ", ".join(f"`{name}`" for name in tool_verbs() if name in CORE_TOOLS)
    more = ", ".join(f"`{name}`" for name in tool_verbs() if name not in CORE_TOOLS)
    addresses = rows(
        ("address", "verb", "what it is"), ((f"`{a.uri}`", f"`{a.verb}`", a.title) for a in known())
    )
    flows = rows(
        ("prompt", "arguments", "for"),
        (
            (f"`{name}`", ", ".join(f"`{key}`" for key in arguments), says)
            for name, (says, arguments) in prompts(frozenset(tool_verbs())).items()
        ),
    )
    return "\n".join(
        [
            "## At the agent's door\n",
            (
                "`m1nd mcp` and `m1nd serve --http` offer the verbs above as tools, under the same names, with the same arguments and "
                "the same envelope, in structured content and as text. Two things are added there:\n"
            ),
            (
                "- every pure read takes `since_rev`, a `graph_rev` seen earlier; its envelope then holds `changes`: "
                "`{since_rev, graph_rev, added, changed, removed, complete}`, the lists of paths\n"
                "- a refusal whose hint is a whole command line of a tool holds it as `details.next_call`: `{tool, arguments}`\n"
            ),
            f"Listed by default: {tools}.\n",
            f"Listed with `M1ND_TOOLS=all`, and callable always: {more}.\n",
            "Resources, each the envelope of a read:\n",
            addresses,
            (
                "A subscriber hears `notifications/resources/updated` when the log grew, and in the handshake era also "
                f"`{GRAPH_CHANGED}` with `{{graph_rev}}` when the graph changed.\n"
            ),
            "Prompts:\n",
            flows,
        ]
    )


def wire() -> str:
    """docs/wire.md: envelope, verbs, codes, exit statuses."""
    codes = rows(
        ("code", "group", "exit", "retry", "meaning", "default next step"),
        (
            (
                f"`{c.name}`",
                c.group.value,
                str(int(c.exit)),
                "yes" if c.retryable else "no",
                c.meaning,
                c.hint,
            )
            for c in CODES.values()
        ),
    )
    exits = rows(("status", "meaning"), ((str(int(s)), meaning) for s, meaning in EXITS.items()))
    return "\n".join(
        [
            "# Wire reference\n",
            NOTE.format(source="adapters/verbs.py and domain/codes.py"),
            "Every command answers `--json` with one object:\n",
            (
                "```json\n"
                '{"schema": "m1nd.VERB/1", "ok": true, "data": {}, "graph_rev": 0, "warnings": []}\n'
                '{"schema": "m1nd.VERB/1", "ok": false, "error": {"code": "", "message": "", "hint": "", '
                '"retryable": false, "details": {}}, "graph_rev": 0, "warnings": []}\n```\n'
            ),
            (
                "`graph_rev` is the generation of the graph, 0 before the first ingest. A usage error on a line that names no "
                "verb has the schema `m1nd.usage/1`.\n"
            ),
            "## Verbs\n",
            *(verb_section(verb) for verb in VERBS.values()),
            "## Types of delegated work\n",
            "Values of packets, pins and runners (seed 001 §5). A field that is not named here is refused.\n",
            *map(type_section, DELEGATED),
            agents_door(),
            "## Exit statuses\n",
            exits,
            "## Error codes\n",
            codes,
        ]
    )


def frontiers() -> str:
    """docs/frontiers.md: what the move does not do, by the same table that refuses it."""
    table = rows(
        ("boundary", "subject", "state", "code", "what holds today", "proven by"),
        (
            (f.number, f.title, f.state.value, f"`{f.code}`" if f.code else "", f.says, ", ".join(f.cases))
            for f in FRONTIERS
        ),
    )
    return "\n".join(
        [
            "# Frontiers\n",
            NOTE.format(source="domain/move/frontiers.py"),
            (
                "What `transplant` says no to, or cannot see. Boundaries 1 to 7 are those of the verb's first definition. A *closed* "
                "one refuses before anything is planned; an *open* one was a limit and is one no longer; a *floor* holds for "
                "physical reasons and is reported, never silent. A closed boundary falls in a cycle of its own: its cases first, then "
                "the code, then real repositories, then this line. Numbers under *proven by* are cases of `tests/cases/move`, names are "
                "files of `tests/unit`. Figures on real crates: all kinds mixed, in one run, in [corpus-mixed.md](corpus-mixed.md), functions in [corpus.md](corpus.md), the other kinds in [corpus-kinds.md](corpus-kinds.md), whole modules in [corpus-modules.md](corpus-modules.md), between crates in [corpus-crates.md](corpus-crates.md), modules inline in files in [corpus-inline.md](corpus-inline.md), files that are made in [corpus-created.md](corpus-created.md), several items at once in [corpus-several.md](corpus-several.md).\n"
            ),
            table,
        ]
    )


def generated() -> Mapping[str, str]:
    """File name below docs/ → its text."""
    return {"wire.md": wire(), "frontiers.md": frontiers()}


def main(arguments: list[str]) -> int:
    stale = []
    for name, text in generated().items():
        path = DOCS / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name}: {'is not up to date; run make docs' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
