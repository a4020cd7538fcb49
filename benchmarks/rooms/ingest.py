"""Ingest beside the plain tree-sitter parse of the same bytes (QUALITY.md, G1 to G4, G6, G10, G11)."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import tree_sitter

from benchmarks.corpora import LARGE, MEDIUM, SMALL, Members, folder_of, line_count, texts
from benchmarks.figures import M1ND, Figure, Options, each_ms, interleaved, median, quantile, timed
from m1nd.domain.digests import sha256
from m1nd.infrastructure.graph_cache import CachedGraph
from m1nd.infrastructure.rust_source.extract import Extractor
from m1nd.infrastructure.rust_source.parser import LANGUAGE

ROOM = "ingest"
CTAGS_BARS = {"S": 25.0, "M": 9.0, "L": 6.0}
ONE_FILE_BARS = {"M": 1 / 50, "L": 1 / 200}


def measure(options: Options) -> Iterator[Figure]:
    corpora: dict[str, Members] = {"S": SMALL} if options.quick else {"S": SMALL, "M": MEDIUM, "L": LARGE}
    for name, members in corpora.items():
        with folder_of(members) as root:
            rounds = max(2, options.rounds - 2) if name == "L" else options.rounds
            yield from _full(name, root, rounds)
            yield from _again(name, root)
            if shutil.which("ctags"):
                yield from _beside_ctags(name, root, min(rounds, 3))


def _full(name: str, root: Path, rounds: int) -> Iterator[Figure]:
    sources = texts(root)
    lines = line_count(sources)
    parser, extractor = tree_sitter.Parser(LANGUAGE), Extractor()
    variants: dict[str, Callable[[], object]] = {
        "parse": lambda: [parser.parse(text) for text in sources] and None,
        "extract": lambda: [extractor.extract(text) for text in sources] and None,
        "hash": lambda: [sha256(text) for text in sources] and None,
        "one": lambda: ingest(root, 1),
        "two": lambda: ingest(root, 2),
    }
    runs = interleaved(variants, rounds)

    def figure(key: str, says: str, value: float, unit: str = "x", bar: float | None = None) -> Figure:
        return Figure(ROOM, key, says, name, value, unit, bar)

    yield figure(
        "G1",
        "full ingest, one process, processor time ÷ plain parse",
        median(runs, lambda r: r["one"].cpu / r["parse"].cpu),
        bar=1.5,
    )
    yield figure(
        "G2",
        "full ingest, two processes, wall ÷ plain parse in one",
        median(runs, lambda r: r["two"].wall / r["parse"].wall),
        bar=1.0,
    )
    yield figure(
        "G3",
        "extraction alone ÷ plain parse",
        median(runs, lambda r: r["extract"].cpu / r["parse"].cpu),
        bar=1.0,
    )
    yield figure(
        "G11 hashing",
        "hashing ÷ ingest",
        median(runs, lambda r: r["hash"].cpu / r["one"].cpu),
        bar=0.05,
    )
    yield figure(
        "ingest speed",
        "lines a second, one process",
        lines / median(runs, lambda r: r["one"].wall),
        "lines/s",
    )
    yield figure("ingest", "wall time, two processes", median(runs, lambda r: r["two"].wall) * 1000, "ms")
    thousands = lines / 1000
    peak, disk = peak_and_disk(root)
    yield figure("G10 peak", "peak memory of an ingest", peak, "MiB", 30 + 150 * thousands / 1024)
    yield figure("G10 disk", "index on disk per 1,000 lines", disk / thousands, "KiB", 30.0)


def _again(name: str, root: Path) -> Iterator[Figure]:
    """What a graph in memory does when nothing, or one file, has changed."""
    with tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        graph = CachedGraph(str(root), state)
        full = timed(lambda: (graph.refresh(), graph.index())).wall
        idle = each_ms([graph.refresh] * 15)
        if name != "S":
            yield Figure(
                ROOM, "G11 nothing changed", "no-change check", name, quantile(idle, 0.5), "ms",
                25.0 if name == "L" else None,
            )  # fmt: skip
        sizes = {path: path.stat().st_size for path in sorted(root.rglob("*.rs"))}
        largest = sorted(sizes, key=lambda path: sizes[path])[-40:]
        took = [_touch_one(graph, path) for path in largest]
        bodies = [_touch_body(graph, path) for path in largest]
        drawn = [
            _touch_one(graph, path, f"drawn_{turn}")
            for turn, path in enumerate(Random(6).choices([*sizes], [*sizes.values()], k=40))
        ]
        graph.close()

    def share(key: str, says: str, milliseconds: list[float], bar: float | None = None) -> Figure:
        return Figure(ROOM, key, says, name, quantile(milliseconds, 0.5) / 1000 / full, "x", bar)

    yield share("G6", "one changed file, read to stored ÷ full ingest", took, ONE_FILE_BARS.get(name))
    yield Figure(ROOM, "G6 p99", "one changed file of the 40 largest, p99", name, max(took), "ms", 50.0)
    yield share("G6 body", "one changed body of the 40 largest files, read to stored ÷ full ingest", bodies)
    yield share("G6 drawn", "one changed file, drawn by its size, read to stored ÷ full ingest", drawn)


def _touch_one(graph: CachedGraph, path: Path, name: str = "added") -> float:
    """Milliseconds from a changed file (a new function at its end) to the new graph."""
    path.write_bytes(path.read_bytes() + b"\npub fn m1nd_bench_%s() -> usize { 1 }\n" % name.encode())
    return each_ms([lambda: (graph.refresh(), graph.index())])[0]


def _touch_body(graph: CachedGraph, path: Path) -> float:
    """Milliseconds from another body of the function at a file's end to the new graph."""
    path.write_bytes(path.read_bytes().removesuffix(b"{ 1 }\n") + b"{ 2 }\n")
    return each_ms([lambda: (graph.refresh(), graph.index())])[0]


