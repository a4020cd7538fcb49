"""Following a change: the smallest edit that shows each rule; what is followed is in every column what a full link gives."""

import pytest
from tests.support.graph_columns import columns_of
from tests.support.index import EXTRACTOR, MANIFEST, graph_of, linker_of, open_references, said

from m1nd.domain.index.codes import Edge
from m1nd.domain.index.graph import IndexGraph, build_graph
from m1nd.domain.index.live import Live
from m1nd.domain.index.matching import matched

LIB = "pub mod a; pub mod b; pub mod c; pub mod t;"
FILES = {
    "src/lib.rs": LIB + " pub fn top() { a::one(); crate::b::nope(); loose() }",
    "src/a.rs": "pub fn one() { crate::b::two() }\npub struct Gull;\nimpl Gull { pub fn new() -> Self { Gull } }\n",
    "src/b.rs": "use crate::a::*;\npub fn two() { one(); wanted(); Gull::dive(); x.soar() }\n",
    "src/c.rs": "pub use crate::b::two;\npub trait Swim { fn swim(&self) {} }\n",
    "src/t.rs": "#[test] fn checks() { crate::a::one() }\n",
}


def followed(path: str, text: str, files: dict[str, str] = FILES) -> IndexGraph | None:
    """The graph after one file has got another text; None where that is not followed. It is the graph of a full link."""
    linker = linker_of(files)
    live = Live(linker, build_graph(linker.linked))
    if not live.follow(linker.columns.paths.index(path), EXTRACTOR.extract(text.encode())):
        return None
    assert columns_of(live.graph) == columns_of(graph_of({**files, path: text}))
    return live.graph


def with_more(path: str, more: str) -> IndexGraph | None:
    return followed(path, FILES[path] + more)


def test_a_body_that_changed_is_linked_again_alone() -> None:
    graph = followed("src/a.rs", FILES["src/a.rs"].replace("crate::b::two()", "crate::top(); crate::b::no()"))
    assert graph is not None
    assert "demo::a::one calls demo::top" in said(graph)
    assert ("crate::b::no", "unknown_path") in {(t.rstrip("("), why) for t, why in open_references(graph)}


def test_a_new_item_is_found_by_whoever_mentions_its_name() -> None:
    graph = with_more("src/a.rs", "pub fn wanted() {}\n")
    assert graph is not None
    assert "demo::b::two calls demo::a::wanted" in said(graph)


def test_a_new_item_before_others_moves_their_numbers_and_no_edge() -> None:
    graph = followed("src/a.rs", "pub fn first() { Gull::new() }\n" + FILES["src/a.rs"])
    assert graph is not None
    assert said(graph) == said(graph_of(FILES)) | {"demo::a::first calls demo::a::Gull::new"}


def test_an_item_that_is_gone_leaves_no_edge() -> None:
    graph = followed("src/a.rs", FILES["src/a.rs"].replace("pub fn one() { crate::b::two() }", ""))
    assert graph is not None
    assert not any("demo::a::one" in edge for edge in said(graph))
    assert ("a::one(", "unknown_path") in open_references(graph)


def test_a_new_method_is_a_name_behind_its_type() -> None:
    graph = followed(
        "src/a.rs", FILES["src/a.rs"].replace("pub fn new", "pub fn dive() {} pub fn soar() {} pub fn new")
    )
    assert graph is not None
    assert {
        "demo::b::two calls demo::a::Gull::dive",
        "demo::b::two calls demo::a::Gull::soar (method)",
    } <= said(graph, Edge.CALLS)


def test_a_name_that_becomes_private_is_lost_to_those_who_import_it_whole() -> None:
    files = {**FILES, "src/b.rs": "use crate::a::*;\npub fn two() { calm() }\n"}
    files["src/a.rs"] += "pub fn calm() {}\n"
    graph = followed("src/a.rs", files["src/a.rs"].replace("pub fn calm", "fn calm"), files)
    assert graph is not None
    assert said(graph, Edge.CALLS) >= {"demo::b::two calls demo::a::calm (name_only)"}


def test_a_second_item_of_a_name_is_a_twin_of_the_first() -> None:
    graph = followed("src/a.rs", FILES["src/a.rs"] + "#[cfg(x)] pub fn one() {}\n")
    assert graph is not None
    assert [e for e in said(graph, Edge.CALLS) if e.startswith("demo::top")] == [
        "demo::top calls demo::a::one"
    ]
    assert sum(1 for end, _ in graph.out.of(graph.items_named("top")[0]) if graph.name_of(end) == "one") == 2


def test_items_that_change_their_order_are_the_same_items() -> None:
    graph = followed(
        "src/b.rs",
        "fn late() {}\n" + FILES["src/b.rs"],
        {**FILES, "src/b.rs": FILES["src/b.rs"] + "fn late() {}\n"},
    )
    assert graph is not None
    assert graph.items_named("late") == [graph.first[1]]


def test_a_function_that_becomes_a_test_tests_what_it_calls_and_is_tested_no_more() -> None:
    graph = followed("src/a.rs", FILES["src/a.rs"].replace("pub fn one", "#[test] pub fn one"))
    assert graph is not None
    assert said(graph, Edge.TESTS) == {"demo::a::one tests demo::b::two"}


def test_an_item_inside_a_body_gives_the_body_a_scope() -> None:
    graph = followed("src/a.rs", FILES["src/a.rs"].replace("crate::b::two()", "fn wanted() {} wanted()"))
    assert graph is not None
    assert "demo::a::one calls demo::a::one::wanted" in said(graph)


