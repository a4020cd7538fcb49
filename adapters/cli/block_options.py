"""How the words of `m1nd blocks …` become the arguments of its verbs: shortcuts for edits, entries, JSON files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from m1nd.domain.refusal import refuse

SHORTCUTS = "m1nd.block_edits"
"""Where the shortcuts of one line are gathered, in the order of the line."""
MOST_BYTES = 8 << 20

Command = Callable[..., Any]

EXPECTED = click.option(
    "--expected",
    "expected_store_version",
    type=click.IntRange(0),
    metavar="N",
    help="Refuse when the map has another version.",
)


def shortcut(
    option: str, count: int, metavar: str, text: str, edit: Callable[[Sequence[str]], dict[str, Any]]
) -> Callable[[Command], Command]:
    """An option that stands for one edit of a batch; may be given several times."""

    def gather(context: click.Context, parameter: click.Parameter, given: Sequence[Sequence[str]]) -> None:
        context.meta.setdefault(SHORTCUTS, []).extend(edit(words) for words in given)

    return click.option(
        option,
        nargs=count,
        multiple=True,
        metavar=metavar,
        help=text,
        callback=gather,
        expose_value=False,
        is_eager=True,
    )


def _ops(context: click.Context, parameter: click.Parameter, file: str | None) -> list[Any]:
    """The edits of the file, then those of the shortcuts."""
    edits = _json(file) if file else []
    if isinstance(edits, Mapping):
        edits = edits.get("ops", [edits])
    if not isinstance(edits, list):
        refuse("usage", "the file holds no list of edits", "m1nd help blocks")
    return [*edits, *context.meta.get(SHORTCUTS, [])]


OPS = click.argument("ops", metavar="[FILE|-]", required=False, callback=_ops)


def _entries(
    context: click.Context, parameter: click.Parameter, given: Sequence[str]
) -> list[dict[str, Any]]:
    """`PATH=ROLE`, or `PATH=ROLE?` for an optional entry."""
    found: list[dict[str, Any]] = []
    for text in given:
        path, _, role = text.rpartition("=")
        if not path:
            refuse("usage", f"an entry is PATH=ROLE, not {text!r}", "m1nd blocks amend --help")
        entry: dict[str, Any] = {"path": path, "role": role.removesuffix("?")}
        found.append({**entry, "optional": True} if role.endswith("?") else entry)
    return found


ADD = click.option(
    "--add",
    multiple=True,
    callback=_entries,
    metavar="PATH=ROLE",
    help="Declare an entry, or another role for it.",
)


def json_file(context: click.Context, parameter: click.Parameter, file: str | None) -> Any:
    """The JSON object of a named file; None where none is named."""
    if file is None:
        return None
    value = _json(file)
    if not isinstance(value, Mapping):
        refuse("usage", f"{parameter.name}: the file holds no JSON object", "m1nd blocks amend --help")
    return value


def seed_file(context: click.Context, parameter: click.Parameter, file: str | None) -> bytes | None:
    return None if file is None else read_file(file)


def _json(file: str) -> Any:
    try:
        return json.loads(read_file(file))
    except (ValueError, RecursionError) as error:
        refuse("usage", f"`{file}` is no JSON: {error}")


def read_file(file: str) -> bytes:
    """The bytes of a named file, one more than may be at most. Raises Refused(usage)."""
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        with open(file, "rb") as content:
            return content.read(MOST_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        refuse("usage", f"there is no file `{file}`")
