"""The reads: what they find, how they name it, what they say they left out."""

from pathlib import Path

import pytest
from tests.support.index import MANIFEST

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.context import surgical_context
from m1nd.application.use_cases.queries import impact, search, stats, why
from m1nd.domain.refusal import Refused

FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod geo;\npub mod app;\n",
    "src/geo.rs": (
        "/// Area of a square.\npub fn area(side: u32) -> u32 {\n    side * side\n}\n\npub struct Shape {\n    pub side: u32,\n}\n\n"
        "impl Shape {\n    pub fn area(&self) -> u32 {\n        area(self.side)\n    }\n}\n\npub fn area_of_all() -> u32 {\n    area(1) + area(2)\n}\n"
    ),
    "src/app.rs": (
        "use crate::geo::{area_of_all, Shape};\n\npub fn run(s: &Shape) -> u32 {\n    area_of_all() + s.area()\n}\n\n"
        "pub fn lonely() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn runs() {\n        super::run(&super::Shape { side: 1 });\n    }\n}\n"
    ),
    "docs/area.md": "text",
}


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return open_brain(str(tmp_path), environment={})


def found(brain: Brain, query: str) -> list[str]:
    return [r.item.full_path if r.item is not None else r.path for r in search(brain, query).results]


def test_search_finds_exact_names_first_then_words_then_files(brain: Brain) -> None:
    assert found(brain, "area") == [
        "demo::geo::area",
        "demo::geo::Shape::area",
        "demo::geo::area_of_all",
        "docs/area.md",
    ]
    assert found(brain, "AREA")[:2] == ["demo::geo::area", "demo::geo::Shape::area"]
    assert found(brain, "geo::area") == ["demo::geo::area"]
    assert found(brain, "geo.rs") == ["src/geo.rs"]
    assert found(brain, "arofal") == ["demo::geo::area_of_all"]
    assert found(brain, "geo") == ["demo::geo", "src/geo.rs"]
    assert found(brain, "nothing_like_it") == []


def test_an_item_is_described_by_line_path_and_signature(brain: Brain) -> None:
    item = search(brain, "area_of_all").results[0].item
    assert item is not None
    assert (item.path, item.line, item.end_line, item.kind) == ("src/geo.rs", 16, 18, "fn")
    assert item.signature == "pub fn area_of_all() -> u32"
    assert item.external_id == "file::src/geo.rs::fn::area_of_all"
    assert item.symbol_id.startswith("sym_")


@pytest.mark.parametrize(
    ("symbol", "path"),
    [
        ("area_of_all", "demo::geo::area_of_all"),
        ("crate::geo::area", "demo::geo::area"),
        ("geo::area_of_all", "demo::geo::area_of_all"),
        ("Shape::area", "demo::geo::Shape::area"),
        ("demo::app::run", "demo::app::run"),
        ("src/geo.rs:1", "demo::geo::area"),
        ("src/geo.rs:3", "demo::geo::area"),
        ("src/geo.rs:12", "demo::geo::Shape::area"),
        ("./src/../src/geo.rs:12", "demo::geo::Shape::area"),
        ("geo", "demo::geo"),
        ("Shape", "demo::geo::Shape"),
    ],
)
def test_a_symbol_is_named_in_four_ways(brain: Brain, symbol: str, path: str) -> None:
    assert surgical_context(brain, symbol).symbol.full_path == path


def test_a_symbol_id_names_its_item(brain: Brain) -> None:
    symbol = surgical_context(brain, "run").symbol
    assert surgical_context(brain, symbol.symbol_id).symbol == symbol


