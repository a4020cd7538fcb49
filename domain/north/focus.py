"""Which items a task is about: seeds by words, then a walk over the graph's edges (CARD.md §1, Focus).

Words are looked for in an item's name, in its place (module and holder) and in its text. Deterministic and without state: the same
graph, texts and words give the same order. Every node says why it is there. It must never read a file: `Texts` are given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from heapq import nsmallest
from math import log
from types import MappingProxyType
from typing import TYPE_CHECKING

from attrs import frozen

from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.north.evidence import Evidence, Tagged, counts, evidence_of
from m1nd.domain.north.spreading import Reached, spread
from m1nd.domain.north.vocabulary import TESTING, Vocabulary, vocabulary_for
from m1nd.domain.words import pieces

if TYPE_CHECKING:
    from m1nd.domain.north.texts import Texts

COVERED = 4.0
"""How much more an item counts that has something of every word."""
MODULE = 0.5
"""Factor for modules: an item of it says more."""
WALKED = 0.02
"""What a node counts at most that no word but only the walk brings up: it fills rows that the words leave empty."""
OUT_OF_THE_WAY = 0.4
"""Factor for tests, benches and examples, unless the task speaks of them."""
_SILENT_TEXT = (
    "new add adds added fix fixes fixed make makes made use uses used using bug issue support please should"
)
SILENT = frozenset(_SILENT_TEXT.split())
"""Words that tasks hold whatever they are about, beyond those of every text."""
IDENTIFIER = re.compile(r"\w+")
MOST_SEEDS = 32
MOST_CANDIDATES = 256
"""Of the hits, the best ones; more than rows are ever asked for."""
ANCHORS = 5


def task_words(task: str) -> tuple[str, ...]:
    """The telling words of a task in their order, each once; an identifier of several words stands for itself too."""
    found: dict[str, None] = {}
    for token in IDENTIFIER.findall(task):
        words = [piece for piece in pieces(token) if piece not in SILENT]
        if len(words) > 1:
            found[token.lower()] = None
        found |= dict.fromkeys(words)
    return tuple(found)


@frozen
class FocusNode:
    """One node of the ranking; `score` lies in 0..1, `why` names the words or the edge that brought it here."""

    node: int
    score: float
    why: str


@frozen
class Ranking:
    """The answer for one task. `words` are its telling words, `unmatched` those that name nothing here; `seeds` counts the
    nodes that the words hit, `tied` those that hit as well as the best."""

    nodes: tuple[FocusNode, ...] = ()
    anchors: tuple[FocusNode, ...] = ()
    words: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    seeds: int = 0
    tied: int = 0


@frozen
class _Question:
    graph: IndexGraph
    words: tuple[str, ...]
    allowed: Callable[[int], bool] | None
    """Whether a node lies in the scope; None without one."""
    known: Vocabulary
    weights: Mapping[str, float]
    evidence: Mapping[str, Evidence]


def rank(
    graph: IndexGraph,
    task: str,
    top_k: int,
    scope: str = "",
    tagged: Tagged = MappingProxyType({}),
    texts: Texts | None = None,
) -> Ranking:
    """The `top_k` nodes nearest to `task`, best first; with a `scope`, only of files at or below that path.

    Without `texts` names, places and tags decide alone.
    """
    words = task_words(task)
    if not words:
        return Ranking()
    known = vocabulary_for(graph, words)
    evidence = evidence_of(words, known, tagged, texts)
    weights = {word: log(1 + known.size / (1 + len(evidence[word].holders))) for word in words}
    question = _Question(graph, words, _in_scope(graph, scope), known, weights, evidence)
    scores, matched = _scores(question)
    if not scores:
        return Ranking(words=words, unmatched=words)
    order = nsmallest(MOST_CANDIDATES, scores, key=lambda node: (-scores[node], node))
    reached = spread(graph, {node: scores[node] for node in order[:MOST_SEEDS]})
    best = scores[order[0]]
    return Ranking(
        _best(question, scores, order, reached, top_k),
        _anchors(question, reached),
        words,
        tuple(word for word in words if word not in matched and word in question.weights),
        len(scores),
        sum(score >= best - 1e-9 for score in scores.values()),
    )


def _in_scope(graph: IndexGraph, scope: str) -> Callable[[int], bool] | None:
    """Whether a node's file lies at or below a path; None where every node's does."""
    if not scope or scope == ".":
        return None
    inside = [path == scope or path.startswith(f"{scope}/") for path in graph.paths]

    def allowed(node: int) -> bool:
        if node >= graph.item_count:
            return inside[graph.module_files[node - graph.item_count]]
        return inside[graph.file_of(node)]

    return allowed


def _scores(question: _Question) -> tuple[dict[int, float], frozenset[str]]:
    """What every candidate that a word brings up scores, and the words that bring one up."""
    graph, known, allowed = question.graph, question.known, question.allowed
    items = graph.item_count
    sums: dict[int, float] = {}
    told: dict[int, int] = {}
    matched = set()
    for word, evidence in question.evidence.items():
        weight = question.weights[word]
        for node, name, place, tagged, text in _said(evidence, items):
            if allowed is None or allowed(node):
                sums[node] = sums.get(node, 0.0) + weight * counts(name, place, tagged, text)
                told[node] = told.get(node, 0) + 1
                matched.add(word)
    total = sum(question.weights.values()) or 1.0
    covered = [
        (1 + COVERED * n / len(question.words)) / (1 + COVERED) for n in range(len(question.words) + 1)
    ]
    favoured = TESTING.isdisjoint(question.words)
    for node, summed in sums.items():
        score = summed / total * covered[told[node]]
        if node >= items:
            score *= MODULE
        if favoured and (known.module_of(node) in known.quiet or (node < items and graph.flags[node] & TEST)):
            score *= OUT_OF_THE_WAY
        sums[node] = score
    return sums, frozenset(matched)


def _said(evidence: Evidence, items: int) -> Iterator[tuple[int, float, float, bool, float]]:
    """`(node, name, place, tagged, text)` of every node that one word is found at."""
    names, texts, tagged = evidence.names, evidence.texts, evidence.tagged
    places = {**{items + module: fit for module, fit in evidence.modules.items()}, **evidence.members}
    for node in {*names, *places, *tagged, *texts}:
        yield node, names.get(node, 0.0), places.get(node, 0.0), node in tagged, texts.get(node, 0.0)


def _told(question: _Question, node: int) -> str:
    """Which words bring a node up, and by what; each word by the best that it hits: name, tag, place, text."""
    module = node - question.graph.item_count
    said: dict[str, list[str]] = {}
    for word, evidence in question.evidence.items():
        if node in evidence.names:
            said.setdefault("name", []).append(word)
        elif node in evidence.tagged:
            said.setdefault("tag", []).append(word)
        elif node in evidence.members or module in evidence.modules:
            said.setdefault("path", []).append(word)
        elif node in evidence.texts:
            said.setdefault("text", []).append(word)
    return "; ".join(
        f"{by}: {', '.join(said[by][:4])}" for by in ("name", "tag", "path", "text") if by in said
    )


def _best(
    question: _Question, hits: dict[int, float], order: list[int], reached: dict[int, Reached], top_k: int
) -> tuple[FocusNode, ...]:
    """The best of the nodes that words or walk brought up. A hit far down its order that no walk reached cannot be one."""
    items = question.graph.item_count
    strongest = max((r.mass for r in reached.values()), default=0.0) or 1.0
    scores: dict[int, float] = {}
    for node in {*order, *reached}:
        # A walk comes to every module around: only words make one an answer.
        if not _may_answer(question, node) or (node not in hits and node >= items):
            continue
        scores[node] = hits[node] if node in hits else WALKED * reached[node].mass / strongest
    best = nsmallest(top_k, scores, key=lambda node: (-round(scores[node], 6), node))
    return tuple(
        FocusNode(
            node,
            round(scores[node], 4),
            _told(question, node) if node in hits else _walked(question.graph, reached[node]),
        )
        for node in best
    )


def _anchors(question: _Question, reached: dict[int, Reached]) -> tuple[FocusNode, ...]:
    """The items in which the walk settles: what the task's surroundings lean on."""
    items = question.graph.item_count
    rows = [n for n, r in reached.items() if r.mass > 0 and n < items and _may_answer(question, n)]
    best = nsmallest(ANCHORS, rows, key=lambda node: (-round(reached[node].mass, 9), node))
    return tuple(FocusNode(node, round(reached[node].mass, 4), "") for node in best)


def _may_answer(question: _Question, node: int) -> bool:
    return question.known.is_candidate(node) and (question.allowed is None or question.allowed(node))


def _walked(graph: IndexGraph, step: Reached) -> str:
    """Over which edge the walk came to a node."""
    other = graph.name_of(step.via).rpartition("::")[2]
    return f"{step.edge} {other}"
