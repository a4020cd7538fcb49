"""The move: planning on a large workspace (G7), and a verified commit beside cargo's own incremental check (G12)."""

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.corpora import LARGE, SMALL, folder_of
from benchmarks.figures import Figure, Options, each_ms, quantile, timed
from m1nd.adapters.bootstrap import open_brain
from m1nd.adapters.demo.crate_copy import unpack
from m1nd.application.brain import Brain
from m1nd.application.use_cases.ingest import ingest
from m1nd.application.use_cases.move_planning import PreviewRequest, plan_on_today
from m1nd.application.use_cases.transplant import CommitRequest, Previewed, commit, move, preview
from m1nd.domain.refusal import Refused

ROOM = "moves"
SEED = 11


def measure(options: Options) -> Iterator[Figure]:
    name, members = ("S", SMALL) if options.quick else ("L", LARGE)
    with folder_of(members) as root:
        yield from _plans(name, root, 30 if options.quick else 150)
    yield from _unverified(6 if options.quick else 40)
    if shutil.which("cargo"):
        yield from _verified(options.rounds)


def _plans(name: str, root: Path, count: int) -> Iterator[Figure]:
    """Plans of drawn functions, to files of their own crate; the graph in memory, no program of the toolchain on the path."""
    with tempfile.TemporaryDirectory(prefix="m1nd-home-") as home:
        brain = open_brain(str(root.resolve()), environment={"M1ND_HOME": home, "PATH": _git_alone(home)})
        ingest(brain)
        took = each_ms([_plan(brain, request) for request in drawn_requests(brain, root, count)])
        brain.close()
    yield Figure(ROOM, "G7 p50", "plan of one move, p50", name, quantile(took, 0.5), "ms", 10.0)
    yield Figure(ROOM, "G7 p99", "plan of one move, p99", name, quantile(took, 0.99), "ms", 150.0)


def _git_alone(folder: str) -> str:
    """A path with git on it and nothing else: rustfmt is a program of the toolchain, and not what is measured here."""
    place = Path(folder) / "bin"
    place.mkdir()
    git = shutil.which("git")
    if git:
        (place / "git").symlink_to(git)
    return str(place)


def _plan(brain: Brain, request: PreviewRequest) -> Callable[[], object]:
    """Carried out or refused: both are answers, and both took their time."""

    def work() -> None:
        with suppress(Refused):
            plan_on_today(brain, request)

    return work


def drawn_requests(brain: Brain, root: Path, count: int) -> Iterator[PreviewRequest]:
    """Functions of the library sources, each with another file of its crate as destination."""
    graph = brain.graph.index()
    draw = random.Random(SEED)
    functions = [
        item
        for item in range(graph.item_count)
        if graph.kinds[item] == "f" and graph.parent[item] < 0 and "/src/" in graph.paths[graph.file_of(item)]
    ]
    for item in draw.sample(functions, min(count, len(functions))):
        source = graph.paths[graph.file_of(item)]
        crate = source.partition("/src/")[0]
        others = [p for p in graph.paths if p.startswith(f"{crate}/src/") and p != source]
        if others:
            yield PreviewRequest(graph.names[item], source, draw.choice(others))


def _unverified(count: int) -> Iterator[Figure]:
    """The demo's crate: plan, gates, write, sync and append of one move to and fro, without a compiler."""
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        root = Path(scratch) / "harbour"
        unpack(root)
        brain = open_brain(str(root.resolve()), environment=dict(os.environ) | {"XDG_CACHE_HOME": scratch})
        ingest(brain)
        took = each_ms([_moved(brain, number) for number in range(count)])[2:]
        brain.close()
    for share, key in ((0.5, "p50"), (0.99, "p99")):
        yield Figure(
            ROOM, f"commit {key}", f"a whole move with `--verify none`, {key}", "demo", quantile(took, share), "ms"
        )  # fmt: skip


def _moved(brain: Brain, number: int) -> Callable[[], object]:
    return lambda: move(brain, _to_and_fro(number), True, "none")


def _to_and_fro(number: int) -> PreviewRequest:
    source, dest = ("berth", "draught") if number % 2 == 0 else ("draught", "berth")
    return PreviewRequest("clearance", f"src/{source}.rs", f"src/{dest}.rs")


def _verified(rounds: int) -> Iterator[Figure]:
    """The demo's crate in a running owner: a move with `--verify check`, in turn with the same edit and `cargo check` by hand."""
    commits: list[float] = []
    wholes: list[float] = []
    with tempfile.TemporaryDirectory(prefix="m1nd-bench-") as scratch:
        ours, bare = Path(scratch) / "ours", Path(scratch) / "bare"
        for folder in (ours, bare):
            unpack(folder)
        environment = dict(os.environ) | {"XDG_CACHE_HOME": f"{scratch}/cache"}
        check = ["cargo", "check", "--workspace", "--all-targets", "--offline", "-q"]
        subprocess.run(check, cwd=bare, check=True, capture_output=True)
        brain = open_brain(str(ours.resolve()), environment=environment)
        # The first two rounds build both copies, and ask rustfmt what it is not asked again.
        for number in range(rounds + 2):
            made: list[Previewed] = []
            previewed = timed(
                lambda number=number, made=made: made.append(preview(brain, _to_and_fro(number)))
            )
            request = CommitRequest(made[0].preview_id, True, "check")
            committed = timed(lambda request=request: commit(brain, request))
            _same_sources(ours, bare)
            checked = timed(lambda: subprocess.run(check, cwd=bare, check=True, capture_output=True))
            if number > 1:
                commits.append(committed.wall / checked.wall)
                wholes.append((previewed.wall + committed.wall) / checked.wall)
        brain.close()
    yield Figure(
        ROOM, "G12", "verified commit ÷ cargo's own incremental check after the same edit", "demo",
        quantile(commits, 0.5), "x", 1.3,
    )  # fmt: skip
    yield Figure(
        ROOM, "G12 with its preview", "preview and verified commit ÷ the same check", "demo",
        quantile(wholes, 0.5), "x",
    )  # fmt: skip


def _same_sources(ours: Path, bare: Path) -> None:
    """Give the other copy the same edit, and only it: cargo goes by the times of files."""
    for path in ours.rglob("*.rs"):
        other = bare / path.relative_to(ours)
        if "target" not in path.parts and path.read_bytes() != other.read_bytes():
            shutil.copyfile(path, other)
