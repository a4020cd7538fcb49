"""The ranking behind `north`: seeds by words, a walk over edges, a reason for every node."""

from tests.support.index import graph_of

from m1nd.domain.north.focus import Ranking, rank, task_words
from m1nd.domain.north.spreading import spread
from m1nd.domain.north.sufficiency import sufficiency
from m1nd.domain.north.texts import Texts, read_texts

FILES = {
    "src/lib.rs": "pub mod http;\npub mod store;\n",
    "src/http.rs": (
        "use crate::store::open_log;\n\npub fn parse_header(text: &str) -> u32 { split(text) }\nfn split(_: &str) -> u32 { 0 }\n"
        'pub struct HeaderParser;\nimpl HeaderParser { pub fn serve(&self) { open_log(); parse_header(""); } }\n'
        '#[cfg(test)]\nmod tests {\n    #[test]\n    fn parses_a_header() { super::parse_header(""); }\n}\n'
    ),
    "src/store.rs": "pub fn open_log() -> u32 { lock() }\nfn lock() -> u32 { 1 }\npub fn unrelated() {}\n",
}
GRAPH = graph_of(FILES)


def labels(ranking: Ranking) -> list[str]:
    return [GRAPH.name_of(found.node) for found in ranking.nodes]


def reasons(ranking: Ranking) -> dict[str, str]:
    return {GRAPH.name_of(found.node): found.why for found in ranking.nodes}


def test_the_words_of_a_task_are_its_telling_ones() -> None:
    assert task_words("Fix the parse_header bug: HTTPServer fails to parse 2 headers") == (
        "parse_header",
        "parse",
        "header",
        "httpserver",
        "http",
        "server",
        "fails",
        "2",
        "headers",
    )
    assert task_words("please add support for the new") == ()


def test_the_item_that_all_words_name_comes_first_then_those_that_some_name() -> None:
    found = rank(GRAPH, "the header parsing of http", 8)
    assert labels(found)[0] == "parse_header"
    assert {"HeaderParser", "parses_a_header"} < set(labels(found))
    assert reasons(found)["parse_header"] == "name: header, parsing; path: http"
    assert "unrelated" not in labels(found)


def test_a_test_comes_behind_the_code_unless_the_task_speaks_of_tests() -> None:
    quiet = labels(rank(GRAPH, "header", 8))
    assert quiet.index("parse_header") < quiet.index("parses_a_header")
    spoken = rank(GRAPH, "test that parses a header", 8)
    assert labels(spoken)[0] == "parses_a_header"


def test_what_the_words_do_not_name_is_reached_over_edges_and_says_by_which() -> None:
    found = reasons(rank(GRAPH, "open_log", 8))
    assert found["lock"] == "called by open_log"
    assert found["serve"] == "calls open_log"


def test_a_scope_leaves_out_other_files() -> None:
    found = rank(GRAPH, "header log", 8, "src/store.rs")
    assert {GRAPH.path_of(node.node) for node in found.nodes} == {"src/store.rs"}
    assert rank(GRAPH, "header log", 8, "src") == rank(GRAPH, "header log", 8)


def test_words_that_name_nothing_are_told_and_no_word_gives_no_focus() -> None:
    found = rank(GRAPH, "header of the zeppelin", 8)
    assert (found.words, found.unmatched) == (("header", "zeppelin"), ("zeppelin",))
    assert sufficiency(found) == {
        "state": "gathering",
        "why": "1 of 2 words name something; not: zeppelin",
    }
    nothing = rank(GRAPH, "zeppelin", 8)
    assert (nothing.nodes, nothing.anchors, nothing.unmatched) == ((), (), ("zeppelin",))
    assert sufficiency(nothing)["state"] == "gathering"


def test_too_many_equals_are_saturated_and_a_full_match_is_sufficient() -> None:
    twins = graph_of({"src/lib.rs": "".join(f"pub fn render_{chr(97 + n)}{n}x() {{}}\n" for n in range(20))})
    assert sufficiency(rank(twins, "render", 4))["state"] == "saturated"
    assert sufficiency(rank(GRAPH, "open_log", 8)) == {
        "state": "sufficient",
        "why": "every telling word (3) names something in the graph",
    }


def test_the_same_question_has_the_same_answer_and_fewer_rows_are_its_beginning() -> None:
    again = graph_of(dict(reversed(FILES.items())))
    assert rank(again, "header log", 8) == rank(GRAPH, "header log", 8)
    assert rank(GRAPH, "header log", 3).nodes == rank(GRAPH, "header log", 8).nodes[:3]


def test_a_walk_keeps_at_most_what_it_was_given_and_most_of_it_near_its_seeds() -> None:
    seed = GRAPH.items_named("open_log")[0]
    reached = spread(GRAPH, {seed: 1.0})
    assert 0.8 < sum(found.mass for found in reached.values()) <= 1.0 + 1e-9, "a dead end keeps its part only"
    assert max(reached, key=lambda node: reached[node].mass) == seed
    lock = GRAPH.items_named("lock")[0]
    assert (reached[lock].via, reached[lock].edge) == (seed, "called by")


TEXTS = {
    "src/lib.rs": (
        "/// Turns the tide table.\npub fn turn() {\n    let id = 1; // an ebbing tide\n}\n"
        "pub trait Flow {\n    /// About the tide.\n    fn run(&self) { self.identify(); }\n    fn identify(&self) {}\n}\n"
    )
}


def counted(texts: Texts, word: str) -> dict[str, int]:
    return {graph_of(TEXTS).names[texts.items[place]]: count for place, count in texts.counts(word).items()}


def test_a_word_counts_for_the_innermost_item_comments_included_and_a_short_one_stands_alone() -> None:
    texts = read_texts(graph_of(TEXTS), lambda path: TEXTS[path].encode())
    assert counted(texts, "tide") == {"turn": 2, "run": 1}
    assert counted(texts, "id") == {"turn": 1}
    assert counted(texts, "TIDE") == counted(texts, "tide")
    assert counted(texts, "") == counted(texts, "zeppelin") == {}


def test_a_file_that_is_left_out_has_no_words() -> None:
    texts = read_texts(graph_of(TEXTS), lambda path: None)
    assert (texts.items, counted(texts, "tide")) == ([], {})


def test_what_only_a_text_says_is_brought_up_and_told_to_be() -> None:
    graph = graph_of(TEXTS)
    texts = read_texts(graph, lambda path: TEXTS[path].encode())
    found = rank(graph, "ebbing", 8, texts=texts)
    assert [(graph.name_of(node.node), node.why) for node in found.nodes[:1]] == [("turn", "text: ebbing")]
    assert rank(graph, "ebbing", 8).nodes == ()
