"""A read of a repository in which nothing happened since loads no event, no aggregate and not their library (G15)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.agent import harbour_root

from m1nd.domain.events import AGGREGATES

HEAVY = {"eventsourcing", "tree_sitter", "m1nd.domain.base", "m1nd.domain.events", "m1nd.application.app"} | {
    kind.__module__ for kind in AGGREGATES
}
READS = (
    ("north", "fix", "the", "tide"),
    ("--json", "north", "fix", "the", "tide"),
    ("--json", "--caller-root", "/", "north", "tide"),
    ("status",),
    ("card",),
    ("card", "--deep"),
)
LOADED = """
import json, sys
from m1nd.adapters.cli.program import run
status = run(json.loads(sys.argv[1]))
sys.stderr.write("loaded:" + json.dumps(sorted(sys.modules)))
sys.exit(status)
"""


def in_a_fresh_process(root: Path, *line: str) -> tuple[str, set[str]]:
    """What a command prints, and the modules that it loaded; it must go well."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOADED, json.dumps(["--root", str(root), *line])],
        env={"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ["PATH"], "LOGNAME": "ann"},
        capture_output=True,
        text=True,
        check=False,
    )
    told, _, loaded = done.stderr.partition("loaded:")
    assert done.returncode == 0, told
    return done.stdout, set(json.loads(loaded))


def heavy_ones(loaded: set[str]) -> set[str]:
    return HEAVY & (loaded | {name.partition(".")[0] for name in loaded})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = harbour_root(tmp_path)
    in_a_fresh_process(made, "ingest")
    in_a_fresh_process(made, "north", "the", "tide")
    return made


def test_a_repository_in_which_nothing_happened_is_read_without_events(root: Path) -> None:
    for line in READS:
        _, loaded = in_a_fresh_process(root, *line)
        assert not heavy_ones(loaded), (line, heavy_ones(loaded))
        assert "pydantic" not in loaded, line


def test_one_with_moves_claims_and_tags_is_read_without_events_too(root: Path) -> None:
    for line in (
        ("transplant", "preview", "clearance", "src/berth.rs", "src/draught.rs"),
        ("memory", "add", "the tide is given in metres", "--evidence", "src/berth.rs"),
        ("paint", "retag", "add", "harbour", "--symbol", "src/berth.rs:41", "--yes"),
    ):
        in_a_fresh_process(root, *line)
    in_a_fresh_process(root, "status")  # the views see what came
    for line in READS:
        _, loaded = in_a_fresh_process(root, *line)
        assert not heavy_ones(loaded), (line, heavy_ones(loaded))
    printed, _ = in_a_fresh_process(root, "--json", "north", "the", "tide", "at", "clearance")
    packet = json.loads(printed)["data"]
    assert [row["claim"] for row in packet["memory"]] == ["the tide is given in metres"]


def test_a_reader_that_finds_new_events_folds_them(root: Path) -> None:
    before, _ = in_a_fresh_process(root, "--json", "card")
    in_a_fresh_process(root, "memory", "add", "the tide is given in metres")
    (root / ".m1nd" / "views.db").unlink()
    folded, loaded = in_a_fresh_process(root, "--json", "card")
    assert heavy_ones(loaded)
    light, loaded = in_a_fresh_process(root, "--json", "card")
    assert not heavy_ones(loaded)
    assert json.loads(light)["data"] == json.loads(folded)["data"] != json.loads(before)["data"]


def test_an_ingest_and_a_read_after_an_edit_load_the_graph_s_events_alone(tmp_path: Path) -> None:
    root = harbour_root(tmp_path)
    others = {kind.__module__ for kind in AGGREGATES} - {"m1nd.domain.graph"}
    _, loaded = in_a_fresh_process(root, "ingest")
    assert not others & loaded, others & loaded
    in_a_fresh_process(root, "search", "clearance")
    berth = root / "src" / "berth.rs"
    for number in (2, 3):
        berth.write_text(berth.read_text() + f"\n/// Number {number}.\npub fn added_{number}() {{}}\n")
        found, loaded = in_a_fresh_process(root, "--json", "search", f"added_{number}")
        assert not others & loaded, others & loaded
        assert json.loads(found)["graph_rev"] == number
        assert [hit["item"]["name"] for hit in json.loads(found)["data"]["results"]] == [f"added_{number}"]
