"""What the first question of a process reads of a graph's words says the same as all of it, for every word."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.agent import harbour_root

from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.north.evidence import evidence_of
from m1nd.domain.north.focus import rank, task_words
from m1nd.domain.north.vocabulary import read_vocabulary
from m1nd.domain.words import pieces, stem
from m1nd.infrastructure.graph_cache import CachedGraph

EXTRA = """
pub struct PlanningGrid;
impl PlanningGrid { pub fn planned(&self) {} pub fn fit(&self) {} }
pub fn straße() {}
pub fn ÄußereKante() {}
pub fn classes() {}
pub fn running_classes() {}
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> IndexGraph:
    root = harbour_root(tmp_path_factory.mktemp("words"))
    (Path(root) / "src" / "tide.rs").open("a").write(EXTRA)
    made = CachedGraph(str(root), str(root / ".m1nd"))
    made.refresh()
    return made.index()


def every_word(graph: IndexGraph) -> list[str]:
    """All words of names and paths, their stems, and some that nothing has."""
    found = {word for name in (*graph.names, *graph.module_names) for word in pieces(name)}
    found |= {ending for word in found for ending in (stem(word), f"{word}s", f"{word}ing", word[:-1])}
    return sorted(filter(None, {*found, *(name.lower() for name in graph.names), "zebra"}))


def test_every_word_alone_finds_what_it_finds_in_all_of_it(graph: IndexGraph) -> None:
    whole = read_vocabulary(graph)
    for word in every_word(graph):
        part = read_vocabulary(graph, frozenset({stem(word)}))
        assert evidence_of((word,), part, {}, None) == evidence_of((word,), whole, {}, None), word
        assert (part.size, part.quiet) == (whole.size, whole.quiet)


@given(data=st.data())
def test_the_first_answer_is_the_second(graph: IndexGraph, data: st.DataObject) -> None:
    task = " ".join(data.draw(st.lists(st.sampled_from(every_word(graph)), min_size=1, max_size=5)))
    words = task_words(task)
    first, second = rank(graph, task, 8), rank(graph, task, 8)
    part = read_vocabulary(graph, frozenset(map(stem, words)))
    assert first == second
    assert evidence_of(words, part, {}, None) == evidence_of(words, read_vocabulary(graph), {}, None)
