"""Whatever an agent gives a tool, it gets an envelope: never a crash, never a bug, never a file changed (S26)."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.agent import environment_of, harbour_root, tree_of

from m1nd.adapters.bootstrap import open_brain
from m1nd.adapters.mcp.calling import answer
from m1nd.adapters.mcp.client import Client
from m1nd.adapters.mcp.tools import input_schema, tool_verbs
from m1nd.adapters.verb_shape import Effect
from m1nd.application.brain import Brain

WORDS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["clearance", "crate::berth::clearance", "src/berth.rs", "src/berth.rs:41", "sym_88a3b4ada091", "pre_00000000", "", "\0", "../x", "2026-01-31T12:00:00Z", "a" * 5000]
    ),
)  # fmt: skip
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(allow_nan=False), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
HARMLESS = [
    name
    for name, verb in tool_verbs().items()
    if Effect.WRITES_FILES not in verb.effects and name != "doctor"
]
"""`doctor` starts programs, which takes long; what writes files is fired at without a preview that it could commit."""
WRITING = [name for name, verb in tool_verbs().items() if Effect.WRITES_FILES in verb.effects]


def of_schema(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that the schema takes."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "string":
            return WORDS
        case "integer":
            return st.integers(schema.get("minimum", -5), min(schema.get("maximum", 50), 50))
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(of_schema({"type": "string", **schema.get("items", {})}), max_size=3)
        case _:
            return st.dictionaries(WORDS, ANYTHING, max_size=3)


@st.composite
def calls(draw: st.DrawFn, names: list[str]) -> tuple[str, dict[str, Any]]:
    """A tool, and arguments: most fit the schema, some are anything at all."""
    name = draw(st.sampled_from(names))
    schema = input_schema(tool_verbs()[name])
    if draw(st.integers(0, 4)) == 0:
        return name, draw(
            st.dictionaries(
                st.one_of(st.sampled_from([*schema["properties"], "x"]), WORDS), ANYTHING, max_size=4
            )
        )
    given_ = {
        key: draw(of_schema(part))
        for key, part in schema["properties"].items()
        if key in schema["required"] or draw(st.booleans())
    }
    return name, given_


@pytest.fixture(scope="module")
def brain() -> Iterator[tuple[Brain, dict[str, str], Path]]:
    with tempfile.TemporaryDirectory() as folder:
        root = harbour_root(Path(folder))
        environment = environment_of(Path(folder), os.environ)
        made = open_brain(str(root), environment=environment)
        yield made, environment, root
        made.close()


def fire(brain: tuple[Brain, dict[str, str], Path], call: tuple[str, dict[str, Any]]) -> None:
    opened, environment, root = brain
    name, arguments = call
    client = Client("fuzzer", caller_root=str(root))
    envelope = answer(opened, client, tool_verbs()[name], arguments, environment)
    assert envelope["schema"] == f"m1nd.{name}/1"
    if not envelope["ok"]:
        error = envelope["error"]
        assert error["code"] not in ("bug", "store_damaged", "chain_broken"), (name, arguments, error)
        assert error["message"]


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(call=calls(HARMLESS))
def test_any_arguments_of_any_tool_get_an_envelope(
    brain: tuple[Brain, dict[str, str], Path], call: tuple[str, dict[str, Any]]
) -> None:
    before = tree_of(brain[2])
    fire(brain, call)
    assert tree_of(brain[2]) == before


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(call=calls(WRITING))
def test_no_guess_of_an_id_writes_a_file(
    brain: tuple[Brain, dict[str, str], Path], call: tuple[str, dict[str, Any]]
) -> None:
    before = tree_of(brain[2])
    fire(brain, call)
    assert tree_of(brain[2]) == before


@pytest.mark.soak
@settings(
    max_examples=20_000, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(call=calls([*HARMLESS, *WRITING]))
def test_any_arguments_at_length(
    brain: tuple[Brain, dict[str, str], Path], call: tuple[str, dict[str, Any]]
) -> None:
    fire(brain, call)
