"""Which items a task is about: seeds by words, then a walk over the graph's edges (CARD.md §1, Focus).

Deterministic and without state: the same graph and the same words give the same order. Every node says why it is there.
It must never read a file; names, paths and edges are all that it knows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from heapq import nsmallest
from math import log
from types import MappingProxyType

from attrs import frozen

from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.north.spreading import Reached, spread
from m1nd.domain.north.vocabulary import TESTING, Vocabulary, vocabulary
from m1nd.domain.words import pieces, stem

LABEL, NAME_PART, TAG, NAME_STEM, PATH_PART, PATH_STEM = 1.0, 0.92, 0.85, 0.8, 0.5, 0.4
"""How well a word fits: the whole name, a word of it, a tag on it, a word with another ending; the same for its path."""
MATCHED, SPREAD = 0.75, 0.25
"""How much of a score the words make, and how much the walk."""
OUT_OF_THE_WAY = 0.7
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


Tagged = Mapping[str, Sequence[int]]
"""Words of tags → the nodes that bear such a tag."""


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

    @property
    def words(self) -> tuple[str, ...]:
        return (*self.by_name, *self.by_tag, *self.by_path)


@frozen
class _Question:
    graph: IndexGraph
    words: tuple[str, ...]
    allowed: Callable[[int], bool] | None
    """Whether a node lies in the scope; None without one."""
    known: Vocabulary
    weights: Mapping[str, float]
    tagged: Tagged


def rank(
    graph: IndexGraph, task: str, top_k: int, scope: str = "", tagged: Tagged = MappingProxyType({})
) -> Ranking:
    """The `top_k` nodes nearest to `task`, best first; with a `scope`, only of files at or below that path."""
    words = task_words(task)
    known = vocabulary(graph)
    question = _Question(graph, words, _in_scope(graph, scope), known, _weights(words, known), tagged)
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


def _weights(words: Sequence[str], known: Vocabulary) -> dict[str, float]:
    """How telling each word is here: the rarer, the more (inverse frequency over items); words that name nothing weigh as
    the rarest."""
    return {word: log(1 + known.size / (1 + known.frequency(word))) for word in words}


def _hits(question: _Question) -> dict[int, _Hit]:
    """Every candidate that a word names. Path words count for modules, and beside a name for items."""
    graph, known, weights = question.graph, question.known, question.weights
    named: dict[int, dict[str, float]] = {}
    for word in question.words:
        for node, fit in _named(question, word):
            words = named.setdefault(node, {})
            if fit > words.get(word, 0.0):
                words[word] = fit
    by_path = {word: _placed(known, word) for word in question.words}
    items = graph.item_count
    for module in {module for places in by_path.values() for module in places}:
        named.setdefault(items + module, {})
    total = sum(weights.values()) or 1.0
    favoured = TESTING.isdisjoint(question.words)
    found: dict[int, _Hit] = {}
    for node, words in named.items():
        if question.allowed is not None and not question.allowed(node):
            continue
        module = known.module_of(node)
        placed = {
            word: places[module]
            for word, places in by_path.items()
            if places and module in places and word not in words
        }
        score = sum([weights[word] * fit for word, fit in (*words.items(), *placed.items())]) / total
        if favoured and (module in known.quiet or (node < items and graph.flags[node] & TEST)):
            score *= OUT_OF_THE_WAY
        if score > 0:
            by_tag = tuple(word for word, fit in words.items() if fit == TAG)
            found[node] = _Hit(score, tuple(w for w in words if w not in by_tag), by_tag, tuple(placed))
    return found


def _named(question: _Question, word: str) -> list[tuple[int, float]]:
    known = question.known
    rows = [(node, LABEL) for node in known.labels.get(word, ())]
    rows += [(node, TAG) for node in question.tagged.get(word, ())]
    rows += [(node, NAME_PART) for node in known.name_parts.get(word, ())]
    return rows + [(node, NAME_STEM) for node in known.name_stems.get(stem(word), ())]


def _placed(known: Vocabulary, word: str) -> dict[int, float]:
    """Modules whose path holds the word."""
    places = dict.fromkeys(known.path_stems.get(stem(word), ()), PATH_STEM)
    places.update(dict.fromkeys(known.path_parts.get(word, ()), PATH_PART))
    return places


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
        match = hits[node].score if node in hits else 0.0
        walked = reached[node].mass / strongest if node in reached else 0.0
        scores[node] = MATCHED * match + SPREAD * walked
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
        told = [("name", hit.by_name), ("tag", hit.by_tag), ("path", hit.by_path)]
        return "; ".join(f"{what}: {', '.join(words[:4])}" for what, words in told if words)
    step = reached[node]
    other = graph.name_of(step.via).rpartition("::")[2]
    return f"{step.edge} {other}"
