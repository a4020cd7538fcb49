"""How fast ingest is beside the plain tree-sitter parse of the same bytes (QUALITY.md, G1 to G3), and what it finds.

    python benchmarks/bench_ingest.py [--rounds 5] [--only tokio]

The corpus are pinned crates, fetched through cargo by name and version into a cache outside the repository. Variants run in
turn, round by round; a ratio is taken within a round, and the median of the rounds is printed. Processor time for one
process, wall time for two.
"""

import argparse
import gc
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import tree_sitter
from attrs import frozen

from m1nd.domain.index.codes import SURETY_SHIFT, Surety
from m1nd.infrastructure.graph_cache import CachedGraph
from m1nd.infrastructure.rust_source.extract import Extractor
from m1nd.infrastructure.rust_source.parser import LANGUAGE

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.support.corpus import Pinned, Unusable, unpacked

CORPORA: dict[str, tuple[Pinned, ...]] = {
    "ignore (S)": (Pinned("ignore", "0.4.23"), Pinned("globset", "0.4.15")),
    "syn": (Pinned("syn", "2.0.98"),),
    "tokio": (Pinned("tokio", "1.43.0"),),
    "bevy_ecs and friends": tuple(
        Pinned(name, "0.15.2") for name in ("bevy_ecs", "bevy_reflect", "bevy_utils", "bevy_app", "bevy_math")
    ),
}


@frozen
class Timing:
    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> Timing:
    gc.collect()
    wall, cpu = time.perf_counter(), _cpu()
    work()
    return Timing(time.perf_counter() - wall, _cpu() - cpu)


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


@contextmanager
def corpus(members: tuple[Pinned, ...]) -> Iterator[Path]:
    """A copy of the crates in one folder."""
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as folder:
        for member in members:
            shutil.copytree(unpacked(member), Path(folder) / member.name)
        yield Path(folder)


def texts(root: Path) -> list[bytes]:
    found = [path.read_bytes() for path in sorted(root.rglob("*.rs")) if path.is_file()]
    return [text for text in found if len(text) <= 1 << 20]


def ingest(root: Path, workers: int) -> None:
    with tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        graph = CachedGraph(str(root), state, workers=workers)
        graph.refresh()
        graph.close()


def peak_of_one_ingest(root: Path) -> float:
    """MiB that a fresh process needs at most to ingest the folder, interpreter and libraries included (Linux)."""
    script = (
        "import sys, tempfile\n"
        "from m1nd.infrastructure.graph_cache import CachedGraph\n"
        "with tempfile.TemporaryDirectory() as state:\n"
        "    CachedGraph(sys.argv[1], state, workers=1).refresh()\n"
        # Not ru_maxrss: a started process inherits the peak of the one that started it.
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(root)], capture_output=True, text=True, check=True
    )
    return int(done.stdout) / 1024


def measure(name: str, root: Path, rounds: int) -> dict[str, object]:
    sources = texts(root)
    parser, extractor = tree_sitter.Parser(LANGUAGE), Extractor()
    variants: dict[str, Callable[[], object]] = {
        "parse": lambda: [parser.parse(text) for text in sources] and None,
        "extract": lambda: [extractor.extract(text) for text in sources] and None,
        "one": lambda: ingest(root, 1),
        "two": lambda: ingest(root, 2),
    }
    runs: list[dict[str, Timing]] = []
    for number in range(rounds + 1):
        gc.disable()
        measured = {variant: timed(work) for variant, work in variants.items()}
        gc.enable()
        if number:
            runs.append(measured)
    lines = sum(text.count(b"\n") for text in sources)

    def median(value: Callable[[dict[str, Timing]], float]) -> float:
        return statistics.median(map(value, runs))

    seconds = median(lambda r: r["one"].wall)
    with tempfile.TemporaryDirectory(prefix="m1nd-state-") as state:
        graph = CachedGraph(str(root), state)
        report = graph.refresh()
        sureties = [0, 0, 0]
        for byte in bytes(graph.index().out.kinds):
            sureties[byte >> SURETY_SHIFT] += 1
        disk = sum(path.stat().st_size for path in Path(state).iterdir())
        graph.close()
    return {
        "corpus": name,
        "files": len(sources),
        "lines": lines,
        "megabytes": round(sum(map(len, sources)) / 1e6, 2),
        "seconds_one": round(seconds, 3),
        "seconds_two": round(median(lambda r: r["two"].wall), 3),
        "lines_per_second": round(lines / seconds),
        "parse_seconds": round(median(lambda r: r["parse"].wall), 3),
        "G1_ingest_cpu_to_parse": round(median(lambda r: r["one"].cpu / r["parse"].cpu), 2),
        "G2_two_wall_to_parse": round(median(lambda r: r["two"].wall / r["parse"].wall), 2),
        "G3_extract_to_parse": round(median(lambda r: r["extract"].cpu / r["parse"].cpu), 2),
        "items": report.items,
        "modules": report.modules,
        "edges": {"contains": report.items} | {s.name.lower(): sureties[s] for s in Surety},
        "unresolved": report.unresolved,
        "peak_mib": round(peak_of_one_ingest(root), 1),
        "disk_kib_per_1k_lines": round(disk / 1024 / max(1, lines / 1000), 1),
    }


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--only", default="", help="corpora whose name holds this")
    arguments.add_argument("--json", action="store_true")
    asked = arguments.parse_args()
    print(
        f"# {os.cpu_count()} cores, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}",
        file=sys.stderr,
    )
    for name, members in CORPORA.items():
        if asked.only not in name:
            continue
        try:
            with corpus(members) as root:
                row = measure(name, root, asked.rounds)
        except Unusable as reason:
            print(f"{name}: left out, {reason}", file=sys.stderr)
            continue
        if asked.json:
            print(json.dumps(row), flush=True)
            continue
        print(f"\n{name}")
        for key, value in row.items():
            print(f"  {key:24s} {value}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
