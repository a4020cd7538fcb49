"""What a row of the verb table says: arguments, result keys, effects, and all that follows from the effects (PORTS.md)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from attrs import frozen

TYPES = ("string", "integer", "boolean", "object", "array")


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
            "properties": {f.name: {"type": f.type, "description": f.meaning} for f in self.arguments},
            "required": [f.name for f in self.arguments if f.required],
            "additionalProperties": False,
        }


def fields(text: str) -> tuple[Field, ...]:
    """Rows `name type meaning`, one a line; a `?` behind the name makes it optional (or nullable)."""
    return tuple(_field(line.strip()) for line in text.strip().splitlines() if line.strip())


def _field(line: str) -> Field:
    name, kind, meaning = line.split(maxsplit=2)
    if kind not in TYPES:
        raise ValueError(f"no such type: {line}")
    return Field(name.removesuffix("?"), kind, meaning, not name.endswith("?"))


def table(rows: Iterable[Verb]) -> dict[str, Verb]:
    """The rows by wire name. Raises ValueError where two bear one name."""
    rows = tuple(rows)
    made = {row.name: row for row in rows}
    if len(made) != len(rows):
        raise ValueError("two rows of the verb table bear one name")
    return made
