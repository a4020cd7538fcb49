"""Which items a task is about: seeds by words, then a walk over the graph's edges (CARD.md §1, Focus).

Words are looked for in an item's name, in its place (module and holder) and in its text. Deterministic and without state: the same
graph, texts and words give the same order. Every node says why it is there. It must never read a file: `Texts` are given.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from math import log
from types import MappingProxyType
from typing import NamedTuple

from attrs import frozen

from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.north.evidence import Evidence, Tagged, counts, evidence_of
from m1nd.domain.north.spreading import Reached, spread
from m1nd.domain.north.texts import Texts
from m1nd.domain.north.vocabulary import TESTING, Vocabulary, vocabulary
from m1nd.domain.words import pieces

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
"""Of the hits; more than rows are ever asked for."""
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
class _Hit:
    """How one node answers the task's words: its part of the score, and which words by what."""

    score: float
    by_name: tuple[str, ...]
    by_tag: tuple[str, ...]
    by_path: tuple[str, ...]
    by_text: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.by_name, *self.by_tag, *self.by_path, *self.by_text)


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
    known = vocabulary(graph)
    evidence = evidence_of(words, known, tagged, texts)
    weights = {word: log(1 + known.size / (1 + len(evidence[word].holders))) for word in words}
    question = _Question(graph, words, _in_scope(graph, scope), known, weights, evidence)
    hits = _hits(question)
    if not hits:
        return Ranking(words=words, unmatched=words)
    order = sorted(hits, key=lambda node: (-hits[node].score, node))
    seeds = {node: hits[node].score for node in order[:MOST_SEEDS]}
    reached = spread(graph, seeds)
    matched = {word for hit in hits.values() for word in hit.words}
    best = hits[order[0]].score
    return Ranking(
        _best(question, hits, order, reached, top_k),
        _anchors(question, reached),
        words,
        tuple(word for word in words if word not in matched and word in question.weights),
        len(hits),
        sum(hit.score >= best - 1e-9 for hit in hits.values()),
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


def _hits(question: _Question) -> dict[int, _Hit]:
    """Every candidate that a word brings up."""
    graph, known, weights = question.graph, question.known, question.weights
    items = graph.item_count
    rows: dict[int, list[_Told]] = {}
    for word, evidence in question.evidence.items():
        places = {**{items + module: fit for module, fit in evidence.modules.items()}, **evidence.members}
        for node in {*evidence.names, *places, *evidence.tagged, *evidence.texts}:
            name, place = evidence.names.get(node, 0.0), places.get(node, 0.0)
            told = _Told(word, name, place, node in evidence.tagged, evidence.texts.get(node, 0.0))
            rows.setdefault(node, []).append(told)
    total = sum(weights.values()) or 1.0
    favoured = TESTING.isdisjoint(question.words)
    found: dict[int, _Hit] = {}
    for node, said in rows.items():
        if question.allowed is not None and not question.allowed(node):
            continue
        score = sum([weights[t.word] * counts(t.name, t.place, t.tagged, t.text) for t in said]) / total
        score *= (1 + COVERED * len(said) / len(question.words)) / (1 + COVERED)
        if node >= items:
            score *= MODULE
        if favoured and (known.module_of(node) in known.quiet or (node < items and graph.flags[node] & TEST)):
            score *= OUT_OF_THE_WAY
        found[node] = _hit(score, said)
    return found


class _Told(NamedTuple):
    """What one word says for one node."""

    word: str
    name: float
    place: float
    tagged: bool
    text: float


def _hit(score: float, said: Sequence[_Told]) -> _Hit:
    """Each word is told by the best that it hits: name, tag, place, text."""
    return _Hit(
        score,
        tuple(t.word for t in said if t.name),
        tuple(t.word for t in said if t.tagged and not t.name),
        tuple(t.word for t in said if t.place and not t.name and not t.tagged),
        tuple(t.word for t in said if not t.name and not t.tagged and not t.place),
    )


def _best(
    question: _Question, hits: dict[int, _Hit], order: list[int], reached: dict[int, Reached], top_k: int
) -> tuple[FocusNode, ...]:
    """The best of the nodes that words or walk brought up. A hit far down its order that no walk reached cannot be one."""
    graph = question.graph
    strongest = max((r.mass for r in reached.values()), default=0.0) or 1.0
    scores: dict[int, float] = {}
    for node in {*order[:MOST_CANDIDATES], *reached}:
        # A walk comes to every module around: only words make one an answer.
        if not _may_answer(question, node) or (node not in hits and node >= graph.item_count):
            continue
        scores[node] = hits[node].score if node in hits else WALKED * reached[node].mass / strongest
    best = nsmallest(top_k, scores, key=lambda node: (-round(scores[node], 6), node))
    return tuple(FocusNode(node, round(scores[node], 4), _why(graph, node, hits, reached)) for node in best)


def _anchors(question: _Question, reached: dict[int, Reached]) -> tuple[FocusNode, ...]:
    """The items in which the walk settles: what the task's surroundings lean on."""
    items = question.graph.item_count
    rows = [n for n, r in reached.items() if r.mass > 0 and n < items and _may_answer(question, n)]
    best = nsmallest(ANCHORS, rows, key=lambda node: (-round(reached[node].mass, 9), node))
    return tuple(FocusNode(node, round(reached[node].mass, 4), "") for node in best)


def _may_answer(question: _Question, node: int) -> bool:
    return question.known.is_candidate(node) and (question.allowed is None or question.allowed(node))


def _why(graph: IndexGraph, node: int, hits: dict[int, _Hit], reached: dict[int, Reached]) -> str:
    if node in hits:
        hit = hits[node]
        told = [("name", hit.by_name), ("tag", hit.by_tag), ("path", hit.by_path), ("text", hit.by_text)]
        return "; ".join(f"{what}: {', '.join(words[:4])}" for what, words in told if words)
    step = reached[node]
    other = graph.name_of(step.via).rpartition("::")[2]
    return f"{step.edge} {other}"