def test_a_new_variant_is_a_name_of_those_who_import_its_enum_whole() -> None:
    files = {
        **FILES,
        "src/a.rs": "pub enum Sea { Calm }\n",
        "src/b.rs": "use crate::a::Sea::*;\nfn f() { Calm; Rough; }\n",
    }
    graph = followed("src/a.rs", "pub enum Sea { Rough, Calm }\n", files)
    assert graph is not None
    assert {"demo::b::f references demo::a::Sea::Rough", "demo::b::f references demo::a::Sea::Calm"} <= said(
        graph
    )


def test_a_new_import_is_a_name_of_its_scope() -> None:
    graph = followed(
        "src/t.rs", "use crate::c::Swim;\nuse crate::b::two as wanted;\nfn f() { wanted(); Swim::swim() }\n"
    )
    assert graph is not None
    assert {
        "demo::t::use imports demo::b::two",
        "demo::t::f calls demo::b::two",
        "demo::t::f calls demo::c::Swim::swim",
    } <= said(graph)


def test_an_import_that_is_gone_is_no_name_any_more() -> None:
    files = {**FILES, "src/t.rs": "use crate::b::two as wanted;\nfn f() { wanted() }\n"}
    graph = followed("src/t.rs", "fn f() { wanted() }\n", files)
    assert graph is not None
    assert not any(edge.startswith("demo::t::") for edge in said(graph, Edge.CALLS, Edge.IMPORTS))


def test_an_import_that_brings_nothing_is_open() -> None:
    graph = followed("src/t.rs", "use crate::b::nothing;\n")
    assert graph is not None
    assert ("crate::b::nothing", "unknown_import") in open_references(graph)


def test_an_import_keeps_what_it_brings_when_its_list_grows() -> None:
    files = {**FILES, "src/t.rs": "use crate::{b::two};\nfn f() { two() }\n"}
    graph = followed("src/t.rs", "use crate::{b::two, c::Swim};\nfn f() { two(); Swim::swim() }\n", files)
    assert graph is not None
    assert {"demo::t::f calls demo::b::two", "demo::t::f calls demo::c::Swim::swim"} <= said(graph)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/a.rs", FILES["src/a.rs"] + "use crate::b::*;\n"),
        ("src/a.rs", FILES["src/a.rs"] + "use crate::t::Gull;\n"),
        ("src/b.rs", FILES["src/b.rs"] + "use crate::t as one;\n"),
        ("src/b.rs", FILES["src/b.rs"] + "use crate::c::two as three;\n"),
        ("src/lib.rs", FILES["src/lib.rs"] + "use b::Gull as c_gull;\n"),
        ("src/a.rs", FILES["src/a.rs"] + "mod inner {}\n"),
        ("src/a.rs", FILES["src/a.rs"] + "impl Gull {}\n"),
        ("src/a.rs", FILES["src/a.rs"] + "macro_rules! m { () => {} }\n"),
        ("src/a.rs", FILES["src/a.rs"].replace("Gull", "Tern")),
        ("src/b.rs", FILES["src/b.rs"].replace("two", "three")),
        ("src/c.rs", FILES["src/c.rs"].replace("fn swim(&self) {}", "fn sink(&self) {}")),
        ("src/lib.rs", FILES["src/lib.rs"].replace("mod t;", "mod t {}")),
        ("src/lib.rs", "#![cfg(x)]\n" + FILES["src/lib.rs"]),
    ],
)
def test_what_reaches_further_than_names_of_plain_items_is_not_followed(path: str, text: str) -> None:
    assert followed(path, text) is None


def test_a_file_that_is_several_modules_is_followed_while_its_items_stay() -> None:
    files = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": "",
        "tests/a.rs": "mod common;",
        "tests/b.rs": "mod common;",
        "tests/common/mod.rs": "pub fn set() {}",
    }
    assert followed("tests/common/mod.rs", "pub fn set() { set() }", files) is not None
    assert followed("tests/common/mod.rs", "pub fn set() {} pub fn more() {}", files) is None


def test_earlier_graphs_stay_as_they_were() -> None:
    linker = linker_of(FILES)
    live = Live(linker, build_graph(linker.linked))
    first = live.graph
    assert live.follow(0, EXTRACTOR.extract((FILES["src/a.rs"] + "pub fn wanted() {}").encode()))
    second, known = live.graph, columns_of(live.graph)
    assert live.follow(0, EXTRACTOR.extract(FILES["src/a.rs"].encode()))
    assert columns_of(first) == columns_of(live.graph) == columns_of(graph_of(FILES))
    assert columns_of(second) == known


def test_many_new_items_wear_the_numbers_out() -> None:
    linker = linker_of({"src/lib.rs": "fn start() {}"})
    live = Live(linker, build_graph(linker.linked))
    texts = ["".join(f"fn f{n}_{turn}() {{}}\n" for n in range(1500)) for turn in range(3)]
    assert [live.follow(0, EXTRACTOR.extract(text.encode())) for text in texts] == [True, True, False]


def test_items_are_matched_by_name_within_what_they_stand_in() -> None:
    old = EXTRACTOR.extract(b"fn a() {} impl S { fn a() {} fn b() {} } fn c() {}")
    new = EXTRACTOR.extract(b"fn c() {} fn a() {} impl S { fn b() {} fn d() {} }")
    found = matched(old, range(10, 15), new, 90)
    assert found is not None
    assert list(found.items) == [14, 10, 11, 13, 90]
    assert (list(found.fresh), list(found.gone), set(found.moved)) == ([4], [12], {14})
    assert (set(found.named), set(found.members)) == (set(), {"a", "d"})
