"""The guided session of `m1nd blocks ratify`, on a real terminal: three pages, three stamps, one map (D19, D44)."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.support.pseudo_terminal import M1ND, AtTerminal

from m1nd.adapters.demo.crate_copy import unpack

PROMPT = "anything else to leave: "


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    unpack(root)
    paper, core = ask(root, "blocks", "candidate")["block_ids"]
    names = ("--rename", paper, "Paper", "--rename", core, "Harbour")
    ask(root, "blocks", "edit", *names, "--contract", paper, "docs")
    return root


def ask(root: Path, *line: str) -> dict[str, Any]:
    done = subprocess.run(
        [*M1ND, "--root", str(root), "--json", *line], check=False, capture_output=True, text=True, timeout=60
    )
    answer = json.loads(done.stdout)
    assert answer["ok"], answer
    return dict(answer["data"])


def sign(here: AtTerminal, shown: str, number: int) -> str:
    """Wait for the page of that number, and type the digits that it asks for; the page."""
    while here.seen.count(PROMPT) < number:
        here.wait_for_more()
    page = here.seen.rsplit("m1nd needs your stamp", 1)[1]
    assert shown in page, page
    (digest,) = (line.split()[1] for line in page.splitlines() if line.startswith("  digest "))
    here.type(f"{digest[:8]}\n")
    return page


def test_a_person_reads_three_pages_signs_each_and_has_a_map(root: Path) -> None:
    here = AtTerminal(root, ["blocks", "ratify"])
    names = sign(here, "sign names", 1)
    assert "Harbour (scanned)" in names
    boundaries = sign(here, "sign boundaries", 2)
    assert "primary   src/**" in boundaries
    contract = sign(here, "sign contract", 3)
    assert (
        "required  spec [contract_change], structural [member_change, repaint], test [member_change]"
        in contract
    )
    assert here.end() == 0
    assert "ratified: sb_harbour_root_514189af, sb_harbour_src_623794cb" in here.seen
    assert ask(root, "blocks", "show")["rollup"]["evidence_backed"] == 1


def test_who_leaves_at_the_second_page_has_signed_the_first_alone(root: Path) -> None:
    here = AtTerminal(root, ["blocks", "ratify"])
    sign(here, "sign names", 1)
    while here.seen.count(PROMPT) < 2:
        here.wait_for_more()
    here.type("\n")
    assert here.end() != 0
    signed = ask(root, "blocks", "show")["store"]["skeleton"]["signed"]
    assert [len(signed[part]) for part in ("names", "boundaries", "contract")] == [2, 0, 0]
    again = AtTerminal(root, ["blocks", "ratify"])
    again.read_until(PROMPT)
    assert "1 of 3: Names: signed already" in again.seen
    again.type("\n")
    assert again.end() != 0
