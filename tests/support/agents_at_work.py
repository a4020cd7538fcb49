"""Agents that work at once on one owner: what each did, what was acknowledged, and what hung in the air when it died."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field
from tests.support.relay import Host, Machine, ServerEnded

AGENTS = 8
STARTS = 20
"""So often is a server started again that is killed before it speaks."""
PEACEFUL = ("read", "read", "read", "write", "note")
MIXED = (*PEACEFUL, "move")
EVENT_OF = {
    "edit_preview": "edit_previewed",
    "edit_commit": "edit_committed",
    "card_shown": "card_shown",
    "transplant_preview": "transplant_previewed",
    "transplant_commit": "transplant_committed",
}
"""What each answered call has appended."""
TEXT = "tide\n"
NEIGHBOURS = ("src/berth.rs", "src/draught.rs")
CONTENDED = frozenset(
    {"symbol_not_found", "symbol_elsewhere", "already_moved", "source_modified", "proof_gate"}
)
"""How a move may be refused when somebody else moved the same function a moment ago."""


@define
class Worker:
    """One agent's share: draws what to do next, and counts what was acknowledged."""

    number: int
    start: Callable[[], Host]
    survives: bool = False
    """Start the server again where it ended, as a host does; without it an end is a fault."""
    host: Host = field(init=False)
    acknowledged: Counter[str] = field(factory=Counter)
    unanswered: Counter[str] = field(factory=Counter)
    refused: Counter[str] = field(factory=Counter)
    slowest: dict[str, float] = field(factory=dict)
    written: list[str] = field(factory=list)
    """Files whose commit was acknowledged."""
    faults: list[object] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.host = self.start()

    def run(self, seconds: float, kinds: Sequence[str]) -> None:
        draw = random.Random(self.number)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.faults:
            try:
                getattr(self, draw.choice(kinds))(draw)
            except ServerEnded as ended:
                self._again(ended)
            except Exception as error:  # noqa: BLE001 (a thread: the test tells of it)
                self.faults.append(error)

    def _again(self, ended: ServerEnded) -> None:
        if not self.survives:
            self.faults.append(ended)
            return
        self.host.kill()
        for _ in range(STARTS):
            try:
                self.host = self.start()
                return
            except ServerEnded:
                time.sleep(0.1)  # killed again before it spoke
        self.faults.append(ended)

    def call(
        self, tool: str, *, may_refuse: frozenset[str] = frozenset(), **arguments: object
    ) -> dict[str, Any]:
        """The data of an answer; empty where it was refused."""
        started = time.monotonic()
        try:
            envelope = self.host.call(tool, **arguments)
        except ServerEnded:
            self.unanswered[tool] += 1
            raise
        self.slowest[tool] = max(self.slowest.get(tool, 0.0), time.monotonic() - started)
        if envelope["ok"]:
            self.acknowledged[tool] += 1
            return dict(envelope["data"])
        code = envelope["error"]["code"]
        if code in may_refuse:
            self.refused[code] += 1
        else:
            self.faults.append((tool, envelope["error"]))
        return {}

    def read(self, draw: random.Random) -> None:
        tool, arguments = draw.choice(
            (
                ("search", {"query": "clearance"}),
                ("surgical_context", {"symbol": "crate::channel::clearance"}),
                ("impact", {"symbol": "crate::channel::clearance"}),
                ("north", {"task": "moor a vessel"}),
                ("status", {}),
            )
        )
        self.call(tool, **arguments)

    def write(self, draw: random.Random) -> None:
        name = f"notes/{self.number}-{draw.randrange(1 << 30)}.md"
        plan = json.dumps({"files": [{"path": name, "content": TEXT}]})
        made = self.call("edit_preview", plan=plan)
        if made and self.call("edit_commit", preview_id=made["preview_id"], confirm=True, verify="none"):
            self.written.append(name)

    def move(self, draw: random.Random) -> None:
        """Move one function to and fro; of several that try at once all but one are refused."""
        source, dest = draw.sample(NEIGHBOURS, 2)
        made = self.call(
            "transplant_preview", may_refuse=CONTENDED, symbol="clearance", source_file=source, dest_file=dest
        )
        if made:
            self.call(
                "transplant_commit",
                may_refuse=CONTENDED,
                preview_id=made["preview_id"],
                confirm=True,
                verify="none",
            )

    def note(self, draw: random.Random) -> None:
        session = f"s-{self.number}-{draw.randrange(1 << 30)}"
        self.call("card_shown", session=session, state_sig="full_trust|bell:0|coh:none|recv:match")


def hired(here: Machine, root: Path, *, agents: int = AGENTS, survive: bool = False) -> list[Worker]:
    """Agents, each with a server of its own on the one owner."""

    def starter(number: int) -> Callable[[], Host]:
        return lambda: here.host(root, M1ND_AGENT=f"agent {number} of {root.parent.name}").hello()

    return [Worker(number, starter(number), survive) for number in range(agents)]


def at_work(workers: Sequence[Worker], seconds: float, kinds: Sequence[str]) -> list[threading.Thread]:
    """Set them to work; each thread ends after that time."""
    threads = [threading.Thread(target=worker.run, args=(seconds, kinds)) for worker in workers]
    for thread in threads:
        thread.start()
    return threads


def summed(counters: Sequence[Counter[str]]) -> Counter[str]:
    return sum(counters, Counter())


def topics_of(here: Machine, root: Path) -> dict[str, int]:
    """Events by topic, as the command line tells them."""
    return {row["topic"]: row["events"] for row in here.m1nd(root, "audit", "topics")["data"]["topics"]}
