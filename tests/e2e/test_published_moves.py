"""A move between crates that publishes what it needs, from the command line and by an agent: identity, receipt and undo hold."""

import os
from pathlib import Path

import pytest
from tests.support.agent import House, environment_of, served, tree_of
from tests.support.before_after import files_of
from tests.support.door import Door
from tests.unit.test_move_crates_published import HELPED, told

PLACE = {"symbol": "move_me", "source_file": "words/src/lib.rs", "dest_file": "app/src/alpha.rs"}
PUBLISHED = [told("least", "words/src/lib.rs", "private")]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "crates"
    for path, text in files_of(HELPED).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def symbol(door: Door, name: str) -> tuple[str, str]:
    """`(symbol_id, file)` of an item."""
    status, answer = door.ask("context", name)
    assert status == 0, answer
    item = answer["data"]["symbol"]
    return item["symbol_id"], item["path"]


def test_a_published_item_is_told_keeps_its_identity_and_is_private_again_after_undo(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("M1ND_")}
    door = Door(root, capsys, {**kept, "XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"})
    door.ask("ingest")
    before, known = door.tree(), symbol(door, "least")
    moved = symbol(door, "move_me")[0]
    place = tuple(PLACE.values())
    status, answer = door.ask("transplant", "move", *place, "--yes", "--verify", "none")
    assert (status, answer["error"]["code"], door.tree()) == (1, "not_movable", before)
    assert "--publish" in answer["error"]["hint"]
    status, answer = door.ask("transplant", "preview", *place, "--publish")
    assert status == 0 and answer["data"]["candidate"]["published"] == PUBLISHED, answer
    status, answer = door.ask(
        "transplant", "commit", answer["data"]["preview_id"], "--yes", "--verify", "none"
    )
    assert status == 0 and answer["data"]["receipt"]["published"] == PUBLISHED, answer
    assert b"pub fn least" in door.tree()["words/src/lib.rs"]
    assert symbol(door, "least") == known
    assert symbol(door, "move_me") == (moved, "app/src/alpha.rs")
    status, answer = door.ask("undo", "--verify", "none")
    assert (status, door.tree()) == (0, before), answer
    assert symbol(door, "move_me") == (moved, "words/src/lib.rs")
    assert door.ask("projections", "rebuild", "--check")[0] == 0


def test_an_agent_publishes_what_its_move_needs_and_takes_it_back(root: Path, tmp_path: Path) -> None:
    before = tree_of(root)

    async def story(house: House) -> None:
        async with house.agent() as agent:
            error = await agent.refused("transplant_preview", **PLACE)
            assert error["code"] == "not_movable" and "`publish: true`" in error["hint"]
            moved = await agent.data("transplant", **PLACE, publish=True, confirm=True, verify="none")
            assert moved["receipt"]["published"] == PUBLISHED
            assert sorted(moved["receipt"]["files_changed"]) == ["app/src/alpha.rs", "words/src/lib.rs"]
            await agent.data("transplant_undo", transplant_id=moved["transplant_id"])
        assert tree_of(root) == before

    served(root, environment_of(tmp_path, os.environ) | {"M1ND_PROOF_GATE": "0"}, story)
