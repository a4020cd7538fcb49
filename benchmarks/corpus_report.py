"""What a corpus run found: the trials as values, tables for a terminal, a page for `docs/`.

Reads what runs of `corpus.py --json` wrote, several together: python benchmarks/corpus_report.py FILE... [--markdown FILE]
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs
from rich.console import Console
from rich.table import Table

OUTSIDE = (
    "not_top_level_fn",
    "cross_crate",
    "other_target",
    "multiple_mounts",
    "dest_missing",
    "dest_unwired",
)
"""Refusals of what lies outside the open frontiers."""
LANGUAGE = (
    "collision",
    "shadows_glob_import",
    "shadows_prelude",
    "ambiguous_symbol",
    "cfg_mismatch",
    "entry_point",
    "dependency_missing",
    "dependency_cycle",
    "orphan_rule",
    "bad_destination",
    "stem_reserved",
    "target_unnameable",
    "non_exhaustive",
)
"""Refusals of what the language or the manifests forbid, or leave without an answer."""
CROSSING = ("cross_crate", "other_target")
"""Outside the frontiers for kinds that do not cross; where the move was drawn between crates, a legal move not carried out."""
LEAF = "leaf_beside"
"""The crate that is put beside one that stands alone, to move items to."""
ACROSS = (
    "Each crate that stands alone depends on an empty one beside it, with the same dependencies, that items are moved to; members of a "
    "family depend on each other and are not published. Every move is asked for with `--publish`. *Legal* is what remains without the moves "
    "that the language or the manifests forbid as they stand: a crate would need one that does not, or may not, depend on it "
    "(`dependency_missing`, `dependency_cycle`), or that nobody can name (`target_unnameable`: programs, tests, build scripts); an impl "
    "would stand in no crate of its own (`orphan_rule`); another crate would build or match whole what keeps that for its own "
    "(`non_exhaustive`); a condition asks what each crate answers for itself (`cfg_mismatch`: features "
    "and `test`); `main` leaves its root, one name stands for several items, or is taken. All else counts as legal, and every "
    "`cross_crate`, `other_target` and `not_movable` as legal and not carried out. Most draws need their old crate, which the new one "
    "cannot depend on: nothing else of that crate is moved along for them."
)
TITLES = {
    "created": "Moves to files that are made for them,",
    "several": "Moves of several items of one file in one plan,",
}
"""What the pages of some draws are called."""
DONE = ("moved", "needs_check")
FALSE = ("false_ideal", "tests_lost")


@attrs.frozen
class Trial:
    """One tried move.

    `outcome`: `moved`, `false_ideal`, `tests_lost`, `crash`, a refusal code, or for plans that name unresolved
    references `needs_check` (it compiles: a verified move is carried out) and `needs_check_fails` (verification refuses).
    """

    kind: str
    symbol: str
    source: str
    dest: str
    outcome: str
    detail: str
    plan_seconds: float = 0.0
    check_seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """More items of the source, moved in the same plan."""
    across: bool = False
    """Drawn between crates."""

    @property
    def spelled(self) -> str:
        """As `corpus.py --only` takes it."""
        return f"{'+'.join((self.symbol, *self.also))}:{self.source}:{self.dest}"

    @property
    def is_outside(self) -> bool:
        """Refused for lying outside the open frontiers."""
        return self.outcome in OUTSIDE and not (self.across and self.outcome in CROSSING)


@attrs.frozen
class CrateReport:
    name: str
    unusable: str = ""
    lines: int = 0
    items: int = 0
    trials: tuple[Trial, ...] = ()
    seconds: float = 0.0
    drawn: str = "within"
    """How the moves were drawn: the options of `corpus.py`."""

    def count(self, *outcomes: str) -> int:
        return sum(t.outcome in outcomes for t in self.trials)


@attrs.frozen
class Sum:
    """Figures over outcomes: `inside` the open frontiers, of those `legal`, of those carried out (`unproven`: with a check)."""

    trials: Sequence[Trial]

    @property
    def codes(self) -> Counter[str]:
        return Counter(t.outcome for t in self.trials)

    @property
    def tried(self) -> int:
        return len(self.trials)

    @property
    def inside(self) -> int:
        return sum(not t.is_outside for t in self.trials)

    @property
    def legal(self) -> int:
        return self.inside - sum(self.codes[c] for c in LANGUAGE)

    @property
    def carried(self) -> int:
        return sum(self.codes[c] for c in DONE)

    @property
    def false(self) -> int:
        return sum(self.codes[c] for c in FALSE)

    def refused(self) -> str:
        """Refusals by code; those outside the frontiers and by the language too."""
        return ", ".join(f"{c} {n}" for c, n in self.codes.most_common() if c not in (*DONE, *FALSE, "crash"))


def share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


def total(reports: Iterable[CrateReport]) -> Sum:
    return Sum([t for r in reports for t in r.trials])


def show(reports: Sequence[CrateReport], console: Console) -> None:
    """The tables on a terminal."""
    table = Table(
        "crate",
        "lines",
        "items",
        "tried",
        "moved",
        "needs check",
        "false",
        "crash",
        "refused",
        "plan max s",
        "s",
    )
    for report in reports:
        if report.unusable:
            table.add_row(report.name, *[""] * 7, f"unusable: {report.unusable[-60:]}", "", "")
        else:
            table.add_row(*_row(report))
    console.print(table)
    console.print(_by_kind(reports))
    for line in sentences(reports):
        console.print(line)


def _row(report: CrateReport) -> list[str]:
    mine = Sum(report.trials)
    return [
        report.name,
        str(report.lines),
        str(report.items),
        str(mine.tried),
        str(mine.codes["moved"]),
        str(mine.codes["needs_check"]),
        str(mine.false),
        str(mine.codes["crash"]),
        mine.refused(),
        f"{max((t.plan_seconds for t in report.trials), default=0):.2f}",
        f"{report.seconds:.0f}",
    ]


KIND_HEAD = ("kind", "tried", "inside", "legal", "carried out", "of legal", "false", "crash")


def _by_kind(reports: Sequence[CrateReport]) -> Table:
    """The same figures a kind of item."""
    table = Table(*KIND_HEAD)
    for row in _kind_rows(reports):
        table.add_row(*row)
    return table


def _kind_rows(reports: Sequence[CrateReport]) -> Iterator[list[str]]:
    for kind, _ in Counter(t.kind for r in reports for t in r.trials).most_common():
        mine = Sum([t for r in reports for t in r.trials if t.kind == kind])
        figures = (mine.tried, mine.inside, mine.legal, mine.carried)
        yield [
            kind,
            *map(str, figures),
            share(mine.carried, mine.legal),
            str(mine.false),
            str(mine.codes["crash"]),
        ]


def sentences(reports: Sequence[CrateReport]) -> list[str]:
    """The totals in words."""
    mine = total(reports)
    warned = Counter(
        w.partition(":")[0]
        for r in reports
        for t in r.trials
        if t.outcome == "moved"
        for w in set(t.warnings)
    )
    return [
        (
            f"Tried {mine.tried} moves in {sum(bool(r.trials) for r in reports)} crates; {mine.inside} lie inside the open "
            f"frontiers, {mine.legal} of those are legal, {mine.carried} were carried out: "
            f"{share(mine.carried, mine.inside)} of those inside, {share(mine.carried, mine.legal)} of the legal ones."
        ),
        (
            f"Without verification {mine.codes['moved']} are carried out ({share(mine.codes['moved'], mine.legal)} of the "
            f"legal ones); {mine.codes['needs_check']} name references that nothing here can prove, and compile."
        ),
        f"False ideals: {mine.false}. Crashes: {mine.codes['crash']}.",
        f"Refused: {mine.refused()}.",
        "New warnings after a success: "
        + (", ".join(f"{k} {n}" for k, n in warned.most_common()) or "none")
        + ".",
    ]


def page(reports: Sequence[CrateReport], note: str = "") -> str:
    """The figures as a page of `docs/`. `note`: a sentence on the runs that the page is made of."""
    head = (
        "crate",
        "lines",
        "items",
        "tried",
        "moved",
        "needs check",
        "false ideals",
        "crashes",
        "refused",
        "slowest plan, s",
        "s",
    )
    functions = any(t.kind == "fn" for r in reports for t in r.trials)
    inline = any(".rs::" in t.source + t.dest for r in reports for t in r.trials)
    title = "Moves" if functions else "Moves of other items than functions,"
    title = "Moves into, out of and between modules inline in files," if inline else title
    if any(t.across for r in reports for t in r.trials):
        title, note = "Moves between crates,", f"{note} {ACROSS}".strip()
    title = next((TITLES[r.drawn] for r in reports if r.drawn in TITLES), title)
    crates = _markdown(head, [_row(r) for r in reports if r.trials])
    kinds = _markdown(KIND_HEAD, _kind_rows(reports))
    return (
        f"# {title} tried on real crates\n\n<!-- Written by benchmarks/corpus.py --markdown; do not edit. -->\n\n"
        "A seeded sample of moves of top-level items, legal and illegal, each planned without verification, written into a "
        "copy and compiled with `cargo check --all-targets`. A compile error after a success is a *false ideal*. *needs "
        "check*: the plan names references that nothing here can prove, so it is refused unless a compiler verifies it; it "
        "compiles. The crates and their versions are in `tests/support/corpus.py`.\n\n"
        + "\n".join(f"- {line}" for line in (*sentences(reports), *([note] if note else [])))
        + f"\n\n{kinds}\n{crates}"
    )


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "".join("| " + " | ".join(row) + " |\n" for row in (head, ["---"] * len(head), *rows))


def read(path: str) -> list[CrateReport]:
    """The reports that `corpus.py --json` wrote."""
    found = []
    for row in json.loads(Path(path).read_text()):
        trials = tuple(
            Trial(
                **{
                    **t,
                    "kind": t.get("kind", "fn"),
                    "warnings": tuple(t["warnings"]),
                    "also": tuple(t.get("also", ())),
                }
            )
            for t in row["trials"]
        )
        found.append(CrateReport(**{**row, "trials": trials}))
    return found


def merged(reports: Iterable[CrateReport]) -> list[CrateReport]:
    """One report a crate: every move once, as the last run saw it, in the order of the crates' names."""
    found: dict[str, CrateReport] = {}
    for report in reports:
        known = found.get(report.name)
        if known is None or not known.trials:
            found[report.name] = report
            continue
        trials = {(t.kind, t.spelled): t for t in (*known.trials, *report.trials)}
        found[report.name] = attrs.evolve(
            known, trials=tuple(trials.values()), seconds=known.seconds + report.seconds
        )
    return [found[name] for name in sorted(found, key=str.lower)]


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="+", help="what --json wrote")
    options.add_argument("--markdown", default="", metavar="FILE", help="write the figures as a page")
    options.add_argument("--note", default="", help="a sentence for the page on the runs that it is made of")
    chosen = options.parse_args()
    reports = merged(report for path in chosen.files for report in read(path))
    show(reports, Console(width=200))
    if chosen.markdown:
        Path(chosen.markdown).write_text(page(reports, chosen.note))
    return 0


if __name__ == "__main__":
    sys.exit(main())
