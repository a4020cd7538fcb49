"""Where the time of the main jobs goes: by the functions that spend it themselves, beside the figures that say how much it is."""

import cProfile
import pstats
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from benchmarks.corpora import MEDIUM, folder_of
from benchmarks.rooms.ingest import ingest
from benchmarks.rooms.moves import drawn_requests
from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.ingest import ingest as recorded
from m1nd.application.use_cases.move_planning import plan_on_today
from m1nd.application.use_cases.north import NorthRequest, north
from m1nd.domain.refusal import Refused

MOST = 6
"""Functions shown of each job."""
QUESTIONS, PLANS = 20, 30
HOME = "m1nd/"


@frozen
class Profile:
    """A job, and its costliest functions as `(share of the processor time, name)`."""

    job: str
    rows: tuple[tuple[float, str], ...]


def measure() -> Iterator[Profile]:
    """Profiles on M: the profiler slows what calls much, so these are shares, and no times."""
    with folder_of(MEDIUM) as root:
        yield _profiled("ingest, one process", lambda: ingest(root, 1))
        with tempfile.TemporaryDirectory(prefix="m1nd-home-") as home:
            brain = open_brain(str(root.resolve()), environment={"M1ND_HOME": home, "PATH": home})
            recorded(brain)
            north(brain, NorthRequest("warm"))
            yield _profiled(f"north, {QUESTIONS} questions", lambda: _ask(brain))
            yield _profiled(f"plan of a move, {PLANS} plans", lambda: _plan(brain, root))
            brain.close()


def _ask(brain: Brain) -> None:
    for number in range(QUESTIONS):
        north(brain, NorthRequest(f"spawn a blocking task {number}"))


def _plan(brain: Brain, root: Path) -> None:
    for request in drawn_requests(brain, root, PLANS):
        with suppress(Refused):
            plan_on_today(brain, request)


def _profiled(job: str, work: Callable[[], object]) -> Profile:
    profiler = cProfile.Profile()
    profiler.runcall(work)
    found = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    own = sorted(((row[2], _name(*place)) for place, row in found.items()), reverse=True)
    total = sum(seconds for seconds, _ in own) or 1.0
    return Profile(job, tuple((seconds / total, name) for seconds, name in own[:MOST]))


def _name(file: str, line: int, function: str) -> str:
    """`domain/rust/walk.py: file_facts`; of what is not ours the name alone, for its place is that of a machine."""
    _, ours, path = file.rpartition(HOME)
    return f"{path}: {function}" if ours else function.strip("<>")
