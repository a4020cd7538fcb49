"""Every next step that is spelled as a command names a command that there is (PORTS.md: a hint runs)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click

from m1nd.adapters.cli.program import program
from m1nd.domain.codes import CODES

REPOSITORY = Path(__file__).resolve().parents[2]
LAYERS = ("domain", "application", "infrastructure", "adapters")
COMMAND = re.compile(r"(?<![.\w])m1nd ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")
HINTS = {"hint", "otherwise", "again"}


def exists(first: str, second: str) -> bool:
    top = program()
    command = top.get_command(click.Context(top), first)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        return command is not None
    return command.get_command(click.Context(command), second) is not None


def written_hints() -> Iterator[tuple[str, str]]:
    """Every text that is given as a hint: by that name, or as the third argument of `refuse`."""
    for layer in LAYERS:
        for path in sorted((REPOSITORY / layer).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                named = [keyword.value for keyword in node.keywords if keyword.arg in HINTS]
                is_refusal = isinstance(node.func, ast.Name) and node.func.id in ("refuse", "Refusal")
                for value in (*named, *(node.args[2:3] if is_refusal else ())):
                    for text in ast.walk(value):
                        if isinstance(text, ast.Constant) and isinstance(text.value, str):
                            yield f"{path.relative_to(REPOSITORY)}:{text.lineno}", text.value


def test_every_code_has_a_next_step_and_a_command_in_it_exists() -> None:
    for code in CODES.values():
        assert code.hint, code.name
        for first, second in COMMAND.findall(code.hint):
            assert exists(first, second), (code.name, code.hint)


def test_every_written_hint_that_names_a_command_names_one_that_exists() -> None:
    found = 0
    for place, text in written_hints():
        for first, second in COMMAND.findall(text):
            found += 1
            assert exists(first, second), (place, text)
    assert found > 30
