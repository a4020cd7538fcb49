"""Tokens: made by the owner with a stamp, kept as a hash, good for one purpose until revoked (D25)."""

import os
from pathlib import Path

import pytest
from tests.support.door import Door, harbour

from m1nd.adapters.bootstrap import open_brain
from m1nd.domain.tokens import Presented, Purpose


@pytest.fixture
def door(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    return harbour(tmp_path, capsys, dict(os.environ))


CREATE = ("token", "create", "--for", "ci", "--label", "build farm")


def created(door: Door) -> str:
    door.stamp(door.ask(*CREATE)[1]["error"]["details"]["challenge"])
    return str(door.ask(*CREATE)[1]["data"]["token"])


def admitted(door: Door, token: str) -> bool:
    brain = open_brain(str(door.root.resolve()), environment=door.environment)
    try:
        return brain.app.admitted(token, Purpose.CI) is not None
    finally:
        brain.close()


def test_a_token_needs_a_stamp_each(door: Door) -> None:
    status, answer = door.ask(*CREATE)
    assert (status, answer["error"]["code"]) == (4, "human_gesture_required")
    created(door)
    assert door.ask(*CREATE)[1]["error"]["code"] == "human_gesture_required"


def test_it_is_admitted_until_it_is_revoked(door: Door) -> None:
    token = created(door)
    presented = Presented.read(token)
    assert presented is not None
    assert admitted(door, token)
    assert door.ask("token", "revoke", presented.id)[0] == 0
    assert not admitted(door, token)
    assert door.ask("token", "revoke", presented.id)[1]["error"]["code"] == "not_found"
    listed = door.ask("token", "list")[1]["data"]["tokens"]
    assert [(row["token_id"], row["label"], row["revoked_at"] is None) for row in listed] == [
        (presented.id, "build farm", False)
    ]


def test_no_other_text_is_admitted(door: Door) -> None:
    token = created(door)
    last = "0" if token[-1] != "0" else "1"
    for other in (
        "",
        token[:-1],
        token[:-1] + last,
        token.replace("_ci_", "_owner_"),
        token.upper(),
        "x" * 57,
    ):
        assert not admitted(door, other), other


def test_the_secret_lies_nowhere(door: Door) -> None:
    token = created(door)
    secret = token.rpartition("_")[2].encode()
    for path in (door.root / ".m1nd").rglob("*"):
        assert not path.is_file() or secret not in path.read_bytes(), path


def test_who_presents_a_token_is_no_owner(door: Door) -> None:
    """Neither a forged one: it must not get the owner's leave by being wrong."""
    for token, id in ((created(door), None), ("forged", "unknown")):
        brain = open_brain(str(door.root.resolve()), environment={**door.environment, "M1ND_TOKEN": token})
        assert brain.actor.kind == "ci"
        assert id is None or brain.actor.id == id
        brain.close()


@pytest.mark.parametrize("label", ["x" * 81, "a\nb", "\x1b[31m"])
def test_a_label_is_short_and_printable(door: Door, label: str) -> None:
    assert door.ask("token", "create", "--for", "ci", "--label", label)[1]["error"]["code"] == "usage"
