"""Paint: the survey's states and their order, versions, retags, and the ledger."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.door import Door
from tests.support.index import MANIFEST
from tests.support.log import command, opened

from m1nd.domain.memory.paint import (
    STATE,
    Operation,
    PaintedNode,
    PaintState,
    Survey,
    TaggedNode,
    checked_tags,
    retagged,
)
from m1nd.domain.refusal import Refused
from m1nd.domain.symbols import Address
from m1nd.infrastructure.views import open_views

FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "mod keel;\npub use keel::weigh;\n",
    "src/keel.rs": (
        "pub fn weigh(x: u32) -> u32 { deep(x) }\n"
        "fn deep(x: u32) -> u32 { x }\n"
        "pub fn plain(x: u32) -> u32 { helper(x) }\n"
        "fn helper(x: u32) -> u32 { x }\n"
        "fn spare() -> u32 { 1 }\n"
        "fn risky() -> u32 { Some(1).unwrap() }\n"
        "#[test]\nfn weighs() { assert_eq!(weigh(1), 1); }\n"
    ),
}
NODE = Address(kind="fn", module="demo::keel", name="deep")


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    root = tmp_path / "demo"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    return Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})


def paint(door: Door, *line: str) -> dict[str, Any]:
    status, answer = door.ask("paint", *line)
    assert status == 0, answer
    return dict(answer["data"])


def states(answer: dict[str, Any]) -> dict[str, str]:
    return {change["item"]["name"]: change["tag"].removeprefix(STATE) for change in answer["changes"]}


def test_a_survey_tells_erosion_bedrock_overgrowth_and_the_rest_apart_in_this_order(
    door: Door, tmp_path: Path
) -> None:
    pattern = tmp_path / "p.json"
    pattern.write_text(
        '{"name": "unwrap", "pattern": {"nodes": [{"role": "a", "node_type": "fn", "text_contains": "unwrap()"}]}}'
    )
    assert door.ask("antibody", "create", str(pattern))[0] == 0
    assert door.ask("memory", "add", "Helpers help", "--state", "verified", "--evidence", "helper")[0] == 0
    survey = paint(door, "run")
    assert states(survey) == {
        "weigh": "bedrock",
        "deep": "bedrock",
        "plain": "unproven",
        "helper": "bedrock",
        "spare": "overgrowth",
        "risky": "erosion-candidate",
    }
    assert (survey["scanned"], survey["proof_coverage"]) == (6, 0.5)
    assert (survey["version"], survey["committed"]) == (0, False)
    assert paint(door, "show")["items"] == []


def test_a_commit_paints_only_what_changes_and_a_stale_version_refuses_it(door: Door) -> None:
    assert paint(door, "run", "--yes")["version"] == 1
    assert paint(door, "run")["changes"] == []
    keel = door.root / "src" / "keel.rs"
    keel.write_text(keel.read_text() + "#[test]\nfn helps() { plain(1); }\n")
    again = paint(door, "run", "--yes", "--expect-version", "1")
    assert states(again) == {"plain": "bedrock", "helper": "bedrock"}
    for line in (("run", "--expect-version", "1"), ("run", "--yes", "--expect-version", "1")):
        status, answer = door.ask("paint", *line)
        assert (status, answer["error"]["code"], answer["error"]["retryable"]) == (5, "paint_conflict", True)
    assert [row["version"] for row in paint(door, "ledger")["commits"]] == [2, 1]
    assert paint(door, "show", "plain")["items"][0]["tags"] == ["xray:state:bedrock"]


def test_retags_choose_by_all_conditions_at_once(door: Door) -> None:
    chosen = paint(door, "retag", "add", "hot", "--path", "src/keel.rs", "--kind", "fn")
    assert (len(chosen["changed"]), chosen["committed"], chosen["version"]) == (7, False, 0)
    paint(door, "retag", "add", "hot", "cold", "--symbol", "deep", "--symbol", "weigh", "--yes")
    paint(door, "retag", "remove", "cold", "--tagged", "hot", "--symbol", "deep", "--yes")
    tags = {row["item"]["name"]: row["tags"] for row in paint(door, "show", "--tag", "hot")["items"]}
    assert tags == {"deep": ["hot"], "weigh": ["cold", "hot"]}
    assert paint(door, "retag", "set", "--tagged", "cold", "--yes")["changed"][0]["name"] == "weigh"
    assert [row["item"]["name"] for row in paint(door, "show")["items"]] == ["deep"]


def test_tags_of_what_is_gone_are_shown_and_can_be_taken_away(door: Door) -> None:
    paint(door, "retag", "add", "hot", "--symbol", "spare", "--yes")
    keel = door.root / "src" / "keel.rs"
    keel.write_text(keel.read_text().replace("fn spare() -> u32 { 1 }\n", ""))
    (row,) = paint(door, "show")["items"]
    assert (row["item"], row["tags"]) == (None, ["hot"])
    assert paint(door, "retag", "remove", "hot", "--tagged", "hot", "--yes")["lost"] == [row["symbol_id"]]
    assert paint(door, "show")["items"] == []


@pytest.mark.parametrize(
    "line",
    [
        ("retag", "add", "hot"),
        ("retag", "add", "--symbol", "deep"),
        ("retag", "add", "Hot!", "--symbol", "deep"),
        ("retag", "add", "xray:state:golden", "--symbol", "deep"),
        ("retag", "add", "xray:state:bedrock", "xray:state:unproven", "--symbol", "deep"),
        ("run", "--symbol", "crate::keel"),
    ],
)
def test_a_retag_that_says_nothing_sound_is_refused(door: Door, line: tuple[str, ...]) -> None:
    status, answer = door.ask("paint", *line, "--yes")
    assert (status, answer["error"]["code"]) == (2, "usage")


TAGS = st.frozensets(st.sampled_from(["a", "b", "c"]))
STATES = st.sampled_from([None, *PaintState])


@given(TAGS, STATES, TAGS, STATES, st.sampled_from(["add", "remove", "set"]))
def test_an_item_is_in_one_state_at_most_and_a_retag_done_twice_is_done_once(
    had: frozenset[str],
    was: PaintState | None,
    tags: frozenset[str],
    state: PaintState | None,
    operation: Operation,
) -> None:
    before = had | ({was.value} if was else set())
    asked = sorted(tags | ({state.value} if state else set()))
    if operation == "add" and not asked:
        return
    after = retagged(operation, frozenset(before), checked_tags(operation, asked) if asked else ())
    assert sum(tag.startswith(STATE) for tag in after) <= 1
    assert retagged(operation, after, asked) == after


def test_a_large_commit_is_several_events_and_one_line_of_the_ledger(tmp_path: Path) -> None:
    nodes = tuple(
        PaintedNode(symbol_id=f"sym_{n:012x}", place=NODE, tag=PaintState.UNPROVEN, reason="-")
        for n in range(2500)
    )
    with opened(tmp_path) as app:
        assert app.record_paint(Survey("all", 2500, {PaintState.UNPROVEN: 2500}, nodes), 0, command(1)) == 1
        assert app.log_head().count == 4
        with pytest.raises(Refused) as refused:
            app.record_retag(
                "add", ("hot",), "x", [TaggedNode(symbol_id="sym_000000000000", place=NODE)], 0, command(2)
            )
        assert refused.value.refusal.code == "paint_conflict"
        views = open_views(str(tmp_path), app)
        assert [(row.version, row.changed, row.scanned) for row in views.paint_ledger()] == [(1, 2500, 2500)]
        assert len(views.tags()) == 2500
        assert views.check() == ()
        views.close()