@pytest.mark.parametrize(
    ("symbol", "code"),
    [
        ("area", "ambiguous_symbol"),
        ("nope", "symbol_not_found"),
        ("sym_000000000000", "symbol_not_found"),
        ("src/geo.rs:999", "symbol_not_found"),
        ("src/none.rs:1", "symbol_not_found"),
        ("../out.rs:1", "outside_root"),
    ],
)
def test_what_is_not_one_item_is_refused(brain: Brain, symbol: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        surgical_context(brain, symbol)
    assert refused.value.refusal.code == code


def test_a_misspelt_name_is_answered_with_the_nearest(brain: Brain) -> None:
    with pytest.raises(Refused) as refused:
        surgical_context(brain, "area_of_al")
    assert refused.value.refusal.hint == "m1nd context area_of_all"


def test_context_shows_source_uses_users_and_tests(brain: Brain) -> None:
    context = surgical_context(brain, "area_of_all")
    assert context.source.lines == ("pub fn area_of_all() -> u32 {", "    area(1) + area(2)", "}")
    assert (context.source.start_line, context.source.end_line, context.source.truncated) == (16, 18, False)
    assert [(r.item.full_path, r.edge, r.surety) for r in context.uses] == [
        ("demo::geo::area", "calls", "resolved")
    ]
    assert {(r.item.full_path, r.edge) for r in context.used_by} == {
        ("demo::app::run", "calls"),
        ("demo::app::use", "imports"),
    }
    assert [r.item.full_path for r in context.tests] == ["demo::app::tests::runs"]
    assert (context.verdict, context.tier, context.dropped) == ("reverify", "index", ())


def test_context_starts_with_the_doc_comment(brain: Brain) -> None:
    assert surgical_context(brain, "crate::geo::area").source.lines[0] == "/// Area of a square."


def test_a_small_budget_says_what_it_dropped(brain: Brain, tmp_path: Path) -> None:
    users = "".join(f"pub fn user_number_{n}() {{ crate::geo::area_of_all(); }}\n" for n in range(200))
    (tmp_path / "src/app.rs").write_text(FILES["src/app.rs"] + users)
    context = surgical_context(brain, "area_of_all", budget=400)
    (dropped,) = context.dropped
    assert dropped.part == "used_by"
    assert dropped.count + len(context.used_by) == 202
    assert 0 < context.tokens <= 400
    long = "pub fn long() {\n" + "    let x = 1;\n" * 500 + "}\n"
    (tmp_path / "src/geo.rs").write_text(FILES["src/geo.rs"] + long)
    context = surgical_context(brain, "long", budget=300)
    assert context.source.truncated
    assert context.dropped[0].count + len(context.source.lines) == 502


def test_impact_goes_hop_by_hop(brain: Brain) -> None:
    reached = impact(brain, "crate::geo::area", depth=3).reached
    assert [(r.depth, r.item.full_path, r.surety) for r in reached if r.item.kind == "fn"] == [
        (1, "demo::geo::Shape::area", "resolved"),
        (1, "demo::geo::area_of_all", "resolved"),
        (2, "demo::app::run", "method"),
        (3, "demo::app::tests::runs", "resolved"),
    ]
    assert impact(brain, "lonely").reached == ()
    assert {r.item.kind for r in impact(brain, "Shape", depth=2).reached} >= {"impl", "fn", "use"}


def test_why_finds_the_shortest_way_and_says_when_there_is_none(brain: Brain) -> None:
    way = why(brain, "run", "crate::geo::area")
    assert [(s.source.full_path, s.edge, s.target.full_path) for s in way.steps] == [
        ("demo::app::run", "calls", "demo::geo::area_of_all"),
        ("demo::geo::area_of_all", "calls", "demo::geo::area"),
    ]
    assert [s.reverse for s in why(brain, "crate::geo::area", "run").steps] == [True, True]
    assert why(brain, "lonely", "area_of_all").steps == ()
    assert why(brain, "run", "run").steps == ()


def test_stats_add_up(brain: Brain) -> None:
    told = stats(brain)
    assert (told.files, told.modules, told.tests) == (5, 4, 1)
    assert sum(told.items_by_kind.values()) == told.items
    assert sum(sum(counts.values()) for counts in told.edges_by_kind.values()) == told.edges
    assert sum(told.open_by_reason.values()) == told.unresolved


def test_reads_see_an_edit_at_once(brain: Brain, tmp_path: Path) -> None:
    assert found(brain, "fresh_name") == []
    (tmp_path / "src/app.rs").write_text(FILES["src/app.rs"] + "pub fn fresh_name() {}\n")
    assert found(brain, "fresh_name") == ["demo::app::fresh_name"]
