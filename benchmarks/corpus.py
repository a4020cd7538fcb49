"""Moves of top-level items tried on real crates: what is carried out, what is refused, and what the compiler says.

Every plan that is not refused is written into a copy and compiled with `cargo check`; a compile error after a
success is a false ideal. Nothing verifies the plan before that: this measures the plan itself.
Usage: python benchmarks/corpus.py [--crates a,b] [--moves N] [--seed S] [--kinds fn,struct] [--inline | --across] [--jobs N] [--json FILE]
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.corpus import CORPUS, FAMILIES, Entry, Prepared, Unusable, cache, cargo, prepare

from benchmarks.corpus_report import CrateReport, Trial, page, show
from benchmarks.crossings import put_leaf_beside, sample_across
from m1nd.domain.edits import FilePlan
from m1nd.domain.move.inline_modules import is_in_a_module, place_of
from m1nd.domain.move.item import MOVABLE
from m1nd.domain.move.plan import MovePlan, plan_move
from m1nd.domain.move.request import MoveRequest, Unreadable
from m1nd.domain.places import place_at
from m1nd.domain.refusal import Refused
from m1nd.domain.rust.facts import ItemFact, ItemKind
from m1nd.domain.rust.module_tree import Module
from m1nd.domain.rust.walk import file_facts
from m1nd.domain.rust.workspace import Workspace
from m1nd.infrastructure.cargo_manifest import read_cargo
from m1nd.infrastructure.outside_traits import RegistryTraits
from m1nd.infrastructure.rust_source.parser import TreeSitterParser

LARGEST = 1_000_000
SINGLE_COLON = re.compile(r"(?<!:):(?!:)")
TEST_LINE = re.compile(r"^test (\S+) (?:- should panic )?\.\.\. (\w+)", re.MULTILINE)


Sampler = Callable[
    [Workspace, list[tuple[str, str, str, str]], int, random.Random], list[tuple[str, str, str, str]]
]


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
    bench = _Bench(prepared, work, bool(tests))
    items = _items(bench.workspace, kinds, drawn == "inline")
    sample = SAMPLERS[drawn](bench.workspace, items, moves, random.Random(f"{seed}:{prepared.name}"))
    if only:
        symbol, source, dest = SINGLE_COLON.split(only)
        kind = next((k for _, file, k, name in items if (file, name) == (source, symbol)), "")
        sample = [(kind, symbol, source, dest)]
    trials = []
    for number, (kind, symbol, source, dest) in enumerate(sample):
        trial = bench.trial(symbol, source, dest, bool(tests) and number % tests == 0)
        trials.append(attrs.evolve(trial, kind=kind))
    lines = sum(text.count(b"\n") for text in bench.sources.values())
    return CrateReport(prepared.name, "", lines, len(items), tuple(trials), time.monotonic() - began)


def _items(workspace: Workspace, kinds: tuple[str, ...], inline: bool) -> list[tuple[str, str, str, str]]:
    """`(crate, place, kind, name)` of every item of `kinds` that stands directly in a module, each once.

    `inline`: those of modules inline in files too.
    """
    return sorted(
        {
            (module.definition.crate, place, item.kind.value, item.name)
            for module, place in _modules(workspace, inline)
            for item in workspace.facts[module.file].items
            if item.parent == module.scope_item and item.kind.value in kinds and not _is_inline(item)
        }
    )


def _modules(workspace: Workspace, inline: bool) -> Iterator[tuple[Module, str]]:
    """The modules that a move can name, with their places."""
    for module in workspace.modules.values():
        items = workspace.facts[module.file].items
        if not module.inline or (inline and is_in_a_module(workspace.facts[module.file], items[module.item])):
            yield module, place_of(workspace, module)


def _is_inline(item: ItemFact) -> bool:
    """A module without a file of its own, which does not move as a whole."""
    return item.kind is ItemKind.MOD and item.has_body


def _sample(
    workspace: Workspace, items: list[tuple[str, str, str, str]], moves: int, dice: random.Random
) -> list[tuple[str, str, str, str]]:
    """`(kind, symbol, source, destination)`: any of `items` to another file of its crate that is compiled when its own is;
    now and then to any file at all."""
    files, conditions = _compiled_alike(workspace, False)
    everywhere = sorted(conditions)
    found: dict[tuple[str, str, str, str], None] = {}
    for _ in range(moves * 20):
        if len(found) == moves or not items:
            break
        crate, source, kind, name = dice.choice(items)
        alike = sorted(files.get((crate, conditions[source]), ()))
        choice = everywhere if dice.random() < 0.05 else alike
        dest = dice.choice(choice)
        if dest != source:
            found[kind, name, source, dest] = None
    return list(found)


def _sample_inline(
    workspace: Workspace, items: list[tuple[str, str, str, str]], moves: int, dice: random.Random
) -> list[tuple[str, str, str, str]]:
    """As `_sample`, but source or destination (or both) is a module inline in a file; every third stays in its file."""
    places, conditions = _compiled_alike(workspace, True)
    inside = [i for i in items if ".rs::" in i[1]]
    found: dict[tuple[str, str, str, str], None] = {}
    for _ in range(moves * 60):
        if len(found) == moves or not items:
            break
        out_of = inside and dice.random() < 0.5
        crate, source, kind, name = dice.choice(inside if out_of else items)
        alike = sorted(places.get((crate, conditions[source]), ()))
        if dice.random() < 0.33:
            alike = [p for p in alike if place_at(p).file == place_at(source).file]
        if dice.random() < 0.05:
            alike = sorted(conditions)
        choice = alike if out_of else [p for p in alike if ".rs::" in p]
        dest = dice.choice(choice) if choice else source
        if dest != source:
            found[kind, name, source, dest] = None
    return list(found)


def _compiled_alike(
    workspace: Workspace, inline: bool
) -> tuple[dict[tuple[str, frozenset[str]], list[str]], dict[str, frozenset[str]]]:
    """The places of each crate by the conditions they are compiled under, and the conditions of each place."""
    places: dict[tuple[str, frozenset[str]], list[str]] = {}
    conditions: dict[str, frozenset[str]] = {}
    for module, place in _modules(workspace, inline):
        conditions[place] = frozenset(module.cfg)
        places.setdefault((module.definition.crate, frozenset(module.cfg)), []).append(place)
    return places, conditions


SAMPLERS: Mapping[str, Sampler] = {"within": _sample, "inline": _sample_inline, "across": sample_across}


class _Bench:
    """A copy of one prepared crate: plans in memory, writes, compiles, restores."""

    def __init__(self, prepared: Prepared, work: Path, with_tests: bool) -> None:
        self.prepared = prepared
        self.work = work
        self.sources, self.workspace, self.unreadable = _read(work)
        self.known = _warnings(self._check()[1])
        self.passing = self._tests() if with_tests and "--all-targets" in prepared.flags else {}

    def trial(self, symbol: str, source: str, dest: str, test: bool) -> Trial:
        began = time.monotonic()
        try:
            plan = plan_move(
                MoveRequest(symbol, source, dest), self.workspace, frozenset(self.sources), self.unreadable
            )
        except Refused as refused:
            return Trial(
                "",
                symbol,
                source,
                dest,
                refused.refusal.code,
                refused.refusal.message,
                time.monotonic() - began,
            )
        except Exception:  # noqa: BLE001  a crash is one of the outcomes to count
            return Trial(
                "", symbol, source, dest, "crash", traceback.format_exc()[-1500:], time.monotonic() - began
            )
        planned = time.monotonic() - began
        self._write(plan.files, after=True)
        try:
            return self._judged(plan, symbol, source, dest, planned, test)
        finally:
            self._write(plan.files, after=False)

    def _judged(
        self, plan: MovePlan, symbol: str, source: str, dest: str, planned: float, test: bool
    ) -> Trial:
        began = time.monotonic()
        errors, output = self._check()
        new = _warnings(output) - self.known
        warnings = tuple(sorted(f"{code}: {text}" for (code, text), n in new.items() for _ in range(n)))
        took = time.monotonic() - began
        unresolved = plan.receipt["refs_unresolved"]
        if unresolved:
            outcome = "needs_check_fails" if errors else "needs_check"
            detail = "\n".join([*errors[:2], *(str(u) for u in unresolved[:3])])
            return Trial("", symbol, source, dest, outcome, detail, planned, took, warnings)
        if errors:
            return Trial(
                "", symbol, source, dest, "false_ideal", "\n".join(errors[:4]), planned, took, warnings
            )
        if test and self.passing:
            after = {k.rsplit("::", 1)[-1]: v for k, v in self._tests().items()}
            lost = [k for k, v in self.passing.items() if after.get(k.rsplit("::", 1)[-1]) != v]
            if lost:
                return Trial(
                    "", symbol, source, dest, "tests_lost", ", ".join(lost[:5]), planned, took, warnings
                )
        return Trial(
            "", symbol, source, dest, "moved", ",".join(f.path for f in plan.files), planned, took, warnings
        )

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
        help="draw moves between the crates of an entry",
    )
    options.set_defaults(drawn="within")
    options.add_argument("--only", default="", metavar="SYMBOL:SOURCE:DEST", help="one move of one crate")
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
                        f"  {trial.outcome} {trial.symbol}:{trial.source}:{trial.dest}\n    {trial.detail}",
                        markup=False,
                        highlight=False,
                    )
                elif trial.warnings:
                    console.print(
                        f"  warned {trial.symbol}:{trial.source}:{trial.dest}\n    {'; '.join(trial.warnings[:4])}",
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
