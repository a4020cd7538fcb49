"""A stamp is given on a real terminal and nowhere else (D24, D44)."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.support.pseudo_terminal import M1ND, AtTerminal

PROMPT = "anything else to leave: "
WRITTEN = "pub fn fee() -> u32 {\n    4\n}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "harbour"
    (root / "src").mkdir(parents=True)
    (root / "ci").mkdir()
    (root / "src/money.rs").write_text("pub fn fee() -> u32 {\n    3\n}\n")
    zones = {"zones": [{"glob": "src/money.rs", "reason": "counted by hand"}]}
    (root / "ci/protected-zones.json").write_text(json.dumps(zones))
    (tmp_path / "plan.json").write_text(json.dumps({"files": [{"path": "src/money.rs", "content": WRITTEN}]}))
    return root


def ask(
    root: Path, *line: str, keys: str | None = None, own_terminal: bool = False, token: str = ""
) -> tuple[int, Any]:
    """One command without a terminal as its input: exit status and envelope."""
    done = subprocess.run(
        [*M1ND, "--root", str(root), "--json", *line],
        check=False,
        input=keys or "",
        capture_output=True,
        text=True,
        start_new_session=own_terminal,
        env={**os.environ, "M1ND_TOKEN": token},
        timeout=60,
    )
    return done.returncode, json.loads(done.stdout)


def preview(root: Path) -> tuple[str, str]:
    """The id of a preview that crosses the zone, and of the challenge that waits for it."""
    plan = str(root.parent / "plan.json")
    _, answer = ask(root, "edit", "preview", plan, "--allow-protected", "agreed \u202e\x1b[31m")
    return answer["data"]["preview_id"], answer["data"]["stamp"]["challenge"]


def commit(root: Path, id: str) -> tuple[int, Any]:
    return ask(root, "edit", "commit", id, "--yes", "--verify", "none")


def digest_on(page: str) -> str:
    (line,) = (line for line in page.splitlines() if line.startswith("  digest "))
    return line.split()[1]


def test_the_human_reads_types_the_digits_and_the_write_goes_through(root: Path) -> None:
    id, challenge = preview(root)
    here = AtTerminal(root, ["stamp", challenge])
    page = here.read_until(PROMPT)
    assert "action    cross protected zone" in page
    assert f"target    {id}" in page
    assert "zone `src/money.rs` (counted by hand): src/money.rs" in page
    assert "reason: agreed <U+202E><U+001B>[31m" in page
    assert "| +    4" in page
    here.type(f"{digest_on(page)[:8]}\n")
    assert here.end() == 0
    assert "stamped: cross protected zone" in here.seen
    assert commit(root, id)[0] == 0
    assert (root / "src/money.rs").read_text() == WRITTEN


@pytest.mark.parametrize("keys", ["\n", "no\n", "00000000\n", "\x04"])
def test_anything_else_leaves_it_unstamped(root: Path, keys: str) -> None:
    id, challenge = preview(root)
    here = AtTerminal(root, ["stamp", challenge])
    here.read_until(PROMPT)
    here.type(keys)
    assert here.end() == 1
    assert "stamp_mismatch" in here.seen
    assert commit(root, id)[1]["error"]["code"] == "human_gesture_required"


def test_ctrl_c_leaves_it_unstamped(root: Path) -> None:
    id, challenge = preview(root)
    here = AtTerminal(root, ["stamp", challenge])
    here.read_until(PROMPT)
    here.type("\x03")
    assert here.end() == 130
    assert commit(root, id)[0] == 4


def test_a_used_stamp_is_not_given_again(root: Path) -> None:
    """Neither by asking twice nor by carrying out the same preview twice."""
    id, challenge = preview(root)
    for status in (0, 1):
        here = AtTerminal(root, ["stamp", challenge])
        if status == 0:
            here.type(f"{digest_on(here.read_until(PROMPT))[:8]}\n")
        assert here.end() == status
    assert "stamp_spent" in here.seen
    assert commit(root, id)[0] == 0
    assert commit(root, id)[1]["error"]["code"] == "preview_unknown"
    here = AtTerminal(root, ["stamp", challenge])
    assert here.end() == 1
    assert "stamp_spent" in here.seen


@pytest.mark.parametrize("own_terminal", [False, True], ids=["piped", "no terminal at all"])
def test_piped_digits_are_no_stamp(root: Path, own_terminal: bool) -> None:
    id, challenge = preview(root)
    waiting = ask(root, "stamp")[1]["data"]["waiting"]
    keys = f"{waiting[0]['digest'][:8]}\n"
    status, answer = ask(root, "stamp", challenge, keys=keys, own_terminal=own_terminal)
    assert (status, answer["error"]["code"]) == (4, "human_gesture_required")
    assert commit(root, id)[0] == 4


def test_the_humans_own_act_takes_the_stamp_on_the_spot(root: Path) -> None:
    """`token create` is given by the owner alone: no second command is needed where they sit."""
    here = AtTerminal(root, ["--root", ".", "token", "create", "--for", "ci"])
    page = here.read_until(PROMPT)
    assert "action    create token" in page
    here.type(f"{digest_on(page)[:8]}\n")
    assert here.end() == 0
    (token,) = (line for line in here.seen.splitlines() if line.startswith("m1nd_ci_"))
    shown = {s["name"]: s["value"] for s in ask(root, "config", token=token)[1]["data"]["settings"]}
    assert shown["M1ND_TOKEN"] == "[redacted:m1nd_token]"


def test_keys_pressed_before_the_page_is_there_count_for_nothing(root: Path) -> None:
    id, challenge = preview(root)
    digest = ask(root, "stamp")[1]["data"]["waiting"][0]["digest"]
    here = AtTerminal(root, ["stamp", challenge])
    here.type(f"{digest[:8]}\n")
    here.read_until(PROMPT)
    here.type("\n")
    assert here.end() == 1
    assert commit(root, id)[0] == 4
