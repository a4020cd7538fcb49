"""One repository, two checkouts, an owner each, one log on a server: agents on both sides at once."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.support.agent import harbour_root
from tests.support.agents_at_work import EVENT_OF, MIXED, Worker, at_work, hired, summed, topics_of
from tests.support.relay import Machine, machine

pytestmark = pytest.mark.postgres
NUMBERS = count()
AGENTS_EACH = 3


@pytest.fixture
def here(database: str) -> Iterator[Machine]:
    """A machine whose every process keeps its log in one schema of the server."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp", prefix="m1-") as folder,
        machine(Path(folder), os.environ) as made,
    ):
        made.environment["M1ND_LOG_URL"] = f"{database}&schema=owners_{next(NUMBERS)}"
        yield made


@pytest.fixture
def checkouts(here: Machine) -> tuple[Path, Path]:
    a, b = (harbour_root(here.folder / name) for name in "ab")
    return a, b


def test_two_owners_on_one_log_lose_no_event_and_agree(here: Machine, checkouts: tuple[Path, Path]) -> None:
    for root in checkouts:
        assert here.m1nd(root, "ingest")["ok"]
    sides = [hired(here, root, agents=AGENTS_EACH) for root in checkouts]
    for thread in [thread for workers in sides for thread in at_work(workers, 5, MIXED)]:
        thread.join()
    everybody = [worker for workers in sides for worker in workers]
    assert [worker.faults for worker in everybody if worker.faults] == []
    assert len(here.owners()) == 2
    _every_answer_is_in_the_log(here, checkouts, sides, everybody)
    verified = [here.m1nd(root, "audit", "verify") for root in checkouts]
    assert verified[0]["ok"] is True
    assert verified[0]["data"] == verified[1]["data"]
    rebuilt = [here.m1nd(root, "projections", "rebuild", "--check") for root in checkouts]
    assert all(answer["ok"] for answer in rebuilt), rebuilt
    digests = [[(row["table"], row["digest"]) for row in answer["data"]["tables"]] for answer in rebuilt]
    assert digests[0] == digests[1]


def _every_answer_is_in_the_log(
    here: Machine, roots: tuple[Path, Path], sides: list[list[Worker]], everybody: list[Worker]
) -> None:
    total = summed([worker.acknowledged for worker in everybody])
    topics = Counter(topics_of(here, roots[0]))
    assert topics_of(here, roots[1]) == dict(topics)
    assert {tool: topics[event] for tool, event in EVENT_OF.items()} == {
        tool: total[tool] for tool in EVENT_OF
    }
    assert min(total[tool] for tool in ("edit_commit", "card_shown", "transplant_preview")) > 0, total
    for root, workers in zip(roots, sides, strict=True):
        written = {name for worker in workers for name in worker.written}
        assert {f"notes/{path.name}" for path in (root / "notes").iterdir()} == written


def test_a_plan_of_one_checkout_is_answered_with_a_reason_in_the_other(
    here: Machine, checkouts: tuple[Path, Path]
) -> None:
    """Both moved the same function from the same place: each tree is its own, so both moves are true; and a plan belongs to the
    agent that made it, wherever it is asked for."""
    a, b = (here.host(root, M1ND_AGENT=root.parent.name).hello() for root in checkouts)
    assert a.call("ingest")["ok"]
    assert b.call("ingest")["ok"]
    move = {"symbol": "clearance", "source_file": "src/berth.rs", "dest_file": "src/draught.rs"}
    planned = a.call("transplant_preview", **move)["data"]["preview_id"]
    refused = b.call("transplant_commit", preview_id=planned, confirm=True, verify="none")
    assert refused["error"]["code"] == "preview_wrong_agent"
    assert a.call("transplant_commit", preview_id=planned, confirm=True, verify="none")["ok"]
    again = a.call("transplant_preview", **move)
    assert again["error"]["code"] == "already_moved"
    mine = b.call("transplant_preview", **move)
    assert mine["ok"], mine
    assert b.call("transplant_commit", preview_id=mine["data"]["preview_id"], confirm=True, verify="none")[
        "ok"
    ]
    both = [host.call("transplant_list")["data"] for host in (a, b)]
    assert both[0] == both[1]
