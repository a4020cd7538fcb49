"""Eight agents at once on one owner, mixed reads and writes: no error, no lost event (C1). Ten minutes in `make soak`."""

import json
import os
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field
from tests.support.agent import harbour_root
from tests.support.relay import Host, Machine, machine

AGENTS = 8


@pytest.fixture
def here() -> Iterator[Machine]:
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        yield made


@define
class Worker:
    """One agent's share: draws what to do next, and counts what was acknowledged."""

    number: int
    host: Host
    acknowledged: Counter[str] = field(factory=Counter)
    slowest: dict[str, float] = field(factory=dict)
    faults: list[object] = field(factory=list)

    def run(self, seconds: float) -> None:
        draw = random.Random(self.number)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.faults:
            try:
                draw.choice((self.read, self.read, self.read, self.write, self.note))(draw)
            except Exception as error:  # noqa: BLE001 (a thread: the test tells of it)
                self.faults.append(error)

    def call(self, tool: str, **arguments: object) -> dict[str, object]:
        started = time.monotonic()
        envelope = self.host.call(tool, **arguments)
        self.slowest[tool] = max(self.slowest.get(tool, 0.0), time.monotonic() - started)
        if not envelope["ok"]:
            self.faults.append((tool, envelope["error"]))
            return {}
        self.acknowledged[tool] += 1
        return dict(envelope["data"])

    def read(self, draw: random.Random) -> None:
        tool, arguments = draw.choice(
            (
                ("search", {"query": "clearance"}),
                ("surgical_context", {"symbol": "crate::berth::clearance"}),
                ("impact", {"symbol": "crate::berth::clearance"}),
                ("north", {"task": "moor a vessel"}),
                ("status", {}),
            )
        )
        self.call(tool, **arguments)

    def write(self, draw: random.Random) -> None:
        name = f"notes/{self.number}-{draw.randrange(1 << 30)}.md"
        plan = json.dumps({"files": [{"path": name, "content": "tide\n"}]})
        made = self.call("edit_preview", plan=plan)
        if made:
            self.call("edit_commit", preview_id=made["preview_id"], confirm=True, verify="none")

    def note(self, draw: random.Random) -> None:
        session = f"s-{self.number}-{draw.randrange(1 << 30)}"
        self.call("card_shown", session=session, state_sig="full_trust|bell:0|coh:none|recv:match")


def mixed(here: Machine, root: Path, seconds: float) -> None:
    first = here.host(root, M1ND_AGENT="first").hello()
    assert first.call("ingest")["ok"]
    workers = [Worker(n, here.host(root, M1ND_AGENT=f"agent {n}").hello()) for n in range(AGENTS)]
    threads = [threading.Thread(target=worker.run, args=(seconds,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [worker.faults for worker in workers if worker.faults] == []
    total: Counter[str] = sum((worker.acknowledged for worker in workers), Counter())
    assert min(total[tool] for tool in ("search", "edit_commit", "card_shown")) > 0, total
    topics = {row["topic"]: row["events"] for row in here.m1nd(root, "audit", "topics")["data"]["topics"]}
    assert topics["edit_previewed"] == total["edit_preview"]
    assert topics["edit_committed"] == total["edit_commit"]
    assert topics["card_shown"] == total["card_shown"]
    assert len(list((root / "notes").iterdir())) == total["edit_commit"]
    assert here.m1nd(root, "audit", "verify")["ok"] is True
    assert here.m1nd(root, "projections", "rebuild", "--check")["ok"] is True
    assert len(here.owners()) == 1


@pytest.mark.slow
def test_eight_agents_mixed_lose_no_event(here: Machine) -> None:
    mixed(here, harbour_root(here.folder), seconds=6)


@pytest.mark.soak
def test_eight_agents_mixed_lose_no_event_for_ten_minutes(here: Machine) -> None:
    mixed(here, harbour_root(here.folder), seconds=600)
