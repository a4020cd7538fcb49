"""Antibodies: what a pattern may say, what a scan finds, and that a scan is a bounded read."""

import json
import os
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.door import Door, harbour
from tests.support.index import graph_of

from m1nd.domain.index.addresses import full_path
from m1nd.domain.index.codes import SURETY_SHIFT, Edge, Surety
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.memory import scan
from m1nd.domain.memory.antibodies import Pattern, pattern_of
from m1nd.domain.memory.scan import Eyes, find
from m1nd.domain.refusal import Refused

FILES = {
    "src/lib.rs": "pub mod hull;\npub mod keel;\n",
    "src/hull.rs": (
        "use crate::keel::weigh;\n"
        "pub struct Hull { pub beam: u32 }\n"
        "impl Hull { pub fn mass(&self) -> u32 { weigh(self.beam) } }\n"
        "pub fn load(hull: &Hull) -> u32 { weigh(hull.beam) + check(1) }\n"
        "fn check(x: u32) -> u32 { Some(x).unwrap() }\n"
        "#[test]\nfn loads() { load(&Hull { beam: 1 }); }\n"
    ),
    "src/keel.rs": "pub fn weigh(x: u32) -> u32 { x }\npub fn spare() -> u32 { 1 }\n",
}
GRAPH = graph_of(FILES)
BLIND = Eyes(lambda node: frozenset(), lambda node: b"", lambda symbol_id: None)


def text_of(node: int) -> bytes:
    _, start, end = GRAPH.span_of(node)
    return FILES[GRAPH.path_of(node)].encode()[start:end]


EYES = Eyes(
    lambda node: frozenset({"hot"} if GRAPH.name_of(node) == "weigh" else ()),
    lambda node: text_of(node) if node < GRAPH.item_count else b"",
    lambda symbol_id: GRAPH.items_named("check")[0] if symbol_id == "sym_000000000001" else None,
)


def found(given: dict[str, Any], limit: int = 50) -> list[tuple[str, ...]]:
    matches = find(GRAPH, pattern_of(given), EYES, limit).matches
    return [tuple(full_path(GRAPH, node) for node in match) for match in matches]


def test_a_scan_finds_items_by_kind_name_text_tag_and_identity() -> None:
    assert found({"nodes": [{"role": "a", "node_type": "struct", "label": "Hull"}]}) == [
        ("demo::hull::Hull",)
    ]
    assert found({"nodes": [{"role": "a", "node_type": "fn", "text_contains": "unwrap()"}]}) == [
        ("demo::hull::check",)
    ]
    assert found({"nodes": [{"role": "a", "required_tags": ["hot"]}]}) == [("demo::keel::weigh",)]
    assert found({"nodes": [{"role": "a", "symbol_id": "sym_000000000001"}]}) == [("demo::hull::check",)]
    assert found({"nodes": [{"role": "a", "symbol_id": "sym_000000000002"}]}) == []
    assert found({"nodes": [{"role": "a", "label_contains": "eig"}]}) == [("demo::keel::weigh",)]


def test_a_scan_follows_edges_and_containment() -> None:
    calls = {
        "nodes": [{"role": "user", "node_type": "fn"}, {"role": "used", "label": "weigh"}],
        "edges": [{"source_idx": 0, "target_idx": 1, "relation": "calls"}],
    }
    assert found(calls) == [
        ("demo::hull::Hull::mass", "demo::keel::weigh"),
        ("demo::hull::load", "demo::keel::weigh"),
    ]
    held = {
        "nodes": [{"role": "module", "node_type": "module"}, {"role": "fn", "label": "spare"}],
        "edges": [{"source_idx": 0, "target_idx": 1, "relation": "contains"}],
    }
    assert found(held) == [("demo::keel", "demo::keel::spare")]


