"""Which items a task is about: seeds by words, then a walk over the graph's edges (CARD.md §1, Focus).

Deterministic and without state: the same graph and the same words give the same order. Every node says why it is there.
It must never read a file; names, paths and edges are all that it knows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import log

from attrs import frozen

from m1nd.domain.index.graph import TEST, IndexGraph
from m1nd.domain.north.spreading import Reached, spread
from m1nd.domain.north.vocabulary import Vocabulary, vocabulary
from m1nd.domain.words import pieces, stem

LABEL, NAME_PART, NAME_STEM, PATH_PART, PATH_STEM = 1.0, 0.92, 0.8, 0.5, 0.4
"""How well a word fits: the whole name, a word of it, one with another ending; the same for the words of its path."""
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
MOST_SEEDS = 64
ANCHORS = 5
TESTING = frozenset(("test", "tests", "bench", "benches", "benchmark", "example", "examples"))


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
    by_path: tuple[str, ...]


@frozen
class _Question:
    graph: IndexGraph
    words: tuple[str, ...]
    allowed: Callable[[int], bool]
    known: Vocabulary
    weights: Mapping[str, float]


def rank(graph: IndexGraph, task: str, top_k: int, scope: str = "") -> Ranking:
    """The `top_k` nodes nearest to `task`, best first; with a `scope`, only of files at or below that path."""
    words = task_words(task)
    known = vocabulary(graph)
    question = _Question(graph, words, _in_scope(graph, scope), known, _weights(words, known))
    hits = _hits(question)
    if not hits:
        return Ranking(words=words, unmatched=words)
    order = sorted(hits, key=lambda node: (-hits[node].score, graph.path_of(node), node))
    seeds = {node: hits[node].score for node in order[:MOST_SEEDS]}
    reached = spread(graph, seeds)
    matched = {word for hit in hits.values() for word in (*hit.by_name, *hit.by_path)}
    best = hits[order[0]].score
    return Ranking(
        _best(question, hits, reached, top_k),
        _anchors(question, reached),
        words,
        tuple(word for word in words if word not in matched and word in question.weights),
        len(hits),
        sum(hit.score >= best - 1e-9 for hit in hits.values()),
    )


def _in_scope(graph: IndexGraph, scope: str) -> Callable[[int], bool]:
    if not scope or scope == ".":
        return lambda node: True
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
    by_name: dict[int, dict[str, float]] = {}
    for word in question.words:
        for node, fit in _named(question.known, word):
            if question.allowed(node):
                words = by_name.setdefault(node, {})
                words[word] = max(words.get(word, 0.0), fit)
    by_path = {word: _placed(question.known, word) for word in question.words}
    for module in sorted({module for places in by_path.values() for module in places}):
        node = question.graph.item_count + module
        if question.allowed(node):
            by_name.setdefault(node, {})
    total = sum(question.weights.values()) or 1.0
    favoured = TESTING.isdisjoint(question.words)
    found: dict[int, _Hit] = {}
    for node, named in by_name.items():
        module = question.known.module_of(node)
        placed = {
            word: fit
            for word, places in by_path.items()
            if word not in named and (fit := places.get(module, 0.0))
        }
        score = sum(question.weights[word] * fit for word, fit in (*named.items(), *placed.items())) / total
        if favoured and _is_test(question.graph, node):
            score *= OUT_OF_THE_WAY
        if score > 0:
            found[node] = _Hit(score, tuple(named), tuple(placed))
    return found


def _named(known: Vocabulary, word: str) -> list[tuple[int, float]]:
    rows = [(node, LABEL) for node in known.labels.get(word, ())]
    rows += [(node, NAME_PART) for node in known.name_parts.get(word, ())]
    return rows + [(node, NAME_STEM) for node in known.name_stems.get(stem(word), ())]


def _placed(known: Vocabulary, word: str) -> dict[int, float]:
    """Modules whose path holds the word."""
    places = dict.fromkeys(known.path_stems.get(stem(word), ()), PATH_STEM)
    places.update(dict.fromkeys(known.path_parts.get(word, ()), PATH_PART))
    return places


def _is_test(graph: IndexGraph, node: int) -> bool:
    if node < graph.item_count and graph.flags[node] & TEST:
        return True
    folders = graph.path_of(node).removesuffix(".rs").split("/")
    modules = graph.module_names[_module_of(graph, node)].split("::")
    return not TESTING.isdisjoint((*folders, *modules)) or folders[-1] == "build"


def _module_of(graph: IndexGraph, node: int) -> int:
    return node - graph.item_count if node >= graph.item_count else graph.module[node]


def _best(
    question: _Question, hits: dict[int, _Hit], reached: dict[int, Reached], top_k: int
) -> tuple[FocusNode, ...]:
    graph = question.graph
    strongest = max((r.mass for r in reached.values()), default=0.0) or 1.0
    scores: dict[int, float] = {}
    for node in (*hits, *(n for n in reached if n not in hits)):
        if not question.known.is_candidate(node) or not question.allowed(node):
            continue
        if node not in hits and node >= graph.item_count:
            continue  # a walk comes to every module around: only words make one an answer
        match = hits[node].score if node in hits else 0.0
        walked = reached[node].mass / strongest if node in reached else 0.0
        scores[node] = MATCHED * match + SPREAD * walked
    order = sorted(scores, key=lambda node: (-round(scores[node], 6), graph.path_of(node), node))
    return tuple(
        FocusNode(node, round(scores[node], 4), _why(graph, node, hits, reached)) for node in order[:top_k]
    )


def _anchors(question: _Question, reached: dict[int, Reached]) -> tuple[FocusNode, ...]:
    """The nodes in which the walk settles: what the task's surroundings lean on."""
    rows = [
        node
        for node in reached
        if node < question.graph.item_count and question.known.is_candidate(node) and question.allowed(node)
    ]
    order = sorted(rows, key=lambda node: (-round(reached[node].mass, 9), question.graph.path_of(node), node))
    return tuple(
        FocusNode(node, round(reached[node].mass, 4), "")
        for node in order[:ANCHORS]
        if reached[node].mass > 0
    )


def _why(graph: IndexGraph, node: int, hits: dict[int, _Hit], reached: dict[int, Reached]) -> str:
    if node in hits:
        hit = hits[node]
        told = [("name", hit.by_name), ("path", hit.by_path)]
        return "; ".join(f"{what}: {', '.join(words[:4])}" for what, words in told if words)
    step = reached[node]
    other = graph.name_of(step.via).rpartition("::")[2]
    return f"{step.edge} {other}"
