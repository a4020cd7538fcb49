"""What a benchmark gives: figures with their bars, from variants that took turns in one run.

A ratio is always taken within a round, and the median over the rounds is kept: the machine's noise hits both sides.
"""

import gc
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import orjson
from attrs import asdict, frozen

M1ND = (sys.executable, "-c", "import sys; from m1nd.adapters.cli import main; sys.exit(main())")
"""The command line as a process, whatever is on the path."""


@frozen
class Timing:
    """Seconds; `cpu` is processor time of this process and of its children that ended."""

    wall: float
    cpu: float


Round = Mapping[str, Timing]


@frozen
class Figure:
    """One measured number. `key` and `corpus` name it for good: committed figures are compared by them."""

    room: str
    key: str
    says: str
    corpus: str
    value: float
    unit: str
    """`x` for a ratio within one run (the only ones that are compared between machines), else `ms`, `MiB`, `1/s`, …"""
    bar: float | None = None
    least: bool = False
    """The bar is the least that is good, not the most."""

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value >= self.bar if self.least else self.value <= self.bar

    @property
    def name(self) -> str:
        return f"{self.key} @ {self.corpus}" if self.corpus else self.key


@frozen
class Machine:
    """What the figures were measured on; no path and no name of it."""

    cores: int
    system: str
    python: str
    load: float


@frozen
class Report:
    machine: Machine
    versions: Mapping[str, str]
    rounds: int
    figures: Sequence[Figure]
    left_out: Sequence[tuple[str, str]]
    """`(what, why)`."""
    growth: Sequence[Mapping[str, float]]


@frozen
class Options:
    rounds: int = 5
    quick: bool = False
    """Small corpora and few rounds: to see that everything runs, not to publish."""


def timed(work: Callable[[], object]) -> Timing:
    """One run of it, the garbage of others collected before."""
    gc.collect()
    wall, cpu = time.perf_counter(), _processor_time()
    work()
    return Timing(time.perf_counter() - wall, _processor_time() - cpu)


def interleaved(variants: Mapping[str, Callable[[], object]], rounds: int, warm: bool = True) -> list[Round]:
    """Every variant once a round, in turn; the first round is thrown away where `warm`."""
    found: list[Round] = []
    for number in range(rounds + warm):
        measured = {name: timed(work) for name, work in variants.items()}
        if number or not warm:
            found.append(measured)
    return found


def median(rounds: Sequence[Round], value: Callable[[Round], float]) -> float:
    return statistics.median(map(value, rounds))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of them lies (0 to 1)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def each_ms(work: Sequence[Callable[[], object]]) -> list[float]:
    """Milliseconds of each call."""
    found = []
    for call in work:
        begun = time.perf_counter()
        call()
        found.append((time.perf_counter() - begun) * 1000)
    return found


def machine() -> Machine:
    return Machine(
        os.cpu_count() or 0,
        f"{platform.system()} {platform.machine()}",
        platform.python_version(),
        round(os.getloadavg()[0], 1),
    )


def write_report(report: Report, path: Path) -> None:
    path.write_bytes(orjson.dumps(asdict(report), option=orjson.OPT_INDENT_2) + b"\n")


def read_figures(path: Path) -> dict[str, Figure]:
    """The committed figures by name."""
    figures = [Figure(**row) for row in orjson.loads(path.read_bytes())["figures"]]
    return {figure.name: figure for figure in figures}


def _processor_time() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
