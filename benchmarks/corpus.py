"""Moves of top-level items tried on real crates: what is carried out, what is refused, and what the compiler says.

Every plan that is not refused is written into a copy and compiled with `cargo check`; a compile error after a
success is a false ideal. Nothing verifies the plan before that: this measures the plan itself.
Usage: python benchmarks/corpus.py [--crates a,b] [--moves N] [--seed S] [--kinds fn,struct] [--inline | --across | --created | --several] [--jobs N] [--json FILE]
"""

import argparse
import fcntl
import json
import random
import re
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.corpus import CORPUS, FAMILIES, Entry, Prepared, Unusable, cache, cargo, prepare

from benchmarks.corpus_report import CrateReport, Trial, page, show
from benchmarks.created import sample_created
from benchmarks.crossings import put_leaf_beside, sample_across
from benchmarks.draws import Draw, Item, Sampler, items_of, sample_inline, sample_within
from benchmarks.several import sample_several
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.item import MOVABLE
from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.refusal import Refused
from m1nd.domain.rust.walk import file_facts
from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.outside_traits import RegistryTraits
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

LARGEST = 1_000_000
SINGLE_COLON = re.compile(r"(?<!:):(?!:)")
TEST_LINE = re.compile(r"^test (\S+) (?:- should panic )?\.\.\. (\w+)", re.MULTILINE)


def tried(
    entry: Entry, moves: int, seed: int, kinds: tuple[str, ...], tests: int, only: str, drawn: str
) -> CrateReport:
    """Try a seeded sample of moves on one entry of the corpus."""
    began = time.monotonic()
    try:
        prepared = prepare(entry)
    except Unusable as reason:
        return CrateReport(entry.name, str(reason))
    work = cache() / "work" / entry.name
    with _alone(work):
        return _tried(prepared, work, began, moves, seed, kinds, tests, only, drawn)


@contextmanager
def _alone(work: Path) -> Iterator[None]:
    """One run at a time has an entry's copy and its target folder; the others wait."""
    work.parent.mkdir(parents=True, exist_ok=True)
    with work.with_name(f"{work.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _tried(
    prepared: Prepared,
    work: Path,
    began: float,
    moves: int,
    seed: int,
    kinds: tuple[str, ...],
    tests: int,
    only: str,
    drawn: str,
) -> CrateReport:
    shutil.rmtree(work, ignore_errors=True)
    # New times: cargo would take for fresh what an earlier run compiled from other text.
    shutil.copytree(prepared.folder, work, copy_function=shutil.copy)
    if drawn == "across":
        put_leaf_beside(work)
    bench = _Bench(prepared, work, bool(tests), publish=drawn == "across")
    items = items_of(bench.workspace, kinds, drawn in ("inline", "several"))
    sample = SAMPLERS[drawn](bench.workspace, items, moves, random.Random(f"{seed}:{prepared.name}"))
    sample = [_only(only, items)] if only else sample
    trials = [bench.trial(d, bool(tests) and n % tests == 0) for n, d in enumerate(sample)]
    trials = [attrs.evolve(t, across=drawn == "across") for t in trials]
    lines = sum(text.count(b"\n") for text in bench.sources.values())
    return CrateReport(prepared.name, "", lines, len(items), tuple(trials), time.monotonic() - began, drawn)


def _only(spelled: str, items: list[Item]) -> Draw:
    """The one move that `--only` names: `SYMBOL:SOURCE:DEST`, several symbols with `+` between them."""
    symbols, source, dest = SINGLE_COLON.split(spelled)
    first, *also = symbols.split("+")
    kind = next((i.kind for i in items if (i.place, i.name) == (source, first)), "")
    return Draw(kind, first, source, dest, tuple(also))


SAMPLERS: Mapping[str, Sampler] = {
    "within": sample_within,
    "inline": sample_inline,
    "across": sample_across,
    "created": sample_created,
    "several": sample_several,
}


