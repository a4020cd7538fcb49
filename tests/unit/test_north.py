"""`north` over a real brain: a pure read, on the graph of the last ingest, for the caller who asks."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.index import MANIFEST
from tests.support.missions import MISSION, mission_at

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.brain import Brain
from m1nd.application.use_cases.card_shown import card_shown
from m1nd.application.use_cases.ingest import ingest
from m1nd.application.use_cases.memory import MemorizeRequest, memorize
from m1nd.application.use_cases.north import NorthRequest, card, north
from m1nd.application.use_cases.paint import RetagRequest, retag
from m1nd.domain.base import Actor
from m1nd.domain.card.deep import deep
from m1nd.domain.refusal import Refused

FILES = {
    "Cargo.toml": MANIFEST,
    "src/lib.rs": "pub mod geo;\npub mod app;\n",
    "src/geo.rs": (
        "pub fn area(side: u32) -> u32 {\n    side * side\n}\n\npub struct Shape {\n    pub side: u32,\n}\n\n"
        "impl Shape {\n    pub fn area(&self) -> u32 {\n        area(self.side)\n    }\n}\n"
    ),
    "src/app.rs": "use crate::geo::Shape;\n\npub fn run(s: &Shape) -> u32 {\n    s.area()\n}\n\npub fn lonely() {}\n",
}


def made(folder: Path, **options: Any) -> Brain:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return open_brain(str(folder.resolve()), environment={}, actor=Actor(kind="agent", id="ada"), **options)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    opened = made(tmp_path / "alpha")
    ingest(opened)
    yield opened
    opened.close()


def asked(brain: Brain, task: str = "area of a shape", **options: Any) -> dict[str, Any]:
    return dict(north(brain, NorthRequest(task, **options)).data)


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below a folder, m1nd's own state too, but for what catches up: views and what SQLite keeps beside files."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.startswith("views.db")
        and not path.name.endswith(("-wal", "-shm", ".lock"))
    }


def test_the_packet_names_the_items_that_the_words_mean(brain: Brain) -> None:
    packet = asked(brain)
    nodes = packet["context"]["focus_nodes"]
    assert [(node["label"], node["path"], node["line"]) for node in nodes] == [
        ("area", "src/geo.rs", 10),
        ("run", "src/app.rs", 3),
        ("Shape", "src/geo.rs", 5),
        ("area", "src/geo.rs", 1),
    ]
    assert [node["why"] for node in nodes[:2]] == ["name: area; path: shape", "text: area, shape"]
    assert all(node["why"] and 0 < node["score"] <= 1 and node["kind"] for node in nodes)
    assert nodes[0]["external_id"] == "file::src/geo.rs::impl::Shape::fn::area"
    assert nodes[0]["symbol_id"].startswith("sym_")
    assert packet["sufficiency"]["state"] == "sufficient"
    assert packet["binding"]["generation"] == 1


def test_a_task_without_a_telling_word_has_no_focus(brain: Brain) -> None:
    for task in ("x", "the of", "fix"):
        packet = asked(brain, task)
        assert (packet["context"]["focus_nodes"], packet["context"]["anchors"]) == ([], []), task


def test_asking_appends_nothing_changes_no_file_and_answers_the_same(brain: Brain) -> None:
    at = brain.clock.now()
    asked(brain, as_of=at)
    before = everything(Path(brain.root))
    head = brain.app.log_head()
    first = json.dumps(asked(brain, as_of=at, session="s-1"))
    north(brain, NorthRequest("area", occasion="asked", as_of=at))
    card(brain, NorthRequest("", as_of=at))
    second = json.dumps(asked(brain, as_of=at, session="s-1"))
    assert first == second
    assert brain.app.log_head() == head
    assert everything(Path(brain.root)) == before


def test_another_process_answers_the_same_bytes(brain: Brain) -> None:
    at = brain.clock.now()
    other = open_brain(brain.root, environment={}, read_only=True, actor=brain.actor)
    assert json.dumps(asked(other, as_of=at)) == json.dumps(asked(brain, as_of=at))


def test_north_never_ingests_and_says_what_changed_since(brain: Brain) -> None:
    root = Path(brain.root)
    (root / "src" / "geo.rs").write_text(FILES["src/geo.rs"] + "\npub fn perimeter() {}\n")
    (root / "src" / "app.rs").unlink()
    packet = asked(brain, "the perimeter")
    assert packet["binding"]["stale_files"] == 2
    assert packet["gaps"][-1] == {"code": "graph_stale", "args": {"count": 2, "path": "src/app.rs"}}
    assert packet["context"]["focus_nodes"] == []
    assert packet["binding"]["trust_mode"] == "full_trust"
    assert brain.app.generation() == 1


def test_a_lost_cache_is_rebuilt_and_is_no_need_to_ingest(brain: Brain) -> None:
    at = brain.clock.now()
    before = asked(brain, as_of=at)
    root = brain.root
    brain.close()
    for path in (Path(root) / ".m1nd").glob("graph*"):
        path.unlink()
    again = open_brain(root, environment={}, actor=Actor(kind="agent", id="ada"))
    assert asked(again, as_of=at) == before
    again.close()


def test_before_the_first_ingest_the_packet_needs_one(tmp_path: Path) -> None:
    brain = made(tmp_path)
    packet = asked(brain)
    assert packet["needs"] == "needs_ingest"
    assert packet["binding"]["trust_mode"] == "needs_ingest"
    assert [gap["code"] for gap in packet["gaps"]] == ["graph_empty", "binding", "memory_empty"]
    assert packet["human_view"]["lines"][0] == "m1nd │ needs_ingest · 0 nodes"
    assert "context" not in packet
    assert brain.app.log_head().count == 0
    brain.close()


def test_a_read_only_attach_that_never_ingested_gives_orientation_only_and_leaves_no_trace(
    tmp_path: Path,
) -> None:
    brain = made(tmp_path, read_only=True)
    packet = asked(brain)
    assert packet["binding"]["trust_mode"] == "orientation_only"
    assert packet["human_view"]["lines"][0] == "m1nd │ orientation_only · 0 nodes"
    assert packet["human_view"]["state"] == "needs_ingest"
    assert not (tmp_path / ".m1nd").exists()


def test_a_claim_comes_up_with_its_task_and_counts_on_the_card(brain: Brain) -> None:
    kept = memorize(brain, MemorizeRequest("the area of a shape is never negative", evidence=("Shape",)))
    row = kept.told.row
    packet = asked(brain, as_of=row.created_at + timedelta(days=31, seconds=1))
    assert packet["memory"] == [
        {
            "claim_id": row.claim_id,
            "claim": "the area of a shape is never negative",
            "state": "authored",
            "source_agent": "ada",
            "age_ms": (31 * 86400 + 1) * 1000,
            "stale": True,
            "anchored_to": ["demo::geo::Shape"],
            "evidence_fresh": True,
        }
    ]
    assert packet["memory_exists"] == 1
    assert packet["human_view"]["lines"] == ["m1nd │ full trust · 16 nodes · 1 memories"]
    unheard = asked(brain, "lonely")
    assert (unheard["memory"], unheard["memory_exists"]) == ([], 1)
    assert unheard["human_view"]["state"] == "gap"
    assert unheard["gaps"] == [{"code": "memory_unmatched", "args": {"count": 1}}]


def test_a_tag_that_the_task_speaks_of_brings_its_items(brain: Brain) -> None:
    retag(brain, RetagRequest("add", ("fragile:hot-path",), symbols=("lonely",), confirm=True))
    nodes = asked(brain, "what is on the hot path and fragile")["context"]["focus_nodes"]
    assert [node["label"] for node in nodes] == ["lonely"]
    assert nodes[0]["why"] == "tag: hot, path, fragile"
    assert asked(brain, "zeppelin")["context"]["focus_nodes"] == []


def test_a_mission_that_waits_for_the_human_rings_the_bell(brain: Brain) -> None:
    brain.app.save(mission_at("merge_wait"))
    packet = north(brain, NorthRequest("area of a shape"))
    assert packet.data["landing_bell"] == {"merge_wait": 1}
    assert packet.data["human_view"]["state_sig"] == "full_trust|bell:1|coh:none|recv:unknown"
    assert packet.card.lines == (
        "m1nd │ full trust · 16 nodes",
        "     │ 1 mission(s) in merge_wait await the human landing — the tray is the door",
    )
    assert deep(packet.facts, packet.details)[1:7] == (
        "     │",
        "     │ 1 mission(s) in merge_wait await the human landing — the tray is the door",
        "     │",
        f"     │   {MISSION} · merge_wait · 441 passed",
        "     │   receipt sha256:aaaaaaaa — awaiting your stamp",
        "     │",
    )


def test_a_caller_of_another_repository_is_told_so_and_nothing_else(brain: Brain, tmp_path: Path) -> None:
    beta = tmp_path / "beta"
    (beta / ".git").mkdir(parents=True)
    (beta / "deep").mkdir()
    packet = asked(brain, caller_root=str(beta / "deep"))
    assert packet["reception"]["match"] == "caller_root_mismatch"
    assert packet["reception"]["caller_root"] == str(beta)
    assert packet["human_view"]["lines"][0] == "m1nd │ this graph does NOT cover your repo"
    assert not {"context", "memory", "memory_exists", "map", "landing_bell", "sufficiency"} & set(packet)


def test_coverage_is_a_test_on_where_paths_lead(brain: Brain, tmp_path: Path) -> None:
    inside = tmp_path / "link"
    inside.symlink_to(Path(brain.root) / "src")
    twin = Path(f"{brain.root}-twin")
    twin.mkdir()
    assert asked(brain, caller_root=str(inside))["reception"] == {"match": "match"}
    assert asked(brain, caller_root=brain.root)["reception"] == {"match": "match"}
    assert asked(brain, caller_root=str(twin))["reception"]["match"] == "caller_root_mismatch"
    assert asked(brain)["reception"] == {"match": "unknown"}


def test_a_scope_narrows_the_focus_and_a_foreign_one_costs_the_trust(brain: Brain, tmp_path: Path) -> None:
    narrow = asked(brain, "shape area run", scope="src/app.rs")
    assert {node["path"] for node in narrow["context"]["focus_nodes"]} == {"src/app.rs"}
    absolute = asked(brain, "shape area run", scope=f"{brain.root}/src/app.rs")
    assert absolute["context"] == narrow["context"]
    foreign = asked(brain, scope=str(tmp_path / "elsewhere"))
    assert foreign["binding"]["trust_mode"] == "wrong_workspace_binding"
    assert foreign["human_view"]["state"] == "degraded"


def test_a_client_without_a_needed_tool_costs_the_trust(brain: Brain) -> None:
    packet = asked(brain, client_tools=["north", "search", "ingest"])
    assert packet["binding"]["trust_mode"] == "degraded_host_tool_surface"
    assert "surgical_context" in packet["recovery_playbook"]["why"]


def test_the_cadence_is_read_from_the_log(brain: Brain) -> None:
    first = asked(brain, session="s-1")["human_view"]
    assert (first["render"], first["render_reason"]) == (True, "first_orient")
    noted = card_shown(brain, "s-1", first["state_sig"])
    assert (noted.first_in_session, noted.first_of_day) == (True, True)
    second = asked(brain, session="s-1")["human_view"]
    assert (second["render"], second["render_reason"]) == (False, "already_shown")
    other = asked(brain, session="s-2")["human_view"]
    assert (other["render"], other["render_reason"]) == (True, "first_orient")
    assert asked(brain, session="s-1", occasion="asked")["human_view"]["render"] is True


def test_without_a_task_there_is_no_focus_and_no_gap_for_it(brain: Brain) -> None:
    packet = asked(brain, "  ")
    assert not {"context", "sufficiency"} & set(packet)
    assert [gap["code"] for gap in packet["gaps"]] == ["memory_empty"]
    assert packet["next_move"].startswith("No focus nodes activated")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"top_k": 0}, "usage"),
        ({"top_k": 51}, "usage"),
        ({"occasion": "bored"}, "usage"),
        ({"session": "s" * 201}, "usage"),
        ({"caller_root": "beta"}, "usage"),
        ({"caller_root": f"/{'b' * 1000}"}, "usage"),
        ({"scope": "../beta"}, "outside_root"),
    ],
)
def test_arguments_out_of_bounds_are_refused(brain: Brain, options: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        north(brain, NorthRequest(**{"task": "area", **options}))
    assert refused.value.refusal.code == code
    assert brain.app.log_head().count == 2


def test_card_shown_is_an_append_that_a_read_only_attach_denies(brain: Brain) -> None:
    reader = open_brain(brain.root, environment={}, read_only=True)
    with pytest.raises(Refused) as refused:
        card_shown(reader, "s-1", "full_trust|bell:0|coh:none|recv:match")
    assert refused.value.refusal.code == "read_only"
    assert brain.app.log_head().count == 2
