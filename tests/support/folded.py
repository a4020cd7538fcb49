"""Crates with their module files folded into the files above: `mod north;` becomes `mod north { … }`, and nothing else changes."""

import re
from collections.abc import Collection, Mapping

ROOT = "src/lib.rs"


def module_of(path: str) -> tuple[str, ...]:
    """The module of a file below `src`; the root's is empty."""
    return () if path == ROOT else tuple(path.removeprefix("src/").removesuffix(".rs").split("/"))


def file_above(path: str) -> str:
    above = module_of(path)[:-1]
    return f"src/{'/'.join(above)}.rs" if above else ROOT


def folded(files: Mapping[str, str], chosen: Collection[str]) -> dict[str, str]:
    """The files, each of `chosen` written into the file above it, one step deeper. No literal may take two lines."""
    found = dict(files)
    for path in sorted(chosen, key=lambda p: -len(module_of(p))):
        text, above = found.pop(path), file_above(path)
        line = re.compile(rf"^((?:pub(?:\([^)]*\))?\s+)?mod {module_of(path)[-1]});", re.MULTILINE)
        body = "".join(f"    {row}" if row.strip() else row for row in text.splitlines(keepends=True))
        gap = "" if not body or body.endswith("\n") else "\n"
        found[above], times = line.subn(lambda match: f"{match[1]} {{\n{body}{gap}}}", found[above])  # noqa: B023
        assert times == 1, (path, above)
    return found


def place_in(path: str, chosen: Collection[str]) -> str:
    """Where the module of a file stands once `chosen` are folded."""
    names: list[str] = []
    while path in chosen:
        names.insert(0, module_of(path)[-1])
        path = file_above(path)
    return "::".join((path, *names))
