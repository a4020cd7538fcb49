"""How long a command line takes to say its first word (G15), beside the bare interpreter's own start."""

import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.corpora import MEDIUM, SMALL, folder_of
from benchmarks.figures import M1ND, Figure, Options, interleaved, median

ROOM = "start"


def measure(options: Options) -> Iterator[Figure]:
    name, members = ("S", SMALL) if options.quick else ("M", MEDIUM)
    with folder_of(members) as root:
        line = [*M1ND, "--root", str(root), "--quiet"]
        subprocess.run([*line, "ingest"], check=True, stdout=subprocess.DEVNULL)
        variants = {
            "python": _process(sys.executable, "-c", "pass"),
            "version": _process(*M1ND, "--version"),
            "status": _process(*line, "status"),
            "search": _process(*line, "search", "spawn"),
            "packet": _process(*line, "--json", "north", "make spawning faster"),
            "north": _process(*line, "north", "make spawning faster"),
        }
        runs = interleaved(variants, options.rounds * 2)

    def over(command: str) -> float:
        return median(runs, lambda r: r[command].wall - r["python"].wall) * 1000

    yield Figure(
        ROOM, "G15 version", "`m1nd --version` over the interpreter's start", "", over("version"), "ms", 60.0
    )
    yield Figure(
        ROOM, "G15 north", "`m1nd north`, a fresh process", name,
        median(runs, lambda r: r["north"].wall) * 1000, "ms", 150.0,
    )  # fmt: skip
    yield Figure(
        ROOM, "north as JSON", "`m1nd north --json`, a fresh process", name,
        median(runs, lambda r: r["packet"].wall) * 1000, "ms",
    )  # fmt: skip
    for command in ("status", "search"):
        yield Figure(
            ROOM, command, f"`m1nd {command}` over the interpreter's start", name, over(command), "ms"
        )


def _process(*command: str) -> Callable[[], object]:
    return lambda: subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
