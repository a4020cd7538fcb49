"""A hint that is a whole command line is also given as the tool call that it means."""

import pytest

from m1nd.adapters.mcp.next_call import next_call


@pytest.mark.parametrize(
    ("hint", "tool", "arguments"),
    [
        (
            "m1nd transplant preview clearance src/berth.rs src/draught.rs",
            "transplant_preview",
            {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"},
        ),
        ("m1nd context crate::a::b", "surgical_context", {"symbol": "crate::a::b"}),
        ("m1nd search two words", "search", {"query": "two words"}),
        ("m1nd search 'a b' --limit 3", "search", {"query": "a b", "limit": 3}),
        ("m1nd ingest", "ingest", {}),
        (
            "m1nd transplant commit pre_1 --yes --verify check",
            "transplant_commit",
            {"preview_id": "pre_1", "confirm": True, "verify": "check"},
        ),
        ("m1nd transplant list", "transplant_list", {}),
        ("m1nd audit verify", "audit_verify", {}),
    ],
)
def test_a_command_line_becomes_a_call(hint: str, tool: str, arguments: dict[str, object]) -> None:
    assert next_call(hint) == {"tool": tool, "arguments": arguments}


@pytest.mark.parametrize(
    "hint",
    [
        "",
        "rename one of the two first",
        "m1nd",
        "m1nd transplant preview SYMBOL SOURCE DEST",
        "m1nd transplant move … --accept-unresolved",
        "m1nd transplant commit {preview_id} --yes",
        "m1nd transplant preview clearance",
        "m1nd transplant list extra",
        "m1nd frobnicate",
        "m1nd --root DIR ingest",
        "m1nd demo",
        "m1nd owner stop",
        "m1nd stamp stp_1",
        "m1nd search 'unfinished",
        "m1nd search --limit x y",
    ],
)
def test_what_is_no_whole_line_of_a_tool_becomes_none(hint: str) -> None:
    assert next_call(hint) is None


def test_a_line_that_names_a_file_is_no_call_since_a_tool_takes_its_content() -> None:
    assert next_call("m1nd edit preview plan.json") is None
