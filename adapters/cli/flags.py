"""The global flags, taken out of a command line before click sees it, so that they may stand anywhere (PORTS.md)."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from m1nd.adapters.cli.context import Flags

SWITCHES = {
    "--json": "json",
    "--ascii": "ascii",
    "--quiet": "quiet",
    "-q": "quiet",
    "--read-only": "read_only",
    "--debug": "debug",
}
VALUES = {"--root": "root", "--caller-root": "caller_root", "--color": "color"}
COLORS = ("auto", "always", "never")


class BadFlag(ValueError):
    """A global flag without its value, or with a wrong one; `flags` are those understood so far."""

    def __init__(self, message: str, flags: Flags) -> None:
        super().__init__(message)
        self.flags = flags


def split_flags(arguments: Sequence[str]) -> tuple[list[str], Flags]:
    """The arguments without the global flags, and the flags; what follows `--` is left alone.

    Raises BadFlag.
    """
    rest: list[str] = []
    found: dict[str, Any] = {}
    problem = ""
    tokens = iter(arguments)
    for token in tokens:
        name, equals, value = token.partition("=")
        if token == "--":
            rest += [token, *tokens]
        elif token in SWITCHES:
            found[SWITCHES[token]] = True
        elif name in VALUES:
            value = value if equals else next(tokens, "")
            if not value or (not equals and value.startswith("--")):
                problem = problem or f"option {name} needs a value"
            found[VALUES[name]] = value
        else:
            rest.append(token)
    if found.get("color", "auto") not in COLORS:
        problem = problem or f"option --color takes one of {', '.join(COLORS)}"
        del found["color"]
    flags = evolve(Flags(), **found)
    if problem:
        raise BadFlag(problem, flags)
    return rest, flags