class _Bench:
    """A copy of one prepared crate: plans in memory, writes, compiles, restores."""

    def __init__(self, prepared: Prepared, work: Path, with_tests: bool, publish: bool) -> None:
        self.prepared = prepared
        self.publish = publish
        self.work = work
        self.sources, self.workspace, self.unreadable = _read(work)
        self.known = _warnings(self._check()[1])
        self.passing = self._tests() if with_tests and "--all-targets" in prepared.flags else {}

    def trial(self, draw: Draw, test: bool) -> Trial:
        began = time.monotonic()
        blank = Trial(draw.kind, draw.symbol, draw.source, draw.dest, "", "", also=draw.also)
        try:
            request = MoveRequest(
                draw.symbol, draw.source, draw.dest, also=draw.also, create_dest=True, publish=self.publish
            )
            plan = plan_move(request, self.workspace, frozenset(self.sources), self.unreadable)
        except Refused as refused:
            told = refused.refusal
            return attrs.evolve(
                blank, outcome=told.code, detail=told.message, plan_seconds=time.monotonic() - began
            )
        except Exception:  # noqa: BLE001  a crash is one of the outcomes to count
            detail = traceback.format_exc()[-1500:]
            return attrs.evolve(blank, outcome="crash", detail=detail, plan_seconds=time.monotonic() - began)
        planned = attrs.evolve(blank, plan_seconds=time.monotonic() - began)
        self._write(plan.files, after=True)
        try:
            return self._judged(plan, planned, test)
        finally:
            self._write(plan.files, after=False)

    def _judged(self, plan: MovePlan, planned: Trial, test: bool) -> Trial:
        began = time.monotonic()
        errors, output = self._check()
        new = _warnings(output) - self.known
        warnings = tuple(sorted(f"{code}: {text}" for (code, text), n in new.items() for _ in range(n)))
        told = attrs.evolve(planned, check_seconds=time.monotonic() - began, warnings=warnings)
        unresolved = plan.receipt["refs_unresolved"]
        if unresolved:
            outcome = "needs_check_fails" if errors else "needs_check"
            detail = "\n".join([*errors[:2], *(str(u) for u in unresolved[:3])])
            return attrs.evolve(told, outcome=outcome, detail=detail)
        if errors:
            return attrs.evolve(told, outcome="false_ideal", detail="\n".join(errors[:4]))
        if test and self.passing:
            after = {k.rsplit("::", 1)[-1]: v for k, v in self._tests().items()}
            lost = [k for k, v in self.passing.items() if after.get(k.rsplit("::", 1)[-1]) != v]
            if lost:
                return attrs.evolve(told, outcome="tests_lost", detail=", ".join(lost[:5]))
        return attrs.evolve(told, outcome="moved", detail=",".join(f.path for f in plan.files))

    def _write(self, files: Iterable[FilePlan], after: bool) -> None:
        for file in files:
            text = file.after if after else file.before
            place = self.work / file.path
            if text is None:
                place.unlink(missing_ok=True)
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)

    def _check(self) -> tuple[list[str], str]:
        """The compiler's errors, and its whole output; it fails without a message when cargo itself does."""
        done = cargo(
            self.work,
            "check",
            "--offline",
            "--message-format=json",
            *self.prepared.flags,
            target=self.prepared.target,
        )
        if done.returncode == 0:
            return [], done.stdout
        errors = list(dict.fromkeys(_rendered(m) for m in _messages(done.stdout) if m["level"] == "error"))
        return errors or [done.stderr[-800:]], done.stdout

    def _tests(self) -> dict[str, str]:
        flags = [f for f in self.prepared.flags if f != "--all-targets"]
        try:
            done = cargo(
                self.work, "test", "--offline", "--lib", *flags, target=self.prepared.target, timeout=300
            )
        except subprocess.TimeoutExpired:
            return {}
        return {name: result for name, result in TEST_LINE.findall(done.stdout) if result == "ok"}


def _read(folder: Path) -> tuple[dict[str, bytes], Workspace, dict[str, Unreadable]]:
    sources: dict[str, bytes] = {}
    unreadable: dict[str, Unreadable] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (path.suffix == ".rs" or path.name == "Cargo.toml"):
            sources[path.relative_to(folder).as_posix()] = path.read_bytes()
    parser = TreeSitterParser()
    facts = {}
    for path_text, text in sources.items():
        if not path_text.endswith(".rs"):
            continue
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            unreadable[path_text] = Unreadable("not UTF-8", text)
            continue
        if len(text) > LARGEST:
            unreadable[path_text] = Unreadable("over 1 MB", text)
            continue
        facts[path_text] = file_facts(text, parser)
    return (
        sources,
        Workspace.build(
            read_cargo(sorted(sources), sources.get), facts, sources, parser, RegistryTraits(folder)
        ),
        unreadable,
    )


