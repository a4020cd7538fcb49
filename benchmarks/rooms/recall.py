"""How often `north` brings up what a maintainer opened: recall at eight over twenty tasks a repository (benchmarks/tasks).

Beside it two text searches over the same words and the same items. *Words*: the items whose text holds most of the words, most
often. *BM25*: the usual ranking of text retrieval over the items' text, names and comments included.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks.corpora import Pinned, unpacked
from benchmarks.figures import Figure, Options, each_ms, quantile
from m1nd.domain import words
from m1nd.domain.index.graph import TEST, IndexGraph, build_graph
from m1nd.domain.index.link import link
from m1nd.domain.north.focus import rank, task_words
from m1nd.domain.north.texts import Texts, read_texts
from m1nd.domain.north.vocabulary import NO_CANDIDATES
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.rust_source.extract import Extractor

ROOM = "recall"
TASKS = Path(__file__).resolve().parent.parent / "tasks"
AT = 8
WORD = re.compile(r"[A-Za-z0-9]+")

Ranker = Callable[[str], Sequence[int]]


@frozen
class Tree:
    """A pinned crate as the rankings see it. `items` are those that can be an answer."""

    graph: IndexGraph
    sources: Mapping[str, bytes]
    items: Sequence[int]
    texts: Texts

    def text(self, item: int) -> str:
        start, _, end = self.graph.span_of(item)
        return self.sources[self.graph.path_of(item)][start:end].decode("utf-8", "replace")

    def name(self, node: int) -> str:
        """As an answer is written: `src/a.rs::name`."""
        return f"{self.graph.path_of(node)}::{self.graph.name_of(node)}"


def measure(options: Options) -> Iterator[Figure]:
    for path in sorted(TASKS.glob("*.json")):
        given = json.loads(path.read_text(encoding="utf-8"))
        tree = read(unpacked(Pinned(given["crate"], given["version"])))
        found = {name: recall(tree, ranker, given["tasks"]) for name, ranker in rankers(tree).items()}
        best = max(found["words"], found["BM25"])
        crate = given["crate"]
        for name, value in found.items():
            yield Figure(ROOM, f"recall@{AT}, {name}", f"recall at {AT}, {name}", crate, value, "of 1")
        yield Figure(
            ROOM, f"recall@{AT} ÷ text", f"north ÷ the better text search, recall at {AT}", crate, found["north"] / best,
            "x", 1.0, least=True,
        )  # fmt: skip
        took = each_ms([_asked(tree, task["text"]) for task in given["tasks"]])
        yield Figure(ROOM, "ranking p50", "ranking of one task, p50", crate, quantile(took, 0.5), "ms")


def _asked(tree: Tree, text: str) -> Callable[[], object]:
    return lambda: rank(tree.graph, text, AT, texts=tree.texts)


def read(root: Path) -> Tree:
    sources = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.suffix in (".rs", ".toml") and path.is_file()
    }
    extractor = Extractor()
    facts = {path: extractor.extract(text) for path, text in sources.items() if path.endswith(".rs")}
    graph = build_graph(link(read_cargo(sources.keys(), sources.get), facts).linked)
    items = [
        item
        for item in range(graph.item_count)
        if graph.kinds[item] not in NO_CANDIDATES and not graph.flags[item] & TEST
    ]
    return Tree(graph, sources, items, read_texts(graph, sources.get))


def rankers(tree: Tree) -> dict[str, Ranker]:
    texts = {item: tree.text(item) for item in tree.items}
    lower = {item: Counter(match.lower() for match in WORD.findall(text)) for item, text in texts.items()}
    stems = [words.words(texts[item]) for item in tree.items]

    def by_words(task: str) -> list[int]:
        wanted = set(task_words(task))
        counts = {item: [count[word] for word in wanted if count[word]] for item, count in lower.items()}
        hit = [item for item in tree.items if counts[item]]
        return sorted(hit, key=lambda item: (-len(counts[item]), -sum(counts[item]), item))[:AT]

    def by_bm25(task: str) -> list[int]:
        scores = words.rank(words.words(task), stems)
        order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
        return [tree.items[at] for at in order[:AT] if scores[at] > 0]

    def by_north(task: str) -> list[int]:
        return [node.node for node in rank(tree.graph, task, AT, texts=tree.texts).nodes]

    return {"north": by_north, "words": by_words, "BM25": by_bm25}


def recall(tree: Tree, ranker: Ranker, tasks: Sequence[Mapping[str, Any]]) -> float:
    """The mean over the tasks of how many of their answers are among the first eight."""
    return sum(part(tree, ranker, task) for task in tasks) / len(tasks)


def part(tree: Tree, ranker: Ranker, task: Mapping[str, Any]) -> float:
    answers = set(task["answers"])
    shown = {tree.name(node) for node in ranker(task["text"])}
    return len(answers & shown) / len(answers)
