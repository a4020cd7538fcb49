"""Moves to other places than module files, through the agent's door: the same verbs as at the command line."""

import os
from pathlib import Path

import pytest
from tests.support.agent import House, environment_of, harbour_root, served, tree_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = harbour_root(tmp_path)
    (root / "src" / "tide.rs").open("a").write(
        "\npub mod depths {\n    pub fn sounding() -> u32 {\n        3\n    }\n}\n"
    )
    return root


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return environment_of(tmp_path, os.environ) | {"M1ND_PROOF_GATE": "0"}


def test_an_agent_moves_out_of_a_module_inline_in_a_file_and_takes_it_back(
    root: Path, environment: dict[str, str]
) -> None:
    before = tree_of(root)

    async def story(house: House) -> None:
        async with house.agent() as agent:
            place = {
                "symbol": "sounding",
                "source_file": "src/tide.rs::depths",
                "dest_file": "src/draught.rs",
            }
            moved = await agent.data("transplant", **place, confirm=True, verify="none")
            assert moved["receipt"]["dest_module"] == "crate::draught"
            assert b"    pub fn sounding" not in (root / "src" / "tide.rs").read_bytes()
            assert b"\npub fn sounding" in (root / "src" / "draught.rs").read_bytes()
            error = await agent.refused(
                "transplant_preview", **place | {"source_file": "src/tide.rs::shallows"}
            )
            assert (error["code"], error["hint"]) == ("module_not_found", "name src/tide.rs::depths")
            await agent.data("transplant_undo", transplant_id=moved["transplant_id"])
        assert tree_of(root) == before

    served(root, environment, story)


def test_an_agent_moves_a_whole_module_and_takes_it_back(root: Path, environment: dict[str, str]) -> None:
    before = tree_of(root)

    async def story(house: House) -> None:
        async with house.agent() as agent:
            place = {"symbol": "window", "source_file": "src/lib.rs", "dest_file": "src/tide.rs"}
            moved = await agent.data("transplant", **place, confirm=True, verify="none")
            assert not (root / "src" / "window.rs").exists()
            assert (root / "src" / "tide" / "window.rs").exists()
            await agent.data("transplant_undo", transplant_id=moved["transplant_id"])
        assert tree_of(root) == before

    served(root, environment, story)
