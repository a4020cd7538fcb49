"""Questions to a graph: in one process (G9), and as fresh processes beside a text search (G8)."""

import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.corpora import LARGE, SMALL, folder_of
from benchmarks.figures import M1ND, Figure, Options, each_ms, interleaved, median, quantile
from m1nd.domain.index import reach
from m1nd.domain.index.graph import IndexGraph
from m1nd.domain.index.search import search
from m1nd.infrastructure.graph_cache import CachedGraph

ROOM = "queries"
SEED = 7


def measure(options: Options) -> Iterator[Figure]:
    name, members = ("S", SMALL) if options.quick else ("L", LARGE)
    with folder_of(members) as root:
        yield from _in_process(name, root, 60 if options.quick else 400)
        yield from _fresh(name, root, options.rounds)


def _in_process(name: str, root: Path, count: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        cached = CachedGraph(str(root), state)
        cached.refresh()
        graph = cached.index()
        files = sorted(cached.hashes())
        draw = random.Random(SEED)
        nodes = [draw.randrange(graph.item_count) for _ in range(count)]
        names = [graph.names[node] for node in nodes]
        graph.items_named("")  # the table of names is made at the first question
        kinds: list[tuple[str, Sequence[Callable[[], object]], float, float]] = [
            ("name", [_named(graph, text) for text in names], 0.01, 0.1),
            ("who uses", [_call(reach.used_by, graph, node) for node in nodes], 0.1, 5),
            ("impact, 3 hops", [_impact(graph, node, 3) for node in nodes], 0.5, 5),
            ("closure", [_impact(graph, node, 64) for node in nodes[:100]], 10, 50),
        ]
        searched = each_ms([_search(graph, files, text) for text in names[:100]])
        yield Figure(ROOM, "search p50", "search by part of a name, p50", name, quantile(searched, 0.5), "ms")
        for kind, calls, half, nearly_all in kinds:
            took = each_ms(calls)
            yield Figure(ROOM, f"G9 {kind} p50", f"{kind}, p50", name, quantile(took, 0.5), "ms", half)
            yield Figure(ROOM, f"G9 {kind} p99", f"{kind}, p99", name, quantile(took, 0.99), "ms", nearly_all)
        cached.close()


def _named(graph: IndexGraph, text: str) -> Callable[[], object]:
    return lambda: graph.items_named(text)


def _search(graph: IndexGraph, files: list[str], text: str) -> Callable[[], object]:
    return lambda: search(graph, files, text, 20)


def _call(
    question: Callable[[IndexGraph, int], object], graph: IndexGraph, node: int
) -> Callable[[], object]:
    return lambda: question(graph, node)


def _impact(graph: IndexGraph, node: int, depth: int) -> Callable[[], object]:
    return lambda: reach.impact(graph, node, depth, most=1 << 30)


def _fresh(name: str, root: Path, rounds: int) -> Iterator[Figure]:
    """A fresh process on a graph that is up to date, in turn with a search of the text."""
    line = [*M1ND, "--root", str(root), "--json", "--quiet", "search", "Visitor"]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)

    def process(*command: str) -> Callable[[], object]:
        return lambda: subprocess.run(
            command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    variants = {
        "ours": process(*line),
        "grep": process("grep", "-rnw", "--include=*.rs", "Visitor", str(root)),
    }
    if shutil.which("rg"):
        variants["rg"] = process("rg", "-w", "Visitor", str(root))
    runs = interleaved(variants, rounds)
    yield Figure(
        ROOM, "search", "a fresh `m1nd search`", name, median(runs, lambda r: r["ours"].wall) * 1000, "ms"
    )
    for other in variants.keys() - {"ours"}:
        yield Figure(
            ROOM, f"G8 ÷ {other}", f"a fresh `m1nd search` ÷ `{other} -w NAME`", name,
            median(runs, lambda r, other=other: r["ours"].wall / r[other].wall), "x", 3.0 if other == "rg" else None,
        )  # fmt: skip
