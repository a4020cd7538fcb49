"""The figures as a table for people, as docs/benchmarks.md, and the growth as a picture."""

import io
from collections.abc import Mapping, Sequence

from rich.table import Table

from benchmarks.figures import Figure, Report
from benchmarks.profiles import Profile

VERDICT = {True: "yes", False: "no", None: ""}


def shown(value: float) -> str:
    return (
        f"{value:,.0f}"
        if value >= 1000
        else f"{value:.1f}"
        if value >= 10
        else f"{value:.3f}".rstrip("0").rstrip(".")
    )


def bar_of(figure: Figure) -> str:
    return "" if figure.bar is None else f"{'≥' if figure.least else '≤'} {shown(figure.bar)}"


def table(figures: Sequence[Figure]) -> Table:
    found = Table("room", "figure", "what", "corpus", "value", "unit", "bar", "met")
    for f in figures:
        found.add_row(f.room, f.key, f.says, f.corpus, shown(f.value), f.unit, bar_of(f), VERDICT[f.met])
    return found


def page(report: Report, profiles: Sequence[Profile] = ()) -> str:
    """docs/benchmarks.md; written by `make bench ARGS=--write`, never by hand."""
    at = report.machine
    bars = [figure for figure in report.figures if figure.bar is not None]
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench ARGS=--write`. Everything side by side in one run; a figure with the unit `x` is a ratio to its",
        "bound in the same round, the median of the rounds. Corpora: S = ignore and globset (9,600 lines), M = tokio",
        "(128,000), L = eleven crates (about 800,000), all pinned by version. The bars are the ones we set ourselves; those that are not",
        "met say so.",
        "",
        f"{at.cores} cores, {at.system}, Python {at.python}, load at the end {at.load}; "
        + ", ".join(f"{name} {version}" for name, version in sorted(report.versions.items()))
        + f"; {report.rounds} rounds.",
        "",
        f"**{sum(bool(f.met) for f in bars)} of {len(bars)} bars met.**",
        "",
    ]
    for room in dict.fromkeys(figure.room for figure in report.figures):
        lines += [
            f"## {room.capitalize()}",
            "",
            "| figure | what | corpus | value | unit | bar | met |",
            "|---|---|---|---|---|---|---|",
        ]
        for f in (f for f in report.figures if f.room == room):
            lines.append(
                f"| {f.key} | {f.says} | {f.corpus} | {shown(f.value)} | {f.unit} | {bar_of(f)} | {VERDICT[f.met]} |"
            )
        lines.append("")
    if profiles:
        lines += ["## Where the time goes", ""]
        lines += ["Shares of the processor time that functions spend themselves, under a profiler, on M.", ""]
        lines += ["| job | function | share |", "|---|---|---|"]
        lines += [f"| {p.job} | `{name}` | {share:.0%} |" for p in profiles for share, name in p.rows]
        lines.append("")
    if report.growth:
        lines += ["## Growth", "", "![growth with the lines of a repository](benchmarks.svg)", ""]
        lines += ["| lines | ingest s | peak MiB | index KiB | fresh search ms |", "|---|---|---|---|---|"]
        for row in report.growth:
            lines.append(
                f"| {row['lines']:,.0f} | {row['ingest_s']} | {row['peak_mib']} | {row['disk_kib']:,.0f} | {row['search_ms']} |"
            )
        lines.append("")
    if report.left_out:
        lines += ["## Left out", ""] + [f"- {what}: {why}" for what, why in report.left_out] + [""]
    return "\n".join(lines)


def drawn(rows: Sequence[Mapping[str, float]]) -> str:
    """The growth as an SVG: three lines over the number of lines, both axes logarithmic."""
    # Late: only `--write` needs it.
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "m1nd"
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    lines = [row["lines"] for row in rows]
    for key, says in (
        ("ingest_s", "ingest, s"),
        ("peak_mib", "peak memory, MiB"),
        ("search_ms", "fresh search, ms"),
    ):
        axes.plot(lines, [row[key] for row in rows], marker="o", label=says)
    axes.set(xscale="log", yscale="log", xlabel="lines of Rust")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend()
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    return out.getvalue()
