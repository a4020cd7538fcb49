"""What the owner sets for a repository, at the command line: kept in the log, obeyed in every process (D32)."""

from pathlib import Path

import pytest
from tests.support.door import Door, harbour

from m1nd.adapters.bootstrap import open_brain
from m1nd.application.use_cases.move_planning import PreviewRequest
from m1nd.application.use_cases.transplant import CommitRequest, commit, preview
from m1nd.domain.base import Actor
from m1nd.domain.refusal import Refused


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, {"PATH": ""})


def value(door: Door) -> str:
    _, answer = door.ask("config")
    return next(str(s["value"]) for s in answer["data"]["settings"] if s["name"] == "verify.agents")


def test_a_setting_is_a_fact_of_the_log(door: Door) -> None:
    assert value(door) == "check"
    assert not (door.root / ".m1nd" / "log.db").exists()
    _, answer = door.ask("config", "set", "verify.agents", "none")
    assert answer["data"] == {"key": "verify.agents", "value": "none", "changed": True}
    assert value(door) == "none"
    assert door.ask("config", "set", "verify.agents", "none")[1]["data"]["changed"] is False
    topics = [e["topic"] for e in door.ask("log")[1]["data"]["events"]]
    assert topics == ["settings_opened", "setting_changed"]
    assert door.ask("config", "set", "verify.agents", "check")[1]["data"]["changed"] is True
    assert value(door) == "check"


@pytest.mark.parametrize(
    ("key", "given", "code"),
    [
        ("verify.owner", "none", "unknown_setting"),
        ("verify.agents", "maybe", "usage"),
        ("", "", "unknown_setting"),
    ],
)
def test_what_no_setting_is_refuses(door: Door, key: str, given: str, code: str) -> None:
    status, answer = door.ask("config", "set", key, given)
    assert (status, answer["error"]["code"]) == (2, code)
    assert (
        door.ask("--read-only", "config", "set", "verify.agents", "none")[1]["error"]["code"] == "read_only"
    )


def test_an_agents_write_starts_no_compiler_where_the_owner_says_so(door: Door) -> None:
    door.ask("config", "set", "verify.agents", "none")
    brain = open_brain(
        str(door.root.resolve()), environment=door.environment, actor=Actor(kind="agent", id="a")
    )
    made = preview(brain, PreviewRequest("clearance", "src/berth.rs", "src/draught.rs"))
    with pytest.raises(Refused) as refused:
        commit(brain, CommitRequest(made.preview_id, True, "check"))
    assert refused.value.refusal.code == "verification_unavailable"
    assert "m1nd config set verify.agents check" in refused.value.refusal.next_step
    done = commit(brain, CommitRequest(made.preview_id, True))
    assert done.receipt["verification"]["reason"] == "switched off for agents by the owner"
    brain.close()
