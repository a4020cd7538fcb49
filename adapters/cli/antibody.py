"""`m1nd antibody …`: patterns that are a warning sign. Thin: arguments in, `use_cases/antibodies.py` out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from m1nd.adapters.cli.context import Answer, Call, verb
from m1nd.adapters.cli.text import counted
from m1nd.domain.codes import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from m1nd.application.memory_views import AntibodyRow
    from m1nd.application.use_cases.antibodies import Scanned

MOST_BYTES = 1 << 16


def register(group: click.Group) -> None:
    group.add_command(antibody)


@click.group("antibody")
def antibody() -> None:
    """Patterns of code that somebody warns of: keep them, and see where they are found."""


def _read(context: click.Context, parameter: click.Parameter, file: str) -> dict[str, Any]:
    """The JSON object in a file. Raises Refused(usage | bad_pattern)."""
    import json

    from m1nd.domain.refusal import refuse

    if file == "-":
        raw = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        try:
            with open(file, "rb") as given:
                raw = given.read(MOST_BYTES + 1)
        except (FileNotFoundError, IsADirectoryError):
            refuse("usage", f"there is no file `{file}`", "m1nd antibody create FILE, or - for stdin")
    try:
        value = json.loads(raw)
    except ValueError as broken:
        refuse("bad_pattern", f"the file is no JSON: {broken}")
    if not isinstance(value, dict) or len(raw) > MOST_BYTES:
        refuse("bad_pattern", f"the file is one JSON object of at most {MOST_BYTES:,} bytes")
    return value


@antibody.command("create")
@click.argument("given", metavar="FILE", callback=_read)
@verb("antibody_create")
def create(
    call: Call,
    *,
    given: dict[str, Any] | None = None,
    name: str = "",
    pattern: dict[str, Any] | None = None,
    severity: str = "warning",
    description: str = "",
) -> Answer:
    """Keep the antibody in FILE (- for stdin): JSON with name, pattern, severity and description.

    A pattern is {"nodes": [{"role": "taker", "node_type": "fn", "text_contains": "unwrap()"}], "edges": [{"source_idx":
    0, "target_idx": 1, "relation": "calls"}], "negative_edges": []}. A node may say node_type, label, label_contains,
    text_contains, required_tags, symbol_id; all of them literally.
    """
    from m1nd.application.use_cases import antibodies

    spoken = {"name": name, "pattern": pattern, "severity": severity, "description": description}
    return _one(
        antibodies.create(call.brain(), spoken if given is None else given), "is looked for from now on"
    )


@antibody.command("enable")
@click.argument("antibody_id", metavar="ID")
@verb("antibody_enable")
def enable(call: Call, *, antibody_id: str) -> Answer:
    """Look for a pattern again."""
    from m1nd.application.use_cases import antibodies

    return _one(antibodies.enable(call.brain(), antibody_id), "is looked for")


@antibody.command("disable")
@click.argument("antibody_id", metavar="ID")
@verb("antibody_disable")
def disable(call: Call, *, antibody_id: str) -> Answer:
    """Look for a pattern no more, and keep it."""
    from m1nd.application.use_cases import antibodies

    return _one(antibodies.disable(call.brain(), antibody_id), "is kept, and not looked for")


@antibody.command("delete")
@click.argument("antibody_id", metavar="ID")
@verb("antibody_delete")
def delete(call: Call, *, antibody_id: str) -> Answer:
    """Forget a pattern; the log keeps it."""
    from m1nd.application.use_cases import antibodies

    gone = antibodies.delete(call.brain(), antibody_id)
    return Answer({"antibody_id": gone}, lambda console: console.print(f"{gone} is deleted"))


@antibody.command("list")
@verb("antibody_list")
def list_antibodies(call: Call) -> Answer:
    """List all antibodies, the disabled ones too."""
    from m1nd.application.use_cases.antibodies import listed

    rows = listed(call.brain())

    def show(console: Console) -> None:
        from m1nd.adapters.cli.render import table

        if not rows:
            console.print("no antibody yet")
            return
        shown = table("antibody", "warns of", "severity", "looked for", "says", right=(4,))
        for row in rows:
            on = "yes" if row.enabled else "no"
            shown.add_row(row.antibody_id, row.name, row.severity, on, f"{row.specificity:g}")
        console.print(shown)

    return Answer({"antibodies": [_wire(row) for row in rows]}, show)


@antibody.command("scan")
@click.argument("antibody_ids", nargs=-1, metavar="[ID]...")
@click.option("--path", default="", help="Only in this file or folder.")
@click.option(
    "--since", "since_rev", type=click.IntRange(0), help="Only in files that changed after this graph_rev."
)
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "critical"]),
    default="info",
    show_default=True,
    help="The lowest that counts.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=50,
    show_default=True,
    help="So many places of each pattern.",
)
@verb("antibody_scan")
def scan(
    call: Call, *, antibody_ids: Sequence[str], path: str, since_rev: int | None, severity: str, limit: int
) -> Answer:
    """Show where the enabled patterns, or the named ones, are found now."""
    from m1nd.adapters.cli.graph_views import described
    from m1nd.application.use_cases.antibodies import ScanRequest
    from m1nd.application.use_cases.antibodies import scan as look

    since = -1 if since_rev is None else since_rev
    request = ScanRequest(severity, path, since, tuple(antibody_ids or ()), limit)
    found = look(call.brain(), request, call.progress("refresh"))
    data = {
        "matches": [
            {
                "antibody_id": match.antibody.antibody_id,
                "name": match.antibody.name,
                "severity": match.antibody.severity,
                "nodes": [{"role": role, "item": described(item)} for role, item in match.nodes],
            }
            for match in found.matches
        ],
        "scanned": found.scanned,
        "exhausted": list(found.exhausted),
        "unplaced": list(found.unplaced),
    }
    warnings = tuple(f"{id}: the item that the pattern names is gone" for id in found.unplaced)
    status = Exit.NO if found.matches else Exit.DONE
    return Answer(data, lambda console: _show_scan(console, found), status, warnings)


def _show_scan(console: Console, found: Scanned) -> None:
    from m1nd.adapters.cli.render import table

    if not found.matches:
        console.print(f"{counted(found.scanned, 'pattern')} looked for, none found")
        return
    shown = table("warns of", "severity", "where")
    for match in found.matches:
        places = "\n".join(f"{role}: {item.full_path} {item.path}:{item.line}" for role, item in match.nodes)
        shown.add_row(match.antibody.name, match.antibody.severity, places)
    console.print(shown)
    for id in found.exhausted:
        console.print(f"{id} may be found in more places", style="quiet")


def _one(row: AntibodyRow, said: str) -> Answer:
    return Answer(
        _wire(row), lambda console: console.print(f"{row.antibody_id} {said}: {row.name}", soft_wrap=True)
    )


def _wire(row: AntibodyRow) -> dict[str, Any]:
    return {
        "antibody_id": row.antibody_id,
        "name": row.name,
        "description": row.description,
        "severity": row.severity,
        "pattern": row.pattern.model_dump(exclude_defaults=True, mode="json"),
        "specificity": row.specificity,
        "created_by": row.created_by,
        "created_at": row.created_at.isoformat(),
        "enabled": row.enabled,
    }
