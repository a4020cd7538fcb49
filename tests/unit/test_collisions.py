"""Two agents that change things on one brain are told of each other in `north`, where their work meets."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.door import Door, harbour
from tests.support.log import command
from tests.support.missions import RUNNER, mission_at, ratified_block, scope_of

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.collisions import collisions
from m1nd.application.use_cases.move_planning import PreviewRequest
from m1nd.application.use_cases.north import NorthRequest, north
from m1nd.application.use_cases.transplant import CommitRequest, commit, preview
from m1nd.domain.base import Actor
from m1nd.domain.north.collisions import collide, works
from m1nd.domain.north.inputs import Collision

MOVE = PreviewRequest("clearance", "src/berth.rs", "src/draught.rs")
TASK = "the clearance of a berth"


def test_only_shared_files_are_a_collision_and_nobody_collides_with_themselves() -> None:
    every = works([("ann", ["a.rs", "b.rs"]), ("bob", ["b.rs"]), ("cay", ["c.rs"]), ("ann", ["d.rs"])])
    assert collide("ann", set(), every) == (Collision("bob", ("b.rs",)),)
    assert collide("bob", {"c.rs"}, every) == (Collision("ann", ("b.rs",)), Collision("cay", ("c.rs",)))
    assert collide("eve", set(), every) == ()
    assert collide("eve", {"d.rs"}, every) == (Collision("ann", ("d.rs",)),)


def test_a_long_list_of_files_is_cut_and_names_are_made_harmless() -> None:
    paths = [f"{name}.rs" for name in "abcde"]
    (found,) = collide("ann", set(paths), works([("b\u202eob", paths)]))
    assert found == Collision("b?ob", ("a.rs", "b.rs", "c.rs", "2 more"))


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    made = harbour(tmp_path, capsys, dict(os.environ))
    made.ask("ingest")
    return made


@pytest.fixture
def agents(door: Door) -> Iterator[tuple[Brain, Brain]]:
    """Two agents on one brain."""
    made = tuple(
        open_brain(str(door.root), environment=door.environment, actor=Actor(kind="agent", id=id))
        for id in ("ann", "bob")
    )
    yield made[0], made[1]
    for brain in made:
        brain.close()


def told(brain: Brain, task: str = TASK, **more: Any) -> list[str]:
    packet = north(brain, NorthRequest(task, **more)).data
    return [gap for gap in packet["honest_gaps"] if gap.startswith("COLLISION")]


def test_a_plan_of_one_is_told_to_the_other_and_not_to_its_author(agents: tuple[Brain, Brain]) -> None:
    ann, bob = agents
    assert (told(ann), told(bob)) == ([], [])
    preview(ann, MOVE)
    assert told(ann) == []
    (gap,) = told(bob)
    assert "ann (" in gap
    assert "src/berth.rs" in gap
    assert "Advisory only" in gap


def test_both_are_told_when_both_change_and_an_old_write_is_forgotten(agents: tuple[Brain, Brain]) -> None:
    ann, bob = agents
    made = preview(ann, MOVE)
    commit(ann, CommitRequest(made.preview_id, True, "none"))
    preview(bob, PreviewRequest("first_chance", "src/schedule.rs", "src/draught.rs"))
    now = ann.clock.now()
    assert [c.agent for c in collisions(ann, "ann", set(), now)] == ["bob"]
    assert [c.agent for c in collisions(bob, "bob", set(), now)] == ["ann"]
    later = now + timedelta(minutes=31)
    assert collisions(bob, "bob", {"src/draught.rs"}, later) == ()


def test_a_mission_at_work_is_told_unless_its_packet_edits_nothing(agents: tuple[Brain, Brain]) -> None:
    ann, _ = agents
    ratified_block(ann.app, command(1), path="src/berth.rs")
    mission = mission_at("executing", scope=scope_of(ann.app))
    ann.app.save(mission)
    (found,) = collisions(ann, "ann", {"src/berth.rs"}, ann.clock.now())
    assert (found.agent, found.overlap) == (RUNNER.id, ("src/berth.rs",))
    assert collisions(ann, RUNNER.id, {"src/berth.rs"}, ann.clock.now()) == ()


def test_north_stays_a_pure_read_and_another_task_is_not_disturbed(agents: tuple[Brain, Brain]) -> None:
    ann, bob = agents
    preview(ann, MOVE)
    head = bob.app.log_head()
    as_of = bob.clock.now()
    assert (
        north(bob, NorthRequest(TASK, as_of=as_of)).data == north(bob, NorthRequest(TASK, as_of=as_of)).data
    )
    assert bob.app.log_head() == head
    assert told(bob, "zzzz qqqq") == []
