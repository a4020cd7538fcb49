"""The verb table: complete, true to the commands, and the source of docs/wire.md (PORTS.md, One use case, two ports)."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from m1nd.adapters.answering import answering, parameters
from m1nd.adapters.cli.program import program
from m1nd.adapters.verb_shape import Effect, fields
from m1nd.adapters.verbs import VERBS

REPOSITORY = Path(__file__).resolve().parents[2]


def commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        if command.callback is not None and hasattr(command.callback, "wire_name"):
            yield f"{path} {name}", command


def test_every_command_has_a_row_and_every_row_its_command() -> None:
    found = {command.callback.wire_name: path for path, command in commands(program(), "m1nd")}  # type: ignore[union-attr]
    by_table = {name: row.command for name, row in VERBS.items() if row.command and name != "version"}
    assert set(found) == set(by_table)
    for name, path in found.items():
        assert by_table[name].startswith(path), name


def test_every_command_says_what_it_does() -> None:
    for path, command in commands(program(), "m1nd"):
        assert command.help, path
        assert command.help.rstrip().endswith("."), path


def test_only_pure_reads_pass_a_read_only_attach() -> None:
    for verb in VERBS.values():
        assert verb.pure_read is not bool(verb.effects & {Effect.APPENDS, Effect.WRITES_FILES})
        assert verb.annotations["readOnlyHint"] is verb.pure_read
        assert not (verb.destructive and verb.pure_read), verb.name


def test_argument_schemas_take_nothing_else() -> None:
    assert VERBS["transplant_list"].argument_schema == {
        "type": "object",
        "properties": {
            "limit": {
                "type": "integer",
                "description": "at most so many; 50 where it is left out",
                "minimum": 1,
                "maximum": 1000,
            }
        },
        "required": [],
        "additionalProperties": False,
    }
    assert VERBS["transplant_commit"].argument_schema["required"] == ["preview_id", "confirm"]
    assert VERBS["transplant_commit"].argument_schema["properties"]["verify"]["enum"] == ["check", "none"]


def test_an_argument_of_the_command_line_alone_is_in_no_schema() -> None:
    follow = next(field for field in VERBS["log"].arguments if field.name == "follow")
    assert (follow.local, follow.required) == (True, False)
    assert "follow" not in VERBS["log"].argument_schema["properties"]


@pytest.mark.parametrize("name", [verb.name for verb in VERBS.values() if verb.is_tool])
def test_every_tool_is_answered_by_a_function_that_takes_its_wire_arguments(name: str) -> None:
    verb = VERBS[name]
    wire = set(verb.argument_schema["properties"])
    taken = parameters(verb)
    assert wire <= taken, "name the function's parameters after the table's arguments"
    assert taken - wire <= set(answering(verb).defaults), "what the table does not name needs a default"


def test_no_click_type_opens_a_file_that_an_agent_names() -> None:
    for path, command in commands(program(), "m1nd"):
        for parameter in command.params:
            assert not isinstance(parameter.type, click.File), (path, parameter.name)


def test_a_field_reads_its_limits() -> None:
    kind, count, names = fields("""
        kind string{a|b} which
        count? integer{1..} how many
        names array{string} whose
    """)
    assert (kind.choices, kind.shape) == (("a", "b"), "string a|b")
    assert (count.least, count.most, count.required, count.shape) == (1, None, False, "integer 1..")
    assert (names.schema["items"], names.shape) == ({"type": "string"}, "array of string")
    with pytest.raises(ValueError, match="no such limit"):
        fields("count integer{a|b} how many")


def test_a_field_of_no_known_type_is_refused() -> None:
    with pytest.raises(ValueError, match="no such type"):
        fields("name text what it is")


def test_the_generated_documents_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("docs_script", REPOSITORY / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for name, text in script.generated().items():
        assert (REPOSITORY / "docs" / name).read_text(encoding="utf-8") == text, f"run make docs ({name})"