def _messages(output: str) -> list[Mapping[str, Any]]:
    told = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [t["message"] for t in told if t.get("reason") == "compiler-message"]


def _rendered(message: Mapping[str, Any]) -> str:
    spans = [f"{s['file_name']}:{s['line_start']}" for s in message["spans"] if s["is_primary"]]
    code = (message["code"] or {}).get("code", "")
    return f"{code} {message['message']} {' '.join(spans[:2])}".strip()


def _warnings(output: str) -> Counter[tuple[str, str]]:
    """Warnings of the crate by lint and text; those of the library's unit tests are the same ones again."""
    found: Counter[tuple[str, str]] = Counter()
    for message in _messages(output):
        if message["level"] == "warning" and message["code"]:
            found[message["code"]["code"], message["message"]] += 1
    return found


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--crates", default="", help="names of entries, with commas; default: all")
    options.add_argument("--moves", type=int, default=20, help="tried moves a crate")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument(
        "--kinds",
        default=",".join(MOVABLE),
        help="kinds of items to draw from, with commas; default: all that move",
    )
    options.add_argument(
        "--tests", type=int, default=0, metavar="N", help="run the unit tests after every Nth success"
    )
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--json", default="", help="write every trial to this file")
    options.add_argument("--markdown", default="", metavar="FILE", help="write the figures as a page")
    drawn = options.add_mutually_exclusive_group()
    drawn.add_argument(
        "--inline",
        action="store_const",
        const="inline",
        dest="drawn",
        help="draw moves into, out of and between modules inline in files",
    )
    drawn.add_argument(
        "--across",
        action="store_const",
        const="across",
        dest="drawn",
        help="draw moves between the crates of an entry, each with what it needs made public (--publish)",
    )
    drawn.add_argument(
        "--created",
        action="store_const",
        const="created",
        dest="drawn",
        help="draw moves to files that do not exist",
    )
    drawn.add_argument(
        "--several",
        action="store_const",
        const="several",
        dest="drawn",
        help="draw moves of several items of one file",
    )
    options.set_defaults(drawn="within")
    options.add_argument(
        "--only", default="", metavar="SYMBOL[+SYMBOL]:SOURCE:DEST", help="one move of one crate"
    )
    chosen = options.parse_args()
    names = {n for n in chosen.crates.split(",") if n}
    kinds = tuple(chosen.kinds.split(","))
    entries = [e for e in (*CORPUS, *FAMILIES) if e.name in names or (not names and e in CORPUS)]

    console = Console(width=200)
    reports: list[CrateReport] = []
    with ProcessPoolExecutor(chosen.jobs) as pool:
        waiting = [
            pool.submit(tried, e, chosen.moves, chosen.seed, kinds, chosen.tests, chosen.only, chosen.drawn)
            for e in entries
        ]
        for entry, future in zip(entries, waiting, strict=True):
            reports.append(future.result())
            done = reports[-1]
            console.print(
                f"{entry.name}: {len(done.trials)} tried, {done.count('moved')} moved, {done.seconds:.0f} s"
            )
            for trial in done.trials:
                if trial.outcome != "moved":
                    console.print(
                        f"  {trial.outcome} {trial.spelled}\n    {trial.detail}",
                        markup=False,
                        highlight=False,
                    )
                elif trial.warnings:
                    console.print(
                        f"  warned {trial.spelled}\n    {'; '.join(trial.warnings[:4])}",
                        markup=False,
                        highlight=False,
                    )
            if chosen.json:
                Path(chosen.json).write_text(json.dumps([attrs.asdict(r) for r in reports], indent=1))
    show(reports, console)
    if chosen.markdown:
        Path(chosen.markdown).write_text(page(reports))
    return 1 if any(r.count("false_ideal", "tests_lost", "crash") for r in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
