"""What a row of the verb table says: arguments, result keys, effects, and all that follows from the effects (PORTS.md)."""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from attrs import frozen

TYPES = ("string", "integer", "number", "boolean", "object", "array")
ROW = re.compile(r"(?P<name>\w+)(?P<mark>[?!]?) (?P<type>[a-z]+)(?:\{(?P<limits>[^} ]+)\})? (?P<meaning>.+)")
RANGE = re.compile(r"(?P<least>-?\d*)\.\.(?P<most>\d*)")


class Effect(StrEnum):
    READS = "reads"
    """Looks at the repository, the log or the views; views and caches may catch up (D42)."""
    APPENDS = "appends"
    """Adds events to the log."""
    WRITES_FILES = "writes files"
    """Changes the working tree, or files that the caller names."""
    RUNS_PROCESS = "runs a process"
    """Starts cargo, rustfmt or git."""


READS = frozenset({Effect.READS})
REFRESHES = READS | {Effect.RUNS_PROCESS}
"""A read that brings the graph up to date first (D41); git lists the files. The refresh is an act of its own."""
APPENDS = REFRESHES | {Effect.APPENDS}
WRITES = APPENDS | {Effect.WRITES_FILES}

CASES = "m1nd.application.use_cases"
SYMBOL = "symbol string a name, crate::a::name, sym_… or path:line"


@frozen
class Field:
    """One argument of a verb, or one key of its `data`."""

    name: str
    type: str
    meaning: str
    required: bool = True
    """Of an argument: must be given. Of a key: never null."""
    local: bool = False
    """An argument that only the command line takes: a path of this machine, or something about a terminal."""
    choices: tuple[str, ...] = ()
    """Of a string: the only values."""
    least: int | None = None
    most: int | None = None
    """Of an integer: the range."""
    items: str = ""
    """Of an array: the type of its items."""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of one argument."""
        parts: dict[str, Any] = {"type": self.type, "description": self.meaning}
        if self.choices:
            parts["enum"] = list(self.choices)
        if self.least is not None:
            parts["minimum"] = self.least
        if self.most is not None:
            parts["maximum"] = self.most
        if self.items:
            parts["items"] = {"type": self.items}
        return parts

    @property
    def shape(self) -> str:
        """Its type as documents show it: `integer 1..1000`, `string check|none`."""
        if self.choices:
            return f"{self.type} {'|'.join(self.choices)}"
        if self.least is not None or self.most is not None:
            ends = ("" if end is None else str(end) for end in (self.least, self.most))
            return f"{self.type} {'..'.join(ends)}"
        return f"{self.type} of {self.items}" if self.items else self.type


@frozen
class Verb:
    """One use case and its two doors.

    `own` marks names that the seeds do not have (D3). `command` is empty where the command line has no such verb.
    """

    name: str
    use_case: str
    command: str
    summary: str
    arguments: tuple[Field, ...]
    result: tuple[Field, ...]
    effects: frozenset[Effect]
    destructive: bool = False
    idempotent: bool = True
    needs_stamp: bool = False
    own: bool = True
    sparse: bool = False
    """Keys that may be null are left out of `data` where there is nothing to say (CARD.md: absent means absent)."""
    terminal: bool = False
    """Only at the command line: it names files of this machine, is about a terminal, or is the human's own act (D24)."""
    function: str = ""
    """`module:function` that answers it where no command does: `(call, **arguments) -> Answer`."""

    @property
    def is_tool(self) -> bool:
        """Agents get it: a use case of the application, and nothing that belongs to a terminal."""
        return self.use_case.startswith("m1nd.application.") and not self.terminal

    @property
    def pure_read(self) -> bool:
        """Changes no tree and appends nothing (D42); all else is denied to a read-only attach."""
        return not self.effects & {Effect.APPENDS, Effect.WRITES_FILES}

    @property
    def annotations(self) -> dict[str, bool]:
        return {
            "readOnlyHint": self.pure_read,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
        }

    @property
    def argument_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments; no argument beyond these is taken."""
        return {
            "type": "object",
            "properties": {f.name: f.schema for f in self.arguments if not f.local},
            "required": [f.name for f in self.arguments if f.required],
            "additionalProperties": False,
        }


def fields(text: str) -> tuple[Field, ...]:
    """Rows `name type meaning`, one a line.

    A `?` behind the name makes it optional (or nullable), a `!` an optional argument of the command line alone. Limits
    follow the type: `string{check|none}`, `integer{1..1000}`, `array{string}`.
    """
    return tuple(_field(line.strip()) for line in text.strip().splitlines() if line.strip())


def _field(line: str) -> Field:
    found = ROW.fullmatch(line)
    if found is None or found["type"] not in TYPES:
        raise ValueError(f"no such type: {line}")
    limits = _limits(found["type"], found["limits"] or "")
    return Field(
        found["name"], found["type"], found["meaning"], not found["mark"], found["mark"] == "!", **limits
    )


def _limits(kind: str, text: str) -> dict[str, Any]:
    """What stands in braces behind a type. Raises ValueError where the type knows no such limit."""
    if not text:
        return {}
    span = RANGE.fullmatch(text)
    if kind == "integer" and span is not None:
        return {end: int(span[end]) for end in ("least", "most") if span[end]}
    if kind == "string":
        return {"choices": tuple(text.split("|"))}
    if kind == "array" and text in TYPES:
        return {"items": text}
    raise ValueError(f"no such limit: {kind}{{{text}}}")


def table(rows: Iterable[Verb]) -> dict[str, Verb]:
    """The rows by wire name. Raises ValueError where two bear one name."""
    rows = tuple(rows)
    made = {row.name: row for row in rows}
    if len(made) != len(rows):
        raise ValueError("two rows of the verb table bear one name")
    return made