def _beside_ctags(name: str, root: Path, rounds: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="m1nd-tags-") as scratch:
        tags = [
            "ctags", "-R", "--languages=Rust", "--fields=+n", "-f", f"{scratch}/tags", str(root)
        ]  # fmt: skip
        if (
            b"Universal Ctags"
            not in subprocess.run(["ctags", "--version"], check=False, capture_output=True).stdout
        ):
            return
        command = [*M1ND, "--root", str(root), "--quiet", "ingest"]

        def ours() -> None:
            shutil.rmtree(root / ".m1nd", ignore_errors=True)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        def theirs() -> None:
            subprocess.run(tags, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        runs = interleaved({"ours": ours, "theirs": theirs}, rounds)
        shutil.rmtree(root / ".m1nd", ignore_errors=True)
    yield Figure(
        ROOM, "G4", "whole `m1nd ingest` ÷ universal-ctags (definitions only)", name,
        median(runs, lambda r: r["ours"].wall / r["theirs"].wall), "x", CTAGS_BARS[name],
    )  # fmt: skip


def ingest(root: Path, workers: int) -> None:
    with tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        graph = CachedGraph(str(root), state, workers=workers)
        graph.refresh()
        graph.close()


PEAK = """
import os, sys, tempfile
from m1nd.infrastructure.graph_cache import CachedGraph
with tempfile.TemporaryDirectory() as state:
    graph = CachedGraph(sys.argv[1], state, workers=1)
    graph.refresh()
    graph.close()
    disk = sum(os.path.getsize(os.path.join(state, name)) for name in os.listdir(state))
# Not ru_maxrss: a started process inherits the peak of the one that started it.
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')), disk)
"""


def peak_and_disk(root: Path) -> tuple[float, float]:
    """MiB that a fresh process needs at most to ingest the folder, libraries included (Linux), and KiB it leaves."""
    done = subprocess.run([sys.executable, "-c", PEAK, str(root)], capture_output=True, text=True, check=True)
    peak, disk = done.stdout.split()
    return int(peak) / 1024, int(disk) / 1024