def test_a_node_of_negative_edges_alone_must_not_be_there() -> None:
    unused = {
        "nodes": [{"role": "idle", "node_type": "fn"}, {"role": "user"}],
        "negative_edges": [{"source_idx": 1, "target_idx": 0, "relation": "calls"}],
    }
    assert ("demo::keel::spare",) in found(unused)
    assert ("demo::keel::weigh",) not in found(unused)


def test_a_search_that_runs_out_of_steps_says_so_and_answers_the_same_twice() -> None:
    wide = pattern_of({"nodes": [{"role": "a", "node_type": "fn", "text_contains": "u32"}]})
    assert find(GRAPH, wide, EYES, 2).exhausted
    short = [find(GRAPH, wide, EYES, 50, steps=5) for _ in range(2)]
    assert short[0] == short[1]
    assert short[0].exhausted


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (None, "bad_pattern"),
        ({"nodes": []}, "bad_pattern"),
        ({"nodes": [{"role": "a"}] * 13}, "bad_pattern"),
        ({"nodes": [{"role": "a", "label_matches": "(a+)+$"}]}, "bad_pattern"),
        ({"nodes": [{"role": "a", "node_type": "class", "label": "x"}]}, "bad_pattern"),
        (
            {"nodes": [{"role": "a", "label": "x"}], "edges": [{"source_idx": 0, "target_idx": 1}]},
            "bad_pattern",
        ),
        (
            {
                "nodes": [{"role": "a", "label": "x"}] * 2,
                "edges": [{"source_idx": 0, "target_idx": 1, "relation": "eats"}],
            },
            "bad_pattern",
        ),
        ({"nodes": [{"role": "a", "label": "x"}, {"role": "b", "label": "y"}]}, "bad_pattern"),
        ({"nodes": [{"role": "a", "node_type": "fn"}]}, "antibody_vague"),
    ],
    ids=[
        "no object",
        "empty",
        "too many",
        "a regex",
        "a kind",
        "an edge to nowhere",
        "a relation",
        "apart",
        "vague",
    ],
)
def test_a_pattern_that_says_nothing_sound_is_refused(given: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        pattern_of(given)
    assert refused.value.refusal.code == code


KINDS = st.sampled_from(["", "fn", "struct", "module", "impl"])
NODES = st.fixed_dictionaries(
    {"role": st.just("r"), "node_type": KINDS, "label_contains": st.sampled_from(["", "e", "w"])}
)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Two or three items in a chain, and maybe an edge that must not be there."""
    nodes = draw(st.lists(NODES, min_size=2, max_size=3))
    relation = st.sampled_from(["", "calls", "references", "contains"])
    ends = st.sampled_from([(0, 1), (1, 0)])
    edges = []
    for number in range(1, len(nodes)):
        source, target = draw(ends)
        pair = (number - 1, number) if (source, target) == (0, 1) else (number, number - 1)
        edges.append({"source_idx": pair[0], "target_idx": pair[1], "relation": draw(relation)})
    denied = draw(st.booleans())
    negative = [{"source_idx": 0, "target_idx": len(nodes) - 1, "relation": draw(relation)}] if denied else []
    return Pattern.model_validate({"nodes": nodes, "edges": edges, "negative_edges": negative})


def by_force(graph: IndexGraph, pattern: Pattern) -> set[tuple[int, ...]]:
    """Every assignment of different nodes, tried one by one."""
    pools = [
        [n for n in range(graph.node_count) if scan._fits(graph, wanted, n, BLIND)]
        for wanted in pattern.nodes
    ]
    members = sorted({node for pool in pools for node in pool})
    matches = set()
    for match in permutations(members, len(pattern.nodes)):
        if any(node not in pool for node, pool in zip(match, pools, strict=True)):
            continue
        if all(
            has_edge(graph, match[e.source_idx], match[e.target_idx], e.relation, 1) for e in pattern.edges
        ) and not any(
            has_edge(graph, match[e.source_idx], match[e.target_idx], e.relation, 2)
            for e in pattern.negative_edges
        ):
            matches.add(match)
    return matches


def has_edge(graph: IndexGraph, source: int, target: int, relation: str, surest: int) -> bool:
    for at in range(graph.out.offsets[source], graph.out.offsets[source + 1]):
        byte = graph.out.kinds[at]
        sure = byte >> SURETY_SHIFT <= Surety(surest)
        if graph.out.ends[at] == target and sure and relation in ("", Edge(byte & 15).name.lower()):
            return True
    if relation not in ("", "contains") or target >= graph.item_count:
        return False
    holders = graph.holders(target)
    return source == (holders[0] if holders else graph.item_count + graph.module[target])


@given(patterns())
def test_a_scan_finds_just_what_trying_everything_finds(pattern: Pattern) -> None:
    answer = find(GRAPH, pattern, BLIND, 10_000)
    assert not answer.exhausted
    assert set(answer.matches) == by_force(GRAPH, pattern)


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


def create(door: Door, tmp_path: Path, **fields: Any) -> tuple[int, dict[str, Any]]:
    path = tmp_path / "pattern.json"
    path.write_text(json.dumps(fields))
    return door.ask("antibody", "create", str(path))


FEE = {"nodes": [{"role": "fee", "node_type": "fn", "label_contains": "fee"}]}


def test_one_that_is_disabled_is_not_looked_for_and_a_deleted_one_is_unknown(
    door: Door, tmp_path: Path
) -> None:
    id = create(door, tmp_path, name="fees", pattern=FEE)[1]["data"]["antibody_id"]
    status, answer = door.ask("antibody", "scan")
    assert (status, answer["data"]["matches"][0]["nodes"][0]["item"]["name"]) == (1, "berth_fee")
    door.ask("antibody", "disable", id)
    assert door.ask("antibody", "scan")[1]["data"]["scanned"] == 0
    assert door.ask("antibody", "scan", id)[1]["data"]["scanned"] == 1
    door.ask("antibody", "delete", id)
    for line in (("enable", id), ("delete", id), ("scan", id), ("disable", "anb_x")):
        assert door.ask("antibody", *line)[1]["error"]["code"] == "antibody_unknown"


def test_a_scan_looks_only_at_the_files_asked_for(door: Door, tmp_path: Path) -> None:
    create(door, tmp_path, name="fees", pattern=FEE)
    rev = door.ask("ingest")[1]["graph_rev"]
    assert door.ask("antibody", "scan", "--path", "src/berth.rs")[1]["data"]["matches"] == []
    assert len(door.ask("antibody", "scan", "--path", "src/fees.rs")[1]["data"]["matches"]) == 1
    assert door.ask("antibody", "scan", "--since", str(rev))[1]["data"]["matches"] == []
    fees = door.root / "src" / "fees.rs"
    fees.write_text(fees.read_text() + "\n")
    assert len(door.ask("antibody", "scan", "--since", str(rev))[1]["data"]["matches"]) == 1


def test_an_antibody_like_another_or_of_an_unknown_form_is_refused(door: Door, tmp_path: Path) -> None:
    assert create(door, tmp_path, name="fees", pattern=FEE)[0] == 0
    same = {"nodes": [{**FEE["nodes"][0], "role": "other"}]}
    assert create(door, tmp_path, name="again", pattern=same)[1]["error"]["code"] == "antibody_duplicate"
    other = {"nodes": [{"role": "a", "label": "x"}]}
    for fields in ({"name": "x", "pattern": other, "regex": "a"}, {"name": "", "pattern": other}):
        assert create(door, tmp_path, **fields)[1]["error"]["code"] == "bad_pattern"
    severity = create(door, tmp_path, name="x", pattern=other, severity="mild")[1]
    assert severity["error"]["code"] == "bad_pattern"
    assert len(door.ask("antibody", "list")[1]["data"]["antibodies"]) == 1
