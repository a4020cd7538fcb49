"""All speed figures in one run, each against its bar: `python -m benchmarks.run [--only ROOM] [--quick] [--write] [--check]`.

`--write` keeps them as docs/benchmarks.json, docs/benchmarks.md and docs/benchmarks.svg. `--check` compares the ratios of this
run with the committed ones and names what got worse by more than a quarter, or is no longer measured (status 1): on a busy
machine, run it again before you believe it.
"""

import argparse
import compileall
import importlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from benchmarks import growth, profiles
from benchmarks.comparison import WORSE, compare
from benchmarks.corpora import Unusable
from benchmarks.figures import Figure, Options, Report, machine, read_figures, write_report
from benchmarks.report import drawn, page, table
from m1nd import __file__ as package
from m1nd import __version__

ROOMS = ("ingest", "queries", "north", "moves", "log", "server_log", "start", "agent", "recall", "peers")
DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> int:
    options = _options()
    console = Console(width=150)
    _compile()
    figures: list[Figure] = []
    left_out: list[tuple[str, str]] = []
    for room in options.only or ROOMS:
        try:
            for figure in _measured(room, Options(options.rounds, options.quick)):
                figures.append(figure)
                console.print(
                    f"{figure.room:8} {figure.name:42} {figure.value:12.3f} {figure.unit}", highlight=False
                )
        except Unusable as reason:
            left_out.append((room, str(reason)))
    if not shutil.which("rg"):
        left_out.append(
            ("G8 ÷ rg", "ripgrep is not installed here; `grep -rnw` stands beside the search instead")
        )
    console.print(table(figures))
    rows = list(growth.measure()) if options.write and not options.only else []
    shares = list(profiles.measure()) if options.write and not options.only else []
    report = Report(machine(), _versions(), options.rounds, figures, left_out, rows)
    if options.write:
        write_report(report, DOCS / "benchmarks.json")
        (DOCS / "benchmarks.svg").write_text(drawn(rows))
        (DOCS / "benchmarks.md").write_text(page(report, shares))
    if not options.check:
        return 0
    absent = {room for room, _ in left_out}
    whole = () if options.quick else [room for room in options.only or ROOMS if room not in absent]
    return _compare(figures, whole, console)


def _compile() -> None:
    """Put the bytecode beside the code, as an installation does.

    Where the environment forbids Python to keep it (`PYTHONDONTWRITEBYTECODE`), every measured process would compile all that it
    imports, and that would be most of what is measured.
    """
    home = Path(package).parent
    for folder in (home, *home.iterdir()):
        if folder.is_dir():
            compileall.compile_dir(folder.resolve(), quiet=2)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", choices=ROOMS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small corpora: to see that everything runs")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/")
    parser.add_argument("--check", action="store_true", help="compare with the committed figures")
    return parser.parse_args()


def _measured(room: str, options: Options) -> Iterator[Figure]:
    found: Iterator[Figure] = importlib.import_module(f"benchmarks.rooms.{room}").measure(options)
    return found


def _versions() -> dict[str, str]:
    """What ran, by the first line that each program says of itself."""
    found = {"m1nd": __version__}
    found |= {name: version(name) for name in ("tree-sitter", "tree-sitter-rust", "eventsourcing", "orjson")}
    for program in ("cargo", "ctags", "rg"):
        if shutil.which(program):
            said = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout
            found[program] = said.splitlines()[0].split(",")[0]
    return found


def _compare(figures: Sequence[Figure], whole: Sequence[str], console: Console) -> int:
    path = DOCS / "benchmarks.json"
    if not path.exists():
        console.print("there are no committed figures: make bench ARGS=--write")
        return 2
    found = compare(figures, read_figures(path), rooms=whole)
    for line in (*found.worse, *found.gone):
        console.print(line, highlight=False)
    console.print(
        f"{len(found.worse)} of {found.compared} ratios got worse by more than {WORSE - 1:.0%}, {len(found.gone)} are gone"
    )
    return found.status


if __name__ == "__main__":
    sys.exit(main())
