"""Eight agents at once on one owner, mixed reads and writes (C1): no error and no lost event, also when the owner is killed over and
over. The short forms run in `make test`; `make soak` takes ten minutes, and thirty with a kill every minute."""

import os
import signal
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from attrs import define, field
from tests.support.agent import harbour_root
from tests.support.agents_at_work import (
    EVENT_OF,
    MIXED,
    PEACEFUL,
    TEXT,
    Worker,
    at_work,
    hired,
    summed,
    topics_of,
)
from tests.support.relay import Machine
from tests.support.relay import machine as private_machine

SOAK_MINUTES = "M1ND_SOAK_MINUTES"
LOOK_SECONDS = 0.5
SLOPE_MIB = 24.0
"""How much larger the owners of the last third may be than those of the first: their history is longer, nothing else is."""


@pytest.fixture
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        private_machine(Path(folder), os.environ) as made,
    ):
        yield made


def whole(here: Machine, root: Path) -> None:
    assert here.m1nd(root, "audit", "verify")["ok"] is True
    assert here.m1nd(root, "projections", "rebuild", "--check")["ok"] is True


def mixed(here: Machine, root: Path, seconds: float) -> None:
    first = here.host(root, M1ND_AGENT="first").hello()
    assert first.call("ingest")["ok"]
    workers = hired(here, root)
    for thread in at_work(workers, seconds, PEACEFUL):
        thread.join()
    assert [worker.faults for worker in workers if worker.faults] == []
    total = summed([worker.acknowledged for worker in workers])
    assert min(total[tool] for tool in ("search", "edit_commit", "card_shown")) > 0, total
    topics = Counter(topics_of(here, root))
    assert {tool: topics[event] for tool, event in EVENT_OF.items()} == {
        tool: total[tool] for tool in EVENT_OF
    }
    assert len(list((root / "notes").iterdir())) == total["edit_commit"]
    whole(here, root)
    assert len(here.owners()) == 1


@pytest.mark.slow
def test_eight_agents_mixed_lose_no_event(here: Machine) -> None:
    mixed(here, harbour_root(here.folder), seconds=6)


@pytest.mark.soak
def test_eight_agents_mixed_lose_no_event_for_ten_minutes(here: Machine) -> None:
    mixed(here, harbour_root(here.folder), seconds=600)


@define
class Life:
    """One owner from its first look to its end: memory in MiB and open descriptors, look by look."""

    owner: int
    memory: list[float] = field(factory=list)
    descriptors: list[int] = field(factory=list)

    def look(self) -> bool:
        """Whether it still was there."""
        here = Path(f"/proc/{self.owner}")
        try:
            pages = int((here / "statm").read_text().split()[1])
            count = len(list((here / "fd").iterdir()))
        except (OSError, IndexError):
            return False
        self.memory.append(pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20))
        self.descriptors.append(count)
        return True


def watched(here: Machine, threads: Sequence[threading.Thread], life_seconds: float) -> list[Life]:
    """Look at the owners until the threads end, and kill (SIGKILL) every one that has lived that long; those killed, in order.

    Relays that start at once start several owners, of which all but one soon end by themselves: they are not told of.
    """
    lives: dict[int, Life] = {}
    born: dict[int, float] = {}
    killed: list[Life] = []
    while any(thread.is_alive() for thread in threads):
        time.sleep(LOOK_SECONDS)
        for owner in here.owners():
            life = lives.setdefault(owner, Life(owner))
            now = time.monotonic()
            if life.look() and now - born.setdefault(owner, now) >= life_seconds:
                os.kill(owner, signal.SIGKILL)
                killed.append(lives.pop(owner))
    return killed


def killed_over_and_over(here: Machine, root: Path, seconds: float, life_seconds: float) -> list[Life]:
    """Mixed work with kills; then: everything acknowledged is there, nothing is there twice or by half.

    A call that the kill left without an answer may have happened or not, so a topic's count lies between what was acknowledged
    and that plus what hung in the air.
    """
    before = (root / "src" / "berth.rs").read_bytes(), (root / "src" / "draught.rs").read_bytes()
    first = here.host(root, M1ND_AGENT="first").hello()
    assert first.call("ingest")["ok"]
    workers = hired(here, root, survive=True)
    lives = watched(here, at_work(workers, seconds, MIXED), life_seconds)
    assert [worker.faults for worker in workers if worker.faults] == []
    assert here.m1nd(root, "ingest")["ok"] is True  # whoever comes next mends what the last kill left
    _nothing_lost(here, root, workers)
    whole(here, root)
    assert b"".join(before).count(b"fn clearance") == sum(
        (root / name).read_bytes().count(b"fn clearance") for name in ("src/berth.rs", "src/draught.rs")
    )
    assert len(here.owners()) <= 1
    return lives


def _nothing_lost(here: Machine, root: Path, workers: Sequence[Worker]) -> None:
    total = summed([worker.acknowledged for worker in workers])
    open_ends = summed([worker.unanswered for worker in workers])
    assert min(total[tool] for tool in ("search", "edit_commit", "card_shown", "transplant_preview")) > 0, (
        total
    )
    topics = Counter(topics_of(here, root))
    for tool, event in EVENT_OF.items():
        assert total[tool] <= topics[event] <= total[tool] + open_ends[tool], (tool, topics, total, open_ends)
    found = {f"notes/{path.name}": path.read_text() for path in (root / "notes").iterdir()}
    assert set(found.values()) == {TEXT}
    assert {name for worker in workers for name in worker.written} <= set(found)
    assert len(found) == topics["edit_committed"]


@pytest.mark.slow
def test_an_owner_that_is_killed_over_and_over_loses_no_answered_call(here: Machine) -> None:
    assert killed_over_and_over(here, harbour_root(here.folder), seconds=12, life_seconds=3)


@pytest.mark.soak
def test_half_an_hour_of_kills_loses_no_answered_call_and_grows_nothing(here: Machine) -> None:
    """`M1ND_SOAK_MINUTES` shortens it; a kill every minute, or six of them in a shorter time."""
    minutes = float(os.environ.get(SOAK_MINUTES, "30"))
    lives = killed_over_and_over(
        here, harbour_root(here.folder), minutes * 60, life_seconds=min(60.0, minutes * 60 / 7)
    )
    assert len(lives) >= minutes // 2, "hardly any owner lived long enough to be killed"
    third = max(1, len(lives) // 3)
    ends = [life.memory[-1] for life in lives]
    handles = [max(life.descriptors) for life in lives]
    slope = statistics.median(ends[-third:]) - statistics.median(ends[:third])
    print(
        f"{len(lives)} owners killed; memory at their ends {[round(end) for end in ends]} MiB, last third {slope:+.1f} MiB; "
        f"descriptors at most {max(handles)}"
    )
    assert slope <= SLOPE_MIB
    assert statistics.median(handles[-third:]) <= statistics.median(handles[:third]) + 4
