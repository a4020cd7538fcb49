"""What agents are shown of the verb table, and the check of what they give (PORTS.md, MCP)."""

import json
import re
from typing import Any

import pytest

from m1nd.adapters.mcp import resources, teaching
from m1nd.adapters.mcp.client import ALL, Client
from m1nd.adapters.mcp.tools import CORE_TOOLS, checked, input_schema, listed, tool_verbs
from m1nd.adapters.verbs import VERBS
from m1nd.domain.card.cadence import RULE, STRUCTURALLY
from m1nd.domain.refusal import Refused

EVERYTHING = Client("tester", profile=ALL)
KEYWORDS = {"type", "description", "enum", "minimum", "maximum", "items"}


def refusal(verb: str, **arguments: Any) -> tuple[str, str, list[str]]:
    with pytest.raises(Refused) as caught:
        checked(VERBS[verb], arguments)
    found = caught.value.refusal
    assert found.hint.startswith(f"call {verb}(")
    return found.code, found.message, found.details["allowed"]


def test_every_application_verb_is_a_tool_but_those_of_a_terminal() -> None:
    shown = {tool.name for tool in listed(EVERYTHING)}
    assert shown == {
        v.name for v in VERBS.values() if v.use_case.startswith("m1nd.application.") and not v.terminal
    }
    assert not shown & {"log_export", "log_import", "demo", "completion", "owner_stop"}


def test_the_core_profile_is_the_default_and_small() -> None:
    core = [tool.name for tool in listed(Client("tester"))]
    assert core == [name for name in CORE_TOOLS if name in tool_verbs()]
    assert len(CORE_TOOLS) <= 18
    wire = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed(Client("tester"))]
    assert len(json.dumps(wire, separators=(",", ":"))) <= 18_000


@pytest.mark.parametrize("name", list(tool_verbs()))
def test_a_tool_is_small_plain_and_closed(name: str) -> None:
    tool = next(tool for tool in listed(EVERYTHING) if tool.name == name)
    assert re.fullmatch(r"[a-z][a-z0-9_]{1,31}", tool.name)
    assert tool.description is not None
    assert 20 <= len(tool.description) <= teaching.MOST_DESCRIPTION
    assert tool.input_schema["type"] == "object"
    assert tool.input_schema["additionalProperties"] is False
    for parameter, schema in tool.input_schema["properties"].items():
        assert set(schema) <= KEYWORDS, parameter
        assert schema["description"], parameter
    assert tool.output_schema is None
    assert tool.annotations is not None
    assert tool.annotations.read_only_hint is VERBS[name].pure_read
    assert tool.annotations.destructive_hint is VERBS[name].destructive
    assert tool.annotations.open_world_hint is False


def test_a_read_only_client_is_shown_reads_alone() -> None:
    shown = listed(Client("tester", read_only=True, profile=ALL))
    assert {tool.name for tool in shown} == {v.name for v in tool_verbs().values() if v.pure_read}


def test_only_north_is_loaded_at_once() -> None:
    loaded = [tool.name for tool in listed(EVERYTHING) if (tool.meta or {}).get("anthropic/alwaysLoad")]
    assert loaded == [name for name in ("north",) if name in tool_verbs()]


def test_the_instructions_are_short_begin_with_the_first_step_and_carry_the_rule_of_the_card() -> None:
    text = teaching.instructions()
    assert len(text) <= teaching.MOST_INSTRUCTIONS
    assert text.startswith("Call `north` first")
    assert RULE in text
    assert [test for test in STRUCTURALLY if test not in text] == []


def test_an_unknown_argument_is_named_before_the_missing_one_it_was_meant_for() -> None:
    code, message, allowed = refusal("search", quary="x")
    assert (code, message) == ("usage", "`search`: there is no argument `quary`")
    assert allowed == ["limit", "query", "since_rev"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "the argument `query` is missing"),
        ({"query": 7}, "`query` must be of type string, not integer"),
        ({"query": "x", "limit": "3"}, "`limit` must be of type integer, not string"),
        ({"query": "x", "limit": True}, "`limit` must be of type integer, not boolean"),
        ({"query": "x", "limit": 0}, "`limit` must be at least 1"),
        ({"query": "x", "limit": 1001}, "`limit` must be at most 1000"),
        ({"query": None}, "`query` must be of type string, not null"),
    ],
)
def test_each_wrong_argument_is_named(arguments: dict[str, Any], problem: str) -> None:
    assert refusal("search", **arguments)[1] == f"`search`: {problem}"


def test_a_value_outside_a_list_is_refused_with_the_list() -> None:
    message = refusal("transplant_commit", preview_id="pre_1", confirm=True, verify="maybe")[1]
    assert message == "`transplant_commit`: `verify` must be one of check, none"


def test_a_whole_number_is_an_integer_however_json_spells_it() -> None:
    given = checked(VERBS["search"], {"query": "x", "limit": 3.0})
    assert given == {"query": "x", "limit": 3}
    assert isinstance(given["limit"], int)


def test_every_read_takes_since_rev_and_no_write_does() -> None:
    for verb in tool_verbs().values():
        assert ("since_rev" in input_schema(verb)["properties"]) is verb.pure_read, verb.name


@pytest.mark.parametrize(
    "uri",
    [
        "m1nd://nothing",
        "m1nd://log/7",
        "m1nd://log?after=x",
        "m1nd://log?limit=3",
        "m1nd://status/../log",
        "file:///etc/passwd",
        "m1nd://",
        "",
        "m1nd://blocks/%2e%2e%2fx",
    ],
)
def test_an_address_that_is_none_leads_nowhere(uri: str) -> None:
    assert resources.locate(uri) is None


def test_a_resource_is_a_pure_read_with_fixed_arguments() -> None:
    for address in resources.known():
        assert VERBS[address.verb].pure_read
    found = resources.locate("m1nd://log?after=7")
    assert found is not None
    assert (found[0].name, found[1]) == ("log", {"after": 7})


@pytest.mark.parametrize("name", ["orient", "move", "land"])
def test_a_prompt_quotes_what_it_was_given_as_data(name: str) -> None:
    given = {"task": "a\nb", "symbol": "`x`", "source_file": "a.rs", "dest_file": "b.rs"}
    text = teaching.prompt_text(name, given)
    assert text.startswith("1. ")
    assert "a\nb" not in text


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("memorize", {"claim": "half a pair: \ud800"}),
        ("light_export", {"claim_ids": ["\udcff"]}),
        ("candidate_edit", {"ops": [{"\ud800": 1}]}),
        ("impact", {"symbol": "a", "since_rev": 1 << 63}),
    ],
)
def test_what_no_log_can_hold_is_refused_by_name(verb: str, arguments: dict[str, Any]) -> None:
    code, message, _ = refusal(verb, **arguments)
    assert code == "usage"
    assert f"`{list(arguments)[-1]}` holds" in message
